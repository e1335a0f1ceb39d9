"""ASPDC, what its assumptions say of P and of the losses: strong convexity, the condition number of section 5, the
smooth hinge of section 6.
"""

from dualgap.proofs_checks.papers.aspdc.duality import ALIGNED, responses, square
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.steps import EQUAL_ROWS, SMOOTH
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.problem.problem import Vector

# -- Assumption 1 ------------------------------------------------------------------------------------------------------


def chord(c: Context, gamma: Number) -> Iterable[Relation]:
    """phi_i* between alpha_i and phi_i'(z_i), q of the way, against its chord less gamma q(1-q)/2 times the distance
    squared.
    """
    q, conjugate = c.given.q, c.problem.loss.conjugate
    for i, (a, b, y) in enumerate(zip(c.alpha, c.best, c.problem.y)):
        below = (1 - q) * conjugate(a, y) + q * conjugate(b, y) - gamma * q * (1 - q) * (b - a) * (b - a) / 2
        yield Le(conjugate((1 - q) * a + q * b, y), below, f"phi_{i}* lies below its chord by gamma q(1-q)(b - a)^2/2")


def between_logistic() -> SearchStrategy[Instance]:
    """Logistic loss, and a q."""
    return strategies.instances(
        K=Qs("1/4", 1),
        losses=("logistic",),
        max_n=2,
        max_d=2,
        max_path=0,
        extra=strategies.any_of(q=Qs("1/2", "1/4", "9/10")),
    )


@claim(
    "aspdc.strong-conjugate",
    r"After Assumption 1: $\varphi_i$ $(1/\gamma)$-smooth makes $\varphi_i^*$ $\gamma$-strongly convex:"
    r" $\varphi^*((1-q) a + q b) \le$ "
    r"$(1-q) \varphi^*(a) + q \varphi^*(b) -$ $\gamma q(1-q)(b - a)^2/2$, as (A8) uses it",
    hypotheses=f"{SMOOTH}; $a$, $b$ in the domain, $q$ in $[0, 1]$",
    origin=PAPER.printed("strong convexity of phi*", "(A8)", note=LOST),
    evidence=[exact(strategies.one_step_any), enclosed(between_logistic, 0.2)],
    control=altered("gamma + 1/1000, squared loss", lambda c: chord(c, c.gamma + Q(1, 1000)), EQUAL_ROWS),
)
def strong_conjugate(c: Context) -> Iterable[Relation]:
    yield from chord(c, c.gamma)


# -- Assumption 2 and the condition number -----------------------------------------------------------------------------


def two_points() -> SearchStrategy[Instance]:
    """L2, and a second w beside w(alpha)."""
    return strategies.with_point(strategies.instances(K=strategies.K_ANY))


def two_points_logistic() -> SearchStrategy[Instance]:
    """The same for the logistic loss and rows that are not all zero (there both sides are equal, which no interval
    decides).
    """
    drawn = strategies.instances(K=strategies.K_ANY, losses=("logistic",), max_n=2, max_d=2, max_path=0)
    return strategies.with_point(drawn.filter(lambda instance: any(map(any, instance.rows))))


def curvatures(c: Context) -> tuple[Number, Number]:
    """P(v) - P(w) - <grad P(w), v - w> and ||v - w||^2/2, w = w(alpha) and v the instance's other point."""
    v, w, problem = list(c.given.w), c.w, c.problem
    gradient: Vector = [problem.regularizer.lam * w_j for w_j in w]
    for row, slope in zip(problem.rows, responses(problem, w)):
        for j, x in row:
            gradient[j] = gradient[j] + slope * x / c.n
    linear = problem.zero
    for g_j, v_j, w_j in zip(gradient, v, w):
        linear = linear + g_j * (v_j - w_j)
    return problem.P(v) - problem.P(w) - linear, square(v, w, problem.zero) / 2


@claim(
    "aspdc.assumption-2",
    r"Assumption 2: for $g = (\lambda/2)\Vert w\Vert^2$ it holds: $P(v) \ge P(w) + \langle \nabla P(w), v -"
    r" w\rangle +$ "
    r"$(\lambda/2)\Vert v - w\Vert^2$",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; any rows",
    origin=PAPER.printed("Assumption 2", note=LOST),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=altered(
        "lam + 1/1000, no data", lambda c: modulus_of_P(c, c.mu + Q(1, 1000)), ALIGNED.but(rows=(Qs(0), Qs(0)))
    ),
)
def assumption_2(c: Context) -> Iterable[Relation]:
    yield from modulus_of_P(c, c.mu)


def modulus_of_P(c: Context, modulus: Number) -> Iterable[Relation]:
    """P is ``modulus``-strongly convex between the two points."""
    beyond, half = curvatures(c)
    yield Le(modulus * half, beyond, "P(v) >= P(w) + <grad P(w), v - w> + (modulus/2)||v - w||^2")


