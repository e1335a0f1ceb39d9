"""PGS, compiled: the counterpart of ``dualgap.reference.methods.lazy.pgs``, same steps, bit-identical results.

Wherever Python and numba call the same ``pow`` (``compiler.probe``); for p = 2, which has no powers, in any case.
Elsewhere what is left is the error bound that each of the two has against exact arithmetic.

The numbers of the state that change in every round travel as one array, ``now``. O(nnz of the rows) a round, except for
the rounds that sum s again, flush or keep.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_choices
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.losses import CODES, derivative
from dualgap.fast.problem.pnorm import PNormNumbers, bend, bend_all, coefficient, largest, numbers_of
from dualgap.fast.problem.row_sums import derivatives
from dualgap.fast.problem.rows import bounds, column, soft, value
from dualgap.reference.methods.lazy.pgs import SPAN, AveragedLazyPGSState, LazyPGS, LazyPGSState, RandomLazyPGSState
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.problem import Problem

M, S, DRIFT, C, WEIGHT = 0, 1, 2, 3, 4  # places in ``now``


class RunNumbers(NamedTuple):
    """The constants of a run. powers is False for a quadratic regularizer; g then holds lam only."""

    code: int
    gamma: float
    g: PNormNumbers
    threshold: float  # l1/lam
    thresholded: bool  # l1 > 0
    powers: bool
    summed: bool  # whether s is needed
    keeping: int  # 1 where a choice begins with keep
    high: float
    span: int


class Vectors(NamedTuple):
    """The arrays of a state, which a kernel changes; those of outputs that are not requested are empty."""

    acc: Array
    bent: Array
    mark: Array
    total: Array
    output: Array


# -- coordinates (reference: LazyPGS) ---------------------------------------------------------------------


@kernel(inline=True)
def catch_up(j, weight, bent, mark, total):
    """total_j takes what is pending at bent_j.

    Written without the reference's branch, which was measured to triple the time of an entry: total_j + 0 is total_j,
    as a sum that began with 0 is never a negative zero.
    """
    pending = (weight - mark[j]) * bent[j]
    total[j] = total[j] + (pending if weight > mark[j] else 0.0)
    mark[j] = weight


@kernel
def flush(now, bent, mark, total):
    """All that is pending goes into total; weight starts again."""
    for j in range(bent.size):
        catch_up(j, now[WEIGHT], bent, mark, total)
        mark[j] = 0.0
    now[WEIGHT] = 0.0


@kernel
def safeguard(run, now, acc, bent, mark, total):
    """Sum s again, over a new scale, where too much of it may be rounding or it is far from 1."""
    s, d = now[S], acc.size
    if 1.0 <= s * run.high and s <= run.high and now[DRIFT] <= 4 * d * s:
        return
    if total.size > 0:
        flush(now, bent, mark, total)
    now[M] = largest(acc)
    now[S] = bend_all(run.g, acc, now[M], bent)
    now[DRIFT] = (d - 1) * now[S]


@kernel(inline=True)
def record(run, now, t, keep, bent, mark, total, output):
    """w_{t-1} goes into the output."""
    c = now[C]
    if total.size > 0:
        if now[WEIGHT] > run.span * (t + 1) * c:
            flush(now, bent, mark, total)
        now[WEIGHT] = now[WEIGHT] + c
    elif keep > 0:
        for j in range(bent.size):
            output[j] = soft(c * bent[j], run.threshold) if run.thresholded else c * bent[j]


@kernel(inline=True)
def rescale(run, now, t):
    """c_t, for the divisor (t+1) lam; whether it is finite."""
    divisor = (t + 1) * run.g.lam
    now[C] = coefficient(run.g, now[M], now[S], divisor) if run.powers else 1.0 / divisor
    return now[C] < np.inf or not run.powers


# -- one row ----------------------------------------------------------------------------------------------


@kernel(inline=True)
def product(rows, i, run, c, bent):
    """x_i^T w (reference: LazyPGS.slope)."""
    z = 0.0
    first, end = bounds(rows, i)
    if run.thresholded:
        for place in range(first, end):
            z = z + value(rows, i, place) * soft(c * bent[column(rows, place)], run.threshold)
        return z
    for place in range(first, end):
        z = z + value(rows, i, place) * bent[column(rows, place)]
    return c * z


@kernel(inline=True)
def change(rows, i, slope, run, now, acc, bent, mark, total):
    """acc <- acc - slope x_i; bent, s, drift and total follow (reference: LazyPGS.change)."""
    scale, s, drift, weight = now[M], now[S], now[DRIFT], now[WEIGHT]
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        acc_j = acc[j] - slope * value(rows, i, place)  # PGS line 7
        before, after = bent[j], bend(run.g, acc_j, scale) if run.powers else acc_j
        if run.summed:
            less = s - acc[j] / scale * before
            s = less + acc_j / scale * after
            drift = drift + abs(less) + abs(s)
        if total.size > 0:
            catch_up(j, weight, bent, mark, total)
        acc[j], bent[j] = acc_j, after
    now[S], now[DRIFT] = s, drift


# -- all rounds -------------------------------------------------------------------------------------------


@kernel
def pgs_rounds(rows, y, run, now, state, t, choices):
    """Figure 1 for every choice; the rounds made, fewer where an iterate is not finite."""
    acc, bent, mark, total, output = state
    k = choices.shape[1] - run.keeping
    slopes = np.empty(k)
    for drawn in range(len(choices)):  # PGS lines 3, 4
        changed = False
        record(run, now, t, choices[drawn, 0] * run.keeping, bent, mark, total, output)  # PGS line 9
        for b in range(k):
            i = choices[drawn, run.keeping + b]
            z = product(rows, i, run, now[C], bent)
            slopes[b] = derivative(run.code, run.gamma, z, y[i]) / k  # PGS lines 5, 6
        for b in range(k):
            if slopes[b] != 0.0:
                changed = True
                change(rows, choices[drawn, run.keeping + b], slopes[b], run, now, acc, bent, mark, total)
        if changed and run.summed:
            safeguard(run, now, acc, bent, mark, total)
        t += 1
        if not rescale(run, now, t):  # PGS line 8
            break
    return t


def dual(problem: Problem, w: Array) -> Array:
    """alpha_i = phi_i'(x_i^T w), shape (n,) (reference: Batched.dual)."""
    objective, alpha = objective_of_rows(problem), np.empty(problem.n)
    derivatives(objective.code, objective.gamma, objective.z(w), objective.arrays.y, alpha)
    return alpha


