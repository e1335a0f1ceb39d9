"""SPD1 and SPD1-VR beyond their vectors: draws, passes, the parameters of the theorem and runs by the reference."""

from fractions import Fraction as Q

import numpy as np
import pytest
from support import refuses

from dualgap.fast import solve
from dualgap.reference import L2, Interval, Problem, SmoothedHinge, Squared, method

ROWS, LABELS = [[1, 0], [1, 1], [0, -1]], [1, -1, 1]
RIDGE = Problem(ROWS, LABELS, Squared(), L2(1))


@pytest.mark.parametrize(("name", "entries", "outcomes"), [("spd1", 1, 6), ("spd1-vr", 2, 36)])
def test_a_pass_reads_n_d_entries_and_every_choice_has_the_same_probability(name, entries, outcomes):
    steps = method(name)
    choices = steps.draw(RIDGE, "uniform", 3, 0)
    assert len(choices) == 6 // entries and (choices.max(axis=0) < steps.ends(RIDGE)).all()
    refuses(ValueError, "order must be uniform", steps.draw, RIDGE, "permuted", 3, 0)
    possible = steps.choices(RIDGE, None)
    assert len({choice for choice, _ in possible}) == outcomes and {p for _, p in possible} == {Q(1, outcomes)}


def test_passes_count_entries_and_two_for_every_snapshot():
    plain, vr = method("spd1"), method("spd1-vr", m=4)
    for t in range(14):
        assert plain.passes(RIDGE, plain.run(RIDGE, [(0, 0)] * t), 0) == -(-t // 6)
        snapshots = (t + 3) // 4
        assert vr.passes(RIDGE, vr.run(RIDGE, [(0, 0, 0, 0)] * t), 0) == -(-2 * t // 6) + 2 * snapshots


def test_the_parameters_are_those_of_the_theorem_in_every_number():
    exact = method("spd1-vr").parameters(Problem(ROWS, LABELS, Squared(), L2("1/3"), number=Q))
    enclosed = method("spd1-vr").parameters(Problem(ROWS, LABELS, Squared(), L2("1/3"), number=Interval))
    assert exact == (Q(1, 8), Q(1, 16), 72)
    assert enclosed.eta.contains(Q(1, 8)) and enclosed.m in (72, 73)


def test_the_reference_solves_with_the_steps_of_the_theorem_and_says_what_no_theorem_covers():
    rng = np.random.default_rng(5)
    problem = Problem(rng.standard_normal((5, 3)), rng.standard_normal(5), Squared(), L2(1.0))
    assert solve(problem, "spd1-vr", backend="reference", tol=1e-6, max_epochs=3000).status == "converged"
    hinge = Problem(ROWS, LABELS, SmoothedHinge(), L2(1))
    assert method("spd1").notes(hinge) == method("spd1-vr").notes(hinge) == []
    assert "stay at a distance" in method("spd1", eta=1, tau=1).notes(hinge)[0]
    assert "no theorem" in method("spd1-vr", eta=1, tau=1).notes(hinge)[0]
