"""PASSCoDe's theorem on Atomic: false in the one reading that we know, repaired at tau = 0, the size of its hypothesis,
and divergence.
"""

from dualgap.proofs_checks.papers.passcode.items import PAPER
from dualgap.proofs_checks.papers.passcode.items_icml import UNDEFINED
from dualgap.proofs_checks.papers.passcode.steps import CONVEX, C, minus, paper_dual, rational, square
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Interval
from dualgap.reference.problem.problem import Vector

# Every rational loss, L2, tau = 0.
duals = Pool("passcode.duals", rational, method="passcode-atomic")
# Squared loss, L2, tau = 0.
squared_duals = Pool("passcode.squared_duals", rational, ("squared",), method="passcode-atomic")


# -- the theorem on Atomic ------------------------------------------------------------------------------------------


def sigma(c: Context) -> Vector:
    """sigma_i = ||x_i||^2 + gamma/C: D_PC is sigma_i-strongly convex in coordinate i."""
    return [norm2 + c.gamma / C(c) for norm2 in c.problem.norms2]


def T(c: Context) -> Vector:
    """T_i(a), the exact minimiser of D_PC over coordinate i: what the method's own step makes of row i."""
    found = list(c.alpha)
    for successor in c.successors:
        found[successor.choice] = successor.alpha[successor.choice]
    return paper_dual(c, found)


def excess(c: Context, alpha: Vector) -> Number:
    """D_PC(a) - D_PC* = (D* - D)/lam."""
    return (c.D_star - c.problem.D(alpha)) / c.mu


def orthogonal(c: Context) -> bool:
    """Whether all rows are orthogonal and not zero."""
    dense = [dict(row) for row in c.problem.rows]
    return all(c.problem.norms2) and all(not set(x) & set(other) for k, x in enumerate(dense) for other in dense[:k])


def orthonormal(n: int) -> Instance:
    """x_i = e_i, C = 1, l_i(v) = (v - 1)^2/2, from a = 0."""
    return Instance(
        rows=tuple(tuple(Q(int(i == j)) for j in range(n)) for i in range(n)),
        y=Qs(*[1] * n),
        alpha=Qs(*[0] * n),
        lam=Q(1, n),
        method="passcode-atomic",
    )


@claim(
    "passcode.theorem",
    "Theorem on Atomic, read with the paper's kappa and L_max, at tau = 0: E[D(a+)] - D* <= (1 - kappa/L_max)(D(a) -"
    " D*); on orthogonal rows kappa = 1 and L_max = max sigma_i",
    hypotheses="squared loss, rows orthogonal with max ||x_i|| = 1; at tau = 0 both printed conditions hold",
    evidence=[
        golden(orthonormal(3), orthonormal(10), detail="n = 3: 2/3 against 1/2; n = 10: 9/10 against 1/2"),
        formal("passcode_reading_false", refutes=True),
    ],
    control=holds_on(orthonormal(1), orthonormal(2), text="n <= 2, where 1 - 1/n <= 1/2"),
    expected="REFUTED",
    origin=PAPER.reading(
        "Theorem",
        note=f"{UNDEFINED}. With a kappa of order 1/n it would hold; neither the slides nor the paper are accused",
    ),
    proof=(
        "Orthonormal rows, l_i = (v - y_i)^2/2: one step sets one coordinate to its optimum, so the contraction is"
        " exactly 1 - 1/n. T(a) = a*, so kappa = 1, and L_max = 2: the rate so read is 1/2 for every n. A factor of"
        " order R_min^2/n is missing."
    ),
)
def theorem(c: Context) -> Iterable[Relation]:
    if orthogonal(c) and c.R2 == 1 and c.problem.loss.name == "squared":
        before = excess(c, c.alpha)
        yield Le(
            c.expect(lambda s: excess(c, s.alpha)),
            (1 - 1 / max(sigma(c))) * before,
            "E D+ - D* <= eta (D - D*)",
            trivial=before,
        )


def kappa_and_L(c: Context) -> tuple[Number, Number]:
    """kappa from below and L from above for squared loss, both attained by equal rows and by orthogonal rows of one
    norm.

    D_PC has the Hessian Q = X X^T + (gamma/C) I, and T(a) - a = -diag(Q)^-1 Q (a - a*). So L <= the largest absolute
    row sum of Q, and kappa >= lambda_min(Q)/max sigma >= (gamma/C)/max sigma; for orthogonal rows kappa = 1.
    """
    dense = [dict(row) for row in c.problem.rows]
    sums = [
        sum((abs(sum((x * other.get(j, 0) for j, x in row.items()), Q(0))) for other in dense), Q(0)) for row in dense
    ]
    kappa = Q(1) if orthogonal(c) else c.gamma / C(c) / max(sigma(c))
    return kappa, max(sums) + c.gamma / C(c)


def without_n(c: Context) -> Iterable[Relation]:
    """The repaired rate with its 1/n left out."""
    kappa, L = kappa_and_L(c)
    yield Le(c.expect(lambda s: excess(c, s.alpha)), (1 - kappa**2 * min(sigma(c)) / L) * excess(c, c.alpha), "")


