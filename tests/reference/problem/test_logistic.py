"""The logistic loss against decimal arithmetic of 60 and more digits: dual step, residual, and interval enclosures.

The truth comes from an independent solver. Whatever it starts from, its answer t is proved by signs: h is strictly
increasing, so h(t - d) < 0 < h(t + d) puts the root within d of t.
"""

import math
import random
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import cache

import pytest
from support import refuses

from dualgap.reference import Interval, Logistic
from dualgap.reference.numbers import arithmetic
from dualgap.reference.numbers.arithmetic import logistic, logistic_divergence, logistic_of_root, logit_root

ULP = 2.0**-52
Case = tuple[float, float, float]  # m, b, q


def decimals(count: int) -> Context:
    return Context(prec=count, Emin=-(10**9), Emax=10**9)


def both_tails(t: Decimal) -> tuple[Decimal, Decimal]:
    """logistic(t) and 1 - logistic(t), each to full relative precision, in the current context."""
    e = (-abs(t)).exp()
    small, large = e / (1 + e), 1 / (1 + e)
    return (small, large) if t < 0 else (large, small)


def true_root(m: float | Decimal, b: float | Decimal, q: float | Decimal) -> Decimal:
    """The root of h(t) = t + m + q (logistic(t) - b) to within 1e-45 max(1, |t|), proved by signs; q > 0.

    The bracket: at t = min(-ln q, -m - 1), q logistic(t) <= 1 and so h(t) <= -q b <= 0; likewise above.
    """
    M, B, Q = Decimal(m), Decimal(b), Decimal(q)

    def h(t: Decimal) -> Decimal:
        return t + M + Q * (both_tails(t)[0] - B)

    low, high = min(-Q.ln(), -M - 1), max(Q.ln(), -M + 1)
    t, step = (low + high) / 2, high - low
    while abs(step) > Decimal("1e-46") * max(1, abs(t)):
        value, (p, p_complement) = h(t), both_tails(t)
        low, high = (low, t) if value > 0 else (t, high)
        newton = t - value / (1 + Q * p * p_complement)
        following = newton if abs(newton - t) < abs(step) / 2 and low <= newton <= high else (low + high) / 2
        t, step = following, following - t
    radius = Decimal("1e-45") * max(1, abs(t))
    assert h(t - radius) < 0 < h(t + radius), "the truth itself is not proved"
    return t


def hard_cases(count: int, seed: int) -> list[Case]:
    """q from 1e-12 to 1e12; b down to 1e-300, near 1, at 0, 1/2 and 1; |m| to 1e4, and m where b is nearly optimal."""
    r = random.Random(seed)

    def one() -> Case:
        b = r.choice(
            (
                r.random(),
                10 ** r.uniform(-300, 0),
                10 ** r.uniform(-20, 0),
                1 - 10 ** r.uniform(-16, 0),
                1 - 2**-53,
                0.0,
                0.5,
                1.0,
            )
        )
        logit = math.log(b) - math.log1p(-b) if 0 < b < 1 else r.choice((-1, 1)) * 10 ** r.uniform(0, 4)
        m = r.choice(
            (r.choice((-1, 1)) * 10 ** r.uniform(-8, 4), r.gauss(0, 3), 0.0, -logit * (1 + r.gauss(0, 1e-6)), -logit)
        )
        return m, b, 10 ** r.uniform(-12, 12)

    return [one() for _ in range(count)]


@cache
def solved_cases() -> list[tuple[Case, Decimal, Decimal, Decimal]]:
    """3,000 hard cases with t and both tails of logistic(t)."""
    with localcontext(decimals(60)):
        return [(case, t, *both_tails(t)) for case in hard_cases(3000, seed=1) for t in (true_root(*case),)]


Tails = dict[str, float]  # "b" and, where it is not merely 1 minus that, "1 - b"


def of_t(solver: Callable[[float, float, float], float]) -> Callable[[float, float, float], Tails]:
    """Both tails of logistic at the t that ``solver`` finds."""
    return lambda m, b, q: {"b": logistic(t := solver(m, b, q)), "1 - b": logistic(-t)}


