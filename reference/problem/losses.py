"""The six losses: each with value, derivative, conjugate, dual step and Fenchel-Young residual in one class.

Sign: alpha approximates +phi'(z) with z = x^T w, in every method and every file. For a margin loss
(label y in {-1, +1}) write m = y z and b = -y alpha; hinge-type losses have b in [0, 1].

=============== ============================== ===== =================================== ====================
class           phi(z)                         gamma phi*(alpha)                         domain
=============== ============================== ===== =================================== ====================
Squared         (z-y)^2 / (2 gamma)            > 0   y alpha + gamma alpha^2 / 2         all reals
SmoothedHinge   0 | 1-m-gamma/2 | (1-m)^2/     > 0   y alpha + gamma alpha^2 / 2         0 <= b <= 1
                (2 gamma)
SquaredHinge    max(0, 1-m)^2                  1/2   y alpha + alpha^2 / 4               0 <= b
Hinge           max(0, 1-m)                    0     y alpha                             0 <= b <= 1
Logistic        log(1 + e^-m)                  4     b ln b + (1-b) ln(1-b)              0 <= b <= 1
Absolute        |z-y|                          0     y alpha                             -1 <= alpha <= 1
=============== ============================== ===== =================================== ====================

phi is (1/gamma)-smooth exactly when phi* is gamma-strongly convex; gamma = 0 means not smooth.
The dual step is one formula for all methods, argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 with q >= 0
(SDCA: q = ||x_i||^2/(lam n); ASPDC: q = 0, the derivative). Sources: ASPDC section 2 (line 5, eq. (4));
SDCA (Shalev-Shwartz and Zhang 2013), procedure line 4.
"""

import copy
from fractions import Fraction
from typing import ClassVar

from dualgap.reference.numbers.arithmetic import (
    Number,
    NumberLike,
    NumberType,
    convert,
    logistic,
    logistic_divergence,
    logistic_of_root,
    softplus,
)
from dualgap.reference.numbers.arithmetic import log as natural_log
from dualgap.reference.problem.data import shallow_copy
from dualgap.reference.problem.registry import Registry

ZERO: Number = Fraction(0)
ONE: Number = Fraction(1)


def clip(value: Number, low: Number, high: Number) -> Number:
    """``value`` limited to [low, high]; on a bound the bound itself is returned."""
    return low if value <= low else high if value >= high else value


class Loss:
    """The base of losses. z, alpha, y, q are numbers of one kind; q >= 0.

    A loss of one's own, under ``register_loss``: value, derivative, conjugate, dual_step, default_gamma, ends with
    domain in words, margin; ``check_loss`` says whether they belong together. A loss with further constants overrides
    ``over`` to convert them.

    Parameters
    ----------
    gamma : number > 0, optional
        Only for Squared and SmoothedHinge (default 1); the other losses have their own.

    >>> loss, z, y = SmoothedHinge(gamma="1/2"), Fraction(3, 4), Fraction(1)
    >>> loss.value(z, y), loss.derivative(z, y), loss.conjugate(Fraction(-1, 2), y)
    (Fraction(1, 16), Fraction(-1, 2), Fraction(-7, 16))
    >>> loss.dual_step(z, Fraction(0), y, q=Fraction(1))
    Fraction(-1, 6)
    """

    name: ClassVar[str]
    margin: ClassVar[bool] = True  # labels are -1 and +1
    rational: ClassVar[bool] = True  # runs on Fraction
    default_gamma: ClassVar[Fraction]
    adjustable: ClassVar[bool] = False
    domain: ClassVar[str] = "every real alpha"
    # of the domain, of -y alpha for a margin loss; None: infinite
    ends: ClassVar[tuple[int | Fraction | None, int | Fraction | None]] = (None, None)

    def __init__(self, gamma: NumberLike | None = None) -> None:
        if gamma is not None and not self.adjustable:
            raise ValueError(
                f"loss {self.name} has the fixed gamma = {self.default_gamma}; leave gamma out (got {gamma!r})"
            )
        self.gamma: Number = convert(self.default_gamma if gamma is None else gamma, Fraction, "gamma")
        if self.adjustable and self.gamma.numerator <= 0:
            raise ValueError(f"gamma must be > 0 (got {gamma!r}); gamma = 0 is the loss 'hinge' or 'absolute'")
        self.number: NumberType = Fraction
        self.zero, self.one = ZERO, ONE

    __copy__ = shallow_copy

    def over(self, number: NumberType) -> "Loss":
        """The same loss with its constants in ``number``."""
        copied = copy.copy(self)
        copied.number = number
        copied.gamma = convert(self.gamma, number, "gamma")
        copied.zero, copied.one = number(0), number(1)
        return copied

    def __repr__(self) -> str:
        return f"{type(self).__name__}({f'gamma={self.gamma}' if self.adjustable else ''})"

    def value(self, z: Number, y: Number) -> Number:
        """phi(z)."""
        raise NotImplementedError

    def derivative(self, z: Number, y: Number) -> Number:
        """phi'(z); for hinge and absolute one subgradient (the flat side's at the kink)."""
        raise NotImplementedError

    def in_domain(self, alpha: Number, y: Number) -> bool:
        """Return whether phi*(alpha) is finite; what ``ends`` says, where a loss does not say more."""
        low, high = self.ends
        b = -y * alpha if self.margin else alpha
        return (low is None or bool(low <= b)) and (high is None or bool(b <= high))

    def conjugate(self, alpha: Number, y: Number) -> Number:
        """phi*(alpha). Raises ValueError outside the domain, where it is +infinity."""
        raise NotImplementedError

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        """argmin_a phi*(a) - a z + (q/2)(a - alpha)^2; q = 0 gives ``derivative`` (for gamma > 0)."""
        raise NotImplementedError

    def curvature(self, z: Number, y: Number) -> Number:
        """phi''(z), at a kink of phi' the larger of its two sides. Here, and of every loss of one's own, the bound
        1/gamma of it; gamma > 0.
        """
        return 1 / self.gamma

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        """phi(z) + phi*(alpha) - alpha z >= 0; 0 iff alpha is a subgradient at z. The built-in losses have it without
        cancellation.
        """
        return self.value(z, y) + self.conjugate(alpha, y) - alpha * z

    def kinks(self, y: Number) -> list[Number]:
        """The points z where phi'' (or phi') jumps."""
        return []

    def require_domain(self, alpha: Number, y: Number) -> None:
        """Raise ValueError when alpha is outside the domain of phi*."""
        if not self.in_domain(alpha, y):
            raise ValueError(
                f"alpha = {alpha} is outside the domain of the conjugate of {self.name} for y = {y}: {self.domain}"
            )


