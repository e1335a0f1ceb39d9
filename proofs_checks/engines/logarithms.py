"""The number of steps that a rate requires: the ceiling of a multiple of a logarithm, exactly."""

import math
from fractions import Fraction

from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Interval, Undecided, decide


def ceiling_of_log(factor: int, x: Fraction) -> int:
    """ceil(factor ln x) for x >= 1, the logarithm enclosed by decimals until the ceiling is certain."""

    def question() -> int:
        value = Interval(x).log() * factor
        low, high = math.ceil(value.low), math.ceil(value.high)
        if low != high:
            raise Undecided
        return low

    t, digits = decide(question)
    if t is None:
        raise ArithmeticError(f"the ceiling of {factor} ln {x} is undecided at {digits} digits")
    return t


def steps_for(K: Number, ratio: Number) -> int:
    """ceil(K ln ratio), 0 for ratio <= 1: with K = p/q that is ceil(p ln(ratio)/q)."""
    return 0 if ratio <= 1 else -(-ceiling_of_log(int(K.numerator), ratio) // int(K.denominator))
