"""PGS in floats: grad g* and whole runs against 50 digits, the ball, cancellation, and hard inputs."""

import math
import random
from decimal import Decimal
from fractions import Fraction as Q
from functools import cache
from typing import Any, NamedTuple

import pytest
from support import digits, refuses

from dualgap.reference import L2, Hinge, Interval, Logistic, Problem
from dualgap.reference.methods.lazy.pgs import LazyPGS
from dualgap.reference.methods.pgs import PGS
from dualgap.reference.problem.pnorm import PNorm

UNIT = 2.0**-53
PS = [1.001, 1.01, 1.05, 1.5, 1.8, 2.0]
FORMS = [PGS, LazyPGS]


def random_problem(r: random.Random, g: Any, n: int = 5, d: int = 4) -> Problem:
    rows = [[r.choice([0, r.randint(-9, 9), Q(r.randint(-9, 9), 8)]) for _ in range(d)] for _ in range(n)]
    return Problem(rows, [r.choice([-1, 1]) for _ in range(n)], Logistic(), g)


# -- grad g* and the residual, against 50 digits -----------------------------------------------------------------------


def decimal_norm(w: list[Any], p: float) -> Decimal:
    return (
        sum((abs(Decimal(w_j)) ** Decimal(p) for w_j in w if w_j), Decimal(0)) ** (1 / Decimal(p))
        if any(w)
        else Decimal(0)
    )


def figure2(v: list[Any], lam: float, p: float, ball: float | None) -> list[Decimal]:
    """Figure 2 as it is written, its indices and its norm corrected, in decimals."""
    if not any(v):
        return [Decimal(0)] * len(v)
    v, p_, lam_ = [Decimal(v_j) / Decimal(lam) for v_j in v], Decimal(p), Decimal(lam)
    assert lam_ > 0
    q = p_ / (p_ - 1)
    total = sum((abs(v_j) ** q for v_j in v if v_j), Decimal(0))
    w = [(total ** (2 / q - 1) * abs(v_j) ** (q - 1)).copy_sign(v_j) / (q - 1) if v_j else Decimal(0) for v_j in v]
    length = decimal_norm(w, p)
    return [w_j * Decimal(ball) / length for w_j in w] if ball is not None and length > Decimal(ball) else w


def vectors(seed: int) -> list[list[float]]:
    r = random.Random(seed)
    spread = [
        [r.gauss(0, 1) * 10.0 ** r.uniform(-s, s) for _ in range(r.randint(1, 7))]
        for s in (0, 0.01, 1, 8, 100)
        for _ in range(6)
    ]
    return [*spread, [1.0, -1.0, 1.0], [0.0, 0.0], [0.0, -5e-324, 1.0], [3.0, 3.0 + 4 * UNIT, -3.0], [2.0**-1074] * 2]


@pytest.mark.parametrize("ball", [None, 1e-150, 0.7, 1e150])
@pytest.mark.parametrize("p", PS)
def test_the_gradient_of_the_conjugate_agrees_with_50_digits(p: float, ball: float | None) -> None:
    """||w - w'||_p <= 2^-53 (4/(p-1) + 4 d + 40) ||w'||_p, twice for the second order, and the smallest float per
    entry.

    With e = 1/(p-1): rounding v_j/M moves bent_j by e units, s^(1/p) (or s^((p-2)/p)) by no more than q/p = e. The
    rounding of the exponent e moves bent_j by |e ln u_j| units, whose p-norm, weighted by u_j^e, is below d/e; powers,
    the d additions, M/lam, p - 1 and the last products are what is left, once more for the distance of v_j/lam.
    """
    lam = 0.375
    g = PNorm(lam, p, ball).over(float)
    worst = Decimal(0)
    for v in vectors(1):
        with digits():
            expected, found = figure2(v, lam, p, ball), g.gradient_conjugate(v)
            assert all(math.isfinite(w_j) for w_j in found)
            bound = 2 * Decimal(UNIT) * Decimal(4 / (p - 1) + 4 * len(v) + 40) * decimal_norm(expected, p) + len(
                v
            ) * Decimal(2.0**-1073)
            error = decimal_norm([Decimal(a) - b for a, b in zip(found, expected)], p)
            assert error <= bound, (p, v, found, expected)
            worst = max(worst, error / bound)
            if any(v):
                wrong = figure2(v, lam, p + 1e-9 if p < 2 else p - 1e-9, ball)
                changed = decimal_norm([a - b for a, b in zip(wrong, expected)], p) > bound
                assert changed or len([v_j for v_j in v if v_j]) == 1 or ball is not None or max(map(abs, v)) < 1e-300
    assert worst > 0, "nothing was compared"


