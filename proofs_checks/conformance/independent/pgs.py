"""The independent implementation of PGS, also with a p-norm, and Pegasos; see ``losses``."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem, Problems, Rules, State, View


class Subgradients(Problems):
    """Methods with w alone."""

    rules: ClassVar[Rules] = {
        "pgs": ("averaging_start", "subgradient_step", "averaged_view"),
        "pgs-p-norm": ("averaging_start", "subgradient_step", "averaged_view"),
        "pegasos": ("pegasos_start", "pegasos_step", "last_view"),
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

    def pegasos_start(self, method: str, p: Problem, parameters: State, alpha: Vector) -> State:
        """w = 0."""
        return {"w": [Fraction(0)] * p["d"], "t": 0}

    def pegasos_step(self, method: str, p: Problem, parameters: State, state: State, choice: list[int]) -> State:
        """One step of length 1/(lam t) against the subgradient of (lam/2)||w||^2 + g_t, then the projection."""
        t = state["t"] + 1
        slope = axpy(p["lam"], state["w"], self.subgradient(p, state["w"], choice))
        w = axpy(-1 / (p["lam"] * t), slope, state["w"])
        return {"w": self.projected(p, w) if parameters["projection"] else w, "t": t}

    def projected(self, p: Problem, w: Vector) -> Vector:
        """The nearest point of ||w|| <= 1/sqrt(lam)."""
        outside = p["lam"] * dot(w, w)
        return [w_j / root(outside) for w_j in w] if outside > 1 else w
