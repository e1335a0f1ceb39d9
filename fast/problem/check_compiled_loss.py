"""Check that a compiled loss is bit-identical to the reference, and that its ``error`` bounds the rounding error of its
residual."""

import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from dualgap.fast.problem import losses
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.registered_losses import CompiledLoss
from dualgap.reference.numbers.interval import Interval, digits
from dualgap.reference.numbers.own_context import in_own_context
from dualgap.reference.problem.check_loss import Finding, LossCheck
from dualgap.reference.problem.losses import LOSSES, Loss

POINTS = 200  # drawn in addition to those of ``check_loss``
ARGUMENTS = {
    "value": ("z", "y"),
    "derivative": ("z", "y"),
    "conjugate": ("alpha", "y"),
    "dual_step": ("z", "alpha", "y", "q"),
    "residual": ("z", "alpha", "y"),
}
BELIEVED = ("value", "conjugate")  # by a certificate that knows the residual by its ``error``
DIGITS = 60  # of the intervals in which a residual that is not rational is known


@in_own_context
def check_compiled_loss(loss: Loss | str) -> list[Finding]:
    """Return the errors in the compiled formulas of a loss whose reference is right, at most one for each formula; []
    if there are none.

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
    return findings(LOSSES[loss]() if isinstance(loss, str) else loss, ARGUMENTS)


def findings(loss: Loss, formulas: Iterable[str]) -> list[Finding]:
    """Return the findings of ``check_compiled_loss``, with only these formulas compared bit for bit."""
    given, found = loss.over(float), []
    code = CODES[given.name]
    for name, rule in (
        ("bits", partial(different_bits, formulas=formulas)),
        ("in_domain", different_domains),
        ("error", too_small_errors),
    ):
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


def different_bits(loss: Loss, code: object, formulas: Iterable[str]) -> Iterator[str]:
    """Each of these formulas against the reference's method."""
    gamma, compiled = float(loss.gamma), {name: formula(code, name) for name in formulas}
    for z, alpha, y, q in points(loss):
        point = {"z": z, "alpha": alpha, "y": y, "q": q}
        for name in compiled:
            numbers = tuple(point[argument] for argument in ARGUMENTS[name])
            expected, got = float(getattr(loss, name)(*numbers)), float(compiled[name](gamma, *numbers))
            if expected.hex() != got.hex():
                yield (
                    f"{name}{numbers} = {got!r}, and the reference's is {expected!r}: write the same operations in the"
                    " same order"
                )


def different_domains(loss: Loss, code: object) -> Iterator[str]:
    """in_domain inside, next to the ends and far outside; a NaN is outside."""
    inside = [(alpha, y) for _, alpha, y, _ in points(loss)]
    labels = {y for _, y in inside}
    ends = [math.nextafter(float(end), step * math.inf) for end, step in zip(loss.ends, (-1, 1)) if end is not None]
    edges = [end * (-y if loss.margin else 1.0) for end in ends for y in labels]
    outside = [(alpha, y) for alpha in (*edges, math.nan, math.inf, -math.inf) for y in labels]
    for alpha, y in inside + outside:
        expected = math.isfinite(alpha) and bool(loss.in_domain(alpha, y))
        if bool(formula(code, "in_domain")(alpha, y)) != expected:
            yield f"in_domain({alpha!r}, {y!r}) = {not expected}, and the reference's is {expected}"


def too_small_errors(loss: Loss, code: object) -> Iterator[str]:
    """|residual - FY| <= error, FY exactly of these doubles."""
    if not isinstance(code, CompiledLoss) or not hasattr(code, "error"):
        return
    check, gamma = LossCheck(loss), float(loss.gamma)
    for z, alpha, y, _ in points(loss):
        with digits(DIGITS):
            exact = check.loss.over(check.number).residual(*(check.number(x) for x in (z, alpha, y)))
            off = abs(exact - check.number(code.residual(gamma, z, alpha, y)))
        bound = float(code.error(gamma, z, alpha, y))
        if not off <= bound:
            most = rounded_up(off.high if isinstance(off, Interval) else off)
            yield f"error({z!r}, {alpha!r}, {y!r}) = {bound!r}, and the residual is off by {most!r}"


def formula(code: object, name: str) -> Callable[..., Any]:
    """The compiled formula of a loss: its own function, which the chain of ``losses`` calls, or for the six the chain
    itself.
    """
    found: Callable[..., Any] = (
        getattr(code, name) if isinstance(code, CompiledLoss) else partial(getattr(losses, name), code)
    )
    return found


def rounded_up(x: Fraction | Decimal) -> float:
    """The least double that is not below x >= 0, or the next."""
    try:
        nearest = float(x)
    except OverflowError:
        return math.inf
    if nearest == math.inf:
        return nearest
    exact = Fraction(nearest) if isinstance(x, Fraction) else Decimal(nearest)
    return max(nearest if exact >= x else math.nextafter(nearest, math.inf), 0.0)
