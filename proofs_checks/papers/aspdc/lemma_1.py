"""ASPDC, section 3, Lemma 1, and Appendix A.1.

    (1), (A1)  P(w) = max_alpha f(w, alpha)        (2), (A2)  D(alpha) = min_w f(w, alpha)        (3)  one saddle point

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
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, CENTRED, NET
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.setting import ANY_G, framed, responses
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR, each, minus, square
from dualgap.proofs_checks.strategies import instances as strategies


@claim(
    "aspdc.lemma-1.1",
    r"Lemma 1 (1), (A1): $P(w) = \max_{\alpha} f(w, \alpha)$ for every $w$, attained at $\alpha_i ="
    r" \varphi_i'(x_i^T w)$",
    hypotheses=ANY_G,
    origin=PAPER.printed("Lemma 1", "(A1)", note=LOST),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=false_with("a maximiser half of the way", ALIGNED, CENTRED, NET, half=True),
    proof="f is separable in alpha, and phi_i is its own biconjugate: the maximum of alpha z - phi*(alpha) is phi(z).",
)
def lemma_1_1(c: Context, half: bool = False) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    best = responses(problem, w)
    yield Same(
        problem.f(w, [(b + a) / 2 for b, a in zip(best, c.alpha)] if half else best),
        problem.P(w),
        "f(w, phi'(Xw)) = P(w)",
    )
    for alpha in (c.alpha, c.instance.alpha):
        yield Le(problem.f(w, [c.q(a) for a in alpha]), problem.P(w), "f(w, alpha) <= P(w)")


@claim(
    "aspdc.lemma-1.2",
    r"Lemma 1 (2), (A2): $D(\alpha) = \min_w f(w, \alpha)$, attained at $w(\alpha)$; held by what every other $w$"
    r" pays, "
    r"$(\mu/2)\Vert w - w(\alpha)\Vert^2$ at least (exactly that where $g$ is quadratic)",
    hypotheses=ANY_G,
    origin=PAPER.printed("Lemma 1", "(A2)", note=f"what another w pays is ours; {LOST}"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=false_with("w = s/mu without soft threshold and centre", CENTRED, NET, bare=True),
    proof="min_w of g(w) + u^T w is -g*(-u) by the definition of g*; f(., alpha) is mu-strongly convex.",
)
def lemma_1_2(c: Context, bare: bool = False) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    best = [s_j / c.mu for s_j in problem.minus_u(c.alpha)] if bare else problem.w(c.alpha)
    D = problem.D(c.alpha)
    yield Same(problem.f(best, c.alpha), D, "f(w(alpha), alpha) = D(alpha)")
    payment = problem.regularizer.modulus * square(minus(w, best)) / 2
    quadratic = problem.regularizer.l1 == 0
    yield (Same if quadratic else Le)(
        D + payment, problem.f(w, c.alpha), "D(alpha) + (mu/2)||w - w(alpha)||^2 <= f(w, alpha)"
    )


# w = w(alpha)
TWO_HINGE = EQUAL_PAIR.but(
    y=Qs(1, 1), alpha=Qs(-1, 0), lam=Q(1, 2), loss="hinge", extra=further(w=Qs(1), kappa=Q(0), centre=Qs(0))
)


@claim(
    "aspdc.lemma-1.3",
    r"Lemma 1 (3): the saddle point exists and is unique, $P(w^*) = D(\alpha^*) =$ $f(w^*, \alpha^*)$, $\alpha^*_i ="
    r" \varphi_i'(x_i^T w^*)$",
    hypotheses=rf"{ANY_G}; $\gamma > 0$",
    origin=PAPER.printed("Lemma 1", note=f"tested if g itself is strongly convex; {LOST}"),
    evidence=[exact(strategies.points)],
    control=false_with("gamma = 0: the hinge loss has two optimal alpha", TWO_HINGE, other=Qs(0, -1)),
    proof=(
        "w* is unique by strong convexity; alpha*_i = phi_i'(x_i^T w*) and -X^T alpha*/n in the subdifferential of g at"
        " w* make both terms of (G) vanish; phi_i* is gamma-strongly convex, so alpha* is unique."
    ),
)
def lemma_1_3(c: Context, other: Iterable[Fraction] = ()) -> Iterable[Relation]:
    """alpha* (or another optimum) and w(alpha*) are a saddle point, and any other w or alpha is strictly worse."""
    problem, w = framed(c), list(c.given.w)
    best = [c.q(a) for a in other] or exact_optimum(problem)
    w_best = problem.w(best)
    P, D = problem.P(w_best), problem.D(best)
    yield Eq(P, D, "P(w*) = D(alpha*)")
    yield Eq(problem.f(w_best, best), D, "f(w*, alpha*) = D(alpha*)")
    yield Le(problem.f(w_best, c.alpha), D, "f(w*, alpha) <= f(w*, alpha*)")
    yield Le(P, problem.f(w, best), "f(w*, alpha*) <= f(w, alpha*)")
    if w != w_best:
        yield Lt(P, problem.P(w), "w* is unique")
    if c.alpha != best:
        yield Lt(problem.D(c.alpha), D, "alpha* is unique")
    yield from each(Eq, best, responses(problem, w_best), "alpha*_# = phi'(x^T w*)")
