"""L-BFGS whose metric is the Cholesky factor of a Hessian, made of a sample of the rows, when that pays.

Problem    min_w P(w) for a smooth loss and g = (lam/2)||w||^2. Deterministic.
Method     the steps of L-BFGS (``lbfgs``), whose first metric is the inverse of
           H = lam I + the mean of phi_i''(x_i^T v) x_i x_i^T over one row of every s that follow each other, each times
           its weight if it has one: the sub-sampled Newton method of Byrd, Chin, Neveitt and Nocedal (SIAM J. Optim.
           2011), with the pairs of L-BFGS for what the sample and the point v do not tell. phi'' may jump (smoothed and
           squared hinge): then this is the semismooth Newton method (Qi and Sun, Math. Program. 1993). For n <= d the
           n x n matrix lam I + S X X^T S is factorized instead of H (Woodbury), and s = 1. If a sample says that the
           columns are uncorrelated, up to its noise, H is only its diagonal. t = 1 is taken where the slope along the
           step has fallen to 0.7 of what it was, for each row is then read once; of sparse rows with a metric, to 0.3.
           For the squared loss phi' is linear, and dense rows are read once for any t.
When       the metric is made where the steps that are left, at the rate of the last four, cost 1.25 times as much, and
           made again, with half the s and the pairs forgotten, where progress is slow. At the start a few rows tell
           whether H is about a multiple of I: then a sample would add noise alone, and none is made. For the squared
           loss, whose H is the same everywhere, all rows enter it at once, where they are not too many; the step that
           follows ends at the minimum, up to roundings, and a certificate is the first to evaluate it. ``nanoseconds``
           has what is assumed of the time; no clock is read. Before that, and where the matrix is too large, the metric
           of sparse rows with n >= d is the inverse of the diagonal of H, made at the start and again after 8, 16, 32,
           .. evaluations, and the pairs are kept.

Few numbers  dense rows of at most 64 columns, for which all rows enter H at every step and no pairs are kept: the
           steps are one loop in compiled code, without BLAS (``compiled_small``).
Intercept  a free b (``InterceptProblem``) borders H, and has no lam.

One choice, 0, is one step, a pass, as for ``lbfgs``. What the matrix costs is not counted.

There is no counterpart in plain Python: the steps are those of ``compiled.py``, in both backends.
"""

import math
from typing import Any, NamedTuple

from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.reference.methods.registry import register_method
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem

LARGEST = 1500  # the dimension of a matrix
ROWS_PER_COLUMN, LARGEST_STRIDE = 16, 16  # of the first sample
TRIAL, LEAST = 4, 256  # rows for each column, and rows, that say whether a first sample is needed
ROUND = 3.0  # quotient of diagonal entries of H, where it is not
GOAL = 1e-7  # the gap, relative to P(0), until which steps are counted
WORTH = 1.25  # times the cost of the metric that steps have to exceed
STEPS = 6  # with a metric; 1 for the squared loss and all rows
CACHED = 2_000_000  # entries of dense rows, 16 MB
DIAGONAL = 0  # the stride of a metric that is a diagonal
UNTOUCHED = 4  # evaluations before a metric is judged
NARROW, FEW = 64, 5_000_000  # columns, and the size of a step's work, of a small problem
ONE_MATRIX = 20  # times as much where one matrix is enough: for the squared loss
AGAIN = 8  # evaluations after which a diagonal is made for the second time


class Times(NamedTuple):
    """Nanoseconds of a step, of the matrix with all rows, of its factor, and of a step of a method that reads dense
    rows twice.
    """

    step: float
    rows: float
    factor: float
    twice: float = 0.0  # pickles of version 0.1 have none, and none of theirs is used


