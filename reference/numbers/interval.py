"""Rigorous intervals over ``decimal.Decimal``: every operation encloses the true result.

An ``Interval`` holds two decimals ``low <= high`` and stands for one real number between them that is not
known better. Lower ends are rounded towards minus infinity, upper ends towards plus infinity, in two
contexts of a working precision (``digits``, default 20) that are passed explicitly to every operation. The thread's own
decimal context is never read: it may have 5 digits and any rounding mode.

docs/certificates.md says why each operation is sound.

A comparison is answered only when it has the same answer for all points of both intervals; otherwise it
raises ``Undecided``. ``decide`` tries again with more digits.

>>> third = Interval(1) / 3
>>> third.contains(Fraction(1, 3)), third < Fraction(34, 100)
(True, True)
>>> decide(lambda: Interval(1).exp() > Fraction("2.7182818284590452353602874"))
(True, 40)
>>> decide(lambda: (Interval("4/9").sqrt() - Interval("2/3")) * 3 == 0)  # equality: no digits can tell
(None, 160)
"""

import decimal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from numbers import Rational
from typing import NamedTuple, TypeAlias, TypeVar

from dualgap.reference.numbers.rational import to_fraction

Answer = TypeVar("Answer")

ZERO, ONE = Decimal(0), Decimal(1)


class Undecided(ArithmeticError):
    """The intervals are too wide to answer; more digits may help, except where equality is the truth."""


class _Precision(NamedTuple):
    digits: int
    floor: decimal.Context
    ceiling: decimal.Context


@cache
def _precision(digits: int) -> _Precision:
    traps = [decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow]
    floor, ceiling = (
        decimal.Context(digits, mode, decimal.MIN_EMIN, decimal.MAX_EMAX, capitals=1, clamp=0, flags=[], traps=traps)
        for mode in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING)
    )
    return _Precision(digits, floor, ceiling)


TWENTY = _precision(20)
_in_force: ContextVar[_Precision] = ContextVar("_in_force", default=TWENTY)
_working = _in_force.get


@contextmanager
def digits(count: int) -> Iterator[None]:
    """Work with ``count >= 1`` significant digits inside the ``with`` block.

    >>> with digits(3):
    ...     Interval(1) / 3
    Interval(0.333, 0.334)
    """
    if not isinstance(count, int) or count < 1:
        raise ValueError(f"digits must be an integer >= 1 (got {count!r})")
    token = _in_force.set(_precision(count))
    try:
        yield
    finally:
        _in_force.reset(token)


def working_digits() -> int:
    """The significant digits in force."""
    return _working().digits


def decide(question: Callable[[], Answer], start: int = 20, cap: int = 160) -> tuple[Answer | None, int]:
    """Ask ``question()`` with ``start`` digits, then twice as many, until it does not raise ``Undecided``.

    ``question`` must build its intervals itself: an interval made earlier does not become narrower.
    Returns (answer, digits used), or (None, cap) when ``cap`` digits still do not decide.
    """
    if not 1 <= start <= cap:
        raise ValueError(f"decide needs 1 <= start <= cap (got start={start}, cap={cap})")
    count = start
    while True:
        with digits(count):
            try:
                return question(), count
            except Undecided:
                if count == cap:
                    return None, cap
        count = min(2 * count, cap)


