"""Code on ranges of doubles: errors that are known, what is exact, and what is refused.

That the bounds hold on random doubles is checked by ``audit --self`` (``self_audit.engines.roundings``).
"""

from fractions import Fraction

import pytest

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
    with pytest.raises(ArithmeticError, match="divisor"):
        Rounded(1, 2) / divisor


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
        assert not all(relation.holds() for relation in claims.exp_relations(series))
    for series in (lambda z: 1 / 3 + z * (1 / 5), lambda z: code.odd_part(z) + 2.0**-30 * z):
        assert not all(
            relation.holds()
            for relation in claims.log_relations((0, 1), Fraction(9, 4), claims.rest_of_log, -53, series)
        )
