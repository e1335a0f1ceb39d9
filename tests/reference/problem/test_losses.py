"""The six losses, checked from ``value`` alone: derivative, conjugate, residual, dual step and gamma follow from it.

For the five piecewise quadratic losses everything is exact, in Fractions. One-sided derivatives come from three
values: (4 phi(z+h) - phi(z+2h) - 3 phi(z))/(2h) is exact for a quadratic, and h is chosen so that no kink lies
strictly between z and z + 2h. The logistic loss is compared with decimal arithmetic in ``test_logistic``.
Each check is a function that lists violations, and each has a broken loss that it must catch.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from dualgap.reference import LOSSES, Absolute, Hinge, Logistic, Loss, SmoothedHinge, Squared, SquaredHinge
from dualgap.reference.problem import losses

EXACT = [
    Squared(),
    Squared("1/3"),
    Squared("5/2"),
    SmoothedHinge(),
    SmoothedHinge("1/4"),
    SmoothedHinge(3),
    SquaredHinge(),
    Hinge(),
    Absolute(),
]
TINY = Fraction(1, 10**30)

exact = pytest.mark.parametrize("loss", EXACT, ids=repr)


def points(loss: Loss, y: Fraction) -> list[Fraction]:
    """Values of z: the kinks, points beside them, both far ends, and random ones."""
    r = random.Random(f"points {loss} {y}")
    near = [kink + step for kink in loss.kinks(y) for step in (0, TINY, -TINY, Fraction(1, 7), Fraction(-1, 7))]
    return [
        *near,
        Fraction(0),
        Fraction(100),
        Fraction(-100),
        *(Fraction(r.randint(-40, 40), r.randint(1, 9)) for _ in range(8)),
    ]


def feasible(loss: Loss, y: Fraction) -> list[Fraction]:
    """Values of alpha in the domain of the conjugate, its edges among them."""
    r = random.Random(f"feasible {loss} {y}")
    grid = [Fraction(k, 6) for k in range(-12, 13)] + [Fraction(r.randint(-30, 30), r.randint(1, 30)) for _ in range(6)]
    return [alpha for alpha in grid if loss.in_domain(alpha, y)]


def labels(loss: Loss) -> list[Fraction]:
    return [Fraction(1), Fraction(-1)] if loss.margin else [Fraction(1), Fraction(-7, 3)]


def samples(loss: Loss) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """(z, alpha, y)."""
    for y in labels(loss):
        yield from ((z, alpha, y) for z, alpha in itertools.product(points(loss, y), feasible(loss, y)))


def slopes(loss: Loss, z: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
    """The subdifferential [left, right] of phi at z, from values of phi alone."""
    clear = [abs(z - kink) for kink in loss.kinks(y) if kink != z]
    h = min(clear, default=Fraction(1)) / 2

    def one_sided(h: Fraction) -> Any:
        return (4 * loss.value(z + h, y) - loss.value(z + 2 * h, y) - 3 * loss.value(z, y)) / (2 * h)

    return one_sided(-h), one_sided(h)


# -- the checks: each lists its violations ----------------------------------------------------------------------------


def violations_of_derivative(loss: Loss) -> list[Any]:
    """derivative is a subgradient, single-valued where gamma > 0, and it increases with z."""
    found: list[Any] = []
    for y in labels(loss):
        previous = None
        for z in sorted(set(points(loss, y))):
            left, right = slopes(loss, z, y)
            slope = loss.derivative(z, y)
            if (
                not left <= slope <= right
                or (loss.gamma > 0 and left != right)
                or (previous is not None and left < previous)
            ):
                found.append((z, y, left, slope, right))
            previous = right
    return found


def violations_of_conjugate(loss: Loss) -> list[Any]:
    """phi*(alpha) = sup_z alpha z - phi(z): never below, and attained where alpha is a subgradient."""
    found = [(z, a, y) for z, a, y in samples(loss) if loss.conjugate(a, y) < a * z - loss.value(z, y)]
    for y in labels(loss):
        for z in points(loss, y):
            left, right = slopes(loss, z, y)
            for a in (left, (2 * left + right) / 3, right):
                if not loss.in_domain(a, y) or loss.conjugate(a, y) != a * z - loss.value(z, y):
                    found.append((z, a, y))
    return found


def violations_of_residual(loss: Loss) -> list[Any]:
    """residual = phi + phi* - alpha z exactly, >= 0, and 0 exactly at the subgradients."""
    found = []
    for z, a, y in samples(loss):
        residual, (left, right) = loss.residual(z, a, y), slopes(loss, z, y)
        whole = loss.value(z, y) + loss.conjugate(a, y) - a * z
        if residual != whole or residual < 0 or (residual == 0) != (left <= a <= right):
            found.append((z, a, y, residual, whole))
    return found


def violations_of_dual_step(loss: Loss) -> list[Any]:
    """a = argmin phi*(a) - a z + (q/2)(a - alpha)^2  <=>  a is a subgradient of phi at z - q (a - alpha)."""
    found = []
    for (z, alpha, y), q in itertools.product(samples(loss), map(Fraction, ("0", "1/7", "1", "50"))):
        a = loss.dual_step(z, alpha, y, q)
        left, right = slopes(loss, z - q * (a - alpha), y)
        if type(a) is not Fraction or not left <= a <= right:
            found.append((z, alpha, y, q, a))
        if q == 0 and loss.gamma > 0 and a != loss.derivative(z, y):
            found.append((z, alpha, y, q, a))
    return found


def violations_of_strong_convexity(loss: Loss) -> list[Any]:
    """FY >= (gamma/2)(phi'(z) - alpha)^2, and gamma is the largest constant: somewhere phi'' = 1/gamma."""
    found: list[Any] = [
        (z, a, y)
        for z, a, y in samples(loss)
        if loss.residual(z, a, y) < loss.gamma * (loss.derivative(z, y) - a) ** 2 / 2
    ]
    for y in labels(loss):
        z = sorted(points(loss, y))
        rises = [
            (loss.derivative(u, y) - loss.derivative(v, y)) * loss.gamma - (u - v)
            for v, u in itertools.pairwise(z)
            if u > v
        ]
        if loss.gamma > 0 and max(rises) != 0:
            found.append((y, max(rises)))
    return found


CHECKS: list[Callable[[Loss], list[Any]]] = [
    violations_of_derivative,
    violations_of_conjugate,
    violations_of_residual,
    violations_of_dual_step,
    violations_of_strong_convexity,
]


@exact
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("violations_of_"))
def test_a_piecewise_quadratic_loss_is_what_its_value_says(check: Callable[[Loss], list[Any]], loss: Loss) -> None:
    assert check(loss) == []


