"""L-BFGS whose metric is the inverse of a Hessian, compiled: of all rows or of a sample, factorized in the smaller
dimension.
"""

import math
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import (
    FastInterceptLBFGS,
    FastLBFGS,
    LBFGSState,
    WithIntercept,
    direction,
    dot,
    newest_first,
    oldest_first,
    solution,
)
from dualgap.extras.baselines.newton.compiled_hessian import (
    BETWEEN_LOOKS,
    Sample,
    add_rows,
    add_squares,
    factorized,
    factors_of,
    less_square,
    products,
    projected,
    scaled,
    uncorrelated,
)
from dualgap.extras.baselines.newton.compiled_small import newton_steps
from dualgap.extras.baselines.newton.reference import DIAGONAL, ROUND, Newton, is_wide
from dualgap.fast.compiler.first_calls import MOST, interpreting
from dualgap.fast.methods.base import require_time
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, combine
from dualgap.reference.problem.problem import Problem


class Metric(NamedTuple):
    """U with U^T U = H, or with U^T U = lam I + S X X^T S and the diagonal of S, for a Hessian lam I + X^T S^2 X; or
    the diagonal of H, shape (d,).

    With a free intercept m is the mean of phi_i'', and ``mean`` that of the rows with these weights, subtracted from
    each row.
    """

    U: Array
    roots: Array | None
    m: float = 0.0
    mean: Array | None = None


def loss_at_zero(problem: Problem) -> float:
    """P(0)."""
    return float(problem.cached("P(0)", lambda: objective_of_rows(problem).P(np.zeros(problem.d))))


