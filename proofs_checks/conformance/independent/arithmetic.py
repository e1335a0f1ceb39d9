"""Numbers and vectors of the independent implementation: Fractions, with exp, log and powers in decimals; or floats."""

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

N = TypeVar("N", Fraction, float)
Vector = list[Fraction]
Interval = tuple[Fraction | None, Fraction | None]  # None is infinite
DIGITS = 50
HALF = Fraction(1, 2)


def within(interval: Interval, a: Fraction) -> Fraction:
    """The point of the interval that is nearest to a."""
    low, high = interval
    a = a if low is None else max(a, low)
    return a if high is None else min(a, high)


def end(interval: Interval, slope: Fraction, alpha: Fraction) -> Fraction:
    """The maximiser of slope a on a bounded interval; alpha where it is constant."""
    point = interval[1] if slope > 0 else interval[0] if slope < 0 else alpha
    assert point is not None, "a linear function on an unbounded interval"
    return point


def dot(a: Vector, b: Vector) -> Fraction:
    """a^T b."""
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def axpy(factor: Fraction, x: Vector, v: Vector) -> Vector:
    """v + factor x."""
    return [v_j + factor * x_j for v_j, x_j in zip(v, x)]


def in_decimals(compute: Callable[[], Decimal], like: N) -> N:
    """A value computed in decimals, as a number of the kind of ``like``."""
    with localcontext(Context(prec=DIGITS)):
        return type(like)(compute())


def decimal(value: Fraction | float) -> Decimal:
    """The number to the digits of the context."""
    if isinstance(value, float):
        return Decimal(value)
    return Decimal(int(value.numerator)) / Decimal(int(value.denominator))  # Decimal takes no integer of gmpy2


def powered(x: N, exponent: N) -> N:
    """x ** exponent for x >= 0 and exponent > 0."""
    return x if x in (0, 1) or exponent == 1 else in_decimals(lambda: decimal(x) ** decimal(exponent), x)


def root(x: N) -> N:
    """The square root of x >= 0; the exact one of the square of a Fraction."""
    if isinstance(x, float):
        return math.sqrt(x)
    exact = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return exact if exact * exact == x else powered(x, HALF)


@lru_cache(maxsize=4096, typed=True)
def logistic_step(m: Fraction, b_0: Fraction, q: Fraction) -> Fraction:
    """The root b of F(b) = ln(b/(1 - b)) + m + q (b - b_0), which increases from -infinity to infinity on (0, 1)."""
    if m + q * (HALF - b_0) < 0:  # F(1/2) < 0: the root of the mirrored equation is below 1/2
        return 1 - logistic_step(-m, 1 - b_0, q)

    def solved() -> Decimal:
        M, B, Q = decimal(m), decimal(b_0), decimal(q)
        low, high, b = Decimal(0), Decimal("0.5"), Decimal("0.25")
        for _ in range(10 * DIGITS):
            F = b.ln() - (1 - b).ln() + M + Q * (b - B)
            low, high = (b, high) if F < 0 else (low, b)
            step = F / (1 / b + 1 / (1 - b) + Q)  # Newton
            if abs(step) <= Decimal(1).scaleb(6 - DIGITS) * b * (1 - b):
                break
            b = b - step if low < b - step < high else (low + high) / 2
        return b

    return in_decimals(solved, m)


@lru_cache(maxsize=256, typed=True)
def softmax_step(a: tuple[Fraction, ...], q: Fraction) -> list[Fraction]:
    """Simplex point with ln beta_k + q beta_k = a_k - mu: mu by bisection, and beta_k by Newton's method."""
    with localcontext(Context(prec=34)):
        points, stiffness = [decimal(a_k) for a_k in a], decimal(q)

        def share(level: Decimal) -> Decimal:
            x = min(level.exp(), Decimal(1))
            for _ in range(60):  # ln x + q x - level is concave in x: from the left it only rises
                step = x * (level - x.ln() - stiffness * x) / (1 + stiffness * x)
                x = x + step if x + step > 0 else x / 1000
                if abs(step) < Decimal(1).scaleb(-30) * x:
                    break
            return x

        low, high = max(points) - stiffness - 1, max(points) + len(points)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if sum(share(p - middle) for p in points) > 1 else (low, middle)
        return [type(a[0])(share(p - low)) for p in points]
