"""Square roots and powers of traced numbers, and the context in which the reference takes them.

The reference's ``sqrt`` and ``power`` know floats, Fractions and intervals. ``traced_roots`` gives the modules of the
reference that call them these two in their place, which also know ``RunningError``; its other operations a RunningError
has itself. With u = 2^-53, c and M of the argument x, and first orders (the factor 2 of a tolerance pays for the rest):

- sqrt, correctly rounded by IEEE 754: |sqrt(x + e) - sqrt(x)| <= |e|/sqrt(x), so that M/sqrt(x) with c + 1 serves;
- x^e is computed by a pow that is wrong by 8u, or by exp(e ln x) with exp and ln each wrong by 8u relatively. e ln x is
  wrong by at most 17u |e ln x|. An error r of x counts |e| r, and an error of e counts |ln x| times. The sum is at
  most (c_x + c_e + 8 + 17 |e ln x|) u of x^e (1 + |e| M_x/x + |ln x| M_e). The reference takes powers of v_j/max |v_k|,
  but a port may take powers of v_j. The code uses 64 for 8 + 17 |e ln x|, which is enough, with the factor 2,
  for |ln v_j| <= 7. The power of 0 is 0 in every library.
"""

import contextlib
import sys
from collections.abc import Iterator
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import isqrt
from types import ModuleType

from dualgap.proofs_checks.conformance.error_bounds.number import UNIT, RunningError, given
from dualgap.proofs_checks.engines.substituted import substituted
from dualgap.reference import all_methods
from dualgap.reference.numbers import arithmetic
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem import block_losses, pnorm

FINE = 2**160  # irrational values are kept as multiples of its inverse
DIGITS = 60
EXP_LOG = 64  # roundings that stand for exp and log


@contextlib.contextmanager
def traced_roots() -> Iterator[None]:
    """Let the reference's roots and powers accept traced numbers inside the block."""
    with contextlib.ExitStack() as stack:
        for module, name in places():
            stack.enter_context(substituted(module, **{name: {"sqrt": sqrt, "power": power}[name]}))
        yield


@cache
def places() -> list[tuple[ModuleType, str]]:
    """Modules of problems and methods that call ``arithmetic.sqrt`` or ``arithmetic.power``, and under which name."""
    modules = [
        pnorm,
        block_losses,
        *{cls.__module__: sys.modules[cls.__module__] for cls in all_methods().values()}.values(),
    ]
    return [
        (module, name)
        for module in modules
        for name in ("sqrt", "power")
        if vars(module).get(name) is getattr(arithmetic, name)
    ]


def sqrt(x: Number) -> Number:
    """The square root; of a RunningError number it is irrational, to 2^-160, unless it is a square."""
    if not isinstance(x, RunningError):
        return arithmetic.sqrt(x)
    if x.value == 0 and x.exact:
        return x
    require_known(x)
    root = root_of(x.value)
    found = given(root, x.trace)  # exact where the root is a double
    if root * root != x.value:
        x.trace.irrational = True
    exact = x.exact and found.exact and root * root == x.value
    x.trace.exact &= exact
    return RunningError(root, x.trace, x.magnitude / root, x.roundings + 1, exact, found.grain)


def require_known(x: RunningError) -> None:
    """Raise ZeroDivisionError, by which a case is dropped, where x is so near to 0 that first orders say nothing."""
    if not x.roundings * UNIT * x.magnitude * 2**20 < x.value:
        raise ZeroDivisionError("a root of a number that cancels")


def root_of(x: Fraction) -> Fraction:
    """sqrt(x), exactly where it is rational, else to 2^-160, and more where x is tiny."""
    exact = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    fine = FINE << max(0, (x.denominator.bit_length() - x.numerator.bit_length()) // 2 - 32)
    return exact if exact * exact == x else Fraction(isqrt(x.numerator * fine * fine // x.denominator), fine)


def power(x: object, exponent: object) -> object:
    """x ** exponent for x >= 0."""
    if not isinstance(x, RunningError):
        return arithmetic.power(x, exponent)
    e = given(exponent, x.trace)
    if x.value == 0 and x.exact:  # with exponents > 0 only: the reference uses no other
        return x
    require_known(x)
    value, logarithm = power_of(x.value, e.value)
    x.trace.exact, x.trace.irrational = False, True
    magnitude = value * (1 + abs(e.value) * x.magnitude / x.value + logarithm * e.magnitude)
    return RunningError(value, x.trace, magnitude, x.roundings + e.roundings + EXP_LOG, False, 0)


def power_of(x: Fraction, exponent: Fraction) -> tuple[Fraction, Fraction]:
    """(x ** exponent, |ln x|), both to more than 40 digits."""
    with localcontext(Context(prec=DIGITS)):
        logarithm = (Decimal(int(x.numerator)) / Decimal(int(x.denominator))).ln()
        value = (logarithm * Decimal(int(exponent.numerator)) / Decimal(int(exponent.denominator))).exp()
        return Fraction(value), abs(Fraction(logarithm))
