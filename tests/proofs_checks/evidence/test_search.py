"""The adversarial search for the worst step of Lemma 2."""

import random

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.evidence.search import exact_ratio, float_ratio, instance_at, search
from dualgap.proofs_checks.papers.aspdc import lemma_2_worst_case
from dualgap.proofs_checks.strategies.instances import SMOOTH
from dualgap.reference.numbers.interval import decide


@pytest.mark.parametrize("loss", SMOOTH)
def test_the_search_comes_near_three_quarters_and_never_below(loss: str) -> None:
    found = search(loss, Q(4), 0.7501, random.Random(1), evaluations=20_000)
    assert found.ratio <= 0.7501
    assert decide(lambda: Q(3, 4) <= exact_ratio(found.instance) <= Q(7502, 10000))[0]


@pytest.mark.parametrize("loss", SMOOTH)
def test_every_point_of_the_search_is_inside_the_hypotheses(loss: str) -> None:
    generator = random.Random(3)
    for _ in range(20):
        instance = instance_at([generator.gauss(0, 3) for _ in range(8)], [1, -1], loss, Q(4), 2)
        context = Context(instance)
        assert context.K == Q(1, 4)
        assert all(context.problem.loss.in_domain(a, y) for a, y in zip(instance.alpha, instance.y))


def test_the_objective_in_floats_is_the_exact_one_where_floats_are_exact() -> None:
    worst = (lemma_2_worst_case.WORST_SQUARED, lemma_2_worst_case.WORST_HINGE, lemma_2_worst_case.WORST_SQUARED_HINGE)
    assert [float_ratio(instance) for instance in worst] == [0.75] * 3  # every number is a short binary fraction
    assert float_ratio(worst[0].but(alpha=(Q(0), Q(0)))) == 1.0  # gap 0: no ratio, and no reward
