"""The row of AFG in the vectors."""

from collections.abc import Iterator
from fractions import Fraction

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import Gradient, register_vectors, spelled
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.reference import Problem


@register_vectors
class AfgRow(Gradient):
    """Lines 2 to 7; L is doubled and halved."""

    name = "afg"
    source = "AFG (Nesterov, Math. Program. 2013, method (4.9))"
    formula = (
        "AFG: a the largest root of a^2/(A + a) = 2(1 + lam A)/L, v = prox_{A g}(-s), y = (A x + a v)/(A + a), T ="
        " prox_{g/L}(y - grad f(y)/L), p = L(y - T) + grad f(T) - grad f(y); accepted where L >= max ||x_i||^2/gamma or"
        " p^T(y - T) >= ||p||^2/L: A = A + a, s = s + a grad f(T), x = T, L = L/2; else L = 2 L"
    )
    start = "x = s = A = 0, k = trials = 0, L = max ||x_i||^2/(n gamma), or 1 where that is 0"
    nets = (False, True)
    length = {"E": 2, "R": 2, "T": 2}  # the roots make long fractions

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        A, L = draw.pick(kind.constants["A"]), draw.pick(kind.constants["L"])
        if kind is DYADIC and draw.below(4):  # the root is rational, and 1 + lam/L is 2
            A, L = 0.0, decode(p["lam"])
        return (
            self.drawn(draw, kind, p, "x", "s") | spelled(A=A, L=L) | {"k": draw.below(4), "trials": 4 + draw.below(4)}
        )

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        if state["A"] > 0:
            yield (
                state["x"],
                sum((w_j * w_j for w_j in w_best), Fraction(0)) / (2 * state["A"]),
                "P(x) - P* <= ||w*||^2/(2A)",
            )
