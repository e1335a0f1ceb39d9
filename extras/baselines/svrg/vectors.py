"""An independent implementation of SVRG, and its row in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.extras.baselines.svrg.reference import SVRG, RandomSVRGState, SVRGState
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State, View
from dualgap.proofs_checks.conformance.methods.spec import Bug, MethodSpec, register_vectors
from dualgap.reference.methods.base import State as MethodState


class Rounds(Problems):
    """SVRG, independent of the reference."""

    def rounds_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """No full gradient yet."""
        w = self.of_alpha(p, alpha)
        state = {"w": w, "w_tilde": w, "mu_tilde": [Fraction(0)] * p["d"], "t": 0, "s": 0}
        return state | ({"kept": w} if parameters["option"] == 2 else {})

    def rounds_view(self, method: str, p: Given, parameters: State, state: State) -> View:
        """Return the next snapshot as if the round ended now."""
        w = state["kept"] if parameters["option"] == 2 and state["t"] else state["w"]
        return w, self.slopes(p, w)

    def rounds_step(self, method: str, p: Given, parameters: State, state: State, choice: int) -> State:
        """SVRG."""
        n, state, lam = int(p["n"]), dict(state), p["lam"]
        if state["t"] == 0:
            w = state["w"]
            full = [axpy(self.slope(p, i, w), self.row(p, i), [lam * w_j for w_j in w]) for i in range(n)]
            mean = [self.mean(p, sum(column, Fraction(0))) for column in zip(*full)]
            state |= {"w_tilde": w, "mu_tilde": mean, "s": state["s"] + 1}
        i, w = self.index(p, choice % n), state["w"]
        change = self.slope(p, i, w) - self.slope(p, i, state["w_tilde"])
        away = axpy(Fraction(-1), state["w_tilde"], w)
        direction = axpy(lam, away, axpy(change, self.row(p, i), state["mu_tilde"]))
        state["w"], state["t"] = axpy(-parameters["eta"], direction, w), state["t"] + 1
        if choice >= n:
            state["kept"] = w
        if state["t"] == parameters["m"]:
            state |= {"t": 0, "w": state["kept"] if parameters["option"] == 2 else state["w"]}
        return state


@register_vectors
class SvrgRow(MethodSpec):
    """Options I and II."""

    name = "svrg"
    formula = (
        "SVRG: where t = 0 w_tilde = w, mu_tilde = grad P(w); w = w - eta (f_i'(w) - f_i'(w_tilde) + mu_tilde), f_i' ="
        " phi_i'(x_i^T w) x_i + lam w (line 5); after m steps t = 0, and with option 2 w = kept; where the choice is n"
        " + i, kept = w before the step"
    )
    start = "w = w_tilde = kept = w(alpha), mu_tilde = 0, t = s = 0"
    independent, rules = Rounds, ("rounds_start", "rounds_step", "rounds_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "no-control-variate": ['Rounds.rounds_step: self.slope(p, i, state["w_tilde"]) -> Fraction(0)'],
        "average-shifted": ['Rounds.rounds_step: state["kept"] = w -> state["kept"] = state["w"]'],
    }
    kind = RandomSVRGState  # pyright: ignore[reportAssignmentType]  # a fixed class instead of that of the first state

    def method(self, parameters: Json, choice: object) -> SVRG:
        svrg = SVRG(m=parameters.get("m"), option="II" if parameters.get("option") == 2 else "I")
        svrg.eta = lambda problem: parameters["eta"]  # type: ignore[method-assign]
        svrg.require_gradient = lambda problem: None  # type: ignore[method-assign]  # of eta lam < 1 no step depends
        return svrg

    def read(self, values: Json) -> MethodState:
        return RandomSVRGState(**values) if "kept" in values else SVRGState(**values)
