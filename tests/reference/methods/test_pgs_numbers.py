"""PGS in floats: the residual, the lazy form beside the dense one, the ball, cancellation, and hard inputs."""

import math
import random
from fractions import Fraction as Q

import pytest
from support import refuses

from dualgap.reference import L2, Hinge, Logistic, Problem, Regularizer
from dualgap.reference.methods.lazy.pgs import LazyPGS
from dualgap.reference.methods.pgs import PGS
from dualgap.reference.problem.pnorm import PNorm

UNIT = 2.0**-53
PS = [1.001, 1.01, 1.05, 1.5, 1.8, 2.0]
FORMS = [PGS, LazyPGS]


def random_problem(r: random.Random, g: Regularizer, n: int = 5, d: int = 4) -> Problem:
    rows = [[r.choice([0, r.randint(-9, 9), Q(r.randint(-9, 9), 8)]) for _ in range(d)] for _ in range(n)]
    return Problem(rows, [r.choice([-1, 1]) for _ in range(n)], Logistic(), g)


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
        assert 0 <= residual
        assert (
            abs(residual - (g.value(w) + g.conjugate(v) - sum(cross))) <= 2 * UNIT * (4 / (p - 1) + 4 * d + 40) * size
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


def test_outside_the_ball_the_regularizer_is_infinite() -> None:
    problem = Problem([[1, 1]], [1], Hinge(), PNorm(1, 2, ball="5"), number=Q)
    assert problem.P([Q(3), Q(-4)]) == 2 + Q(25, 2)
    for w in ([Q(3), Q(-4001, 1000)], [Q(6), Q(0)]):
        refuses(ValueError, "outside the ball", problem.P, w)


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
    """|s - sum_j (acc_j/M) bent_j| <= 4 d 2^-53 s at every round, except for the two roundings of each term."""
    r, again = random.Random(8), 0
    for p in (1.05, 1.5, 1.8):
        problem = random_problem(r, PNorm(0.01, p), n=30, d=12)
        lazy = LazyPGS(output="last")
        state = lazy.init(problem)
        for _ in range(300):
            M, drift = state.M, state.drift
            lazy.advance(problem, state, (r.randrange(30),))
            again += (state.M, state.drift) != (M, drift) and state.drift == 11 * state.s
            true = sum((Q(a) / Q(state.M) * Q(b) for a, b in zip(state.acc, state.bent)), Q(0))
            assert abs(Q(state.s) - true) <= (4 * 12 + 2) * Q(UNIT) * true
            assert state.drift <= 4 * 12 * state.s
    assert again > 3, "the safeguard was not needed"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("g", [L2(1), PNorm(1, 1.001), PNorm(1, 1.5, 1e-3), PNorm(1, 2, 1e200)], ids=repr)
def test_zero_rows_one_column_and_no_rounds_are_ordinary(g: Regularizer, form: type[PGS] | type[LazyPGS]) -> None:
    for output in ("last", "average", "random"):
        pgs = form(output=output)
        zero = Problem([[0.0, 0.0], [0.0, 0.0]], [1, -1], Logistic(), g)
        assert pgs.view(zero, pgs.init(zero)) == ([0.0, 0.0], [-0.5, 0.5])
        choice = (1, 0) if output == "random" else (0,)
        assert pgs.view(zero, pgs.run(zero, [choice] * 5)) == ([0.0, 0.0], [-0.5, 0.5])
        one = Problem([[2.0]], [1], Hinge(), g)
        w, alpha = pgs.view(one, pgs.run(one, [(int(t == 0), 0) if output == "random" else (0,) for t in range(5)]))
        assert math.isfinite(w[0]) and one.gap(w, alpha) >= 0
