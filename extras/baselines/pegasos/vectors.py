"""An independent implementation of Pegasos, and its row in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Vector, axpy, dot, root
from dualgap.proofs_checks.conformance.independent.problems import Problem as Given
from dualgap.proofs_checks.conformance.independent.problems import Problems, State
from dualgap.proofs_checks.conformance.methods.spec import Bug, MethodSpec, register_vectors
from dualgap.proofs_checks.conformance.seeded_bugs.planting import FORMULA


class Steps(Problems):
    """Pegasos, independent of the reference."""

    def pegasos_start(self, method: str, p: Given, parameters: State, alpha: Vector) -> State:
        """w = 0."""
        return {"w": [Fraction(0)] * p["d"], "t": 0}

    def pegasos_step(self, method: str, p: Given, parameters: State, state: State, choice: list[int]) -> State:
        """Make one step of length 1/(lam t) against the subgradient of (lam/2)||w||^2 + g_t, then the projection."""
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
