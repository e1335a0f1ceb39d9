"""The outer loops of ASPDC-i: Algorithm 2 keeps its bound on every path, Algorithm 3 says what is known of its m."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import L2, ElasticNet, Problem, Squared, method
from dualgap.reference.methods.aspdc_i import ASPDCi, failure_criterion

ROWS = [["3/5", "4/5"], [1, 0], [0, "1/2"]]


def three_rows(lam: Any = "8/15") -> Problem:
    """n = 3, R = 1; at lam = 8/15 kappa is 4/5 and q = lam/(lam + 2 kappa) = 1/4, the square of a rational."""
    return Problem(ROWS, [1, -1, 1], Squared(), L2(lam), number=Fraction)


class Recorded(ASPDCi):
    """Algorithm 2 that writes down, at every return of an inner call: steps, inner gap, tolerance, xi before
    and after.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.calls: list[tuple[int, Any, Any, Any]] = []

    def move_centre(self, problem: Problem, state: Any) -> None:
        inner = self.inner_problem(problem, state)
        gap = inner.gap(inner.w_of(state.v), state.alpha)
        self.calls.append((state.steps, gap, self.inner_tolerance(problem, state), state.xi))
        super().move_centre(problem, state)


def optimum(problem: Problem) -> Fraction:
    """P* for the squared loss in two dimensions: (X^T X/(n gamma) + lam I) w = X^T y/(n gamma), by Cramer's rule."""
    scale = problem.n * problem.gamma
    X = [[dict(row).get(j, Fraction(0)) for j in range(2)] for row in problem.rows]
    a, b, d = (
        sum(x[j] * x[k] for x in X) / scale + (problem.regularizer.lam if j == k else 0)
        for j, k in ((0, 0), (0, 1), (1, 1))
    )
    p, q = (sum(x[j] * y for x, y in zip(X, problem.y)) / scale for j in range(2))
    determinant = a * d - b * b
    value: Fraction = problem.P([(p * d - b * q) / determinant, (a * q - b * p) / determinant])
    return value


def test_algorithm_2_keeps_its_bound_and_its_tolerance_on_a_path() -> None:
    problem, steps, r = three_rows(lam="1/2"), Recorded(), random.Random(1)
    eta = steps.eta_of(problem)
    best, state = optimum(problem), steps.init(problem)
    xi_1 = state.xi
    assert xi_1 == (1 + 1 / eta) * problem.gap([Fraction(0)] * 2, [Fraction(0)] * 3)
    since_the_centre_moved = 0
    for _ in range(60):
        epoch, state = state.epoch, steps.step(problem, state, r.randrange(3))
        since_the_centre_moved = 1 if state.epoch > epoch else since_the_centre_moved + 1
        assert state.steps == since_the_centre_moved
        assert state.xi == xi_1 * (1 - eta / 2) ** (state.epoch - 1)
        assert 0 <= problem.P(state.w_tilde) - best <= state.xi, "Theorem 2"
        assert len(steps.calls) == state.epoch - 1
    assert len(steps.calls) > 5
    assert all(gap <= tolerance == eta * xi / (2 * (1 + 1 / eta)) for _, gap, tolerance, xi in steps.calls)
    assert all(count % 3 == 0 for count, *_ in steps.calls), "the test is made every n steps"
    assert any(count == 0 for count, *_ in steps.calls) and any(count > 0 for count, *_ in steps.calls)


def test_at_kappa_zero_aspdc_i_walks_the_path_of_aspdc() -> None:
    problem, sequence = three_rows(lam="4/3"), [0, 1, 2, 1, 1, 0, 2, 2, 0]
    plain = method("aspdc").run(problem, sequence)
    for name in ("aspdc-i", "aspdc-i-fixed", "aspdc-i-momentum"):
        for options in ({}, {"kappa": 0}):
            state = method(name, **options).run(problem, sequence)
            assert (state.v, state.alpha) == (plain.v, plain.alpha), name


def test_a_start_that_is_optimal_stays_and_ends() -> None:
    problem = Problem(ROWS, [0, 0, 0], Squared(), L2("1/3"), number=Fraction)
    for name in ("aspdc-i", "aspdc-i-fixed"):
        steps = method(name)
        state = steps.run(problem, [0, 1, 2] * 4)
        assert problem.gap(*steps.view(problem, state)) == 0 == state.xi


