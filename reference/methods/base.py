"""The base of methods: ``init / choices / step / view`` over a state that holds all their memory.

That one shape gives the run (fold ``advance`` over a recorded choice sequence), the exact conditional
expectation (sum of ``step`` over ``choices``), the exact path tree, the mutant and the port.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from dualgap.reference.methods import sampling
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_one_of

MODES = ("paper", "sharp", "unchecked")


class HypothesisViolated(ValueError):
    """A theorem's hypothesis does not hold for this problem; the message names the bound and the way out."""


def require_finite(alpha: Iterable[Number]) -> None:
    """Raise OverflowError if a float of alpha is infinite or NaN: the steps have left the range of the doubles, and
    a run has diverged.
    """
    for i, alpha_i in enumerate(alpha):
        if isinstance(alpha_i, float) and not math.isfinite(alpha_i):
            raise OverflowError(f"alpha[{i}] = {alpha_i}: the steps have left the range of a double")


@cache
def _slots(kind: Any) -> tuple[str, ...]:
    return tuple(name for base in reversed(kind.__mro__) for name in getattr(base, "__slots__", ()))


def _copied(value: Any) -> Any:
    """A copy of a field: a list as a new list, a table with new rows, anything else as it is."""
    if type(value) is not list:
        return value
    return [_copied(row) for row in value] if value and type(value[0]) is list else list(value)


def _hashable(value: Any) -> Any:
    """A field as part of a key: a list as a tuple, a table as a tuple of tuples, anything else as it is."""
    if type(value) is not list:
        return value
    return tuple([_hashable(row) for row in value] if value and type(value[0]) is list else value)


class State:
    """All the memory of a run. Subclasses list their fields in ``__slots__``; lists are owned by the state, and lists
    in lists.

    A list whose first entry is a list is a table, and is copied to its last level. Whatever else can be changed in
    place (a dict, an array, a list behind numbers) needs its own ``copy`` and ``key``: an audit rejects a step that
    changes its argument.

    Parameters
    ----------
    fields : a value for each name of ``__slots__``.
    """

    __slots__: tuple[str, ...] = ()
    growing: ClassVar[tuple[str, ...]] = ()  # fields whose length changes in a run

    def __init__(self, **fields: object) -> None:
        for name in self.names():
            setattr(self, name, fields[name])

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The fields, those of the base classes first."""
        kind: Any = cls
        return _slots(kind)

    def fields(self) -> dict[str, Any]:
        """Field name to value; lists are the state's own."""
        return {name: getattr(self, name) for name in self.names()}

    def with_fields(self: "S", fields: dict[str, object]) -> "S":
        """A state like this one, with these fields."""
        return type(self)(**fields)

    def copy(self: "S") -> "S":
        """An independent copy."""
        return self.with_fields({name: _copied(getattr(self, name)) for name in self.names()})

    def key(self) -> tuple[object, ...]:
        """A hashable value equal for equal states: paths of the same key merge."""
        return tuple([_hashable(getattr(self, name)) for name in self.names()])

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """Return the fields for every protocol of pickle, because protocols 0 and 1 ignore slots."""
        return None, self.fields()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.fields().items())})"


class DualState(State):
    """v, shape (d,), with w = soft(v, l1/mu) (v is w for L2), and alpha, shape (n,)."""

    __slots__ = ("v", "alpha")
    v: Vector
    alpha: Vector


S = TypeVar("S", bound=State)