LOSSES: Registry[type[Loss]] = Registry(
    "loss", remedy="one of your own needs @register_loss in a module that is imported"
)
register_loss = LOSSES.register


def losses(smooth: bool | None = None, rational: bool | None = None, foreign: bool = True) -> tuple[str, ...]:
    """The names of all losses, or of those that are (not) smooth, (not) rational; other people's among them, or not
    (foreign False). A class without ``default_gamma`` is not a complete loss and is left out.

    >>> losses(smooth=True, rational=True), losses(smooth=False)
    (('squared', 'smoothed-hinge', 'squared-hinge'), ('hinge', 'absolute'))
    """
    complete = {name: loss for name, loss in LOSSES.items() if hasattr(loss, "default_gamma")}
    known = {name: loss for name, loss in complete.items() if foreign or name not in LOSSES.foreign()}
    return tuple(
        name
        for name, loss in known.items()
        if smooth in (None, loss.default_gamma > 0) and rational in (None, loss.rational)
    )


@register_loss
class Squared(Loss):
    """(z - y)^2 / (2 gamma): least squares; gamma = 1 in the ASPDC paper.

    Parameters
    ----------
    gamma : number > 0; 1 by default.
    """

    name, margin, adjustable = "squared", False, True
    default_gamma = Fraction(1)

    def value(self, z: Number, y: Number) -> Number:
        return (z - y) * (z - y) / (2 * self.gamma)

    def derivative(self, z: Number, y: Number) -> Number:
        return (z - y) / self.gamma

    def curvature(self, z: Number, y: Number) -> Number:
        return 1 / self.gamma

    def conjugate(self, alpha: Number, y: Number) -> Number:
        return y * alpha + self.gamma * alpha * alpha / 2

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        return (z - y + q * alpha) / (self.gamma + q)

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        error = self.derivative(z, y) - alpha
        return self.gamma * (error * error) / 2


