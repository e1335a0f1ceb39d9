"""A loss whose formulas belong together has no finding; each planted mistake has one, which names the formula."""

import re
from fractions import Fraction

import pytest
from toys.own_objective import Huber

from dualgap.reference import LOSSES, Absolute, Hinge, Logistic, Loss, SmoothedHinge, Squared, SquaredHinge, check_loss
from dualgap.reference.problem.losses import clip


@pytest.mark.parametrize("name", LOSSES)
def test_nothing_is_found_in_a_registered_loss(name):
    assert check_loss(name) == []


@pytest.mark.parametrize("loss", [Squared("1/3"), SmoothedHinge(3), Huber(), Huber("5/7")])
def test_nothing_is_found_whatever_gamma_is(loss):
    assert check_loss(loss) == []


class Quantile(Loss):
    """3/4 e above, -e/4 below: ends that are no integers, a residual and a domain that are derived."""

    name, margin = "quantile", False
    default_gamma = Fraction(0)
    domain, ends = "-1/4 <= alpha <= 3/4", (Fraction(-1, 4), Fraction(3, 4))

    def value(self, z, y):
        return 3 * (z - y) / 4 if z >= y else (y - z) / 4

    def derivative(self, z, y):
        return self.one * 3 / 4 if z > y else -self.one / 4 if z < y else self.zero

    def conjugate(self, alpha, y):
        return y * alpha

    def dual_step(self, z, alpha, y, q):
        low, high = -self.one / 4, self.one * 3 / 4
        return clip(alpha + (z - y) / q, low, high) if q > 0 else high if z > y else low if z < y else alpha


def test_nothing_is_found_in_a_loss_with_other_ends():
    assert check_loss(Quantile()) == []


def huber_conjugate(self, alpha, y):
    """Without the domain."""
    return y * alpha + self.gamma * alpha * alpha / 2


MISTAKES = {  # what is planted: (class, what is changed, the formula, what the message says)
    "a constant in the conjugate": (
        Huber,
        {"conjugate": lambda s, a, y: huber_conjugate(s, a, y) + 1},
        "conjugate",
        "everywhere 1 too much, a constant",
    ),
    "a small constant the other way": (
        Huber,
        {"conjugate": lambda s, a, y: huber_conjugate(s, a, y) - Fraction(1, 100)},
        "conjugate",
        "everywhere -0.01 too much",
    ),
    "a conjugate without the half": (
        Squared,
        {"conjugate": lambda s, a, y: y * a + s.gamma * a * a},
        "conjugate",
        "and d z - phi",
    ),
    "the sign of the derivative": (
        Huber,
        {"derivative": lambda s, z, y: -Huber.derivative(s, z, y)},
        "derivative",
        "the sign is the opposite",
    ),
    "half of the derivative": (
        Huber,
        {"derivative": lambda s, z, y: Huber.derivative(s, z, y) / 2},
        "derivative",
        "everywhere 2 times as much, a factor .a normalisation. is missing",
    ),
    "twice the value": (
        Huber,
        {"value": lambda s, z, y: 2 * Huber.value(s, z, y)},
        "derivative",
        "a factor .a normalisation. is missing",
    ),
    "a concave value": (Huber, {"value": lambda s, z, y: -Huber.value(s, z, y)}, "value", "not convex"),
    "a domain that is too wide": (Huber, {"ends": (-2, 2), "conjugate": huber_conjugate}, "domain", "too wide"),
    "no end of the domain": (Huber, {"ends": (None, None), "conjugate": huber_conjugate}, "domain", "too wide"),
    "in_domain beyond ends": (Huber, {"in_domain": lambda s, a, y: True}, "domain", "beyond ends"),
    "a domain that is too narrow": (Huber, {"ends": (Fraction(-1, 2), Fraction(1, 2))}, "domain", "too narrow"),
    "gamma too large": (SquaredHinge, {"default_gamma": Fraction(1)}, "gamma", "too large.*1/2 at most"),
    "gamma of a loss with a kink": (Hinge, {"default_gamma": Fraction(1)}, "gamma", "too large"),
    "gamma too small": (SquaredHinge, {"default_gamma": Fraction(1, 4)}, "gamma-small", "1/2 would do"),
    "q counted twice": (
        Huber,
        {"dual_step": lambda s, z, a, y, q: Huber.dual_step(s, z, a, y, 2 * q)},
        "dual step",
        "does not minimize",
    ),
    "a dual step that is not clipped": (
        Huber,
        {"dual_step": lambda s, z, a, y, q: (z - y + q * a) / (s.gamma + q)},
        "dual step",
        "outside the domain",
    ),
    "the sign of alpha in the dual step": (
        Huber,
        {"dual_step": lambda s, z, a, y, q: Huber.dual_step(s, z, -a, y, q)},
        "dual step",
        "does not minimize",
    ),
    "a dual step that stays": (
        Absolute,
        {"dual_step": lambda s, z, a, y, q: s.zero + a},
        "dual step",
        "does not minimize",
    ),
    "twice the residual": (
        Huber,
        {"residual": lambda s, z, a, y: 2 * Loss.residual(s, z, a, y)},
        "residual",
        "phi.z. . phi..alpha. - alpha z",
    ),
    "a float in the value": (
        Huber,
        {"value": lambda s, z, y: 0.5 * (z - y) * (z - y)},
        "number",
        "value gives float for Fraction",
    ),
    "a formula that is missing": (Huber, {"dual_step": Loss.dual_step}, "number", "NotImplementedError"),
    "a constant added to the logistic loss": (
        Logistic,
        {"conjugate": lambda s, a, y: Logistic.conjugate(s, a, y) + s.one / 100},
        "conjugate",
        "everywhere 0.01 too much",
    ),
    "gamma of the logistic loss": (Logistic, {"default_gamma": Fraction(5)}, "gamma", "too large"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_and_named(mistake):
    base, changes, formula, text = MISTAKES[mistake]
    found = check_loss(type("Planted", (base,), changes)())
    assert [one.formula for one in found] == [formula], "it alone"
    assert re.search(text, str(found[0])), str(found[0])
    assert "\n" not in str(found[0])


def test_a_name_that_is_not_registered_says_how_to_register_it():
    with pytest.raises(
        ValueError, match="unknown loss 'hubr'; known: squared, .*@register_loss in a module that is imported"
    ):
        check_loss("hubr")
