"""What a test of the toys names; run by pytest under another name."""

from fractions import Fraction

from dualgap.reference import L2, LOSSES, Problem, method


def test_a_half_step():
    problem = Problem([[1]], [3], LOSSES["toy-huber"](), L2(1), number=Fraction)
    assert method("toy-half-sdca").run(problem, [0]).alpha == [Fraction(-1, 2)]
