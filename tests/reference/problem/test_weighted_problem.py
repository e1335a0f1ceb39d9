"""A weight is a number of equal rows: exactly, in rationals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.reference import L2, ElasticNet, Problem, Squared, WeightedProblem, method
from dualgap.reference.problem.losses import LOSSES, losses

RATIONAL = losses(rational=True)
SMALL = st.integers(-6, 6).map(lambda k: Fraction(k, 4))


@st.composite
def weighted(draw):
    """(weighted problem, the problem with its rows repeated, counts, alpha of the former)."""
    name, n = draw(st.sampled_from(RATIONAL)), draw(st.integers(1, 4))
    rows = [[draw(SMALL), draw(SMALL)] for _ in range(n)]
    counts = [draw(st.integers(1, 4)) for _ in range(n)]
    loss, regularizer = (
        LOSSES[name](),
        ElasticNet(draw(st.sampled_from([Fraction(1, 8), Fraction(2)])), draw(st.sampled_from([0, Fraction(1, 4)]))),
    )
    y = [draw(st.sampled_from([-1, 1])) if loss.margin else draw(SMALL) for _ in range(n)]
    share = [draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)])) for _ in range(n)]
    alpha = [-y_i * b if loss.margin else b for y_i, b in zip(y, share)]
    repeated = [(row, y_i) for row, y_i, count in zip(rows, y, counts) for _ in range(count)]
    return (
        WeightedProblem(rows, y, loss, regularizer, counts, number=Fraction),
        Problem([row for row, _ in repeated], [y_i for _, y_i in repeated], loss, regularizer, number=Fraction),
        counts,
        alpha,
    )


@given(weighted(), st.tuples(SMALL, SMALL))
def test_the_objectives_are_those_of_repeated_rows(drawn, w):
    one, other, counts, alpha = drawn
    repeated = [alpha_i for alpha_i, count in zip(alpha, counts) for _ in range(count)]
    assert one.P(list(w)) == other.P(list(w))
    assert one.D(alpha) == other.D(repeated)
    assert one.f(list(w), alpha) == other.f(list(w), repeated)
    assert one.w(alpha) == other.w(repeated)
    assert one.gap(list(w), alpha) == other.gap(list(w), repeated) == one.P(list(w)) - one.D(alpha)


@given(weighted(), st.data())
def test_with_l2_a_step_of_sdca_is_the_best_one_of_its_row(drawn, data):
    problem = drawn[0].with_regularizer(L2(1))
    i, nudge = data.draw(st.integers(0, problem.n - 1)), Fraction(data.draw(st.sampled_from([-1, 1])), 64)
    alpha = method("sdca").step(problem, method("sdca").init(problem, drawn[3]), i).alpha
    other = [alpha_k + nudge if k == i else alpha_k for k, alpha_k in enumerate(alpha)]
    if problem.loss.in_domain(other[i], problem.y[i]):
        assert problem.D(other) <= problem.D(alpha)


def test_only_ratios_matter_and_scaling_by_a_power_of_two_rounds_nothing():
    made = [
        WeightedProblem([[1.0], [2.0], [3.0]], [1, 2, 3], Squared(), L2(1), [w * unit for w in (0.1, 0.7, 3.0)])
        for unit in (1.0, 2.0**-300, 2.0**70)
    ]
    assert len({tuple(problem.weights) for problem in made}) == 1
    assert 1 <= made[0].mass / 3 < 2
    assert [weight / made[0].weights[0] for weight in made[0].weights] == [w / 0.1 for w in (0.1, 0.7, 3.0)]


@pytest.mark.parametrize(
    "weights, words",
    [
        ([1, 0], r"weights\[1\] must lie in 2\^-500..2\^500 \(got 0.*leave out"),
        ([1, -1], "must lie"),
        ([1, float("nan")], "finite"),
        ([1], "one entry"),
        ([1e200, 1], "must lie"),
    ],
)
@pytest.mark.parametrize("number", [float, Fraction])
def test_weights_that_make_no_sense_are_refused(weights, words, number):
    with pytest.raises(ValueError, match=words):
        WeightedProblem([[1.0], [2.0]], [1.0, 2.0], Squared(), L2(1), weights, number=number)


@pytest.mark.parametrize("unit", [1.0, 2.0**-400, 3.7])
def test_weights_in_an_array_are_those_of_a_list_and_stay_as_they_were_given(unit):
    given = np.array([0.3, 1.0, 2.5, 1e-3]) * unit
    X, y = np.eye(4), [1.0, -1.0, 1.0, 1.0]
    array, listed = (WeightedProblem(X, y, Squared(), L2(1), weights) for weights in (given, given.tolist()))
    before = list(array.weights)
    given *= 2.0
    assert array.weights == before == listed.weights and array.mass == listed.mass == math.fsum(before)
    assert array.norms2 == listed.norms2 and array.P([1.0] * 4) == listed.P([1.0] * 4)
    assert WeightedProblem(X, y, Squared(), L2(1), given + np.arange(4)).weights != before, "control"


@pytest.mark.parametrize(("weight", "said"), [(np.nan, "weights"), (0.0, r"weights\[2\] must lie in"), (-1.0, "leave")])
def test_an_array_with_a_weight_that_is_none_is_refused(weight, said):
    with pytest.raises(ValueError, match=said):
        WeightedProblem(np.eye(3), [1.0, 2.0, 3.0], Squared(), L2(1), np.array([1.0, 2.0, weight]))
