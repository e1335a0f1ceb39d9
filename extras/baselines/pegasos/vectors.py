"""The row of Pegasos in the vectors."""

from fractions import Fraction
from typing import ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw, Kind
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec, register_vectors, vector_of
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode


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
    losses, long = ("hinge", "smoothed-hinge", "logistic"), ("hinge", "logistic")
    nets = (False,)
    number = {"E": 4, "R": 3, "T": 2}

    options: ClassVar[dict[str, tuple[int | str, ...]]] = {"projection": (0, 1, 1, 1)}

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        w = vector_of(draw, kind, p["d"])
        if kind is DYADIC and draw.below(2):  # along an axis: then ||w|| has a root that is a double
            at, size = draw.below(p["d"]), draw.pick([4.0, -4.0, 8.0])
            w = random_data.vector([size if j == at else 0.0 for j in range(p["d"])])
        return {"w": w, "t": draw.pick([0, 1, 1, 3, 7])}

    def is_uninformative(self, number: int, given: Json, after: Json) -> bool:
        """From the third on the projection moves the point; in dyadic data sqrt(lam) is a double, too."""
        lam, norm2 = Fraction(decode(given["problem"]["lam"])), sum(w_j.value * w_j.value for w_j in after["w"])
        return number >= 2 and (lam == Fraction(1, 2) or lam == 2 or abs(lam * norm2 - 1) > Fraction(1, 10**6))

    truths = ()
