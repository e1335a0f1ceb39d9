"""A number with a bound on the error of any port. The reference runs on it as on a Fraction.

In addition to its exact value it has

- ``magnitude`` M, the value of the same formula with every difference taken as a sum of magnitudes;
- ``roundings`` c, their number on the longest way to it. A sum of N terms counts at least N - 1 for each of them, in
  whatever order it is taken; a quotient counts two, for those who multiply by a reciprocal. Then, with u = 2^-53 and
  Wilkinson's rules,

      |computed - value| <= ((1 + u)^c - 1) M <= 2 c u M       for c u <= 1/2, in every order of summation, fused or not:

      a + b:  M_a + M_b,  c = max(c_a, c_b) + 1            a b:  M_a M_b,  c = c_a + c_b + 1
      a / b:  (M_a/|b|)(M_b/|b|),  c = c_a + c_b + 2       (1/(b(1 + e)) = (1/b)(1 - e + ...), e <= c_b u M_b/|b|: first order;
                                                            the factor 2 pays for the rest)

- ``exact``, whether every intermediate result on the way is a double with bits to spare, and so is every partial sum in
  any order: all terms are multiples of 2^-grain, and M 2^grain stays below 2^45.

A comparison records in its ``Trace`` how close its two sides were, unless both are exact: then no port can decide
otherwise.
"""  # noqa: E501

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.reference.numbers.arithmetic import Number

BITS = 45  # of the 53 of a double: 8 to spare
FINEST = 200  # 2^-FINEST: far above the smallest double
UNIT = Fraction(1, 2**53)


@dataclass
class Trace:
    """The branches and roots that a run met.

    Attributes
    ----------
    nearest : the distance of the nearest comparison; None if none was near.
    relative : the same in parts of the two magnitudes, for numbers far from 1.
    exact : whether every number was.
    irrational : whether a value is known to many digits only.
    ambiguous : whether a subgradient was taken at a kink, where another one is as right.
    """

    nearest: Fraction | None = None
    relative: Fraction | None = None
    exact: bool = True
    irrational: bool = False
    ambiguous: bool = False

    def compared(self, distance: Fraction, magnitude: Fraction) -> None:
        """Remember the smallest distance."""
        self.nearest = distance if self.nearest is None else min(self.nearest, distance)
        relative = distance / magnitude if magnitude else distance
        self.relative = relative if self.relative is None else min(self.relative, relative)


@dataclass(frozen=True, eq=False)
class RunningError:
    """See the module. ``trace`` is shared by all numbers of a run."""

    value: Fraction
    trace: Trace = field(repr=False)
    magnitude: Fraction = Fraction(0)
    roundings: int = 0
    exact: bool = True
    grain: int = 0

    @property
    def tolerance(self) -> Fraction:
        """2 c u M."""
        return 2 * self.roundings * UNIT * self.magnitude

    # -- arithmetic -------------------------------------------------------------------------------------------------

    def __add__(self, other: Number) -> "RunningError":
        return self._sum(other, lambda a, b: a + b)

    def __radd__(self, other: Number) -> "RunningError":
        return self._sum(other, lambda a, b: b + a)

    def __sub__(self, other: Number) -> "RunningError":
        return self._sum(other, lambda a, b: a - b)

    def __rsub__(self, other: Number) -> "RunningError":
        return self._sum(other, lambda a, b: b - a)

    def __neg__(self) -> "RunningError":
        return RunningError(-self.value, self.trace, self.magnitude, self.roundings, self.exact, self.grain)

    def __abs__(self) -> "RunningError":
        return self if self >= 0 else -self

    def __mul__(self, other: Number) -> "RunningError":
        b = given(other, self.trace)
        return made(self.value * b.value, self.magnitude * b.magnitude, self.roundings + b.roundings + 1, self, b)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> "RunningError":
        b = given(other, self.trace)
        magnitude = self.magnitude * b.magnitude / (b.value * b.value)
        return made(self.value / b.value, magnitude, self.roundings + b.roundings + 2, self, b)

    def __rtruediv__(self, other: object) -> "RunningError":
        return given(other, self.trace) / self

    def _sum(self, other: Number, combine: Callable[[Fraction, Fraction], Fraction]) -> "RunningError":
        b = given(other, self.trace)
        if b.value == 0 and b.exact and b.roundings == 0:  # an exact zero adds no rounding
            return RunningError(
                combine(self.value, b.value), self.trace, self.magnitude, self.roundings, self.exact, self.grain
            )
        value, magnitude = combine(self.value, b.value), self.magnitude + b.magnitude
        grain = max(self.grain, b.grain)
        exact = self.exact and b.exact and magnitude * 2**grain < 2**BITS
        self.trace.exact &= exact
        return RunningError(value, self.trace, magnitude, max(self.roundings, b.roundings) + 1, exact, grain)

    # -- comparisons ------------------------------------------------------------------------------------------------

    def __lt__(self, other: Number) -> bool:
        return self._compare(other) < 0

    def __le__(self, other: Number) -> bool:
        return self._compare(other) <= 0

    def __gt__(self, other: Number) -> bool:
        return self._compare(other) > 0

    def __ge__(self, other: Number) -> bool:
        return self._compare(other) >= 0

    def __eq__(self, other: object) -> bool:
        return self._compare(other) == 0

    __hash__ = None  # type: ignore[assignment]

    def _compare(self, other: object) -> Fraction:
        b = given(other, Trace())  # a constant that is only compared with, however long, makes no result inexact
        difference = self.value - b.value
        if not (self.exact and b.exact):
            self.trace.compared(abs(difference), self.magnitude + b.magnitude)
        return difference


def given(value: Number, trace: Trace) -> RunningError:
    """A number that the run is given: as exact as a double can be."""
    if isinstance(value, RunningError):
        return value
    exact = arithmetic()(value)
    grain, fits = _grain(exact)
    trace.exact &= fits
    return RunningError(exact, trace, abs(exact), 0, fits, grain)


def made(value: Fraction, magnitude: Fraction, roundings: int, *parts: RunningError) -> RunningError:
    """The result of an operation on ``parts``; any exact double starts a new grain."""
    grain, fits = _grain(value)
    exact = magnitude == 0 or (fits and all(part.exact for part in parts))  # zero times anything is zero
    trace = parts[0].trace
    trace.exact &= exact
    return RunningError(value, trace, magnitude, roundings, exact, grain)


def _grain(value: Fraction) -> tuple[int, bool]:
    """(g, fits): value is a multiple of 2^-g, and a double with at most BITS bits."""
    grain = value.denominator.bit_length() - 1
    dyadic = value.denominator == 1 << grain and grain <= FINEST
    odd = value.numerator >> ((value.numerator & -value.numerator).bit_length() - 1) if value.numerator else 0
    return grain, dyadic and abs(odd).bit_length() <= BITS and abs(value.numerator).bit_length() <= FINEST
