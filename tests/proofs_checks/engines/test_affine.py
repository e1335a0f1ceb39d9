"""Second moments of affine steps: what they are by definition, over the tree of all paths."""

from fractions import Fraction
from itertools import islice

import pytest

from dualgap.extras.baselines.sag import claims as sag
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.engines.affine import Moments, Step, combined, flat
from dualgap.proofs_checks.engines.paths import distributions

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


def test_a_row_times_a_table_by_hand():
    table = [[1, 2, 3], [4, 5, 6]]
    assert combined([(0, 2), (1, -1)], table, 3) == [-2, -1, 0]
    assert combined([(1, 1)], table, 2) == [4, 5]
    assert combined([], table, 2) == [0, 0]
