"""PASSCoDe's theorem on Atomic and its first condition: false in the one reading that we know, repaired at tau = 0; and
divergence under delay.

E[D(a+)] - D* <= eta (D(a) - D*),  eta = 1 - (kappa/L_max)(1 - q),  q = (2 L_max/R_min^2)(1 + u) u^2 <= 1 (condition 2)
6 tau (tau+1)^2 e M/sqrt(n) <= 1 (condition 1),  u = e tau M/sqrt(n)
"""

from collections.abc import Iterable, Iterator
from itertools import product

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.papers.passcode.instances import duals, in_step, orthonormal, squared_duals
from dualgap.proofs_checks.papers.passcode.items import NO_ERROR, PAPER, UNDEFINED
from dualgap.proofs_checks.papers.passcode.setting import CONVEX, C, T, excess, orthogonal, paper_dual, sigma
from dualgap.proofs_checks.papers.vocabulary import minus, refuted, square
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval

# -- condition 1 -------------------------------------------------------------------------------------------------------


LEAST_N = (4257, 86186, 612878, 2660061)  # for tau = 1, 2, 3, 4


def under_delay(tau: int, rows: int) -> Instance:
    """Two of that many orthonormal rows, C = 1, squared loss, two workers, delay tau."""
    return orthonormal(2).but(options={"threads": 2, "delay": tau}, extra=further(tau=tau, n=Q(rows)))


DELAYED = tuple(under_delay(tau, n) for tau, n in enumerate(LEAST_N, start=1))
# orthogonal; S = {1}: M^2 = 101/4
ORTHOGONAL_PAIR = orthonormal(2).but(rows=(Qs(10, 10), Qs(1, -1)), y=Qs(1, -1))
EQUAL = [in_step(n, Q(1)) for n in (1, 2, 5)]


def images(c: Context, i: int, subsets: Iterable[tuple[int, ...]], sign: bool = True) -> Iterator[Number]:
    """||sum_{t in S} Xbar_{:,t} x_it||^2 for each 0/1 vector S, no zero rows; of |Xbar| |x_i| without ``sign``."""
    dense = [[dict(row).get(j, Q(0)) for j in range(c.problem.d)] for row in c.problem.rows]
    for inside in subsets:
        total = Q(0)
        for row, norm2 in zip(dense, c.problem.norms2):
            if norm2:
                terms = [chosen * x * other for chosen, x, other in zip(inside, row, dense[i])]
                total += (sum(terms if sign else map(abs, terms)) / norm2) ** 2
        yield total


def M2(c: Context) -> Number:
    """M^2 by its definition: the largest over all rows i and all sets S of features."""
    return max(value for i in range(c.n) for value in images(c, i, product((0, 1), repeat=c.problem.d)))


def all_features(c: Context, sign: bool = True) -> Number:
    """The same with S = all features alone; an upper bound without ``sign``."""
    return max(value for i in range(c.n) for value in images(c, i, [(1,) * c.problem.d], sign))


@claim(
    "passcode.hypothesis-size",
    "Theorem on Atomic, condition 1: 1 <= M <= max_i || |Xbar| |x_i| ||, so it needs n >= 4257, 86186, 612878, 2660061"
    " for tau = 1, 2, 3, 4; a smaller test of the theorem tests tau = 0 only. M = 1 on rows without a common feature; M"
    " = sqrt(n) on n equal rows, so that there the condition holds for no tau >= 1 and no n",
    hypotheses="rows not all zero; M = max_i max_S ||sum_{t in S} Xbar_{:,t} x_it||, Xbar with rows x_i/||x_i||^2",
    evidence=[
        golden(*DELAYED, detail="e enclosed by 20 digits", level="ENCLOSED"),
        exact(duals),
        golden(ORTHOGONAL_PAIR, orthonormal(3), *EQUAL, detail="M^2 = 101/4; orthonormal; equal"),
    ],
    control=all_of(
        fails_on(under_delay(1, 4256), under_delay(1, 4258), text="4256 and 4258 rows for tau = 1"),
        altered("S = all features alone", lambda c: [Le(M2(c), all_features(c), "")], ORTHOGONAL_PAIR),
    ),
    origin=PAPER.reading("condition 1", note=f"{UNDEFINED}; {NO_ERROR}"),
    proof=(
        "S = all features: component i of Xbar x_i is x_i.x_i/||x_i||^2 = 1, so M >= 1. Equal rows: every component is"
        " sum_{t in S} x_t^2/||x||^2 <= 1. 6 tau (tau+1)^2 e > 1."
    ),
)
def condition_1(c: Context) -> Iterable[Relation]:
    if not c.R2:
        return
    value = M2(c)
    yield Le(1, value, "1 <= M^2")
    yield Le(value, all_features(c, sign=False), "M^2 <= max_i || |Xbar| |x_i| ||^2")
    supports = [set(dict(row)) for row in c.problem.rows]
    if not any(supports[i] & supports[j] for i in range(c.n) for j in range(i)):
        yield Eq(value, 1, "M = 1 on rows without a common feature")
    if all(row == c.problem.rows[0] for row in c.problem.rows):
        yield Eq(value, c.n, "M^2 = n on equal rows")
    if c.instance.extra.has("tau", "n"):
        tau, n = c.given.tau, c.given.n
        root = 6 * tau * (tau + 1) ** 2 * Interval(1).exp()
        yield Lt(Interval(n - 1), root * root, f"tau = {tau}: {n - 1} rows are too few")
        yield Le(root * root, Interval(n), f"tau = {tau}: {n} rows are enough for M = 1")


