"""exp, 1 - e^-x, log and log1p: the edges of their formulas, and what they refuse."""

import math
import random
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest
from support import refuses

from dualgap.reference.numbers import elementary

U = Decimal(2) ** -53
DIGITS = Context(prec=60, Emin=-(10**9), Emax=10**9)
ROOT_HALF = elementary.ROOT_HALF


def both_sides(values: Iterator[float] | list[float]) -> list[float]:
    """Each with its neighbours."""
    return [near for x in values for near in (math.nextafter(x, -math.inf), x, math.nextafter(x, math.inf))]


def sizes(least: float, most: float) -> list[float]:
    """4000 numbers of every size between two powers of ten."""
    r = random.Random(0)
    return [10 ** r.uniform(least, most) for _ in range(4000)]


# the edges of the formulas: where the k of 2^k changes, and numbers close to 1
HALVES = both_sides([(k + 0.5) * math.log(2) for k in range(60)])
POWERS = both_sides([ROOT_HALF * 2.0**k for k in range(-1000, 1000, 7)] + [2.0**k for k in range(-1073, 1024, 9)])
NEAR_1 = [1 + sign * x for sign in (1, -1) for x in sizes(-16, -0.4)]


@pytest.mark.parametrize(
    ("name", "libm", "points"),
    [
        ("exp", math.exp, [-x for x in sizes(-20, 2.84) + HALVES]),
        ("one_minus_exp", lambda x: -math.expm1(-x), sizes(-20, 3) + HALVES),
        ("log", math.log, sizes(-323, 308) + NEAR_1 + POWERS),
        ("log1p", math.log1p, sizes(-20, 300) + [x for x in POWERS if 1e-20 < x < 1e300]),
    ],
)
def test_the_functions_are_those_of_the_c_library(
    name: str, libm: Callable[[float], float], points: list[float]
) -> None:
    """The claim certificate.elementary proves bounds of 4 units at most; the C library is off by less than 4."""
    function = getattr(elementary, name)
    errors = {x: abs(function(x) - libm(x)) / abs(libm(x)) if libm(x) else abs(function(x)) for x in points}
    assert {x: error for x, error in errors.items() if error > 8 * 2.0**-53} == {}
    moved = [abs(function(x) * (1 + 2.0**-48) - libm(x)) > 8 * 2.0**-53 * abs(libm(x)) for x in points]
    assert sum(moved) > 0.99 * len(points), "the control: 32 units more"


def test_below_the_normal_numbers_exp_is_rounded_once_more() -> None:
    with localcontext(DIGITS):
        for x in (-708.3, -708.4, -710.1, -720.7, -744.4, -745.1, -745.2, -746.0, -1e5):
            assert (
                abs(Decimal(elementary.exp(x)) - Decimal(x).exp())
                <= Decimal("2.25") * U * Decimal(x).exp() + Decimal(2) ** -1074
            )
    assert elementary.exp(-745.1) == 5e-324 and elementary.exp(-746.0) == elementary.exp(-math.inf) == 0.0


def test_exact_values() -> None:
    assert [elementary.exp(0.0), elementary.exp(-0.0), elementary.one_minus_exp(0.0)] == [1.0, 1.0, 0.0]
    assert [elementary.log(1.0), elementary.log1p(0.0), elementary.log1p(5e-324)] == [0.0, 0.0, 5e-324]
    assert elementary.one_minus_exp(5e-324) == 5e-324 and elementary.one_minus_exp(math.inf) == 1.0
    assert math.copysign(1, elementary.one_minus_exp(0.0)) == math.copysign(1, elementary.log(1.0)) == 1


def test_what_is_no_number_comes_back_and_what_has_no_logarithm_is_refused() -> None:
    for function in (elementary.exp, elementary.one_minus_exp, elementary.log, elementary.log1p):
        assert math.isnan(function(math.nan))
    assert elementary.log(math.inf) == elementary.log1p(math.inf) == math.inf
    for function, x in ((elementary.log, 0.0), (elementary.log, -1.0), (elementary.log1p, -0.5)):
        refuses(ValueError, "got", function, x)


def test_exp_is_the_product_of_three_numbers_that_every_c_library_has_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A C library whose ldexp cuts off what is below 2^-1074 changes no bit; the control is a single ldexp, as some of
    them compute it.
    """
    points = [-708.5 - 0.37 * i for i in range(100)]
    right, true_ldexp = [elementary.exp(x) for x in points], math.ldexp

    def cutting(m: float, k: int) -> float:
        exact = Fraction(m) * Fraction(2) ** k
        return float(exact) if exact >= Fraction(2) ** -1022 else float(exact * 2**1074 // 1) * 2.0**-1074

    monkeypatch.setattr(math, "ldexp", cutting)
    assert [elementary.exp(x) for x in points] == right
    halves = [elementary.reduced(x) for x in points]
    assert [cutting(1 + elementary.power_series(r), int(k)) for k, r in halves] != right
    assert [true_ldexp(1 + elementary.power_series(r), int(k)) for k, r in halves] == right


def bregman_error(b: float, p: float, delta: float | None = None) -> float:
    """By how many units of 2^-53 of itself b ln(b/p) - b + p is off, for a delta that is exact or as given."""
    with localcontext(DIGITS):
        B, P = Decimal(b), Decimal(p)
        due = B * (B / P).ln() - B + P
        got = elementary.bregman(b, p, elementary.log(p), float(B - P) if delta is None else delta)
        return float(abs(Decimal(got) - due) / due / U)


def test_near_p_a_bregman_term_keeps_its_relative_precision() -> None:
    """Units of 2^-53: delta is off by 1 and enters twice, b + p by 1, s by 1 more, its square and R(s^2) by a twentieth
    of 8; two products, two sums.
    """
    r = random.Random(1)
    for _ in range(4000):
        p = r.choice((r.random(), 10 ** r.uniform(-250, 0)))  # below, s delta underflows
        b = p * (1 + r.choice((-1, 1)) * r.choice((10 ** r.uniform(-15, -0.61), r.uniform(0, 0.2499))))
        if b != p:
            assert bregman_error(b, p) <= 9
    assert elementary.bregman(0.25, 0.25, math.log(0.25), 0.0) == 0.0