def violations_of_root(solver: Callable[[float, float, float], Tails]) -> list[str]:
    """Cases where b = logistic(t) is off by more than the promised absolute and relative errors.

    The relative one is what the stopping rule |h| <= 4 ulp (|t| + |m| + q max(logistic, b)) allows, since h' >= 1 and
    d(ln b)/dt <= 1, doubled for the rounding in evaluating h and logistic. Tails below 1e-300 are not representable.
    """
    found = []
    with localcontext(decimals(60)):
        for (m, b, q), t, p, p_complement in solved_cases():
            true_tails = {"b": p, "1 - b": p_complement}
            scale = Decimal(8 * ULP) * (1 + abs(t) + abs(Decimal(m)) + Decimal(q) * max(p, Decimal(b)))
            for name, got in solver(m, b, q).items():
                true = true_tails[name]
                error = abs(Decimal(got) - true)
                if error > Decimal("1.2e-15") or (true > Decimal("1e-300") and error > scale * true):
                    found.append(f"m={m!r} b={b!r} q={q!r}: {name} = {got!r}, true {true:.20}")
    return found


def test_the_dual_step_meets_its_error_bounds_on_3000_hard_cases() -> None:
    assert violations_of_root(of_t(logit_root)) == []
    assert violations_of_root(lambda m, b, q: {"b": logistic_of_root(m, b, q)}) == []
    assert len(violations_of_root(of_t(newton_without_a_bracket))) > 10, "the control"


def newton_without_a_bracket(m: float, b: float, q: float) -> float:
    t = -m
    for _ in range(200):
        p = logistic(t)
        t = t - (t + m + q * (p - b)) / (1 + q * p * (1 - p))
    return t


def true_divergence(b: float, m: float) -> tuple[Decimal, Decimal, Decimal]:
    """KL(b || p), the smaller of p and 1 - p, and |b - p|, for p = logistic(-m), with digits to spare."""
    spare = 2 * int((abs(m) - (math.log(b) if b > 0 else 0)) / math.log(10))
    with localcontext(decimals(60 + spare)):
        B, (p, p_complement) = Decimal(b), both_tails(-Decimal(m))
        terms = [part * (part / of).ln() for part, of in ((B, p), (1 - B, p_complement)) if part]
        return sum(terms, Decimal(0)), min(p, p_complement), abs(B - p)


@cache
def divergence_cases() -> list[tuple[float, float, Decimal, Decimal, Decimal]]:
    """2,500 pairs m, b with their truth: b anywhere, and b = p(1 + d) or 1 - b = (1 - p)(1 + d) with |d| from 1e-14 to
    2.
    """
    r, found = random.Random(5), []
    for _ in range(2500):
        m = r.choice((-1, 1)) * r.choice((r.uniform(0, 3), r.uniform(0, 40), 10 ** r.uniform(-8, 0), r.uniform(0, 300)))
        factor = 1 + r.choice((-1, 1)) * 10 ** r.uniform(-14, 0.3)
        below, above = (min(1.0, max(0.0, logistic(t) * factor)) for t in (-m, m))
        b = r.choice((r.random(), below, 1 - above, 0.0, 1.0, 10 ** r.uniform(-100, 0)))
        found.append((m, b, *true_divergence(b, m)))
    return found


def violations_of_divergence(divergence: Callable[[float, float], float]) -> list[str]:
    """Cases with a relative error above 8 ulp (1 + |m| + min(p, 1-p)/|b - p|).

    The smaller of p and 1 - p is rounded by under 2 ulp of itself, and so b - p by that much, which the nearly
    quadratic divergence doubles: the last term. Far from p the logarithms carry |ln p| <= 1 + |m| roundings.
    """
    found = []
    for m, b, true, smaller, distance in divergence_cases():
        got = divergence(b, m)
        if true == 0:
            continue
        allowed = 8 * ULP * (1 + abs(m) + float(smaller / distance))
        if got < 0 or abs(Decimal(got) / true - 1) > allowed:
            found.append(f"m={m!r} b={b!r}: {got!r}, true {true:.20}")
    return found


