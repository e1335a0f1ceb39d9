"""The steps of ``dualgap.extras.baselines.l1_newton.reference``, compiled."""

import math
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.baselines.compiled_gradients import gradient, slopes
from dualgap.extras.baselines.l1_newton.compiled_steps import (
    ARMIJO,
    ENOUGH,
    EXACT,
    HALVINGS,
    ROUNDS,
    SWEEPS,
    clip_on_support,
    go_on_support,
    minimum_of_model,
    slope_behind,
    steps_together,
    sweeps,
)
from dualgap.extras.baselines.l1_newton.reference import (
    ALL,
    COPIED,
    NEARLY,
    L1Newton,
    is_flat,
    stride_of,
    takes_all_rows,
    takes_columns,
)
from dualgap.extras.baselines.lbfgs.compiled import FRESH, LBFGSState, dot, pair_of, solution
from dualgap.extras.baselines.newton.compiled import FastNewton, loss_at_zero
from dualgap.extras.baselines.newton.compiled_hessian import factorized
from dualgap.extras.baselines.newton.reference import LARGEST, Newton
from dualgap.fast.compiler.first_calls import MOST, interpreting
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import require_time
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, Dense, Limits, Sparse, bounds, column, summed, value
from dualgap.reference.problem.problem import Problem

FEW = 64  # coefficients of a factor without LAPACK
CLOSEST, FURTHEST = 0.1, 10.0  # what B may be scaled by before the first update
NEAR, FALL = 3e-7, 1e-2  # of P(0), and of the gap before: the gap that ends a step over the columns


class L1State(LBFGSState):
    """The state of L-BFGS, and 1 for the columns in A, 0 for the others: at first there are none in A."""

    __slots__ = ("inside",)
    inside: Array

    def __init__(self, **fields: Any) -> None:
        super().__init__(**{"inside": np.zeros(fields["w"].size, np.int64), **fields})


@kernel
def times(B, s):
    """B s."""
    out = np.empty(s.size)
    for i in range(s.size):
        out[i] = dot(B[i], s)
    return out


@kernel
def add_outer(B, u, v, factor):
    """B <- B + factor u v^T."""
    for i in range(u.size):
        row, share = B[i], factor * u[i]
        for j in range(v.size):
            row[j] = row[j] + share * v[j]


@kernel
def within(rows, picked, places, indptr, columns, values):
    """The entries of the picked rows in the columns whose place is >= 0, as sparse rows; how many there are."""
    count = 0
    for b in range(picked.size):
        first, end = bounds(rows, picked[b])
        for at in range(first, end):
            place = places[column(rows, at)]
            if place >= 0:
                columns[count], values[count] = place, value(rows, picked[b], at)
                count += 1
        indptr[b + 1] = count
    return count