class Interval:
    """A real number known to lie in [low, high].

    Parameters
    ----------
    x : int, Fraction, float, str or Interval
        int and float are taken exactly (a double is a rational); a Fraction or a string ("p/q" or a
        decimal) is enclosed by a division rounded both ways. NaN and infinities raise ValueError.

    Operators take an Interval, an int or a Fraction on either side. A float in arithmetic raises TypeError: write
    ``Interval(x)`` to say that the double is meant. A comparison takes a float, too, as the double that it is. Treat an
    Interval as immutable.

    ``==`` is decided when both sides are the same point, or disjoint. Else it is ``Undecided``, also for the keys of a
    dictionary.

    >>> Interval("1/3") - Fraction(1, 3), Interval("1/3") <= 0.3334
    (Interval(-1E-20, 1E-20), True)
    """

    __slots__ = ("high", "low")
    low: Decimal
    high: Decimal

    def __getstate__(self) -> tuple[None, dict[str, Decimal]]:
        return None, {"low": self.low, "high": self.high}

    def __init__(self, x: "Exact") -> None:
        if isinstance(x, Interval):
            self.low, self.high = x.low, x.high
        elif isinstance(x, int):
            self.low = self.high = Decimal(x)
        elif isinstance(x, float):
            if x - x != 0:
                raise ValueError(f"an interval needs a finite number (got {x!r})")
            self.low = self.high = Decimal.from_float(x)
        elif isinstance(x, (Fraction, str, Rational)):
            try:
                exact = x if isinstance(x, Rational) else to_fraction(x)
            except (ValueError, ZeroDivisionError):
                raise ValueError(f"an interval needs 'p/q' or a finite decimal (got {x!r})") from None
            precision = _working()
            p, q = Decimal(int(exact.numerator)), Decimal(int(exact.denominator))
            self.low, self.high = precision.floor.divide(p, q), precision.ceiling.divide(p, q)
        else:
            raise TypeError(f"an interval is made from int, Fraction, float, str or Interval (got {x!r})")

    @staticmethod
    def hull(first: "Exact", second: "Exact") -> "Interval":
        """The smallest interval that contains both."""
        a, b = Interval(first), Interval(second)
        return _interval(min(a.low, b.low), max(a.high, b.high))

    # -- arithmetic --------------------------------------------------------------------------------

    def __add__(self, other: "Operand") -> "Interval":
        b = _operand(other)
        precision = _working()
        return _interval(precision.floor.add(self.low, b.low), precision.ceiling.add(self.high, b.high))

    __radd__ = __add__

    def __sub__(self, other: "Operand") -> "Interval":
        b = _operand(other)
        precision = _working()
        return _interval(precision.floor.subtract(self.low, b.high), precision.ceiling.subtract(self.high, b.low))

    def __rsub__(self, other: "Operand") -> "Interval":
        return -self + other

    def __mul__(self, other: "Operand") -> "Interval":
        b = _operand(other)
        precision = _working()
        down, up = precision.floor.multiply, precision.ceiling.multiply
        if self.low >= 0 and b.low >= 0:
            return _interval(down(self.low, b.low), up(self.high, b.high))
        if self.low < 0 < self.high and b.low < 0 < b.high:
            low = min(down(self.low, b.high), down(self.high, b.low))
            return _interval(low, max(up(self.low, b.low), up(self.high, b.high)))
        least, greatest = _corners(self, b)
        return _interval(down(*least), up(*greatest))

    __rmul__ = __mul__

    def __truediv__(self, other: "Operand") -> "Interval":
        b = _operand(other)
        if b.low <= 0 <= b.high:
            if b.low == b.high:
                raise ZeroDivisionError(f"{self!r} divided by zero")
            raise Undecided(f"is the divisor {b!r} zero? {_asked()}")
        precision = _working()
        # where the quotient is least, where greatest
        x, y = (self.low, self.high) if b.low > 0 else (self.high, self.low)
        least = precision.floor.divide(x, b.high if x >= 0 else b.low)
        return _interval(least, precision.ceiling.divide(y, b.low if y >= 0 else b.high))

    def __rtruediv__(self, other: "Operand") -> "Interval":
        return _operand(other) / self

    def __pos__(self) -> "Interval":
        return self

    def __neg__(self) -> "Interval":
        return _interval(self.high.copy_negate(), self.low.copy_negate())  # never -x: it rounds

    def __abs__(self) -> "Interval":
        if self.low >= 0 or self.high <= 0:
            return self if self.low >= 0 else -self
        return _interval(ZERO, max(self.low.copy_negate(), self.high))

    # -- comparisons: the same answer for all points, or Undecided ---------------------------------

    def __lt__(self, other: "Operand | float") -> bool:
        return _less(self, _compared(other))

    def __gt__(self, other: "Operand | float") -> bool:
        return _less(_compared(other), self)

    def __le__(self, other: "Operand | float") -> bool:
        return not _less(_compared(other), self)

    def __ge__(self, other: "Operand | float") -> bool:
        return not _less(self, _compared(other))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Interval, int, Fraction, float, Rational)):
            return NotImplemented
        b = _compared(other)
        if self.high < b.low or b.high < self.low:
            return False
        if self.low == self.high == b.low == b.high:
            return True
        raise Undecided(f"{self!r} == {b!r}? {_asked()}")

    def __hash__(self) -> int:
        return hash(self.low) if self.low == self.high else hash((self.low, self.high))

    def __bool__(self) -> bool:
        return self != 0

    # -- functions ---------------------------------------------------------------------------------

    def exp(self) -> "Interval":
        """e^x; an end above about 2.3e18 raises OverflowError."""
        return _increasing(self, _exp)

    def log(self) -> "Interval":
        """Natural logarithm. ValueError when the whole interval is <= 0, Undecided when a part of it is."""
        _require_above(self, ZERO, "log")
        return _increasing(self, _log)

    def log1p(self) -> "Interval":
        """log(1 + x) to nearly full relative precision near zero. Domain x > -1, as for ``log``."""
        _require_above(self, ONE.copy_negate(), "log1p")
        return _increasing(self, _log1p)

    def logistic(self) -> "Interval":
        """1/(1 + e^-x), for every x, to nearly full relative precision in the lower tail."""
        return _increasing(self, _logistic)

    def sqrt(self) -> "Interval":
        """Square root. ValueError when the whole interval is < 0, Undecided when a part of it is."""
        if self.high < 0:
            raise ValueError(f"sqrt of {self!r}, which is negative")
        if self.low < 0:
            raise Undecided(f"is {self!r} >= 0, as sqrt needs? {_asked()}")
        return _increasing(self, _sqrt)

    # -- looking at it -----------------------------------------------------------------------------

    def width(self) -> Decimal:
        """high - low, rounded up."""
        return _working().ceiling.subtract(self.high, self.low)

    def midpoint(self) -> Fraction:
        """The middle, exactly (as a fraction, an end like e^(-10^9) has that many digits)."""
        return (Fraction(self.low) + Fraction(self.high)) / 2

    def contains(self, x: int | Fraction) -> bool:
        """Return whether the rational ``x`` lies in [low, high]; exact."""
        return self.low <= x <= self.high

    def __repr__(self) -> str:
        return f"Interval({self.low}, {self.high})"


