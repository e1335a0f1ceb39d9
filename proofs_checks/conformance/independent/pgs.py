"""The independent implementation of PGS, also with a p-norm; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Subgradients(Problems):
    """Methods with w alone."""

    rules: ClassVar[Rules] = {
        "pgs": ("averaging_start", "subgradient_step", "averaged_view"),
        "pgs-p-norm": ("averaging_start", "subgradient_step", "averaged_view"),
    }

    def averaging_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """Zeros."""
        return dict.fromkeys(("w", "acc", "total"), [Fraction(0)] * p["d"]) | {"t": 0}

    def averaged_view(self, method: str, p: Problem, parameters: State, state: State) -> View:
        """The average of what was played, and the slopes there."""
        w = [total_j / state["t"] for total_j in state["total"]] if state["t"] else state["w"]
        return w, self.slopes(p, w)

    def subgradient_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """PGS: dual averaging. The regularizer of the round to come counts already."""
        acc = axpy(Fraction(-1), self.subgradient(p, state["w"], choice), state["acc"])
        t = state["t"] + 1
        u = [-acc_j / (t + 1) for acc_j in acc]
        w = self.shortest(p["lam"], p["p"], p.get("ball"), u) if "p" in p else self.minimizer(p["lam"], p["l1"], u)
        return {"w": w, "acc": acc, "total": axpy(Fraction(1), state["w"], state["total"]), "t": t}
