"""SDCA, duality: the dual function of the slides is concave, their remark on smoothness, and the gap as a sum over the
rows.
"""

from dualgap.proofs_checks.papers.sdca.items import PAPER
from dualgap.proofs_checks.papers.sdca.steps import (
    ILL_CONDITIONED,
    L2,
    S,
    any_lipschitz,
    any_logistic,
    any_smooth,
    wrong_steps_fail,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector


@claim(
    "sdca.gap",
    "Beside Dual Problem: P(w(alpha')) - D(alpha') = (1/n) sum [phi_i(z_i) + phi_i*(-alpha'_i) + alpha'_i z_i], n terms"
    " none of which is negative",
    hypotheses=L2,
    origin=PAPER.ours("Dual Problem", "Relationship"),
    evidence=[exact(any_smooth, 0.5), exact(any_lipschitz, 0.5), enclosed(any_logistic, 0.1)],
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6"),
    proof="lam ||w(alpha')||^2 = (1/n) sum alpha'_i z_i; Fenchel-Young.",
)
def gap_by_rows(c: Context) -> Iterable[Relation]:
    (w, alpha), problem = c.view, c.problem
    z = [problem.dot(row, w) for row in problem.rows]
    terms = [
        problem.loss.value(z_i, y) + problem.loss.conjugate(a, y) - a * z_i for z_i, y, a in zip(z, problem.y, alpha)
    ]
    yield Same(problem.P(w) - problem.D(alpha), c.mean(terms), "P - D")


# -- g is concave ----------------------------------------------------------------------------------------------------


@st.composite
def finite_domains(draw: DrawFn) -> Instance:
    """A domain of a few points x: a row is (f_1, .., f_m, h_1, .., h_p) at x, y is f_0 there; two pairs of multipliers,
    and s.

    Any numbers are the values of some functions, so that none of f_0, f_i, h_i needs to be convex.
    """
    points, constraints = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    numbers = st.lists(st.sampled_from(COORDINATES), min_size=constraints, max_size=constraints).map(tuple)
    rows = draw(st.lists(numbers, min_size=points, max_size=points).map(tuple))
    y = draw(st.lists(st.sampled_from(COORDINATES), min_size=points, max_size=points).map(tuple))
    first, second = ((abs(m[0]), *m[1:]) for m in (draw(numbers), draw(numbers)))  # the first is a lambda >= 0
    return Instance(
        rows=rows,
        y=y,
        alpha=Qs(*[0] * points),
        lam=Q(1),
        method="sdca",
        extra=further(first=first, second=second, s=draw(st.sampled_from(S))),
    )


def lagrangian(c: Context, multipliers: Vector) -> Vector:
    """L(x, lambda, nu) at the points of the domain."""
    return [y + sum((m * multipliers[j] for j, m in row), Q(0)) for row, y in zip(c.problem.rows, c.problem.y)]


def between(s: Number, first: Vector, second: Vector) -> Vector:
    """s first + (1 - s) second."""
    return [s * a + (1 - s) * b for a, b in zip(first, second)]


TWO_POINTS = Instance(  # g(nu) = min(nu, -nu); the supremum is |nu|
    rows=(Qs(1), Qs(-1)),
    y=Qs(0, 0),
    alpha=Qs(0, 0),
    lam=Q(1),
    method="sdca",
    extra=further(first=Qs(1), second=Qs(-1), s=Q(1, 2)),
)


def free(c: Context) -> tuple[Number, Vector, Vector]:
    """s and the two pairs of multipliers."""
    given = c.given
    return c.given.s, list(given.first), list(given.second)


def supremum_concave(c: Context) -> Iterable[Relation]:
    """The same of the supremum, which is convex."""
    s, first, second = free(c)
    yield Le(
        s * max(lagrangian(c, first)) + (1 - s) * max(lagrangian(c, second)),
        max(lagrangian(c, between(s, first, second))),
        "",
    )


@claim(
    "sdca.concave",
    r"Lagrangian Duality: $g(\lambda, \nu) = \inf_x L(x, \lambda, \nu)$ is concave, $g(s p + (1-s) q) \ge s g(p) +"
    r" (1-s) g(q)$, whatever "
    "$f_0$, $f_i$ and $h_i$ are; so is $D$, the dual function of the Derivation",
    hypotheses=r"$g$: any functions on a finite domain; $D$: any loss, L2; $0 \le s \le 1$",
    origin=PAPER.printed("g is concave"),
    evidence=[exact(finite_domains), golden(TWO_POINTS), exact(any_smooth, 0.5), exact(any_lipschitz, 0.5)],
    control=altered("the supremum over x", supremum_concave, TWO_POINTS),
    proof="L is affine in (lambda, nu) for every x; an infimum of affine functions is concave.",
)
def concave(c: Context) -> Iterable[Relation]:
    if c.instance.extra.has("first", "second"):
        s, first, second = free(c)
        yield Le(
            s * min(lagrangian(c, first)) + (1 - s) * min(lagrangian(c, second)),
            min(lagrangian(c, between(s, first, second))),
            "g",
        )
    else:
        s, D = c.given.s, c.problem.D
        yield Le(s * D(c.alpha) + (1 - s) * D(c.best), D(between(s, c.alpha, c.best)), "D")


# -- the remark ------------------------------------------------------------------------------------------------------


def strongly_convex(c: Context, gamma: Number) -> Iterable[Relation]:
    """phi_i* between alpha_i and phi_i'(z_i), with this modulus."""
    s, conjugate = c.given.s, c.problem.loss.conjugate
    for i, (a, b, y) in enumerate(zip(c.alpha, c.best, c.problem.y)):
        yield Le(
            conjugate(s * a + (1 - s) * b, y) + gamma * s * (1 - s) * (a - b) ** 2 / 2,
            s * conjugate(a, y) + (1 - s) * conjugate(b, y),
            f"i = {i}",
        )


@claim(
    "sdca.remark",
    r"Remark: if $\varphi_i$ is $(1/\gamma)$-smooth, $\varphi_i^*$ is $\gamma$-strongly convex: $\varphi^*(s a + (1-s)"
    r" b) \le$ "
    r"$s \varphi^*(a) + (1-s) \varphi^*(b) -$ $(\gamma/2) s (1-s) (a - b)^2$",
    hypotheses=r"$\varphi_i$ convex and $(1/\gamma)$-smooth; $a$, $b$ in the domain of $\varphi_i^*$, $0 \le s \le 1$",
    origin=PAPER.printed("Remark"),
    evidence=[exact(any_smooth), golden(ILL_CONDITIONED)],
    control=altered("the modulus 2 gamma", lambda c: strongly_convex(c, 2 * c.gamma), ILL_CONDITIONED),
)
def remark(c: Context) -> Iterable[Relation]:
    yield from strongly_convex(c, c.gamma)
