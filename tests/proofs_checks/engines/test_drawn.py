"""What a method draws and touches: its draws compared with its choices, second moments, entries read and written."""

import random
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from support import refuses

from dualgap.extras.baselines.sag import claims as sag
from dualgap.proofs_checks import check_draw
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.engines.affine import Moments, Step, flat
from dualgap.proofs_checks.engines.drawn import DELTA, compared
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.engines.touched import touched
from dualgap.reference import L2, Problem, Squared, method
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.sampling import draw_weighted
from dualgap.reference.methods.sdca import SDCA

PROBLEM = Problem([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]], [1.0, 0.0, 1.0], Squared(), L2(1.0))
ZERO_ROW = Problem([[1.0, 0.0], [0.0, 0.0], [3.0, 0.0]], [1.0, 0.0, 1.0], Squared(), L2(1.0))


class Weighted(SDCA):
    """Rows by their squared norms; ``draw`` is inherited, and uniform."""

    name = "weighted"

    def choices(self, problem, state):
        total = sum(map(Fraction, problem.norms2))
        return [(i, Fraction(norm2) / total) for i, norm2 in enumerate(problem.norms2)]


class Right(Weighted):
    def draw(self, problem, order, seed, epoch):
        return draw_weighted(problem.norms2, seed, epoch)


class ByChoice(Weighted):
    """What numpy calls choice has no law that is enumerated."""

    def draw(self, problem, order, seed, epoch):
        p = [float(probability) for _, probability in self.choices(problem, None)]
        return np.random.default_rng([seed, epoch]).choice(problem.n, size=problem.n, p=p)


class UniformByChoice(Weighted):
    def draw(self, problem, order, seed, epoch):
        return np.random.default_rng([seed, epoch]).choice(problem.n, size=problem.n)


class ByPython(Weighted):
    """Another generator, uniform."""

    def draw(self, problem, order, seed, epoch):
        generator = random.Random(1000 * seed + epoch)
        return np.array([generator.randrange(problem.n) for _ in range(problem.n)])


class Cyclic(SDCA):
    """No randomness at all, and uniform by its choices."""

    name = "cyclic"

    def draw(self, problem, order, seed, epoch):
        return np.arange(problem.n)


class Sums(SDCA):
    """Probabilities whose sum is 9/10."""

    def choices(self, problem, state):
        return [(i, Fraction(3, 10)) for i in range(3)]


@pytest.mark.parametrize(
    "solver", [method("sdca"), method("sdca-random", T0=1), method("spdc-minibatch", m=2), Right()]
)
@pytest.mark.parametrize("problem", [PROBLEM, ZERO_ROW])
def test_what_agrees_is_found_to_agree_exactly(solver, problem):
    assert check_draw(solver, problem) == "exactly"


@pytest.mark.parametrize("solver", [Weighted(), Cyclic()])
def test_what_differs_is_named_with_both_probabilities(solver):
    with pytest.raises(
        AssertionError,
        match=rf"{solver.name}: pass 0, step 0: choice \d is drawn with probability .*, and choices says",
    ):
        check_draw(solver, PROBLEM)


def test_a_choice_of_probability_0_is_not_stepped_on():
    class Refuses(Weighted):
        def step(self, problem, state, choice):
            assert problem.norms2[choice] > 0
            return super().step(problem, state, choice)

    found = compared(Refuses(), Problem([[0.0], [1.0]], [0.0, 0.0], Squared(), L2(1)))
    assert found[0] == "exactly" and "choice 0 is drawn with probability 0.5, and choices says 0" in found[1][0]


def test_what_cannot_be_enumerated_is_bet_against():
    assert check_draw(ByChoice(), PROBLEM).startswith("by statistics: draw asks the generator for 'choice'")
    for wrong in (UniformByChoice(), ByPython()):
        refuses(AssertionError, "what is drawn has not the law of choices", check_draw, wrong, PROBLEM)
        refuses(AssertionError, "to which choices gives probability 0", check_draw, wrong, ZERO_ROW)


def test_the_bets_do_not_depend_on_luck():
    """Against the uniform law a bet on squared norms 1, 4, 9 grows by the relative entropy, 0.38 a draw: 400 draws are
    far beyond DELTA.
    """
    assert 400 * sum(np.log((1 / 3) / p_i) / 3 for p_i in [1 / 14, 4 / 14, 9 / 14]) > 4 * np.log(1 / DELTA)


def test_probabilities_that_are_none_are_refused():
    refuses(ValueError, r"whose sum is 1 \(got the sum 9/10", lambda: check_draw(Sums(), PROBLEM))


THREE = sag.UNEQUAL.but(rows=(Qs(1, 0), Qs(0, 2), Qs(1, -1)), y=Qs(1, -1, 2), alpha=Qs(0, 0, 0))


def outer(z, p):
    """p (z, 1)(z, 1)^T."""
    return [[p * a * b for b in (*z, 1)] for a in (*z, 1)]


def over_paths(c, state, names, steps):
    """E[(z, 1)(z, 1)^T] after so many steps, path by path."""
    layer = next(islice(distributions(c.method, c.problem, state), steps, None))
    parts = [outer(flat(reached, names), p) for p, reached in layer]
    return [[sum(part[j][k] for part in parts) for k in range(len(parts[0]))] for j in range(len(parts[0]))]


def by_moments(c, state, names, steps, step=None):
    """The same by the engine."""
    step, moments = step or Step(c.method, c.problem, state, names), Moments.at(flat(state, names))
    for _ in range(steps):
        moments = moments.after(step)
    return [[Fraction(value, moments.divisor) for value in row] for row in moments.table]


@pytest.mark.parametrize("instance", [sag.ONE_ROW, sag.UNEQUAL, THREE], ids=["one row", "two rows", "three rows"])
@pytest.mark.parametrize("steps", [0, 1, 2, 4])
def test_moments_are_the_sums_over_all_paths(instance, steps):
    c = Context(instance)
    state = sag.begun(c).start
    assert by_moments(c, state, sag.fields(state), steps) == over_paths(c, state, sag.fields(state), steps)


def test_control_where_one_row_is_always_drawn_they_are_not():
    c = Context(sag.UNEQUAL)
    state = sag.begun(c).start
    step = Step(c.method, c.problem, state, sag.fields(state))
    step.choices = step.choices[:1] * 2
    assert by_moments(c, state, sag.fields(state), 2, step) != over_paths(c, state, sag.fields(state), 2)


def state():
    return DualState(v=[1.0, 2.0, 3.0, 4.0], alpha=[5.0, 6.0])


def test_items_slices_passes_and_new_lists_are_counted():
    def item(s):
        s.v[1] = s.v[2] + s.alpha[0]  # two read, one written

    def piece(s):
        s.v[1:] = s.v[:3]

    def passes(s):
        s.alpha = [2 * a for a in s.v]  # four read, four new ones

    assert [touched(state(), change) for change in (item, piece, passes, lambda s: None)] == [3, 6, 8, 0]


def test_the_state_itself_stays():
    before = state()

    def change(s):
        s.v[0] = 9.0

    assert touched(before, change) == 1
    assert (before.v, before.alpha, type(before.v)) == ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0], list)