def test_the_naive_line_is_not_a_number_where_the_safe_form_is() -> None:
    g = PNorm(1, 1.001).over(float)
    q, v = 1.001 / 0.001, [0.3, 0.2, 0.1]
    with pytest.raises(ZeroDivisionError):
        _ = [sum(x**q for x in v) ** (2 / q - 1) * x ** (q - 1) for x in v]
    assert g.gradient_conjugate(v)[0] == pytest.approx(0.0003, rel=1e-9) and g.gradient_conjugate([0.0, 0.0]) == [
        0.0,
        0.0,
    ]
    assert PNorm(1, 1.001, ball=2).over(float).gradient_conjugate([1e308, 1e307]) == [2.0, 0.0]
    tiny = PNorm(2.0**-1000, 1.5, ball=3).over(float).gradient_conjugate([2.0**1000, 0.0])
    assert tiny == [3.0, 0.0], "M/lam beyond the range is harmless on a ball"
    for huge in ([1e308], [math.inf], [math.nan, 1.0]):
        with pytest.raises(OverflowError, match="beyond the range"):
            PNorm(1e-9, 1.5).over(float).gradient_conjugate(huge)


@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("ball", [None, 0.4])
def test_the_residual_is_nonnegative_and_equals_the_three_terms(p: float, ball: float | None) -> None:
    """Both sides in floats: (4/(p-1) + 4d + 40) units of the sizes that are added, twice, by the bound above."""
    g, r, seen = PNorm(0.7, p, ball).over(float), random.Random(2), 0.0
    for trial in range(200):
        d = r.randint(1, 6)
        v, other = [[r.gauss(0, 1) for _ in range(d)] for _ in range(2)]
        w = g.gradient_conjugate([a + (0, 1e-9, 1e-3, 1)[trial % 4] * b for a, b in zip(v, other)])
        cross = [a * b for a, b in zip(v, w)]
        size = g.value(w) + g.conjugate(v) + sum(map(abs, cross))
        residual = g.residual(w, v)
        assert (
            0 <= residual
            and abs(residual - (g.value(w) + g.conjugate(v) - sum(cross)))
            <= 2 * UNIT * (4 / (p - 1) + 4 * d + 40) * size
        )
        assert trial % 4 or residual <= (UNIT * (4 / (p - 1) + 4 * d + 40)) ** 2 * size / (p - 1) or ball, (
            "no cancellation at grad g*"
        )
        seen = max(seen, residual / size)
    assert seen > 1e-3


def test_the_residual_is_exact_in_fractions() -> None:
    r = random.Random(3)
    for ball in (None, 5):
        g = PNorm("2/3", 2, ball).over(Q)
        for _ in range(50):
            v, w = [Q(r.choice([-8, -4, 0, 4, 8]) * s) for s in (3, 4)], [Q(r.randint(-3, 3)) for _ in range(2)]
            v[1] = v[0] / 3 * 4
            assert g.residual(w, v) == g.value(w) + g.conjugate(v) - v[0] * w[0] - v[1] * w[1] >= 0
            assert g.residual(g.gradient_conjugate(v), v) == 0


