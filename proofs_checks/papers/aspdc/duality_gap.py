"""ASPDC, section 4, the stop rule, and Appendix A.2, weak duality: the gap, its identity (G), distances, and the gap
against D* - D.

    P(w) >= P* = D* >= D(alpha)
    (G)  P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

As in ``lemma_1`` each instance carries a second point w and a proximal centre.
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.levels import altered, enclosed, exact, false_with
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, CENTRED, NET
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.setting import framed, g_residual, mean_FY
from dualgap.proofs_checks.papers.vocabulary import minus, square
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.numbers.arithmetic import Number


@claim(
    "aspdc.weak-duality",
    r"Weak duality: $P(w) \ge P^* = D^* \ge D(\alpha)$ for every $w$ and every $\alpha$ in the domain",
    hypotheses=r"any loss; $g$ $\mu$-strongly convex",
    origin=PAPER.printed("weak duality", "stop rule", note=LOST),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=false_with(
        "D computed with lam + kappa exceeds P*", ALIGNED.but(y=Qs(-1, -1), alpha=Qs("2/3", "2/3")), kappa=1
    ),
    proof="P(w) >= f(w, alpha) >= D(alpha) by Lemma 1 (1) and (2).",
)
def weak_duality(c: Context, kappa: int = 0) -> Iterable[Relation]:
    """P(w), P* and D* against D, which is computed with lam + kappa (L2)."""
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


def gap_without_line_2(c: Context) -> Iterable[Relation]:
    """P(w) - D(alpha) = (1/n) sum FY_i at any w, which is (A15) without line 2 of Algorithm 1."""
    problem, w = framed(c), list(c.given.w)
    yield Eq(problem.P(w) - problem.D(c.alpha), mean_FY(problem, w, c.alpha), "P(w) - D(alpha) = (1/n) sum FY_i")


@claim(
    "aspdc.gap-identity",
    "(G): P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w] for every w and every alpha in"
    " the domain, both terms >= 0; for g = (lam/2)||w||^2 the second is (lam/2)||w - w(alpha)||^2",
    hypotheses="any loss; L2, elastic net, both with a proximal centre; w not w(alpha)",
    origin=PAPER.ours("(A15)"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered("the second term left out", gap_without_line_2, ALIGNED, CENTRED, NET),
    proof="Add and subtract alpha^T X w/n = u^T w.",
)
def gap_identity(c: Context) -> Iterable[Relation]:
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


# -- distances and the reverse bound -----------------------------------------------------------------------------------


def reverse(c: Context, constant: Number, label: str) -> Relation:
    """P(w(alpha)) - D(alpha) <= constant (D* - D(alpha)), in the framed problem."""
    problem = framed(c)
    D = problem.D(c.alpha)
    return Le(problem.P(problem.w(c.alpha)) - D, constant * (problem.D(exact_optimum(problem)) - D), label)
