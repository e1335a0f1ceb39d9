"""The proximal point method on the dual with Newton's method inside, compiled."""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.baselines.lbfgs.compiled import EXACT, FRESH, TRIALS, dot
from dualgap.extras.baselines.newton.compiled import BETWEEN_LOOKS, FastNewton
from dualgap.extras.baselines.newton.hessian import add_rows, scaled, substitute
from dualgap.extras.baselines.newton.reference import is_wide
from dualgap.extras.baselines.proximal_newton.reference import ProximalNewton
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import HINGE, LOGISTIC, SMOOTHED_HINGE, SQUARED, SQUARED_HINGE, dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import combine
from dualgap.reference.problem.problem import Problem

FACTOR, LEAST = 0.25, 1e-12  # of q, and relative to the first q
INNER = 0.1  # of the distance from the centre: what the inner problem may be off by


class ProximalState(FastState):
    """w, z = X w, the centre, shape (n,), and alpha = phi_q'(z), both inside the domain; q; what P(w) - D(alpha) was
    found to be; the steps made.
    """

    __slots__ = ("w", "z", "centre", "alpha", "q", "told", "evaluations")
    w: Array
    z: Array
    centre: Array
    alpha: Array
    q: float
    told: float
    evaluations: int


@kernel
def bend_of(code, gamma, alpha_i, y_i, q):
    """The slope of phi_q' where it is alpha_i: 1/(q + (phi*)''(alpha_i)), and 0 at the ends of the domain."""
    b = -y_i * alpha_i
    if code == LOGISTIC:
        share = b * (1.0 - b)
        return share / (q * share + 1.0)
    if code == SQUARED:
        inside = True
    elif code == SQUARED_HINGE:
        inside = b > 0.0
    elif code == HINGE or code == SMOOTHED_HINGE:
        inside = 0.0 < b < 1.0
    else:  # absolute
        inside = -1.0 < alpha_i < 1.0
    return 1.0 / (q + gamma) if inside else 0.0


@kernel
def proximal_slopes(losses, z, centre, q, alpha, free, bends):
    """alpha <- phi_q'(z); the rows where that has a slope, and the slopes, are put into free and bends; their
    number.
    """
    code, gamma, y, _ = losses
    count = 0
    for i in range(z.size):
        alpha[i] = dual_step(code, gamma, z[i], centre[i], y[i], q)
        bend = bend_of(code, gamma, alpha[i], y[i], q)
        if bend > 0.0:
            free[count], bends[count] = i, bend
            count += 1
    return count


@kernel
def slope_and_bend(losses, z, zp, weighted, centre, q, t):
    """Sums over the rows of the first two derivatives of phi_q(z + t zp); weighted: zp times the weights."""
    code, gamma, y, _ = losses
    slope, bend = 0.0, 0.0
    for i in range(z.size):
        alpha_i = dual_step(code, gamma, z[i] + t * zp[i], centre[i], y[i], q)
        slope = slope + alpha_i * weighted[i]
        bend = bend + bend_of(code, gamma, alpha_i, y[i], q) * zp[i] * weighted[i]
    return slope, bend


class Slopes(NamedTuple):
    """The gradient of the inner problem, the rows whose slope phi_q' changes, and the rate of that change."""

    gradient: Array
    free: Array
    bends: Array


