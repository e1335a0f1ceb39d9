"""AdaSPDC, its repair and PDCP: on blocks of one number and of equal norms they are what they should be, and they
converge.
"""

import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import L2, ElasticNet, Problem, Squared
from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.problem.block_losses import BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem

F = Fraction


def random_rows(n: int, d: int, seed: int) -> tuple[list[list[float]], list[float]]:
    generator = random.Random(seed)
    X = [[generator.choice([0.0, generator.gauss(0, 1), generator.gauss(0, 2)]) for _ in range(d)] for _ in range(n)]
    for row in X:
        row[0] = row[0] or 1.0
    return X, [generator.choice([-1.0, 1.0]) for _ in range(n)]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_equal_norms_make_all_of_them_spdc_with_its_sharp_theta(m: int) -> None:
    """Exactly, in floats bit for bit; the paper's theta of SPDC differs (control)."""
    rows, choices = [["3/5", "4/5"], [1, 0], [0, 1]], [list(range(m))] * 3
    for number in (Fraction, float):
        problem = Problem(rows, [1, -1, 2], Squared(), L2(F(m, 3)), number=number)
        expected = MiniBatchSPDC(m=m, theta="sharp", R=1).run(problem, choices).fields()
        for method in (AdaSPDC(m=m, norms=[1] * 3), AdaSPDCR(m=m, norms=[1] * 3)):
            assert method.run(problem, choices).fields() == expected
        assert MiniBatchSPDC(m=m, R=1).run(problem, choices).fields() != expected


def test_multi_output_ridge_is_one_ridge_run_for_each_output() -> None:
    """The rows' norms are the blocks', so every output makes the scalar run on its own targets, bit for bit."""
    X, _ = random_rows(6, 3, seed=8)
    generator = random.Random(1)
    B = [[generator.gauss(0, 1) for _ in range(2)] for _ in range(6)]
    block = BlockProblem.kronecker(X, B, 2, Separable(Squared()), L2(0.1))
    for method in (AdaSPDC(m=2), AdaSPDCR(), PDCP()):
        passes = [choice for epoch in range(4) for choice in method.draw(block, "uniform", 5, epoch).tolist()]
        w, alpha = method.view(block, method.run(block, passes))
        for k in range(2):
            scalar = Problem(X, [b[k] for b in B], Squared(), L2(0.1))
            w_k, alpha_k = method.view(scalar, method.run(scalar, passes))
            assert (w_k, alpha_k) == (w[k::2], [a[k] for a in alpha])


# -- convergence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "loss", [Separable(Squared()), MulticlassSmoothedHinge("7/10"), Softmax(), BallHuber()], ids=lambda loss: loss.name
)
@pytest.mark.parametrize(
    "method", [AdaSPDCR(), AdaSPDCR(m=2, preset="b"), PDCP()], ids=lambda m: f"{m.name}-{getattr(m, 'm', '')}"
)
def test_the_certified_gap_closes_on_block_problems(loss: Any, method: Any) -> None:
    """The slowest rate is 0.894 a pass (smoothed hinge, m = 2): 400 passes leave 1e-19 of it, and then rounding
    alone.
    """
    b: Any = [0, 2] if isinstance(loss, (MulticlassSmoothedHinge, Softmax)) else [[1, 0, 2], [0, -1, 1]]
    problem = BlockProblem.kronecker([[3, 4], [0, 1]], b, 3, loss, ElasticNet(0.5, 0.02))
    state = method.init(problem)
    assert problem.gap(*method.view(problem, state)) > 0.1
    for epoch in range(400):
        state = method.run(problem, method.draw(problem, "uniform", 2, epoch), state)
    assert 0 <= problem.gap(*method.view(problem, state)) < 1e-12
