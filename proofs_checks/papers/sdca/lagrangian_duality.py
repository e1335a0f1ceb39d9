"""SDCA, slides "Lagrangian Duality", "Dual Problem", "Derivation" and "Relationship", and the Remark on smoothness.

g(lambda, nu) = inf_x L(x, lambda, nu), L = f_0 + sum lambda_i f_i + sum nu_i h_i
D(alpha') = (1/n) sum -phi_i*(-alpha'_i) - (lam/2)||w(alpha')||^2,  w(alpha') = (1/(lam n)) sum alpha'_i x_i
"""

from collections.abc import Callable, Iterable

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.sdca.instances import ILL_CONDITIONED, LEGAL, RIDGES, S, any_lipschitz, any_smooth
from dualgap.proofs_checks.papers.sdca.items import PAPER
from dualgap.proofs_checks.papers.sdca.mutants import wrong_steps_fail
from dualgap.proofs_checks.papers.sdca.setting import CONVEX, L2
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, slip
from dualgap.proofs_checks.strategies.instances import vectors
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector


@st.composite
def finite_domains(draw: DrawFn) -> Instance:
    """A few points x: a row is (f_1, .., f_m, h_1, .., h_p) at x, y is f_0 there; two pairs of multipliers, and s.

    Any numbers are the values of some functions, so that none of f_0, f_i, h_i needs to be convex.
    """
    points, constraints = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    numbers = vectors(constraints)
    rows, y = draw(st.lists(numbers, min_size=points, max_size=points).map(tuple)), draw(vectors(points))
    first, second = ((abs(m[0]), *m[1:]) for m in (draw(numbers), draw(numbers)))  # the first is a lambda >= 0
    extra = further(first=first, second=second, s=draw(st.sampled_from(S)))
    return Instance(rows, y, Qs(0) * points, Q(1), method="sdca", extra=extra)


def lagrangian(c: Context, multipliers: Vector) -> Vector:
    """L(x, lambda, nu) at the points of the domain."""
    return [y + sum((m * multipliers[j] for j, m in row), Q(0)) for row, y in zip(c.problem.rows, c.problem.y)]


def between(s: Number, first: Vector, second: Vector) -> Vector:
    """s first + (1 - s) second."""
    return [s * a + (1 - s) * b for a, b in zip(first, second)]


# g(nu) = min(nu, -nu); the supremum is |nu|
TWO_POINTS = LEGAL.but(rows=(Qs(1), Qs(-1)), y=Qs(0, 0), extra=further(first=Qs(1), second=Qs(-1), s=Q(1, 2)))


@claim(
    "sdca.concave",
    r"Lagrangian Duality: $g(\lambda, \nu) = \inf_x L(x, \lambda, \nu)$ is concave, $g(s p + (1-s) q) \ge s g(p) +"
    " (1-s) g(q)$, for all $f_0$, $f_i$ and $h_i$; $D$, the dual function of the Derivation, is also concave",
    hypotheses=r"$g$: any functions on a finite domain; $D$: any loss, L2; $0 \le s \le 1$",
    origin=PAPER.printed("g is concave"),
    evidence=[exact(finite_domains), golden(TWO_POINTS), exact(any_smooth, 0.5), exact(any_lipschitz, 0.5)],
    control=false_with("the supremum over x", TWO_POINTS, bound=max),
    proof="L is affine in (lambda, nu) for every x; an infimum of affine functions is concave.",
)
def concave(c: Context, bound: Callable[..., Number] = min) -> Iterable[Relation]:
    s = c.given.s
    if c.instance.extra.has("first", "second"):
        first, second = list(c.given.first), list(c.given.second)
        g_first, g_second, g_between = (bound(lagrangian(c, nu)) for nu in (first, second, between(s, first, second)))
        yield Le(s * g_first + (1 - s) * g_second, g_between, "g")
    else:
        D = c.problem.D
        yield Le(s * D(c.alpha) + (1 - s) * D(c.best), D(between(s, c.alpha, c.best)), "D")