# -- the theorem -------------------------------------------------------------------------------------------------------


@refuted(
    "passcode.theorem",
    "Theorem on Atomic, read with the paper's kappa and L_max: on n orthonormal rows kappa = M = R_min = 1 and L_max ="
    " max sigma_i, and the first step has E[D(a+)] - D* <= eta (D(a) - D*), at tau = 0, and where both conditions hold"
    " for tau = 1, 2, 3, 4, from n = 4257, 86186, 612878, 2660061 on",
    hypotheses="squared loss, C = 1, orthonormal rows; all of them are alike, so that two stand for n",
    evidence=[
        golden(orthonormal(3), orthonormal(10), detail="tau = 0, n = 3: 2/3 against 1/2; n = 10: 9/10 against 1/2"),
        golden(*DELAYED, level="ENCLOSED", detail="tau = 1: 4256/4257 against eta < 0.504"),
        formal("passcode_reading_false", refutes=True),
    ],
    control=holds_on(orthonormal(1), orthonormal(2), under_delay(0, 2), text="tau = 0, n <= 2, where 1 - 1/n <= 1/2"),
    origin=PAPER.reading(
        "Theorem",
        "condition 1",
        "condition 2",
        note=f"{UNDEFINED}. It would hold with a kappa of order 1/n; {NO_ERROR}",
    ),
    proof=(
        "Nothing is in flight at the first step, which sets one of n coordinates to its optimum: the contraction is"
        " exactly 1 - 1/n, whatever tau. T(a) = a*, so kappa = 1, and L_max = 2: the rate so read is about 1/2. A"
        " factor of order R_min^2/n is missing."
    ),
)
def theorem(c: Context) -> Iterable[Relation]:
    tau, n, before, L = c.given.get("tau", 0), c.given.get("n", Q(c.n)), excess(c, c.alpha), max(sigma(c))
    yield Eq(c.expect(lambda s: excess(c, s.alpha)), (1 - Q(1, c.n)) * before, "one step: the contraction is 1 - 1/n")
    u = Q(0)
    if tau:
        yield Eq(M2(c), 1, "M = 1")
        u = Interval(1).exp() * tau / sqrt(Interval(n))
    q = q_of(u, L)
    if 6 * (tau + 1) ** 2 * u <= 1 and q <= 1:
        yield Le(1 - 1 / n, 1 - (1 - q) / L, "1 - 1/n <= eta")


def q_of(u: Number, ratio: Number) -> Number:
    """(2 L_max/R_min^2)(1 + u) u^2; ``ratio`` is L_max/R_min^2."""
    return 2 * ratio * (1 + u) * u * u


def kappa_and_L(c: Context) -> tuple[Number, Number]:
    """A lower bound of kappa and an upper bound of L for squared loss, exact for equal rows and for orthonormal rows.

    D_PC has the Hessian Q = X X^T + (gamma/C) I, and T(a) - a = -diag(Q)^-1 Q (a - a*). So L <= the largest absolute
    row sum of Q, and kappa >= lambda_min(Q)/max sigma >= (gamma/C)/max sigma; for orthogonal rows kappa = 1.
    """
    dense = [dict(row) for row in c.problem.rows]
    products = [[sum((x * other.get(j, 0) for j, x in row.items()), Q(0)) for other in dense] for row in dense]
    sums = [sum(map(abs, row), Q(0)) for row in products]
    kappa = Q(1) if orthogonal(c) else c.gamma / C(c) / max(sigma(c))
    return kappa, max(sums) + c.gamma / C(c)


