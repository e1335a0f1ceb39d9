"""Numbers of the engines: code on ranges of doubles, rationals over one denominator, lazy values."""

import functools
from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.engines.integers import common_divisor, over_one_denominator, quotient
from dualgap.proofs_checks.engines.lazily import cached_property
from dualgap.proofs_checks.engines.roundings import Polynomial, Rounded
from dualgap.proofs_checks.papers.certificate import elementary as claims
from dualgap.reference.numbers import elementary as code

HALF = Fraction(1, 2**53)  # of a unit in the last place of 1


def test_half_a_unit_of_the_largest_result_is_lost_and_nothing_where_it_is_exact():
    x = Rounded(Fraction(5, 4), Fraction(3, 2))
    assert (x + 1).error == 2 * HALF and (x * x).error == 2 * HALF and (x / 5).error == HALF / 4
    assert (x * 0.25).error == (x + 0).error == (0.5 * x).error == 0
    grid = Rounded(1, 2, grid=-52)
    assert (grid - 1).error == 0 and (grid - 1.5).grid == -52 and (grid + 2**53).error > 0
    assert (Rounded.of(1000) * code.LN2_HIGH).error == 0 and (Rounded.of(3000) * code.LN2_LOW).error > 0


def test_errors_of_what_is_given_are_carried_on():
    x = Rounded(1, 1, HALF)
    # 2 carried on, 2 of the difference
    assert (x * 4).error == 4 * HALF and (Rounded(3, 3, HALF) - x).error == 4 * HALF
    assert x.least == 1 - HALF and Rounded(-1, 1).least == 0 and Rounded(-3, -2).least == 2


@pytest.mark.parametrize("divisor", [Rounded(Fraction(1, 2), 1), Rounded(-3, -2), Rounded(-1, 2)])
def test_divisors_below_1_are_refused(divisor):
    refuses(ArithmeticError, "divisor", lambda: Rounded(1, 2) / divisor)


def test_a_polynomial_is_what_the_code_computes_in_the_reals():
    coefficients = code.power_series(Polynomial.x()).coefficients
    assert len(coefficients) == 14 and coefficients[:3] == [0, 1, Fraction(1, 2)]
    assert coefficients[5] == Fraction(1 / 120) and coefficients[13] == Fraction(1 / 6227020800)
    assert [float(c) for c in code.odd_part(Polynomial.x()).coefficients] == [1 / n for n in range(3, 22, 2)]
    x = Polynomial.x()
    assert (3 - x - (1 - x)).coefficients == [2, 0]


def test_a_series_that_ends_too_early_or_has_a_wrong_term_is_noticed():
    def short(r):
        return r + r * r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720)))))

    for series in (
        short,
        lambda r: code.power_series(r) + 2.0**-45 * (r * r),
        lambda r: code.power_series(r) * (1 + 2.0**-50),
    ):
        assert not all(relation.holds() for relation in claims.exp(Context(claims.ANY), series))
    for series in (lambda z: 1 / 3 + z * (1 / 5), lambda z: code.odd_part(z) + 2.0**-30 * z):
        assert not all(
            relation.holds()
            for relation in claims.log_relations((0, 1), Fraction(9, 4), claims.rest_of_log, -53, series)
        )


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


class Counted:
    made = 0

    @cached_property
    def value(self) -> int:
        """A number, which cannot be made at first."""
        self.made += 1
        if self.made == 1:
            raise ValueError("broken")
        return self.made


def test_a_value_is_made_once_for_each_object_what_raises_is_tried_again_and_it_can_be_forgotten() -> None:
    one, other = Counted(), Counted()
    for counted in (one, other):
        refuses(ValueError, "broken", lambda counted=counted: counted.value)
        assert "value" not in vars(counted)
    assert (one.value, one.value, other.value, vars(one)["value"]) == (2, 2, 2, 2)
    del one.value
    assert one.value == 3 and isinstance(vars(Counted)["value"], functools.cached_property)
    assert Counted.value.__doc__ == "A number, which cannot be made at first."


def test_contexts_use_it() -> None:
    assert type(vars(Context)["successors"]) is cached_property
