"""Interval arithmetic is sound: every enclosure contains the exact result, whatever the ambient decimal context.

All tests of this file run inside a hostile ambient context (5 digits, towards zero, exponents within +-9),
so an operation that reads it by mistake is wrong by far more than the enclosures are wide. Truth comes from
Fractions, from 60-digit decimals in a separate context, and from Taylor series in Fractions with their
remainder.
"""

import decimal
import math
import operator
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import refuses

from dualgap.proofs_checks import certificate
from dualgap.reference import L2, Logistic, Problem
from dualgap.reference.numbers.interval import Interval, Undecided, decide, digits

HOSTILE = decimal.Context(prec=5, rounding=decimal.ROUND_DOWN, Emin=-9, Emax=9, traps=[])
TRUTH = decimal.Context(prec=60, rounding=decimal.ROUND_HALF_EVEN, Emin=-(10**6), Emax=10**6)


@pytest.fixture(autouse=True, scope="module")
def hostile_ambient_context() -> Iterator[None]:
    with decimal.localcontext(HOSTILE):
        yield


def rationals(bound: int = 10**6) -> st.SearchStrategy[Fraction]:
    """Fractions of moderate, tiny and huge size, with equal ones and zero often enough."""
    plain = st.fractions(-bound, bound, max_denominator=10**6)
    scaled = st.builds(lambda q, k: q * Fraction(10) ** k, plain, st.integers(-300, 300))
    return st.one_of(st.integers(-3, 3).map(Fraction), plain, scaled)


def spread(a: Fraction, b: Fraction) -> tuple[Interval, list[Fraction]]:
    """An interval around a and b, and points that certainly lie in it."""
    return Interval.hull(a, b), [a, b, (a + b) / 2, (3 * a + b) / 4]


EXACT = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@given(rationals(), rationals(), rationals(), rationals(), st.integers(1, 40))
def test_arithmetic_encloses_every_exact_result(a: Fraction, b: Fraction, c: Fraction, d: Fraction, count: int) -> None:
    with digits(count):
        (x, left), (y, right) = spread(a, b), spread(c, d)
        results = {"+": x + y, "-": x - y, "*": x * y}
        if y.low > 0 or y.high < 0:
            results["/"] = x / y
        for p in left:
            assert (-x).contains(-p) and abs(x).contains(abs(p))
            for q in right:
                for sign, enclosure in results.items():
                    assert enclosure.contains(EXACT[sign](p, q)), f"{p} {sign} {q} is not in {enclosure}"


@given(rationals(), rationals(), st.integers(2, 40))
def test_arithmetic_of_points_is_as_narrow_as_the_digits_allow(a: Fraction, b: Fraction, count: int) -> None:
    # Without this, [-huge, huge] would pass for an enclosure. An enclosed Fraction is at most one unit in
    # the last place wide: relative width <= u = 10^(1-count). Three roundings of that kind meet in a
    # product or a quotient, whose relative width is then < (1+u)^3/(1-u) - 1 <= 5.8 u for u <= 1/10.
    u = Fraction(1, 10 ** (count - 1))
    with digits(count):
        x, y = Interval(a), Interval(b)
        assert Fraction(x.width()) <= u * abs(a)
        assert Fraction((x * y).width()) <= 6 * u * abs(a * b)
        if b:
            assert Fraction((x / y).width()) <= 6 * u * abs(a / b)


def around(nearest: Decimal) -> tuple[Decimal, Decimal]:
    """Ends that certainly hold the value whose correctly rounded 60-digit form is ``nearest``."""
    return TRUTH.next_minus(nearest), TRUTH.next_plus(nearest)


def true_exp(t: Decimal) -> tuple[Decimal, Decimal]:
    return around(TRUTH.exp(t))


def true_log(t: Decimal) -> tuple[Decimal, Decimal]:
    return around(TRUTH.ln(t))


def true_log1p(t: Decimal) -> tuple[Decimal, Decimal]:
    return around(TRUTH.ln(decimal.Context(prec=2000, traps=[decimal.Inexact]).add(t, Decimal(1))))


def true_logistic(t: Decimal) -> tuple[Decimal, Decimal]:
    # exp, sum and quotient: three roundings of relative size 10^-59 at most; twenty units cover them.
    value = TRUTH.divide(Decimal(1), TRUTH.add(Decimal(1), TRUTH.exp(t.copy_negate())))
    slack = TRUTH.multiply(value, Decimal("2e-58"))
    return TRUTH.subtract(value, slack), TRUTH.add(value, slack)


def true_sqrt(t: Decimal) -> tuple[Decimal, Decimal]:
    return around(TRUTH.sqrt(t))


