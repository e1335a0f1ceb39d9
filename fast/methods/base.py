"""The base of fast methods: the reference's functions, where ``advance`` takes a whole array of choices.

    init(problem, alpha=None) / advance(problem, state, choices) / view(problem, state)

A fast method holds the reference method of its name and options (the lazy form where there is one): its hypotheses
(``require``) and its scalars have one home. The state has the reference's fields, with arrays for lists; on the same
choices the results are bit-identical.
"""

import time
from collections.abc import Callable
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.native import Native, native
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.quadratic import require_compiled
from dualgap.fast.problem.rows import Limits
from dualgap.reference import Method, Problem, as_compiled
from dualgap.reference.methods.base import DualState, State
from dualgap.reference.numbers.arithmetic import convert


class FastState(State):
    """A state whose vectors are float64 arrays of its own."""

    __slots__ = ()

    def copy(self) -> Any:
        return self.with_fields({k: v.copy() if isinstance(v, np.ndarray) else v for k, v in self.fields().items()})

    def key(self) -> tuple[object, ...]:
        return tuple(v.tobytes() if isinstance(v, np.ndarray) else v for v in self.fields().values())


class FastDualState(FastState, DualState):
    """v, shape (d,), with w = soft(v, l1/mu), and alpha, shape (n,)."""

    __slots__ = ()


SHORT = 2_000_000  # stored entries of a short run
S = TypeVar("S", bound=FastState)


class OutOfTime(Exception):
    """The time of a run was up within a step, which was given up: the state is the one before it."""


def require_time(deadline: float) -> None:
    """Raise OutOfTime if ``time.perf_counter()`` has reached the deadline."""
    if time.perf_counter() >= deadline:
        raise OutOfTime


class FastMethod(Native, Generic[S]):
    """The base of every fast method: the reference method of its ``name`` with bit-identical results. Subclasses write
    init, steps and view.

    Parameters
    ----------
    options : those of the reference method of the same name, checked there.
    """

    name: ClassVar[str]
    # whether it also runs on a WeightedProblem: it takes no more of a problem than its sums over the rows
    weighted: ClassVar[bool] = False
    # the class that runs on an InterceptProblem, if there is one
    with_intercept: ClassVar[object] = None
    narrow: ClassVar[int] = 500  # rows or columns of a matrix of a short run
    # of a method that takes rows in partitions: what ``solve`` calls with these, loss, regularizer, settings, cluster
    # and checkpoint
    solve_partitions: ClassVar[Callable[..., Any] | None] = None

    def __init__(self, **options: object) -> None:
        self.reference: Method[Any] = as_compiled(self.name, **options)

    def make_native(self, problem: Problem) -> Any:
        """Return the form of a problem for the kernels; by default its Objective."""
        return Objective(problem)

    def require(self, problem: Problem, mode: str = "paper") -> None:
        """Raise HypothesisViolated when ``problem`` is outside what ``mode`` admits."""
        require_compiled(problem.regularizer)
        self.reference.require(problem, mode, arrays(problem).R2)

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> S:
        """The state before the first step; alpha, shape (n,), inside the domain (default 0)."""
        raise NotImplementedError

    def steps(self, problem: Problem, state: S, choices: Array) -> None:
        """The steps of ``advance``, for choices that are checked."""
        raise NotImplementedError

    def advance(self, problem: Problem, state: S, choices: ArrayLike) -> None:
        """Run the steps of all choices, in place.

        Parameters
        ----------
        choices : integer array, shape (steps,) or (steps, width), entries in 0..n-1 (``reference.outcomes``)

        Raises
        ------
        ValueError
            Choices that are no such array: compiled code would read and write outside the data.
        """
        self.steps(
            problem, state, require_choices(choices, self.reference.outcomes(problem), self.reference.width(problem))
        )

    def require_state(self, problem: Problem, state: object) -> None:
        """Check the state as the reference does, because compiled code does not check array bounds."""
        self.reference.require_state(problem, state)

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Any:
        """The choices of one pass, those of the reference."""
        return self.reference.draw(problem, order, seed, epoch)

    def view(self, problem: Problem, state: S) -> tuple[Array, Array]:
        """(w, alpha) of a state, shapes (d,) and (n,): arrays of their own."""
        raise NotImplementedError

    def is_short(self, problem: Problem) -> bool:
        """Return whether the method has ``steps_until``, and sixteen readings of the rows and a few matrices take less
        than about a tenth of a second.
        """
        if hasattr(problem.X, "require_unchanged") or problem.n + problem.d > SHORT:  # rows on a disk, long vectors
            return False
        few = arrays(problem).nnz <= SHORT and min(problem.n, problem.d) <= self.narrow
        return few and hasattr(self, "steps_until")

    def near(self, state: S) -> float:
        """Return where the search for the best intercept of a state's w begins, of a problem with a free one."""
        return 0.0

    def run(self, problem: Problem, choices: ArrayLike, state: S | None = None) -> S:
        """``advance`` over the choices from a copy of ``state``, or from ``init``."""
        following: S = self.init(problem) if state is None else state.copy()
        self.advance(problem, following, choices)
        return following


