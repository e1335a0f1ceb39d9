"""Whether a compiled loss is the reference's, bit for bit, and whether its ``error`` bounds what rounding does to its residual."""

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import losses
from dualgap.fast.problem import registered_losses as registered
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.own_loss import rounded_up
from dualgap.fast.problem.registered_losses import CompiledLoss
from dualgap.reference.numbers.interval import Interval, digits
from dualgap.reference.problem.check_loss import Finding, LossCheck
from dualgap.reference.problem.losses import LOSSES, Loss

POINTS = 200  # drawn beside the ones of ``check_loss``
DIGITS = 60  # of the intervals in which a residual that is not rational is known


def check_compiled_loss(loss: Loss | str) -> list[Finding]:
    """What is wrong with the compiled formulas of a loss that is right, at most one finding for each; [] where nothing is.

    Parameters
    ----------
    loss : a loss, such as Huber(gamma=2), or the name of a registered one.

    Raises
    ------
    ValueError
        No loss, or no compiled loss, is registered under that name.

    >>> check_compiled_loss("smoothed-hinge")
    []
    """
    given = (LOSSES[loss]() if isinstance(loss, str) else loss).over(float)
    code = CODES[given.name]
    found = []
    for name, rule in (("bits", different_bits), ("in_domain", different_domains), ("error", too_small_errors)):
        text = next(rule(given, code), None)
        if text is not None:
            found.append(Finding(given.name, f"compiled {name}", text))
    return found


def points(loss: Loss) -> Iterator[tuple[float, float, float, float]]:
    """(z, alpha, y, q), alpha in the domain: those of ``check_loss`` as doubles, and as many that were drawn once."""
    check, rng = LossCheck(loss), np.random.default_rng(1)
    for y in check.labels:
        z, alphas = [float(z) for z in check.z(y)], [float(a) for a in check.alphas(y)]
        for z_i, alpha, q in product(z, alphas, (0.0, 0.5, 3.0)):
            yield z_i, alpha, float(y), q
        spread = 10.0 ** rng.uniform(-8, 3, POINTS) * rng.choice([-1.0, 1.0], POINTS)
        shares, qs = rng.random(POINTS), rng.exponential(1.0, POINTS)
        for z_i, share, q in zip(spread.tolist(), shares.tolist(), qs.tolist()):
            alpha = min(alphas) + share * (max(alphas) - min(alphas))
            if loss.in_domain(alpha, float(y)):
                yield float(y) + z_i, alpha, float(y), q


def different_bits(loss: Loss, code: Any) -> Iterator[str]:
    """Each formula against the reference's method."""
    compiled: dict[str, Callable[..., Any]] = {name: getattr(losses, name) for name in ("value", "derivative", "conjugate", "dual_step", "residual")}
    gamma = float(loss.gamma)
    for z, alpha, y, q in points(loss):
        arguments = {"value": (z, y), "derivative": (z, y), "conjugate": (alpha, y), "dual_step": (z, alpha, y, q), "residual": (z, alpha, y)}
        for name, numbers in arguments.items():
            expected, got = float(getattr(loss, name)(*numbers)), float(compiled[name](code, gamma, *numbers))
            if expected.hex() != got.hex():
                yield f"{name}{numbers} = {got!r}, and the reference's is {expected!r}: write the same operations in the same order"


def different_domains(loss: Loss, code: Any) -> Iterator[str]:
    """in_domain inside, next to the ends and far outside; a NaN is outside."""
    inside = [(alpha, y) for _, alpha, y, _ in points(loss)]
    labels = {y for _, y in inside}
    ends = [math.nextafter(float(end), step * math.inf) for end, step in zip(loss.ends, (-1, 1)) if end is not None]
    edges = [end * (-y if loss.margin else 1.0) for end in ends for y in labels]
    outside = [(alpha, y) for alpha in (*edges, math.nan, math.inf, -math.inf) for y in labels]
    for alpha, y in inside + outside:
        expected = math.isfinite(alpha) and bool(loss.in_domain(alpha, y))
        if bool(losses.in_domain(code, alpha, y)) != expected:
            yield f"in_domain({alpha!r}, {y!r}) = {not expected}, and the reference's is {expected}"


def too_small_errors(loss: Loss, code: Any) -> Iterator[str]:
    """|residual - FY| <= error, FY exactly of these doubles."""
    if not isinstance(code, CompiledLoss) or not hasattr(code, "error"):
        return
    check, gamma = LossCheck(loss), float(loss.gamma)
    for z, alpha, y, _ in points(loss):
        with digits(DIGITS):
            exact = check.loss.over(check.number).residual(*(check.number(x) for x in (z, alpha, y)))
            off = abs(exact - check.number(losses.residual(code, gamma, z, alpha, y)))
        bound = float(error_of(code, gamma, z, alpha, y))
        if not off <= bound:
            most = rounded_up(off.high if isinstance(off, Interval) else off)
            yield f"error({z!r}, {alpha!r}, {y!r}) = {bound!r}, and the residual is off by {most!r}"


@kernel
def error_of(code, gamma, z, alpha, y):
    """``error`` of a registered loss."""
    return registered.error(code, gamma, z, alpha, y)
