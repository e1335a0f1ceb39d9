"""``proximal-newton``: the gap of the pair after each step, from which it knows when an inner problem is solved."""

from collections.abc import Iterable
from fractions import Fraction

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.lbfgs.claims import at_a_point
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Relation, Same
from dualgap.proofs_checks.evidence.levels import exact, false_with
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.proofs_checks.strategies.instances import K_ANY, instances

HALF = Q(1, 2)
# Losses with a kink, L2, any w, and alpha in the domain.
pairs = Pool(
    "baselines.kinks",
    at_a_point,
    instances(K=K_ANY, losses=("hinge", "absolute"), max_path=0, method="proximal-newton"),
)
ONE = Instance(
    rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="hinge", method="proximal-newton", extra=further(w=Qs(2))
)


@claim(
    "baselines.proximal-newton.gap",
    "For L2, P(w) - D(alpha) is the mean of phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i, z = X w, plus"
    " ||lam w + X^T alpha/n||^2/(2 lam), where the norm is that of the gradient of the inner problem",
    hypotheses="any loss, g = (lam/2)||w||^2, any w, alpha in the domain",
    origin=PAPER.ours("Newton"),
    evidence=[exact(pairs)],
    control=false_with("||lam w + X^T alpha/n||^2/lam", ONE, factor=Q(1)),
    proof="g(w) + g*(-u) + u^T w = (lam/2)||w + u/lam||^2 with u = X^T alpha/n; the rest is the mean of the residuals.",
)
def gap_of_a_step(c: Context, factor: Fraction = HALF) -> Iterable[Relation]:
    """P(w) - D(alpha) against its two parts."""
    problem, w, alpha = c.problem, [c.q(v) for v in c.given.w], [c.q(a) for a in c.instance.alpha]
    loss, lam, z = problem.loss, problem.regularizer.lam, [problem.dot(row, w) for row in problem.rows]
    residuals = [loss.value(t, y) + loss.conjugate(a, y) - a * t for t, a, y in zip(z, alpha, problem.y)]
    short = [lam * v for v in w]
    for row, a in zip(problem.rows, alpha):
        for j, x in row:
            short[j] = short[j] + a * x / problem.n
    parts = c.mean(residuals) + c.q(factor) * square(short) / lam
    yield Same(problem.P(w) - problem.D(alpha), parts, "P(w) - D(alpha)")
