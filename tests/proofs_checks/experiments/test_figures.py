"""Figures of experiments: what is infinite is a cross where there is a cap, and else the end of its line."""

import math

import pytest

from dualgap.proofs_checks.experiments import Picture, Quartiles
from dualgap.proofs_checks.experiments.reproduce import paint

pytestmark = pytest.mark.needs("matplotlib")
NEVER = Quartiles(5.0, math.inf, math.inf)


def painted(**fields):
    """The axes of a picture."""
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    paint(axes, Picture("name", "caption", **fields))
    return axes


def test_a_median_that_is_never_reached_is_a_cross_at_the_cap_even_if_there_is_no_other():
    axes = painted(lines={"a": {1: Quartiles(2.0, 3.0, 4.0), 2: NEVER}, "b": {1: NEVER, 2: NEVER}}, cap=100.0)
    crosses = [line for line in axes.lines if line.get_marker() == "x"]
    assert [line.get_xydata().tolist() for line in crosses] == [[[2, 100]], [[1, 120], [2, 120]]]
    assert [line.get_xydata().tolist() for line in axes.lines if line.get_marker() == "."] == [[[1, 3]], []]


def test_a_curve_ends_where_its_median_has_diverged_and_leaves_the_frame():
    lines = {"a": {0: Quartiles(1.0, 1.0, 1.0), 1: Quartiles(0.0, 1e9, math.inf), 2: NEVER}}
    axes = painted(lines=lines)
    assert axes.lines[0].get_xydata().tolist() == [[0, 1], [1, 1e9]] and axes.get_ylim()[1] == 1e4
    calm = painted(lines={"a": {0: Quartiles(1.0, 1.0, 1.0), 1: Quartiles(0.1, 0.2, 0.3)}})
    assert calm.get_ylim()[1] < 2, "the control"