@claim(
    "passcode.theorem.repaired",
    "Theorem on Atomic at tau = 0, true form: E[D(a) - D(a+)] >= (1/(2n)) sum sigma_i (T_i(a) - a_i)^2 >= (min"
    " sigma/(2n)) ||T(a) - a||^2, sigma_i = ||x_i||^2 + gamma/C; for squared loss E[D(a+)] - D* <= (1 - kappa^2 min"
    " sigma/(n L))(D(a) - D*), ||T(a) - a|| >= kappa ||a - a*||, L >= lambda_max of the dual's Hessian",
    hypotheses=rf"{CONVEX} ($\gamma = 0$ where it is not smooth)",
    evidence=[
        exact(duals),
        exact(squared_duals),
        golden(orthonormal(10), orthonormal(3), detail="where the rate so read fails"),
    ],
    control=all_of(
        false_with("twice the decrease", orthonormal(2), factor=2),
        false_with("the 1/n left out, as in print", orthonormal(10), orthonormal(3), rows=1),
    ),
    origin=PAPER.ours("Theorem"),
    proof=(
        "A step minimises a sigma_i-strongly convex function of one coordinate exactly: it gains at least sigma_i (T_i"
        " - a_i)^2/2. Average over i. Then ||T(a) - a||^2 >= kappa^2 ||a - a*||^2, and D(a) - D* <= (L/2) ||a - a*||^2."
    ),
)
def theorem_repaired(c: Context, factor: int = 1, rows: int | None = None) -> Iterable[Relation]:
    a = paper_dual(c, c.alpha)
    moves, least = minus(T(c), a), min(sigma(c))
    decrease = sum((s * move * move for s, move in zip(sigma(c), moves)), Q(0)) / (2 * c.n)
    yield Le(factor * decrease, c.expected_increase / c.mu, "E[D(a) - D(a+)] >= (1/2n) sum sigma_i (T_i - a_i)^2")
    yield Le(least * square(moves) / (2 * c.n), decrease, ">= (min sigma/2n) ||T - a||^2")
    if c.problem.loss.name == "squared":
        (kappa, L), before = kappa_and_L(c), excess(c, c.alpha)
        to_star = square(minus(a, paper_dual(c, c.optimum)))
        yield Le(kappa**2 * to_star, square(moves), "||T(a) - a|| >= kappa ||a - a*||")
        rate = 1 - kappa**2 * least / ((rows or c.n) * L)
        yield Le(c.expect(lambda s: excess(c, s.alpha)), rate * before, "E D+ - D*", trivial=before)


# -- what delay can do -------------------------------------------------------------------------------------------------


@claim(
    "passcode.divergence",
    "No rate holds for every delay: Atomic with tau = n - 1 on n equal rows, squared loss, lam n = 1, all workers in"
    " step: a round multiplies w by -(n-1)/(1+gamma), so |w - w*| and D* - D grow without bound as soon as tau > 1 +"
    " gamma",
    hypotheses="the instances named; w* = 0",
    evidence=[
        golden(
            *(in_step(n, gamma) for n in (4, 5, 8) for gamma in Qs(1, "1/2", "1/100")),
            in_step(3, Q(1, 2)),
            detail="n = 3, 4, 5, 8; 6 rounds of n steps",
        )
    ],
    control=all_of(
        fails_on(in_step(4, Q(1, 2)).but(options={"threads": 4, "delay": 0}), text="tau = 0, same order"),
        fails_on(in_step(2, Q(1, 2)), text="tau = 1 < 1 + gamma: no growth"),
    ),
    origin=PAPER.ours("Theorem", note="why a rate needs a condition on tau"),
    proof=(
        "All i use the same w = -sum alpha_i: alpha_i <- (w + alpha_i)/(1 + gamma). The sum over i is w <- -(n-1)"
        " w/(1+gamma). D* - D >= (lam/2) ||w - w*||^2 at w = w(alpha)."
    ),
)
def divergence(c: Context) -> Iterable[Relation]:
    state, before = c.state, c.w[0]
    for t in range(c.given.rounds):
        for worker in range(c.n):
            # the writes of the round before, the oldest in flight
            earlier = 0 if t == 0 else 2 ** (c.n - 1 - worker) - 1
            state = c.method.step(c.problem, state, (worker, worker, earlier))
        (w,), alpha = c.method.view(c.problem, state)
        yield Eq(w, -(c.n - 1) * before / (1 + c.gamma), f"round {t + 1}: w <- -(n-1) w/(1+gamma)")
        yield Lt(abs(before), abs(w), f"round {t + 1}: |w - w*| grows")
        yield Le(c.mu * w * w / 2, c.D_star - c.problem.D(alpha), f"round {t + 1}: D* - D >= (lam/2) |w - w*|^2")
        before = w
