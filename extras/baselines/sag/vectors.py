"""The row of SAG in the vectors."""

from collections.abc import Iterator
from typing import Any

from dualgap.extras.baselines.sag.reference import SAG
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import (
    Equation,
    Gradient,
    equations,
    register_vectors,
    spelled,
    u_of,
)
from dualgap.reference import Method, Problem


@register_vectors
class SagRow(Gradient):
    """Lines 4' to 6'."""

    name = "sag"
    source = "SAG (Le Roux, Schmidt and Bach, NIPS 2012; Math. Program. 2017), with the regularizer outside the table"
    formula = (
        "SAG: c_new = phi_i'(x_i^T w), G = G + (c_new - c_i) x_i, m counts the rows seen, w = (1 - a lam) w - (a/m) G"
    )
    start = "c = alpha, G = X^T c, w = w(alpha), every row is seen"

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        return spelled(a=draw.pick(kind.constants["eta"]))

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        sag = SAG()
        sag.a = lambda problem: parameters["a"]  # type: ignore[method-assign]
        return sag

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        seen = [draw.below(2) for _ in p["y"]]
        return self.drawn(draw, kind, p, "w", "c", "G") | {"seen": seen, "m": sum(seen)}

    truths = ("consistent",)

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        yield from equations("G", state["G"], [problem.n * u_j for u_j in u_of(problem, state["c"])], "X^T c")
        yield state["m"], sum(state["seen"]), "m = the number of rows seen"
