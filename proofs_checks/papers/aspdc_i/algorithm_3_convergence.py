"""ASPDC-i, Algorithm 3 converges: Theorems A, B and C (ours; the paper has none) and what follows from them.

    V = M(w~) - P* + theta E, E = M(w~) - D~(alpha~):    E V_{s+1} <= (1 - sigma lam/mu) V_s

All three are one theorem with different constants; its proof is GENERAL below. M is the Moreau envelope of P, mu = lam
+ kappa, chi = kappa/mu.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import islice

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence, Source, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.claims.run import Run, draw_instances
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.engines.quadratic_forms import nonnegative_pivots, positive_pivots
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, golden
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc_i.instances import (
    epochs_a,
    epochs_b,
    epochs_c,
    fewest_steps,
    larger_quadratics,
    one_row,
    orthonormal,
    quadratics_a,
    quadratics_b,
)
from dualgap.proofs_checks.papers.aspdc_i.lyapunov import Epoch, fixed, largest_ratio, state_at
from dualgap.proofs_checks.papers.aspdc_i.setting import Inner, centred_dual, inner, prox
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.reference.numbers.rational import nearest

ours_on_algorithm_3 = partial(claim, origin=PAPER.ours("Algorithm 3"))
AT_THE_THRESHOLD = (
    r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $\kappa > 0$; $\lambda + \kappa \ge 4R^2/(n \gamma)$ ($K \le 1/4$);"
    r" uniform indices"
)
STEPS = (
    "With p = prox(v), e = M(v) - D~_v(alpha), d = (mu/2)||w - p||^2, pi = P~_v(w) - M(v). e >= d: the gap identity "
    "at p has the nonnegative parts (1/n) sum FY_i(x_i^T p, alpha_i) and g~(p) + g~*(s) - s^T p >= (mu/2)||p - w||^2. "
    "pi >= d: p minimises the mu-strongly convex P~_v. (e) E e+ <= e - ((1-K)/n)(e + pi): aspdc.one-step.sharp on "
    "P~_v, and e + pi = (1/n) sum FY_i. (d), for L2: E d+ <= d - (1/n)(pi + d) + (K/n)(e + pi): w+ = w - (Delta_i/(n "
    "mu)) x_i and (1/n) sum Delta_i x_i = grad P~_v(w), which has <w - p, grad> >= pi + d; the noise (1/(2 mu n^2)) "
    "(1/n) sum Delta_i^2 ||x_i||^2 is at most (K/n)(e + pi). The centre step, q = v - p, delta = w - p, Q = "
    "(mu/2)||q||^2, grad M(v) = kappa q: (ii) M(w) <= M(v) - chi Q + chi d, because M is kappa-smooth and w - v = "
    "delta - q. (iii) E' <= e + 3 chi d + chi Q + 4 chi sqrt(dQ) for E' = M(w) - D~_w(alpha): v -> M(v) - D~_v(alpha) "
    "has gradient kappa delta at v and upper curvature kappa chi; Cauchy-Schwarz. (iv) chi Q >= (lam/mu)(M(v) - P*): "
    "M is (lam kappa/mu)-strongly convex. Over m steps E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0 with the weights of "
    "``weights``: (e) and (d), pi >= d, d_0 <= e_0. "
)
GENERAL = (
    "Let theta, sigma > 0, theta + sigma < 1, Y = 1 + 3 theta + 4 theta^2/(1 - theta - sigma), (a) (1 - (1-K)/n)^m <= 1"
    " - sigma, (b) E[Y d_m + theta e_m] <= theta e_0. By (ii), (iii), and (iv) for"
    " the share sigma of chi Q, V_{s+1} <= (1 - sigma lam/mu)(M(v) - P*) + chi {-(1-sigma-theta) Q + 4 theta sqrt(dQ) +"
    " (1+3 theta) d} + theta e <= (1 - sigma lam/mu)(M(v) - P*) + chi Y d + theta e. And chi Y d + theta e = chi (Y d +"
    " theta e) + (1-chi) theta e has expectation at most chi theta E_s + (1-chi)(1-sigma) theta E_s = theta E_s (1 -"
    " sigma lam/mu)."
)


def weights(n: int, K: Fraction, x: Fraction, y: Fraction, m: int) -> tuple[Fraction, Fraction]:
    """(x_m, y_m) from (x_0, y_0) = (x, y).

    >>> sum(weights(1, Fraction(1, 4), Fraction(1, 4), Fraction(41, 12), 2)) / Fraction(1, 4)
    Fraction(11, 12)
    """
    for _ in range(m):
        x, y = ((1 - (1 - K) / n) * x + (K / n) * y, max(Fraction(0), (1 - (2 - K) / n) * y - ((1 - K) / n) * x))
    return x, y


def exp_below(x: Fraction, terms: int = 12) -> Fraction:
    """A rational lower bound of e^x for x >= 0: the first terms of its series."""
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return total


def exp_above(x: Fraction) -> Fraction:
    """A rational upper bound of e^x for x <= 0, and for 0 < x < 1 by 1/(1 - x + x^2/2 - x^3/6) >= e^x."""
    if x <= 0:
        return 1 / exp_below(-x)
    return 1 / (1 - x + x * x / 2 - x * x * x / 6)


@dataclass(frozen=True)
class Theorem:
    """theta, sigma, and which (b) is used: the weights (L2), or d_m <= e_m (any g)."""

    name: str
    theta: Fraction
    sigma: Fraction
    any_g: bool = False

    @property
    def Y(self) -> Fraction:
        """1 + 3 theta + 4 theta^2/(1 - theta - sigma)."""
        return 1 + 3 * self.theta + 4 * self.theta**2 / (1 - self.theta - self.sigma)

    def fewest(self, n: int) -> int:
        """The smallest m of the theorem."""
        return fewest_steps(self.name, n)

    def constants(self, n: int, K: Fraction, m: int) -> Iterable[Relation]:
        """(a), and (b) as a number: x_m + y_m <= theta, or (Y + theta)(1 - (1-K)/n)^m <= theta."""
        decay = (1 - (1 - K) / n) ** m
        yield Le(decay, 1 - self.sigma, "(a): (1 - (1-K)/n)^m <= 1 - sigma")
        yield Le(final(self, n, K, m), self.theta, "(b): the weight of e_0 after m steps is at most theta")


@cache
def final(theorem: Theorem, n: int, K: Fraction, m: int) -> Fraction:
    """The factor of e_0 that bounds E[Y d_m + theta e_m]."""
    if theorem.any_g:
        return (theorem.Y + theorem.theta) * (1 - (1 - K) / n) ** m
    return sum(weights(n, K, theorem.theta, theorem.Y, m), Q(0))


A = Theorem("theorem-a", Q(1, 4), Q(3, 5))
B = Theorem("theorem-b", Q(1, 3), Q(1, 8))
C = Theorem("theorem-c", Q(1, 3), Q(1, 8), any_g=True)


def rows_of_ones(n: int) -> Instance:
    """n rows x_i = 1, squared loss, lam = 4/n: K = 1/4 and nothing else matters."""
    return Instance(rows=(Qs(1),) * n, y=Qs(*[0] * n), alpha=Qs(*[0] * n), lam=Q(4, n))


@ours_on_algorithm_3(
    "aspdc.algorithm-3.constants",
    "Theorems A, B, C: the constants satisfy (a) and (b) at K = 1/4 for every n >= 1: theta = 1/4, sigma = 3/5 for m ="
    " 2n; theta = 1/3, sigma = 1/8 for m = ceil(3n/2), and for m = 3n with any g",
    hypotheses="K = 1/4",
    evidence=[
        golden(
            *(rows_of_ones(n) for n in range(1, 61)),
            detail="n <= 60 one by one; n >= 15 (A), n >= 9 (B), every n (C) by formula",
        )
    ],
    control=altered("m = n inner steps", lambda c: A.constants(c.n, c.K, c.n), rows_of_ones(1), rows_of_ones(20)),
    proof=(
        "The weights never increase in sum, so m may be larger; K may be smaller. A, n >= 15: with N = n - 1 the value"
        " (1 - 1/(2N))^{7N/4} increases in N and at N = 3 is (5/6)^{21/4}, so the max is inactive up to k ="
        " floor(7N/4), where the sum is at most (11/3) e^{-3k/(2n)}; the other 2n - k steps give e^{-3/(4n)} each. B, n"
        " >= 9: (1 - 1/(2N))^{3N/2+2} increases and at N = 8 is (15/16)^14; the max is inactive throughout."
    ),
)
def constants(c: Context) -> Iterable[Relation]:
    """(a) and (b) of A, B and C for the instance's n at K = 1/4 and the fewest m; from some n on by one formula."""
    n, K = c.n, c.K
    for theorem in (A, B, C):
        yield from theorem.constants(n, K, theorem.fewest(n))
    yield Le(exp_above(-Q(3, 2)), 1 - A.sigma, "A (a), every n: (1 - 3/(4n))^{2n} <= e^{-3/2} <= 2/5")
    yield Le(exp_above(-Q(9, 8)), 1 - B.sigma, "B (a), every n: e^{-9/8} <= 7/8")
    yield Le((C.Y + C.theta) * exp_above(-Q(9, 4)), C.theta, "C (b), every n: (Y + theta) e^{-9/4} <= theta")
    if n >= 15:
        yield Le(
            Q(25, 66) ** 4, Q(5, 6) ** 21, "A: the max is inactive up to k = 7(n-1)/4: (5/6)^{21/4} >= tau = 25/66"
        )
        tail = (A.theta + A.Y) * exp_above(-Q(45, 16))
        yield Le(final(A, n, K, 2 * n), tail * exp_above(Q(15, 8 * n)), "A (b): at most (11/3) e^{-45/16} e^{15/(8n)}")
        yield Le(tail * exp_above(Q(1, 8)), A.theta, "A (b), n >= 15: (11/3) e^{-45/16} e^{1/8} <= 1/4")
    if n >= 9:
        yield Le(Q(149, 369), Q(15, 16) ** 14, "B: the max is inactive throughout: (15/16)^14 >= tau = 149/369")
        tail = (B.theta + B.Y) * exp_above(-Q(9, 4))
        yield Le(final(B, n, K, B.fewest(n)), tail, "B (b): at most (41/13) e^{-9/4}")
        yield Le(tail, B.theta, "B (b), n >= 9: (41/13) e^{-9/4} <= 1/3")