@pytest.mark.parametrize(
    ("loss", "z", "y", "value"),
    [
        (Squared(), 3, 1, 2),
        (Squared("1/2"), 3, 1, 4),
        (SmoothedHinge(), 2, 1, 0),
        (SmoothedHinge(), 0, -1, "1/2"),
        (SmoothedHinge(), 1, -1, "3/2"),
        (SmoothedHinge("1/2"), "3/4", 1, "1/16"),
        (SmoothedHinge("1/2"), 0, 1, "3/4"),
        (SquaredHinge(), -1, 1, 4),
        (Hinge(), -1, 1, 2),
        (Hinge(), -1, -1, 0),
        (Absolute(), 1, 3, 2),
        (Absolute(), 3, 1, 2),
    ],
)
def test_values_computed_by_hand(loss: Loss, z: Any, y: int, value: Any) -> None:
    assert loss.value(Fraction(z), Fraction(y)) == Fraction(value)


def test_on_the_kink_the_subgradient_is_zero_for_the_losses_that_are_not_smooth() -> None:
    for y in (Fraction(1), Fraction(-1)):
        assert Hinge().derivative(y, y) == Absolute().derivative(y, y) == 0


@exact
def test_kinks_are_exactly_the_points_where_a_derivative_jumps(loss: Loss) -> None:
    def curvature(z: Fraction, h: Fraction) -> Any:  # of the piece between z and z + 2h
        return (loss.value(z + 2 * h, y) - 2 * loss.value(z + h, y) + loss.value(z, y)) / h**2

    for y in labels(loss):
        for z in points(loss, y):
            clear = min([abs(z - kink) for kink in loss.kinks(y) if kink != z], default=Fraction(1)) / 2
            left, right = slopes(loss, z, y)
            smooth = left == right and curvature(z, clear) == curvature(z, -clear)
            assert smooth == (z not in loss.kinks(y)), f"{loss} at z = {z}, y = {y}"


def test_the_squared_loss_has_equality_in_strong_convexity() -> None:
    for gamma in ("1/3", 1, "5/2"):
        loss = Squared(gamma)
        for z, a, y in samples(loss):
            assert loss.residual(z, a, y) == loss.gamma * (loss.derivative(z, y) - a) ** 2 / 2


@pytest.mark.parametrize("loss", [*EXACT[3:], Logistic()], ids=repr)
def test_one_step_outside_the_domain_is_refused_and_its_edge_is_legal(loss: Loss) -> None:
    for y in labels(loss):
        edges = (
            [-y]
            if loss.name == "squared-hinge"
            else [Fraction(-1), Fraction(1)]
            if loss.name == "absolute"
            else [0 * y, -y]
        )
        outside = [y * TINY] if loss.margin else []
        outside += [] if loss.name == "squared-hinge" else [-y * (1 + TINY)] if loss.margin else [1 + TINY, -1 - TINY]
        assert all(loss.in_domain(alpha, y) for alpha in edges)
        for alpha in outside:
            assert not loss.in_domain(alpha, y)
            for call in (loss.conjugate, partial(loss.residual, Fraction(0))):
                with pytest.raises(ValueError, match=f"outside the domain .* {loss.name} "):
                    call(alpha, y)


# -- controls: a wrong loss is caught, and by the check that is meant to catch it --------------------------------------


class ConjugateWithoutGamma(SmoothedHinge):
    def conjugate(self, alpha: Any, y: Any) -> Any:
        return y * alpha + alpha * alpha / 2


class ResidualWithoutGamma(Squared):
    def residual(self, z: Any, alpha: Any, y: Any) -> Any:
        return (self.derivative(z, y) - alpha) ** 2 / 2


