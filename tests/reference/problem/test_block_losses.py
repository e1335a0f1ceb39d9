"""Block losses against their definitions: exactly in Fractions, softmax within derived bounds."""

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import Logistic, SmoothedHinge, Squared
from dualgap.reference.numbers.arithmetic import ULP
from dualgap.reference.problem.block_losses import (
    BallHuber,
    MulticlassSmoothedHinge,
    Separable,
    Softmax,
    entropy_prox,
    inner,
)

F = Fraction
Block = tuple[Any, ...]
SMALL = [F(numerator, 4) for numerator in range(-9, 10)]
QUARTERS = [F(numerator, 4) for numerator in range(1, 9)]


# -- losses, exactly ---------------------------------------------------------------------------------------------------


def draw_simplex(generator: random.Random, q: int) -> list[Fraction]:
    weights = [F(generator.choice([0, 0, 1, 2, 5])) for _ in range(q)]
    weights[generator.randrange(q)] += 1
    return [weight / sum(weights) for weight in weights]


def draw_case(name: str, seed: int) -> tuple[Any, Block, Block, Block, Any, Fraction]:
    """A loss, z, two points alpha and other of its domain, y, and q > 0; every norm that BallHuber needs is
    rational.
    """
    generator = random.Random(seed)
    gamma, q, size = generator.choice(QUARTERS), generator.choice(QUARTERS), generator.choice([2, 3, 4])
    z = tuple(generator.choice(SMALL) for _ in range(size))
    if name == "multiclass-smoothed-hinge":
        loss: Any = MulticlassSmoothedHinge(gamma)
        c = generator.randrange(size)
        alpha, other = (loss.minus_class(draw_simplex(generator, size), c) for _ in range(2))
        return loss, z, alpha, other, c, q
    b = tuple(generator.choice(SMALL) for _ in range(2))
    direction = generator.choice([(F(3, 5), F(4, 5)), (F(-5, 13), F(12, 13)), (F(0), F(-1))])
    if name == "squared":
        loss = Separable(Squared(gamma))
        alpha, other = (tuple(generator.choice(SMALL) for _ in range(2)) for _ in range(2))
        return loss, z[:2], alpha, other, b, q
    loss = BallHuber(gamma)
    alpha, other = (tuple(F(generator.randrange(-7, 8), 10) for _ in range(2)) for _ in range(2))
    length = generator.choice(QUARTERS)
    free = tuple(length * x for x in direction)
    if seed % 2:  # the dual step's free point is rational in length; else e = z - b is
        z = tuple((gamma + q) * f + b_k - q * a for f, b_k, a in zip(free, b, alpha))
    else:
        z = tuple(f + b_k for f, b_k in zip(free, b))
    return loss, z, alpha, other, b, q


EXACT = ["squared", "multiclass-smoothed-hinge", "ball-huber"]


def excess(loss: Any, best: Block, z: Block, alpha: Block, other: Block, y: Any, q: Fraction) -> Fraction:
    """h(other) - h(best) - ((gamma + q)/2)||other - best||^2 for the dual step's objective h."""

    def h(a: Block) -> Fraction:
        moved = [a_k - alpha_k for a_k, alpha_k in zip(a, alpha)]
        return F(loss.conjugate(a, y) - inner(a, z) + q * inner(moved, moved) / 2)

    apart = [o - b for o, b in zip(other, best)]
    return h(other) - h(best) - (loss.gamma + q) * inner(apart, apart) / 2


@pytest.mark.parametrize("name", EXACT)
def test_the_dual_step_is_the_minimiser_of_its_strongly_convex_objective(name: str) -> None:
    """No point of the domain lies below the parabola at a*; for a point between a* and alpha one often does
    (control).
    """
    caught = 0
    for seed in range(1, 401, 2):
        loss, z, alpha, other, y, q = draw_case(name, seed)
        best = loss.dual_step(z, alpha, y, q)
        assert loss.in_domain(best, y) and excess(loss, best, z, alpha, other, y, q) >= 0, (seed, best)
        beside = tuple((9 * b_k + a_k) / 10 for b_k, a_k in zip(best, alpha))
        caught += excess(loss, beside, z, alpha, other, y, q) < 0
    assert caught >= 20