# name: truth, then sample points (decimals of few digits, so that 60 hold them exactly).
POINTS = [Decimal(k) / 8 for k in range(-40, 41)]
TINY = [Decimal(f"{sign}3.0123456789e-{k}") for k in (1, 9, 19, 20, 21, 25, 40) for sign in "+-"]
FUNCTIONS = {
    "exp": (true_exp, [*POINTS, *TINY, Decimal(700), Decimal(-745), Decimal(99999), Decimal(-99999)]),
    "log": (true_log, [p for p in POINTS if p > 0] + [Decimal("1e-300"), Decimal("7e300"), Decimal("1.0001")]),
    "log1p": (true_log1p, [p for p in [*POINTS, *TINY] if p > -1] + [Decimal("-0.999999"), Decimal("5e40")]),
    "logistic": (true_logistic, [*POINTS, *TINY, Decimal(-745), Decimal(100), Decimal(-9000)]),
    "sqrt": (true_sqrt, [p for p in POINTS if p >= 0] + [Decimal("1e-300"), Decimal("7e301")]),
}


def misses(enclose: Callable[[Interval], Interval], name: str) -> list[Decimal]:
    """The sample points at which ``enclose`` does not meet the 60-digit truth of the function ``name``."""
    truth, points = FUNCTIONS[name]
    wrong = []
    for point in points:
        with digits(60):
            exact = Interval(Fraction(point))
        enclosure = enclose(exact)
        low, high = truth(point)
        if not (enclosure.low <= high and low <= enclosure.high):
            wrong.append(point)
    return wrong


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("count", [1, 2, 7, 20, 33])
def test_functions_enclose_the_truth(name: str, count: int) -> None:
    with digits(count):
        assert misses(lambda x: getattr(x, name)(), name) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_points_are_narrow_relative_to_their_value(name: str) -> None:
    # exp, log: nearest +- one unit, 2u wide with u = 10^-19; sqrt: u or 2u; log1p: the wide logarithm adds
    # less than u. logistic for t < 0: 2u from exp, u from each of two roundings; the tail must not become
    # an absolute error.
    truth, points = FUNCTIONS[name]
    for point in points:
        value = Interval(Fraction(point))
        width, scale = Fraction(getattr(value, name)().width()), Fraction(truth(point)[1])
        assert width <= 6 * Fraction(1, 10**19) * abs(scale), f"{name}({point}) is {float(width)} wide"


def test_exact_values_stay_points() -> None:
    assert Interval(0).exp() == 1 and Interval(1).log() == 0 and Interval(0).log1p() == 0
    assert Interval(0).logistic() == Fraction(1, 2)
    assert Interval("4/9").sqrt().contains(Fraction(2, 3)) and Interval(49).sqrt() == 7
    assert Interval("1e-600").sqrt() == Interval("1e-300")


def test_underflow_rounds_outwards() -> None:
    for t in (-3 * 10**18, -(10**30)):
        value = Interval(t).exp()
        assert value.low == 0 and value.high > 0
        assert Interval(t).logistic().low == 0 < Interval(t).logistic().high
        with pytest.raises(Undecided):
            value.log()
        square = value * value
        assert square.low <= 0 < square.high


def test_overflow_raises_and_logistic_does_not_overflow() -> None:
    refuses(OverflowError, "exp", lambda: Interval(10**30).exp())
    huge = Interval(2 * 10**18).exp()
    with pytest.raises(decimal.Overflow):
        huge * huge
    assert Interval(10**30).logistic() > Fraction(999, 1000) and Interval(10**30).logistic() <= 1


@pytest.mark.parametrize("q", [Fraction(1, 10**300), Fraction(-1, 10**300), Fraction(1e-300), Fraction(5e-324)])
def test_log1p_keeps_relative_precision_of_tiny_arguments(q: Fraction) -> None:
    # q - q^2 < log1p(q) < q for 0 < |q| < 1/2, and both sides agree to 300 digits here.
    value = Interval(q).log1p()
    assert Fraction(value.low) <= q - q * q / 2 and q - q * q <= Fraction(value.high)
    assert Fraction(value.width()) < Fraction(1, 10**18) * abs(q)


@given(rationals(), rationals(), rationals(), rationals())
def test_a_comparison_is_right_or_undecided(a: Fraction, b: Fraction, c: Fraction, d: Fraction) -> None:
    (x, left), (y, right) = spread(a, b), spread(c, d)
    for compare in (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne):
        answers = {compare(p, q) for p in left for q in right}
        if len(answers) == 2:
            with pytest.raises(Undecided):
                compare(x, y)
        else:
            try:
                assert compare(x, y) in answers
            except Undecided:  # allowed only where the intervals meet
                assert x.high >= y.low and y.high >= x.low


