"""Proofs in the numbers a + b sqrt(d): arithmetic, recognition, scripts with one root or several, and the checker."""

import copy
import json
import math
import operator
import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from toys.potential import POTENTIAL

from dualgap.extras.exact import check_proof
from dualgap.extras.exact.roots import Root, near, number_of, square_root

pytest.importorskip("PEPit")
pytest.importorskip("clarabel")

from dualgap.extras.exact.prove import prove, rounded_up  # noqa: E402
from dualgap.extras.exact.record import differences, record_of  # noqa: E402
from dualgap.extras.exact.scripts import exact_imports, run  # noqa: E402

with exact_imports():
    import PEPit  # noqa: E402

RATIONALS = st.fractions(max_denominator=1000, min_value=-1000, max_value=1000)
NUMBERS = st.tuples(RATIONALS, RATIONALS).map(lambda pair: Root(*pair, 7))
TINY = Fraction(1, 10**60)  # two different numbers of ``NUMBERS`` differ by more: their norm is at least 10^-12


def approximation(x):
    """x up to 10^-90 or so."""
    digits = 10**100
    return x.a + x.b * Fraction(math.isqrt(x.d * digits**2), digits) if isinstance(x, Root) else Fraction(x)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
@given(x=NUMBERS | RATIONALS, y=NUMBERS | RATIONALS)
def test_operations_are_those_of_real_numbers(name, x, y):
    assume(name != "truediv" or y != 0)
    operation = getattr(operator, name)
    result, expected = operation(x, y), operation(approximation(x), approximation(y))
    assert abs(approximation(result) - expected) < TINY
    assert number_of(str(result), 7) == result == pickle.loads(pickle.dumps(result))
    assert float(result) == pytest.approx(float(expected), rel=1e-14, abs=1e-300)


@given(x=NUMBERS | RATIONALS, y=NUMBERS | RATIONALS)
def test_comparisons_are_those_of_real_numbers(x, y):
    difference = approximation(x) - approximation(y)
    assert [x < y, x == y, x > y, x <= y, x >= y, abs(x) < abs(y)] == [
        difference < -TINY,
        abs(difference) <= TINY,
        difference > TINY,
        difference <= TINY,
        difference >= -TINY,
        abs(approximation(x)) < abs(approximation(y)) - TINY,
    ]
    assert x <= rounded_up(x) <= x + abs(x) / 10**11 + Fraction(1, 10**12)


def test_roots_of_one_field_have_one_d():
    two, eight = square_root(Fraction(2)), square_root(Fraction(8))
    assert (eight.d, eight * two, eight / two) == (2, 4, 2)
    assert square_root(3 + 2 * two) == 1 + two and square_root(1 + two) is None
    assert square_root(Fraction(9, 4)) == Fraction(3, 2)


@given(
    a=st.fractions(-9, 9, max_denominator=30),
    b=st.fractions(-9, 9, max_denominator=30),
    d=st.sampled_from([2, 10, 401]),
)
def test_a_small_number_is_recognised_from_a_float(a, b, d):
    assume(b)
    assert near(float(Root(a, b, d)), d) == Root(a, b, d)


def test_roots_of_small_quadratic_equations_are_recognised_and_other_numbers_are_not():
    assert near((2 + math.sqrt(3)) / 4, 0) == Root(Fraction(1, 2), Fraction(1, 4), 3)
    assert near(math.pi, 2) is None and near(math.pi, 0) is None and near(2 ** (1 / 3), 0) is None


@pytest.mark.parametrize("gap", [0, Fraction(1, 10**30)])
def test_a_form_of_one_null_vector_is_semidefinite_until_it_is_smaller(gap):
    r = Root(Fraction(0), Fraction(1), 3)
    assert check_proof.semidefinite([[Fraction(1), r], [r, 3 - gap]]) == (gap == 0)
    assert check_proof.semidefinite([[r, Fraction(3)], [Fraction(3), 3 * r - gap]]) == (gap == 0)


@given(st.lists(st.tuples(*[NUMBERS | RATIONALS] * 4), min_size=1, max_size=3))
def test_sums_of_squares_are_semidefinite_until_the_diagonal_is_smaller(vectors):
    """There are fewer vectors than rows, so the sum of v v^T is singular."""
    places = range(4)
    A = [[sum((v[i] * v[j] for v in vectors), Fraction(0)) for j in places] for i in places]
    assert check_proof.semidefinite(A)
    assert not check_proof.semidefinite([[A[i][j] - (i == j) * TINY for j in places] for i in places])
    r = Root(Fraction(0), Fraction(1), 3)
    assert check_proof.semidefinite([[(i == j) * r + Fraction(0) for j in places] for i in places])


# -- scripts ----------------------------------------------------------------------------------------------------------

SUBGRADIENT = """
from math import sqrt
from PEPit import PEP
from PEPit.functions import ConvexLipschitzFunction

problem = PEP()
f = problem.declare_function(ConvexLipschitzFunction, M=1)
xs = f.stationary_point()
x = problem.set_initial_point()
problem.set_initial_condition((x - xs) ** 2 <= {radius})
unused = sqrt(7)
for step in {steps}:
    g, v = f.oracle(x)
    problem.set_performance_metric(v - f(xs))
    x = x - step * g
problem.set_performance_metric(f(x) - f(xs))
problem.solve(verbose=0)
"""


