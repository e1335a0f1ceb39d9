"""SPDC, what some claims rest on: the exact minimisers, the law of weighted batches, the counted reads."""

from fractions import Fraction as Q

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.papers.spdc import corollary_3, section_3_perturbation
from dualgap.proofs_checks.papers.spdc import implementation_lazy as cost
from dualgap.proofs_checks.papers.spdc.theorem_2_batches import systematic
from dualgap.reference import as_compiled

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


@pytest.mark.parametrize(
    "q",
    [[Q(1, 2)] * 4, [Q(9, 10), Q(3, 10), Q(3, 10), Q(1, 2)], [Q(1), Q(1, 3), Q(2, 3), Q(1)], [Q(1, 7)] * 7],
    ids=str,
)
def test_systematic_batches_have_the_marginals_and_one_size(q):
    table = systematic(q)
    assert sum(p for _, p in table) == 1 and {len(K) for K, _ in table} == {sum(q)}
    assert [sum(p for K, p in table if i in K) for i in range(len(q))] == q


@pytest.mark.parametrize("instance", cost.ONE_OF_EACH, ids=lambda instance: instance.method)
def test_reads_are_counted_where_they_are_made(instance):
    wide = cost.widened(instance, cost.WIDER)
    dense, lazy = cost.reads(wide, wide.reference_method()), cost.reads(wide, as_compiled(wide.method, **wide.options))
    assert min(dense) > cost.WIDER > max(lazy)