# -- one epoch ---------------------------------------------------------------------------------------------------------


def theorem_check(theorem: Theorem, c: Context) -> Iterable[Relation]:
    """(a), (b), then the epoch: from the planted state, or, where none is planted, from all states at once."""
    mu = c.problem.regularizer.lam + c.q(c.instance.options["kappa"])
    K = c.R2 / (mu * c.n * c.gamma)
    yield from theorem.constants(c.n, K, c.instance.options["m"])
    yield from one_epoch(theorem, c) if c.instance.extra.has("kappa", "p") else all_states(theorem, c)


def one_epoch(theorem: Theorem, c: Context) -> Iterable[Relation]:
    """The proof's chain over all index sequences of one epoch of the method itself."""
    i, base, theta = inner(c), c.problem, theorem.theta
    start, rate = start_of(i), 1 - theorem.sigma * i.lam / i.mu
    state = state_at(fixed(c), base, i.v, c.start.alpha)
    leaves = next(islice(distributions(c.method, base, state), c.instance.options["m"], None))
    e = d = V = base.zero
    for probability, leaf in leaves:
        w, alpha = c.method.view(base, leaf)
        M = prox(base, i.kappa, w).M
        e += probability * i.e(alpha)
        d += probability * i.d(w)
        V += probability * (M - start.P_star + theta * (M - centred_dual(base, i.kappa, w, alpha)))
    yield Le(e, (1 - theorem.sigma) * start.E, "(e), m times: E e_m <= (1 - sigma) e_0")
    yield Le(theorem.Y * d + theta * e, theta * start.E, "(b): E[Y d_m + theta e_m] <= theta e_0")
    yield Le(V, rate * start.excess + i.chi * theorem.Y * d + theta * e, "(ii), (iii), (iv)")
    yield Le(V, rate * (start.excess + theta * start.E), "E V_{s+1} <= (1 - sigma lam/mu) V_s")


