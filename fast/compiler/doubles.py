"""Operations on doubles that Python has no operator for: division without a check for 0, powers of two,
mantissa and exponent.

Each is one or a few instructions without a branch, so that a loop of them becomes vector code. Where nothing is
compiled plain Python replaces them.
"""

import math

import numba
from llvmlite import ir
from numba.core import types

from dualgap.fast.compiler.instruction import compiled_as

DOUBLE, INTEGER = ir.DoubleType(), ir.IntType(64)
TO_INTEGER = 1.5 * 2.0**52  # its last bits are those of a small integer added to it
BIAS, FRACTION_BITS = 1023, 52  # of a double's exponent and mantissa
ROOT_HALF = 0x3FE6A09E667F3BCD  # the bits of the double next to 1/sqrt(2)
ONE = 0x3FF0000000000000  # of 1.0
TWO_52 = 0x4330000000000000  # of 2^52, whose last bits are those of an integer added to it


def _integer(value: int) -> ir.Constant:
    return ir.Constant(INTEGER, value)


def _emit_quotient(context, builder, signature, arguments):
    return builder.fdiv(*arguments)


def _quotient(typing_context, a, b):
    return types.float64(types.float64, types.float64), _emit_quotient


@compiled_as(_quotient)
def quotient(a: float, b: float) -> float:
    """a/b for b != 0, or for a result that is not used: without the test that raises ZeroDivisionError."""
    return a / b if b else math.nan


def _emit_power_of_two(context, builder, signature, arguments):
    shifted = builder.bitcast(builder.fadd(arguments[0], ir.Constant(DOUBLE, TO_INTEGER)), INTEGER)
    return builder.bitcast(builder.shl(builder.add(shifted, _integer(BIAS)), _integer(FRACTION_BITS)), DOUBLE)


def _power_of_two(typing_context, k):
    return types.float64(types.float64), _emit_power_of_two


@compiled_as(_power_of_two)
def power_of_two(k: float) -> float:
    """2^k for an integer -1022 <= k <= 1023, given as a double; of anything else no more than some double."""
    return math.ldexp(1.0, int(k)) if math.isfinite(k) else math.nan


def _emit_split(context, builder, signature, arguments):
    above = builder.add(builder.bitcast(arguments[0], INTEGER), _integer(ONE - ROOT_HALF))
    exponent = builder.bitcast(builder.or_(builder.lshr(above, _integer(FRACTION_BITS)), _integer(TWO_52)), DOUBLE)
    mantissa = builder.add(builder.and_(above, _integer(2**FRACTION_BITS - 1)), _integer(ROOT_HALF))
    k = builder.fsub(exponent, ir.Constant(DOUBLE, 2.0**52 + BIAS))
    return context.make_tuple(builder, signature.return_type, (builder.bitcast(mantissa, DOUBLE), k))


def _split(typing_context, x):
    return numba.types.UniTuple(types.float64, 2)(types.float64), _emit_split


@compiled_as(_split)
def split(x: float) -> tuple[float, float]:
    """m and k, a double too, with x = m 2^k and 1/sqrt(2) <= m < sqrt(2) up to rounding, for 2^-1022 <= x < infinity
    (reference: elementary.split).
    """
    if not 0.0 < x < math.inf:
        return math.nan, math.nan
    m, k = math.frexp(x)
    return (m, float(k)) if m >= 0.7071067811865476 else (2.0 * m, k - 1.0)
