"""PASSCoDe's theorem on Atomic and its first condition: false in the one reading that we know, repaired at tau = 0.

E[D(a+)] - D* <= eta (D(a) - D*),  eta = 1 - (kappa/L_max)(1 - q),  q = (2 L_max/R_min^2)(1 + u) u^2 <= 1 (condition 2)
6 tau (tau+1)^2 e M/sqrt(n) <= 1 (condition 1),  u = e tau M/sqrt(n)
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.papers.passcode.instances import duals, orthonormal, squared_duals
from dualgap.proofs_checks.papers.passcode.items import NO_ERROR, PAPER, UNDEFINED
from dualgap.proofs_checks.papers.passcode.setting import CONVEX, C, T, excess, orthogonal, paper_dual, sigma
from dualgap.proofs_checks.papers.vocabulary import minus, refuted, square
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval

LEAST_N = (4257, 86186, 612878, 2660061)  # for tau = 1, 2, 3, 4


def under_delay(tau: int, rows: int) -> Instance:
    """Two of that many orthonormal rows, C = 1, squared loss, two workers, delay tau."""
    return orthonormal(2).but(options={"threads": 2, "delay": tau}, extra=further(tau=tau, n=Q(rows)))


DELAYED = tuple(under_delay(tau, n) for tau, n in enumerate(LEAST_N, start=1))


@claim(
    "passcode.hypothesis-size",
    "Theorem on Atomic, condition 1: M >= 1, so it needs n >= 4257, 86186, 612878, 2660061 rows for tau = 1, 2, 3, 4; a"
    " smaller test of the theorem tests tau = 0 only",
    hypotheses="rows not all zero; M = max_i max_S ||sum_{t in S} Xbar_{:,t} x_it||, Xbar with rows x_i/||x_i||^2",
    evidence=[golden(*DELAYED, detail="M = 1; e enclosed by 20 digits", level="ENCLOSED")],
    control=fails_on(under_delay(1, 4256), under_delay(1, 4258), text="4256 and 4258 rows for tau = 1"),
    origin=PAPER.reading("condition 1", note=f"{UNDEFINED}; {NO_ERROR}"),
    proof=(
        "With S = all features component i of Xbar x_i is x_i.x_i/||x_i||^2 = 1, so M >= 1. M = 1 on rows without a"
        " common feature; on n equal rows M = sqrt(n), and no n and tau >= 1 satisfy the condition."
    ),
)
def condition_1(c: Context) -> Iterable[Relation]:
    tau, n = c.given.tau, c.given.n
    root = 6 * tau * (tau + 1) ** 2 * Interval(1).exp()
    yield Lt(Interval(n - 1), root * root, f"tau = {tau}: {n - 1} rows are too few")
    yield Le(root * root, Interval(n), f"tau = {tau}: {n} rows are enough for M = 1")


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
    if tau:  # M = 1
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
