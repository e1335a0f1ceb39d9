"""The proximal point method on the dual with Newton's method inside, compiled."""

import math
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.baselines.lbfgs.compiled import FRESH, FastInterceptLBFGS, dot, solution
from dualgap.extras.baselines.newton.compiled import FastNewton, loss_at_zero
from dualgap.extras.baselines.newton.compiled_hessian import factorized, products, scaled
from dualgap.extras.baselines.newton.reference import is_narrow, is_wide
from dualgap.extras.baselines.proximal_newton.compiled_small import (
    FACTOR,
    INNER,
    LEAST,
    measures,
    proximal_slopes,
    proximal_steps,
    step_length,
)
from dualgap.extras.baselines.proximal_newton.reference import ProximalNewton
from dualgap.fast.compiler.first_calls import MOST, interpreting
from dualgap.fast.methods.base import FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import combine
from dualgap.reference.problem.problem import Problem


class ProximalState(FastState):
    """w, z = X w, the centre, shape (n,), and alpha = phi_q'(z), both inside the domain; q; what P(w) - D(alpha) was
    found to be; the steps made. For n <= d, beta has w = X^T beta/n (with weights: their mean), else it is empty.
    """

    __slots__ = ("w", "beta", "z", "centre", "alpha", "q", "told", "evaluations")
    w: Array
    beta: Array
    z: Array
    centre: Array
    alpha: Array
    q: float
    told: float
    evaluations: int