# -- the ball ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_iterates_stay_in_the_ball(form: Any) -> None:
    """||w_t||_p <= B (1 + 8 d 2^-53), the norm taken in 50 digits; Figure 2's clip by ||.||_q fails this."""
    r, on_sphere = random.Random(4), 0
    for p in PS:
        for ball, d in [(1e-100, 2), (0.3, 1), (0.3, 2), (0.3, 9), (1e3, 9)]:
            problem = random_problem(r, PNorm(r.choice([1e-6, 0.01, 1.0]) / ball, p, ball), d=d)
            pgs = form(output="last")
            state = pgs.init(problem)
            for _ in range(15):
                pgs.advance(problem, state, (r.randrange(5),))
                with digits():
                    length = decimal_norm(pgs.view(problem, state)[0], p)
                    assert length <= Decimal(ball) * (1 + 8 * d * Decimal(UNIT))
                    on_sphere += length >= Decimal(ball) * (1 - 8 * d * Decimal(UNIT))
    assert on_sphere > 100
    g = PNorm(1, 1.5, 1).over(float)
    free = PNorm(1, 1.5).over(float).gradient_conjugate([4.0, 4.0])
    printed = [w_j / PNorm(1, 1.5).over(float).dual_norm(free) for w_j in free]
    assert (
        not g.inside(printed)
        and abs(g.norm(printed) - 2 ** (1 / 3)) < 1e-15
        and g.inside(g.gradient_conjugate([4.0, 4.0]))
    )


def test_outside_the_ball_the_regularizer_is_infinite() -> None:
    problem = Problem([[1, 1]], [1], Hinge(), PNorm(1, 2, ball="5"), number=Q)
    assert problem.P([Q(3), Q(-4)]) == 2 + Q(25, 2)
    for w in ([Q(3), Q(-4001, 1000)], [Q(6), Q(0)]):
        refuses(ValueError, "outside the ball", problem.P, w)


# -- whole runs --------------------------------------------------------------------------------------------------------


class Recorded(NamedTuple):
    """A run in 50 digits: the problem, the rows drawn, the last w and the average, each with its error bound for
    floats.
    """

    problem: Problem
    order: list[int]
    last: list[Decimal]
    average: list[Decimal]
    last_bound: float
    average_bound: float


@cache
def recorded(p: float, ball: float | None, T: int) -> Recorded:
    """T rounds of Figure 1 in 50 digits.

    Bound. E bounds the error of acc in ||.||_q. grad g* is 1/(lam (t+1))-Lipschitz from ||.||_q to ||.||_p, g being
    strongly convex, so ||dw|| <= E/(lam (t+1)) + rounding ||w||, with the rounding of one evaluation (above; 6d for the
    lazy s). With 1/gamma-Lipschitz derivatives |d slope| <= ||x||_q (||dw|| + (d+1) 2^-53 ||w||)/gamma + 8 2^-53, and E
    grows by ||x||_q |d slope| and the roundings of acc. An average adds T roundings (65 times that: the lazy form).
    The second order is covered by a factor 2.
    """
    r, d, lam = random.Random(7), 4, 0.25
    rows = [[r.uniform(-0.6, 0.6) for _ in range(d)] for _ in range(6)]
    labels, order = [1, -1, 1, 1, -1, 1], [r.randrange(6) for _ in range(T)]
    problem = Problem(rows, labels, Logistic(), PNorm(lam, p, ball))
    g: Any = problem.regularizer
    rounding, E, average_error = UNIT * (8 / (p - 1) + 10 * d + 40), 0.0, 0.0
    with digits():
        acc, w, total = [Decimal(0)] * d, [Decimal(0)] * d, [Decimal(0)] * d
        for t, i in enumerate(order, start=1):
            x, y = [Decimal(x_j) for x_j in rows[i]], labels[i]
            slope = -y / (1 + (y * sum(a * b for a, b in zip(x, w))).exp())
            size, length = g.dual_norm(rows[i]), float(decimal_norm(w, p))
            error = E / (lam * t) + rounding * length
            average_error += (error + 66 * UNIT * t * length) / T
            total = [a + b for a, b in zip(total, w)]
            acc = [a - slope * b for a, b in zip(acc, x)]
            E += size * (size * (error + (d + 1) * UNIT * length) / 4 + 10 * UNIT) + UNIT * g.dual_norm(
                [float(a) for a in acc]
            )
            w = figure2([a / (t + 1) for a in acc], lam, p, ball)
        last_error = E / (lam * (T + 1)) + rounding * float(decimal_norm(w, p))
        return Recorded(problem, order, w, [a / T for a in total], 2 * last_error, 2 * average_error)


