"""ASPDC, section 3: Assumptions 1 and 2, what they say of phi* and of P, and losses that do not satisfy them.

Assumption 1  phi_i convex, phi_i' (1/gamma)-Lipschitz, so that phi_i* is gamma-strongly convex
Assumption 2  P(v) >= P(w) + <grad P(w), v - w> + (lam/2)||v - w||^2
"""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, CYCLE, EQUAL_ROWS
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.setting import SMOOTH, responses
from dualgap.proofs_checks.papers.vocabulary import minus, square
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.proofs_checks.strategies.instances import any_of
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

# -- Assumption 1 ------------------------------------------------------------------------------------------------------


between_logistic = Pool(  # logistic loss, and a q
    "aspdc.between_logistic",
    strategies.instances,
    K=Qs("1/4", 1),
    losses=("logistic",),
    max_n=2,
    max_d=2,
    max_path=0,
    extra=any_of(q=Qs("1/2", "1/4", "9/10")),
)


@claim(
    "aspdc.strong-conjugate",
    r"After Assumption 1: $\varphi_i$ $(1/\gamma)$-smooth makes $\varphi_i^*$ $\gamma$-strongly convex:"
    r" $\varphi^*((1-q) a + q b) \le$ "
    r"$(1-q) \varphi^*(a) + q \varphi^*(b) -$ $\gamma q(1-q)(b - a)^2/2$, as (A8) uses it",
    hypotheses=f"{SMOOTH}; $a$, $b$ in the domain, $q$ in $[0, 1]$",
    origin=PAPER.printed("strong convexity of phi*", "(A8)", note=LOST),
    evidence=[
        exact(strategies.one_step_any),
        enclosed(between_logistic, 0.2),
        formal(
            "residual_lower",
            "squared_conjugate",
            "smoothed_hinge_conjugate",
            "squared_hinge_conjugate",
            "logistic_conjugate",
            "logistic_smooth",
        ),
    ],
    control=false_with("gamma + 1/1000, squared loss", EQUAL_ROWS, more=Q(1, 1000)),
)
def strong_conjugate(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    """phi_i* between alpha_i and phi_i'(z_i), q of the way, against its chord less gamma q(1-q)/2 distance^2."""
    q, conjugate, gamma = c.given.q, c.problem.loss.conjugate, c.gamma + more
    for i, (a, b, y) in enumerate(zip(c.alpha, c.best, c.problem.y)):
        below = (1 - q) * conjugate(a, y) + q * conjugate(b, y) - gamma * q * (1 - q) * (b - a) * (b - a) / 2
        yield Le(conjugate((1 - q) * a + q * b, y), below, f"phi_{i}* lies below its chord by gamma q(1-q)(b - a)^2/2")


def probabilities() -> SearchStrategy[Instance]:
    """One q in (0, 1)."""
    one = Instance((Qs(1),), Qs(1), Qs(0), Q(1), "logistic")
    return (
        st.fractions(min_value=0, max_value=1, max_denominator=1000)
        .filter(lambda q: 0 < q < 1)
        .map(lambda q: one.but(extra=further(q=q)))
    )


HINGE_CYCLE = CYCLE.but(loss="hinge", gamma=None)


# -- Assumption 2 ------------------------------------------------------------------------------------------------------


# L2, w(alpha) and a second w.
two_points = Pool("aspdc.two_points", strategies.with_point, strategies.instances(K=strategies.K_ANY))


def two_points_logistic() -> SearchStrategy[Instance]:
    """Logistic loss, rows not all zero (there both sides are equal, which no interval decides)."""
    drawn = strategies.instances(K=strategies.K_ANY, losses=("logistic",), max_n=2, max_d=2, max_path=0)
    return strategies.with_point(drawn.filter(lambda instance: any(map(any, instance.rows))))


def curvatures(c: Context) -> tuple[Number, Number]:
    """P(v) - P(w) - <grad P(w), v - w> and ||v - w||^2/2, w = w(alpha) and v the instance's other point."""
    v, w, problem = list(c.given.w), c.w, c.problem
    gradient: Vector = [problem.regularizer.lam * w_j for w_j in w]
    for row, slope in zip(problem.rows, responses(problem, w)):
        for j, x in row:
            gradient[j] = gradient[j] + slope * x / c.n
    linear = sum((g_j * (v_j - w_j) for g_j, v_j, w_j in zip(gradient, v, w)), problem.zero)
    return problem.P(v) - problem.P(w) - linear, square(minus(v, w)) / 2


@claim(
    "aspdc.assumption-2",
    r"Assumption 2: for $g = (\lambda/2)\Vert w\Vert^2$ it holds: $P(v) \ge P(w) + \langle \nabla P(w), v -"
    r" w\rangle +$ "
    r"$(\lambda/2)\Vert v - w\Vert^2$",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; any rows",
    origin=PAPER.printed("Assumption 2", note=LOST),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=false_with("lam + 1/1000, no data", ALIGNED.but(rows=(Qs(0), Qs(0))), more=Q(1, 1000)),
)
def assumption_2(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    beyond, half = curvatures(c)
    yield Le((c.mu + more) * half, beyond, "P(v) >= P(w) + <grad P(w), v - w> + (modulus/2)||v - w||^2")
