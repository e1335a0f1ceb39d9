"""PGS, section VI.A, between (16) and (17): what Lemma 1 gives in expectation.

    E P(w_i) = E (1/T) sum_t c_t(w_{t-1}), i uniform on 0 .. T-1;   min_S P >= E (1/T) min_S sum_t c_t, with = in print

Expectations are exact: all paths of all batches, equal states merged. Minima are exact: in one dimension between kinks,
for every p (r(w) = w^2/(2(p-1)) there) and on balls; on the plane for p = 2 by the exact optimum.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, islice
from math import factorial
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.engines.paths import distributions, weighed
from dualgap.proofs_checks.evidence.levels import altered, false_with, golden, holds_on
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.pgs.instances import ONE_SAMPLE, TWO_ROWS, trees_last
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import Losses, batch_loss, losses_of, minimum
from dualgap.proofs_checks.papers.pgs.setting import ASSUMED, UNIFORM, UNIFORM_CHOICE, Setting, norm2
from dualgap.proofs_checks.papers.vocabulary import refuted, slip
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector


class Tree:
    """All paths of T rounds: E P(w_t) for t = 0 .. T, E c_t(w_{t-1}) and E ||lambda_t||_q^2 for t = 1 .. T (+ 1)."""

    def __init__(self, c: Context, method: Any) -> None:
        self.instance, self.setting, self.problem = c.instance, Setting(c.instance), losses_of(c.instance)
        self.T = c.instance.extra.T
        layers = distributions(method, c.problem, method.init(c.problem))
        self.P, self.cost, self.norm2 = [], [], []
        for layer in islice(layers, self.T + 1):
            P, cost, size = Q(0), Q(0), Q(0)
            for p, state in layer:
                w = method.view(c.problem, state)[0]
                g, losses = self.setting.sigma * self.setting.r(w), Losses(self.problem, w)
                P += p * (g + losses.mean(range(self.problem.n)))
                for A, q in weighed(c.problem, method.choices(c.problem, state)):
                    cost += p * q * (g + losses.mean(A))
                    size += p * q * norm2(losses.subgradient(A), self.setting.q)
            self.P.append(P)
            self.cost.append(cost)
            self.norm2.append(size)

    def F(self, w: Vector) -> Number:
        """P(w) from its definition."""
        return self.c_t(range(self.problem.n), w)

    def c_t(self, A: Sequence[int], w: Vector) -> Number:
        """sigma r(w) + the mean loss of the rows A."""
        return self.setting.sigma * self.setting.r(w) + batch_loss(self.problem, A, w)

    def bound(self, T: int) -> Number:
        """E (1/T) sum_{t <= T} ||lambda_t||_q^2/(2 t sigma), T at most one more than the rounds of the tree."""
        return sum((value / (2 * t * self.setting.sigma) for t, value in enumerate(self.norm2[:T], 1)), Q(0)) / T

    def minimum(self) -> Number:
        """min_S P."""
        if self.problem.d == 1:
            return minimum(self.instance, [tuple(range(self.problem.n))])[0]
        return self.problem.P(self.problem.w(exact_optimum(self.problem)))


@refuted(
    "pgs.16",
    "The first identity between (16) and (17), the lost index read as i: E P(w_i) = E c_i(w_i)",
    hypotheses="$A_t$ uniform",
    origin=PAPER.reading(
        "E P(w_i)",
        note="the index of c is missing; we read that of w_i, as in Lemma 1. The other one is pgs.16.repaired",
    ),
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 23/16 and 9/16")],
    control=holds_on(ONE_SAMPLE, text="one row"),
    proof="w_i depends on A_i. With c_i(w_{i-1}) it holds, pgs.16.repaired.",
)
def line_16_printed(c: Context) -> Iterable[Relation]:
    tree, state = Tree(c, c.method), c.method.init(c.problem)
    layers = distributions(c.method, c.problem, state)
    for t, layer in zip(range(1, tree.T + 1), layers):
        cost = Q(0)
        for p, before in layer:
            for A, q in c.method.choices(c.problem, before):
                w = c.method.view(c.problem, c.method.step(c.problem, before, A))[0]
                cost += p * q * tree.c_t(A, w)
        yield Eq(tree.P[t], cost, f"E P(w_{t}) = E c_{t}(w_{t})")


@claim(
    "pgs.16.repaired",
    "The first identity between (16) and (17) with c_i(w_{i-1}): E P(w_{t-1}) = E c_t(w_{t-1}) for every t, hence E"
    " P(w_i) = E (1/T) sum_t c_t(w_{t-1}) for i uniform on 0 .. T-1",
    hypotheses=UNIFORM,
    origin=PAPER.ours("E P(w_i)"),
    evidence=[Enumerated(trees_last, 0.5)],
    control=altered("c_t(w_t)", line_16_printed, TWO_ROWS),
    proof="w_{t-1} does not depend on A_t, and E g_t is the mean loss.",
)
def line_16(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    for t in range(1, tree.T + 1):
        yield Eq(tree.P[t - 1], tree.cost[t - 1], f"E P(w_{t - 1}) = E c_{t}(w_{t - 1})")


@claim(
    "pgs.17.repaired",
    "The second identity between (16) and (17) as an inequality: min_S P >= E (1/T) min_S sum_t c_t",
    hypotheses=UNIFORM,
    origin=PAPER.ours("min P"),
    evidence=[Enumerated(trees_last)],
    control=false_with("<=", TWO_ROWS, signs=(-1,)),
    proof="P = E (1/T) sum_t c_t, and the minimum of a mean is at least the mean of the minima.",
)
def line_17(c: Context, signs: Iterable[int] = (1,)) -> Iterable[Relation]:
    T, choices = c.instance.extra.T, c.method.choices(c.problem, c.method.init(c.problem))
    total = Q(0)
    for chosen in combinations_with_replacement(choices, T):
        orders = factorial(T)
        chance = Q(1)
        for choice in dict.fromkeys(chosen):
            orders //= factorial(chosen.count(choice))
        for _, q in chosen:
            chance *= q
        total += orders * chance * minimum(c.instance, [A for A, _ in chosen])[0]
    mean, least = total / T, minimum(c.instance, [tuple(range(c.n))])[0]
    for sign in signs:
        if sign > 0:
            yield Le(mean, least, "E (1/T) min sum c_t <= min P")
        else:
            yield Le(least, mean, "min P <= E (1/T) min sum c_t")


@slip(
    "pgs.17",
    r"The second identity between (16) and (17), with its sign of equality: $\min_S P = \mathbb{E} (1/T) \,\min_S"
    r" \sum_t c_t$",
    hypotheses="$A_t$ uniform",
    origin=PAPER.printed(
        "min P", note="the proof of Theorem 1 needs only the inequality, which is true: pgs.17.repaired"
    ),
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 7/8 and 5/16")],
    control=holds_on(ONE_SAMPLE, text="one row"),
    assumes=[*ASSUMED, UNIFORM_CHOICE],
    proof="The minimum of an expectation is at least the expectation of the minimum, and the two differ here.",
)
def line_17_printed(c: Context) -> Iterable[Relation]:
    yield from line_17(c, (1, -1))