def error_and_bound(form: Any, output: str, p: float, ball: float | None, T: int) -> tuple[float, float]:
    """How far a float run is from the recorded one, in ||.||_p, and how far it may be."""
    exact, pgs = recorded(p, ball, T), form(output=output)
    found = pgs.view(exact.problem, pgs.run(exact.problem, [(i,) for i in exact.order]))[0]
    expected, bound = (exact.last, exact.last_bound) if output == "last" else (exact.average, exact.average_bound)
    with digits():
        return float(decimal_norm([Decimal(a) - b for a, b in zip(found, expected)], p)), bound


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("ball", [None, 0.01])
def test_200_rounds_agree_with_50_digits(p: float, ball: float | None, form: Any) -> None:
    for output in ("last", "average"):
        error, bound = error_and_bound(form, output, p, ball, 200)
        assert error <= bound < 1e-7, output


def test_a_wrong_divisor_does_not_agree_with_50_digits() -> None:
    class Late(LazyPGS):
        def rescale(self, problem: Problem, state: Any) -> None:
            state.t += 1
            super().rescale(problem, state)
            state.t -= 1

    for output in ("last", "average"):
        error, bound = error_and_bound(Late, output, 1.5, None, 200)
        assert error > 1e6 * bound


# -- cancellation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ball", [None, 1e-6])
@pytest.mark.parametrize("p", [1.001, 1.02, 1.2, 2.0])
def test_the_lazy_average_survives_jumps_and_growth(p: float, ball: float | None) -> None:
    """Powers that overflow within a round, rows that wait while the scale changes, a coefficient that falls by 2^90.

    lam is so large that every slope is -y: acc is the same in both forms. An evaluation rounds as above; the sum of T
    iterates of length W rounds by 2^-53 T W a term, the pending terms of the lazy form by 65 times that.
    """
    d, T = 120, 60
    unit = [[float(i == j) for j in range(d)] for i in range(4)]
    problem = Problem(
        [unit[0], [5 * x for x in unit[0]], unit[1], unit[3]], [1, 1, 1, -1], Hinge(), PNorm(1e3, p, ball)
    )
    order = [(0, 1) if t in (1, 50) else (2, 2) if t == 2 else (0, 3) if t % 3 else (2, 0) for t in range(T)]
    g, states = problem.regularizer, {form: form(k=2).run(problem, order) for form in FORMS}
    dense, lazy = (form(k=2).view(problem, states[form])[0] for form in FORMS)
    assert states[PGS].acc == states[LazyPGS].acc, "some slope differs"
    longest = max(g.norm(PGS(k=2, output="last").run(problem, order[:t]).w) for t in range(T + 1))
    error = g.norm([a - b for a, b in zip(dense, lazy)])
    assert error <= 2 * UNIT * (66 * T + 8 / (p - 1) + 10 * d + 40) * longest and g.norm(dense) > 0.01 * longest


