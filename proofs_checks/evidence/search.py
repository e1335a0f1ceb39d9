"""Adversarial search for the problem and the state at which a step gains least: found in floats, judged in exact
arithmetic.

The objective is n E[D(alpha+) - D(alpha)] / gap, by the reference's own step. Nelder-Mead moves rows, targets
and dual point freely inside the hypotheses: lam is always ratio R^2/(n gamma) for the R of the current rows,
and alpha stays inside its domain. Only the point found counts: it is read as exact rationals and evaluated
again in Fractions, or in decimal intervals for the logistic loss.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.reference import LOSSES, Interval
from dualgap.reference.numbers.arithmetic import Number, logistic

SMALLEST_GAP = 1e-6  # D is of size 1, so its rounding (about 1e-16) stays below 1e-9 of the ratio
RESTART = 400  # evaluations of one Nelder-Mead run


@dataclass(frozen=True)
class Found:
    """The best point of a search: its instance, the ratio there in floats, and how many evaluations it took."""

    instance: Instance
    ratio: float
    evaluations: int


class _Reached(Exception):
    """The target is reached: stop."""


def search(
    loss: str, ratio: Fraction, target: float, generator: random.Random, evaluations: int = 4000, n: int = 2, d: int = 2
) -> Found:
    """Minimise n E[increase]/gap over problems with lam n gamma/R^2 = ratio, until ``target`` or out of evaluations.

    Parameters
    ----------
    loss : a smooth loss; gamma = 1 where it is free.
    ratio : rational > 0.
    target : stop as soon as the ratio is at most this.
    generator : the source of the starting points.
    evaluations, n, d : the effort, and the size of the problems.
    """
    from scipy.optimize import minimize

    labels = [generator.choice((1, -1)) for _ in range(n)]
    best: list[Found] = []
    count = 0

    def objective(point: Sequence[float]) -> float:
        nonlocal count
        count += 1
        instance = instance_at(point, labels, loss, ratio, d)
        value = float_ratio(instance)
        if not best or value < best[0].ratio:
            best[:] = [Found(instance, value, count)]
            if value <= target:
                raise _Reached
        return value

    try:
        while count < evaluations:
            labels[:] = [generator.choice((1, -1)) for _ in range(n)]
            start = [generator.gauss(0, 1) for _ in range(n * (d + 2))]
            minimize(objective, start, method="Nelder-Mead", options={"maxfev": min(RESTART, evaluations - count)})
    except _Reached:
        pass
    return Found(best[0].instance, best[0].ratio, count)


def instance_at(point: Sequence[float], labels: Sequence[int], loss: str, ratio: Fraction, d: int) -> Instance:
    """The instance of a point in R^(n (d + 2)): n rows, n targets, n dual coordinates; every point is admissible."""
    n, kind = len(labels), LOSSES[loss]
    numbers = [Fraction(float(p)) for p in point]
    rows = tuple(tuple(numbers[i * d : (i + 1) * d]) for i in range(n))
    targets, duals = numbers[n * d : n * d + n], numbers[n * d + n :]
    y = tuple(Q(label) for label in labels) if kind.margin else tuple(targets)
    alpha = tuple(-v * Fraction(logistic(float(a))) for v, a in zip(y, duals)) if kind.margin else tuple(duals)
    R2 = max(sum((x * x for x in row), Q(0)) for row in rows) or Q(1)
    return Instance(rows, y, alpha, ratio * R2 / (n * kind.default_gamma), loss)


def float_ratio(instance: Instance) -> float:
    """n E[increase]/gap in floats; 1, which no step exceeds, where the gap is too small for floats."""
    c = Context(instance, number=float)
    gap: float = c.gap
    if not gap > SMALLEST_GAP or not math.isfinite(gap):
        return 1.0
    return float(c.n * c.expected_increase / gap)


def exact_ratio(instance: Instance) -> Number:
    """n E[increase]/gap as a Fraction; for the logistic loss as an Interval (to be compared inside ``decide``)."""
    c = Context(instance, number=Fraction if LOSSES[instance.loss].rational else Interval)
    return c.n * c.expected_increase / c.gap
