"""An independent implementation of SPD1, and its row in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.extras.baselines.spd1.reference import SPD1, Entrywise
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State, View
from dualgap.proofs_checks.conformance.methods.published import Saddle
from dualgap.proofs_checks.conformance.methods.spec import Bug, register_vectors
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA


class Entry(Problems):
    """SPD1, independent of the reference."""

    def entry_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """Nothing added up."""
        sums: State = {}
        for name, size in (("w", p["d"]), ("alpha", p["n"])):
            sums |= {f"total_{name}": [Fraction(0)] * size, f"since_{name}": [0] * size}
        return {"w": self.of_alpha(p, alpha), "alpha": alpha, "t": 0, **sums}

    def entry_view(self, method: str, p: Given, parameters: State, state: State) -> View:
        """The averages."""
        t = state["t"]

        def average(name: str) -> Vector:
            sums = zip(state[f"total_{name}"], state[f"since_{name}"], state[name])
            return [(total + (t - since) * value) / t for total, since, value in sums]

        return (average("w"), average("alpha")) if t else (state["w"], state["alpha"])

    def entry_step(self, method: str, p: Given, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1."""
        i, j, d = self.index(p, choice[0]), choice[1], int(p["d"])
        x, w_j, alpha_i, t = self.row(p, i)[j], state["w"][j], state["alpha"][i], state["t"]
        eta, tau = self.lengths(p, parameters, t + 1)
        new_w = self.proxed(p["lam"], p["l1"], [w_j - eta * x * alpha_i], eta)[0]
        new_alpha = self.dual_step(p["loss"], p["gamma"], d * x * w_j, alpha_i, p["y"][i], p["d"] / tau)
        after = {"w": self.replaced_at(state["w"], j, new_w), "t": t + 1}
        after["alpha"] = self.replaced(p, state["alpha"], {i: new_alpha})
        for name, place, value in (("w", j, w_j), ("alpha", i, alpha_i)):
            total = state[f"total_{name}"][place] + (t - state[f"since_{name}"][place]) * value
            after[f"total_{name}"] = self.replaced_at(state[f"total_{name}"], place, total)
            after[f"since_{name}"] = [t if k == place else since for k, since in enumerate(state[f"since_{name}"])]
        return after

    def lengths(self, p: Given, parameters: State, t: int) -> tuple[Fraction, Fraction]:
        """eta and tau of step t."""
        if parameters:
            return parameters["eta"], parameters["tau"]
        n, d = p["n"], p["d"]
        return Fraction(2 * d) / ((t + 4 * d) * p["lam"]), Fraction(2 * n * d) / ((t + 4 * n) * p["gamma"])

    def replaced_at(self, values: Vector, place: int, value: Fraction) -> Vector:
        """A vector with another entry."""
        return [value if k == place else old for k, old in enumerate(values)]


@register_vectors
class Spd1Row(Saddle):
    """Output average; the steps that shrink, or steps of one's own."""

    name = "spd1"
    formula = (
        "SPD1: w_j = prox_{eta g_j}(w_j - eta x_ij alpha_i) (line 2), alpha_i = the dual step at z = d x_ij w_j with"
        " the old w_j, q = d/tau (line 3); without eta and tau: eta = 2d/(lam (t + 4d)), tau = 2nd/(gamma (t + 4n))"
        " with the new t; before it total_w_j = total_w_j + (t - since_w_j) w_j, since_w_j = t with the old t, and so"
        " for alpha_i"
    )
    start = "w = w(alpha), all else 0"
    independent, rules = Entry, ("entry_start", "entry_step", "entry_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "entry-unscaled": FORMULA(
            "d is left out of z = d x_ij w_j",
            "the mean step vanishes elsewhere: another problem is solved",
            ['Entry.entry_step: int(p["d"]) -> 1'],
        ),
        "new-w-in-the-dual-step": FORMULA(
            "the dual step sees the w_j of the same step",
            "the mean step does not vanish at the saddle point",
            ["Entry.entry_step: d * x * w_j -> d * x * new_w"],
        ),
    }

    def method(self, parameters: Json, choice: object) -> Entrywise:
        if not parameters and choice is not None:
            return SPD1()
        spd1 = SPD1(eta=1, tau=1)  # of its own, so that gamma = 0 is legal; then those of the run
        spd1.steps = lambda problem, t: (parameters["eta"], parameters["tau"])  # type: ignore[method-assign]
        return spd1