def test_the_error_of_the_running_sum_is_what_the_safeguard_allows() -> None:
    """|s - sum_j (acc_j/M) bent_j| <= 4 d 2^-53 s at every round, but for the two roundings of each term."""
    r, anew = random.Random(8), 0
    for p in (1.05, 1.5, 1.8):
        problem = random_problem(r, PNorm(0.01, p), n=30, d=12)
        lazy = LazyPGS(output="last")
        state = lazy.init(problem)
        for _ in range(300):
            M, drift = state.M, state.drift
            lazy.advance(problem, state, (r.randrange(30),))
            anew += (state.M, state.drift) != (M, drift) and state.drift == 11 * state.s
            true = sum((Q(a) / Q(state.M) * Q(b) for a, b in zip(state.acc, state.bent)), Q(0))
            assert abs(Q(state.s) - true) <= (4 * 12 + 2) * Q(UNIT) * true
    assert anew > 3, "the safeguard was not needed"


class Anxious(LazyPGS):
    """Sums s anew after every change."""

    def safeguard(self, problem: Problem, state: Any) -> None:
        state.drift = math.inf
        super().safeguard(problem, state)


def test_the_running_sum_is_rarely_summed_anew() -> None:
    """While s grows drift <= (d-1) s + 2 s a change: between two sums lie (3/2) d changes at least."""
    d, T, counts = 40, 600, []
    problem = Problem([[float(i == j) for j in range(d)] for i in range(d)], [1] * d, Hinge(), PNorm(1e3, 1.8))
    for form in (LazyPGS, Anxious):
        pgs, sums = form(output="last"), 0
        state = pgs.init(problem)
        for t in range(T):
            drift = state.drift
            pgs.advance(problem, state, (t % d,))
            sums += state.drift < drift or state.drift == (d - 1) * state.s
        assert state.acc == [T / d] * d, "some slope is not -1"
        counts.append(sums)
    assert 0 < counts[0] * 3 * d / 2 <= T < counts[1] * 3 * d / 2


# -- hard inputs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("g", [L2(1), PNorm(1, 1.001), PNorm(1, 1.5, 1e-3), PNorm(1, 2, 1e200)], ids=repr)
def test_zero_rows_one_column_and_no_rounds_are_ordinary(g: Any, form: Any) -> None:
    for output in ("last", "average", "random"):
        pgs = form(output=output)
        zero = Problem([[0.0, 0.0], [0.0, 0.0]], [1, -1], Logistic(), g)
        assert pgs.view(zero, pgs.init(zero)) == ([0.0, 0.0], [-0.5, 0.5])
        choice = (1, 0) if output == "random" else (0,)
        assert pgs.view(zero, pgs.run(zero, [choice] * 5)) == ([0.0, 0.0], [-0.5, 0.5])
        one = Problem([[2.0]], [1], Hinge(), g)
        w, alpha = pgs.view(one, pgs.run(one, [(int(t == 0), 0) if output == "random" else (0,) for t in range(5)]))
        assert math.isfinite(w[0]) and one.gap(w, alpha) >= 0


def test_the_gap_falls() -> None:
    r = random.Random(9)
    problem, pgs, gaps = random_problem(r, PNorm(1.0, 1.5, 2)), PGS(), []
    for T in (10, 1000):
        gaps.append(problem.gap(*pgs.view(problem, pgs.run(problem, [(r.randrange(5),) for _ in range(T)]))))
    assert 0 < gaps[1] < gaps[0] / 5


def test_intervals_run_where_there_are_no_powers() -> None:
    """p = 2. Four rounds of some ten roundings of numbers below 4, their errors at most doubled by a round: below
    1e-13.
    """
    rows, labels, order = [[1, 0], [1, 1], [-1, 2]], [1, -1, 1], [(0,), (1,), (2,), (0,)]
    for g in (L2("1/2"), PNorm("1/2", 2)):
        exact, floats = (Problem(rows, labels, Logistic(), g, number=number) for number in (Interval, float))
        for form in FORMS:
            for a, b in zip(form().run(exact, order).acc, form().run(floats, order).acc):
                assert abs(Q(b) - a.midpoint()) < 1e-13 and a.width() < 1e-15
    refuses(ValueError, "p must be 2", lambda: Problem(rows, labels, Logistic(), PNorm(1, "3/2"), number=Interval))
