"""SDCA with shrinking: which rows a pass visits, which it leaves out and when they return, in exact arithmetic; and
that shrinking saves work.
"""

import itertools
import random
from fractions import Fraction

from dualgap.fast import solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.reference import L2, Absolute, Hinge, Problem, SmoothedHinge, SquaredHinge, method
from dualgap.reference.methods.sdca_shrinking import ShrinkingSDCA

WITH_ENDS = [Hinge(), SmoothedHinge("1/4"), SquaredHinge(), Absolute()]
LAMS = [Fraction(1, 2), Fraction(1, 20), Fraction(1, 200)]


def small_problem(loss, seed, lam, number=Fraction):
    """Six rows of two small integers: most alpha_i of the optimum are at an end."""
    r = random.Random(f"{loss} {seed}")
    X = [[r.randint(-3, 3) for _ in range(2)] for _ in range(6)]
    return Problem(X, [r.choice((1, -1)) for _ in X], loss, L2(lam), number=number)


CASES = list(itertools.product(WITH_ENDS, range(2), LAMS))


def history(problem, steps=60, cls=ShrinkingSDCA):
    """(state before, its row, state after) for every step of a run."""
    r, shrinking = random.Random(0), cls()
    state = shrinking.init(problem)
    for _ in range(steps):
        choice = r.randrange(problem.n)
        i = state.active[place_of(state, choice, problem.n)]
        following = shrinking.step(problem, state, choice)
        yield state, i, following
        state = following


def place_of(state, choice, n):
    """The place of ``active`` from which a step takes its row."""
    return state.position + choice * (state.size - state.position) // n


def slope_of(problem, state, i):
    """|G_i|: how far z_i is from the slope of phi_i* at alpha_i."""
    return abs(problem.y[i] + problem.loss.gamma * state.alpha[i] - problem.inner(i, state.v))


def wrong_passes(cls):
    """Passes that visited a row twice, or left out one that had moved in the pass before."""
    found = 0
    for case in CASES:
        seen, moved, expected = [], set(), set(range(6))
        for before, i, after in history(small_problem(*case), cls=cls):
            seen.append(i)
            moved |= {i} if after.alpha != before.alpha else set()
            if after.position == 0:
                found += len(set(seen)) < len(seen) or not expected <= set(seen)
                seen, moved, expected = [], set(), moved
    return found


class StaysWhereItIs(ShrinkingSDCA):
    """A row that stays does not change places with one that left: the next pass takes the first of this one's rows."""

    def advance(self, problem, state, choice):
        place = place_of(state, choice, problem.n)
        swapped = list(state.active)
        swapped[state.position], swapped[place] = swapped[place], swapped[state.position]
        super().advance(problem, state, choice)
        state.active = swapped


def test_a_pass_visits_no_row_twice_and_every_row_that_moved_in_the_one_before():
    assert wrong_passes(ShrinkingSDCA) == 0
    assert wrong_passes(StaysWhereItIs) > 0


def test_every_step_is_the_step_of_sdca():
    sdca = method("sdca")
    for case in CASES[::3]:
        problem = small_problem(*case)
        for before, i, after in history(problem, 25):
            plain = sdca.init(problem, before.alpha)
            sdca.advance(problem, plain, i)
            assert (plain.alpha, plain.v) == (after.alpha, after.v)


def left_out(cls):
    """How many rows left, and how many of them should have stayed: a z_i no further away than some row that moved in
    the pass before was from its own slope would have given them a step.
    """
    total = wrong = 0
    for case in CASES:
        problem = small_problem(*case)
        last = moved = Fraction(0)  # the largest |G_i| of rows that moved, in the pass before and in this one
        for before, i, after in history(problem, cls=cls):
            if after.alpha != before.alpha:
                moved = max(moved, slope_of(problem, before, i))
            if i not in after.active[: after.kept if after.position else after.size]:
                z, alpha_i, y_i = problem.inner(i, before.v), before.alpha[i], problem.y[i]
                steps = [
                    problem.loss.dual_step(z + sign * last, alpha_i, y_i, Fraction(1)) - alpha_i for sign in (-1, 0, 1)
                ]
                total, wrong = total + 1, wrong + (steps != [0, 0, 0] or last == 0)
            if after.position == 0:
                last, moved = (moved if after.threshold else Fraction(0)), Fraction(0)
    return total, wrong


class HalfTheThreshold(ShrinkingSDCA):
    """Leaves out rows too early."""

    def end_pass(self, problem, state):
        super().end_pass(problem, state)
        state.threshold = state.threshold / 2


def test_a_row_leaves_where_its_step_is_zero_and_stays_so_for_every_z_within_the_threshold():
    total, wrong = left_out(ShrinkingSDCA)
    assert wrong == 0 and total > len(CASES)
    assert left_out(HalfTheThreshold)[1] > 0


class NeverLooksBack(ShrinkingSDCA):
    """A row that has left stays away."""

    def end_pass(self, problem, state):
        kept = state.kept
        super().end_pass(problem, state)
        state.size = max(1, kept)


def lasting_gaps(cls):
    """Problems with a gap after 1500 steps from a state whose first row was left out before it was ever looked at."""
    found = 0
    for loss, seed, lam in itertools.product(WITH_ENDS, range(4), LAMS[:2]):  # the last lam takes longer
        problem, shrinking, r = small_problem(loss, seed, lam, float), cls(), random.Random(1)
        state = shrinking.init(problem)
        state.active, state.size, state.tolerance = [1, 2, 3, 4, 5, 0], 5, 0.1
        for _ in range(1500):
            shrinking.advance(problem, state, r.randrange(problem.n))
        found += problem.gap(*shrinking.view(problem, state)) > 1e-3
    return found


def test_a_row_that_was_left_out_by_mistake_comes_back_and_the_gap_is_that_of_all_rows():
    assert lasting_gaps(ShrinkingSDCA) == 0
    assert lasting_gaps(NeverLooksBack) > 8


def test_on_hinge_half_the_passes_at_most_are_needed_to_the_same_certified_gap():
    data = aspdc_synthetic(n=300, d=10, seed=3)
    problem = Problem(data.X, data.y, Hinge(), L2(1e-3))
    plain = solve(problem, "sdca", order="permuted", rtol=1e-5, max_epochs=5000)
    shrunk = solve(problem, "sdca-shrinking", rtol=1e-5, max_epochs=5000)
    assert plain.status == shrunk.status == "converged"
    assert 2 * shrunk.epochs <= plain.epochs
    # both primals lie within their gap of the minimum
    assert abs(plain.primal - shrunk.primal) <= max(plain.gap, shrunk.gap)