@register_compiled_method
class FastL1Newton(FastNewton):
    """The steps of ``dualgap.extras.baselines.l1_newton.reference``.

    >>> from dualgap.reference import ElasticNet, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -0.1], Squared(), ElasticNet(0.5, 0.125))
    >>> FastL1Newton().run(problem, [0] * 10).w.round(9).tolist()
    [0.375, 0.0]
    """

    name: ClassVar[str] = "l1-newton"
    state_class = L1State
    reference: L1Newton  # type: ignore[assignment]

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> LBFGSState:
        """w = w(alpha). Where both are 0 for alpha = phi'(0), that is the default, which certifies w = 0."""
        state = super().init(problem, alpha)
        if alpha is None and not self.is_small(self.native(problem)) and self.changed_at_zero(problem) == 0:
            state.alpha = slopes(objective_of_rows(problem), np.zeros(problem.n))
        return state

    def is_small(self, objective: Objective) -> bool:
        return Newton.few_numbers(objective.problem, objective.arrays)

    def together(self, objective: Objective, state: LBFGSState, until: tuple[int, float, float]) -> int:
        """The steps with all rows and columns."""
        (most, gap, deadline), n, d, problem = until, objective.n, objective.d, objective.problem
        if takes_columns(problem, objective.arrays, state) and self.step_over_columns(objective, state, deadline):
            return 1
        small = self.is_small(objective)
        if not takes_all_rows(problem, objective.arrays) or state.evaluations == 0 and not small:
            return 0
        if state.metric is None and is_flat(problem):
            state.metric = np.zeros((d, d)) if small else self.hessian_of_all(objective, deadline)
        B = np.empty((d, d)) if state.metric is None else state.metric
        sums = objective.weights, objective.mass, problem.regularizer.lam
        numbers = objective.arrays.matrix, objective.losses, sums, slope_limits(objective), B
        point = state.w, state.z, state.alpha, state.gradient
        with interpreting(n * d * d <= MOST):
            made, told = steps_together(*numbers, point, (state.evaluations, most), gap)
        state.recent[-1] = told if made else state.recent[-1]
        made = int(made) or min(1, most)  # roundings: no step is a descent
        state.evaluations += made
        return made

    def hessian_of_all(self, objective: Objective, deadline: float) -> Array:
        """The Hessian of the squared loss."""
        n, d, lam = objective.n, objective.d, objective.problem.regularizer.lam
        curved = (objective.weights if objective.weights.size else np.ones(n)) / objective.gamma
        H = self.hessian(objective.arrays.matrix, (np.arange(n), curved, objective.mass), d, lam, deadline)
        return np.asarray(H + np.triu(H, 1).T)

    def step_over_columns(self, objective: Objective, state: LBFGSState, deadline: float) -> bool:
        """Make a step of coordinate descent over the columns in A, until they tell a gap of ``NEAR`` P(0) or less.
        Where they are too many or it is slow, a stride is set: no other such step follows, and this one is made only
        where A of the matrix depends on the point. Whether it is made.
        """
        assert isinstance(state, L1State)
        needed, rows = self.needed(objective, state), cast(Any, objective.arrays.matrix)
        if (needed > state.inside).any():
            state.inside, state.metric = needed | state.inside, None
        columns, roots = np.flatnonzero(state.inside), np.sqrt(objective.weights) if objective.weights.size else 1.0
        enough = min(NEAR * loss_at_zero(objective.problem), FALL * float(state.recent[-1]))
        told, done, few = 0.0, False, columns.size * objective.n <= COPIED
        if few and state.metric is None:
            X = rows.X.T[columns] * roots if objective.weights.size else rows.X.T[columns]
            state.metric = np.ascontiguousarray(X), np.zeros(columns.size)
        sums = 1.0 / objective.gamma, float(objective.mass), objective.problem.regularizer.lam
        r, x, w = roots * state.alpha, state.w[columns], state.w.copy()
        for _ in range(SWEEPS if few else 0):
            require_time(deadline)
            X, bends = state.metric
            before, (told, quick) = told, sweeps(X, bends, sums, slope_limits(objective), enough, r, x)
            done = quick and (told <= enough or told * told <= enough * before)  # the next one, if it falls as before
            if done or not quick:
                break
        if not done:
            state.stride, state.metric, state.inside = 1, None, np.zeros(objective.d, np.int64)
            if not few or takes_all_rows(objective.problem, objective.arrays):
                return False
        w[columns] = x
        along = objective.arrays.y + objective.gamma * (r / roots)
        self.move(objective, state, w, objective.z(w) if state.evaluations % FRESH == 0 else along)
        return True

    def move(
        self,
        objective: Objective,
        state: LBFGSState,
        w: Array,
        z: Array,
        alpha: Array | None = None,
        minus_u: Array | None = None,
    ) -> None:
        """Go to w, and keep the pair of the step and the gap of w and phi'(X w), up to roundings. alpha and ``minus_u``
        are computed where they are not given.
        """
        alpha = slopes(objective, z) if alpha is None else alpha
        minus_u = objective.minus_u(alpha) if minus_u is None else minus_u
        lam = objective.problem.regularizer.lam
        gradient = lam * w - minus_u
        if state.evaluations > 0:
            if state.pairs == state.rho.size < self.reference.memory:
                state.make_room(self.reference.memory)
            state.pairs += pair_of(state.kept(), state.pairs, w - state.w, gradient - state.gradient)
        state.w, state.z, state.alpha, state.gradient = w, z, alpha, gradient
        told = objective.regularizer_residual(w, lam * w - gradient)
        state.recent = np.append(state.recent[1:], told)
        state.evaluations += 1

    def evaluation(self, objective: Objective, state: LBFGSState, deadline: float) -> None:
        """Make one step."""
        assert isinstance(state, L1State)
        if self.together(objective, state, (1, -math.inf, deadline)):
            return
        if state.evaluations == 0:
            minus_u = None if state.w.any() else 0.0 - slopes_at_zero(objective)
            self.move(objective, state, state.w, objective.z(state.w), minus_u=minus_u)
            return
        self.update_model(objective, state, deadline)
        x, columns = state.w.copy(), np.flatnonzero(state.inside)
        x[columns] = self.minimum(objective, state, columns, deadline)
        p = x - state.w
        first = dot(state.gradient, p) + objective.l1 * (summed(np.abs(x)) - summed(np.abs(state.w)))
        if not (first < 0.0 and np.isfinite(first)):
            state.evaluations += 1
            return
        w, z, alpha, minus_u = self.between(objective, state, x, p, float(first))
        pairs = state.pairs
        if state.evaluations % FRESH == 0:
            self.move(objective, state, w, objective.z(w))
        else:
            self.move(objective, state, w, z, alpha, minus_u)
        if state.pairs > pairs:
            update(state, pairs, columns)

    def minimum(self, objective: Objective, state: LBFGSState, columns: Array, deadline: float) -> Array:
        """x near the minimum of the model, in these columns."""
        x, slopes, limits = state.w[columns], state.gradient[columns], slope_limits(objective)
        least = EXACT if state.stride == 1 else ENOUGH  # the first models of many columns get other columns soon
        enough, first = max(least, 10.0 ** -(1 + state.evaluations)) if objective.d > ALL else least, 0.0
        for _ in range(ROUNDS):
            done, first = minimum_of_model(state.metric, slopes, limits, enough, first, x, FEW)
            if done:
                break
            require_time(deadline)
            support = np.flatnonzero(x)
            step = -(slopes[support] + limits.high * np.sign(x[support]))
            step = solution(factorized(partial(np.take, state.metric[support], support, 1)), step)
            if not clip_on_support(state.metric, slopes, limits.high, support, step, x):
                go_on_support(state.metric, slopes, support, step, x)
        return x

    def between(
        self, objective: Objective, state: LBFGSState, x: Array, p: Array, first: float
    ) -> tuple[Array, Array, Array, Array | None]:
        """A point between w and x = w + p that is lower, with z, phi'(z) and, at x, ``minus_u``; first: the slope at w,
        or less.
        """
        minus_u: Array | None
        zp, z, alpha, minus_u = objective.step(state.z, p, 1.0)
        weights, lam = objective.arrays.weights, objective.problem.regularizer.lam
        mass = objective.mass
        weighted = zp if weights is None else weights * zp
        t, w, before = 1.0, x, math.nan
        for _ in range(HALVINGS):
            slope = dot(alpha, weighted) / mass + lam * dot(w, p) + slope_behind(w, p, objective.l1)
            if slope <= 0.0:  # P is convex, and falls up to here
                break
            before = objective.P_at(state.z, state.w) if math.isnan(before) else before
            if objective.P_at(z, w) <= before + ARMIJO * t * first:
                break
            t, minus_u = 0.5 * t, None
            w, z = state.w + t * p, state.z + t * zp
            alpha = slopes(objective, z)
        return w, z, alpha, minus_u

    def update_model(self, objective: Objective, state: L1State, deadline: float) -> None:
        """Make A and B where others are needed, or B of a copied state again."""
        needed = self.needed(objective, state)
        if (needed > state.inside).any() or state.pairs == self.reference.memory:
            state.inside, state.pairs, state.metric = needed.astype(np.int64), 0, None
            state.anchor, state.made = state.w.copy(), state.evaluations
            state.stride = stride_of(objective.problem, int(needed.sum()), objective.arrays)
        if state.metric is None:
            columns = np.flatnonzero(state.inside)
            state.metric = self.model(objective, state, columns, deadline)
            for pair in range(state.pairs):
                update(state, pair, columns)

    def needed(self, objective: Objective, state: L1State) -> Array:
        """Return the columns that a step needs."""
        if objective.d <= ALL:
            return np.ones(objective.d, bool)
        w, slope, (low, high) = state.w, state.gradient, slope_limits(objective)
        score = np.where(w != 0.0, np.abs(slope + high * np.sign(w)), np.maximum(-slope - high, low + slope))
        found: Array = (w != 0.0) | (score > 0.0)
        if not (found > state.inside).any():
            return found
        found |= score >= (NEARLY - 1.0) * high
        if takes_columns(objective.problem, objective.arrays, state):
            return found if 2 * np.count_nonzero(found) <= objective.d else np.ones(objective.d, bool)
        most = min(LARGEST, max(ALL, 2 * int(np.count_nonzero(w))))
        if np.count_nonzero(found) > most:
            score = np.where(w != 0.0, score + np.abs(slope).max(), score) if most < LARGEST else score
            found = np.zeros(objective.d, bool)
            found[np.argsort(-score, kind="stable")[:most]] = True
        return found

    def model(self, objective: Objective, state: LBFGSState, columns: Array, deadline: float) -> Array:
        """B of the state's anchor and sample, for these columns."""
        picked, curved, mass = self.factors(objective, state)
        rows, lam = objective.arrays.matrix, objective.problem.regularizer.lam
        if columns.size < objective.d:
            rows, picked = restricted(rows, picked, columns, objective.d), np.arange(picked.size)
        H = self.hessian(rows, (picked, curved, mass), columns.size, lam, deadline)
        return np.asarray(H + np.triu(H, 1).T)

    def changed_at_zero(self, problem: Problem) -> int:
        """Return the number of coefficients that a step at w = 0 changes."""
        objective: Objective = self.native(problem)
        slope, (low, high) = slopes_at_zero(objective), slope_limits(objective)
        return int(np.count_nonzero((slope < -high) | (slope > -low)))


