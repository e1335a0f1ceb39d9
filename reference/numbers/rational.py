"""Exact rational types: ``fractions.Fraction``, and whatever may replace it because it is registered as
``numbers.Rational``.

gmpy2's ``mpq`` is one: the same numbers, and ten to forty times as fast. Nothing here imports it.
"""

from fractions import Fraction
from functools import cache
from numbers import Integral, Rational
from typing import Any


def is_rational(number: object) -> bool:
    """Return whether a type's numbers are exact rationals.

    >>> is_rational(Fraction), is_rational(float), is_rational(int)
    (True, False, False)
    """
    return number is Fraction or (isinstance(number, type) and _registered(number))


@cache
def _registered(kind: type) -> bool:
    """Return the same as ``is_rational``; cached because it is called for every number of an instance."""
    return _has_parts(kind) and not issubclass(kind, Integral)


@cache
def _has_parts(kind: type) -> bool:
    """Return whether its numbers are rationals or integers, with a numerator and a denominator."""
    return issubclass(kind, Rational)


def nearest(value: Any) -> float:
    """The double nearest to a rational, ties to even; of another number ``float(value)``.

    ``float`` of another type of rationals may miss it by one: gmpy2 2.2.0 did. Raises OverflowError beyond the doubles.
    """
    kind: Any = type(value)
    if _has_parts(kind):
        return int(value.numerator) / int(value.denominator)  # Python rounds a quotient of integers once
    return float(value)


def to_fraction(value: Any) -> Fraction:
    """Fraction(value) with ints inside: ``Fraction`` keeps the numerator of another type of rationals as it is.

    Raises whatever ``Fraction(value)`` raises.
    """
    if type(value) is Fraction:
        return value
    if type(value) in (int, float, str):
        return Fraction(value)
    if isinstance(value, Rational) and not isinstance(value, (int, Fraction)):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(value)
