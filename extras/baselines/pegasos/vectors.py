"""An independent implementation of Pegasos, and its row in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import Bug, MethodSpec, register_vectors, vector_of
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA


class Steps(Problems):
    """Pegasos, independent of the reference."""

    def pegasos_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """w = 0."""
        return {"w": [Fraction(0)] * p["d"], "t": 0}

    def pegasos_step(self, method: str, p: Given, parameters: State, state: State, choice: list[int]) -> State:
        """One step of length 1/(lam t) against the subgradient of (lam/2)||w||^2 + g_t, then the projection."""
        t = state["t"] + 1
        slope = axpy(p["lam"], state["w"], self.subgradient(p, state["w"], choice))
        w = axpy(-1 / (p["lam"] * t), slope, state["w"])
        return {"w": self.projected(p, w) if parameters["projection"] else w, "t": t}

    def projected(self, p: Given, w: Vector) -> Vector:
        """The nearest point of ||w|| <= 1/sqrt(lam)."""
        outside = p["lam"] * dot(w, w)
        return [w_j / root(outside) for w_j in w] if outside > 1 else w


@register_vectors
class PegasosRow(MethodSpec):
    """Pegasos."""

    name = "pegasos"
    source = "Pegasos (Shalev-Shwartz, Singer, Srebro and Cotter, Math. Program. 2011), Figure 1"
    formula = (
        "Pegasos: t = t + 1, w = w - w/t - (1/(lam t k)) sum_A phi_i'(x_i^T w) x_i, with projection min{1,"
        " (1/sqrt(lam))/||w||} w"
    )
    start = "w = 0, t = 0"
    independent, rules = Steps, ("pegasos_start", "pegasos_step", "last_view")
    bugs: ClassVar[dict[str, Bug]] = {
        "late-step": FORMULA(
            "the step length is that of the round before or after",
            "the rate is lost",
            ["Steps.pegasos_step: * t) -> * (t + 1))"],
        ),
        "projection-left-out": ["Steps.projected: if outside > 1 -> if False"],
    }
    losses = ("hinge", "smoothed-hinge", "logistic")
    nets = (False,)

    options: ClassVar[dict[str, tuple[int | str, ...]]] = {"projection": (0, 1, 1, 1)}

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        w = vector_of(draw, kind, p["d"])
        if kind is DYADIC and draw.below(2):  # along an axis: then ||w|| has a root that is a double
            at, size = draw.below(p["d"]), draw.pick([4.0, -4.0, 8.0])
            w = random_data.vector([size if j == at else 0.0 for j in range(p["d"])])
        return {"w": w, "t": draw.pick([0, 1, 1, 3, 7])}

    truths = ()
