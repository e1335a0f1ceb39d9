"""Public strategies draw what they say: hard cases, shapes and sizes, neighbours of a known instance."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import refuses

from dualgap.proofs_checks import Instance, Q, Qs, SystemInstance, by_pieces, instances, near, numbers, systems
from dualgap.proofs_checks.claims.instance import INSTANCES, Given, read_instance, register_instance
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
    assert type(data.draw(public.states(solver, problem, 6))) is type(state) and len(sequence) <= 6


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


FREE = ("free", "unit", "equal")
KNOWN = SystemInstance(rows=(Qs(1, 2), Qs(3, 5)), b=Qs(3, 8), start=Qs(0, 7), method="kaczmarz")


@pytest.mark.parametrize(
    ("strategy", "shapes"),
    [
        (systems(method="kaczmarz", min_n=3, kinds=FREE), {(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3)}),
        (systems(method="kaczmarz", min_d=2, kinds=FREE), {(2, 2), (3, 2), (3, 3), (4, 2), (4, 3)}),
        (systems(method="kaczmarz", square=True), {(1, 1), (2, 2), (3, 3)}),
        (systems(method="kaczmarz", square=True, min_n=3), {(3, 3)}),
        (systems(method="kaczmarz", max_n=2, min_n=2, max_d=2, min_d=2), {(2, 2)}),
        (instances(method="sdca", min_n=3, max_n=3, min_d=2, max_d=2, kinds=("free",)), {(3, 2)}),
    ],
)
def test_exactly_these_shapes_are_drawn(strategy, shapes):
    assert {(len(made.rows), len(made.rows[0])) for made in draw_instances(strategy, 300, 1)} == shapes


def test_coordinates_are_those_that_are_given():
    drawn = draw_instances(systems(method="kaczmarz", kinds=("free",), coordinates=Qs(2, 3)), 100, 1)
    spoilt = {Q(0), *(x * y for x in Qs(2, 3) for y in Qs(1, 100, "1/1000000"))}
    assert {x for made in drawn for row in made.rows for x in row} <= spoilt
    assert {x for made in drawn for x in made.start} == {Q(2), Q(3)}


def test_neighbours_differ_in_a_few_numbers_of_the_fields():
    drawn = draw_instances(near(KNOWN, fields=("rows",), changes=2), 300, 1)
    away = [sum(a != b for one, other in zip(made.rows, KNOWN.rows) for a, b in zip(one, other)) for made in drawn]
    assert set(away) == {0, 1, 2} and all(made.but(rows=KNOWN.rows) == KNOWN for made in drawn)
    rows = {row for made in drawn for row in made.rows}
    assert {Qs(0, 2), Qs(2, 2), Qs(-1, 2), Qs(100, 2), Qs("9/10", 2)} <= rows
    known = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))
    assert {made.lam for made in draw_instances(near(known, fields=("lam",), changes=1), 300, 1)} > {Q(1, 2), Q(1)}


def test_fields_that_no_instance_has_are_refused():
    refuses(ValueError, "none of them", lambda: draw_instances(near(KNOWN, fields=("pieces",)), 1, 1))


@dataclass(frozen=True)
class Pieces(Given):
    name: ClassVar[str] = "test-pieces"
    pieces: tuple[object, ...]
    title: str = ""
    size: Q = Q(1)
    method: str = "sdca"


def test_own_fields_survive_a_file():
    if "test-pieces" not in INSTANCES:
        register_instance(Pieces)
    made = Pieces(pieces=(Qs(1, "1/2"), Qs(3)), title="a kink", size=Q(2, 3))
    assert read_instance(made.to_json()) == made
    refuses(ValueError, "size must not be list", lambda: read_instance({**made.to_json(), "size": ["1"]}))
    refuses(ValueError, "pieces must not be str", lambda: read_instance({**made.to_json(), "pieces": "1"}))


def test_numbers_are_drawn_from_lists_and_by_strategies_and_become_tuples():
    pair = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    for drawn in draw_instances(numbers(step=Qs("1/2", 1), rows=st.lists(pair, min_size=1, max_size=3)), 20, 1):
        assert drawn.extra.step in Qs("1/2", 1) and type(drawn.extra.rows) is type(drawn.extra.rows[0]) is tuple
        assert read_instance(drawn.to_json()) == drawn


@pytest.mark.parametrize("x", Qs(-3, -1, 0, "1/2", 2, 7))
def test_a_function_by_pieces_is_the_integral_of_its_derivative(x):
    """By Simpson's rule, which is exact between kinks."""
    kinks, slopes = Qs(-2, 0, 1), Qs(3, "1/2", 5, 0)
    ends = [Q(0), *sorted((kink for kink in kinks if 0 < kink / x < 1), key=abs), x] if x else [x, x]
    pairs = [(a, (a + b) / 2, b) for a, b in zip(ends, ends[1:])]
    area = [
        (c - a) / 6 * sum(w * by_pieces(t, kinks, slopes)[1] for w, t in zip((1, 4, 1), (a, b, c))) for a, b, c in pairs
    ]
    assert by_pieces(x, kinks, slopes)[0] == sum(area)
    assert by_pieces(x, (), Qs(2)) == (x * x, 2 * x)


@pytest.mark.parametrize(("kinks", "slopes"), [((1,), (1,)), ((2, 1), (1, 1, 1))])
def test_a_function_needs_rising_kinks_and_one_slope_more(kinks, slopes):
    with pytest.raises(ValueError, match="rising kinks and one slope more"):
        by_pieces(Q(1), kinks, slopes)
