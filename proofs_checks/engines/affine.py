"""Exact second moments of a method whose step is affine in its state: squared loss with L2, and any primal method.

With z the chosen fields of the state, one after the other, and a 1, step k is z <- A_k z. So E[z z^T] <- sum_k p_k A_k
E[z z^T] A_k^T, for any number of steps, where a tree of paths would have n^t leaves. The A_k are read off the method's
own ``step``, its values at 0 and at the unit vectors, and one further point checks that the step is affine at all.

Everything is kept over one denominator, in integers, those of the problem's rationals: no greatest common divisors but
one a step.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any

from dualgap.proofs_checks.engines.integers import (
    Matrix,
    Sums,
    common_divisor,
    mapped_moments,
    over_one_denominator,
    quotient,
    triangle,
)
from dualgap.reference import Method, Problem
from dualgap.reference.methods.base import S, State
from dualgap.reference.problem.problem import Vector


class Moments:
    """E[z z^T] = table / divisor, shape (size + 1, size + 1), symmetric; its last row is E z and 1.

    ``entries`` are those of the table's ``triangle``.
    """

    def __init__(self, entries: Sequence[int], divisor: int, size: int) -> None:
        common = common_divisor([*entries, divisor])
        self.entries, self.divisor, self.size = [value // common for value in entries], divisor // common, size

    @classmethod
    def at(cls, z: Sequence[Fraction]) -> "Moments":
        """Return the moments of the point z, shape (size,)."""
        (whole,), divisor = over_one_denominator([[*z, Fraction(1)]])
        return cls([whole[i] * whole[j] for i, j in triangle(len(whole))], divisor * divisor, len(z))

    @property
    def table(self) -> Matrix:
        """The entries as a whole matrix."""
        place, size = triangle(self.size + 1), range(self.size + 1)
        return [[self.entries[place[min(j, k), max(j, k)]] for k in size] for j in size]

    @classmethod
    def mixed(cls, parts: Sequence["Moments"]) -> "Moments":
        """Return the moments of a part that is chosen uniformly."""
        divisor = math.lcm(*(part.divisor for part in parts))
        scaled = [[value * (divisor // part.divisor) for value in part.entries] for part in parts]
        return cls([sum(values) for values in zip(*scaled)], divisor * len(parts), parts[0].size)

    def after(self, step: "Step") -> "Moments":
        """Return the moments after one step."""
        sums, divisor = step.of_moments
        return Moments(sums(self.entries), self.divisor * divisor, self.size)

    def expect(self, form: tuple[Matrix, int]) -> Fraction:
        """E[value(z)] of a quadratic made by ``quadratic`` of the first entries of z."""
        (matrix, divisor), place = form, triangle(self.size + 1)
        where = [*range(len(matrix) - 1), self.size]
        total = sum(
            x * self.entries[place[min(a, b), max(a, b)]] for a, row in zip(where, matrix) for b, x in zip(where, row)
        )
        return quotient(total, divisor * self.divisor)


class Step:
    """The choices of one step: their weights, over one divisor, and the rows of A_k as pairs (place, entry)."""

    def __init__(self, method: Method[Any], problem: Problem, state: State, fields: Sequence[str]) -> None:
        def after(choice: object, z: Vector) -> Vector:
            return flat(method.step(problem, with_flat(state, fields, z), choice), fields)

        self._set(method.choices(problem, state), after, len(flat(state, fields)), problem.number)

    @classmethod
    def of_alpha(cls, method: Method[Any], problem: Problem) -> "Step":
        """Return one step as a function of z = alpha, for a method whose state is a function of alpha."""

        def after(choice: object, z: Vector) -> Vector:
            return list(method.view(problem, method.step(problem, method.init(problem, z), choice))[1])

        step = cls.__new__(cls)
        step._set(method.choices(problem, method.init(problem)), after, problem.n, problem.number)
        return step

    def _set(
        self, law: list[tuple[object, Fraction]], after: Callable[[object, Vector], Vector], size: int, number: object
    ) -> None:
        rows = [row for choice, _ in law for row in affine_map(partial(after, choice), size, number)]
        whole, q = over_one_denominator(rows)
        size, common = size + 1, math.lcm(*(p.denominator for _, p in law))
        self.size, self.divisor = size, q * q * common
        self.choices = [
            (int(p * common), [[(r, a) for r, a in enumerate(row) if a] for row in whole[size * k : size * (k + 1)]])
            for k, (_, p) in enumerate(law)
        ]

    @cached_property
    def of_moments(self) -> tuple[Sums, int]:
        """The step of ``Moments.entries``, and by what it multiplies their divisor."""
        return mapped_moments(self.choices, self.size, self.divisor)


def affine_map(value: Callable[[Vector], Vector], size: int, number: Any) -> list[Vector]:
    """A with (value(z), 1) = A (z, 1), z of ``size`` entries in this number. Raises ValueError if there is none."""
    zero, one = number(0), number(1)
    constant = value([zero] * size)
    columns = [value([one if k == j else zero for k in range(size)]) for j in range(size)]
    A = [[column[r] - constant[r] for column in columns] + [constant[r]] for r in range(size)]
    probe = [number(k + 2) / number(2 * k + 3) for k in range(size)]
    if number is not float and value(probe) != [sum((a * b for a, b in zip(row, [*probe, one])), zero) for row in A]:
        raise ValueError("the step is not affine in the state; for the squared loss with L2 and for systems it is")
    return [*A, [zero] * size + [one]]


def flat(state: object, fields: Sequence[str]) -> Vector:
    """The entries of the fields, which are lists of numbers, or of tuples or lists of numbers."""
    found: Vector = []
    for name in fields:
        for value in getattr(state, name):
            found += value if isinstance(value, (tuple, list)) else [value]
    return found


def with_flat(state: S, fields: Sequence[str], z: Vector) -> S:
    """A copy of the state whose fields hold z."""
    copied, entries = state.copy(), iter(z)
    for name in fields:
        old = getattr(state, name)
        deep = [type(v)(next(entries) for _ in v) if isinstance(v, (tuple, list)) else next(entries) for v in old]
        setattr(copied, name, deep)
    return copied


def quadratic(value: Callable[[Vector], Fraction], size: int) -> tuple[Matrix, int]:
    """The symmetric matrix, over a divisor, with value(z) = (z, 1)^T matrix (z, 1) for a quadratic of size numbers."""
    zero, one = Fraction(0), Fraction(1)

    @cache
    def at(*places: int) -> Fraction:
        z = [zero] * size
        for place in places:
            z[place] += one
        return value(z)

    constant, single, double = at(), [at(j) for j in range(size)], [at(j, j) for j in range(size)]
    # value(t e_j) = constant + b t + c t^2: c = (double + constant - 2 single)/2, b = single - constant - c
    table = [[(at(*sorted((j, k))) - single[j] - single[k] + constant) / 2 for k in range(size)] for j in range(size)]
    for j in range(size):
        square = (double[j] + constant - 2 * single[j]) / 2
        table[j][j] = square
        table[j].append((single[j] - constant - square) / 2)
    table.append([row[size] for row in table] + [constant])
    return over_one_denominator(table)