# -- the method -------------------------------------------------------------------------------------------


class FastPGSState(FastState, LazyPGSState):
    """The fields of the reference's ``LazyPGSState``, arrays for lists."""

    __slots__ = ()


class FastAveragedPGSState(FastPGSState, AveragedLazyPGSState):
    """The fields of ``AveragedLazyPGSState``."""

    __slots__ = ()


class FastRandomPGSState(FastPGSState, RandomLazyPGSState):
    """The fields of ``RandomLazyPGSState``."""

    __slots__ = ()


@register_compiled_method
class FastPGS(FastMethod[FastPGSState]):
    """Figure 1; options as in the reference.

    >>> from dualgap.reference import Hinge, Problem
    >>> problem = Problem([[3.0, 4.0, 5.0], [3.0, 4.0, 5.0]], [1, -1], Hinge(), PNorm(0.5, 1.5, ball=1))
    >>> pgs = FastPGS(output="last")
    >>> pgs.view(problem, pgs.run(problem, [[0], [0]]))[0].round(9).tolist()
    [0.25, 0.444444444, 0.694444444]
    """

    name: ClassVar[str] = "pgs"
    reference: LazyPGS

    def init(self, problem: Problem, alpha: Any = None) -> FastPGSState:
        """Return the first state, as the reference does; there is no alpha, and no average with l1 > 0."""
        self.reference.require_start(problem, alpha)
        zeros = np.zeros(problem.d)
        common = dict(acc=zeros, bent=zeros.copy(), M=1.0, s=0.0, drift=0.0, c=0.0, t=0)
        if self.reference.output == "average":
            return FastAveragedPGSState(**common, weight=0.0, mark=zeros.copy(), total=zeros.copy())
        if self.reference.output == "random":
            return FastRandomPGSState(**common, output=zeros.copy())
        return FastPGSState(**common)

    def advance(self, problem: Problem, state: FastPGSState, choices: ArrayLike) -> None:
        """See ``FastMethod``. With output "random" each choice is keep, which is 0 or 1, and then the rows."""
        random = self.reference.output == "random"
        checked = require_choices(choices, self.reference.outcomes(problem), self.reference.width(problem))
        if random and checked.size:
            require_choices(checked[:, 0], 2)
            require_choices(checked[:, 1:], problem.n, self.reference.k)
        self.steps(problem, state, checked)

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        none = np.empty(0)
        mark, total = getattr(state, "mark", none), getattr(state, "total", none)
        now = np.array([state.M, state.s, state.drift, state.c, getattr(state, "weight", 0.0)])
        vectors = Vectors(state.acc, state.bent, mark, total, getattr(state, "output", none))
        data = arrays(problem)
        state.t = pgs_rounds(data.entries(), data.y, self.numbers(problem), now, vectors, state.t, choices)
        state.M, state.s, state.drift, state.c, weight = now.tolist()
        if mark is not none:
            state.weight = weight
        if isinstance(problem.regularizer, PNorm):
            problem.regularizer.require_finite(state.c)

    def numbers(self, problem: Problem) -> RunNumbers:
        """Return the numbers that the kernels need."""
        regularizer, loss = problem.regularizer, problem.loss
        powers, l1 = isinstance(regularizer, PNorm), regularizer.l1 > 0
        g = numbers_of(regularizer if isinstance(regularizer, PNorm) else PNorm(regularizer.lam, 2).over(float))
        high, keeping = 2.0 ** min(problem.d, 100), int(self.reference.output == "random")
        summed = self.reference.needs_s(problem)
        return RunNumbers(
            CODES[loss.name], loss.gamma, g, problem.threshold or 0.0, l1, powers, summed, keeping, high, SPAN
        )

    def view(self, problem: Problem, state: FastPGSState) -> tuple[Array, Array]:
        """(w, alpha) with alpha_i = phi_i'(x_i^T w) at the output w."""
        w = self.w_of(problem, state)
        return w, dual(problem, w)

    def w_of(self, problem: Problem, state: Any) -> Array:
        """The output w, shape (d,)."""
        if self.reference.output == "last" or state.t == 0:
            w: Array = state.c * state.bent
            return self.native(problem).w_of(w) if problem.regularizer.l1 > 0 else w
        if self.reference.output == "random":
            return np.array(state.output)
        return np.asarray((state.total + (state.weight - state.mark) * state.bent) / state.t)
