"""Climbs find what draws do not, their counterexamples are exact, and what is true is not refuted."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from dualgap.proofs_checks import Le, Q, array, largest, matrices, norm
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import values
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.between import definite
from dualgap.proofs_checks.evidence.climbing import Climbs
from dualgap.proofs_checks.evidence.hunting import Search


def shuffled(c):
    """Single shuffle against reshuffling, two epochs: false for some 0 < A <= I."""
    products = [A @ B @ C for A, B, C in permutations(array(c.given.A))]
    mean = sum(products) / 6
    yield Le(norm(sum(product @ product for product in products) / 6), norm(mean @ mean), "single")


def one_by_one(c):
    """The same, written so that it takes one point at a time."""
    if array(c.given.A)[0][0, 0] >= 0:
        yield from shuffled(c)


def added(c):
    """True: the largest eigenvalue of a sum is at most the sum of the largest eigenvalues."""
    A, B = array(c.given.A)
    yield Le(largest(A + B), largest(A) + largest(B), "sum")


def climbs(check, strategy, seed):
    from dataclasses import replace

    claim = replace(all_claims()["aspdc.a17"], check=check)
    search = Search.of(claim, Run(entropy=seed), strategy)
    return claim, search, Climbs(claim, strategy, Random(seed))


@pytest.mark.parametrize("check", [shuffled, one_by_one])
def test_a_false_inequality_is_found_and_verified_exactly(check):
    claim, search, made = climbs(check, matrices(3, 2, least=Q(1, 100), most=1), 1)
    found = made.found(search.false, 60, 120)
    assert found is not None
    instance, trail = found
    assert judge(claim, Context(instance)).violated is not None
    assert trail and all(0 <= number < count for number, count in trail)


def test_a_true_inequality_is_not_refuted():
    _, search, made = climbs(added, matrices(2, 3), 1)
    assert made.found(search.false, 12, 120) is None
    assert made.made == 12 and abs(made.highest) < 1e-7  # equality is reached


RANGES = [{"least": 0}, {"most": 2}, {"least": Q(1, 3), "most": 1}, {"only": (0, 1)}, {"only": (-1, 2)}, {}]


@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_instances_and_arrays_lie_in_the_range(ends):
    strategy = matrices(2, 3, vectors=1, **ends)
    least, most = ends.get("only", (ends.get("least"), ends.get("most")))
    for instance, _ in zip(values(strategy, 1), range(40)):
        for A in array(instance.extra.A):
            assert (A == A.T).all()
            assert least is None or definite(A - least * np.diag([Q(1)] * 3)) >= 0
            assert most is None or definite(most * np.diag([Q(1)] * 3) - A) >= 0
            assert (
                "only" not in ends or not ((A - least * np.eye(3, dtype=int)) @ (A - most * np.eye(3, dtype=int))).any()
            )
    space, generator = strategy.space, np.random.default_rng(1)
    point = np.concatenate([space.flat(generator.normal(size=(2, 3, 3)), 1), [1.0, 2.0, 3.0]])
    eigenvalues = np.linalg.eigvalsh(space.arrays(point, 3)[0])
    assert least is None or eigenvalues.min() > least - 1e-9
    assert most is None or eigenvalues.max() < most + 1e-9


@pytest.mark.parametrize("given", [{"k": 0}, {"least": 1, "most": 0}, {"only": (1,)}, {"only": (0, 1), "least": 0}])
def test_what_is_no_range_is_refused(given):
    with pytest.raises(ValueError, match="matrices need"):
        matrices(given.pop("k", 1), 2, **given)