class Slopes(NamedTuple):
    """The gradient of the inner problem, for n <= d also r = lam beta + alpha, of which it is X^T r/n; the free rows,
    whose slope phi_q' changes, and the rate of that change, shape (n,), 0 for the others.
    """

    gradient: Array
    r: Array
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
    last: tuple[Any, Any, float, Slopes | None] = None, None, 0.0, None

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> Any:
        """w = w(alpha), the centre alpha, and q in the size of z at a kink: P(0)."""
        self.reference.require_start(problem, None)
        objective: Objective = self.native(problem)
        centre = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        w = objective.w(centre)
        beta = centre / -problem.regularizer.lam if is_wide(problem) else np.empty(0)
        start = {"w": w, "beta": beta, "z": objective.z(w), "centre": centre, "alpha": centre.copy()}
        return ProximalState(**start, q=loss_at_zero(problem) or 1.0, told=np.inf, evaluations=0)

    def is_small(self, objective: Objective) -> bool:
        return not is_wide(objective.problem) and is_narrow(objective.problem, objective.arrays)

    def together(self, objective: Objective, state: Any, until: tuple[int, float, float]) -> int:
        """All steps of a small problem."""
        if not self.is_small(objective):
            return 0
        (most, gap, _), n, d, lam = until, objective.n, objective.d, objective.problem.regularizer.lam
        numbers = objective.arrays.matrix, objective.losses, objective.weights, float(objective.mass), lam
        point, least = (state.w, state.z, state.centre, state.alpha), LEAST * (loss_at_zero(objective.problem) or 1.0)
        with interpreting(n * d * d <= MOST):
            made, q, told = proximal_steps(*numbers, point, (state.q, least), (state.evaluations, most), gap)
        state.q, state.told = float(q), float(told)
        state.evaluations += int(made)
        return int(made)

    def is_new(self, state: Any) -> bool:
        return False

    def evaluation(self, objective: Objective, state: Any, deadline: float) -> None:
        if not self.together(objective, state, (1, -math.inf, deadline)):
            self.step(objective, state, deadline)

    def step(self, objective: Objective, state: Any, deadline: float) -> None:
        """Move the centre if the inner problem is solved; then make one step of Newton's method."""
        lam, weights, mass = objective.problem.regularizer.lam, objective.arrays.weights, objective.mass
        found = self.slopes_at(objective, state)
        short, distance, blur = self.measured(objective, state, found)
        if short <= max(INNER * distance, blur):
            if blur <= INNER * distance:
                state.q = max(FACTOR * state.q, LEAST * (loss_at_zero(objective.problem) or 1.0))
            state.centre = state.alpha.copy()
            found = self.slopes_at(objective, state)
        p, c = self.newton_direction(objective, state, found, mass, deadline)
        first = dot(found.gradient, p)
        if first < 0.0 and np.isfinite(first):
            zp = objective.z(p)
            weighted = zp if weights is None else weights * zp
            rest = float(lam * dot(self.penalised(state.w), p)), float(lam * dot(self.penalised(p), p))
            at = objective.losses, state.z, zp, weighted / mass, state.centre, state.q
            t = float(step_length(*at, float(first), rest))
            state.w, state.beta = state.w + t * p, state.beta + t * c
            # a step with few free rows can be huge for n <= d, and the next one takes it back
            fresh = state.beta.size > 0 or state.evaluations % FRESH == FRESH - 1
            state.z = objective.z(state.w) if fresh else state.z + t * zp
            found = self.slopes_at(objective, state)
        else:  # roundings
            state.z = objective.z(state.w)
        state.told = objective.gap_from(objective.sums(state.z, state.alpha), self.measured(objective, state, found)[0])
        state.evaluations += 1

    def measured(self, objective: Objective, state: Any, found: Slopes) -> tuple[float, float, float]:
        """``measures`` of the state."""
        sums = objective.losses, objective.weights, float(objective.mass), objective.problem.regularizer.lam
        at = objective.problem.d, state.q, state.z, state.centre, state.alpha
        sizes: tuple[float, float, float] = measures(*sums, *at, found.bends, found.gradient)
        return sizes

    def slopes_at(self, objective: Objective, state: ProximalState) -> Slopes:
        """``inner``, or what it was where z, the centre and q are those of its last call: then alpha is, too."""
        z, centre, q, found = self.last
        if z is not state.z or centre is not state.centre or q != state.q or found is None:
            found = self.inner(objective, state)
            self.last = state.z, state.centre, state.q, found
        return found

    def inner(self, objective: Objective, state: ProximalState) -> Slopes:
        """Make alpha at the state's z."""
        alpha, bends = np.empty(objective.n), np.empty(objective.n)
        proximal_slopes(objective.losses, state.z, state.centre, state.q, alpha, bends)
        state.alpha = alpha
        lam, r = objective.problem.regularizer.lam, np.empty(0)
        if is_wide(objective.problem):
            r = lam * state.beta + alpha
            gradient = 0.0 - objective.minus_u(r)
        else:
            gradient = lam * self.penalised(state.w) - objective.minus_u(alpha)
        return Slopes(gradient, r, np.flatnonzero(bends), bends)

    def newton_direction(
        self, objective: Objective, state: object, found: Slopes, mass: float, deadline: float = math.inf
    ) -> tuple[Array, Array]:
        """p = -H^-1 grad, H = lam I + the sum over the free rows of s_i bend_i x_i x_i^T/mass, and what it adds to
        beta.
        """
        weights = objective.arrays.weights
        if is_wide(objective.problem):
            share = (np.ones(objective.n) if weights is None else weights) / mass
            return self.dual_direction(objective, state, found, share, deadline)
        curved = (found.bends if weights is None else weights * found.bends)[found.free] / mass
        return self.direction_in(objective, found.free, curved, 0.0 - found.gradient, deadline), np.empty(0)

    def dual_direction(
        self, objective: Objective, state: Any, found: Slopes, share: Array, deadline: float
    ) -> tuple[Array, Array]:
        """p = sum_i share_i c_i x_i and c, with lam c_i + bend_i x_i^T p = -r_i for every row, bend_i = 0 where it
        is not free. With an intercept, x_i^T p includes the change of b, the last number of p.

        This is H p = -grad in the coordinates of the rows. It loses nothing where lam is tiny, as the formula of
        Woodbury does, which divides a difference by lam.
        """
        lam = objective.problem.regularizer.lam
        free, bends, c = found.free, found.bends[found.free], found.r / -lam
        c[free] = 0.0
        roots = np.sqrt(share[free] * bends)
        outside = objective.z(self.penalised(0.0 - objective.minus_u(c)))[free]
        h = roots * (found.r[free] / -bends - outside)
        U = factorized(lambda: scaled(products(objective, deadline)[np.ix_(free, free)], roots, lam))
        h, b = self.solved_with_b(U, h, roots, dot(share, state.beta + c), found)
        c[free] = h * np.sqrt(bends / share[free])
        p = self.penalised(0.0 - objective.minus_u(c))
        p[-1] += b
        return p, c

    def solved_with_b(self, U: Array, h: Array, roots: Array, known: float, found: Slopes) -> tuple[Array, float]:
        """(U^T U)^-1 h; what b changes by, 0 where there is none."""
        return solution(U, h), 0.0

    def direction_in(
        self, objective: Objective, free: Array, curved: Array, p: Array, deadline: float, mean: Array | None = None
    ) -> Array:
        """(lam I + the sum over the free rows of curved_i x_i x_i^T)^-1 p; with a mean, of the rows x_i - mean."""
        lam, rows = objective.problem.regularizer.lam, objective.arrays.matrix
        if free.size == 0:
            return np.asarray(p / lam)
        m = 0.0 if mean is None else float(curved.sum())
        made = partial(self.hessian, rows, (free, curved, 1.0), objective.d, lam, deadline, m, mean)
        found: Array = solution(factorized(made), p)
        return found


