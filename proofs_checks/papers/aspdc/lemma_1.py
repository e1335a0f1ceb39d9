"""ASPDC, section 3, Lemma 1, and Appendix A.1; weak duality, Appendix A.2, and the gap of the stop rule, section 4.

    (1), (A1)  P(w) = max_alpha f(w, alpha)        (2), (A2)  D(alpha) = min_w f(w, alpha)        (3)  one saddle point
    (G)        P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

Nothing here depends on the algorithm. Each instance carries a second point w (unrelated to alpha) and a
proximal centre of weight kappa >= 0; for kappa > 0 the claims speak of the inner problem f~ of ASPDC-i.
mu is the strong-convexity modulus of g (lam, or lam + kappa), u = X^T alpha/n, w(alpha) = grad g*(-u).
"""

from collections.abc import Iterable
from fractions import Fraction

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.levels import all_of, altered, enclosed, exact, false_with
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, CENTRED, NET
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.setting import ANY_G, framed, g_residual, mean_FY, responses
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR, each, minus, square
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.problem.problem import Vector

# w = w(alpha)
TWO_HINGE = EQUAL_PAIR.but(
    y=Qs(1, 1), alpha=Qs(-1, 0), lam=Q(1, 2), loss="hinge", extra=further(w=Qs(1), kappa=Q(0), centre=Qs(0))
)


@claim(
    "aspdc.lemma-1",
    r"Lemma 1: (1), (A1) $P(w) = \max_{\alpha} f(w, \alpha)$ for every $w$, attained at $\alpha_i = \varphi_i'(x_i^T"
    r" w)$; (2), (A2) $D(\alpha) = \min_w f(w, \alpha)$, attained at $w(\alpha)$, where every other $w$ pays at least"
    r" $(\mu/2)\Vert w - w(\alpha)\Vert^2$ (exactly that where $g$ is quadratic); (3) the saddle point exists and is"
    r" unique, $P(w^*) = D(\alpha^*) =$ $f(w^*, \alpha^*)$, $\alpha^*_i = \varphi_i'(x_i^T w^*)$",
    hypotheses=rf"{ANY_G}; $\gamma > 0$ in (3)",
    origin=PAPER.printed(
        "Lemma 1", "(A1)", "(A2)", note=f"what another w pays is ours; (3) tested if g is strongly convex; {LOST}"
    ),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=all_of(
        false_with("a maximiser half of the way", ALIGNED, CENTRED, NET, half=True),
        false_with("w = s/mu without soft threshold and centre", CENTRED, NET, bare=True),
        false_with("gamma = 0: the hinge loss has two optimal alpha", TWO_HINGE, other=Qs(0, -1)),
    ),
    proof=(
        "(1): f is separable in alpha, and phi_i is its own biconjugate. (2): min_w of g(w) + u^T w is -g*(-u), and"
        " f(., alpha) is mu-strongly convex. (3): w* is unique by strong convexity; alpha*_i = phi_i'(x_i^T w*) and"
        " -X^T alpha*/n in the subdifferential of g at w* make both terms of (G) vanish; phi_i* is gamma-strongly"
        " convex."
    ),
)
def lemma_1(c: Context, half: bool = False, bare: bool = False, other: Iterable[Fraction] = ()) -> Iterable[Relation]:
    """(1), (2), and (3) where the optimum is rational; ``other``: another optimum for alpha*."""
    problem, w = framed(c), list(c.given.w)
    best = responses(problem, w)
    point = [(b + a) / 2 for b, a in zip(best, c.alpha)] if half else best
    yield Same(problem.f(w, point), problem.P(w), "(1): f(w, phi'(Xw)) = P(w)")
    for alpha in (c.alpha, c.instance.alpha):
        yield Le(problem.f(w, [c.q(a) for a in alpha]), problem.P(w), "(1): f(w, alpha) <= P(w)")
    at, D = [s_j / c.mu for s_j in problem.minus_u(c.alpha)] if bare else problem.w(c.alpha), problem.D(c.alpha)
    yield Same(problem.f(at, c.alpha), D, "(2): f(w(alpha), alpha) = D(alpha)")
    paid = D + problem.regularizer.modulus * square(minus(w, at)) / 2
    relation = Same if problem.regularizer.l1 == 0 else Le
    yield relation(paid, problem.f(w, c.alpha), "(2): D(alpha) + (mu/2)||w - w(alpha)||^2 <= f(w, alpha)")
    if c.instance.loss != "logistic":
        yield from one_saddle_point(c, [c.q(a) for a in other] or exact_optimum(problem))