class StepNumbers(NamedTuple):
    """The numbers that stay the same in a run of dual steps: ``RowLosses``, scale = mu n, the threshold
    (``rows.Limits``) and the weights, for methods that take them: norms2 then has s_i ||x_i||^2, and scale is mu S.
    """

    code: int
    gamma: float
    y: Array
    norms2: Array
    scale: float
    threshold: Limits
    weights: Array


class DualVectors(NamedTuple):
    """v and alpha of a state, which a kernel changes."""

    v: Array
    alpha: Array


class FastDualMethod(FastMethod[FastDualState]):
    """Methods whose whole memory is (v, alpha), float64 arrays of shapes (d,) and (n,): ASPDC, SDCA. Subclasses give
    the ``kernel``.
    """

    kernel: ClassVar[object]  # of rows, ``StepNumbers``, ``DualVectors`` and choices

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastDualState:
        objective = self.native(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)  # ASPDC line 1
        return FastDualState(v=objective.v(start), alpha=start)  # ASPDC line 2

    def steps(self, problem: Problem, state: FastDualState, choices: Array) -> None:
        run_kernel(type(self).kernel, self.native(problem), state, choices)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return self.native(problem).w_of(state.v), state.alpha.copy()


def run_kernel(kernel: Any, objective: Objective, state: Any, choices: Array) -> None:
    """Run a dual kernel on a state's v and alpha."""
    kernel(objective.arrays.matrix, step_numbers(objective), DualVectors(state.v, state.alpha), choices)


def step_numbers(objective: Objective) -> StepNumbers:
    """Return the step numbers of an objective with a quadratic regularizer."""
    return StepNumbers(*objective.losses, objective.scale, objective.threshold, objective.weights)


def require_choices(choices: ArrayLike, n: int, width: int | None = None) -> Array:
    """The choices as a contiguous int64 array with entries in 0..n-1, or ValueError."""
    checked = np.asarray(choices)
    if checked.size == 0:
        checked = checked.astype(np.int64).reshape((0,) if width is None else (0, width))
    expected = (checked.size,) if width is None else (checked.size // width, width)
    if checked.shape != expected or checked.dtype.kind not in "iu":
        form = "a one-dimensional array of integers" if width is None else f"rows of {width} integers"
        raise ValueError(f"choices must be {form} (got shape {checked.shape}, dtype {checked.dtype})")
    if checked.size and not (0 <= int(checked.min()) and int(checked.max()) < n):
        raise ValueError(f"choices must lie in 0..{n - 1} (got {int(checked.min())}..{int(checked.max())})")
    return native(checked, np.int64)


def require_start(problem: Problem, w: Any) -> Array:
    """A copy of the start w as float64, shape (d,); ValueError for another length or what is no finite number."""
    problem.require_lengths(w=w)
    return np.array([convert(w_j, float, "w") for w_j in (w.tolist() if hasattr(w, "tolist") else w)])


def require_finite(alpha: Array) -> None:
    """Raise OverflowError if alpha is not finite (reference: base.require_finite)."""
    if not np.isfinite(alpha).all():
        raise OverflowError("alpha is not finite: the steps have left the range of a double")