@pytest.mark.parametrize("name", EXACT)
def test_the_residual_is_the_fenchel_young_gap_and_vanishes_at_the_derivative(name: str) -> None:
    for seed in range(0, 400, 2):
        loss, z, alpha, _, y, _ = draw_case(name, seed)
        expected = loss.value(z, y) + loss.conjugate(alpha, y) - inner(alpha, z)
        assert loss.residual(z, alpha, y) == expected >= 0
        assert loss.residual(z, loss.derivative(z, y), y) == 0
        assert loss.derivative(z, y) == loss.dual_step(z, alpha, y, F(0))


@pytest.mark.parametrize("name", EXACT)
def test_gamma_is_the_largest_strong_convexity_of_the_conjugate(name: str) -> None:
    """phi*(a) >= phi*(v) + <z, a - v> + (gamma/2)||a - v||^2 for v = phi'(z); not with 11/10 gamma (control)."""
    violated = 0
    for seed in range(0, 400, 2):
        loss, z, alpha, _, y, _ = draw_case(name, seed)
        apart = [a - v for a, v in zip(alpha, loss.derivative(z, y))]
        excess = loss.residual(z, alpha, y) - loss.gamma * inner(apart, apart) / 2
        assert excess >= 0
        violated += excess < loss.gamma * inner(apart, apart) / 20
    assert violated > 0


@pytest.mark.parametrize(
    ("b", "z", "y", "s", "gamma", "expected"),
    [
        (1, 3, "-1/2", 1, 1, 0),
        (1, -5, "-1/2", 1, 1, -1),
        (-1, "1/2", "1/4", 2, "1/2", 1),
        (1, "1/2", "-1/4", 2, "1/2", "-5/8"),
    ],
)
def test_single_dual_steps_of_the_smoothed_hinge(b: Any, z: Any, y: Any, s: Any, gamma: Any, expected: Any) -> None:
    step = Separable(SmoothedHinge(gamma)).dual_step((F(z),), (F(y),), (F(b),), 1 / F(s))
    assert step == (F(expected),)


@pytest.mark.parametrize(
    ("margin", "beta", "s", "expected"), [(0.5, 0.25, 1.0, 0.353535291835346), (3.0, 1.0, 0.1, 0.641717402830175)]
)
def test_single_dual_steps_of_the_logistic_loss(margin: float, beta: float, s: float, expected: float) -> None:
    """To the fifteen digits of the published value."""
    assert abs(-Logistic().over(float).dual_step(margin, -beta, 1.0, 1 / s) - expected) <= 5e-16


# -- softmax, in floats ------------------------------------------------------------------------------------------------


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


def test_two_classes_of_softmax_are_the_logistic_loss_at_twice_q() -> None:
    """||beta - beta^0||^2 counts each change twice. Each side has a bound of 8 (4 + |z|) 2^-52."""
    loss, logistic = Softmax().over(float), Logistic().over(float)
    for seed in range(200):
        z, alpha, c, q = draw_softmax(seed)
        if len(z) > 2:
            continue
        other = 1 - c
        expected = -logistic.dual_step(z[c] - z[other], -alpha[other], 1.0, 2 * q)
        assert abs(loss.dual_step(tuple(z), alpha, c, q)[other] - expected) <= 32 * (4 + max(map(abs, z))) * ULP
        assert math.isclose(loss.value(tuple(z), c), logistic.value(z[c] - z[other], 1.0), rel_tol=8 * ULP)


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


@pytest.mark.parametrize("q", [1e-9, 1.0, 1e9, 1e15])
def test_the_nested_solve_ends_and_sums_to_one(q: float) -> None:
    for a in ([0.0, 0.0], [700.0, -700.0, 3.0], [q, 0.0, q / 2], [1e-300, -1e5]):
        assert abs(sum(entropy_prox(a, q)) - 1) <= 4 * ULP
