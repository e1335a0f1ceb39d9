"""A method's draws are compared with its choices: exactly if the generator can be enumerated, else by bets."""

import random
from fractions import Fraction

import numpy as np
import pytest
from support import refuses

from dualgap.proofs_checks import check_draw
from dualgap.proofs_checks.engines.drawn import DELTA, compared
from dualgap.reference import L2, Problem, Squared, method
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
    p = [1 / 14, 4 / 14, 9 / 14]
    growth = sum(np.log((1 / 3) / p_i) / 3 for p_i in p)
    assert 400 * growth > 4 * np.log(1 / DELTA)


def test_probabilities_that_are_none_are_refused():
    refuses(ValueError, r"whose sum is 1 \(got the sum 9/10", lambda: check_draw(Sums(), PROBLEM))