def slopes_at_zero(objective: Objective) -> Array:
    """The slopes of the smooth part of P at w = 0, shape (d,)."""
    found: Array = objective.problem.cached("slopes at 0", lambda: gradient(objective, np.zeros(objective.d)))
    return found


def slope_limits(objective: Objective) -> Limits:
    """Between which minus the slope of the smooth part lies at a coefficient 0 of the optimum."""
    at_least_0 = objective.threshold.low < -objective.threshold.high
    return Limits(-math.inf if at_least_0 else -objective.l1, objective.l1)


def restricted(rows: Any, picked: Array, columns: Array, d: int) -> Dense | Sparse:
    """The picked rows, in these columns."""
    if len(rows) == DENSE:
        return Dense(rows.X[np.ix_(picked, columns)])
    places = np.full(d, -1)
    places[columns] = np.arange(columns.size)
    starts = rows.indptr.astype(np.int64)
    stored = int((starts[picked + 1] - starts[picked]).sum())
    indptr, found = np.zeros(picked.size + 1, np.uint64), np.empty(stored, rows.indices.dtype)
    values = np.empty(stored)
    count = within(rows, picked, places, indptr, found, values)
    return Sparse(indptr, found[:count], values[:count])


def update(state: LBFGSState, pair: int, columns: Array) -> None:
    """The BFGS update of B by that pair; B is scaled before the first one."""
    s, u, rho = state.S[pair][columns], state.U[pair][columns], state.rho[pair]
    B = state.metric
    Bs = times(B, s)
    along = dot(s, Bs)
    if pair == 0:
        factor = min(FURTHEST, max(CLOSEST, 1.0 / (rho * along)))
        B *= factor
        Bs, along = Bs * factor, along * factor
    add_outer(B, u, u, rho)
    add_outer(B, Bs, Bs, -1.0 / along)