class StepWithoutQ(SmoothedHinge):
    def dual_step(self, z: Any, alpha: Any, y: Any, q: Any) -> Any:
        return self.derivative(z, y)


class StepOfTheOtherSign(Squared):
    def dual_step(self, z: Any, alpha: Any, y: Any, q: Any) -> Any:
        return -super().dual_step(z, -alpha, y, q)


class StepWithoutClip(Hinge):
    def dual_step(self, z: Any, alpha: Any, y: Any, q: Any) -> Any:
        return alpha - y * (1 - y * z) / q if q > 0 else super().dual_step(z, alpha, y, q)


class DerivativeWithoutGamma(SmoothedHinge):
    def derivative(self, z: Any, y: Any) -> Any:
        return -y * min(max(1 - y * z, 0 * z), 0 * z + 1)


class GammaTwiceTooLarge(SquaredHinge):
    default_gamma = Fraction(1)


class GammaTwiceTooSmall(SquaredHinge):
    default_gamma = Fraction(1, 4)


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (ConjugateWithoutGamma("1/4"), violations_of_conjugate),
        (ConjugateWithoutGamma("1/4"), violations_of_residual),
        (ResidualWithoutGamma("1/3"), violations_of_residual),
        (StepWithoutQ(), violations_of_dual_step),
        (StepOfTheOtherSign(), violations_of_dual_step),
        (StepWithoutClip(), violations_of_dual_step),
        (DerivativeWithoutGamma("1/4"), violations_of_derivative),
        (GammaTwiceTooLarge(), violations_of_strong_convexity),
        (GammaTwiceTooSmall(), violations_of_strong_convexity),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, Loss) else x.__name__,
)
def test_a_broken_loss_is_caught(broken: Loss, check: Callable[[Loss], list[Any]]) -> None:
    assert check(broken)


# -- floats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOSSES)
def test_in_floats_the_dual_step_stays_in_the_domain_at_every_scale(name: str) -> None:
    """From 1e-150 to 1e150, where no product of two of the arguments overflows or is not a number."""
    loss = LOSSES[name]().over(float)
    r = random.Random(name)

    def size() -> float:
        return r.choice((0.0, r.uniform(0, 2), 10.0 ** r.uniform(-150, 150)))

    for _ in range(2000):
        y = r.choice((-1.0, 1.0))
        b = r.choice((0.0, 1.0, r.random(), 10.0 ** r.uniform(-300, 0)))
        z, alpha, q = r.choice((-1, 1)) * size(), -y * b, size()
        a = loss.dual_step(z, alpha, y, q)
        assert type(a) is float and loss.in_domain(a, y), (z, alpha, y, q, a)
        assert loss.residual(z, a, y) >= 0


@exact
def test_float_residuals_have_no_cancellation(loss: Loss) -> None:
    """Inputs are k/2^10 with |k| < 2^13: sums and products of two of them are exact, so only gamma, its quotients and
    their squares round: at most 8 roundings. The one difference of rounded terms is error = slope - alpha, where the
    slope carries two roundings (gamma, the quotient), which the square doubles: 4 |slope|/|error| more."""
    copied, unit, r = loss.over(float), Fraction(1, 2**53), random.Random(repr(loss))
    for _ in range(500):
        y = Fraction(r.choice((-1, 1)))
        z, b = Fraction(r.randrange(-(2**13), 2**13), 2**10), Fraction(r.randrange(2**10 + 1), 2**10)
        exactly = loss.residual(z, -y * b, y)
        got = Fraction(copied.residual(float(z), float(-y * b), float(y)))
        slope = abs(loss.derivative(z, y))
        error = abs(loss.derivative(z, y) + y * b)
        roundings = 8 + (4 * slope / error if error else 0)
        assert abs(got - exactly) <= roundings * unit * exactly + (0 if error else slope**2 * unit**2 * 8), (z, y, b)


# -- validation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [0, -1, "nan", float("nan"), float("inf"), None, True, "abc", [1]])
@pytest.mark.parametrize("cls", [Squared, SmoothedHinge])
def test_gamma_must_be_a_positive_number(cls: type[Loss], gamma: Any) -> None:
    if gamma is None:
        assert cls(gamma).gamma == 1  # the default
        return
    with pytest.raises(ValueError, match="^gamma must be"):
        cls(gamma)


@pytest.mark.parametrize("cls", [SquaredHinge, Hinge, Logistic, Absolute])
def test_a_loss_with_its_own_gamma_refuses_another(cls: type[Loss]) -> None:
    with pytest.raises(ValueError, match=f"loss {cls.name} has the fixed gamma = .*leave gamma out .*got 1"):
        cls(1)


def test_the_registry_has_the_losses_of_the_table_in_the_docstring_by_their_names() -> None:
    table = (losses.__doc__ or "").split("\n====")[2].splitlines()[1:]
    here = [cls.__name__ for cls in LOSSES.values() if cls.__module__ == losses.__name__]
    assert [line.split()[0] for line in table if line[:1].strip()] == here
    assert all(cls.name == name for name, cls in LOSSES.items())