@register_method
class Newton(LBFGS):
    """The state is that of the compiled method.

    Parameters
    ----------
    memory : integer >= 1
        The pairs that are kept.
    stride : integer >= 1
        The first s for n > d, with the metric made at the start; default: see above.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1.0, 0.0], [1.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> p.gap(*Newton().view(p, Newton().run(p, [0, 0]))) < 1e-20
    True
    """

    name = "newton"
    summary = "Newton's method for smooth losses, which `auto` can choose"
    drawn_options = {"stride": (None, 2)}
    storage_matters = True
    vectors_kept = (125, 20)

    def __init__(self, memory: int = 40, stride: int | None = None) -> None:
        super().__init__(memory)
        if stride is not None and not (isinstance(stride, int) and stride >= 1):
            raise ValueError(f"stride must be an integer >= 1 (got {stride!r}): every stride-th row enters the matrix")
        self.stride = stride

    def notes(self, problem: Problem) -> list[str]:
        return []

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """Return the number of entries of the matrix and of X X^T."""
        if not has_metric(problem):
            return 0
        return 2 * problem.n**2 if is_wide(problem) else problem.d**2

    @classmethod
    def matrix_passes(cls, problem: Problem, data: object) -> float:
        """The steps that take as long as the first matrix and its factor, and no more than ``STEPS``."""
        if not has_metric(problem):
            return float(STEPS)
        times = nanoseconds(problem, data)
        return min(float(STEPS), (times.rows / first_stride(problem) + times.factor) / times.step)

    @classmethod
    def times(cls, problem: Problem, data: object) -> Times:
        """``nanoseconds``, for ``auto``."""
        return nanoseconds(problem, data)

    @staticmethod
    def few_numbers(problem: Problem, data: Any) -> bool:
        """Return whether phi'' is known, and ``is_narrow``."""
        return has_curvature(problem) and is_narrow(problem, data, ONE_MATRIX if problem.loss.name == "squared" else 1)

    def next_stride(self, problem: Problem, state: Any, small: float, data: object) -> int | None:
        """s of a metric that is to be made now, or None; small: 2 lam P(0), data: the arrays of the rows."""
        following = self.next_of_matrix(problem, state, small, data) if has_metric(problem) else None
        if following is None and state.stride == DIAGONAL and has_diagonal(problem, data):
            again = problem.loss.name != "squared" and state.evaluations >= max(AGAIN, 2 * state.made)
            following = DIAGONAL if state.evaluations == 1 or again else None
        return following

    def next_of_matrix(self, problem: Problem, state: Any, small: float, data: object) -> int | None:
        """``next_stride`` of a matrix."""
        times, s = nanoseconds(problem, data), int(state.stride)
        if state.evaluations == 1:
            return self.at_start(problem, times)
        since = state.evaluations - (state.made if s else 0)
        squares = [square for square in state.recent.tolist()[-since - 1 :] if square > 0]
        if since < UNTOUCHED or len(squares) < UNTOUCHED or squares[-1] > squares[-2] <= squares[-3]:
            return None  # too few, or one that grew
        rate = max(math.log(squares[0] / squares[-1]) / (len(squares) - 1), 1e-3)
        left = max(math.log(squares[-1] / (GOAL * small)), 3.0) if small > 0 else 3.0
        following = max(1, s // 2) if s else first_stride(problem)
        if s == 1 and problem.loss.name == "squared":
            return None  # the same metric again
        steps = 1 if following == 1 and problem.loss.name == "squared" else STEPS
        cost = times.rows / following + times.factor + steps * times.step
        return following if left / rate * times.step > WORTH * cost else None

    def trial_stride(self, problem: Problem) -> int:
        """s of the rows that say whether a first sample is needed, or 0 where no trial is worth its time."""
        if self.stride is not None or problem.loss.name == "squared":
            return 0
        s = problem.n // max(TRIAL * problem.d, LEAST)
        return s if s >= 2 * first_stride(problem) else 0

    def at_start(self, problem: Problem, times: Times) -> int | None:
        """s of the metric at the first point."""
        if self.stride is not None:
            return 1 if is_wide(problem) else min(self.stride, problem.n)
        if problem.loss.name == "squared" and times.rows + times.factor <= STEPS * times.step:
            return 1
        s = first_stride(problem)
        return s if times.rows / s + times.factor <= 2 * times.step else None


def is_narrow(problem: Problem, data: Any, times: int = 1) -> bool:
    """Return whether a step with the Hessian of all rows takes that many milliseconds at most, without BLAS."""
    n, d = problem.n, problem.d
    return not data.sparse and d <= NARROW and n * d * (d + 24) <= times * FEW


def first_stride(problem: Problem) -> int:
    """1 of so many rows enters the first matrix."""
    return 1 if is_wide(problem) else max(1, min(LARGEST_STRIDE, problem.n // (ROWS_PER_COLUMN * problem.d)))


def is_wide(problem: Problem) -> bool:
    """Return whether the matrix has a row for every row of X."""
    return bool(problem.n <= problem.d)


def has_metric(problem: Problem) -> bool:
    """Return whether a matrix is ever made: for a phi'' that is known, in a dimension that is not too large."""
    return has_curvature(problem) and min(problem.n, problem.d) <= LARGEST


def has_diagonal(problem: Problem, data: Any) -> bool:
    """Return whether the diagonal of H is a metric: its entries differ most where rows are sparse, and with more
    columns than rows it is far from H.
    """
    return has_curvature(problem) and bool(data.sparse) and problem.n >= problem.d


def has_curvature(problem: Problem) -> bool:
    """Return whether phi'' is known."""
    return type(problem.loss).curvature is not Loss.curvature


def nanoseconds(problem: Problem, data: Any) -> Times:
    """Return the estimated times. From measurements, a step takes 50 microseconds, and 2 ns for each entry of sparse
    rows; with dense rows 25 microseconds, and 0.3 ns for each entry of those that a cache holds, 1 for others. The
    matrix takes 0.35 ns for every product of two entries of a sparse row; BLAS takes 0.018 ns for dense rows, and 1.5
    ns more for each entry, 4 where rows have factors, and 0.035 ns for every product in X X^T.
    """

    def make() -> Times:
        n, d, entries, sparse = problem.n, problem.d, data.nnz, data.sparse
        twice = 50e3 + entries * (2.0 if sparse else 0.6) + 10.0 * n + 20.0 * d
        step = twice if sparse else twice / 2 + 0.7 * max(0, entries - CACHED)
        factor = nanoseconds_of_factor(min(n, d))
        if is_wide(problem):
            return Times(2 * step, 0.0, factor + n * entries * (0.5 if sparse else 0.035), 2 * twice)
        copied = 1.5 if problem.loss.name == "squared" else 4.0
        rows = squared_lengths(data.matrix.indptr) * 0.35 if sparse else n * d * (copied + d * 0.018)
        return Times(step, rows, factor, twice)

    found: Times = problem.cached("nanoseconds", make)
    return found


def nanoseconds_of_factor(d: int) -> float:
    """Return the estimated time of the factorization for d columns."""
    return d**2 * 1.0 + d**3 * 0.01


def squared_lengths(starts: Any) -> float:
    """The sum over the sparse rows, which start there, of the square of how many entries they store."""
    return float(((starts[1:].astype(float) - starts[:-1].astype(float)) ** 2).sum())