class FastInterceptProximalNewton(FastInterceptLBFGS, FastProximalNewton):
    """The proximal Newton method on an InterceptProblem: the steps in (w, b), where b has no penalty.

    H has a border: m, the sum of curved_i, for b, and m x with x the mean of the free rows in proportion to curved_i.

    >>> from dualgap.reference import Absolute, InterceptProblem, L2
    >>> problem = InterceptProblem([[1.0], [-1.0], [0.0]], [2, 4, 3], Absolute(), L2(1))
    >>> FastInterceptProximalNewton().run(problem, [0] * 20).w.round(6).tolist()
    [-0.666667, 3.0]
    """

    def step(self, objective: Objective, state: Any, deadline: float) -> None:
        """Make one step. It returns a gap only if the inner problem is solved, because sum_i s_i alpha_i != 0 costs
        more."""
        super().step(objective, state, deadline)
        short, distance, blur = self.measured(objective, state, self.slopes_at(objective, state))
        if not short <= max(INNER * distance, blur):
            state.told = np.inf

    def inner(self, objective: Objective, state: Any) -> Slopes:
        found = super().inner(objective, state)
        found.gradient[-1] = dot(objective.arrays.weights, state.alpha) / objective.mass
        return found

    def solved_with_b(self, U: Array, h: Array, roots: Array, known: float, found: Slopes) -> tuple[Array, float]:
        """(U^T U)^-1 (h - b roots), with the b for which the mean of beta + c is 0: known + roots^T h = 0."""
        if roots.size == 0:
            return h, -float(found.gradient[-1])
        h, v = solution(U, h), solution(U, roots)
        b = float((dot(roots, h) + known) / dot(roots, v))
        return h - b * v, b

    def newton_direction(
        self, objective: Objective, state: object, found: Slopes, mass: float, deadline: float = math.inf
    ) -> tuple[Array, Array]:
        if is_wide(objective.problem):
            return super().newton_direction(objective, state, found, mass, deadline)
        rows, free = Objective(objective.problem), found.free
        curved, factors, mean = rows.weights[free] * found.bends[free] / mass, np.zeros(rows.n), np.zeros(rows.d)
        m, q = float(curved.sum()), 0.0 - found.gradient
        if m > 0:
            factors[free] = curved / m
            combine(rows.arrays.matrix, factors, mean)
        p = self.direction_in(rows, free, curved, q[:-1] - q[-1] * mean, deadline, mean)
        return np.append(p, q[-1] / (m or 1.0) - dot(mean, p)), np.empty(0)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w[:-1].copy(), state.alpha.copy()


FastProximalNewton.with_intercept = FastInterceptProximalNewton
