"""The probe of the mathematics: hundreds of arguments of each function, hard ones among them; one wrong bit is seen."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from dualgap.fast.compiler import probe as probing


def test_the_probe_tries_every_function_on_hundreds_of_arguments():
    counts = probing.probe()
    assert tuple(counts) == probing.PROBED
    assert counts["sqrt"] == 0, "IEEE prescribes every bit of a square root"
    for name in probing.PROBED:
        values = [probing._python_value(name, x, 1.5) for x in probing._arguments(name)]
        assert sum(value is not None for value in values) >= 200
    counts["sqrt"] = 1
    assert probing.probe()["sqrt"] == 0, "the caller got the probe's own memory"


@pytest.mark.parametrize("name", probing.PROBED)
def test_the_probe_sees_one_wrong_bit_in_one_result(name):
    def plain(code, arguments, exponent, out):
        out[:] = [probing._python_value(name, float(x), exponent) for x in arguments]

    def one_wrong_bit(code, arguments, exponent, out):
        plain(code, arguments, exponent, out)
        out[arguments == 1.0 - 2.0**-53] += math.ulp(1.0)

    def one_wrong_sign_of_zero(code, arguments, exponent, out):
        plain(code, arguments, exponent, out)
        out[(arguments == 0.0) & ~np.signbit(arguments)] *= -1.0

    assert probing._differences(name, 1.5, plain) == 0
    assert probing._differences(name, 1.5, one_wrong_bit) == 1
    assert probing._differences(name, 1.5, one_wrong_sign_of_zero) == 1


def distance_to_midpoint(value: Decimal) -> Decimal:
    """Return how far an exact value lies from the midpoint of two floats, in units in the last place."""
    nearest = float(value)
    return abs(abs(value - Decimal(nearest)) / Decimal(math.ulp(nearest)) - Decimal("0.5"))


def test_the_hard_arguments_of_the_probe_are_hard():
    # 120 digits: 100 more than the distances that are measured.
    limit = Decimal(2) ** -15
    with localcontext() as context:
        context.prec = 120
        exact = {"pow": lambda x: [(x.ln() * Decimal(p)).exp() for p in probing.EXPONENTS]}
        for name, values in exact.items():
            for text in probing.HARD_ARGUMENTS[name].split():
                nearest = min(distance_to_midpoint(v) for v in values(Decimal(float.fromhex(text))))
                assert nearest < limit, (name, text)
            assert min(distance_to_midpoint(v) for v in values(Decimal("0.75"))) > limit  # an ordinary one is not