@register_compiled_method
class FastNewton(FastLBFGS):
    """The steps of ``dualgap.extras.baselines.newton.reference``.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastNewton().run(problem, [0, 0]).w.round(9).tolist()
    [0.2, -0.6]
    """

    name: ClassVar[str] = "newton"
    reference: Newton
    inexact = True

    def update_metric(self, objective: Objective, state: LBFGSState, deadline: float) -> None:
        """Make the metric where the reference says so, or make the one of a copied state again."""
        stride = self.due(objective, state)
        if stride is not None and not (stride and self.is_round(objective, state, deadline)):
            state.stride, state.made, state.anchor, state.metric = stride, state.evaluations, state.w.copy(), None
            state.pairs, self.whole_steps = state.pairs if stride == DIAGONAL else 0, True
        if state.made and state.metric is None:
            state.metric = self.metric(objective, state, deadline)

    def is_small(self, objective: Objective) -> bool:
        """Return whether all steps are those with all rows, in one call."""
        return self.reference.stride is None and Newton.few_numbers(objective.problem, objective.arrays)

    def together(self, objective: Objective, state: LBFGSState, until: tuple[int, float, float]) -> int:
        """All steps of a small problem."""
        if not self.is_small(objective):
            return 0
        (most, gap, _), n, d = until, objective.n, objective.d
        point = state.w, state.z, state.alpha, state.gradient, state.recent
        sizes = float(objective.mass), objective.problem.regularizer.lam, d
        numbers = objective.arrays.matrix, objective.losses, objective.weights, sizes
        with interpreting(n * d * d <= MOST):
            made = int(newton_steps(*numbers, point, (state.evaluations, most), gap))
        if made == 0 and most > 0:  # roundings: no step is a descent
            made = 1
        state.evaluations += made
        return made

    def evaluation(self, objective: Objective, state: LBFGSState, deadline: float) -> None:
        if not (self.together(objective, state, (1, -math.inf, deadline)) or self.solved(objective, state, deadline)):
            super().evaluation(objective, state, deadline)

    def solved(self, objective: Objective, state: LBFGSState, deadline: float) -> bool:
        """Go from w = 0 to the minimum for the squared loss and n <= d, up to roundings, if X X^T is made at once:
        w = X^T S (lam I + S X X^T S)^-1 S y, S^2 = diag(s_i)/mass. Whether it is done.
        """
        problem = objective.problem
        wide = problem.loss.name == "squared" and is_wide(problem) and state.w.size == objective.d
        if state.evaluations > 0 or not wide or state.w.any():
            return False
        if not self.reference.at_start(problem, self.reference.times(problem, objective.arrays)):
            return False
        state.stride = state.made = 1
        U, roots, *_ = state.metric = self.metric(objective, state, deadline)
        state.evaluations = 1  # not before: the time may be up within the matrix
        combine(objective.arrays.matrix, roots * solution(U, roots * objective.arrays.y), state.w)
        return True

    def is_exact(self, objective: Objective, state: LBFGSState) -> bool:
        """For the squared loss and a metric of all rows that was just made."""
        return objective.problem.loss.name == "squared" and state.stride == 1 and state.made == state.evaluations

    def is_new(self, state: LBFGSState) -> bool:
        return state.evaluations > 0 and not state.gradient.any()

    def due(self, objective: Objective, state: LBFGSState) -> int | None:
        """The stride of a metric that is to be made now, or None."""
        problem = objective.problem
        small = 2 * problem.regularizer.lam * loss_at_zero(problem)
        return self.reference.next_stride(problem, state, small, objective.arrays)

    def is_round(self, objective: Objective, state: LBFGSState, deadline: float) -> bool:
        """Return whether H is about a multiple of I at the first point, so that pairs alone do as well: a few rows say
        that the columns are uncorrelated and of one size.
        """
        stride = self.reference.trial_stride(objective.problem)
        if state.evaluations > 1 or not stride:
            return False
        state.stride, state.made, state.anchor = stride, 1, state.w.copy()
        factors = self.factors(objective, state)
        state.stride = state.made = 0
        lam, (m, mean) = objective.problem.regularizer.lam, self.border(objective, *factors)
        H = self.hessian(objective.arrays.matrix, factors, objective.d, lam, deadline, m, mean)
        D = H.diagonal()
        return bool(D.max() <= ROUND * D.min() and uncorrelated(H, lam, factors[1]))

    def metric(self, objective: Objective, state: LBFGSState, deadline: float = math.inf) -> Metric:
        """Return the metric of the state's anchor, sample and time."""
        lam, rows = objective.problem.regularizer.lam, objective.arrays.matrix
        picked, curved, mass = self.factors(objective, state)
        m, mean = self.border(objective, picked, curved, mass)
        if state.stride == DIAGONAL:
            D = np.zeros(objective.d)
            add_squares(rows, picked, curved, D)
            D = D / mass + lam if mean is None else D / mass + lam - m * mean * mean
            return Metric(np.maximum(D, lam), None, m, mean)
        if is_wide(objective.problem):
            roots = np.sqrt(curved / mass)

            def scaled_products() -> Array:
                M = scaled(products(objective, deadline), roots, lam)
                if m > 0:
                    projected(M, roots, m, lam)
                return np.asarray(M)

            return Metric(factorized(scaled_products), roots, m, mean)
        made = partial(self.hessian, rows, (picked, curved, mass), objective.d, lam, deadline, m, mean)
        H = made()
        if state.stride > 1 and uncorrelated(H, lam, curved):
            return Metric(np.maximum(H.diagonal(), lam), None, m, mean)
        return Metric(factorized(made, H), None, m, mean)

    def hessian(
        self,
        rows: Any,
        factors: tuple[Array, Array, float],
        d: int,
        lam: float,
        deadline: float,
        m: float = 0.0,
        mean: Array | None = None,
    ) -> Array:
        """The upper half of lam I + sum_i c_i x_i x_i^T/S, of ``factors``, less that of m mean mean^T."""
        picked, curved, mass = factors
        H = np.zeros((d, d))
        entries = d if len(rows) == DENSE else rows.data.size / (rows.indptr.size - 1)
        at_once = max(1, int(BETWEEN_LOOKS / (entries * entries + 1)))
        for first in range(0, picked.size, at_once):
            require_time(deadline)
            part = slice(first, first + at_once)
            add_rows(rows, picked[part], curved[part], H)
        H /= mass
        H[np.diag_indices(d)] += lam
        if mean is not None and m > 0:
            less_square(H, m * mean, m)
        return H

    def factors(self, objective: Objective, state: LBFGSState) -> tuple[Array, Array, float]:
        """Return the rows that enter, s_i phi_i'' of each, and the sum of their s_i."""
        weights = np.empty(0) if objective.arrays.weights is None else objective.arrays.weights
        loss = objective.problem.loss
        flat = loss.name == "squared" or state.made == 1 and loss.curvature(0.0, 1.0) == 0
        b = float(state.anchor[-1]) if state.anchor.size > objective.d else 0.0
        stride = max(1, state.stride)
        sample = Sample(objective.n // stride, stride, state.made, weights, flat, b)
        picked, curved = np.empty(sample.blocks, np.int64), np.empty(sample.blocks)
        mass = factors_of(
            objective.arrays.matrix, objective.losses, state.anchor[: objective.d], sample, 0, picked, curved
        )
        return picked, curved, float(mass)

    def border(self, objective: Objective, picked: Array, curved: Array, mass: float) -> tuple[float, Array | None]:
        """m and the mean of ``Metric``: 0 and None without a free intercept."""
        return 0.0, None

    def direction(self, objective: Objective, state: LBFGSState) -> tuple[Array, float]:
        if state.metric is None:
            return super().direction(objective, state)
        if state.metric.roots is None and state.w.size == objective.d:
            found: tuple[Array, float] = direction(state.gradient, state.kept(), state.pairs, state.metric.U)
            return found
        q, factors = 0.0 - state.gradient, np.zeros(state.rho.size)
        newest_first(*state.kept(), state.pairs, q, factors)
        q = self.precondition(objective, state.metric, q)
        oldest_first(*state.kept(), state.pairs, q, factors)
        return q, float(dot(state.gradient, q))

    def precondition(self, objective: Objective, metric: Metric, q: Array) -> Array:
        """The inverse of the metric times q."""
        U, roots, m, _ = metric
        if roots is None:
            return np.asarray(solution(U, q))
        inside = roots * objective.z(q)
        if m > 0:
            inside -= roots * (dot(roots, inside) / m)
        spread = np.zeros(objective.d)
        combine(objective.arrays.matrix, roots * solution(U, inside), spread)
        return np.asarray((q - spread) / objective.problem.regularizer.lam)


class FastInterceptNewton(FastInterceptLBFGS, FastNewton):
    """Newton's method on an InterceptProblem: the steps in (w, b), where b has no penalty.

    The Hessian is H with a border: m, the mean of phi_i'', for b, and m x with x the mean of the x_i in proportion to
    phi_i''. Without b it is H - m x x^T, the Hessian of the rows x_i - x, which is factorized.

    >>> from dualgap.reference import InterceptProblem, L2, Squared
    >>> problem = InterceptProblem([[1.0], [-1.0]], [2, 4], Squared(), L2(1))
    >>> FastInterceptNewton().run(problem, [0] * 3).w.round(9).tolist()
    [-0.5, 3.0]
    """

    def border(self, objective: Objective, picked: Array, curved: Array, mass: float) -> tuple[float, Array | None]:
        factors, total = np.zeros(objective.n), np.zeros(objective.d)
        factors[picked] = curved
        size = float(curved.sum())
        if not size > 0:  # no row is curved: b is scaled as if all were
            return 0.0, total
        combine(objective.arrays.matrix, factors, total)
        return size / mass, np.asarray(total / size)

    def precondition(self, objective: Objective, metric: Metric, q: Array) -> Array:
        m, mean = metric.m, metric.mean
        assert isinstance(objective, WithIntercept)
        p = super().precondition(Objective(objective.problem), metric, q[:-1] - q[-1] * mean)
        return np.append(p, q[-1] / (m or 1.0 / objective.gamma) - dot(mean, p))


FastNewton.with_intercept = FastInterceptNewton