def solved(folder: Path, text: str, **changes: object):
    for name, value in changes.items():
        text = text.replace("{" + name + "}", str(value))
    (folder / "script.py").write_text(text)
    return run(folder / "script.py", solve=False)[-1]


@pytest.fixture(scope="module")
def proved(tmp_path_factory):
    """A record of one subgradient step of length 1/sqrt(2), whose rate is 1/sqrt(2), and its facts."""
    one = solved(tmp_path_factory.mktemp("roots"), SUBGRADIENT, radius=1, steps="[1 / sqrt(2)]")
    proof = prove(one.facts, lower=True)
    assert one.facts.notes == [] == one.wrong and proof.how == "exact optimum"
    assert proof.tau == proof.lower == Root(Fraction(0), Fraction(1, 2), 2)
    return json.loads(json.dumps(record_of(proof, one.statement))), one.facts


def test_a_potential_with_a_root_is_exactly_0_and_a_larger_weight_is_refuted(tmp_path):
    proof = prove(solved(tmp_path, POTENTIAL, lam=10, delta=0).facts)
    assert proof.tau == 0 and proof.facts.root == 401
    assert check_proof.check(json.loads(json.dumps(record_of(proof))))[1] == []
    false = prove(solved(tmp_path, POTENTIAL, lam=10, delta="1e-3").facts)
    assert false.tau is None and false.ray
    assert check_proof.check(json.loads(json.dumps(record_of(false)))) == ("the metric has no bound", [])


def test_rational_facts_may_have_a_rate_with_a_root(tmp_path):
    one = solved(tmp_path, SUBGRADIENT, radius=2, steps="[]")
    assert one.facts.root is None and prove(one.facts).tau == Root(Fraction(0), Fraction(1), 2)


@pytest.mark.parametrize(
    ("example", "root", "rate"),
    [
        ("unconstrained_convex_minimization/robust_momentum", 10, "2561/2500+-98/625*r"),  # (49/50 - 2/25 r)^2
        ("unconstrained_convex_minimization/gradient_descent_silver_stepsize_convex", 2, "-65/31+50/31*r"),
        ("unconstrained_convex_minimization/heavy_ball_momentum", 190, "130511/160000+-361/80000*r"),
        ("online_learning/online_follow_leader", 3, "1/2+1/4*r"),
    ],
)
def test_examples_of_pepit_have_these_rates(example, root, rate):
    proof = prove(run(Path(PEPit.__file__).parent / f"examples/{example}.py", solve=False)[-1].facts)
    assert (proof.how, proof.facts.root, str(proof.tau)) == ("exact optimum", root, rate)
    assert check_proof.check(json.loads(json.dumps(record_of(proof))))[1] == []


def test_several_roots_are_rounded_with_a_note(tmp_path):
    one = solved(tmp_path, SUBGRADIENT, radius=1, steps="[1 / sqrt(3), 1 / sqrt(5)]")
    assert one.facts.root is None
    assert [note[:7] for note in one.facts.notes] == ["sqrt(3)", "sqrt(5)", "sqrt(7)"]
    assert solved(tmp_path, SUBGRADIENT, radius=1, steps="[1 / sqrt(8), sqrt(2) / 3]").facts.root == 2


# -- the checker ------------------------------------------------------------------------------------------------------


def changed_number(row, number):
    row[2] = str(number_of(row[2], 2) + number)


def change_root(record):
    record["root"] = "3"


def no_root(record):
    del record["root"]


def rational_root(record):
    record["root"] = "4"


def negative_root(record):
    record["root"] = "-2"


def change_b(record):
    row = next(row for row in record["inequalities"] if "r" in row[2])
    changed_number(row, Root(Fraction(0), Fraction(1, 10**20), 2))


def lower_tau(record):
    record["tau"] = str(number_of(record["tau"], 2) - Root(Fraction(0), Fraction(1, 10**20), 2))


def exchange_the_sign_of_the_root(record):
    """The other root of the same equation satisfies all equations, and not the signs."""
    text = json.dumps(record)
    record.update(json.loads(text.replace("+-", "+~").replace("+", "+-").replace("+-~", "+")))


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (change_root, "the Gram matrix"),  # half the root is then another step, for which the bound is true
        (no_root, "NoneType"),
        (rational_root, "the root is rational"),
        (negative_root, "nonnegative"),
        (change_b, "1 does not cancel"),
        (lower_tau, "1 does not cancel"),
        (exchange_the_sign_of_the_root, "negative or not semidefinite"),
    ],
)
def test_the_checker_refuses_a_changed_file(proved, plant, words):
    record, facts = copy.deepcopy(proved[0]), proved[1]
    assert check_proof.check(record)[1] == [] == differences(record, facts)
    plant(record)
    try:
        refused = check_proof.check(record)[1]
    except (TypeError, ValueError) as error:
        refused = [str(error)]
    assert any(words in reason for reason in refused), refused
    assert plant in (change_b, lower_tau) or differences(record, facts)