def one_saddle_point(c: Context, best: Vector) -> Iterable[Relation]:
    """(3): alpha* = best and w(alpha*) are a saddle point, and any other w or alpha is strictly worse."""
    problem, w = framed(c), list(c.given.w)
    w_best = problem.w(best)
    P, D = problem.P(w_best), problem.D(best)
    yield Eq(P, D, "(3): P(w*) = D(alpha*)")
    yield Eq(problem.f(w_best, best), D, "(3): f(w*, alpha*) = D(alpha*)")
    yield Le(problem.f(w_best, c.alpha), D, "(3): f(w*, alpha) <= f(w*, alpha*)")
    yield Le(P, problem.f(w, best), "(3): f(w*, alpha*) <= f(w, alpha*)")
    if w != w_best:
        yield Lt(P, problem.P(w), "(3): w* is unique")
    if c.alpha != best:
        yield Lt(problem.D(c.alpha), D, "(3): alpha* is unique")
    yield from each(Eq, best, responses(problem, w_best), "(3): alpha*_# = phi'(x^T w*)")


# -- weak duality and the gap ------------------------------------------------------------------------------------------


def gap_without_line_2(c: Context) -> Iterable[Relation]:
    """P(w) - D(alpha) = (1/n) sum FY_i at any w, which is (A15) without line 2 of Algorithm 1."""
    problem, w = framed(c), list(c.given.w)
    yield Eq(problem.P(w) - problem.D(c.alpha), mean_FY(problem, w, c.alpha), "P(w) - D(alpha) = (1/n) sum FY_i")


@claim(
    "aspdc.weak-duality",
    r"Weak duality: $P(w) \ge P^* = D^* \ge D(\alpha)$ for every $w$ and every $\alpha$ in the domain; by (G) (ours):"
    r" $P(w) - D(\alpha) = (1/n) \sum \mathrm{FY}_i(x_i^T w, \alpha_i) + [g(w) + g^*(-u) + u^T w]$, both terms $\ge 0$,"
    r" the second $(\mu/2)\Vert w - w(\alpha)\Vert^2$ for L2",
    hypotheses=r"any loss; $g$ $\mu$-strongly convex",
    origin=PAPER.printed("weak duality", "stop rule", note=f"(G) is ours; {LOST}"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=all_of(
        false_with(
            "D computed with lam + kappa exceeds P*", ALIGNED.but(y=Qs(-1, -1), alpha=Qs("2/3", "2/3")), kappa=1
        ),
        altered("the FY sum alone, at a w that is not w(alpha)", gap_without_line_2, ALIGNED, CENTRED, NET),
    ),
)
def weak_duality(c: Context, kappa: int = 0) -> Iterable[Relation]:
    """P(w), P* and D* against D, which is computed with lam + kappa (L2), and (G)."""
    problem = framed(c)
    D = problem.D(c.alpha)
    if kappa:
        s = problem.minus_u(c.alpha)
        D += square(s) * (1 / c.mu - 1 / (c.mu + kappa)) / 2
    for w in (list(c.given.w), problem.w(c.alpha)):
        yield Le(D, problem.P(w), "D(alpha) <= P(w)")
    if c.instance.loss != "logistic":
        best = exact_optimum(problem)
        yield Eq(problem.P(problem.w(best)), problem.D(best), "P* = D*")
        yield Le(D, problem.D(best), "D(alpha) <= D*")
        yield Le(problem.D(best), problem.P(list(c.given.w)), "P* <= P(w)")
    yield from gap_identity(c)


def gap_identity(c: Context) -> Iterable[Relation]:
    """(G) at w and at w(alpha)."""
    problem, w = framed(c), list(c.given.w)
    gap, first, second = (
        problem.P(w) - problem.D(c.alpha),
        mean_FY(problem, w, c.alpha),
        g_residual(problem, w, c.alpha),
    )
    yield Same(gap, first + second, "(G)")
    yield Same(problem.gap(w, c.alpha), first + second, "the cancellation-free form that the code uses")
    yield Le(0, first, "(1/n) sum FY_i >= 0")
    yield Le(0, second, "g(w) + g*(-u) + u^T w >= 0")
    if problem.regularizer.l1 == 0:
        distance = square(minus(w, problem.w(c.alpha)))
        yield Same(second, problem.regularizer.modulus * distance / 2, "second term = (mu/2)||w - w(alpha)||^2")
    at = problem.w(c.alpha)
    yield Same(problem.P(at) - problem.D(c.alpha), mean_FY(problem, at, c.alpha), "at w(alpha) the FY sum is the gap")
