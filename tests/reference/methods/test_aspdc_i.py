"""The outer loops of ASPDC-i; and blocks that are one row repeated for each output."""

import math
import random
from fractions import Fraction

import pytest

from dualgap.reference import L2, ElasticNet, Problem, Squared, method
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.methods.aspdc_i import failure_criterion
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.numbers.arithmetic import NumberLike, NumberType
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem


def test_multi_output_ridge_is_one_ridge_run_for_each_output() -> None:
    """The rows' norms are the blocks', so every output makes the scalar run on its own targets, bit for bit."""
    generator = random.Random(1)
    X = [[generator.gauss(0, 1) for _ in range(3)] for _ in range(6)]
    B = [[generator.gauss(0, 1) for _ in range(2)] for _ in range(6)]
    block = BlockProblem.kronecker(X, B, 2, Separable(Squared()), L2(0.1))
    for solver in (AdaSPDC(m=2), AdaSPDCR(), PDCP()):
        passes = [choice for epoch in range(4) for choice in solver.draw(block, "uniform", 5, epoch).tolist()]
        w, alpha = solver.view(block, solver.run(block, passes))
        for k in range(2):
            scalar = Problem(X, [b[k] for b in B], Squared(), L2(0.1))
            w_k, alpha_k = solver.view(scalar, solver.run(scalar, passes))
            assert (w_k, alpha_k) == (w[k::2], [a[k] for a in alpha])


ROWS = [["3/5", "4/5"], [1, 0], [0, "1/2"]]


def three_rows(lam: NumberLike = "8/15") -> Problem:
    """n = 3, R = 1; at lam = 8/15 kappa is 4/5 and q = lam/(lam + 2 kappa) = 1/4, the square of a rational."""
    return Problem(ROWS, [1, -1, 1], Squared(), L2(lam), number=Fraction)


@pytest.mark.parametrize("number", [Fraction, float])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 1000)])
def test_the_printed_line_7_stops_at_S(number: NumberType, epsilon: Fraction) -> None:
    """eta = 3/13 here: S - 1 = ceil((2/eta) ln(xi_1/epsilon)) calls, two or more beyond xi_s <= epsilon."""
    problem = Problem(
        [[float(Fraction(x)) for x in row] for row in ROWS] if number is float else ROWS,
        [1, -1, 1],
        Squared(),
        L2("1/2"),
        number=number,
    )
    printed, ours = method("aspdc-i", epsilon=epsilon, stop="S"), method("aspdc-i", epsilon=epsilon)
    eta, xi_1 = float(printed.eta_of(problem)), float(printed.init(problem).xi)
    S = math.ceil(1 + 2 / eta * math.log(xi_1 / float(epsilon)))
    s = math.ceil(1 + math.log(xi_1 / float(epsilon)) / -math.log(1 - eta / 2))
    for steps, last in ((printed, S), (ours, s)):
        state = steps.run(problem, [0, 1, 2] * 60)
        assert state.epoch == last == steps.run(problem, [0, 1, 2] * 5, state).epoch
    assert S > s + 1


def test_what_is_known_of_m_inner_steps() -> None:
    """3n/2 with L2 and 3n with l1 are proved; at K = 1/4 one step fails on orthonormal rows from n = 5 on (Pi < 0)."""

    def known(n: int, m: int | None, l1: int = 0, **options: object) -> str:
        g = ElasticNet(Fraction(1, n), l1) if l1 else L2(Fraction(1, n))
        answer: str = method("aspdc-i-fixed", m=m, **options).guarantee(
            Problem([[1]] * n, [1] * n, Squared(), g, number=Fraction)
        )
        return answer

    assert [known(4, m) for m in (6, 5, None)] == ["proved", "unproved", "proved"]
    assert [known(3, m) for m in (5, 4)] == ["proved", "unproved"]
    assert [known(4, m, l1=1) for m in (12, 11, None)] == ["proved", "unproved", "unproved"]
    assert [known(n, 1) for n in (2, 4, 5, 6)] == [
        "unproved",
        "unproved",
        "known divergent family",
        "known divergent family",
    ]
    assert known(4, 8, kappa="3/4") == "proved" and known(4, 8, kappa="7/10") == "unproved"
    assert known(2, 1, kappa="1/2") == "known divergent family"  # K = 1/2
    assert known(1, 1) == "unproved"
    assert method("aspdc-i-momentum").guarantee(three_rows()) == "unproved"
    for n, m, K in ((7, 2, Fraction(1, 4)), (9, 5, Fraction(1, 3)), (8, 6, Fraction(1, 2))):
        D, E = (1 - (1 + K) / n) ** m, (1 - (1 - K**2) / n) ** m
        assert failure_criterion(n, m, K) == 2 + K - (2 - K) * D - (2 + 5 * K) * E + (2 + 3 * K) * D * E