class Method(Generic[S]):
    """The base of every method. Subclasses write ``init``, ``advance`` and ``view``.

    >>> from dualgap.reference import L2, Problem, Squared, method
    >>> problem, sdca = Problem([[1.0], [2.0]], [1.0, 0.0], Squared(), L2(0.5)), method("sdca")
    >>> state = sdca.init(problem)
    >>> sdca.choices(problem, state)
    [(0, Fraction(1, 2)), (1, Fraction(1, 2))]
    >>> sdca.step(problem, state, 0)
    DualState(v=[0.5], alpha=[-0.5, 0.0])
    >>> state
    DualState(v=[0.0], alpha=[0.0, 0.0])
    """

    name: ClassVar[str]
    summary: ClassVar[str] = ""  # what it is, for the table of methods
    # values of options that tests draw, the simplest first; "tau sigma" are two options that are given together.
    # A subclass whose constructor takes other options has a list of its own
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {}
    families: ClassVar[tuple[str, ...]] = ("quadratic",)  # of the regularizers that the method is defined for
    orders: ClassVar[tuple[str, ...]] = sampling.ORDERS  # in which a pass can be drawn
    resumable: ClassVar[bool] = True  # whether a run can continue from an alpha
    sublinear: ClassVar[bool] = False  # whether P falls like 1/t alone: no small gap in a few passes
    # whether a choice is a tuple of rows and columns, below the numbers that ``ends`` gives
    entrywise: ClassVar[bool] = False
    long_steps: ClassVar[bool] = False  # whether a step can take much longer than a pass: ``advance`` takes a deadline
    storage_matters: ClassVar[bool] = False  # whether bits differ with storage: BLAS sums, or the cost decides what is done
    without_vectors: ClassVar[str] = ""  # why its steps are not among the test vectors
    without_compiled: ClassVar[str] = ""  # why it has a reference only: neither a compiled form nor claims
    command_line: ClassVar[dict[str, str]] = {}  # option of ``dualgap solve`` to parameter of the constructor
    # vectors of d and of n numbers that a compiled run keeps at its peak in addition to X and y, certificates included
    # (tests/fast/solver/test_hostile_scales.py measures them)
    vectors_kept: ClassVar[tuple[int, int]] = (17, 10)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Raise HypothesisViolated when ``problem`` is outside what ``mode`` admits.

        R2 = max ||x_i||^2 may be handed in by a caller that has it.
        """
        require_one_of("mode", mode, MODES)
        self.require_family(problem)

    def require_family(self, problem: Problem) -> None:
        """Raise HypothesisViolated for a regularizer that the method is not defined for."""
        if problem.regularizer.family not in self.families:
            own = problem.regularizer.family == "general"
            remedy = "method sdca or aspdc, or where it has a prox pdcp, with backend reference" if own else "method pgs, or another regularizer"
            if problem.regularizer.family == "non-negative":
                remedy = "method auto, sdca or sdca-shrinking, or for a smooth loss afg"
            raise HypothesisViolated(
                f"method {self.name} is defined for {' and '.join(self.families)} regularizers (quadratic: L2 and elastic "
                f"net), not for {problem.regularizer!r}. Use {remedy}"
            )

    def require_uncentred(self, problem: Problem) -> None:
        """Raise HypothesisViolated for a proximal centre: for methods that put in their own."""
        if problem.regularizer.centre is not None:
            raise HypothesisViolated(
                f"method {self.name} puts in its own proximal centre, and there is one already (got {problem.regularizer!r}). "
                "Use method sdca, or a regularizer without it"
            )

    def notes(self, problem: Problem) -> list[str]:
        """Sentences that a user should see before a run: why no theorem says that it converges. Here there is nothing
        to say.
        """
        return []

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """The numbers of a matrix that a compiled run keeps in addition to its vectors of d and of n. Here 0."""
        return 0

    def init(self, problem: Problem, alpha: Vector | None = None) -> S:
        """The state before the first step; alpha, shape (n,), inside the domain (default 0)."""
        raise NotImplementedError(f"method {self.name} has no init: write init(self, problem, alpha=None), which gives the state before the first step")

    def require_state(self, problem: Problem, state: Any) -> None:
        """Raise ValueError unless a state of the right fields, types and lengths, which may come from a file, is one of
        this method.

        Only values that compiled code relies on are checked: array indices and divisors. This base class has none.
        """

    def choices(self, problem: Problem, state: S) -> list[tuple[Any, Fraction]]:
        """Every random outcome of the next step with its exact probability: here i, uniform on 0..n-1."""
        p = sampling.one_of(problem.n)
        return [(i, p) for i in range(problem.n)]

    def outcomes(self, problem: Problem) -> int:
        """Return the number of choices, coded 0, 1, ...: here the n indices."""
        return problem.n

    def width(self, problem: Problem) -> int | None:
        """Numbers in one choice: None where a choice is one number, else the length of its list."""
        return None

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> sampling.Choices:
        """The choices of one pass, an int64 array of shape (steps,) or (steps, width); see ``choices``."""
        return sampling.draw(order, problem.n, seed, epoch, problem.block_ends if order == "blocks" else None)

    def passes(self, problem: Problem, state: S, drawn: int) -> int:
        """Passes over the data made when the choices of ``drawn`` calls of ``draw`` are used up, rounded up.

        n dual steps are one pass, and so are n evaluations of a single gradient: here every draw is one. A method that
        needs more than its draws (the full gradient of a snapshot, the gap of an inner problem) counts that too.
        """
        return drawn

    def least_passes(self, problem: Problem, state: S, drawn: int) -> int:
        """``passes`` after one more draw, at the least: a run that may not make so many ends before it.

        Where a draw begins with passes that its state alone does not tell (the moves of ASPDC-i's centre) it can be
        more.
        """
        return self.passes(problem, state, drawn + 1)

    def own_gap(self, problem: Problem, state: S) -> Number | None:
        """The gap of the pair of ``view`` up to roundings, if the steps determine it; else None, as here. No
        certificate, but worth one.
        """
        return None

    def expected_gap(self, problem: Problem, state: S) -> Number | None:
        """About the gap of that pair, where the steps tell it: a certificate is made when it meets the tolerance. Here
        ``own_gap``.
        """
        return self.own_gap(problem, state)

    def own_primal(self, problem: Problem, state: S) -> Number | None:
        """P(w) of that pair up to roundings, where it takes no pass over the rows; else None."""
        return None

    def advance(self, problem: Problem, state: S, choice: Any) -> None:
        """Make one step in place: the paper's lines."""
        raise NotImplementedError(f"method {self.name} has no advance: write advance(self, problem, state, choice), which makes one step in place (step is a copy and advance)")

    def step(self, problem: Problem, state: S, choice: Any) -> S:
        """Make one step as a pure function."""
        if not hasattr(state, "copy"):
            raise TypeError(f"the state of method {self.name}, a {type(state).__name__}, has no copy(): a step leaves it as it is (State has one)")
        following: S = state.copy()
        self.advance(problem, following, choice)
        return following

    def view(self, problem: Problem, state: S) -> tuple[Vector, Vector]:
        """(w, alpha) of a state, shapes (d,) and (n,)."""
        raise NotImplementedError(f"method {self.name} has no view: write view(self, problem, state), which gives (w, alpha), or (w, None) without a dual")

    def run(self, problem: Problem, choices: Iterable[Any], state: S | None = None) -> S:
        """Fold ``advance`` over a choice sequence, from ``state`` (left as it is) or from ``init``."""
        following: S = self.init(problem) if state is None else state.copy()
        for choice in getattr(choices, "tolist", lambda: choices)():          # ASPDC lines 3, 8
            self.advance(problem, following, choice)
        return following


class Deterministic(Method[S]):
    """Methods without random choices: one choice, 0, and a pass is one step. Subclasses write ``init``, ``advance`` and
    ``view``.
    """

    orders = ("uniform",)

    def choices(self, problem: Problem, state: S) -> list[tuple[int, Fraction]]:
        return [(0, Fraction(1))]

    def outcomes(self, problem: Problem) -> int:
        return 1

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> sampling.Choices:
        """The one step of a pass: nothing is random."""
        import numpy as np

        require_one_of("order", order, self.orders)
        return np.zeros(1, dtype=np.int64)


class DualMethod(Method[DualState]):
    """Methods whose whole memory is (v, alpha) with v = v(alpha), shapes (d,) and (n,): ASPDC, SDCA. Subclasses write
    ``advance``.
    """

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        self.require_family(problem)
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)  # ASPDC line 1
        return DualState(v=problem.v(start), alpha=start)                                   # ASPDC line 2

    def view(self, problem: Problem, state: DualState) -> tuple[Vector, Vector]:
        return problem.w_of(state.v), list(state.alpha)
