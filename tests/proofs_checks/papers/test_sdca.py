"""SDCA: the output options in floats, their names and their refusals."""

import random
from fractions import Fraction as Q

import pytest

from dualgap.reference import L2, Absolute, Hinge, Loss, Problem, SmoothedHinge, Squared
from dualgap.reference.methods.sdca import AveragedSDCA
from dualgap.reference.numbers.arithmetic import NumberType

ROWS, Y = [[1, 0], [1, 1], [0, -1]], [1, -1, 1]


def three_rows(loss: Loss | None = None, number: NumberType = Q) -> Problem:
    return Problem(ROWS, Y, loss or Squared(), L2("1/3"), number=number)


@pytest.mark.parametrize("loss", [Hinge(), Absolute(), SmoothedHinge("1/3")], ids=repr)
def test_averages_in_floats_stay_in_the_domain_and_near_the_exact_ones(loss: Loss) -> None:
    """500 roundings of at most 2^-53 (relative to sums below 500) and the drift of alpha, far below 1e-9."""
    r, averaged = random.Random(1), AveragedSDCA(100)
    path = [r.randrange(3) for _ in range(600)]
    found = [averaged.view(p, averaged.run(p, path))[1] for p in (three_rows(loss), three_rows(loss, float))]
    assert all(abs(a - Q(b)) < 1e-9 for a, b in zip(*found))
    three_rows(loss, float).require_alpha(found[1])
