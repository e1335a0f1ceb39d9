"""Rationals as integers over one denominator, where sums of products are exact without a greatest common divisor each.

The integers are those of the rationals that they come from: Python's for ``Fraction``, gmpy2's for its ``mpq``.
"""

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from operator import itemgetter, mul
from types import ModuleType
from typing import Any

Matrix = list[list[int]]
Sparse = Sequence[Sequence[tuple[int, int]]]  # the rows of a matrix as pairs (place, entry)


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


class Sums:
    """Sums for several dictionaries of factors: sum_k factor_k entries[k] of a list of at least one entry.

    >>> Sums([{0: 2, 2: 3}, {1: 5}, {}])([1, 10, 100])
    [302, 50, 0]
    """

    def __init__(self, several: Iterable[Mapping[int, int]]) -> None:
        self._parts: list[tuple[Any, list[int]]] = []
        for factors in several:
            terms = [(place, factor) for place, factor in factors.items() if factor]
            terms += [(0, 0)] * (2 - len(terms))  # of one place itemgetter makes no tuple
            self._parts.append((itemgetter(*(place for place, _ in terms)), [factor for _, factor in terms]))

    def __call__(self, entries: Sequence[int]) -> list[int]:
        return [sum(map(mul, factors, taken(entries))) for taken, factors in self._parts]


@cache
def triangle(size: int) -> dict[tuple[int, int], int]:
    """The places (i, j), i <= j, of a symmetric matrix, numbered.

    >>> triangle(2)
    {(0, 0): 0, (0, 1): 1, (1, 1): 2}
    """
    return {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(size) for j in range(i, size))}


def mapped_moments(choices: Iterable[tuple[int, Sparse]], size: int, divisor: int) -> tuple[Sums, int]:
    """M -> sum_K p_K N_K M N_K^T / divisor on the ``triangle`` of a symmetric M, and the divisor of its sums.

    Most entries of N_K are 0: a step leaves most of its memory as it is.

    Parameters
    ----------
    choices : pairs (p_K, N_K), N_K of shape (size, size).
    """
    place = triangle(size)
    sums: list[dict[int, int]] = [{} for _ in place]
    for p, N in choices:
        for terms, (i, j) in zip(sums, place):
            for (a, x), (b, y) in product(N[i], N[j]):
                k = place[(a, b) if a < b else (b, a)]
                terms[k] = terms.get(k, 0) + p * x * y
    common = common_divisor([factor for terms in sums for factor in terms.values()] + [divisor])
    return Sums({k: factor // common for k, factor in terms.items()} for terms in sums), divisor // common


def _home(integers: Iterable[int]) -> ModuleType | None:
    """gmpy2, where one of them is its; a sum of nothing is Python's 0 among them. None where all are Python's."""
    foreign = next((type(integer) for integer in integers if type(integer) is not int), None)
    return None if foreign is None else importlib.import_module(foreign.__module__)
