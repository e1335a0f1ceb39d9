"""Real numbers known between two rationals: square roots, and eigenvalues of symmetric matrices, in exact arithmetic.

A check in Fractions may use them. Each end is a decimal of as many digits as are in force (``digits``, 20 at first),
and comparisons of exact numbers confirm it. A comparison that the ends do not decide raises ``Undecided``.

>>> root(Fraction(2))
[1.4142135623730950488, 1.4142135623730950489]
>>> root(Fraction(2)) * root(Fraction(2)) <= Fraction(201, 100), root(Fraction(4, 9))
(True, Fraction(2, 3))

The same functions take floats and arrays of floats, which a search uses (``evidence.climbing``).
"""

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Undecided, working_digits

Square: TypeAlias = Any  # n rows of n numbers, or an array of them
norms_seen: list[tuple[Number, tuple[Number, Number]]] = []  # of floats: a norm, and the eigenvalues of which it is one


class Between:
    """A real number between ``low`` and ``high``, two rationals with low <= high."""

    def __init__(self, low: Number, high: Number) -> None:
        self.low, self.high = low, high

    def __add__(self, other: Number) -> Number:
        low, high = ends(other)
        return rounded(self.low + low, self.high + high)

    def __mul__(self, other: Number) -> Number:
        corners = [one * two for one in ends(self) for two in ends(other)]
        return rounded(min(corners), max(corners))

    def __truediv__(self, other: Number) -> Number:
        low, high = ends(other)
        if low <= 0 <= high:
            raise Undecided("a divisor that may be 0") if low < high else ZeroDivisionError("division by 0")
        return self * Between(1 / high, 1 / low)

    def __rtruediv__(self, other: Number) -> Number:
        return Between(other, other) / self

    def __pow__(self, exponent: int) -> Number:
        found: Number = 1
        for _ in range(abs(exponent)):
            found = self * found
        return found if exponent >= 0 else 1 / found

    def __neg__(self) -> "Between":
        return Between(-self.high, -self.low)

    def __sub__(self, other: Number) -> Number:
        return self + -other

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __abs__(self) -> "Between":
        low, high = self.low, self.high
        return self if low >= 0 else -self if high <= 0 else Between(0 * low, max(-low, high))

    __radd__, __rmul__ = __add__, __mul__

    def _less(self, other: Number, or_equal: bool) -> bool:
        low, high = ends(other)
        if self.high < low or (or_equal and self.high <= low):
            return True
        if self.low > high or (not or_equal and self.low >= high):
            return False
        raise Undecided(f"{self} against {other}: not decided with {working_digits()} digits")

    def __lt__(self, other: Number) -> bool:
        return self._less(other, False)

    def __le__(self, other: Number) -> bool:
        return self._less(other, True)

    def __gt__(self, other: Number) -> bool:
        return not self._less(other, True)

    def __ge__(self, other: Number) -> bool:
        return not self._less(other, False)

    def __eq__(self, other: object) -> bool:
        low, high = ends(other)
        if self.high < low or high < self.low:
            return False
        if self.low == self.high == low == high:
            return True
        raise Undecided(f"{self} against {other}: not decided with {working_digits()} digits")

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        low, high = (_decimal(end) for end in (self.low, self.high))
        return str(self.low) if self.low == self.high else f"[{low}, {high}]"


def ends(value: Number) -> tuple[Number, Number]:
    """The two rationals between which a number lies; an exact one twice."""
    return (value.low, value.high) if isinstance(value, Between) else (value, value)


def _decimal(value: Fraction) -> str:
    return str(Context(working_digits() + 2).divide(Decimal(int(value.numerator)), Decimal(int(value.denominator))))


def rounded(low: Number, high: Number) -> Number:
    """Low and high, rounded outwards to the digits in force where they have more; the number where they agree."""
    if low == high:
        return low
    step = _step(max(abs(low), abs(high)))
    least, most = math.floor(low / step) * step, math.ceil(high / step) * step
    if not (least <= low and high <= most):
        raise ArithmeticError("an end was rounded inwards")
    return Between(least, most)


def _step(size: Number) -> Fraction:
    """The last of the digits in force of a number of this size, a power of ten."""
    size = Fraction(int(size.numerator), int(size.denominator))
    return Fraction(10) ** (len(str(int(size))) - working_digits() if size >= 1 else -working_digits())


def root(x: Number) -> Number:
    """The square root of x >= 0: the rational one where there is one, else between two decimals.

    Parameters
    ----------
    x : a rational, a ``Between``, or a float or an array of them.

    Raises
    ------
    ValueError
        x < 0.
    """
    if isinstance(x, (float, np.ndarray)):
        return _only(np.sqrt(x))
    if x < 0:
        raise ValueError(f"a square root needs a number >= 0 (got {x})")
    (low, _), (_, high) = map(_root_ends, ends(x))
    return low if low == high else Between(low, high)


