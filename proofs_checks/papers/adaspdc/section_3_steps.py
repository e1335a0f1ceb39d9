"""AdaSPDC, section 3, the steps (10), (12) and (15), the norms R_i that they are made of, and blocks that are 0.

(10)   sigma_i = c/(2R_i)        (12)   tau^t = 1/(2 R^t c)        (15)   theta^t = 1 - 1/(n/m + R^t k)
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import cast

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.adaspdc.instances import (
    TWO_BLOCKS,
    UNEQUAL_ROWS,
    UNEQUAL_ROWS_R,
    published,
    published_blocks,
    repaired,
)
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import scaled, setting
from dualgap.proofs_checks.papers.adaspdc.theorem_1_repaired_proof import contraction
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import columns_of
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem


@claim(
    "adaspdc.steps",
    "(10), (12), (15): 4 sigma_i tau^t R_i R^t = 1 and theta^t = max_S theta_i; in the repaired method 4 tau sigma_i"
    " R_i^2 <= 1 for every i, with equality in preset b, and theta = max_i theta_i",
    hypotheses="R^t = max_S R_i; theta_i = 1 - 1/(n/m + R_i k)",
    origin=PAPER.ours("(10)", "(12)", "(15)"),
    evidence=[
        golden(UNEQUAL_ROWS, UNEQUAL_ROWS_R, TWO_BLOCKS),
        exact(published, 0.3),
        exact(repaired, 0.3),
        exact(published_blocks, 0.2),
    ],
    control=false_with("R_i doubled", UNEQUAL_ROWS, UNEQUAL_ROWS_R, count=2),
    kills=["adaspdc.steps-doubled", "adaspdc.frobenius"],
)
def steps(c: Context, count: int = 1) -> Iterable[Relation]:
    """4 sigma_i tau R_i R^t, from the method's own steps, the norms called ``count`` times as large."""
    t = setting(c)
    method, R_i = cast(AdaSPDC, t.c.method), scaled(count, t.R)
    parameters = method.parameters(t.problem)
    assert parameters is not None
    for s in t.c.successors:
        tau, theta = method.tau_theta(t.problem, parameters, s.choice)
        heard = range(t.n) if t.repaired else s.choice
        R = max(R_i[i] for i in heard)
        for i in heard:
            product = 4 * method.sigma(parameters, i) * tau * R_i[i]
            if t.repaired:
                yield Le(product * R_i[i], 1, f"4 tau sigma_{i} R_{i}^2 <= 1")
            else:
                yield Eq(product * R, 1, f"4 sigma_{i} tau R_{i} R^t = 1, S = {s.choice}")
        found = max(1 - 1 / (t.c.q(t.n) / t.m + R_i[i] * t.n / (t.m * t.gamma * t.c_of_10)) for i in heard)
        yield Eq(theta, found, f"theta is the largest theta_i, S = {s.choice}")


# -- R_i ---------------------------------------------------------------------------------------------------------------


@claim(
    "adaspdc.spectral-norm",
    r"Section 3: $R_i = \sqrt{\mu_{\mathrm{max}}(A_i^T A_i)}$, $\mu_{\mathrm{max}}$ its largest eigenvalue, which is"
    r" its largest singular value too",
    hypotheses="blocks",
    origin=PAPER.printed("R_i"),
    evidence=[exact(published_blocks, 0.3), golden(TWO_BLOCKS)],
    control=false_with("99/100 of R_i^2", TWO_BLOCKS, shrink=Q(99, 100)),
)
def spectral(c: Context, shrink: Number = 1) -> Iterable[Relation]:
    t = setting(c)
    for i, R_i in enumerate(t.problem.norms):
        columns = [column for place, column in columns_of(t.problem) if place == i]
        gram = [[sum((x * b.get(j, 0) for j, x in a.items()), Q(0)) for b in columns] for a in columns]
        form = [
            [(shrink * R_i**2 if k == h else 0) - value for h, value in enumerate(line)] for k, line in enumerate(gram)
        ]
        found = pivots(form)
        yield Eq(sum(pivot >= 0 for pivot in found), len(form), f"R_{i}^2 I - A_{i}^T A_{i} is semidefinite")
        yield Eq(int(any(pivot == 0 for pivot in found)), 1, "and singular: R_i^2 is an eigenvalue")


WITH_ZERO = UNEQUAL_ROWS.but(rows=(Qs(3, 4), Qs(0, 0), Qs(0, 2)))


@claim(
    "adaspdc.zero-norm.repaired",
    "(10), repaired: with R_i below R/1000 counted as R/1000 the step in V holds for zero blocks, too; where all are"
    " zero the two separate minimisers are given",
    origin=PAPER.ours("(10)"),
    hypotheses="adaspdc-r",
    evidence=[
        golden(
            *(WITH_ZERO.but(method="adaspdc-r", options={"preset": p}, alpha=Qs(0, a, 1)) for p in "ab" for a in (0, 5))
        )
    ],
    control=false_with(
        "99/100 of the right side",
        WITH_ZERO.but(method="adaspdc-r", options={"preset": "a"}, y=Qs(0, 0, 0), alpha=Qs(0, 5, 0)),
        share=Q(1, 2),
    ),
)
def decoupled(c: Context, share: Number = 1) -> Iterable[Relation]:
    """The repaired method with a zero row: products and step in V; with zero rows only: the solution at once."""
    t = setting(c)
    tau, _ = t.tau_theta()
    for i, (sigma, norm2) in enumerate(zip(t.sigma, t.problem.norms2)):
        yield Lt(4 * tau * sigma * norm2, Q(1001, 1000), f"4 tau sigma_{i} R_{i}^2 <= 1")
    yield from contraction(c, share)
    nothing_to_learn = Problem([[Q(0)]] * 2, [Q(1), Q(-2)], t.problem.loss, t.problem.regularizer, number=Fraction)
    w, alpha = AdaSPDCR().view(nothing_to_learn, AdaSPDCR().run(nothing_to_learn, [[0], [1]]))
    yield Eq(nothing_to_learn.P(w), nothing_to_learn.D(alpha), "zero rows only: P(w) = D(alpha) from the start")