@dataclass(frozen=True)
class Start:
    """M(v) - P*, E and P* at the start of an epoch."""

    excess: Fraction
    E: Fraction
    P_star: Fraction


def start_of(i: Inner) -> Start:
    """The start of the epoch whose centre and prox are planted."""
    P_star = i.base.P(prox(i.base, Q(0), i.v).p)
    alpha = [i.q(a) for a in i.instance.alpha]
    return Start(i.M + i.kappa * square(i.v) / 2 - P_star, i.e(alpha), P_star)


def all_states(theorem: Theorem, c: Context) -> Iterable[Relation]:
    """(1 - sigma lam/mu) V - E V+ as a quadratic form: a symmetric elimination meets no negative pivot."""
    epoch = Epoch(fixed(c), c.problem)
    rate = 1 - theorem.sigma * c.problem.regularizer.lam / epoch.mu
    V = epoch.lyapunov(theorem.theta)
    yield Eq(positive_pivots(V.tolist()), len(V), "V is positive definite in the errors of (v, alpha)")
    yield Eq(
        nonnegative_pivots((rate * V - epoch.pull_back(V)).tolist()),
        len(V),
        "(1 - sigma lam/mu) V - E V+ is positive semidefinite",
    )


def all_sequences(theorem: Theorem) -> Source:
    """NUMERICAL, squared loss, n <= 7: the largest generalised eigenvalue of (E V+, V) against 1 - sigma lam/mu."""

    def source(claim: Claim, run: Run) -> Evidence:
        evidence = Evidence("NUMERICAL", detail="squared loss, all states at once, n <= 7")
        margins = []
        for instance in draw_instances(larger_quadratics(theorem.name), run.count(0.05), run.seed(claim.id)):
            c = Context(instance)
            epoch = Epoch(fixed(c), c.problem)
            largest, error = largest_ratio(epoch, theorem.theta)
            share = nearest(c.problem.regularizer.lam / epoch.mu)
            bound = 1 - nearest(theorem.sigma) * share
            evidence.instances += 1
            if largest - error > bound:
                evidence.violations += 1
                evidence.counterexample = evidence.counterexample or instance
            elif largest + error > bound:
                evidence.undecided += 1
            margins.append((1 - largest) / share)
        evidence.series = {
            f"{claim.id}: (1 - largest eigenvalue) mu/lam": {"margins": margins, "sigma": nearest(theorem.sigma)}
        }
        return evidence

    return source


