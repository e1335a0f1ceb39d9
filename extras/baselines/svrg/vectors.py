"""The row of SVRG in the vectors."""

from typing import Any

from dualgap.extras.baselines.svrg.reference import SVRG, RandomSVRGState, SVRGState
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import Gradient, register_vectors, spelled, vector_of
from dualgap.reference import Method
from dualgap.reference.methods.base import State


@register_vectors
class SvrgRow(Gradient):
    """Options I and II."""

    name = "svrg"
    source = "SVRG (Johnson and Zhang, NIPS 2013), Procedure SVRG"
    formula = (
        "SVRG: where t = 0 w_tilde = w, mu_tilde = grad P(w); w = w - eta (f_i'(w) - f_i'(w_tilde) + mu_tilde), f_i' ="
        " phi_i'(x_i^T w) x_i + lam w (line 5); after m steps t = 0, and with option 2 w = kept; where the choice is n"
        " + i, kept = w before the step"
    )
    start = "w = w_tilde = kept = w(alpha), mu_tilde = 0, t = s = 0"
    kind = RandomSVRGState  # pyright: ignore[reportAssignmentType]  # a fixed class instead of that of the first state
    setting = ("init", "view")

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        return spelled(eta=draw.pick(kind.constants["eta"])) | {"m": draw.pick([1, 2, 4]), "option": 1 + draw.below(2)}

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        svrg = SVRG(m=parameters.get("m"), option="II" if parameters.get("option") == 2 else "I")
        svrg.eta = lambda problem: parameters["eta"]  # type: ignore[method-assign]
        svrg.require_gradient = lambda problem: None  # type: ignore[method-assign]  # of eta lam < 1 no step depends
        return svrg

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        found = self.drawn(draw, kind, p, "w", "w_tilde", "mu_tilde")
        found |= {"t": draw.below(parameters["m"]), "s": draw.below(3)}
        return found | ({"kept": vector_of(draw, kind, p["d"])} if parameters["option"] == 2 else {})

    def read(self, values: Json) -> State:
        return RandomSVRGState(**values) if "kept" in values else SVRGState(**values)

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> int:
        index = super().choice(draw, p, parameters, state, i)
        assert isinstance(index, int)
        return index + int(p["n"]) * draw.below(parameters["option"])