@claim(
    "sdca.remark",
    r"Remark: if $\varphi_i$ is $(1/\gamma)$-smooth, $\varphi_i^*$ is $\gamma$-strongly convex: $\varphi^*(s a + (1-s)"
    r" b) \le$ $s \varphi^*(a) + (1-s) \varphi^*(b) -$ $(\gamma/2) s (1-s) (a - b)^2$",
    hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $a$, $b$ in the domain of $\varphi_i^*$, $0 \le s \le 1$",
    origin=PAPER.printed("Remark"),
    evidence=[exact(any_smooth), golden(ILL_CONDITIONED)],
    control=false_with("the modulus 2 gamma", ILL_CONDITIONED, factor=2),
)
def remark(c: Context, factor: int = 1) -> Iterable[Relation]:
    s, conjugate = c.given.s, c.problem.loss.conjugate
    for i, (a, b, y) in enumerate(zip(c.alpha, c.best, c.problem.y)):
        chord, inside = s * conjugate(a, y) + (1 - s) * conjugate(b, y), conjugate(s * a + (1 - s) * b, y)
        yield Le(inside + factor * c.gamma * s * (1 - s) * (a - b) ** 2 / 2, chord, f"i = {i}")


# -- the dual of the regularized problem ------------------------------------------------------------------------------


@claim(
    "sdca.4",
    r"Dual Problem and Relationship, in the slides' sign $\alpha' = -\alpha$: $w(\alpha') = (1/(\lambda n)) \sum"
    r" \alpha'_i x_i$, $D = (1/n) \sum -\varphi_i^*(-\alpha'_i) -$ $(\lambda/2)\Vert w(\alpha')\Vert^2$",
    hypotheses=L2,
    origin=PAPER.printed("Dual Problem", "Relationship"),
    evidence=RIDGES,
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6"),
)
def signs(c: Context) -> Iterable[Relation]:
    (w, alpha), problem = c.view, c.problem
    theirs = [-a for a in alpha]
    for j, w_j in enumerate(w):
        total = problem.zero
        for row, a in zip(problem.rows, theirs):
            total = total + a * dict(row).get(j, problem.zero)
        yield Same(w_j, total / (c.mu * c.n), f"w(alpha'), component {j}")
    conjugates = [problem.loss.conjugate(-a, y) for a, y in zip(theirs, problem.y)]
    yield Same(-c.mean(conjugates) - problem.regularizer.value(w), problem.D(alpha), "D(alpha')")
    z = [problem.dot(row, w) for row in problem.rows]
    terms = [problem.loss.value(z_i, y) + f - a * z_i for z_i, y, f, a in zip(z, problem.y, conjugates, alpha)]
    yield Same(problem.P(w) - problem.D(alpha), c.mean(terms), "P - D is the mean of n terms of Fenchel-Young")


SLIDE_LOSS = LONE_ROW.but(alpha=Qs(1), method="sdca")  # phi = (z - 1)^2/2


@slip(
    "sdca.dual",
    r"Derivation, its last line: the Lagrangian with $\sum \alpha_i (y^T x_i - z_i)$ has $\inf_z \varphi(z) - \alpha z"
    r" = -\varphi^*(-\alpha)$",
    hypotheses=r"$\varphi$ convex",
    origin=PAPER.printed(
        "Derivation",
        note="one line has a wrong sign. The final dual is correct: it belongs to the Lagrangian with z_i - y^T x_i",
    ),
    instead="sdca.4",
    assumes=[CONVEX],
    evidence=[golden(SLIDE_LOSS, detail="phi = (z-1)^2/2, alpha = 1: -3/2 against +1/2")],
    control=holds_on(SLIDE_LOSS.but(y=Qs(0)), text="phi = z^2/2, whose conjugate is even: it does hold there"),
    proof="By the definition of the conjugate, inf_z phi(z) - alpha z = -phi*(alpha).",
)
def dual_slide(c: Context) -> Iterable[Relation]:
    a, y, loss = c.alpha[0], c.problem.y[0], c.problem.loss
    z = y + c.gamma * a
    yield Eq(loss.derivative(z, y), a, "phi'(z) = alpha: z attains the minimum")
    yield Eq(loss.value(z, y) - a * z, -loss.conjugate(-a, y), "min_z phi(z) - alpha z")
