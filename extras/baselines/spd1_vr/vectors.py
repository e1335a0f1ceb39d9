"""An independent implementation of SPD1-VR, and its row in the vectors."""

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from dualgap.extras.baselines.spd1.vectors import Entry, Spd1Row
from dualgap.extras.baselines.spd1_vr.reference import SPD1VR
from dualgap.extras.baselines.spd1_vr.reference import Parameters as EntrySteps
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import State
from dualgap.proofs_checks.conformance.methods.spec import Bug, Equation, equations, register_vectors, u_of
from dualgap.reference import Problem


class Snapshot(Entry):
    """SPD1-VR, independent of the reference."""

    def snapshot_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """The first snapshot."""
        return self.snapshot(p, {"w": self.of_alpha(p, alpha), "alpha": alpha, "t": 0})

    def snapshot(self, p: Given, state: State) -> State:
        """A new snapshot."""
        w, alpha = state["w"], state["alpha"]
        products = {"u_tilde": self.u(p, alpha), "z_tilde": [self.z(p, i, w) for i in range(p["n"])]}
        return {**state, "w_tilde": w, "alpha_tilde": alpha, **products}

    def snapshot_step(self, method: str, p: Given, parameters: State, state: State, choice: list[int]) -> State:
        """SPD1-VR."""
        if state["t"] and state["t"] % parameters["m"] == 0:
            state = self.snapshot(p, state)
        i, other_i, j, other_j = self.index(p, choice[0]), self.index(p, choice[1]), choice[2], choice[3]
        w_tilde, alpha_tilde, eta, d = state["w_tilde"], state["alpha_tilde"], parameters["eta"], int(p["d"])
        u = self.row(p, other_i)[j] * (state["alpha"][other_i] - alpha_tilde[other_i]) + state["u_tilde"][j]
        z = d * self.row(p, i)[other_j] * (state["w"][other_j] - w_tilde[other_j]) + state["z_tilde"][i]
        w_j = self.proxed(p["lam"], p["l1"], [state["w"][j] - eta * u], eta)[0]
        new = self.dual_step(p["loss"], p["gamma"], z, state["alpha"][i], p["y"][i], 1 / parameters["tau"])
        alpha = self.replaced(p, state["alpha"], {i: new})
        return {**state, "w": self.replaced_at(state["w"], j, w_j), "alpha": alpha, "t": state["t"] + 1}


@register_vectors
class Spd1VrRow(Spd1Row):
    """Around a snapshot."""

    name = "spd1-vr"
    formula = (
        "SPD1-VR: where m divides t > 0 a new snapshot; the choice is (i, i', j, j'); w_j = prox_{eta g_j}(w_j - eta"
        " [x_i'j (alpha_i' - alpha_tilde_i') + u_tilde_j]) (line 2), alpha_i = the dual step at z = d x_ij' (w_j' -"
        " w_tilde_j') + z_tilde_i with the old w, q = 1/tau (line 3)"
    )
    start = "w = w_tilde = w(alpha), alpha_tilde = alpha, u_tilde = X^T alpha/n, z_tilde = X w, t = 0"
    independent, rules = Snapshot, ("snapshot_start", "snapshot_step", "saddle_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "entry-unscaled": ['Snapshot.snapshot_step: int(p["d"]) -> 1'],
        "no-control-variate": [
            'Snapshot.snapshot_step: u = self -> w_tilde = alpha_tilde = [Fraction(0)] * (p["n"] + p["d"]); u = self'
        ],
    }

    def method(self, parameters: Json, choice: object) -> SPD1VR:
        steps = EntrySteps(*(parameters.get(name, Fraction(1)) for name in ("eta", "tau", "m")))
        spd1 = SPD1VR(eta=1, tau=1)
        spd1.parameters = lambda problem: steps  # type: ignore[method-assign]
        return spd1

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("u_tilde", state["u_tilde"], u_of(problem, state["alpha_tilde"]), "X^T alpha_tilde/n")
        yield from equations(
            "z_tilde", state["z_tilde"], [problem.dot(row, state["w_tilde"]) for row in problem.rows], "X w_tilde"
        )
