"""Block losses against their definitions: exactly in Fractions, softmax within derived bounds."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import Squared
from dualgap.reference.numbers.arithmetic import ULP
from dualgap.reference.problem.block_losses import BallHuber, MulticlassSmoothedHinge, Separable, Softmax, inner

F = Fraction
Block = tuple[Fraction, ...]
SMALL = [F(numerator, 4) for numerator in range(-9, 10)]
QUARTERS = [F(numerator, 4) for numerator in range(1, 9)]


def draw_simplex(generator: random.Random, q: int) -> list[Fraction]:
    weights = [F(generator.choice([0, 0, 1, 2, 5])) for _ in range(q)]
    weights[generator.randrange(q)] += 1
    return [weight / sum(weights) for weight in weights]


def draw_case(name: str, seed: int) -> tuple[Any, Block, Block, Block | int]:
    """A loss, z, alpha in its domain and y; every norm that BallHuber needs is rational."""
    generator = random.Random(seed)
    gamma, size = generator.choice(QUARTERS), generator.choice([2, 3, 4])
    z = tuple(generator.choice(SMALL) for _ in range(size))
    if name == "multiclass-smoothed-hinge":
        loss: Any = MulticlassSmoothedHinge(gamma)
        c = generator.randrange(size)
        return loss, z, loss.minus_class(draw_simplex(generator, size), c), c
    b = tuple(generator.choice(SMALL) for _ in range(2))
    direction = generator.choice([(F(3, 5), F(4, 5)), (F(-5, 13), F(12, 13)), (F(0), F(-1))])
    if name == "squared":
        return Separable(Squared(gamma)), z[:2], tuple(generator.choice(SMALL) for _ in range(2)), b
    loss = BallHuber(gamma)
    alpha = tuple(F(generator.randrange(-7, 8), 10) for _ in range(2))
    length = generator.choice(QUARTERS)
    return loss, tuple(length * x + b_k for x, b_k in zip(direction, b)), alpha, b


EXACT = ["squared", "multiclass-smoothed-hinge", "ball-huber"]


@pytest.mark.parametrize("name", EXACT)
def test_the_residual_is_the_fenchel_young_gap_and_vanishes_at_the_derivative(name: str) -> None:
    for seed in range(200):
        loss, z, alpha, y = draw_case(name, seed)
        expected = loss.value(z, y) + loss.conjugate(alpha, y) - inner(alpha, z)
        assert loss.residual(z, alpha, y) == expected >= 0
        assert loss.residual(z, loss.derivative(z, y), y) == 0
        q = F(0) if name == "ball-huber" else F(seed % 3)  # whose norms are not rational for other q
        best = loss.dual_step(z, alpha, y, q)
        assert best == loss.derivative(tuple(z_k - q * (b - a) for z_k, b, a in zip(z, best, alpha)), y)


def draw_softmax(seed: int) -> tuple[list[float], Block, int, float]:
    generator = random.Random(seed)
    size = generator.choice([2, 3, 10])
    z = [generator.gauss(0, 1) * 10.0 ** generator.uniform(-2, 2.5) for _ in range(size)]
    c = generator.randrange(size)
    beta = [generator.choice([0.0, generator.expovariate(1)]) for _ in range(size)]
    beta[c] += 0.1
    total = sum(beta)
    return z, Softmax().minus_class([b / total for b in beta], c), c, 10.0 ** generator.uniform(-4, 8)


def spread(step: Block, z: list[float], alpha: Block, c: int, q: float) -> float:
    """How far ln beta_k - z_k + q (beta_k - beta_k^0) is from one number for all k (the multiplier), in units of beta's
    2^-52.

    beta_k moves that expression by 1/beta_k + q a unit, so the residual is weighted by beta_k/(1 + q beta_k).
    """
    loss = Softmax()
    beta, old = loss.beta(step, c), loss.beta(alpha, c)
    terms = [math.log(b) - z_k + q * (b - o) if b > 0 else math.nan for b, z_k, o in zip(beta, z, old)]
    heavy = max(range(len(beta)), key=lambda k: beta[k])
    return max(abs(t - terms[heavy]) * b / (1 + q * b) for t, b in zip(terms, beta) if b > 0) / ULP


def test_the_softmax_dual_step_is_stationary() -> None:
    """Weighted residual below 8 (4 + |z|) 2^-52, each of the eight roundings on the way at most as large as z or ln
    beta.

    ln beta_k <= 745 weighs nothing (beta |ln beta| < 1/2), so |z| and constants are all. Control: the step of 0.999 q
    is seen.
    """
    seen = 0
    for seed in range(400):
        z, alpha, c, q = draw_softmax(seed)
        loss = Softmax().over(float)
        room = 8 * (4 + max(map(abs, z)))
        step = loss.dual_step(tuple(z), alpha, c, q)
        assert loss.in_domain(step, c) and spread(step, z, alpha, c, q) <= room, (
            seed,
            spread(step, z, alpha, c, q),
            room,
        )
        seen += spread(loss.dual_step(tuple(z), alpha, c, 0.999 * q), z, alpha, c, q) > room
    assert seen > 200


def test_the_softmax_residual_is_the_fenchel_young_gap() -> None:
    """Against the plain difference, whose own rounding is 16 (2 + |z|) 2^-52; at the derivative it is far smaller than
    that.
    """
    loss = Softmax().over(float)
    for seed in range(200):
        z, alpha, c, _ = draw_softmax(seed)
        plain = loss.value(tuple(z), c) + loss.conjugate(alpha, c) - inner(alpha, z)
        residual = loss.residual(tuple(z), alpha, c)
        assert residual >= 0 and abs(residual - plain) <= 16 * len(z) * (2 + max(map(abs, z))) * ULP
        assert loss.residual(tuple(z), loss.derivative(tuple(z), c), c) <= len(z) * ULP * ULP * 64
