"""SDCA, Lemma 1 and what follows from it, and Lemma 2, of the journal paper.

Lemma 1: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam),
         G = (1/n) sum (||x_i||^2 - gamma (1-s) lam n/s) Delta_i^2
Lemma 2: D* - D(0) <= P(0) <= 1 where phi_i >= 0 and phi_i(0) <= 1
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.sdca.instances import (
    EVERY,
    ILL_CONDITIONED,
    THREE,
    any_lipschitz,
    any_logistic,
    any_net,
    any_smooth,
    shrinking,
)
from dualgap.proofs_checks.papers.sdca.items import JMLR, RESTATED
from dualgap.proofs_checks.papers.sdca.mutants import WRONG, wrong_steps_fail
from dualgap.proofs_checks.papers.sdca.setting import ANY, NET, K_of, right_q
from dualgap.reference.numbers.arithmetic import Number


def lemma_1_right(c: Context, i: int, s: Number) -> Number:
    """s FY_i + (1/2)[gamma s (1-s) - s^2 q_i] Delta_i^2."""
    return s * c.FY[i] + (c.gamma * s * (1 - s) - s * s * right_q(c.problem, i)) * c.delta[i] * c.delta[i] / 2


@claim(
    "sdca.lemma-1",
    "Lemma 1 per coordinate: n [D(alpha+) - D(alpha)] >= s FY_i + (1/2)[gamma s (1-s) - s^2 q_i] Delta_i^2 for every i"
    " and every s in [0, 1]",
    hypotheses=rf"{ANY}; L2 or elastic net; the smooth losses also at their best $s = \gamma/(\gamma + q_i)$",
    origin=JMLR.reading("Lemma 1", note=RESTATED),
    evidence=EVERY,
    control=wrong_steps_fail(*WRONG),
    proof=(
        "Line 4 is at least as good as the step s Delta_i. Strong convexity: -phi*(alpha + s Delta) >= -s phi*(alpha +"
        " Delta) - (1-s) phi*(alpha) + (gamma/2) s (1-s) Delta^2; the quadratic changes by s Delta z - (q/2) s^2"
        " Delta^2 (with l1 by at least that much, g* being (1/mu)-smooth); and phi*(alpha + Delta) = (alpha + Delta) z"
        " - phi(z)."
    ),
)
def lemma_1(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        best = [c.gamma / (c.gamma + right_q(c.problem, i))] if c.gamma > 0 else []
        for s in [c.given.s, *best]:
            yield Le(lemma_1_right(c, i, s), c.n * increase, f"i = {i}, s = {s}")


@claim(
    "sdca.lemma-1.mean",
    "Lemma 1: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam), G = (1/n) sum (||x_i||^2 - gamma (1-s) lam n/s)"
    " Delta_i^2",
    hypotheses=f"{ANY}; L2 or elastic net; uniform order; $s$ in $[0, 1]$",
    origin=JMLR.reading("Lemma 1", note=RESTATED),
    evidence=EVERY,
    control=false_with("2s for s in front of the gap", ILL_CONDITIONED, factor=2),
    proof="The mean of the inequality per coordinate over i, and the gap as the mean of FY_i (sdca.4).",
)
def lemma_1_in_mean(c: Context, factor: int = 1) -> Iterable[Relation]:
    s = c.given.s
    # s^2 G/mu is their mean
    terms = [
        (s * s * norm2 / c.mu - c.gamma * (1 - s) * s * c.n) * d * d for norm2, d in zip(c.problem.norms2, c.delta)
    ]
    yield Le(factor * s * c.gap / c.n - c.mean(terms) / (2 * c.n * c.n), c.expected_increase, f"s = {s}")


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


@claim(
    "sdca.start",
    "Lemma 2 (bounded start): phi_i >= 0 gives D(0) >= 0, and D(alpha) <= P(0) for every alpha, so D* - D(0) <= P(0); 1"
    " if phi_i(0) <= 1",
    hypotheses=r"$\varphi_i \ge 0$ (all losses of this package)",
    origin=JMLR.reading("Lemma 2", note=RESTATED),
    evidence=[exact(any_smooth, 0.5), exact(any_lipschitz, 0.5)],
    control=false_with("D(alpha) <= P(0)/10", THREE.but(path=(0, 1)), part=10),
    proof="-phi*(0) = inf phi >= 0; weak duality.",
)
def lemma_2(c: Context, part: int = 1) -> Iterable[Relation]:
    at_zero = c.problem.P([c.problem.zero] * c.problem.d)
    if all(c.problem.loss.in_domain(c.problem.zero, y) for y in c.problem.y):
        yield Le(0, c.problem.D([c.problem.zero] * c.n), "D(0) >= 0")
    yield Le(c.D, at_zero / part, "D(alpha) <= P(0)")
    if all(c.problem.loss.value(c.problem.zero, y) <= 1 for y in c.problem.y):
        yield Le(at_zero, 1, "P(0) <= 1")
