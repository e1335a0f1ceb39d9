"""The root of the logistic dual step in intervals: what is known from floats spares evaluations and changes no digit."""

import math
from fractions import Fraction

import pytest

from dualgap.reference.numbers import arithmetic
from dualgap.reference.numbers.interval import Interval, digits

POINTS = [("0", "1/2", "1"), ("-7/3", "1/10", "4"), ("5/2", "9/10", "1/3"), ("40", "0", "60"), ("-1/7", "1", "1/1000"), ("3", "1/3", "0")]


def root(m, b, q):
    return arithmetic.logit_root(*map(Interval, (m, b, q)))


def unknown(m, b, q, sign):
    return -math.inf, math.inf


@pytest.mark.parametrize("precision", [20, 60])
@pytest.mark.parametrize("point", POINTS)
def test_the_enclosure_is_that_of_plain_bisection(point, precision, monkeypatch):
    with digits(precision):
        found = root(*point)
        monkeypatch.setattr(arithmetic, "_near_root", unknown)
        plain = root(*point)
    assert (found.low, found.high) == (plain.low, plain.high)


def test_a_root_in_floats_that_is_wrong_is_not_believed(monkeypatch):
    expected = root("0", "1/2", "1")
    monkeypatch.setattr(arithmetic, "_solve", lambda m, b, q: (5.0, 0.5))
    found = root("0", "1/2", "1")
    assert (found.low, found.high) == (expected.low, expected.high)


def test_an_interval_beyond_the_floats_or_wide_is_bisected():
    assert arithmetic._near_root(Interval("1e400"), Interval(0), Interval(1), lambda t: 1) == (-math.inf, math.inf)
    wide = Interval.hull(-1, 1)
    assert arithmetic._near_root(wide, Interval(0), Interval(1), lambda t: 0) == (-math.inf, math.inf)


def test_evaluations_are_spared(monkeypatch):
    counts, original = [], Interval.logistic

    def counted(x):
        counts[-1] += 1
        return original(x)

    monkeypatch.setattr(Interval, "logistic", counted)
    for near in (arithmetic._near_root, unknown):
        monkeypatch.setattr(arithmetic, "_near_root", near)
        counts.append(0)
        root("-7/3", "1/10", Fraction(4))
    assert counts[0] < counts[1] * 3 / 4
