"""PGS, section III.B: Theorem 1 (11), what its proof in section VI.A states between (16) and (17), and Theorem 2 (12).

    (11)  P(w_i) - min P <= C log T/(sigma T delta) with probability 1 - delta, true with H_T = 1 + 1/2 + .. + 1/T
    (i)   E P(w_i) = E (1/T) sum_t c_t(w_{t-1}), i uniform on 0 .. T-1
    (ii)  min_S P >= E (1/T) min_S sum_t c_t, with = in print

Expectations are exact: all paths of all batches, equal states merged. Minima are exact: in one dimension between kinks,
for every p (r(w) = w^2/(2(p-1)) there) and on balls; on the plane for p = 2 by the exact optimum.

In Theorem 2 O(x) is replaced by x. With R = ||w_0||_p^2/(2(p-1)), w_0 the reference predictor, and
a = 1/(T delta) + 1/m, the bound (20) is a/sigma + sigma R.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from math import factorial, prod
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.engines.paths import distributions, weighed
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, false_with, golden, holds_on
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.pgs.instances import (
    HINGE,
    LATE_OUTPUT,
    ONE_SAMPLE,
    TWO_ROWS,
    trees,
    trees_last,
    trees_plane,
)
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import Losses, batch_loss, losses_of, minimum
from dualgap.proofs_checks.papers.pgs.setting import (
    ASSUMED,
    FIGURE_1,
    UNIFORM,
    UNIFORM_CHOICE,
    Setting,
    harmonic,
    lipschitz2,
    norm2,
)
from dualgap.proofs_checks.papers.vocabulary import names, numbers_alone, refuted, slip
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.problem import Vector

# -- between (16) and (17) ---------------------------------------------------------------------------------------------


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


def mean_of_minima(c: Context, method: Any) -> Q:
    """E (1/T) min_S sum_t c_t, d = 1."""
    T: int = c.instance.extra.T
    total: Q = Q(0)
    choices = method.choices(c.problem, method.init(c.problem))
    for chosen in combinations_with_replacement(choices, T):
        orders = factorial(T) // prod(factorial(chosen.count(choice)) for choice in dict.fromkeys(chosen))
        total += orders * prod((q for _, q in chosen), start=Q(1)) * minimum(c.instance, [A for A, _ in chosen])[0]
    return total / T


@refuted(
    "pgs.16",
    "The first identity between (16) and (17), the lost index read as i: E P(w_i) = E c_i(w_i)",
    hypotheses="$A_t$ uniform",
    origin=PAPER.reading(
        "E P(w_i)",
        note="the index of c is missing; we read that of w_i, as in Lemma 1. With i - 1 see pgs.theorem-1.repaired",
    ),
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 23/16 and 9/16")],
    control=holds_on(ONE_SAMPLE, text="one row"),
    instead="pgs.theorem-1.repaired",
    proof="w_i depends on A_i, w_{i-1} does not.",
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


@slip(
    "pgs.17",
    r"The second identity between (16) and (17), with its sign of equality: $\min_S P = \mathbb{E} (1/T) \,\min_S"
    r" \sum_t c_t$",
    hypotheses="$A_t$ uniform",
    origin=PAPER.printed(
        "min P", note="the proof of Theorem 1 needs only the inequality, which is true: pgs.theorem-1.repaired"
    ),
    instead="pgs.theorem-1.repaired",
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 7/8 and 5/16")],
    control=holds_on(ONE_SAMPLE, text="one row"),
    assumes=[*ASSUMED, UNIFORM_CHOICE],
    proof="The minimum of an expectation is at least the expectation of the minimum, and the two differ here.",
)
def line_17_printed(c: Context) -> Iterable[Relation]:
    yield Eq(mean_of_minima(c, c.method), minimum(c.instance, [tuple(range(c.n))])[0], "E (1/T) min sum c_t = min P")


# -- Theorem 1 ---------------------------------------------------------------------------------------------------------

AVERAGE = HINGE.but(lam=Q(1, 10), options={"output": "average"}, extra=further(T=5))


@claim(
    "pgs.theorem-1.repaired",
    "Theorem 1 with H_T: E P(w_{t-1}) = E c_t(w_{t-1}) for every t (i), min_S P >= E (1/T) min_S sum_t c_t (ii), hence"
    " E P(output) - min P <= E (1/T) sum_t ||lambda_t||_q^2/(2t sigma) <= L^2 H_T/(2 sigma T), for the output w_i, i"
    " uniform on 0 .. T-1, and for the average of w_0 .. w_{T-1}",
    hypotheses=f"{UNIFORM}; (ii): d = 1; any convex loss, the last inequality for hinge, smoothed hinge and absolute",
    origin=PAPER.ours("Theorem 1", "E P(w_i)", "min P"),
    evidence=[
        Enumerated(trees, 0.5),
        Enumerated(trees_plane, 0.25),
        golden(AVERAGE, AVERAGE.but(lam=Q(1, 2), extra=further(T=2)), detail="one row"),
        formal("pgs_theorem_1", "pgs_theorem_1_hinge", "harmonic_ln"),
    ],
    control=all_of(
        altered("(i) with c_t(w_t)", line_16_printed, TWO_ROWS),
        altered("(ii) with =", line_17_printed, TWO_ROWS),
        false_with("half of the bound", ONE_SAMPLE.but(rows=(Qs("1/10"),), options={}), factor=Q(1, 2)),
    ),
    kills=names("pgs", "constant-divisor lost-sigma sign"),
    proof=(
        "w_{t-1} does not depend on A_t, and E g_t is the mean loss: (i). P = E (1/T) sum_t c_t, and the minimum of a"
        " mean is at least the mean of the minima: (ii). Then Lemma 1; for the average Jensen's inequality."
    ),
)
def theorem_1_chain(c: Context, factor: Fraction = Q(1)) -> Iterable[Relation]:
    last = c.instance.but(options={**c.instance.options, "output": "last"}).reference_method()
    tree, T = Tree(c, last), c.instance.extra.T
    for t in range(T):
        yield Eq(tree.P[t], tree.cost[t], f"(i): E P(w_{t}) = E c_{t + 1}(w_{t})")
    if tree.problem.d == 1:
        yield Le(mean_of_minima(c, last), tree.minimum(), "(ii): E (1/T) min sum c_t <= min P")
    state = c.method.init(c.problem)
    for _, layer in zip(range(T + 1), distributions(c.method, c.problem, state)):
        output = sum((p * tree.F(c.method.view(c.problem, reached)[0]) for p, reached in layer), Q(0))
    mean = sum(tree.P[:T], Q(0)) / T
    if c.instance.options.get("output") == "random":
        yield Eq(output, mean, "E P(output) = (1/T) sum E P(w_t)")
    else:
        yield Le(output, mean, "P(average) <= mean of P(w_t)")
    yield Le(mean - tree.minimum(), factor * tree.bound(T), "E P - min P <= E (1/T) sum ||lambda_t||^2/(2t sigma)")
    L2 = lipschitz2(c.instance)
    if L2 is not None:
        yield Le(tree.bound(T), L2 * harmonic(T) / (2 * tree.setting.sigma * T), "<= L^2 H_T/(2 sigma T)")


def with_log(instance: Instance, T: int) -> Instance:
    """The instance with T rounds and a constant far above every L^2."""
    return instance.but(extra=further(T=T, C=Q(10**6)))


@refuted(
    "pgs.theorem-1",
    r"Theorem 1 at $T = 1$, where $\log\, T = 0$: with probability $1 - \delta$ for every $\delta$ in $(0, 1)$, so"
    r" surely and in the mean, $P(w_i) - \min\, P \le C \,\log\, T/(\sigma T \delta) = 0$, whether $i$ is 0 or 1",
    hypotheses="any constant $C$",
    origin=PAPER.printed(
        "Theorem 1", "E eps_acc", note="it fails only at T = 1, where log T = 0. For T >= 2, H_T <= 2.45 log T"
    ),
    gravity="edge case",
    evidence=[
        golden(
            with_log(TWO_ROWS, 1),
            detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 1/8 > 0 for w_0, 9/16 > 0 for w_1",
        )
    ],
    control=holds_on(with_log(TWO_ROWS, 2), with_log(TWO_ROWS, 3), text="T = 2, 3, in the mean"),
    assumes=[*ASSUMED, UNIFORM_CHOICE, FIGURE_1],
    proof=(
        "At T = 1 the bound is 0. H_T instead of log T repairs it: pgs.theorem-1.repaired. For T >= 2, H_T <= 1 + ln T"
        " <= (1 + 1/ln 2) ln T <= 2.45 ln T, so C = 1.23 L^2 suffices."
    ),
)
def theorem_1_printed(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    log = Interval(tree.T).log() if tree.T > 1 else Q(0)
    # the set of line 9 begins with w_0 or w_1
    output = min(sum(tree.P[: tree.T], Q(0)), sum(tree.P[1 : tree.T + 1], Q(0))) / tree.T
    yield Le(output - tree.minimum(), c.given.C * log / (c.mu * tree.T), "C log T/(sigma T)")


@refuted(
    "pgs.figure-1.line-9",
    "Figure 1, line 9, read as i uniform on 1 .. T, with Theorem 1's bound E (1/T) sum_{t<=T} ||lambda_t||_q^2/(2t"
    " sigma)",
    hypotheses="the first index is unreadable",
    origin=PAPER.reading("Figure 1, line 9", note="the first index is unreadable, 0 or 1"),
    evidence=[golden(LATE_OUTPUT, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5")],
    control=holds_on(TWO_ROWS, text="hinge, two rows"),
    proof=("On 0 .. T-1 it is Theorem 1, pgs.theorem-1.repaired; on 1 .. T one round more must be counted."),
)
def late_outputs(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    yield Le(sum(tree.P[1:], Q(0)) / tree.T - tree.minimum(), tree.bound(tree.T), "1 .. T")


@claim(
    "pgs.19",
    r"Theorem 2, (19): $l(\tilde{w}) - l(w_{\mathrm{ref}}) =$ $[F(\tilde{w}) - F(w^*)] +$ $[F(w^*) -"
    r" F(w_{\mathrm{ref}})] -$ $\sigma r(\tilde{w}) + \sigma r(w_{\mathrm{ref}})$, the second and the third term at"
    " most 0",
    hypotheses=(
        r"a population of finitely many samples; any $\tilde{w}$, $w_{\mathrm{ref}}$ in $S$. The rest of Theorem 2 is"
        " an order of magnitude without constants: no test"
    ),
    origin=PAPER.printed("(19)"),
    evidence=[exact(trees_last)],
    control=false_with("without r(w_ref)", TWO_ROWS.but(extra=further(u=Qs(0), v=Qs("-1/2"), T=1)), factor=0),
)
def line_19(c: Context, factor: int = 1) -> Iterable[Relation]:
    s, problem = Setting(c.instance), losses_of(c.instance)
    everyone = tuple(range(problem.n))
    found, reference = s.into(c.instance.extra.u), s.into(c.instance.extra.v)
    l_of = [batch_loss(problem, everyone, w) for w in (found, reference)]
    F = [value + s.sigma * s.r(w) for value, w in zip(l_of, (found, reference))]
    least = minimum(c.instance, [everyone])[0]
    terms = [F[0] - least, least - F[1], -s.sigma * s.r(found), factor * s.sigma * s.r(reference)]
    yield Eq(l_of[0] - l_of[1], sum(terms, Q(0)), "(19)")
    yield Le(terms[1], 0, "F(w*) - F(w_ref) <= 0")
    yield Le(l_of[0] - l_of[1], terms[0] + terms[3], "l(w~) - l(w_ref) <= F(w~) - F(w*) + sigma r(w_ref)")


READ = (
    "each O~ read as its argument, with the constant 1; the letters of the fractions are restored from the proof, (20)"
    " and (21)"
)


def numbers_of(p: str, norm2: str, T: int, delta: str, m: int) -> Instance:
    """p, ||w_0||_p^2, the rounds, the confidence and the number of samples."""
    return numbers_alone(norm2=Q(norm2), T=T, delta=Q(delta), m=m).but(p=Q(p))


PERFECT = (  # a/R is a square
    numbers_of("2", "1", 20, "1/5", 4),
    numbers_of("3/2", "1/8", 8, "1/2", 4),
    numbers_of("2", "36", 10, "1/10", 1),
    numbers_of("5/4", "10", 100, "1/10", 10),
)


@claim(
    "pgs.theorem-2",
    "Theorem 2: its sigma = sqrt((2(p-1)/||w_0||_p^2) (1/(T delta) + 1/m)) makes (1/(T delta) + 1/m)/sigma + sigma"
    " ||w_0||_p^2/(2(p-1)), (20), smallest, twice ||w_0||_p sqrt((1/(2(p-1))) (1/(T delta) + 1/m)), (21); and (12), T ="
    " (1/delta)/(2 eps^2 (p-1)/||w_0||_p^2 - 1/m), is where (21) is eps, and falls as m grows at a fixed eps",
    hypotheses="p in (1, 2], sigma > 0; 1/m < 2 eps^2 (p-1)/||w_0||_p^2, which the statement leaves out",
    origin=PAPER.reading("Theorem 2", "(20)", "(21)", "Inverse time dependency", note=READ),
    evidence=[golden(*PERFECT, detail="p = 2, 3/2, 5/4; m to 2^5 m")],
    control=all_of(
        false_with("10/9 of that sigma", *PERFECT, factor=Q(10, 9)),
        false_with("m + 1 instead of m in (12)", *PERFECT, shift=1),
    ),
    proof=(
        "a/sigma + sigma R >= 2 sqrt(a R), with equality at sigma^2 = a/R. 1/(T delta) = eps^2/R - 1/m falls to the"
        " floor ||w_0||_p^2/(2 delta eps^2 (p-1)): a bound, and flat for many samples."
    ),
)
def theorem_2(c: Context, factor: Q = Q(1), shift: int = 0) -> Iterable[Relation]:
    given = c.instance.extra
    R, a = given.norm2 / (2 * ((c.instance.p or 2) - 1)), 1 / (given.T * given.delta) + Q(1, given.m)
    eps2, sigma = a * R, factor * sqrt(a / R)  # (21) squared
    best = a / sigma + sigma * R
    yield Eq(best * best, 4 * eps2, "(20) at sigma = sqrt(a/R) is twice (21)")
    for other in Qs("1/100", "9/10", "11/10", 100):
        yield Lt(best, a / (other * sigma) + other * sigma * R, f"and larger at {other} sigma")

    def rounds(m: int) -> Number:  # (12)
        return (1 / given.delta) / (eps2 / R - Q(1, m))

    yield Lt(Q(1, given.m), eps2 / R, "m is large enough for (12)")
    yield Eq(rounds(given.m + shift), Q(given.T), "(12) solves (21) = eps for T")
    for k in (1, 2, 4, 8, 16):
        yield Lt(rounds(2 * k * given.m), rounds(k * given.m), f"T falls from {k} m to {2 * k} m samples")
    yield Lt(R / (given.delta * eps2), rounds(10**6 * given.m), "but stays above the floor, however many there are")