@register_compiled_method
class FastProximalNewton(FastNewton):
    """The steps of ``dualgap.extras.baselines.proximal_newton.reference``.

    >>> from dualgap.reference import L2, Hinge, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(0.75))
    >>> FastProximalNewton().run(problem, [0] * 10).w.round(9).tolist()
    [0.666666667, -0.666666667]
    """

    name: ClassVar[str] = "proximal-newton"
    with_intercept: ClassVar[Any] = None
    reference: ProximalNewton  # type: ignore[assignment]

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> Any:
        """w = w(alpha), the centre alpha, and q in the size of z at a kink: P(0)."""
        self.reference.require_start(problem, None)
        objective = self.objective(problem)
        centre = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        w = objective.w(centre)
        q = objective.P(np.zeros(problem.d)) or 1.0
        return ProximalState(w=w, z=objective.z(w), centre=centre, alpha=centre.copy(), q=q, told=np.inf, evaluations=0)

    def evaluation(self, objective: Objective, state: Any) -> None:
        """One step: the next centre if the inner problem is solved, then one of Newton's."""
        lam, n, weights = objective.problem.regularizer.lam, objective.n, objective.arrays.weights
        mass = float(n) if weights is None else objective.problem.mass  # type: ignore[attr-defined]
        found = self.inner(objective, state)
        moved = state.alpha - state.centre
        distance = state.q / (2 * mass) * dot(moved, moved if weights is None else weights * moved)
        square = dot(found.gradient, found.gradient) / (2 * lam)
        if square <= INNER * distance:
            least = LEAST * (objective.P(np.zeros(objective.d)) or 1.0)
            state.centre, state.q = state.alpha.copy(), max(FACTOR * state.q, least)
            found = self.inner(objective, state)
            square = dot(found.gradient, found.gradient) / (2 * lam)
        p = self.newton_direction(objective, found, mass)
        first = dot(found.gradient, p)
        if first < 0.0 and np.isfinite(first):
            zp = objective.z(p)
            weighted = zp if weights is None else weights * zp
            rest = lam * dot(state.w, p), lam * dot(p, p)
            t = self.step_length(objective, state, zp, weighted / mass, first, rest)
            state.w = state.w + t * p
            state.z = objective.z(state.w) if state.evaluations % FRESH == FRESH - 1 else state.z + t * zp
            gradient = self.inner(objective, state).gradient
            square = dot(gradient, gradient) / (2 * lam)
        else:  # roundings
            state.z = objective.z(state.w)
        state.told = objective.gap_from(objective.sums(state.z, state.alpha), square)
        state.evaluations += 1

    def inner(self, objective: Objective, state: Any) -> Slopes:
        """Make alpha at the state's z."""
        alpha, free, bends = np.empty(objective.n), np.empty(objective.n, np.int64), np.empty(objective.n)
        count = proximal_slopes(objective.losses, state.z, state.centre, state.q, alpha, free, bends)
        state.alpha = alpha
        gradient = objective.problem.regularizer.lam * state.w - objective.minus_u(alpha)
        return Slopes(gradient, free[:count].copy(), bends[:count].copy())

    def newton_direction(self, objective: Objective, found: Slopes, mass: float) -> Array:
        """-H^-1 grad, H = lam I + the sum over the free rows of s_i bend_i x_i x_i^T/mass."""
        lam, rows, weights = objective.problem.regularizer.lam, objective.arrays.matrix, objective.arrays.weights
        free = found.free
        curved = (found.bends if weights is None else weights[free] * found.bends) / mass
        p: Array = 0.0 - found.gradient
        if free.size == 0:
            return np.asarray(p / lam)
        if is_wide(objective.problem):
            roots, spread, inside = np.sqrt(curved), np.zeros(objective.d), np.zeros(objective.n)
            part = roots * objective.z(p)[free]
            substitute(self.factorized(scaled(self.products(objective)[np.ix_(free, free)], roots, lam)), part)
            inside[free] = roots * part
            combine(rows, inside, spread)
            return np.asarray((p - spread) / lam)
        H, entries = np.zeros((objective.d, objective.d)), objective.arrays.nnz / objective.n
        at_once = max(1, int(BETWEEN_LOOKS / (entries * entries + 1)))
        for start in range(0, free.size, at_once):
            self.check_clock()
            add_rows(rows, free[start : start + at_once], curved[start : start + at_once], H)
        H[np.diag_indices(objective.d)] += lam
        substitute(self.factorized(H), p)
        return p

    def step_length(
        self, objective: Objective, state: Any, zp: Array, weighted: Array, first: float, rest: tuple[float, float]
    ) -> float:
        """t near the minimum of the inner problem along p, by Newton's method in one dimension, kept inside the
        interval in which the slope changes its sign.

        first: the slope at t = 0; rest: what the regularizer adds to the slope at 0, and for each t.
        """
        t, low, high = 1.0, 0.0, np.inf
        for _ in range(TRIALS):
            slope, bend = slope_and_bend(objective.losses, state.z, zp, weighted, state.centre, state.q, t)
            slope = slope + rest[0] + t * rest[1]
            if abs(slope) <= -EXACT * first:
                break
            low, high = (t, high) if slope < 0.0 else (low, t)
            following = min(t - slope / (bend + rest[1]), 10.0 * t)
            if not low < following < high:
                following = 0.5 * (low + high) if low > 0.0 else 0.1 * high
            if following == t:
                break
            t = following
        return t
