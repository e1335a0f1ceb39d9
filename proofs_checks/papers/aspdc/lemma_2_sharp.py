"""ASPDC, Lemma 2 with its true constants, in the mean and path by path, for every lam > R^2/(n gamma), L2 and elastic
net.

    E[D* - D_t] <= (1 - s/n)^t (D* - D_0)        E gap_t <= (1 + R^2/(mu gamma)) (1 - s/n)^t (D* - D_0)
"""

from collections.abc import Iterable
from fractions import Fraction

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.relations import Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated, expected_duals, expected_gaps
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, EQUAL_ROWS, ONE_ROW, ORTHONORMAL, ORTHONORMAL_NET
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc.lemma_2_betting import not_refuted, sharp_bound
from dualgap.proofs_checks.papers.aspdc.setting import EQUAL_NORMS, SHARP, ours_on_lemma_2, sharp_factor
from dualgap.proofs_checks.strategies import instances as strategies


@ours_on_lemma_2(
    "aspdc.dual-rate",
    "Dual rate, sharp: E[D* - D_t] <= (1 - s/n)^t (D* - D_0), s = 1 - K",
    hypotheses=SHARP,
    evidence=[
        Enumerated(strategies.paths_sharp, 0.2),
        Enumerated(strategies.paths_sharp_net, 0.1),
        golden(ORTHONORMAL, ORTHONORMAL_NET, level="ENUMERATED", detail="2 orthonormal rows"),
        formal("dual_rate_general"),
    ],
    control=false_with("a rate of (s + 1/100)/n", EQUAL_ROWS, more=Q(1, 100)),
    proof="aspdc.a17.sharp and gap >= D* - D_t give E[D* - D_{t+1}] <= (1 - s/n) (D* - D_t); take expectations.",
)
def dual_rate(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    bound = start = c.D_star - c.D
    for t, dual in enumerate(expected_duals(c, 12)):
        if t > 0:
            bound = (1 - (c.s + more) / c.n) * bound
            yield Le(c.D_star - dual, bound, f"t = {t}", trivial=start)


@ours_on_lemma_2(
    "aspdc.lemma-2.sharp",
    "Lemma 2, sharp: E gap_t <= (1 + R^2/(mu gamma)) (1 - s/n)^t (D* - D_0) <= (n/s) (1 - s/n)^t (D* - D_0), s = 1 - K,"
    " for every lam > R^2/(n gamma), L2 and elastic net",
    hypotheses=SHARP,
    origin=PAPER.ours("Lemma 2", "only l2", "more general g"),
    evidence=[
        Enumerated(strategies.paths_sharp, 0.2),
        Enumerated(strategies.paths_sharp_net, 0.1),
        golden(ORTHONORMAL, ORTHONORMAL_NET, level="ENUMERATED", detail="2 orthonormal rows, t <= 24"),
        not_refuted(sharp_bound, 4),
        formal("sharp_rate_best", "sharp_rate", "elastic_sharp_rate", "elastic_lemma_2", "gap_bound", "gap_pathwise"),
    ],
    control=false_with("99/100 of 1 + R^2/(mu gamma)", ALIGNED, ONE_ROW, part=Q(99, 100)),
    proof=(
        "gap <= (1 + R^2/(mu gamma)) (D* - D) at every state, in expectation, and aspdc.dual-rate; 1 + nK <= n/s: "
        "(1 + nK)(1 - K) = 1 + (n - 1)K - nK^2 <= n."
    ),
)
def sharp_chain(c: Context, part: Fraction = Q(1)) -> Iterable[Relation]:
    to_go = c.D_star - c.D
    for t, gap in enumerate(expected_gaps(c, 24)):
        factor = sharp_factor(c, t)
        yield Le(gap, part * factor * to_go, f"t = {t}", trivial=c.gap)
        weaker = factor / (1 + c.n * c.K) * c.n / c.s
        yield Le(factor * to_go, weaker * to_go, f"t = {t}: 1 + nK <= n/s", trivial=c.gap)


# -- beyond the condition ----------------------------------------------------------------------------------------------


@ours_on_lemma_2(
    "aspdc.boundary-below-1",
    "lam n gamma/R^2 < 1: divergence, E[D* - D_t] >= (1 + (K-1)/n)^t (D* - D_0), and D falls strictly at every"
    " effective step on every path",
    hypotheses=rf"{EQUAL_NORMS}; $\lambda < R^2/(n \gamma)$",
    evidence=[
        Enumerated(strategies.equal_norms_above_one, 0.3),
        formal("divergence_threshold", "dual_falls_on_every_path"),
    ],
    control=false_with("an exponent of K - 9/10", EQUAL_ROWS.but(lam=Q(1, 4)), more=Q(1, 10)),
    proof="D(alpha+) - D(alpha) = (1 - K) FY_i/n < 0 where Delta_i != 0, and gap >= D* - D.",
)
def boundary_below_1(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    for i, increase in enumerate(c.increases):
        if c.delta[i] != 0:
            yield Lt(increase, 0, f"D(alpha+) < D(alpha), i = {i}")
    factor = Q(1)
    for t, dual in enumerate(expected_duals(c, 8)):
        yield Le(factor * (c.D_star - c.D), c.D_star - dual, f"t = {t}")
        factor *= 1 + (c.K - 1 + more) / c.n
