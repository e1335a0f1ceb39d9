"""Exact rational types: ``fractions.Fraction``, and whatever may stand in its place because it is registered as ``numbers.Rational``.

gmpy2's ``mpq`` is one: the same numbers, and ten to forty times as fast. Nothing here imports it.
"""

from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

_RATIONAL: set[type] = {Fraction}  # those that are known to be: to ask an abstract class takes longer than the arithmetic


def is_rational(number: Any) -> bool:
    """Whether a type's numbers are exact rationals.

    >>> is_rational(Fraction), is_rational(float), is_rational(int)
    (True, False, False)
    """
    if not isinstance(number, type):
        return False
    if number not in _RATIONAL and issubclass(number, Rational) and not issubclass(number, Integral):
        _RATIONAL.add(number)
    return number in _RATIONAL


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
