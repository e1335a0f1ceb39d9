"""The six losses: the edges of their domains, their floats, and what they refuse; their formulas:
test_check_loss.
"""

import random
from fractions import Fraction

import pytest
from support import refuses

from dualgap.reference import LOSSES, Absolute, Hinge, Logistic, Loss, SmoothedHinge, Squared, SquaredHinge

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

exact = pytest.mark.parametrize("loss", EXACT, ids=repr)


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


@pytest.mark.parametrize("gamma", [0, -1, "nan", float("nan"), float("inf"), None, True, "abc", [1]])
@pytest.mark.parametrize("cls", [Squared, SmoothedHinge])
def test_gamma_must_be_a_positive_number(cls: type[Loss], gamma: object) -> None:
    if gamma is None:
        assert cls(gamma).gamma == 1  # the default
        return
    refuses(ValueError, "^gamma must be", cls, gamma)


@pytest.mark.parametrize("cls", [SquaredHinge, Hinge, Logistic, Absolute])
def test_a_loss_with_its_own_gamma_refuses_another(cls: type[Loss]) -> None:
    refuses(ValueError, f"loss {cls.name} has the fixed gamma = .*leave gamma out .*got 1", cls, 1)


class Slotted(SmoothedHinge):
    __slots__ = ("__own", "empty", "scale")

    def __init__(self) -> None:
        super().__init__()
        self.scale, self.__own = 2, 3

    def own(self) -> int:
        return self.__own


def test_a_loss_of_one_s_own_keeps_all_its_attributes_over_another_number() -> None:
    found = Slotted().over(float)
    assert isinstance(found, Slotted) and (found.scale, found.own()) == (2, 3) and not hasattr(found, "empty")
