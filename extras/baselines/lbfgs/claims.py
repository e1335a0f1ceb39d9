"""``lbfgs`` and its subclass ``newton``: what certifies an iterate that comes without a dual one."""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.terms import gradient
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Relation, Same
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, instances

HALF = Q(1, 2)

# -- the certificate of a primal iterate -------------------------------------------------------------------------------


@st.composite
def at_a_point(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """An instance and any w."""
    instance = draw(base)
    d = len(instance.rows[0])
    w = draw(st.lists(st.sampled_from(COORDINATES), min_size=d, max_size=d).map(tuple))
    return instance.but(extra=further(w=w), path=())


# Smooth rational losses, L2, any w.
points = Pool("baselines.points", at_a_point, instances(K=K_ANY, method="lbfgs"))
# The logistic loss; of newton, whose pair is that of lbfgs.
points_logistic = Pool(
    "baselines.points_logistic", at_a_point, instances(K=K_ANY, losses=("logistic",), max_n=2, max_d=2, method="newton")
)


ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), method="lbfgs", extra=further(w=Qs(2)))


@claim(
    "baselines.lbfgs.gap",
    "With alpha_i = phi_i'(x_i^T w) and L2, every w has the gap P(w) - D(alpha) = ||grad P(w)||^2/(2 lam)",
    hypotheses="any smooth loss, g = (lam/2)||w||^2, any w; the certificate of every method that keeps no dual iterate",
    origin=PAPER.ours("L-BFGS"),
    evidence=[exact(points, 0.5), enclosed(points_logistic, 0.2)],
    control=false_with("||grad P||^2/lam", ONE, factor=Q(1)),
    proof=(
        "The Fenchel-Young residuals are 0, and g(w) + g*(-u) + u^T w = (lam/2)||w + u/lam||^2 with u = X^T alpha/n,"
        " where lam w + u = grad P(w)."
    ),
)
def certified(c: Context, factor: Fraction = HALF) -> Iterable[Relation]:
    """P(w) - D(alpha) against factor ||grad P(w)||^2/lam, the gradient from its definition."""
    problem, w, lam = c.problem, list(c.given.w), c.problem.regularizer.lam
    alpha = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
    norm2 = square(gradient(c, w, lam))
    yield Same(problem.P(w) - problem.D(alpha), c.q(factor) * norm2 / lam, "P(w) - D(alpha)")