@register_loss
class SmoothedHinge(Loss):
    """0 if m >= 1, 1 - m - gamma/2 if m <= 1 - gamma, (1 - m)^2/(2 gamma) between; m = y z.

    Parameters
    ----------
    gamma : number > 0, the width of the quadratic part; 1 by default.
    """

    name, adjustable = "smoothed-hinge", True
    default_gamma = Fraction(1)
    domain, ends = "0 <= -y alpha <= 1", (0, 1)

    def value(self, z: Number, y: Number) -> Number:
        m = y * z
        if m >= 1:
            return self.zero
        if m <= 1 - self.gamma:
            return 1 - m - self.gamma / 2
        return (1 - m) * (1 - m) / (2 * self.gamma)

    def derivative(self, z: Number, y: Number) -> Number:
        return -y * clip((1 - y * z) / self.gamma, self.zero, self.one)

    def curvature(self, z: Number, y: Number) -> Number:
        return 1 / self.gamma if 1 - self.gamma <= y * z <= 1 else self.zero

    def conjugate(self, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return y * alpha + self.gamma * alpha * alpha / 2

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        return -y * clip((1 - y * z + q * (-y * alpha)) / (self.gamma + q), self.zero, self.one)

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        m, b = y * z, -y * alpha
        if m >= 1:
            return b * (m - 1) + self.gamma * (b * b) / 2
        if m <= 1 - self.gamma:
            return (1 - b) * ((1 - self.gamma - m) + self.gamma * (1 - b) / 2)
        error = (1 - m) / self.gamma - b
        return self.gamma * (error * error) / 2

    def kinks(self, y: Number) -> list[Number]:
        return [y * (1 - self.gamma), y]


@register_loss
class SquaredHinge(Loss):
    """max(0, 1 - m)^2."""

    name = "squared-hinge"
    default_gamma = Fraction(1, 2)
    domain, ends = "0 <= -y alpha", (0, None)

    def value(self, z: Number, y: Number) -> Number:
        m = y * z
        return self.zero if m >= 1 else (1 - m) * (1 - m)

    def derivative(self, z: Number, y: Number) -> Number:
        m = y * z
        return -y * (self.zero if m >= 1 else 2 * (1 - m))

    def curvature(self, z: Number, y: Number) -> Number:
        return 1 / self.gamma if y * z <= 1 else self.zero

    def conjugate(self, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return y * alpha + alpha * alpha / 4

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        b = 2 * (1 - y * z + q * (-y * alpha)) / (1 + 2 * q)
        return -y * (self.zero if b <= 0 else b)

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        m, b = y * z, -y * alpha
        if m >= 1:
            return b * (m - 1) + b * b / 4
        error = (1 - m) - b / 2
        return error * error

    def kinks(self, y: Number) -> list[Number]:
        return [y]


@register_loss
class Hinge(Loss):
    """max(0, 1 - m): not smooth (gamma = 0), so outside ASPDC's Assumption 1."""

    name = "hinge"
    default_gamma = Fraction(0)
    domain, ends = "0 <= -y alpha <= 1", (0, 1)

    def value(self, z: Number, y: Number) -> Number:
        m = y * z
        return self.zero if m >= 1 else 1 - m

    def derivative(self, z: Number, y: Number) -> Number:
        return -y * (self.zero if y * z >= 1 else self.one)

    def conjugate(self, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return y * alpha

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        slope = 1 - y * z
        if q > 0:
            return -y * clip(-y * alpha + slope / q, self.zero, self.one)
        return -y * self.one if slope > 0 else -y * self.zero if slope < 0 else alpha

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        m, b = y * z, -y * alpha
        return b * (m - 1) if m >= 1 else (1 - b) * (1 - m)

    def kinks(self, y: Number) -> list[Number]:
        return [y]


@register_loss
class Logistic(Loss):
    """log(1 + e^-m): phi'' <= 1/4, so gamma = 4. Runs on float and Interval."""

    name, rational = "logistic", False
    default_gamma = Fraction(4)
    domain, ends = "0 <= -y alpha <= 1", (0, 1)

    def value(self, z: Number, y: Number) -> Number:
        return softplus(-(y * z))

    def derivative(self, z: Number, y: Number) -> Number:
        return -y * logistic(-(y * z))

    def curvature(self, z: Number, y: Number) -> Number:
        p = logistic(-(y * z))
        return p * (1 - p)

    def conjugate(self, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        total = self.zero
        for part in (-y * alpha, 1 + y * alpha):
            if part != 0:  # 0 ln 0 = 0
                total = total + part * natural_log(part)
        return total

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        return -y * logistic_of_root(y * z, -y * alpha, q)

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return logistic_divergence(-y * alpha, y * z)


@register_loss
class Absolute(Loss):
    """|z - y|: not smooth (gamma = 0)."""

    name, margin = "absolute", False
    default_gamma = Fraction(0)
    domain, ends = "-1 <= alpha <= 1", (-1, 1)

    def value(self, z: Number, y: Number) -> Number:
        return z - y if z >= y else y - z

    def derivative(self, z: Number, y: Number) -> Number:
        return self.one if z > y else -self.one if z < y else self.zero

    def conjugate(self, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return y * alpha

    def dual_step(self, z: Number, alpha: Number, y: Number, q: Number) -> Number:
        if q > 0:
            return clip(alpha + (z - y) / q, -self.one, self.one)
        return self.one if z > y else -self.one if z < y else alpha

    def residual(self, z: Number, alpha: Number, y: Number) -> Number:
        self.require_domain(alpha, y)
        return (z - y) * (1 - alpha) if z >= y else (y - z) * (1 + alpha)

    def kinks(self, y: Number) -> list[Number]:
        return [y]
