"""Runs in floats compared with the same runs in Fractions, and one step with its enclosure by intervals."""

import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import (
    L2,
    ElasticNet,
    Interval,
    Logistic,
    Loss,
    Method,
    Problem,
    Regularizer,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    method,
)


def relative_drift(
    steps: Method[Any], loss: Loss, regularizer: Regularizer, perturbed: Regularizer | None = None
) -> float:
    """Largest difference of w after five passes, relative to the largest |w_j|, between floats and Fractions."""
    r = random.Random(f"{steps.name} {loss}")
    X = [[Fraction(r.randint(-8, 8), 8) for _ in range(4)] for _ in range(8)]
    y = [r.choice((-1, 1)) for _ in X]
    choices = [r.randrange(8) for _ in range(40)]
    exact = Problem(X, y, loss, regularizer, number=Fraction)
    rounded = Problem(X, y, loss, perturbed or regularizer, number=float)
    w, _ = steps.view(exact, steps.run(exact, choices))
    w_float, _ = steps.view(rounded, steps.run(rounded, choices))
    return float(max(abs(Fraction(a) - b) for a, b in zip(w_float, w)) / max(abs(x) for x in w))


@pytest.mark.parametrize("name", ["aspdc", "sdca", "aspdc-i", "aspdc-i-fixed"])
@pytest.mark.parametrize("loss", [Squared("1/2"), SmoothedHinge("1/2"), SquaredHinge()], ids=repr)
@pytest.mark.parametrize("regularizer", [L2("3/2"), ElasticNet("3/2", "1/16")], ids=repr)
def test_floats_follow_the_exact_run(name: str, loss: Loss, regularizer: Regularizer) -> None:
    """The bound allows 1e-12 for each of five passes. A step makes fewer than 4 d + 20 = 36 roundings of relative size
    2^-53, so a pass makes at most 3.2e-14, and K < 1 keeps earlier errors from growing. The rest of the bound covers
    |alpha_i x_ij| / |w_j| > 1.
    """
    # at an exact optimum its xi would get a million digits
    options = {"epsilon": "1/1000000"} if name == "aspdc-i" else {}
    assert relative_drift(method(name, **options), loss, regularizer) <= 5e-12


def test_a_lam_off_by_one_part_in_1e9_is_seen_by_that_comparison() -> None:
    assert relative_drift(method("sdca"), Squared(), L2("3/2"), L2(1.5 * (1 + 1e-9))) > 5e-12


def test_logistic_floats_lie_in_the_enclosure_of_their_own_problem() -> None:
    """One step from the same start. On these dyadic numbers only the dual step rounds, by at most 1.2e-15."""
    for name in ("aspdc", "sdca"):
        rows, y, start = [["3/4", "1/2"], [1, "-1/4"]], [1, -1], ["-1/2", "1/4"]
        rounded, enclosed = (Problem(rows, y, Logistic(), L2("1/8"), number=number) for number in (float, Interval))
        steps = method(name)
        a = steps.step(rounded, steps.init(rounded, start), 0).alpha[0]
        b = steps.step(enclosed, steps.init(enclosed, start), 0).alpha[0]
        assert abs(Fraction(a) - b.midpoint()) <= Fraction(12, 10**16) and b.width() < 1e-17
