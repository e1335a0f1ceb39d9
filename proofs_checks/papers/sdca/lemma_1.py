"""SDCA, Lemma 1 of the journal paper and what follows from it.

Lemma 1: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam),
         G = (1/n) sum (||x_i||^2 - gamma (1-s) lam n/s) Delta_i^2
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import all_of, enclosed, exact, false_with
from dualgap.proofs_checks.papers.sdca.instances import EVERY, SLOW, any_logistic, any_net, any_smooth, shrinking
from dualgap.proofs_checks.papers.sdca.items import JMLR, RESTATED
from dualgap.proofs_checks.papers.sdca.mutants import WRONG, wrong_steps_fail
from dualgap.proofs_checks.papers.sdca.setting import ANY, NET, K_of, right_q


@claim(
    "sdca.lemma-1",
    "Lemma 1, per coordinate: n [D(alpha+) - D(alpha)] >= s FY_i + (1/2)[gamma s (1-s) - s^2 q_i] Delta_i^2 for every i"
    " and every s in [0, 1]; in mean: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam)",
    hypotheses=rf"{NET}; the smooth losses also at their best $s = \gamma/(\gamma + q_i)$; in mean: uniform order",
    origin=JMLR.reading("Lemma 1", note=RESTATED),
    evidence=EVERY,
    control=all_of(
        wrong_steps_fail(*WRONG),
        false_with("2s for s in front of the gap", SLOW.but(extra=further(s=Q(1, 40))), factor=2),
    ),
    proof=(
        "Line 4 is at least as good as the step s Delta_i. Strong convexity: -phi*(alpha + s Delta) >= -s phi*(alpha +"
        " Delta) - (1-s) phi*(alpha) + (gamma/2) s (1-s) Delta^2; the quadratic changes by s Delta z - (q/2) s^2"
        " Delta^2 (with l1 by at least that much, g* being (1/mu)-smooth); and phi*(alpha + Delta) = (alpha + Delta) z"
        " - phi(z). The gap is the mean of FY_i."
    ),
)
def lemma_1(c: Context, factor: int = 1) -> Iterable[Relation]:
    s = c.given.s
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        q, delta2 = right_q(c.problem, i), c.delta[i] * c.delta[i]
        for share in [s, c.gamma / (c.gamma + q)] if c.gamma > 0 else [s]:
            right = share * c.FY[i] + (c.gamma * share * (1 - share) - share * share * q) * delta2 / 2
            yield Le(right, c.n * increase, f"i = {i}, s = {share}")
    # s^2 G/mu is their mean
    terms = [
        (s * s * norm2 / c.mu - c.gamma * (1 - s) * s * c.n) * d * d for norm2, d in zip(c.problem.norms2, c.delta)
    ]
    yield Le(factor * s * c.gap / c.n - c.mean(terms) / (2 * c.n * c.n), c.expected_increase, f"in mean, s = {s}")


@claim(
    "sdca.per-step",
    "Theorem 2, its step: E[D(alpha+)] - D(alpha) >= gap/K, K = n + R^2/(lam gamma), for every lam > 0",
    hypotheses=rf"{ANY}, $\varphi_i$ $(1/\gamma)$-smooth; L2 or elastic net; uniform order",
    origin=JMLR.reading("Theorem 2", note=RESTATED),
    evidence=[exact(any_smooth, 0.8), exact(any_net, 0.3), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail("no q (the step of ASPDC)"),
    proof="s = n/K in Lemma 1 makes G <= 0.",
)
def per_step(c: Context) -> Iterable[Relation]:
    if c.gamma > 0:
        yield Le(c.gap / K_of(c), c.expected_increase, "E[D+] - D >= gap/K")


@claim(
    "sdca.dual-monotone",
    "After Lemma 1 (s = 0): D never decreases, on any path, whatever the order of the indices, also with shrinking"
    " (Hsieh et al., ICML 2008, section 3.2)",
    hypotheses=NET,
    origin=JMLR.ours("Lemma 1"),
    evidence=[*EVERY, exact(shrinking, 0.5)],
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6", "no q (the step of ASPDC)"),
)
def dual_monotone(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Le(c.D, c.D + increase, f"i = {successor.choice}")
