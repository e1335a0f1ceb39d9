"""Compare an interval with a float: the double itself, and an answer only if every point of the interval gives the same
one.
"""

import math
import operator

import pytest
from support import refuses

from dualgap.proofs_checks import certificate
from dualgap.reference import L2, Interval, Logistic, Problem, Undecided


def test_a_comparison_with_a_float_is_one_with_the_double_itself() -> None:
    tenth, third = Interval("1/10"), Interval("1/3")
    assert tenth < 0.1 and not 0.1 <= tenth and tenth != 0.1, "the double lies above 1/10"
    assert Interval(0.1) == 0.1 and Interval(0.1) <= 0.1 and not Interval(0.1) < 0.1
    assert third > 0.3 and 0.34 > third and third != 0.5
    assert third < math.inf and -math.inf < third and not third > math.inf and third != math.inf


@pytest.mark.parametrize("act", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne])
def test_a_float_inside_an_interval_is_undecided_and_a_nan_is_refused(act) -> None:
    for sides in ((Interval.hull(0, 1), 0.5), (0.5, Interval.hull(0, 1))):
        refuses(Undecided, "more may help", act, *sides)
    for sides in ((Interval(1), math.nan), (math.nan, Interval(1))):
        refuses(TypeError, "got nan", act, *sides)


def test_a_gap_in_intervals_is_compared_with_a_tolerance_as_any_number() -> None:
    gap = certificate(Problem([[1.0], [0.5]], [1, -1], Logistic(), L2(1.0)), [-0.25, 0.25]).gap
    assert gap <= 1.0 and not gap <= 1e-6 and 0.0 < gap
