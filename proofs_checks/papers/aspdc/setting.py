"""ASPDC, the setting: hypotheses, and the quantities that its statements are about.

All lines speak of a state with w = w(alpha), an index i, z_i = x_i^T w, Delta_i = phi_i'(z_i) - alpha_i and
FY_i = phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i. The paper writes R = 1; here ||x_i|| is measured. K = R^2/(mu n
gamma), s = 1 - K. Expectations are exact: over all paths, equal states merged, or by second moments for squared loss
with L2.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.evidence.trajectories import start_of_meaning
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

SMOOTH = r"$\varphi_i$ convex and $(1/\gamma)$-smooth"
L2_STATE = rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$"
ANY_G = rf"{SMOOTH}; $g$ $\mu$-strongly convex: L2, elastic net, both with a proximal centre"
HYPOTHESES = rf"{L2_STATE} at $t = 0$; $\lambda \ge 4R^2/(n \gamma)$"
SHARP = (
    rf"{SMOOTH}; $g$ $\mu$-strongly convex (L2, elastic net); $w = w(\alpha)$ at $t = 0$; $K = R^2/(\mu n \gamma) < 1$"
)
EQUAL_NORMS = r"squared loss, $g = (\lambda/2)\Vert w\Vert^2$, all $\Vert x_i\Vert = R$, $w = w(\alpha)$ at $t = 0$"

ours_on_lemma_2, on_l2 = partial(claim, origin=PAPER.ours("Lemma 2")), partial(claim, hypotheses=L2_STATE)

# -- the proximal centre of ASPDC-i, and distances ---------------------------------------------------------------------


def framed(c: Context) -> Problem:
    """The instance's problem, with its proximal centre where kappa > 0."""
    return c.problem.centred(c.given.kappa, list(c.given.centre)) if c.instance.extra.kappa else c.problem


def responses(problem: Problem, w: Vector) -> Vector:
    """phi_i'(x_i^T w), shape (n,)."""
    return [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]


def mean_FY(problem: Problem, w: Vector, alpha: Vector) -> Number:
    """(1/n) sum_i phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i, z = Xw, by the definition."""
    z = [problem.dot(row, w) for row in problem.rows]
    FY = (problem.loss.value(z_i, y) + problem.loss.conjugate(a, y) - a * z_i for z_i, a, y in zip(z, alpha, problem.y))
    return sum(FY, problem.zero) / problem.n


def g_residual(problem: Problem, w: Vector, alpha: Vector) -> Number:
    """g(w) + g*(-u) + u^T w, by the definition."""
    s = problem.minus_u(alpha)
    both = problem.regularizer.value(w) + problem.regularizer.conjugate(s)
    return both - sum((s_j * w_j for s_j, w_j in zip(s, w)), problem.zero)


# -- one step ----------------------------------------------------------------------------------------------------------


def gains(c: Context) -> Iterator[tuple[int, Number]]:
    """i and D(alpha+) - D(alpha) for every row i that a step can draw."""
    return ((successor.choice, increase) for successor, increase in zip(c.successors, c.increases))


def noise(c: Context, i: int) -> Number:
    """||x_i||^2 Delta_i^2 / (2 mu n^2), what the undamped step costs."""
    return c.problem.norms2[i] * c.delta[i] * c.delta[i] / (2 * c.mu * c.n * c.n)


def curvature(c: Context, i: int) -> Number:
    """gamma (1-q) q Delta_i^2 / (2n), what strong convexity of phi* gains for a free q."""
    q = c.given.q
    return c.gamma * (1 - q) * q * c.delta[i] * c.delta[i] / (2 * c.n)


def brace(c: Context, q: Number | None = None) -> Number:
    """{gamma (1-q) q/(2n) - R^2/(2 lam n^2)}, for the q of the instance or another."""
    at: Number = c.given.q if q is None else q
    return c.gamma * (1 - at) * at / (2 * c.n) - c.R2 / (2 * c.mu * c.n * c.n)


def mean_delta2(c: Context) -> Number:
    """(1/n) sum Delta_i^2."""
    return c.mean([d * d for d in c.delta])


# -- rates -------------------------------------------------------------------------------------------------------------


def paper_factor(n: int, t: int) -> Fraction:
    """2n (1 - 1/(2n))^t."""
    return 2 * n * (1 - Q(1, 2 * n)) ** t


def sharp_factor(c: Context, t: int) -> Number:
    """(1 + nK) (1 - s/n)^t, nK = R^2/(mu gamma)."""
    rate, factor = 1 - c.s / c.n, 1 + c.n * c.K
    for _ in range(t):
        factor = factor * rate
    return factor


def paper_horizon(c: Context) -> int:
    """Three times the t from which Lemma 2 says something, or the horizon that the instance names."""
    return c.instance.extra.horizon if c.instance.extra.has("horizon") else 3 * start_of_meaning(2 * c.n, 1 / (2 * c.n))