Operand: TypeAlias = Interval | int | Fraction
Exact: TypeAlias = Interval | int | Fraction | Rational | float | str
Enclosure: TypeAlias = Callable[[Decimal, _Precision], tuple[Decimal, Decimal]]


def _interval(low: Decimal, high: Decimal) -> Interval:
    interval = Interval.__new__(Interval)
    interval.low, interval.high = low, high
    return interval


def _operand(x: object) -> Interval:
    if isinstance(x, (Interval, int, Fraction, Rational)):
        return x if isinstance(x, Interval) else Interval(x)
    raise TypeError(f"an Interval meets Interval, int and Fraction only (got {x!r}); is Interval({x!r}) meant?")


def _compared(x: object) -> Interval:  # a float is the double itself, or infinite
    return _interval(Decimal(x), Decimal(x)) if isinstance(x, float) and x == x else _operand(x)


def _asked() -> str:
    return f"Not decided with {working_digits()} digits; more may help (see decide)"


def _less(a: Interval, b: Interval) -> bool:
    if a.high < b.low or a.low >= b.high:
        return a.high < b.low
    raise Undecided(f"{a!r} < {b!r}? {_asked()}")


def _corners(a: Interval, b: Interval) -> tuple[tuple[Decimal, Decimal], tuple[Decimal, Decimal]]:
    """Return the corners of the rectangle a x b with the least and the greatest product; one of a and b has no inner
    zero."""
    if b.low < 0 < b.high:
        a, b = b, a
    if b.low >= 0:
        return (a.low, b.low if a.low >= 0 else b.high), (a.high, b.high if a.high >= 0 else b.low)
    return (a.high, b.low if a.high >= 0 else b.high), (a.low, b.low if a.low < 0 else b.high)


