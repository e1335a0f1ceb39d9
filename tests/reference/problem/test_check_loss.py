"""A loss whose formulas belong together has no finding; each planted mistake has one, which names the formula."""

import re
from fractions import Fraction

import pytest
from toys.own_objective import Huber

from dualgap.reference import LOSSES, Logistic, Loss, SmoothedHinge, Squared, SquaredHinge, check_loss


@pytest.mark.parametrize("name", LOSSES)
def test_nothing_is_found_in_a_registered_loss(name):
    assert check_loss(name) == []


@pytest.mark.parametrize("loss", [Squared("1/3"), SmoothedHinge(3), Huber(), Huber("5/7")])
def test_nothing_is_found_whatever_gamma_is(loss):
    assert check_loss(loss) == []


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
    "twice the value": (
        Huber,
        {"value": lambda s, z, y: 2 * Huber.value(s, z, y)},
        "derivative",
        "a factor .a normalisation. is missing",
    ),
    "a concave value": (Huber, {"value": lambda s, z, y: -Huber.value(s, z, y)}, "value", "not convex"),
    "a domain that is too wide": (Huber, {"ends": (-2, 2), "conjugate": huber_conjugate}, "domain", "too wide"),
    "in_domain beyond ends": (Huber, {"in_domain": lambda s, a, y: True}, "domain", "beyond ends"),
    "a domain that is too narrow": (Huber, {"ends": (Fraction(-1, 2), Fraction(1, 2))}, "domain", "too narrow"),
    "gamma too large": (SquaredHinge, {"default_gamma": Fraction(1)}, "gamma", "too large.*1/2 at most"),
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
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_planted_mistake_is_found_and_named(mistake):
    base, changes, formula, text = MISTAKES[mistake]
    found = check_loss(type("Planted", (base,), changes)())
    assert [one.formula for one in found] == [formula], "it alone"
    assert re.search(text, str(found[0])), str(found[0])
    assert "\n" not in str(found[0])