def test_equality_is_decided_for_points_and_disjoint_intervals_only() -> None:
    third = Interval("1/3")
    assert Interval(2) == 2 == Interval("2") and Interval(2) != third and hash(Interval(2)) == hash(2)
    with pytest.raises(Undecided):
        _ = third == Interval("1/3")
    with pytest.raises(Undecided):
        _ = third == Fraction(1, 3)
    assert Interval("1/2") != None and Interval("1/2") != "1/2"  # noqa: E711
    assert bool(third) and not Interval(0)
    with pytest.raises(Undecided):
        bool(third - third)


def test_decide_doubles_the_digits_until_the_sign_is_clear() -> None:
    def closer(k: int) -> Callable[[], bool]:
        return lambda: Interval("1/3") + Fraction(1, 10**k) > Fraction(1, 3)

    assert decide(closer(10)) == (True, 20)
    assert decide(closer(30)) == (True, 40)
    assert decide(closer(100)) == (True, 160)
    assert decide(closer(200)) == (None, 160)
    assert decide(closer(30), start=15, cap=25) == (None, 25)
    refuses(ValueError, "start", lambda: decide(closer(10), start=40, cap=20))


def test_digits_nest_and_are_restored_after_an_error() -> None:
    width = Interval("1/3").width()
    with pytest.raises(RuntimeError), digits(50):
        with digits(5):
            assert Interval("1/3").width() == Decimal("1e-5")
        assert Interval("1/3").width() == Decimal("1e-50")
        raise RuntimeError
    assert Interval("1/3").width() == width == Decimal("1e-20")
    with pytest.raises(ValueError, match="digits"), digits(0):
        pass


def test_construction_is_exact_or_encloses() -> None:
    assert Interval(10**50).width() == 0 and Interval(10**50 + 1).contains(10**50 + 1)
    for x in (0.1, -1e-300, 5e-324, 1.7976931348623157e308):
        assert Interval(x).width() == 0 and Interval(x).contains(Fraction(x))
    assert Interval("0.1").contains(Fraction(1, 10)) and Interval("-2/7").contains(Fraction(-2, 7))
    third = Interval(Fraction(1, 3))
    assert Interval(third).low == third.low and Interval(third).high == third.high
    assert 2 * third.midpoint() == Fraction(third.low) + Fraction(third.high)
    wide = Interval.hull("-1/3", 10**9 + 7)
    assert 0 <= Fraction(wide.width()) - (Fraction(wide.high) - Fraction(wide.low)) < Fraction(1, 10**10)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, "nan", "one", "1/0", ""])
def test_what_is_not_a_finite_number_is_refused(bad: float | str) -> None:
    refuses(ValueError, "needs", Interval, bad)


def test_other_types_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="made from"):
        Interval(None)  # type: ignore[arg-type]
    for act in (operator.add, operator.mul, operator.truediv):
        refuses(TypeError, "meant", act, Interval(1), 0.5)
        refuses(TypeError, "meant", act, 0.5, Interval(1))


def test_outside_the_domain_is_an_error_and_across_its_border_undecided() -> None:
    undecided: list[Callable[[], object]] = [
        lambda: Interval.hull(0, 1).log(),
        lambda: Interval.hull(-1, 1).log(),
        lambda: Interval.hull(-1, 0).log1p(),
        lambda: Interval.hull(-1, 1).sqrt(),
        lambda: 1 / Interval.hull(0, 1),
        lambda: 1 / (Interval("1/3") - Fraction(1, 3)),
    ]
    for act in undecided:
        with pytest.raises(Undecided):
            act()
    for name, x in (("log", 0), ("log", -2), ("log1p", -1), ("sqrt", -1)):
        refuses(ValueError, name, getattr(Interval(x), name))
    with pytest.raises(ZeroDivisionError):
        Interval(1) / 0


def test_a_comparison_with_a_float_is_one_with_the_double_itself() -> None:
    tenth, third = Interval("1/10"), Interval("1/3")
    assert tenth < 0.1 and not 0.1 <= tenth and tenth != 0.1, "the double lies above 1/10"
    assert Interval(0.1) == 0.1 and Interval(0.1) <= 0.1 and not Interval(0.1) < 0.1
    assert third > 0.3 and 0.34 > third and third != 0.5
    assert third < math.inf and -math.inf < third and not third > math.inf and third != math.inf


@pytest.mark.parametrize("act", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
def test_a_float_inside_an_interval_is_undecided_and_a_nan_is_refused(act) -> None:
    for sides in ((Interval.hull(0, 1), 0.5), (0.5, Interval.hull(0, 1))):
        refuses(Undecided, "more may help", act, *sides)
    for sides in ((Interval(1), math.nan), (math.nan, Interval(1))):
        refuses(TypeError, "got nan", act, *sides)


def test_a_gap_in_intervals_is_compared_with_a_tolerance_as_any_number() -> None:
    gap = certificate(Problem([[1.0], [0.5]], [1, -1], Logistic(), L2(1.0)), [-0.25, 0.25]).gap
    assert gap <= 1.0 and not gap <= 1e-6 and 0.0 < gap