def too_fast(theorem: Theorem) -> Control:
    """The same chain with sigma = 3 must break at its last line: without data V shrinks by chi^2 only."""
    instance = one_row(Q(0)).but(method="aspdc-i-fixed", options={"kappa": Q(1, 2), "m": theorem.fewest(1)})
    check = lambda c: list(one_epoch(replace(theorem, sigma=Q(3)), c))[-1:]
    return altered("sigma = 3 on a problem without data", check, instance)


def too_few(theorem: Theorem) -> Control:
    """One inner step on six orthonormal rows: V grows."""
    return altered(
        "m = 1, n = 6 orthonormal rows: V grows", lambda c: list(all_states(theorem, c))[-1:], orthonormal(6, 1)
    )


@claim(
    "aspdc.algorithm-3.theorem-a",
    "Algorithm 3 as the paper runs it converges (Theorem A, ours): for m >= 2n and L2, E V_{s+1} <= (1 - (3/5)"
    " lam/(lam+kappa)) V_s with V_s = M(w~_s) - P* + E_s/4, from every state",
    origin=PAPER.ours("Algorithm 3", "Algorithm 3 works well"),
    hypotheses=rf"$g = (\lambda/2)\Vert w\Vert^2$; {AT_THE_THRESHOLD}; $m \ge 2n$",
    evidence=[exact(epochs_a, 0.2), exact(quadratics_a, 0.2), all_sequences(A), formal("algorithm_3_rate")],
    control=all_of(too_fast(A), too_few(A)),
    proof=f"theta = 1/4, sigma = 3/5 (constants: aspdc.algorithm-3.constants). {STEPS}{GENERAL}",
)
def theorem_a(c: Context) -> Iterable[Relation]:
    yield from theorem_check(A, c)


@ours_on_algorithm_3(
    "aspdc.algorithm-3.theorem-b",
    "Fewer inner steps (Theorem B, ours): for m >= ceil(3n/2) and L2, E V_{s+1} <= (1 - lam/(8(lam+kappa))) V_s with"
    " V_s = M(w~_s) - P* + E_s/3",
    hypotheses=r"$g = (\lambda/2)\Vert w\Vert^2$; " + AT_THE_THRESHOLD + r"; $m \ge \operatorname{ceil}(3n/2)$",
    evidence=[exact(epochs_b, 0.2), exact(quadratics_b, 0.2), all_sequences(B)],
    control=all_of(too_fast(B), too_few(B)),
    proof=f"theta = 1/3, sigma = 1/8 (constants: aspdc.algorithm-3.constants). {STEPS}{GENERAL}",
)
def theorem_b(c: Context) -> Iterable[Relation]:
    yield from theorem_check(B, c)


@ours_on_algorithm_3(
    "aspdc.algorithm-3.theorem-c",
    "Any strongly convex g (Theorem C, ours): for m >= 3n, elastic net included, E V_{s+1} <= (1 - lam/(8(lam+kappa)))"
    " V_s with V_s = M(w~_s) - P* + E_s/3",
    hypotheses=rf"$g$ $\lambda$-strongly convex; {AT_THE_THRESHOLD}; $m \ge 3n$",
    evidence=[exact(epochs_c, 0.2)],
    control=too_fast(C),
    proof=(
        "theta = 1/3, sigma = 1/8 and d_m <= e_m in (b): (d) is not needed, and (e), e >= d, (ii), (iii), (iv) hold"
        f" for every lam-strongly convex g. {STEPS}{GENERAL}"
    ),
)
def theorem_c(c: Context) -> Iterable[Relation]:
    yield from theorem_check(C, c)
