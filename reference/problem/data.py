"""Rows and right-hand sides in one type of number. All problems store them, and compiled code reads them.

``Problem`` adds a loss and a regularizer, ``LinearSystem`` nothing but the question.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from types import MemberDescriptorType as SlotType
from typing import Any, TypeVar

from dualgap.reference.numbers.arithmetic import Number, NumberType, maximum
from dualgap.reference.problem import validate

Vector = list[Number]
T = TypeVar("T")


def shallow_copy(self: T) -> T:
    """A copy that shares all attributes, as a ``__copy__``: ``copy.copy`` would go through the state of a pickle."""
    copied: T = object.__new__(type(self))
    copied.__dict__.update(self.__dict__)
    if hasattr(self, "__slots__"):  # of a class of one's own
        slots = [slot for kind in type(self).__mro__ for slot in vars(kind).values() if isinstance(slot, SlotType)]
        for slot in slots:
            with suppress(AttributeError):  # it has no value
                slot.__set__(copied, slot.__get__(self))
    return copied


class Data:
    """X, shape (n, d), and y, shape (n,), in ``number``; d, the columns, is passed for rows of pairs.

    Raises
    ------
    ValueError
        Empty or ragged X, non-finite values, duplicated columns, wrong length of y; over float, an integer that no
        float64 holds.

    >>> Data([[3, 4], [0, 1]], [1, -1], float).norms2
    [25.0, 1.0]
    """

    def __init__(self, X: Any, y: object, number: NumberType, d: int | None = None) -> None:
        self.X = X = validate.as_array(X) if number is float else X
        self._cached: dict[str, Any] = {}
        self.number = number
        self.zero: Number = number(0)
        self.n, self.d = validate.shape(X, d)
        validate.check(X)
        if number is float and hasattr(X, "shape"):
            validate.require_held(X, "X")
        if not hasattr(X, "shape"):
            _ = self.rows  # a list is checked by building its rows
        self.labels = validate.labels(y, self.n, number)

    __copy__ = shallow_copy  # shares what is cached

    def __getstate__(self) -> dict[str, Any]:
        """Return the content of a pickle. It leaves out what is derived from the data, because another version may
        derive it differently."""
        return self.__dict__ if self.X is None else {**self.__dict__, "_cached": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state if state["X"] is None else {**state, "_cached": {}})

    def cached(self, key: str, make: Callable[[], T]) -> T:
        """The result of ``make()`` on the first use of ``key``: the cache for values that are derived from a problem.

        It must follow from the data and the loss alone: the copies of ``with_regularizer`` and ``centred`` share it.
        Several makers of one key must agree in every bit, as the compiled and the readable one of "norms2" do.

        >>> from dualgap.reference import L2, Problem, Squared
        >>> p = Problem([[1, 0], [0, 1]], [1, -1], Squared(), L2(2))
        >>> p.cached("entries", lambda: 2), p.with_regularizer(L2(3)).cached("entries", lambda: 5)
        (2, 2)
        """
        if key not in self._cached:
            self._cached[key] = make()
        found: T = self._cached[key]
        return found

    @cached_property
    def rows(self) -> list[validate.Row]:
        """x_1 .. x_n as lists of pairs (j, x_ij); built on first use, once for all copies."""
        return self.cached("rows", lambda: validate.rows(self.X, self.d, self.number))

    @cached_property
    def y(self) -> Vector:
        """y_1 .. y_n as numbers; an array is converted to a list on first use."""
        listed: Vector = self.labels
        return listed if isinstance(listed, list) else validate.vector(listed, self.n, self.number, "y")

    @cached_property
    def block_ends(self) -> list[int]:
        """Return the ends of the blocks of order "blocks" (``choices.draw``): runs of rows with 1 MiB of stored values
        or more.
        """
        return validate.block_ends(self.X if hasattr(self.X, "shape") else self.rows, self.d)

    @property
    def norms2(self) -> Vector:
        """||x_i||^2, shape (n,)."""
        return self.cached("norms2", self._norms2)

    def _norms2(self) -> Vector:
        norms2 = []
        for i, row in enumerate(self.rows):
            total = self.zero
            for _, x in row:
                total = total + x * x
            validate.require_square(i, total)
            norms2.append(total)
        return norms2

    @property
    def R2(self) -> Number:
        """R^2 = max_i ||x_i||^2."""
        return self.cached("R2", self._R2)

    def _R2(self) -> Number:
        largest = self.zero
        for norm2 in self.norms2:
            largest = maximum(largest, norm2)
        return largest

    def dot(self, row: validate.Row, w: Vector) -> Number:
        """x^T w for one row, summed in stored order."""
        total = self.zero
        for j, x in row:
            total = total + x * w[j]
        return total
