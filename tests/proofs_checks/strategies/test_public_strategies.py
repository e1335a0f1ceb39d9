"""The public strategies draw what they say, the hard cases among it."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.strategies import public
from dualgap.reference import LOSSES, as_compiled, method

EXAMPLES = settings(max_examples=60, deadline=None)


@EXAMPLES
@given(public.problems())
def test_problems_are_floats_of_every_loss_with_a_nonnegative_gap(problem):
    alpha = [problem.zero] * problem.n
    assert problem.number is float and problem.gap(problem.w(alpha), alpha) >= 0
    assert [(array.dtype, array.shape) for array in (problem.X, problem.labels)] == [
        ("float64", (problem.n, problem.d)),
        ("float64", (problem.n,)),
    ]


@EXAMPLES
@given(public.exact_problems())
def test_exact_problems_are_fractions(problem):
    assert problem.number is Fraction and all(isinstance(x, Fraction) for row in problem.X for x in row)


@EXAMPLES
@given(st.data(), public.exact_problems())
def test_exact_problems_have_weak_duality_at_drawn_dual_points(data, problem):
    alpha = data.draw(public.dual_points(problem))
    assert all(problem.loss.in_domain(a, y) and isinstance(a, Fraction) for a, y in zip(alpha, problem.y))
    assert problem.P(problem.w(alpha)) >= problem.D(alpha)


@EXAMPLES
@given(st.data(), public.exact_problems(["squared", "smoothed-hinge"], l1=False))
@pytest.mark.parametrize("name", ["aspdc", "sdca", "sdca-random"])
def test_drawn_states_are_those_of_drawn_choices(name, data, problem):
    solver = method(name)
    sequence = data.draw(public.choice_sequences(solver, problem, 6))
    state = solver.run(problem, sequence)
    again = data.draw(public.states(solver, problem, 6))
    assert type(again) is type(state) and len(sequence) <= 6


def test_zero_rows_equal_rows_one_row_and_every_loss_are_drawn():
    found = draw_instances(public.problems(), 400, 1)
    kinds = {problem.loss.name for problem in found}
    rows = [tuple(tuple(row) for row in problem.rows) for problem in found]
    assert kinds == set(LOSSES) and {problem.n for problem in found} >= {1, 2, 3, 4}
    assert any(any(all(x == 0 for _, x in row) for row in one) for one in rows)
    assert any(len(set(one)) < len(one) for one in rows)
    assert {problem.regularizer.l1 > 0 for problem in found} == {True, False}


@EXAMPLES
@given(public.losses(["squared", "logistic"]), public.regularizers(l1=False))
def test_losses_and_regularizers_can_be_restricted(loss, regularizer):
    assert loss.name in ("squared", "logistic") and regularizer.l1 == 0 and regularizer.lam > 0


@pytest.mark.parametrize("name", ["sdca-random", "svrg", "spdc-minibatch"])
def test_no_run_makes_a_choice_of_probability_0(name):
    for run in draw_instances(public.runs(name), 60, 3):
        method, problem = as_compiled(run.method, **run.options), run.problem(float)
        assert public.possible(method, problem, run.path) == run.path


def test_control_a_choice_of_probability_0_is_replaced():
    run = draw_instances(public.runs("sdca-random").filter(lambda run: run.options["T0"] > 0 and run.path), 1, 3)[0]
    problem = run.problem(float)
    assert public.possible(as_compiled(run.method, **run.options), problem, (problem.n,)) == (0,)
