"""The root of the logistic dual step in intervals: enclosed, sharply, in few evaluations, whatever the float
approximation.
"""

from fractions import Fraction

import pytest

from dualgap.reference.numbers import arithmetic
from dualgap.reference.numbers.interval import Interval, digits

POINTS = [
    ("0", "1/2", "1"),
    ("-7/3", "1/10", "4"),
    ("5/2", "9/10", "1/3"),
    ("40", "0", "60"),
    ("-1/7", "1", "1/1000"),
    ("3", "1/3", "0"),
    ("1e-9", "1/2", "5/2"),
]
PRECISE = 250  # digits that stand for the real numbers


def root(m, b, q):
    return arithmetic.logit_root(*map(Interval, (m, b, q)))


def left_side(t, m, b, q):
    """h(t), enclosed with many digits."""
    with digits(PRECISE):
        return Interval(t) + Interval(m) + Interval(q) * (Interval(t).logistic() - Interval(b))


def encloses(found, m, b, q):
    """h increases strictly: its root lies in [low, high] exactly when h(low) <= 0 <= h(high)."""
    return left_side(Fraction(found.low), m, b, q).low <= 0 <= left_side(Fraction(found.high), m, b, q).high


@pytest.mark.parametrize("precision", [20, 40, 160])
@pytest.mark.parametrize("point", POINTS)
def test_the_root_is_enclosed_as_sharply_as_its_terms_are_known(point, precision):
    with digits(precision):
        found = root(*point)
    assert encloses(found, *point)
    with digits(PRECISE):
        beside = Interval.hull(Fraction(found.high) + Fraction(1, 10**precision), Fraction(found.high) + 1)
    assert not encloses(beside, *point), "the control: an interval next to the root"
    assert width(found) <= sharp(found, point, precision)


def width(found):
    return Fraction(found.high) - Fraction(found.low)


def sharp(found, point, precision):
    """How wide the enclosure may be. One rounding changes a number by at most a unit of ``size``, and an evaluation of
    h has about four that count (two sums, q logistic, q b): its sign is unknown up to 4 units on either side of the
    root, as h' >= 1, and coming there by halves leaves at most as much again.
    """
    size = 1 + abs(Fraction(found.high)) + abs(Fraction(point[0])) + 2 * Fraction(point[2])
    return 16 * size / Fraction(10) ** (precision - 1)


@pytest.mark.parametrize("claimed", [5.0, -3.0, 0.25, 1e300])
def test_a_root_in_floats_that_is_wrong_is_not_believed(claimed, monkeypatch):
    monkeypatch.setattr(arithmetic, "_solve", lambda m, b, q: (claimed, 0.5))
    for point in POINTS:
        assert encloses(root(*point), *point)


def test_numbers_beyond_the_floats():
    found = root("1e400", "0", "1")
    assert Fraction(found.low) <= -(Fraction(10) ** 400) <= Fraction(found.high) + 1
