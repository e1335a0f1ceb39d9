"""ASPDC, section 3: Assumptions 1 and 2, what they say of phi* and of P; section 5, the condition number of P; section
6, the smooth hinge.

Assumption 1  phi_i convex, phi_i' (1/gamma)-Lipschitz, so that phi_i* is gamma-strongly convex
Assumption 2  P(v) >= P(w) + <grad P(w), v - w> + (lam/2)||v - w||^2
section 5     1/(lam gamma) + 1
section 6     phi = 0, 1/2 - y z, (1 - y z)^2/2 for y z >= 1, y z <= 0, between;
              phi* = y alpha + alpha^2/2 on -1 <= y alpha <= 0
"""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, EQUAL_ROWS, ONE_SAMPLE
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.setting import SMOOTH, responses
from dualgap.proofs_checks.papers.vocabulary import minus, refuted, square
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


# -- the condition number of P ----------------------------------------------------------------------------------------


def condition_number(c: Context) -> Number:
    """R^2/(lam gamma) + 1."""
    return c.R2 / (c.mu * c.gamma) + 1


@claim(
    "aspdc.condition-number",
    r"Section 5: the condition number of $P$ is $1/(\lambda \gamma) + 1$, here $R^2/(\lambda \gamma) + 1$: $P$ is "
    r"$(R^2/\gamma + \lambda)$-smooth and $\lambda$-strongly convex; it grows as $\lambda$ falls",
    hypotheses=(
        rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$ (the example after Assumption 2: another $g$ need not be smooth)"
    ),
    origin=PAPER.printed(
        "condition number",
        note=(
            f"the right side of the equation there, its bar lost {origins.RESTORED}: the one that is L/mu for every"
            f" gamma; {UNITS}"
        ),
    ),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=false_with("L less 1/1000 at equal rows, squared loss", ALIGNED, less=Q(1, 1000)),
    proof="phi_i'' <= 1/gamma and ||x_i|| <= R; attained by equal rows and squared loss.",
)
def condition_number_of_P(c: Context, less: Fraction = Q(0)) -> Iterable[Relation]:
    yield from assumption_2(c)
    beyond, half = curvatures(c)
    yield Le(beyond, (condition_number(c) * c.mu - less) * half, "P(v) <= P(w) + <grad P(w), v - w> + (L/2)||v - w||^2")
    if c.R2 > 0:
        yield Lt(condition_number(c), c.R2 / (c.mu / 2 * c.gamma) + 1, "it grows as lam falls")


@refuted(
    "aspdc.condition-number.legible",
    "Section 5, the left side of that equation as printed in our copy: the condition number of P is (1 +"
    " gamma lam)/lam",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $R = 1$",
    origin=PAPER.reading(
        "condition number",
        note=(
            "'( 1 + gamma lam ) / lam' is printed in our copy, where fraction bars are lost, so that the gamma may"
            " have been below a bar. For gamma = 1, which all experiments of the paper have, it is right"
        ),
    ),
    evidence=[golden(ONE_SAMPLE.but(gamma=Q(1, 2)), detail="gamma = 1/2, lam = 2: 1 against 2")],
    control=holds_on(ONE_SAMPLE, ONE_SAMPLE.but(lam=Q(1, 10)), text="gamma = 1"),
)
def condition_legible(c: Context) -> Iterable[Relation]:
    yield Eq((1 + c.gamma * c.mu) / c.mu, condition_number(c), "(1 + gamma lam)/lam = 1/(lam gamma) + 1")


# -- the smooth hinge --------------------------------------------------------------------------------------------------

PLACES = Qs(0, 1, -1, "1/2", "-1/2", "3/4", "1/3", 2, -2, "-7/2")
ONE_HINGE = tuple(
    ONE_SAMPLE.but(y=Qs(y), loss="smoothed-hinge", gamma=gamma, extra=further(z=PLACES))
    for y in (1, -1)
    for gamma in (None, Q(1))
)


@claim(
    "aspdc.smooth-hinge",
    r"Section 6: the smooth hinge is 0, $1/2 - y z$, $(1 - y z)^2/2$ for $y z \ge 1$, $y z \le 0$, between; its"
    r" $\varphi^*$ is "
    r"$y \alpha + \alpha^2/2$ on $-1 \le y \alpha \le 0$; its $\gamma$ is 1",
    hypotheses=r"smoothed-hinge of this library with its $\gamma$ left out, and with $\gamma = 1$",
    origin=PAPER.printed("smooth hinge", "gamma of the smooth hinge", note=LOST),
    evidence=[golden(*ONE_HINGE, detail="y = 1 and -1, ten places, both kinks among them")],
    control=false_with("gamma = 1 + 1/1000", *ONE_HINGE, modulus=Q(1001, 1000)),
)
def smooth_hinge(c: Context, modulus: Fraction = Q(1)) -> Iterable[Relation]:
    loss, y, places = c.problem.loss, c.problem.y[0], c.given.z
    for z in places:
        m = y * z
        yield Same(loss.value(z, y), m * 0 if m >= 1 else Q(1, 2) - m if m <= 0 else (1 - m) * (1 - m) / 2, "phi")
        inside = -1 <= m <= 0
        yield Eq(int(loss.in_domain(z, y)), int(inside), "the domain of phi*: -1 <= y alpha <= 0")
        if inside:
            yield Same(loss.conjugate(z, y), m + z * z / 2, "phi* = y alpha + alpha^2/2")
        for other in places:
            slope = abs(loss.derivative(z, y) - loss.derivative(other, y))
            yield Le(modulus * slope, abs(z - other), "|phi'(a) - phi'(b)| <= |a - b|/modulus")
    yield Eq(c.gamma, Q(1), "gamma = 1")
