"""SDCA, Figure 1: Procedure SDCA, and its outputs; Lemma 1 of the journal paper and what follows from it. Lines are
counted by us.

1  w^(0) = w(alpha^(0))                3  draw i uniformly
4  alpha_i^(t) = argmin_a phi_i*(a) - a z + (q_i/2)(a - alpha_i^(t-1))^2, z = x_i^T w^(t-1)
5  the other coordinates stay          6  w^(t) = w(alpha^(t))
Averaging option: alpha_bar = (1/(T - T0)) sum_{t = T0+1..T} alpha^(t-1); random option: alpha^(t-1) for one such t
Lemma 1: E[D(alpha+)] - D(alpha) >= (s/n) gap - (s/n)^2 G/(2 lam),
         G = (1/n) sum (||x_i||^2 - gamma (1-s) lam n/s) Delta_i^2
"""

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice, product
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.levels import all_of, enclosed, exact, false_with
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.sdca.instances import (
    EVERY,
    SLOW,
    THREE,
    any_logistic,
    any_net,
    any_smooth,
    paths_lipschitz,
    paths_smooth,
    shrinking,
)
from dualgap.proofs_checks.papers.sdca.items import JMLR, PAPER, RESTATED
from dualgap.proofs_checks.papers.sdca.mutants import WRONG, OneLate, wrong_steps_fail
from dualgap.proofs_checks.papers.sdca.setting import ANY, NET, K_of, right_q
from dualgap.proofs_checks.papers.vocabulary import each
from dualgap.reference.methods.sdca import AveragedSDCA, RandomSDCA
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import to_fraction


@claim(
    "sdca.algorithm",
    r"Figure 1, Procedure SDCA: line 1 starts at $w(\alpha)$, line 3 draws $i$ uniformly, line 4 sets $\alpha_i$ to"
    r" $\operatorname{argmin}_a \varphi_i^*(a) -$ $a z + (q_i/2)(a - \alpha_i)^2$ (that is, $z - q_i (a - \alpha_i)$ is"
    r" a subgradient of $\varphi_i^*$ at $a$), line 5 leaves the other coordinates alone, line 6 keeps $w = w(\alpha)$",
    hypotheses=NET,
    origin=PAPER.printed(
        "Figure 1", note="the lines are counted by us; 'randomly' is taken for uniformly; the slides have L2 alone"
    ),
    evidence=EVERY,
    control=wrong_steps_fail(*WRONG),
    proof=(
        "Line 4 is a convex problem; a solves it iff z - q (a - alpha_i) is in the subdifferential of phi* at a, iff"
        " phi(z - q (a - alpha_i)) + phi*(a) = a (z - q (a - alpha_i)) (Fenchel-Young)."
    ),
)
def algorithm(c: Context) -> Iterable[Relation]:
    loss = c.problem.loss
    w, alpha = c.method.view(c.problem, c.start)
    yield from each(Same, w, c.problem.w(alpha), "line 1: w = w(alpha)")
    yield Eq(len(c.successors), c.n, "line 3: every index can be drawn")
    for successor in c.successors:
        i = successor.choice
        yield Eq(successor.probability, Q(1, c.n), f"line 3: P(i = {i}) = 1/n")
        y, a = c.problem.y[i], successor.alpha[i]
        z = c.z[i] - right_q(c.problem, i) * (a - c.alpha[i])
        yield Same(loss.value(z, y), a * z - loss.conjugate(a, y), f"line 4: optimality of alpha_{i}")
        for k in range(c.n):
            if k != i:
                yield Same(successor.alpha[k], c.alpha[k], f"line 5: alpha_{k} unchanged")
        yield from each(Same, successor.w, c.problem.w(successor.alpha), "line 6: w = w(alpha)")


@claim(
    "sdca.outputs",
    r"Figure 1, Averaging option: the output is the mean of the states before the updates $T_0+1 \ldots T$, and"
    r" $\bar{w} = w(\bar{\alpha})$ is the mean of their $w$",
    hypotheses="L2",
    origin=PAPER.printed("Figure 1, output"),
    evidence=[Enumerated(paths_smooth, 0.1), Enumerated(paths_lipschitz, 0.1)],
    control=false_with("the states T0+1 .. T averaged", THREE, output=OneLate),
)
def outputs(c: Context, output: type[AveragedSDCA] = AveragedSDCA) -> Iterable[Relation]:
    """The averaged output after every path of T = T0 + 2 steps against the states T0 .. T-1 of the plain method."""
    T0 = min(c.given.get("T0", 0), 1)
    method = output(T0)
    for path in product(range(c.n), repeat=T0 + 2):
        state, alphas, ws = c.state, [], []
        for i in path:
            w, alpha = c.method.view(c.problem, state)
            alphas.append(alpha)
            ws.append(w)
            state = c.method.step(c.problem, state, i)
        w_bar, alpha_bar = method.view(c.problem, method.run(c.problem, path, method.init(c.problem, c.alpha)))
        for found, values in ((alpha_bar, alphas), (w_bar, ws)):
            for k, entry in enumerate(found):
                yield Eq(2 * entry, sum((v[k] for v in values[T0:]), c.problem.zero), f"averages, path {path}")


@claim(
    "sdca.outputs.random",
    "Figure 1 of the journal paper, random option: the output is each of the states before the updates T0+1 .. T with"
    " probability 1/(T - T0)",
    hypotheses="L2",
    origin=JMLR.reading("Figure 1, random option", note=RESTATED),
    evidence=[Enumerated(paths_smooth, 0.1), Enumerated(paths_lipschitz, 0.1)],
    control=false_with("the states T0+1 .. T", THREE, late=1),
    proof=(
        "Update t keeps its state with probability 1/(t - T0), and a kept one survives update u with 1 - 1/(u - T0);"
        " the product over u = t+1 .. T is 1/(T - T0)."
    ),
)
def random_output(c: Context, late: int = 0) -> Iterable[Relation]:
    """The law of the output after T0 + 2 steps against that of the states T0 + late and T0 + late + 1."""
    T0 = min(c.given.get("T0", 0), 1)
    method = RandomSDCA(T0)

    def law_of(of: Any, steps: Iterable[int]) -> dict[tuple[Number, ...], Fraction]:
        law: dict[tuple[Number, ...], Fraction] = {}
        for t in steps:
            for probability, state in next(islice(distributions(of, c.problem, of.init(c.problem, c.alpha)), t, None)):
                key = tuple(of.view(c.problem, state)[1])
                law[key] = law.get(key, Q(0)) + probability
        return law

    law, expected = law_of(method, [T0 + 2]), law_of(c.method, range(T0 + late, T0 + late + 2))
    yield Eq(len(law), len(expected), "random output: the possible outputs")
    for key, probability in expected.items():
        label = f"random output: the probability of {tuple(map(to_fraction, key))}"
        yield Eq(law.get(key, Q(0)), probability / 2, label)


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