def test_the_residual_keeps_its_relative_accuracy_down_to_zero() -> None:
    assert violations_of_divergence(logistic_divergence) == []
    assert len(violations_of_divergence(value_plus_conjugate)) > 10, "the control"


def value_plus_conjugate(b: float, m: float) -> float:
    loss = Logistic().over(float)
    return loss.value(m, 1.0) + loss.conjugate(-b, 1.0) + b * m


def test_intervals_enclose_every_function_of_the_loss_and_are_narrow() -> None:
    """Widths stay below 1e-14 times the size of the terms, with 20 digits."""
    r, loss = random.Random(3), Logistic().over(Interval)
    for trial in range(60):
        z, b, q = Fraction(r.randint(-300, 300), 10), Fraction(r.randint(0, 20), 20), Fraction(10) ** r.randint(-6, 6)
        y, z = r.choice((-1, 1)), z * (trial > 0)
        m = y * z
        with localcontext(decimals(80)):
            M, B, Q = (Decimal(x.numerator) / x.denominator for x in (m, b, q))
            entropy = sum((part * part.ln() for part in (B, 1 - B) if part), Decimal(0))
            t = true_root(M, B, Q)
            truth = {
                "value": (1 + (-M).exp()).ln(),
                "derivative": -y * both_tails(-M)[0],
                "conjugate": entropy,
                "residual": (1 + (-M).exp()).ln() + entropy + B * M,
                "dual_step": -y * both_tails(t)[0],
            }
        Z, A, Y = Interval(z), Interval(-y * b), Interval(y)
        got = {
            "value": loss.value(Z, Y),
            "derivative": loss.derivative(Z, Y),
            "conjugate": loss.conjugate(A, Y),
            "residual": loss.residual(Z, A, Y),
            "dual_step": loss.dual_step(Z, A, Y, Interval(q)),
        }
        for name, enclosure in got.items():
            slack = Fraction(1, 10**40) * (1 + abs(Fraction(truth[name])))  # the error of the truth itself
            assert Fraction(enclosure.low) - slack <= Fraction(truth[name]) <= Fraction(enclosure.high) + slack, (
                name,
                z,
                b,
                q,
                y,
            )
            assert enclosure.width() <= Decimal("1e-14") * (1 + abs(M)), (name, z, b, q, y, enclosure)


def test_fractions_say_what_to_use_instead() -> None:
    loss = Logistic()
    for call in (
        lambda: loss.value(Fraction(0), Fraction(1)),
        lambda: loss.derivative(Fraction(0), Fraction(1)),
        lambda: loss.dual_step(Fraction(0), Fraction(-1, 2), Fraction(1), Fraction(1)),
    ):
        refuses(TypeError, "not rational; build the problem with number=Interval .* or number=float", call)


@pytest.mark.parametrize("t", [-(10**40), -(10**18), -50, 0, 1, 100, 10**18, 10**18 + 1, 10**25, 10**300])
def test_softplus_of_intervals_encloses_the_truth_for_every_argument(t: int) -> None:
    """max(t, 0) + log1p(e^-|t|): beyond |t| = 1000 the second term is less than 10^-400."""
    found = arithmetic.softplus(Interval(t))
    with localcontext(decimals(80)):
        tail = (1 + Decimal(-abs(t)).exp()).ln() if abs(t) <= 1000 else Decimal("1e-400")
        low, high = (
            max(t, 0) + tail * factor for factor in (Decimal(1) - Decimal("1e-60"), Decimal(1) + Decimal("1e-60"))
        )
        low = low if abs(t) <= 1000 else Decimal(max(t, 0))
    assert found.low <= high
    assert low <= found.high
    assert found.width() <= 3 * abs(found.high) * Decimal("1e-19") + Decimal("1e-400")
