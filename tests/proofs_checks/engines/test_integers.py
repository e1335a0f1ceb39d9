"""Rationals over one denominator, in the integers of both kinds of rationals."""

from fractions import Fraction

import pytest

from dualgap.proofs_checks.engines.integers import common_divisor, over_one_denominator, quotient


@pytest.fixture(params=["fractions", pytest.param("gmpy2", marks=pytest.mark.needs("gmpy2"))])
def kinds(request):
    """(the type of the rationals, that of their integers)."""
    if request.param == "fractions":
        return Fraction, int
    gmpy2 = pytest.importorskip("gmpy2")
    return gmpy2.mpq, type(gmpy2.mpz(0))


def test_integers_are_those_of_the_rationals_that_they_come_from(kinds):
    rational, integer = kinds
    rows, divisor = over_one_denominator([[rational(1, 2), rational(-2, 3)], [rational(0), rational(5)]])
    assert (rows, divisor) == ([[3, -4], [0, 30]], 6) and {type(x) for row in rows for x in row} == {integer}
    assert common_divisor([integer(12), integer(0), integer(-18)]) == 6 == common_divisor([6])


def test_a_quotient_is_of_their_kind_though_a_sum_of_nothing_is_pythons(kinds):
    rational, integer = kinds
    for numerator in (0, integer(0), integer(4)):
        found = quotient(numerator, integer(6))
        assert type(found) is rational and found == Fraction(int(numerator), 6)
        # no integers of one kind in a rational of the other
        assert rational(1, 3) * found + Fraction(1) == Fraction(int(numerator), 18) + 1
    assert type(common_divisor([0, integer(4)])) is integer
