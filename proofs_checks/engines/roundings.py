"""Bounds on rounding errors: code evaluated on ranges of doubles, with a bound on the rounding errors so far.

A ``Rounded`` stands for every double of [low, high], each off by at most ``error`` from what the same expression is in
the reals. All three are stored as integers, so that the resulting bounds are proved: multiples of 2^-160 and of 2^-260,
rounded outwards. An operation adds half a unit in the last place of its largest result; or nothing where every result
is a double: a power of two times a double, and sums and products that are multiples of 2^grid and at most 2^(53 + grid)
in size. A ``Polynomial`` is what such code computes in the reals.
"""

from fractions import Fraction
from functools import cache

from dualgap.reference.numbers.arithmetic import Number

PLACES, ERROR_PLACES = 160, 260
ONE = 1 << PLACES


class Rounded:
    """Doubles in a range; see the module.

    Parameters
    ----------
    low, high : rationals, the range. The same, of a constant, where they are equal.
    error : rational >= 0
    grid : g, where all are multiples of 2^g

    >>> third = Rounded(Fraction(1, 4), Fraction(1, 2)) / 3
    >>> third.error == Fraction(1, 2**56)  # half a unit in the last place of 1/6
    True
    """

    __slots__ = ("ends", "errors", "grid")

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        return None, {name: getattr(self, name) for name in self.__slots__}

    def __init__(self, low: Number, high: Number, error: Number = 0, grid: int | None = None) -> None:
        self.ends = _floor(Fraction(low) * ONE), -_floor(-Fraction(high) * ONE)
        self.errors = -_floor(-Fraction(error) * (1 << ERROR_PLACES))
        self.grid = grid

    @staticmethod
    def of(value: object) -> "Rounded":
        """A constant of the code, on the grid of its last bit; itself, if it is one."""
        return value if isinstance(value, Rounded) else _constant(value)

    @classmethod
    def _made(cls, low: int, high: int, errors: int, grid: int | None) -> "Rounded":
        made = cls.__new__(cls)
        made.ends, made.errors, made.grid = (low, high), errors, grid
        return made

    @property
    def error(self) -> Fraction:
        """Return a bound on the error of each double."""
        return Fraction(self.errors, 1 << ERROR_PLACES)

    @property
    def least(self) -> Fraction:
        """A lower bound of the size of what is computed, in the reals: 0 where the range holds 0."""
        low, high = self.ends
        return max(Fraction(0), Fraction(max(low, -high), ONE) - self.error)

    @property
    def size(self) -> int:
        """The largest of the range, in units of 2^-160."""
        return max(abs(self.ends[0]), abs(self.ends[1]))

    def __add__(self, other: "Rounded | float") -> "Rounded":
        other = Rounded.of(other)
        if self._zero() or other._zero():
            return other if self._zero() else self
        (a, b), (c, d) = self.ends, other.ends
        grid = None if self.grid is None or other.grid is None else min(self.grid, other.grid)
        return _rounded(a + c, b + d, self.errors + other.errors, grid)

    def __neg__(self) -> "Rounded":
        return Rounded._made(-self.ends[1], -self.ends[0], self.errors, self.grid)

    def __sub__(self, other: "Rounded | float") -> "Rounded":
        return self + -Rounded.of(other)

    def __rsub__(self, other: object) -> "Rounded":
        return Rounded.of(other) + -self

    def __mul__(self, other: "Rounded | float") -> "Rounded":
        other = Rounded.of(other)
        products = [a * b for a in self.ends for b in other.ends]
        low, high = min(products) >> PLACES, -(-max(products) >> PLACES)
        errors = -(-(self.errors * other.size + other.errors * self.size) >> PLACES) - (
            -self.errors * other.errors >> ERROR_PLACES
        )
        grid = None if self.grid is None or other.grid is None else self.grid + other.grid
        exact = self._power_of_two() or other._power_of_two()
        return Rounded._made(low, high, errors, grid) if exact else _rounded(low, high, errors, grid)

    def __truediv__(self, other: "Rounded | float") -> "Rounded":
        """Divide; the divisor must be at least 1."""
        other = Rounded.of(other)
        low, high = (
            min((a << PLACES) // b for a in self.ends for b in other.ends),
            max(-((-a << PLACES) // b) for a in self.ends for b in other.ends),
        )
        require(
            other.ends[0] >= ONE and other.errors <= 1 << ERROR_PLACES - 1,
            "a divisor is at least 1, and off by at most 1/2",
        )
        # a~/b~ - a/b = ((a~ - a) - (a/b)(b~ - b))/b~, and |a/b| <= (|a~| + error)/(b~ - error)
        a, b = (
            self.size + (self.errors >> ERROR_PLACES - PLACES) + 1,
            other.ends[0] - (other.errors >> ERROR_PLACES - PLACES) - 1,
        )
        carried = self.errors - (-a * other.errors // b)
        return _rounded(low, high, -((-carried << PLACES) // other.ends[0]), None)

    __radd__, __rmul__ = __add__, __mul__

    def _zero(self) -> bool:
        return self.ends == (0, 0) and self.errors == 0

    def _power_of_two(self) -> bool:
        low, high = self.ends
        return low == high and low != 0 and abs(low) & (abs(low) - 1) == 0


def _rounded(low: int, high: int, errors: int, grid: int | None) -> Rounded:
    """The result of one operation whose exact results lie in [low, high]."""
    exponent = max(abs(low), abs(high)).bit_length() - 1 - PLACES  # the largest is below 2^(exponent + 1)
    if grid is not None and exponent < 53 + grid:
        return Rounded._made(low, high, errors, grid)
    half = max(0, exponent - 53 + ERROR_PLACES)  # of a unit in the last place, as a power of two of 2^-260
    out = 1 << max(0, half - ERROR_PLACES + PLACES)
    return Rounded._made(low - out, high + out, errors + (1 << half), None)


@cache
def _constant(value: Number) -> Rounded:
    exact = Fraction(value)
    last = exact.numerator & -exact.numerator
    return Rounded(exact, exact, grid=last.bit_length() - exact.denominator.bit_length())


def require(condition: bool, text: str) -> None:
    """Raise ArithmeticError unless the condition holds."""
    if not condition:
        raise ArithmeticError(text)


def _floor(value: Fraction) -> int:
    return value.numerator // value.denominator


class Polynomial:
    """A polynomial in the reals, coefficients from the constant on: what code with + - * makes of ``Polynomial.x()``.

    >>> x = Polynomial.x()
    >>> (1 + x * (0.5 - x)).coefficients
    [Fraction(1, 1), Fraction(1, 2), Fraction(-1, 1)]
    """

    def __init__(self, coefficients: list[Fraction]) -> None:
        self.coefficients = coefficients

    @classmethod
    def x(cls) -> "Polynomial":
        """The variable."""
        return cls([Fraction(0), Fraction(1)])

    @staticmethod
    def _of(value: "Polynomial | float") -> list[Fraction]:
        return value.coefficients if isinstance(value, Polynomial) else [Fraction(value)]

    def __add__(self, other: "Polynomial | float") -> "Polynomial":
        one, two = sorted((self.coefficients, self._of(other)), key=len)
        return Polynomial([a + b for a, b in zip(one, two)] + two[len(one) :])

    def __mul__(self, other: "Polynomial | float") -> "Polynomial":
        one, two = self.coefficients, self._of(other)
        found = [Fraction(0)] * (len(one) + len(two) - 1)
        for i, a in enumerate(one):
            for j, b in enumerate(two):
                found[i + j] += a * b
        return Polynomial(found)

    def __sub__(self, other: "Polynomial | float") -> "Polynomial":
        return self + Polynomial(self._of(other)) * -1

    def __rsub__(self, other: "Polynomial | float") -> "Polynomial":
        return Polynomial(self._of(other)) - self

    __radd__, __rmul__ = __add__, __mul__
