"""``l1-newton``: what certifies an iterate, and from which the steps know their gap."""

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
from dualgap.proofs_checks.papers.vocabulary import dot, square
from dualgap.proofs_checks.strategies.instances import K_ANY, instances

# Smooth rational losses, L2 and elastic nets, any w.
nets = Pool("baselines.nets", at_a_point, instances(K=K_ANY, method="l1-newton"))
ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), l1=Q(1, 4), method="l1-newton", extra=further(w=Qs(2)))


@claim(
    "baselines.l1-newton.gap",
    "With alpha_i = phi_i'(x_i^T w) and an elastic net, every w has the gap P(w) - D(alpha) = g(w) + g*(-u) + u^T w,"
    " u = X^T alpha/n",
    hypotheses="any smooth loss, L2 or an elastic net, any w",
    origin=PAPER.ours("L-BFGS"),
    evidence=[exact(nets, 0.5)],
    control=false_with("u^T w/2", ONE, weight=Q(1, 2)),
    proof="The Fenchel-Young residuals phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i are 0 for alpha_i = phi_i'(z_i).",
)
def gap_of_a_point(c: Context, weight: Fraction = Q(1)) -> Iterable[Relation]:
    """P(w) - D(alpha) against the three terms, g* from its definition: ||soft(v, l1)||^2/(2 lam)."""
    problem, w = c.problem, [c.q(w_j) for w_j in c.given.w]
    lam, l1 = problem.regularizer.lam, problem.regularizer.l1
    alpha = [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]
    minus_u = problem.minus_u(alpha)
    excess = [max(abs(v) - l1, 0 * l1) for v in minus_u]
    parts = lam / 2 * square(w) + l1 * sum(map(abs, w)) + square(excess) / (2 * lam)
    yield Same(problem.P(w) - problem.D(alpha), parts - c.q(weight) * dot(minus_u, w), "P(w) - D(alpha)")
