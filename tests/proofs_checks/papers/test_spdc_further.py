"""SPDC, what the claims of section 3 rest on: the exact minimisers of problems that are not smooth."""

from fractions import Fraction as Q

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.papers.spdc import corollary_3, section_3_perturbation

GRID = [Q(k, 8) for k in range(-40, 41)]
CASES = [
    *section_3_perturbation.FAR,
    *(i for number in (1, 2, 3, 4) for i in draw_instances(section_3_perturbation.cases(number=number), 5, number)),
]


@pytest.mark.parametrize("instance", CASES, ids=range(len(CASES)))
def test_nothing_on_a_grid_is_below_the_minimiser_of_a_case(instance):
    _, case = section_3_perturbation.table_case(Context(instance))
    assert case.P_star <= min(case.P([w]) for w in GRID)
    assert case.P_star < max(case.P([w]) for w in GRID)


@pytest.mark.parametrize("instance", draw_instances(corollary_3.small_batches(), 6, 0), ids=range(6))
def test_nothing_on_a_grid_is_below_the_vertex(instance):
    problem = corollary_3.PiecewiseLinear(Context(instance), instance.gamma, instance.gamma)
    assert problem.P_star <= min(problem.P([v, w]) for v in GRID[::4] for w in GRID[::4])
