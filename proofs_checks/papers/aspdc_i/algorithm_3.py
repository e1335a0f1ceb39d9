"""ASPDC-i, section 5, Algorithm 3: its lines; and that it converges (Theorems A, B and C, ours; the paper has none).

    line 4      w = (kappa w~_{s-1} - X^T alpha~_{s-1}/n)/(lam + kappa), alpha = alpha~_{s-1}
    lines 5-10  m uniform ASPDC steps on f~                               line 11  return their w and alpha
    A, B, C     V = M(w~) - P* + theta E, E = M(w~) - D~(alpha~):         E V_{s+1} <= (1 - sigma lam/mu) V_s

M is the Moreau envelope of P, mu = lam + kappa, chi = kappa/mu; e, d and pi: see ``setting``. The three theorems are
one with different constants. Its proof (docs/aspdc.md) needs, with Y = 1 + 3 theta + 4 theta^2/(1 - theta - sigma),

    (a)  (1 - (1-K)/n)^m <= 1 - sigma        (b)  E[Y d_m + theta e_m] <= theta e_0
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import cycle, islice
from typing import cast

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Control, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, golden
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc_i.instances import (
    algorithm_3,
    epochs_a,
    epochs_b,
    epochs_c,
    fewest_steps,
    one_row,
)
from dualgap.proofs_checks.papers.aspdc_i.mutants import rejects
from dualgap.proofs_checks.papers.aspdc_i.setting import SMOOTH, Inner, centred_dual, inner, prox, same
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.reference.methods.aspdc_i import ASPDCiFixed


@claim(
    "aspdc.algorithm-3",
    r"Algorithm 3: line 4 starts epoch $s$ at $\tilde{\alpha}_{s-1}$ and $w = (\kappa \tilde{w}_{s-1} - X^T"
    r" \alpha/n)/(\lambda + \kappa)$, "
    r"lines 5-10 make $m$ uniform ASPDC steps on $\tilde{f}$, line 11 returns their $w$ and $\alpha$",
    hypotheses=f"{SMOOTH}; L2 or elastic net",
    evidence=[exact(algorithm_3, 0.3)],
    control=all_of(rejects("kept-w"), rejects("forgotten-alpha")),
    origin=PAPER.printed("Algorithm 3", note=LOST),
)
def lines_of_algorithm_3(c: Context) -> Iterable[Relation]:
    problem, loss, method, state = c.problem, c.problem.loss, c.method, c.start
    kappa, indices = c.q(c.instance.options["kappa"]), cycle((*c.instance.path, *range(c.n)))
    w_tilde, alpha = [problem.zero] * problem.d, list(state.alpha)
    yield Eq(ASPDCiFixed().m_of(problem), 2 * c.n, "m = 2n inner steps by default")
    for _ in range(3):
        inner_problem = problem.centred(kappa, w_tilde)
        for _ in range(c.instance.options["m"]):
            yield from same(inner_problem.w_of(state.v), inner_problem.w(alpha), "lines 4 and 8: w = w(alpha; w~)")
            i = next(indices)
            z = problem.dot(problem.rows[i], inner_problem.w(alpha))
            alpha[i] = loss.derivative(z, problem.y[i])
            for _, probability in method.choices(problem, state):
                yield Eq(probability, Q(1, c.n), "line 6: i is uniform")
            state = method.step(problem, state, i)
        w_tilde = inner_problem.w(alpha)
        yield from same(state.w_tilde, w_tilde, "line 11: w~_s is the last w")
        yield from same(state.alpha_tilde, alpha, "line 11: alpha~_s is the last alpha")


# -- (a) and (b) -------------------------------------------------------------------------------------------------------


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
    """theta, sigma, the least m = (p/q) n, and which (b) is used: the weights (L2), or d_m <= e_m (any g)."""

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


def one_epoch(theorem: Theorem, c: Context) -> Iterable[Relation]:
    """The proof's chain over all index sequences of one epoch of the method itself."""
    i, base, theta = inner(c), c.problem, theorem.theta
    start, rate = start_of(i), 1 - theorem.sigma * i.lam / i.mu
    state = c.method.init(base, c.start.alpha)
    state.w_tilde = list(i.v)
    cast(ASPDCiFixed, c.method).start_inner(base, state)
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


def too_fast(theorem: Theorem) -> Control:
    """The same chain with sigma = 3 must break at its last line: without data V shrinks by chi^2 only."""
    instance = one_row(Q(0)).but(method="aspdc-i-fixed", options={"kappa": Q(1, 2), "m": theorem.fewest(1)})
    check = lambda c: list(one_epoch(replace(theorem, sigma=Q(3)), c))[-1:]
    return altered("sigma = 3 on a problem without data", check, instance)


# -- the theorems ------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.algorithm-3.theorem-a",
    "Algorithm 3 converges (Theorems A, B, C, ours), E V_{s+1} <= (1 - sigma lam/(lam+kappa)) V_s with V_s = M(w~_s) -"
    " P* + theta E_s from every state: with theta = 1/4, sigma = 3/5 for m >= 2n and L2, as the paper runs it; theta ="
    " 1/3, sigma = 1/8 for m >= ceil(3n/2) and L2; the same for m >= 3n and any strongly convex g, elastic net"
    " included",
    origin=PAPER.ours("Algorithm 3", "Algorithm 3 works well"),
    hypotheses=(
        r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $g$ $\lambda$-strongly convex; $\kappa > 0$; $\lambda + \kappa"
        r" \ge 4R^2/(n \gamma)$ ($K \le 1/4$); uniform indices"
    ),
    evidence=[
        *(exact(pool, 0.2) for pool in (epochs_a, epochs_b, epochs_c)),
        golden(
            *(rows_of_ones(n) for n in range(1, 61)),
            detail="(a) and (b), n <= 60 one by one; n >= 15 (A), n >= 9 (B), every n (C) by formula",
        ),
        formal("algorithm_3_rate"),
    ],
    control=all_of(
        *(too_fast(theorem) for theorem in (A, B, C)),
        altered("m = n inner steps", lambda c: A.constants(c.n, c.K, c.n), rows_of_ones(1), rows_of_ones(20)),
    ),
    proof="docs/aspdc.md: (e) and (d) for one inner step, (ii) to (iv) for the step of the centre, (a) and (b) over m.",
)
def theorems(c: Context) -> Iterable[Relation]:
    """Every theorem that admits m and g: (a), (b), then the epoch. Without m: (a) and (b) alone, for this n."""
    if "m" not in c.instance.options:
        yield from constants(c)
        return
    m = c.instance.options["m"]
    K = c.R2 / ((c.problem.regularizer.lam + c.q(c.instance.options["kappa"])) * c.n * c.gamma)
    for theorem in (A, B, C):
        if m >= theorem.fewest(c.n) and (theorem.any_g or c.instance.l1 == 0):
            yield from theorem.constants(c.n, K, m)
            yield from one_epoch(theorem, c)
