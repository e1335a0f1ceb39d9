"""What this library's certificates say, held against exact arithmetic: no paper says it, it is about this library."""

import math
from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Point
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import IMPLEMENTATION
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import altered, enclosed, exact, golden
from dualgap.proofs_checks.strategies.hostile_pairs import exact_gap, floats, hostile_logistic, hostile_pairs

OPPOSITE = Instance(  # u = -1/3 exactly, 0 in doubles: P = 1, D = 1 - 1/(18 lam)
    rows=(Qs(10**16), Qs(1), Qs(10**16)), y=Qs(1, 1, -1), alpha=Qs(-1, -1, 1), lam=Q(0.001), loss="hinge", method="sdca",
    extra=Point(w=Qs(0)),
)
ILL_CONDITIONED = Instance(
    rows=(Qs(3 * 10**7), Qs(7 * 10**7), Qs(3 * 10**7)), y=Qs(1, 1, -1), alpha=Qs(-1, -1, 1), lam=Q(1e-8), loss="squared-hinge",
    method="sdca", extra=Point(w=Qs(0)),
)


def computed_gap(c: Context) -> Iterable[Relation]:
    """The statement with the gap as it is computed in the place of its bound."""
    from dualgap.fast import Certificate

    problem, w, alpha = floats(c.instance)
    yield Le(exact_gap(c.instance), Q(Certificate(problem, w, alpha).gap), "P(w) - D(alpha) <= gap")


@claim(
    "certificate.sound",
    "This library: gap_bound of a certificate, in plain and in compensated sums, is at least P(w) - D(alpha) in the reals, and so at "
    "least P(w) - min P",
    origin=IMPLEMENTATION, hypotheses="w, alpha, rows, labels, lam, l1, gamma doubles; alpha in the domain; certificates that are made (no overflow) with a finite bound",
    evidence=[golden(OPPOSITE, ILL_CONDITIONED, detail="equal rows of opposite labels"), exact(hostile_pairs), enclosed(hostile_logistic)],
    control=altered("the gap as computed is no bound: 0 where P - D is 55.6", computed_gap, OPPOSITE),
)
def sound(c: Context) -> Iterable[Relation]:
    from dualgap.fast import Certificate

    for compensated, label in ((False, "plain sums"), (True, "compensated sums")):
        try:
            problem, w, alpha = floats(c.instance)
            bound, gap = Certificate(problem, w, alpha, compensated).gap_bound, exact_gap(c.instance, c.number)
        except (OverflowError, ValueError):  # no certificate is made, or exp is beyond the exponents of an enclosure
            return
        if bound < math.inf:
            yield Le(gap, c.q(bound), label)
