"""The row of SPD1 in the vectors."""

from typing import Any, ClassVar

from dualgap.extras.baselines.spd1.reference import SPD1
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.primal import Saddle
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, GAMMA, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import register_vectors, spelled, vector_of
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.reference import Method


@register_vectors
class Spd1Row(Saddle):
    """Output average; the steps that shrink, or steps of one's own."""

    name = "spd1"
    source = "SPD1, after Tan, Zhang, Ma and Liu (NeurIPS 2018), as defined here"
    formula = (
        "SPD1: w_j = prox_{eta g_j}(w_j - eta x_ij alpha_i) (line 2), alpha_i = the dual step at z = d x_ij w_j with"
        " the old w_j, q = d/tau (line 3); without eta and tau: eta = 2d/(lam (t + 4d)), tau = 2nd/(gamma (t + 4n))"
        " with the new t; before it total_w_j = total_w_j + (t - since_w_j) w_j, since_w_j = t with the old t, and so"
        " for alpha_i"
    )
    start = "w = w(alpha), all else 0"
    losses, long = ("squared", "smoothed-hinge", "hinge", "logistic"), ("squared", "logistic")

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        smooth = GAMMA.get(p["loss"]) != 0.0
        if smooth and draw.below(2):
            return {}
        if kind is DYADIC and draw.below(4):  # 1 + eta lam and gamma + d/tau are powers of two
            return spelled(eta=1 / decode(p["lam"]), tau=p["d"] / (decode(p["gamma"]) or 0.5))
        return spelled(eta=draw.pick(kind.constants["eta"]), tau=draw.pick(kind.constants["tau"]))

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        if not parameters and choice is not None:
            return SPD1()
        spd1 = SPD1(eta=1, tau=1)  # of its own, so that gamma = 0 is legal; then those of the run
        spd1.steps = lambda problem, t: (parameters["eta"], parameters["tau"])  # type: ignore[method-assign]
        return spd1

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        t, (n, d) = draw.pick([0, 1, 3, 4]), (int(p["n"]), int(p["d"]))
        found = self.drawn(draw, kind, p, "w", "alpha") | {"t": t}
        found |= {"total_w": vector_of(draw, kind, d), "since_w": [draw.below(t + 1) for _ in range(d)]}
        return found | {"total_alpha": vector_of(draw, kind, n), "since_alpha": [draw.below(t + 1) for _ in range(n)]}

    truths: ClassVar[tuple[str, ...]] = ()
