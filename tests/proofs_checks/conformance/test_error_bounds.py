"""Numbers that know their rounding errors: what is exact, and what a tolerance admits."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualgap.proofs_checks.conformance.error_bounds import number as running_error
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors.make_case import MARGIN, make_case
from dualgap.reference import LOSSES

REALS = st.floats(-1e3, 1e3).filter(lambda x: x == 0 or abs(x) > 1e-3)


@given(st.lists(st.tuples(REALS, REALS), min_size=1, max_size=8), REALS.filter(bool), st.permutations(range(8)))
@settings(max_examples=200)
def test_a_scalar_product_in_any_order_divided_or_times_the_reciprocal_is_within_the_tolerance(pairs, divisor, order):
    trace = running_error.Trace()
    total = running_error.given(0, trace)
    for a, b in pairs:
        total = total + running_error.given(a, trace) * b
    expected = total / divisor
    computed = 0.0
    for k in order:
        if k < len(pairs):
            computed += pairs[k][0] * pairs[k][1]
    for one in (computed / divisor, computed * (1 / divisor)):
        assert abs(Fraction(one) - expected.value) <= expected.tolerance


def test_a_lost_term_is_outside_the_tolerance():
    trace = running_error.Trace()
    expected = running_error.given(0.1, trace) * 0.3 + running_error.given(1e-9, trace)
    assert abs(Fraction(0.1 * 0.3) - expected.value) > expected.tolerance > 0


def test_exactness_counts_every_partial_sum():
    trace = running_error.Trace()
    wide = running_error.given(2.0**30, trace) + running_error.given(2.0**-20, trace)
    assert not wide.exact and not trace.exact  # 51 bits: a double, but not with bits to spare
    assert (running_error.given(2.0**20, running_error.Trace()) + 2.0**-20).exact
    cancelled = running_error.given(2.0**30, trace) - running_error.given(2.0**30, trace) + 2.0**-20
    assert cancelled.value == Fraction(1, 2**20) and not cancelled.exact  # another order would meet the wide sum
    assert not (running_error.given(1, trace) / 3).exact and (running_error.given(6, trace) / 3).exact


@pytest.mark.parametrize("loss", ["smoothed-hinge", "squared-hinge", "hinge", "absolute"])
def test_kinks_are_exact_cases_and_rounded_cases_keep_away_from_them(loss):
    gamma = 0.5 if LOSSES[loss].adjustable else float(LOSSES[loss].default_gamma)
    request = {"loss": loss, "gamma": hex_floats.encode(gamma), "y": hex_floats.encode(1.0)}
    at = make_case("loss.value", {**request, "z": hex_floats.encode(1.0)})
    assert at.tolerance_class == "E" and hex_floats.read(at.due["value"]).exact == 0
    near = float(1 + MARGIN / 2) + 2.0**-52  # 53 bits wide: not exact
    assert make_case("loss.value", {**request, "z": hex_floats.encode(near)}) is None
    assert make_case("loss.value", {**request, "z": hex_floats.encode(near + float(MARGIN))}).tolerance_class == "R"