def test_the_centre_stops_at_epsilon() -> None:
    problem, steps = three_rows(lam="1/2"), method("aspdc-i", epsilon="1/10")
    state = steps.run(problem, [0, 1, 2] * 30)
    before = state.xi / (1 - steps.eta_of(problem) / 2)
    assert state.xi <= Fraction(1, 10) < before
    assert steps.run(problem, [0, 1, 2] * 5, state).epoch == state.epoch


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 1000)])
def test_the_printed_line_7_stops_at_S(number: Any, epsilon: Fraction) -> None:
    """eta = 3/13 here: S - 1 = ceil((2/eta) ln(xi_1/epsilon)) calls, two or more beyond xi_s <= epsilon."""
    problem = Problem(
        [[float(Fraction(x)) for x in row] for row in ROWS] if number is float else ROWS,
        [1, -1, 1],
        Squared(),
        L2("1/2"),
        number=number,
    )
    printed, ours = method("aspdc-i", epsilon=epsilon, stop="S"), method("aspdc-i", epsilon=epsilon)
    eta, xi_1 = float(printed.eta_of(problem)), float(printed.init(problem).xi)
    S = math.ceil(1 + 2 / eta * math.log(xi_1 / float(epsilon)))
    s = math.ceil(1 + math.log(xi_1 / float(epsilon)) / -math.log(1 - eta / 2))
    for steps, last in ((printed, S), (ours, s)):
        state = steps.run(problem, [0, 1, 2] * 60)
        assert state.epoch == last == steps.run(problem, [0, 1, 2] * 5, state).epoch
    assert S > s + 1


def test_line_7_at_its_ends() -> None:
    """epsilon >= xi_1: S = 1, no call; epsilon = 0: never."""
    problem = three_rows(lam="1/2")
    xi_1 = method("aspdc-i").init(problem).xi
    for stop in ("S", "xi"):
        assert method("aspdc-i", epsilon=xi_1, stop=stop).run(problem, [0, 1, 2] * 5).epoch == 1
        assert method("aspdc-i", stop=stop).run(problem, [0, 1, 2] * 5).epoch > 1
    with pytest.raises(ValueError, match="stop must be one of xi, S"):
        method("aspdc-i", stop="gap")


def test_the_root_reading_of_eta_is_another_method() -> None:
    problem = three_rows()
    assert method("aspdc-i").eta_of(problem) == Fraction(1, 4)
    assert method("aspdc-i", eta="root").eta_of(problem) == Fraction(1, 2)
    with pytest.raises(ValueError, match=r"sqrt\(1/7\) is not rational; choose lam and kappa"):
        method("aspdc-i", eta="root").init(three_rows(lam="1/3"))


def test_what_is_known_of_m_inner_steps() -> None:
    """3n/2 with L2 and 3n with l1 are proved; at K = 1/4 one step fails on orthonormal rows from n = 5 on (Pi < 0)."""

    def known(n: int, m: int | None, l1: int = 0, **options: Any) -> str:
        g = ElasticNet(Fraction(1, n), l1) if l1 else L2(Fraction(1, n))
        answer: str = method("aspdc-i-fixed", m=m, **options).guarantee(
            Problem([[1]] * n, [1] * n, Squared(), g, number=Fraction)
        )
        return answer

    assert [known(4, m) for m in (6, 5, None)] == ["proved", "unproved", "proved"]
    assert [known(3, m) for m in (5, 4)] == ["proved", "unproved"]
    assert [known(4, m, l1=1) for m in (12, 11, None)] == ["proved", "unproved", "unproved"]
    assert [known(n, 1) for n in (2, 4, 5, 6)] == [
        "unproved",
        "unproved",
        "known divergent family",
        "known divergent family",
    ]
    assert known(4, 8, kappa="3/4") == "proved" and known(4, 8, kappa="7/10") == "unproved"
    assert known(2, 1, kappa="1/2") == "known divergent family"  # K = 1/2
    assert known(1, 1) == "unproved"
    assert method("aspdc-i-momentum").guarantee(three_rows()) == "unproved"
    quarter = Fraction(1, 4)
    assert [failure_criterion(n, 1, quarter) for n in (4, 5, 6)] == [
        Fraction(25, 4096),
        Fraction(-7, 256),
        Fraction(-125, 3072),
    ]
    for n, m, K in ((7, 2, quarter), (9, 5, Fraction(1, 3)), (8, 6, Fraction(1, 2))):
        D, E = (1 - (1 + K) / n) ** m, (1 - (1 - K**2) / n) ** m
        assert failure_criterion(n, m, K) == 2 + K - (2 - K) * D - (2 + 5 * K) * E + (2 + 3 * K) * D * E


def test_momentum_moves_the_centre_by_beta() -> None:
    problem, steps = three_rows(), method("aspdc-i-momentum", m=2)  # q = 1/4, beta = 1/3
    one, two = (steps.run(problem, [0, 1, 2, 0][:k]) for k in (2, 4))
    expected = [w + (w - b) / 3 for w, b in zip(two.w_tilde, one.w_tilde)]
    assert steps.centre(problem, two) == expected
    assert two.v == problem.centred(Fraction(4, 5), expected).v(two.alpha)