@claim(
    "passcode.theorem.repaired",
    "Theorem on Atomic at tau = 0, true form: E[D(a) - D(a+)] >= (1/(2n)) sum sigma_i (T_i(a) - a_i)^2 >= (min"
    " sigma/(2n)) ||T(a) - a||^2, sigma_i = ||x_i||^2 + gamma/C",
    hypotheses=rf"{CONVEX} ($\gamma = 0$ where it is not smooth)",
    evidence=[exact(duals)],
    control=altered(
        "twice the decrease", lambda c: [Le(2 * decrease_bound(c), c.expected_increase / c.mu, "")], orthonormal(2)
    ),
    origin=PAPER.ours("Theorem"),
    proof=(
        "A step minimises a sigma_i-strongly convex function of one coordinate exactly: it gains at least sigma_i (T_i"
        " - a_i)^2/2. Average over i."
    ),
)
def theorem_repaired(c: Context) -> Iterable[Relation]:
    yield Le(decrease_bound(c), c.expected_increase / c.mu, "E[D(a) - D(a+)] >= (1/2n) sum sigma_i (T_i - a_i)^2")
    yield Le(
        min(sigma(c)) * square(minus(T(c), paper_dual(c, c.alpha))) / (2 * c.n),
        decrease_bound(c),
        ">= (min sigma/2n) ||T - a||^2",
    )


def decrease_bound(c: Context) -> Number:
    """(1/(2n)) sum sigma_i (T_i(a) - a_i)^2."""
    moves = minus(T(c), paper_dual(c, c.alpha))
    return sum((s * move * move for s, move in zip(sigma(c), moves)), Q(0)) / (2 * c.n)


@claim(
    "passcode.theorem.rate.repaired",
    "Theorem on Atomic at tau = 0, linear rate for squared loss: E[D(a+)] - D* <= (1 - kappa^2 min sigma/(n L))(D(a) -"
    " D*), ||T(a) - a|| >= kappa ||a - a*||, L >= lambda_max of the dual's Hessian",
    hypotheses="squared loss, L2, any lam > 0",
    evidence=[exact(squared_duals), golden(orthonormal(10), orthonormal(3), detail="where the rate so read fails")],
    control=altered("the 1/n left out, as in print", without_n, orthonormal(10), orthonormal(3)),
    origin=PAPER.ours("Theorem"),
    proof=(
        "E[D(a) - D(a+)] >= (min sigma/2n) ||T(a) - a||^2 >= (min sigma kappa^2/2n) ||a - a*||^2, and D(a) - D* <="
        " (L/2) ||a - a*||^2."
    ),
)
def theorem_rate_repaired(c: Context) -> Iterable[Relation]:
    kappa, L = kappa_and_L(c)
    before = excess(c, c.alpha)
    yield Le(
        kappa**2 * square(minus(paper_dual(c, c.alpha), paper_dual(c, c.optimum))),
        square(minus(T(c), paper_dual(c, c.alpha))),
        "||T(a) - a|| >= kappa ||a - a*||",
    )
    yield Le(
        c.expect(lambda s: excess(c, s.alpha)),
        (1 - kappa**2 * min(sigma(c)) / (c.n * L)) * before,
        "E D+ - D*",
        trivial=before,
    )


def hypothesis_at(tau: int, n: int) -> Instance:
    """The delay tau beside the least number of rows that condition 1 admits for M = 1."""
    return orthonormal(2).but(extra=further(tau=tau, least_n=n))


@claim(
    "passcode.hypothesis-size",
    "Theorem on Atomic, condition 1: 6 tau (tau+1)^2 e M/sqrt(n) <= 1 with M >= 1 always, so it needs n >= 4257, 86186,"
    " 612878, 2660061 for tau = 1, 2, 3, 4; a smaller test of the theorem tests tau = 0 only",
    hypotheses="rows not all zero; M = max_i max_S ||sum_{t in S} Xbar_{:,t} x_it||, Xbar with rows x_i/||x_i||^2",
    evidence=[
        golden(
            *(hypothesis_at(tau, n) for tau, n in enumerate((4257, 86186, 612878, 2660061), start=1)),
            detail="e enclosed by 20 digits",
            level="ENCLOSED",
        ),
        exact(duals),
    ],
    control=fails_on(hypothesis_at(1, 4256), hypothesis_at(1, 4258), text="4256 and 4258 rows for tau = 1"),
    origin=PAPER.reading("condition 1", note=f"{UNDEFINED}; nobody is accused"),
    proof="S = all features: component i of Xbar x_i is x_i.x_i/||x_i||^2 = 1, so M >= M_i >= 1.",
)
def hypothesis_size(c: Context) -> Iterable[Relation]:
    dense = [dict(row) for row in c.problem.rows]
    for i, row in enumerate(dense):
        if c.problem.norms2[i]:
            image = [
                sum((x * other.get(j, 0) for j, x in row.items()), Q(0)) / norm2
                for other, norm2 in zip(dense, c.problem.norms2)
                if norm2
            ]
            yield Le(1, square(image), f"M_{i} >= ||Xbar x_{i}|| >= 1")
    if c.instance.extra.has("tau", "least_n"):
        tau, n = c.given.tau, c.given.least_n
        root = 6 * tau * (tau + 1) ** 2 * Interval(1).exp()
        yield Lt(Interval(n - 1), root * root, f"tau = {tau}: {n - 1} rows are too few")
        yield Le(root * root, Interval(n), f"tau = {tau}: {n} rows are enough for M = 1")


# -- what delay can do ------------------------------------------------------------------------------------------------


def in_step(workers: int, gamma: Fraction) -> Instance:
    """n rows x_i = 1, y = 0, lam n = 1, one row a worker: in each round all read the w of the round's start (tau = n -
    1).
    """
    return Instance(
        rows=(Qs(1),) * workers,
        y=Qs(*[0] * workers),
        alpha=Qs(1, *[0] * (workers - 1)),
        lam=Q(1, workers),
        gamma=gamma,
        method="passcode-atomic",
        options={"threads": workers, "delay": workers - 1},
        extra=further(rounds=6),
    )


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
        "alpha_i <- (w + alpha_i)/(1 + gamma) for all i from the same w = -sum alpha_i. Sum over i: w <- -(n-1)"
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
