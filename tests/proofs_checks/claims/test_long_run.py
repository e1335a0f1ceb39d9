"""Relations about the long run, and the exact mathematics behind them, against examples that are solved by hand."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from support import refuses

from dualgap.proofs_checks import (
    Context,
    Q,
    Qs,
    SystemInstance,
    characteristic,
    contracts,
    converges,
    cycle,
    determinant,
    diverges,
    radius_beside,
    rank,
    settles,
    trace,
)
from dualgap.proofs_checks.engines.spectra import estimate
from dualgap.reference import Deterministic, Method, State, register_method


class X(State):
    __slots__ = ("x", "count")


class Times(Deterministic):
    """x <- M x + r, M in the rows, r in b; count is a number of no list."""

    name, counts = "test-times", 0

    def init(self, problem, x=None):
        return X(x=list(x), count=0)

    def advance(self, problem, state, choice):
        state.x = [problem.dot(row, state.x) + b for row, b in zip(problem.rows, problem.y)]
        state.count += self.counts

    def view(self, problem, state):
        return list(state.x), None


class Halved(Times, Method):
    """M x or x/2, with the same probability."""

    name = "test-halved"

    def choices(self, problem, state):
        return [(0, Fraction(1, 2)), (1, Fraction(1, 2))]

    def advance(self, problem, state, choice):
        super().advance(problem, state, choice) if choice == 0 else setattr(state, "x", [x / 2 for x in state.x])


class Folded(Times):
    """One number: f(x) = x/2 + 2 below 1, else x/2 - 1; from everywhere to the cycle 0, 2."""

    name = "test-folded"

    def advance(self, problem, state, choice):
        x = state.x[0]
        state.x = [x / 2 + 2 if x < 1 else x / 2 - 1]


@pytest.fixture(autouse=True)
def methods(nothing_is_left):
    for kind in (Times, Halved, Folded):
        register_method(kind)


def given(rows, b=None, method="test-times", start=None, number=Fraction):
    n = len(rows)
    rows = tuple(Qs(*row) for row in rows)
    return Context(SystemInstance(rows, Qs(*(b or [0] * n)), Qs(*(start or [1] * n)), method), number=number)


def says(relations):
    (relation,) = relations
    return relation.holds()


# M, r, whether every start converges, whether almost every start is unbounded
STEPS = [
    ([["1/2"]], [1], True, False),
    ([[1]], [0], True, False),  # every point stays
    ([[1]], [1], False, False),  # drifts: linear growth is no exponential one
    ([[-1]], [0], False, False),  # a cycle of two
    ([["1000001/1000000"]], [0], False, True),
    ([["-999999/1000000"]], [0], True, False),
    ([[0, -1], [1, 0]], [0, 0], False, False),  # a rotation
    ([["3/5", "-4/5"], ["4/5", "3/5"]], [0, 0], False, False),
    ([[1, 1], [0, 1]], [0, 0], False, False),  # not semisimple
    ([["1/2", 100], [0, "1/2"]], [0, 0], True, False),
    ([[0, 1], [0, 0]], [3, 4], True, False),  # nilpotent
    ([[1, 0], [0, "1/2"]], [0, 1], True, False),
    ([[1, 0], [0, "1/2"]], [1, 1], False, False),
    ([[2, 0], [0, "1/2"]], [0, 0], False, True),
]


@pytest.mark.parametrize(("M", "r", "limit", "unbounded"), STEPS)
def test_the_long_run_of_an_affine_step(M, r, limit, unbounded):
    context = given(M, r)
    assert says(converges(context)) is limit and says(diverges(context)) is unbounded


@pytest.mark.parametrize(("by", "holds"), [("1/4", True), ("99/400", False), (1, True)])
def test_a_deterministic_step_contracts_by_the_square_of_its_radius(by, holds):
    assert says(contracts(given([["1/2", 5], [0, "1/3"]]), Q(by))) is holds


@pytest.mark.parametrize(("by", "holds"), [("5/8", True), ("62/100", False)])
def test_a_random_step_contracts_in_mean_square(by, holds):
    """E x^2: half of the time x (or y, -x), else x/2: 1/2 + 1/8."""
    assert says(contracts(given([[0, -1], [1, 0]], method="test-halved"), Q(by))) is holds


def test_what_the_relations_are_not_about_is_refused():
    refuses(ValueError, "makes random choices.*contracts", lambda: list(converges(given([[1]], method="test-halved"))))
    refuses(ValueError, "by = 0", lambda: list(contracts(given([[1]]), Q(0))))
    refuses(ValueError, "not affine", lambda: list(converges(given([[1]], method="test-folded"))))
    context = given([[1]])
    context.method.counts = 1
    refuses(ValueError, "changes count, no list", lambda: list(converges(context)))


def test_a_polynomial_is_that_of_numpy_and_its_radius_lies_on_the_right_side():
    source = random.Random(1)
    for _ in range(150):
        size = source.randint(1, 5)
        M = [[Q(source.randint(-6, 6), source.choice((1, 2, 3, 5))) for _ in range(size)] for _ in range(size)]
        dense = np.array(M, dtype=float)
        p, radius = characteristic(M), max(abs(np.linalg.eigvals(dense)))
        assert np.allclose([float(c) for c in p], np.poly(dense), atol=1e-6, rtol=1e-6)
        assert float(determinant(M)) == pytest.approx(np.linalg.det(dense), abs=1e-6, rel=1e-6)
        assert trace(M) == -p[1] and rank(M) == np.linalg.matrix_rank(dense) and estimate(M) == pytest.approx(radius)
        for bound in Qs(1, "1/2", 3):
            if abs(radius - bound) > 1e-6:
                found = radius_beside(p, bound)
                assert (found < bound) == (radius < bound) and found != bound
                assert float(found) == pytest.approx(radius, abs=2**-19 * max(radius, bound)) or radius < 1e-6


@pytest.mark.parametrize(
    "verb",
    [
        characteristic,
        determinant,
        rank,
        lambda M: radius_beside(M[0], Q(1)),
        lambda M: radius_beside(Qs(1, 0), M[0][1]),
    ],
)
def test_a_float_is_refused_where_it_would_be_decided_exactly(verb):
    verb([[Q(1), Q(1, 2)], [Q(0), Q(1)]])
    refuses(TypeError, "a float met an exact number", verb, [[Q(1), 0.5], [Q(0), Q(1)]])


def times(a, b):
    found = [Q(0)] * (len(a) + len(b) - 1)
    for (j, x), (k, y) in itertools.product(enumerate(a), enumerate(b)):
        found[j + k] += x * y
    return found


def test_a_cycle_is_exact_and_none_is_found_where_there_is_none():
    context = given([[1]], method="test-folded", start=["1/3"])
    found = cycle(context.method, context.problem, context.state)
    for state, after in zip(found, [*found[1:], found[0]]):
        assert context.method.step(context.problem, state, 0).x == after.x
    assert sorted(state.x for state in found) == [[0], [2]]
    assert "2 states" in next(settles(context)).label and not says(settles(context))
    assert list(settles(given([["1/2"]], [1]))) == []
    assert list(settles(given([["1/2"]], [1], number=float))) == []
