"""SDCA, the setting: the assumptions of the slides and the journal paper, and the quantities of their statements.

Here alpha has this package's sign, minus the paper's. A state has w = w(alpha), z_i = x_i^T w,
Delta_i = phi_i'(z_i) - alpha_i (minus the paper's u_i - alpha_i), q_i = ||x_i||^2/(mu n), and
FY_i = phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i.

The slides leave out phi_i >= 0, phi_i(0) <= 1 and ||x_i|| <= 1. Here R = max ||x_i|| and B = gap at the start are
measured: B >= D* - D(alpha^(0)), and B <= 1 under those hypotheses from alpha^(0) = 0. Expectations are exact, over
all paths with equal states merged, or by second moments for squared loss.
"""

from collections.abc import Iterable
from itertools import product

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.engines.paths import expectations
from dualgap.proofs_checks.evidence.trajectories import expected_gaps
from dualgap.reference.methods.sdca import AveragedSDCA
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem

ANY = r"$\varphi_i$ convex ($\gamma \ge 0$), any $\lambda > 0$, $w = w(\alpha)$"
L2 = rf"{ANY}, $g = (\lambda/2)\Vert w\Vert^2$"
NET = f"{ANY}; L2 or elastic net"
START = (
    r"$w = w(\alpha)$ at $t = 0$, $g = (\lambda/2)\Vert w\Vert^2$, uniform order, $B = \mathrm{gap}$ at $t = 0$, $R ="
    r" \max\, \Vert x_i\Vert$"
)


# -- the assumptions of Th1 and Th2, checked for an instance; for a loss on a grid of z in [-3, 3] ---------------------

GRID, STEPS = tuple(Q(k, 4) for k in range(-12, 13)), Qs("1/8", "1/2", 1)


def convex(c: Context) -> bool:
    """phi_i(z - h) + phi_i(z + h) >= 2 phi_i(z) on the grid, for every i."""
    value = c.problem.loss.value
    return all(value(z - h, y) + value(z + h, y) >= 2 * value(z, y) for y, z, h in product(c.problem.y, GRID, STEPS))


def lipschitz(c: Context) -> bool:
    """|phi_i(z + h) - phi_i(z)| <= h on the grid, for every i: L = 1."""
    value = c.problem.loss.value
    return all(abs(value(z + h, y) - value(z, y)) <= h for y, z, h in product(c.problem.y, GRID, STEPS))


def smooth(c: Context) -> bool:
    """|phi_i'(z + h) - phi_i'(z)| <= h/gamma on the grid, for every i."""
    slope = c.problem.loss.derivative
    return c.gamma > 0 and all(
        abs(slope(z + h, y) - slope(z, y)) * c.gamma <= h for y, z, h in product(c.problem.y, GRID, STEPS)
    )


CONVEX = Hypothesis("phi_1, .., phi_n are convex", "Optimization Objective, Parameters", convex)
FROM_ZERO = Hypothesis("alpha^(0) = 0", "Th1 and Th2", lambda c: not any(c.alpha) and not c.instance.path)
LIPSCHITZ_1 = Hypothesis("phi_i is L-Lipschitz for all i (here L = 1)", "Th1", lipschitz)
SMOOTH_2 = Hypothesis("phi_i is (1/gamma)-smooth for all i", "Th2", smooth)
RIDGE = Hypothesis(
    "the regularizer is (lam/2)||w||^2, lam > 0",
    "Optimization Objective",
    lambda c: c.instance.lam > 0 and c.instance.l1 == 0,
)
DROPPED = (
    "the journal paper assumes ||x_i|| <= 1, phi_i >= 0 and phi_i(0) <= 1 (restated; we had no copy), and the slides"
    " omit these assumptions. The counterexample refutes the slides' version, not the journal's theorem"
)


# -- exact quantities --------------------------------------------------------------------------------------------------


def right_q(problem: Problem, i: int) -> Number:
    """||x_i||^2/(mu n)."""
    return problem.norms2[i] / problem.scale


def K_of(c: Context) -> Number:
    """n + R^2/(lam gamma), the number of steps of Theorem 2."""
    return c.n + c.R2 / (c.mu * c.gamma)


def averaged_gap(c: Context, T0: int, T: int) -> Number:
    """E[P(w_bar) - D(alpha_bar)] of the averaged output, over all n^T paths."""
    method = AveragedSDCA(T0)
    start = method.init(c.problem, c.alpha)
    return expectations(method, c.problem, start, T, lambda s: c.problem.gap(*method.view(c.problem, s)))[T]


def random_gap(c: Context, T0: int, T: int) -> Number:
    """The mean of E gap_t over t = T0 .. T-1, that of the random output. Raises ValueError if T is out of reach."""
    gaps = expected_gaps(c, T - 1)[T0:T]
    if len(gaps) < T - T0:
        raise ValueError(f"T = {T} is out of reach")
    return sum(gaps, c.problem.zero) / (T - T0)


def output_chain(c: Context, T0: int, T: int, bound: Number) -> Iterable[Relation]:
    """E gap(averaged) <= E gap(random) <= bound."""
    average, chosen = averaged_gap(c, T0, T), random_gap(c, T0, T)
    yield Le(average, chosen, "the gap is convex: averaged <= random")
    yield Le(chosen, bound, f"random, T0 = {T0}, T = {T}", trivial=c.gap)
