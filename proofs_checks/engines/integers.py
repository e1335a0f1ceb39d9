"""Rationals as integers over one denominator, where sums of products are exact without a greatest common divisor each.

The integers are those of the rationals that they come from: Python's for ``Fraction``, gmpy2's for its ``mpq``.
"""

import importlib
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from types import ModuleType

Matrix = list[list[int]]


def over_one_denominator(rows: Sequence[Sequence[Fraction]]) -> tuple[Matrix, int]:
    """Integers and the denominator they share.

    >>> over_one_denominator([[Fraction(1, 2), Fraction(2, 3)]])
    ([[3, 4]], 6)
    """
    divisor = math.lcm(*(value.denominator for row in rows for value in row))
    return [[value.numerator * (divisor // value.denominator) for value in row] for row in rows], divisor


def common_divisor(integers: Sequence[int]) -> int:
    """The greatest of all, of at least one.

    >>> common_divisor([12, 0, 18])
    6
    """
    home = _home(integers)
    found: int = math.gcd(*integers) if home is None else home.gcd(*integers)
    return found


def quotient(numerator: int, denominator: int) -> Fraction:
    """A rational of the kind that the integers come from.

    >>> quotient(2, 4)
    Fraction(1, 2)
    """
    home = _home((numerator, denominator))
    found: Fraction = Fraction(numerator, denominator) if home is None else home.mpq(numerator, denominator)
    return found


def _home(integers: Iterable[int]) -> ModuleType | None:
    """gmpy2, where one of them is its; a sum of nothing is Python's 0 among them. None where all are Python's."""
    foreign = next((type(integer) for integer in integers if type(integer) is not int), None)
    return None if foreign is None else importlib.import_module(foreign.__module__)