def smoothness_of_P(c: Context, L: Number) -> Iterable[Relation]:
    """P is L-smooth between the two points."""
    beyond, half = curvatures(c)
    yield Le(beyond, L * half, "P(v) <= P(w) + <grad P(w), v - w> + (L/2)||v - w||^2")


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
        note=f"the right side of the equation there, its bar restored: the one that is L/mu for every gamma; {UNITS}",
    ),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=altered(
        "L less 1/1000 at equal rows, squared loss",
        lambda c: smoothness_of_P(c, c.R2 / c.gamma + c.mu - Q(1, 1000)),
        ALIGNED,
    ),
    proof="phi_i'' <= 1/gamma and ||x_i|| <= R; attained by equal rows and squared loss.",
)
def condition(c: Context) -> Iterable[Relation]:
    yield from modulus_of_P(c, c.mu)
    yield from smoothness_of_P(c, condition_number(c) * c.mu)
    if c.R2 > 0:
        yield Lt(condition_number(c), c.R2 / (c.mu / 2 * c.gamma) + 1, "it grows as lam falls")


UNIT = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(2))


@claim(
    "aspdc.condition-number.legible",
    "Section 5, the left side of that equation as legible: the condition number of P is (1 + gamma lam)/lam",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $R = 1$",
    expected=REFUTED,
    origin=PAPER.reading(
        "condition number",
        note=(
            "'( 1 + gamma lam ) / lam' stands in the text at hand, where fraction bars are lost, so that the gamma may"
            " have stood below a bar. For gamma = 1, which all experiments of the paper have, it is right"
        ),
    ),
    evidence=[golden(UNIT.but(gamma=Q(1, 2)), detail="gamma = 1/2, lam = 2: 1 against 2")],
    control=holds_on(UNIT, UNIT.but(lam=Q(1, 10)), text="gamma = 1"),
)
def condition_legible(c: Context) -> Iterable[Relation]:
    yield Eq((1 + c.gamma * c.mu) / c.mu, condition_number(c), "(1 + gamma lam)/lam = 1/(lam gamma) + 1")


# -- the smooth hinge of section 6 -------------------------------------------------------------------------------------


PLACES = Qs(0, 1, -1, "1/2", "-1/2", "3/4", "1/3", 2, -2, "-7/2")
ONE_HINGE = tuple(
    UNIT.but(y=Qs(y), loss="smoothed-hinge", gamma=gamma, extra=further(z=PLACES))
    for y in (1, -1)
    for gamma in (None, Q(1))
)


def printed_hinge(m: Number) -> Number:
    """Section 6: 0 for m >= 1, 1/2 - m for m <= 0, (1 - m)^2/2 between, m = y z."""
    return m * 0 if m >= 1 else Q(1, 2) - m if m <= 0 else (1 - m) * (1 - m) / 2


def smooth_hinge_as_printed(c: Context, modulus: Number) -> Iterable[Relation]:
    """phi, phi* with its domain, and the smoothness 1/modulus."""
    loss, y, places = c.problem.loss, c.problem.y[0], c.given.z
    for z in places:
        yield Same(loss.value(z, y), printed_hinge(y * z), "phi")
        inside = -1 <= y * z <= 0
        yield Eq(int(loss.in_domain(z, y)), int(inside), "the domain of phi*: -1 <= y alpha <= 0")
        if inside:
            yield Same(loss.conjugate(z, y), y * z + z * z / 2, "phi* = y alpha + alpha^2/2")
        for other in places:
            slope = abs(loss.derivative(z, y) - loss.derivative(other, y))
            yield Le(modulus * slope, abs(z - other), "|phi'(a) - phi'(b)| <= |a - b|/modulus")


@claim(
    "aspdc.smooth-hinge",
    r"Section 6: the smooth hinge is 0, $1/2 - y z$, $(1 - y z)^2/2$ for $y z \ge 1$, $y z \le 0$, between; its"
    r" $\varphi^*$ is "
    r"$y \alpha + \alpha^2/2$ on $-1 \le y \alpha \le 0$; its $\gamma$ is 1",
    hypotheses=r"smoothed-hinge of this library with its $\gamma$ left out, and with $\gamma = 1$",
    origin=PAPER.printed("smooth hinge", "gamma of the smooth hinge", note=LOST),
    evidence=[golden(*ONE_HINGE, detail="y = 1 and -1, ten places, both kinks among them")],
    control=altered("gamma = 1 + 1/1000", lambda c: smooth_hinge_as_printed(c, Q(1001, 1000)), *ONE_HINGE),
)
def smooth_hinge(c: Context) -> Iterable[Relation]:
    yield from smooth_hinge_as_printed(c, c.gamma)
    yield Eq(c.gamma, Q(1), "gamma = 1")
