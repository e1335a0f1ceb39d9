"""PASSCoDe's theorem on Atomic: false in the one reading that we know, repaired at tau = 0, and divergence under delay.

E[D(a+)] - D* <= eta (D(a) - D*)
eta = 1 - (kappa/L_max)(1 - (2 L_max/R_min^2)(1 + e tau M/sqrt(n)) tau^2 M^2 e^2/n)
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.papers.passcode.instances import duals, in_step, orthonormal, squared_duals
from dualgap.proofs_checks.papers.passcode.items import NO_ERROR, PAPER, UNDEFINED
from dualgap.proofs_checks.papers.passcode.setting import CONVEX, C, T, excess, orthogonal, paper_dual, sigma
from dualgap.proofs_checks.papers.passcode.theorem_conditions import LEAST_N, M2, q_of
from dualgap.proofs_checks.papers.vocabulary import minus, refuted, square
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval


@refuted(
    "passcode.theorem",
    "Theorem on Atomic, read with the paper's kappa and L_max, at tau = 0: E[D(a+)] - D* <= (1 - kappa/L_max)(D(a) -"
    " D*); on orthogonal rows kappa = 1 and L_max = max sigma_i",
    hypotheses="squared loss, rows orthogonal with max ||x_i|| = 1; at tau = 0 both printed conditions hold",
    evidence=[
        golden(orthonormal(3), orthonormal(10), detail="n = 3: 2/3 against 1/2; n = 10: 9/10 against 1/2"),
        formal("passcode_reading_false", refutes=True),
    ],
    control=holds_on(orthonormal(1), orthonormal(2), text="n <= 2, where 1 - 1/n <= 1/2"),
    origin=PAPER.reading("Theorem", note=f"{UNDEFINED}. It would hold with a kappa of order 1/n; {NO_ERROR}"),
    proof=(
        "Orthonormal rows, l_i = (v - y_i)^2/2: one step sets one coordinate to its optimum, so the contraction is"
        " exactly 1 - 1/n. T(a) = a*, so kappa = 1, and L_max = 2: the rate so read is 1/2 for every n. A factor of"
        " order R_min^2/n is missing."
    ),
)
def theorem(c: Context) -> Iterable[Relation]:
    if orthogonal(c) and c.R2 == 1 and c.problem.loss.name == "squared":
        before, after = excess(c, c.alpha), c.expect(lambda s: excess(c, s.alpha))
        yield Le(after, (1 - 1 / max(sigma(c))) * before, "E D+ - D* <= eta (D - D*)", trivial=before)


@claim(
    "passcode.theorem.repaired",
    "Theorem on Atomic at tau = 0, true form: E[D(a) - D(a+)] >= (1/(2n)) sum sigma_i (T_i(a) - a_i)^2 >= (min"
    " sigma/(2n)) ||T(a) - a||^2, sigma_i = ||x_i||^2 + gamma/C",
    hypotheses=rf"{CONVEX} ($\gamma = 0$ where it is not smooth)",
    evidence=[exact(duals)],
    control=false_with("twice the decrease", orthonormal(2), factor=2),
    origin=PAPER.ours("Theorem"),
    proof=(
        "A step minimises a sigma_i-strongly convex function of one coordinate exactly: it gains at least sigma_i (T_i"
        " - a_i)^2/2. Average over i."
    ),
)
def theorem_repaired(c: Context, factor: int = 1) -> Iterable[Relation]:
    moves = minus(T(c), paper_dual(c, c.alpha))
    decrease = sum((s * move * move for s, move in zip(sigma(c), moves)), Q(0)) / (2 * c.n)
    yield Le(factor * decrease, c.expected_increase / c.mu, "E[D(a) - D(a+)] >= (1/2n) sum sigma_i (T_i - a_i)^2")
    yield Le(min(sigma(c)) * square(moves) / (2 * c.n), decrease, ">= (min sigma/2n) ||T - a||^2")


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
    "passcode.theorem.rate.repaired",
    "Theorem on Atomic at tau = 0, linear rate for squared loss: E[D(a+)] - D* <= (1 - kappa^2 min sigma/(n L))(D(a) -"
    " D*), ||T(a) - a|| >= kappa ||a - a*||, L >= lambda_max of the dual's Hessian",
    hypotheses="squared loss, L2, any lam > 0",
    evidence=[exact(squared_duals), golden(orthonormal(10), orthonormal(3), detail="where the rate so read fails")],
    control=false_with("the 1/n left out, as in print", orthonormal(10), orthonormal(3), rows=1),
    origin=PAPER.ours("Theorem"),
    proof=(
        "E[D(a) - D(a+)] >= (min sigma/2n) ||T(a) - a||^2 >= (min sigma kappa^2/2n) ||a - a*||^2, and D(a) - D* <="
        " (L/2) ||a - a*||^2."
    ),
)
def theorem_rate_repaired(c: Context, rows: int | None = None) -> Iterable[Relation]:
    kappa, L = kappa_and_L(c)
    before, after, a = excess(c, c.alpha), c.expect(lambda s: excess(c, s.alpha)), paper_dual(c, c.alpha)
    to_star = square(minus(a, paper_dual(c, c.optimum)))
    yield Le(kappa**2 * to_star, square(minus(T(c), a)), "||T(a) - a|| >= kappa ||a - a*||")
    yield Le(after, (1 - kappa**2 * min(sigma(c)) / ((rows or c.n) * L)) * before, "E D+ - D*", trivial=before)


# -- what delay can do -------------------------------------------------------------------------------------------------


def under_delay(tau: int, rows: int) -> Instance:
    """Two of that many orthonormal rows, C = 1, squared loss, two workers, delay tau."""
    return orthonormal(2).but(options={"threads": 2, "delay": tau}, extra=further(tau=tau, n=Q(rows)))


@refuted(
    "passcode.theorem.delayed",
    "Theorem on Atomic, read with the paper's constants, for tau >= 1: on n orthonormal rows both conditions hold from"
    " n = 4257, 86186, 612878, 2660061 on for tau = 1, 2, 3, 4, and the first step has E[D(a+)] - D* <= eta (D(a) -"
    " D*), eta with kappa = M = R_min = 1 and L_max = 2",
    hypotheses="squared loss, C = 1, orthonormal rows; all of them are alike, so that two stand for n",
    origin=PAPER.reading(
        "Theorem",
        "condition 1",
        "condition 2",
        note=f"{UNDEFINED}. It would hold with a kappa of order 1/n; {NO_ERROR}",
    ),
    evidence=[
        golden(
            *(under_delay(tau, n) for tau, n in enumerate(LEAST_N, start=1)),
            level="ENCLOSED",
            detail="tau = 1: 4256/4257 against eta < 0.504",
        )
    ],
    control=holds_on(under_delay(0, 2), under_delay(0, 1), text="tau = 0 and n <= 2"),
    proof=(
        "Nothing is in flight at the first step, which sets one of n coordinates to its optimum: the contraction is 1 -"
        " 1/n, whatever tau."
    ),
)
def theorem_delayed(c: Context) -> Iterable[Relation]:
    tau, n, before = c.given.tau, Interval(c.given.n), excess(c, c.alpha)
    yield Eq(c.expect(lambda s: excess(c, s.alpha)), (1 - Q(1, c.n)) * before, "one step: the contraction is 1 - 1/n")
    yield Eq(M2(c), 1, "M = 1")
    u, L = Interval(1).exp() * tau / sqrt(n), max(sigma(c))
    q = q_of(u, L)
    if 6 * (tau + 1) ** 2 * u <= 1 and q <= 1:
        yield Le(1 - 1 / n, 1 - (1 - q) / L, "1 - 1/n <= eta")


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