def _root_ends(x: Number) -> tuple[Number, Number]:
    """Two decimals around the root of a rational, or the root twice."""
    over, under = int(x.numerator), int(x.denominator)
    found = Fraction(math.isqrt(over), math.isqrt(under))
    if found * found == x:
        return found, found
    step = _step(Fraction(math.isqrt(over // under)))
    low = Fraction(math.isqrt(over * step.denominator**2 // (under * step.numerator**2))) * step
    if not (low * low <= x and x <= (low + step) * (low + step)):
        raise ArithmeticError("a root is not between its ends")
    return low, low + step


# -- symmetric matrices ------------------------------------------------------------------------------------------------


def array(value: Any) -> Any:
    """Numbers of a check as an array of numpy, such as ``array(c.given.A)``: of floats, or of exact numbers as objects.

    Parameters
    ----------
    value : numbers, tuples of them, or an array.
    """
    return in_floats(np.array(value))


def in_floats(matrix: Any) -> Any:
    """An array of floats if one of its numbers is a float: rational constants meet floats in a search. Whole numbers
    are exact numbers.
    """
    found = np.asarray(matrix)
    if found.dtype == object and any(isinstance(x, float) for x in found.flat):
        return found.astype(float)
    return found.astype(object) if found.dtype.kind in "biu" else found


def definite(matrix: Square) -> int:
    """1 for a positive definite symmetric matrix, 0 for a singular positive semidefinite one, -1 for any other: the
    signs of the pivots of elimination.

    Parameters
    ----------
    matrix : n rows of n rationals.
    """
    rows, found = [list(row) for row in matrix], 1
    while rows:
        first, *rest = rows
        if first[0] < 0 or (first[0] == 0 and any(value != 0 for value in first)):
            return -1
        if first[0] == 0:
            rows, found = [row[1:] for row in rest], 0
        else:
            rows = [[a - row[0] / first[0] * b for a, b in zip(row[1:], first[1:])] for row in rest]
    return found


def largest(matrix: Square) -> Number:
    """The largest eigenvalue of a symmetric matrix, between two decimals that ``definite`` confirms.

    Parameters
    ----------
    matrix : (n, n), rationals; or floats, then also (..., n, n).

    Raises
    ------
    ValueError
        The matrix is not symmetric.
    """
    matrix = in_floats(matrix)
    if matrix.dtype != object:
        return _only(np.linalg.eigvalsh(matrix)[..., -1])
    if any(row[j] != matrix[j][i] for i, row in enumerate(matrix) for j in range(i)):
        raise ValueError("largest needs a symmetric matrix; the spectral norm of any matrix is norm")
    plain = [[Fraction(int(value.numerator), int(value.denominator)) for value in row] for row in matrix]
    bound = max(sum(map(abs, row), Fraction(0)) for row in plain)  # Gershgorin
    if bound == 0:
        return bound
    step = _step(bound)
    low, high = math.floor(-bound / step) - 1, math.ceil(bound / step)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if definite(_beside(middle * step, plain)) >= 0 else (middle, high)
    found = definite(_beside(high * step, matrix))
    if found < 0 or (found > 0 and definite(_beside(low * step, matrix)) >= 0):
        raise ArithmeticError("an eigenvalue is not between its ends")
    return high * step if found == 0 else Between(low * step, high * step)


def _beside(shift: Fraction, matrix: Square) -> list[list[Number]]:
    """The rows of shift I - matrix."""
    return [[shift - value if i == j else -value for j, value in enumerate(row)] for i, row in enumerate(matrix)]


def norm(matrix: Square) -> Number:
    """The spectral norm, the largest singular value, between two decimals.

    Parameters
    ----------
    matrix : (n, n), rationals; or floats, then also (..., n, n).
    """
    matrix = in_floats(matrix)
    across = np.swapaxes(matrix, -1, -2)
    if matrix.dtype != object:
        if not np.allclose(matrix, across, rtol=0, atol=1e-12 * (1e-300 + np.abs(matrix).max())):
            return _only(np.linalg.norm(matrix, 2, axis=(-2, -1)))
        values = np.linalg.eigvalsh(matrix)
        found = _only(np.abs(values).max(-1))
        norms_seen.append((found, (values[..., -1], -values[..., 0])))
        return found
    if (matrix != across).any():
        return root(largest(across @ matrix))
    above, below = ends(largest(matrix)), ends(largest(-matrix))
    return rounded(max(above[0], below[0]), max(above[1], below[1]))


def _only(values: Number) -> Number:
    """The number in an array of one, as a Python float."""
    return float(values) if np.ndim(values) == 0 else values


__all__ = ["Between", "array", "definite", "largest", "norm", "root"]
