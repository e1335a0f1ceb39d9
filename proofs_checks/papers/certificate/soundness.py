"""The certificates of this library, compared with exact arithmetic; these claims are about the library, not a paper."""

import math
from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import altered, enclosed, exact, golden
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.proofs_checks.strategies.hostile_pairs import exact_gap, floats, hostile_logistic, hostile_pairs
from dualgap.reference.numbers.arithmetic import Number

OPPOSITE = Instance(  # u = -1/3 exactly, 0 in doubles: P = 1, D = 1 - 1/(18 lam)
    rows=(Qs(10**16), Qs(1), Qs(10**16)),
    y=Qs(1, 1, -1),
    alpha=Qs(-1, -1, 1),
    lam=Q(0.001),
    loss="hinge",
    method="sdca",
    extra=further(w=Qs(0)),
)
ROUNDED = Instance(
    rows=(Qs(1 / 3, 1 / 7, 1 / 10), Qs(1 / 11, 1 / 13, 0.3)),
    y=Qs(1, 2),
    alpha=Qs(1 / 9, 0.7),
    lam=Q(0.5),
    loss="squared",
    method="sdca",
    extra=further(w=Qs(0.1, 1 / 3, 3 / 7)),
)
ILL_CONDITIONED = OPPOSITE.but(rows=(Qs(3 * 10**7), Qs(7 * 10**7), Qs(3 * 10**7)), lam=Q(1e-8), loss="squared-hinge")


def gap_of(c: Context) -> Number:
    """P(w) - D(alpha) in the context's number."""
    return exact_gap(c.instance, c.arithmetic)


def computed_gap(c: Context) -> Iterable[Relation]:
    """The statement with the computed gap instead of its bound."""
    from dualgap.fast import Certificate

    problem, w, alpha = floats(c.instance)
    yield Le(exact_gap(c.instance), Q(Certificate(problem, w, alpha).gap), "P(w) - D(alpha) <= gap")


# -- the part of it that Coq has ---------------------------------------------------------------------------------------

THEOREMS = """
    fdot_error fmean_row_error gap_of_rounded certificate_of_rounded_sums squared_row l2_part computed_bound
    gap_bound_squared_l2 smoothed_hinge_row squared_hinge_row gap_bound_losses_l2 elastic_part gap_bound_losses_elastic
    gap_of_rounded_slopes hinge_row absolute_row slope_bound gap_bound_hinge_l2 gap_bound_absolute_l2
"""
BINARY64 = """
    dot64_is_fdot mean64_is_fmean_row certificate_in_binary64 binary64_rounding gap_bound_in_binary64
    gap_bound_losses_l2_in_binary64 gap_bound_losses_elastic_in_binary64 gap_bound_hinge_in_binary64
    gap_bound_absolute_in_binary64 gap_bound_hinge_where_finite gap_bound_absolute_where_finite
"""


@implemented(
    "certificate.sound",
    "This library: gap_bound of a certificate, in plain and in compensated sums, is at least P(w) - D(alpha) in the"
    " reals, and so at least P(w) - min P",
    hypotheses=(
        "w, alpha, rows, labels, lam, l1, gamma doubles; alpha in the domain; certificates that are made (no overflow)"
        " with a finite bound; Coq: squared loss,"
        " smoothed or squared hinge with L2 or elastic net, hinge or absolute loss with L2, every operation rounded"
    ),
    evidence=[
        golden(OPPOSITE, ROUNDED, ILL_CONDITIONED, detail="thirds, equal rows of opposite labels"),
        exact(hostile_pairs),
        enclosed(hostile_logistic),
        formal(*THEOREMS.split()),
        formal(*BINARY64.split(), flocq=True),
    ],
    control=altered("the gap as computed is no bound: 0 where P - D is 55.6", computed_gap, OPPOSITE),
    proof=(
        "Every partial sum is off by u of itself; FY_i and the regularizer's part are smooth, and at least a square of"
        " their slope."
    ),
)
def bounds(c: Context) -> Iterable[Relation]:
    from dualgap.fast import Certificate

    for compensated, label in ((False, "plain sums"), (True, "compensated sums")):
        try:
            problem, w, alpha = floats(c.instance)
            bound, gap = Certificate(problem, w, alpha, compensated).gap_bound, c.once(gap_of)
        except (OverflowError, ValueError):  # no certificate is made, or exp is beyond the exponents of an enclosure
            return
        if bound < math.inf:
            yield Le(gap, c.q(bound), label)
