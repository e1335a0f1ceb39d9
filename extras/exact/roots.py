"""Exact numbers a + b sqrt(d) with rational a and b, and how floats are recognised as such numbers."""

import functools
import itertools
import math
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from dualgap.extras.exact import check_proof

Number = Any  # a Fraction or a Root
PRIMES = 1000  # squares of smaller numbers are taken out of a root
DIGITS = 13  # that a float agrees with a number that is recognised
SHORT = 0.12  # the length of a vector that is no chance, in units of an ordinary one


@functools.total_ordering
class Root(check_proof.Root):
    """The number a + b sqrt(d) with b != 0, where the positive integer d is no square.

    Numbers with the same d, and rational ones, can be added, multiplied, divided and compared. A result without sqrt(d)
    is a Fraction.
    """

    a: Fraction
    b: Fraction
    d: int
    rule = check_proof.Root.rule
    __eq__ = check_proof.Root.__eq__
    __sub__ = rule(lambda a, b, c, e, d: (a - c, b - e))
    __rsub__ = rule(lambda a, b, c, e, d: (c - a, e - b))
    __truediv__ = rule(lambda a, b, c, e, d: [x / (c * c - e * e * d) for x in (a * c - b * e * d, b * c - a * e)])
    __rtruediv__ = rule(lambda a, b, c, e, d: [x / (a * a - b * b * d) for x in (a * c - b * e * d, a * e - b * c)])

    def __neg__(self) -> Number:
        return self * -1

    def __abs__(self) -> Number:
        return -self if self < 0 else self

    def __pow__(self, power: int) -> Number:
        product = functools.reduce(lambda x, y: x * y, [self] * abs(power), Fraction(1))
        return product if power >= 0 else 1 / product

    def __float__(self) -> float:
        x, y = float(self.a), float(self.b) * math.sqrt(self.d)
        return x + y if x * y >= 0 else float(self.a**2 - self.b**2 * self.d) / (x - y)  # nothing cancels

    def above(self) -> Fraction:
        """Return a rational number that is slightly larger."""
        root = Fraction(math.isqrt(self.d << 400) + (self.b > 0), 1 << 200)
        return Fraction(self.a + self.b * root)

    def __str__(self) -> str:
        return f"{self.a}+{self.b}*r"

    def __hash__(self) -> int:
        return hash((self.a, self.b, self.d))

    def __getnewargs__(self) -> tuple[Fraction, Fraction, int]:
        return self.a, self.b, self.d


def number_of(text: str, d: Any) -> Number:
    """Return the number of a text "1/2" or "1/2+-3/4*r" with r = sqrt(d)."""
    a, _, b = text.removesuffix("*r").partition("+")
    return Root(Fraction(a), Fraction(b or 0), int(d or 0))


def rational_root(q: Fraction) -> Fraction | None:
    """Return the square root of a Fraction; None if it is not rational."""
    root = Fraction(math.isqrt(q.numerator), math.isqrt(q.denominator)) if q >= 0 else Fraction(-1)
    return root if root * root == q else None


def square_root(x: Number) -> Number | None:
    """Return the square root of x >= 0; None if x has a root of its own, and the result would need another one."""
    if isinstance(x, Root):
        norm = rational_root(x.a**2 - x.b**2 * x.d)
        for u in () if norm is None else map(rational_root, ((x.a + norm) / 2, (x.a - norm) / 2)):
            if u:
                return abs(Root(u, x.b / (2 * u), x.d))  # (u + v sqrt(d))^2 = x
        return None
    if (root := rational_root(x)) is not None:
        return root
    d, factor = x.numerator * x.denominator, Fraction(1, x.denominator)
    for p in range(2, PRIMES):
        while d % (p * p) == 0:
            d, factor = d // (p * p), factor * p
    return Root(Fraction(0), factor, d)


def _relation(x: float, r: Number, digits: int) -> tuple[int, int, int] | None:
    """Return small integers (s, q, p) with s > 0 and s x = p + q r to so many digits; None if they may be chance.

    They are a short vector of a lattice. Its basis is reduced pair by pair, which nearly always suffices for three.
    """
    scale = 10**digits
    rows = [[1, 0, round(Fraction(x) * scale)], [0, 1, -round(Fraction(r) * scale)], [0, 0, scale]]
    multiples = [1]
    while any(multiples):
        multiples = []
        for i, j in itertools.permutations(range(3), 2):
            multiples.append(round(Fraction(_dot(rows[i], rows[j]), _dot(rows[j], rows[j]))))
            rows[i] = [a - multiples[-1] * b for a, b in zip(rows[i], rows[j])]
    sums = [[_dot(c, column) for column in zip(*rows)] for c in itertools.product((-1, 0, 1), repeat=3) if any(c)]
    s, q, rest = min(sums, key=lambda v: (_dot(v, v), -v[0]))
    if s == 0 or s * s + q * q + rest * rest > SHORT**2 * scale ** (2 / 3):
        return None
    return s, q, round(s * Fraction(x) - q * Fraction(r))


def _dot(x: Iterable[int], y: Iterable[int]) -> int:
    return sum(map(operator.mul, x, y))


def near(x: float, d: int, digits: int = DIGITS) -> Number | None:
    """Return a small number a + b sqrt(d) that agrees with x to so many digits, or None; for d = 0, a root of a small
    quadratic equation."""
    if d == 0:
        found = _relation(x * x, x, digits)
        if found is None:
            return None
        s, q, p = found
        square = Fraction(q * q + 4 * p * s, 4 * s * s)
        root = square_root(square) if square > 0 else None
        return root * (1 if x > q / (2 * s) else -1) + Fraction(q, 2 * s) if isinstance(root, Root) else None
    found = _relation(x, Root(Fraction(0), Fraction(1), d).above(), digits)
    return None if found is None else Root(Fraction(found[2], found[0]), Fraction(found[1], found[0]), d)
