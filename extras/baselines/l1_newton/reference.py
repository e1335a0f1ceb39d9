"""A proximal quasi-Newton method for elastic net, and for coefficients >= 0 (Lee, Sun and Saunders, SIAM J. Optim.
2014).

Problem    min_w P(w) for a smooth loss and g = (lam/2)||w||^2 + l1 ||w||_1, or the same for w >= 0. Deterministic.
Method     f, the mean loss plus (lam/2)||w||^2, is replaced by its gradient at w and a matrix B; coordinate descent on

               g_f^T (x - w) + (1/2)(x - w)^T B (x - w) + l1 ||x||_1

           gives x, and a line search a point between w and x. B is the Hessian of f over a sample of the rows, as in
           ``newton``, with the BFGS update of every step since, and is scaled before the first. It has the columns A of
           the coefficients that are not 0 and of those whose slope is at least ``NEARLY`` l1, the largest first: at
           most ``LARGEST``, and at most ``ALL`` or twice as many as are not 0. Where d <= ``ALL``, A has all columns.
           Where a step needs others, A and B are made again. With few dense rows and columns, or with the squared loss
           and more rows than columns, of which there are at most ``WIDE``, B is the Hessian of all rows instead.
Columns    with the squared loss, and dense rows of more than ``ALL`` columns, the first steps after the gradient make
           no B: coordinate descent goes over a copy of the columns in A, with the slopes of the losses kept. Here A has
           no largest size, and it has all columns if it would have more than half of them. After a sweep over A, it
           sweeps over the coefficients that are not 0 until w moves by little, and extrapolates after five of these:
           Anderson's acceleration (Bertrand and Massias, AISTATS 2021). Where five sweeps do not halve the squared
           movement, the columns are correlated, and B is made.
Model      coordinate descent alternates with a step towards the minimum over the coefficients that are not 0, in which
           no sign changes. The first models of a wide problem are solved less exactly.
Guarantee  linear convergence for strongly convex f (Lee, Sun and Saunders, for exact minima of the model); no rate is
           claimed here. alpha_i = phi_i'(x_i^T w) certifies every iterate.

One choice, 0, is one step: a product X p and a gradient, a pass. What B costs is not counted.

There is no counterpart in plain Python: the steps are those of ``compiled.py``, in both backends.
"""

from typing import Any

from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.extras.baselines.newton.reference import (
    LARGEST,
    LARGEST_STRIDE,
    ROWS_PER_COLUMN,
    STEPS,
    Newton,
    has_curvature,
    nanoseconds,
    nanoseconds_of_factor,
)
from dualgap.reference.methods.base import HypothesisViolated
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

ALL, NEARLY = 128, 0.8
WIDE = 512  # columns of the one Hessian of the squared loss
COPIED = 1 << 20  # numbers of the rows whose columns are copied: 8 MB, which a cache holds
SWEEPS = 20  # of coordinate descent, for the estimate of ``auto``


@register_method
class L1Newton(LBFGS):
    """The state is that of the compiled method.

    Parameters
    ----------
    memory : integer >= 1
        The steps after which B is made again.

    >>> from dualgap.reference import ElasticNet, Problem, Squared
    >>> p = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -0.1], Squared(), ElasticNet(0.5, 0.125))
    >>> w, alpha = L1Newton().view(p, L1Newton().run(p, [0] * 10))
    >>> [round(float(w_j), 9) for w_j in w], p.gap(w, alpha) < 1e-20
    ([0.375, 0.0], True)
    """

    name = "l1-newton"
    summary = "Newton's method for smooth losses with an l1 part or w >= 0, which `auto` can choose"
    storage_matters = True
    vectors_kept = (125, 20)
    differentiable = False
    families = ("quadratic", "non-negative")

    def __init__(self, memory: int = 40) -> None:
        super().__init__(memory)

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """A smooth loss whose curvature is known, no centre, floats, and a matrix that is not too large."""
        super().require_start(problem)
        if not has_curvature(problem) or problem.regularizer.centre is not None:
            raise HypothesisViolated(
                f"method {self.name} needs a loss whose curvature is known, and no proximal centre (got"
                f" {problem.loss.name}, {problem.regularizer!r}). Use method afg"
            )

    def own_gap(self, problem: Problem, state: Any) -> Number | None:
        """g(w) + g*(-u) + u^T w, the gap of w and phi'(X w)."""
        return float(state.recent[-1]) if state.evaluations > 0 else None

    @classmethod
    def matrix_passes(cls, problem: Problem, data: object) -> float:
        """The steps that take as long as a matrix, ``SWEEPS`` of coordinate descent and a factor, for the coefficients
        that a step at w = 0 changes: on generated data 0.8 to 5 times as many as are not 0 at the optimum. Or as sweeps
        over their columns, if these come first and take less.
        """
        changed, times = cls().compiled().changed_at_zero(problem), nanoseconds(problem, data)
        columns = min(problem.d, LARGEST, max(ALL, changed))
        matrix = times.rows * (columns / problem.d) ** 2 / stride_of(problem, columns, data)
        matrix += 0.5 * SWEEPS * columns**2 + nanoseconds_of_factor(columns)
        if takes_columns(problem, data) and problem.n * changed <= COPIED:
            matrix = min(matrix, 0.5 * SWEEPS * problem.n * changed)
        return float(matrix / times.twice)

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """Return the number of entries of B."""
        return min(problem.d, LARGEST) ** 2


def takes_all_rows(problem: Problem, data: Any) -> bool:
    """Return whether every step has the Hessian of all rows, which are dense, and columns."""
    flat = is_flat(problem) and not data.sparse and problem.d <= min(WIDE, problem.n)
    return flat or Newton.few_numbers(problem, data)


def takes_columns(problem: Problem, data: Any, state: Any = None) -> bool:
    """Return whether the first steps are those over the columns, and the next step of that state is one."""
    first = state is None or state.evaluations > 0 and state.stride == 0
    return first and is_flat(problem) and not data.sparse and problem.d > ALL


def is_flat(problem: Problem) -> bool:
    """Return whether phi'' is the same everywhere."""
    return problem.loss.name == "squared"


def stride_of(problem: Problem, columns: int, data: object) -> int:
    """1 of so many rows enters B: all for the squared loss, with one Hessian everywhere, if that takes ``STEPS`` at
    most.
    """
    times = nanoseconds(problem, data)
    if is_flat(problem) and times.rows * (columns / problem.d) ** 2 <= STEPS * times.twice:
        return 1
    return max(1, min(LARGEST_STRIDE, problem.n // (ROWS_PER_COLUMN * columns)))