def _require_above(x: Interval, bound: Decimal, name: str) -> None:
    if x.high <= bound:
        raise ValueError(f"{name} needs a number above {bound} (got {x!r})")
    if x.low <= bound:
        raise Undecided(f"is {x!r} above {bound}, as {name} needs? {_asked()}")


# -- increasing functions: enclose the value at each end -------------------------------------------


def _increasing(x: Interval, enclosure: Enclosure) -> Interval:
    precision = _working()
    low, high = enclosure(x.low, precision)
    return _interval(low, high if x.low == x.high else enclosure(x.high, precision)[1])


@lru_cache(4096)  # the same number often comes again
def _exp(t: Decimal, precision: _Precision) -> tuple[Decimal, Decimal]:
    if t == 0:
        return ONE, ONE
    try:
        nearest = precision.floor.exp(t)
        above = precision.ceiling.next_plus(nearest)
    except decimal.Overflow:
        raise OverflowError(f"exp({t}) is beyond the exponents of decimal (about 10^(10^18))") from None
    return max(ZERO, precision.floor.next_minus(nearest)), above  # the clamp: nearest may have underflowed to 0


@lru_cache(4096)  # the same number often comes again
def _log(t: Decimal, precision: _Precision) -> tuple[Decimal, Decimal]:
    if t == 1:
        return ZERO, ZERO
    nearest = precision.floor.ln(t)
    return precision.floor.next_minus(nearest), precision.ceiling.next_plus(nearest)


def _log1p(t: Decimal, precision: _Precision) -> tuple[Decimal, Decimal]:
    """Enclose log(1 + t). For |t| < 10^-p: t/(1 + t) <= log(1 + t) <= t. Else with 2p + 2 digits: rounding 1 + t then
    changes the result by 10^-(p+1).
    """
    if t == 0:
        return ZERO, ZERO
    if t.adjusted() < -precision.digits:
        return (_interval(t, t) / (1 + _interval(t, t))).low, precision.ceiling.plus(t)
    wide = _precision(2 * precision.digits + 2)
    low, _ = _log(wide.floor.add(ONE, t), wide)
    _, high = _log(wide.ceiling.add(ONE, t), wide)
    return precision.floor.plus(low), precision.ceiling.plus(high)


def _logistic(t: Decimal, precision: _Precision) -> tuple[Decimal, Decimal]:
    """Enclose 1/(1 + e^-t) with e = e^-|t| <= 1, which cannot overflow: 1/(1 + e) for t >= 0, e/(1 + e) for t < 0."""
    low, high = _exp(t.copy_abs().copy_negate(), precision)
    floor, ceiling = precision.floor, precision.ceiling
    if t < 0:  # e/(1 + e) increases with e
        return floor.divide(low, ceiling.add(ONE, low)), ceiling.divide(high, floor.add(ONE, high))
    return floor.divide(ONE, ceiling.add(ONE, high)), ceiling.divide(ONE, floor.add(ONE, low))


def _sqrt(t: Decimal, precision: _Precision) -> tuple[Decimal, Decimal]:
    nearest = precision.floor.sqrt(t)  # correctly rounded; its square has at most 2p digits
    wide = _precision(2 * precision.digits)
    low = nearest if wide.ceiling.multiply(nearest, nearest) <= t else precision.floor.next_minus(nearest)
    high = nearest if wide.floor.multiply(nearest, nearest) >= t else precision.ceiling.next_plus(nearest)
    return low, high
