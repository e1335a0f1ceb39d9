"""The certificates of this library, compared with exact arithmetic; these claims are about the library, not a paper."""

import math
from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, altered, enclosed, exact, golden
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


# -- the part of it that Coq has ---------------------------------------------------------------------------------------

UNIT, LEAST = Q(1, 2**53), Q(1, 2**1075)
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


def grown(terms: int, more: int) -> Q:
    """(1 + u)^(terms + more) - 1."""
    return (1 + UNIT) ** (terms + more) - 1


def sum_bounds(c: Context, percent: int = 100) -> Iterable[Relation]:
    """Both sums against the reals, with so many percent of the bounds, and what their errors can hide."""
    from dualgap.fast.problem.objective import Objective

    try:
        floating, w, alpha = floats(c.instance)
    except (OverflowError, ValueError):
        return
    objective, n, d, share = Objective(floating), floating.n, floating.d, Q(percent, 100)
    z, minus_u = objective.z(np.array(w)), objective.minus_u(np.array(alpha))
    if not (np.isfinite(z).all() and np.isfinite(minus_u).all()):
        return
    exact = cast(Any, arithmetic())
    rows = [[exact(x) for x in row] for row in c.instance.rows]
    w_q, alpha_q, z_q, v_q = ([exact(float(x)) for x in values] for values in (w, alpha, z, minus_u))
    z_exact = [sum((x * w_j for x, w_j in zip(row, w_q)), exact(0)) for row in rows]
    v_exact = [-sum((a * row[j] for a, row in zip(alpha_q, rows)), exact(0)) / n for j in range(d)]
    for i, row in enumerate(rows):
        size = sum((abs(x * w_j) for x, w_j in zip(row, w_q)), exact(0))
        allowed = grown(d, 1) * size + 2 * d * (1 + UNIT) ** d * LEAST
        yield Le(abs(z_q[i] - z_exact[i]), share * allowed, f"z_{i}")
    for j in range(d):
        size = sum((abs(a * row[j]) for a, row in zip(alpha_q, rows)), exact(0)) / n
        allowed = grown(n, 2) * size + (2 * (1 + UNIT) ** (n + 1) + 1) * LEAST
        yield Le(abs(v_q[j] - v_exact[j]), share * allowed, f"u_{j}")
    problem = c.instance.problem(exact)
    if problem.loss.gamma > 0:
        lost = sum(((a - b) ** 2 for a, b in zip(z_q, z_exact)), exact(0)) / (2 * n * problem.loss.gamma)
        lost += sum(((a - b) ** 2 for a, b in zip(v_q, v_exact)), exact(0)) / (2 * problem.regularizer.modulus)
        seen, true = (
            sum((problem.loss.residual(z_i, a, y) for z_i, a, y in zip(zs, alpha_q, problem.y)), exact(0)) / n
            + problem.regularizer.residual(w_q, v)
            for zs, v in ((z_q, v_q), (z_exact, v_exact))
        )
        for weight in (Q(1), Q(1, 2**20), Q(2**20)):
            yield Le(true, (1 + weight) * seen + (1 + 1 / weight) * lost, f"G, weight {weight}")


@implemented(
    "certificate.sound",
    "This library: gap_bound of a certificate, in plain and in compensated sums, is at least P(w) - D(alpha) in the"
    " reals, and so at least P(w) - min P; its plain sums have |z_i - x_i^T w| <= ((1 + u)^(d + 1) - 1) sum_j |x_ij"
    " w_j| + 2d (1 + u)^d e and |u_j - (X^T alpha/n)_j| <= ((1 + u)^(n + 2) - 1) mean_i |alpha_i x_ij| + (2 (1 + u)^(n"
    " + 1) + 1) e, u = 2^-53, e = 2^-1075; and sqrt(G) <= sqrt(G~) + sqrt(E), G~ the gap identity at these z and u, E"
    " = mean of (z_i - x_i^T w)^2/(2 gamma) + ||u - X^T alpha/n||^2/(2 mu)",
    hypotheses=(
        "w, alpha, rows, labels, lam, l1, gamma doubles; alpha in the domain; certificates that are made (no overflow)"
        " with a finite bound; the inequality in G for gamma > 0, as G <= (1 + c) G~ + (1 + 1/c) E; Coq: squared loss,"
        " smoothed or squared hinge with L2 or elastic net, hinge or absolute loss with L2, every operation rounded"
    ),
    evidence=[
        golden(OPPOSITE, ROUNDED, ILL_CONDITIONED, detail="thirds, equal rows of opposite labels"),
        exact(hostile_pairs),
        enclosed(hostile_logistic),
        formal(*THEOREMS.split()),
        formal(*BINARY64.split(), flocq=True),
    ],
    control=all_of(
        altered("the gap as computed is no bound: 0 where P - D is 55.6", computed_gap, OPPOSITE),
        altered("one percent of the bounds of the sums", lambda c: sum_bounds(c, 1), ROUNDED),
    ),
    proof=(
        "Every partial sum is off by u of itself; FY_i and the regularizer's part are smooth, and at least a square of"
        " their slope."
    ),
)
def sound(c: Context) -> Iterable[Relation]:
    yield from bounds(c)
    if c.instance.loss != "logistic":
        yield from sum_bounds(c)
