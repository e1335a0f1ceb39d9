"""An implementation of every call that is independent of the reference: it is written from the mathematics and imports
nothing of the reference.

It computes exactly (or in floats, where it is given floats), with dense rows and by other formulas. The reference must
agree with it before a vector ships.

- The five rational losses are one, phi*(a) = y a + (gamma/2) a^2 on an interval [low, high]. Everything else follows:
  the dual step is a quadratic's minimiser limited to the interval, and phi is its value at q = 0, by duality.
- The logistic loss comes from the derivative of its dual, ln(b/(1 - b)) + m + q (b - b_0) = 0, solved in decimals.
- The minimiser of the regularizer is found by the sign of its stationary points. The prox is a minimiser of another
  regularizer.
- The rows are dense vectors, and the updates vector operations (``problems``).
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import (
    Interval,
    Vector,
    decimal,
    dot,
    end,
    in_decimals,
    logistic_step,
    within,
)
from dualgap.proofs_checks.conformance.protocol import hex_floats

Result = dict[str, Any]


def one_sided(far: Fraction | None, y: Fraction) -> Interval:
    """Return the ends 0 and ``far``, on the side of -y."""
    return (far, Fraction(0)) if y > 0 else (Fraction(0), far)


class Intervals(dict[str, Callable[[Fraction], Interval]]):
    """The interval of phi* by loss, as a function of the label or target."""

    def __missing__(self, loss: str) -> Callable[[Fraction], Interval]:
        raise ValueError(
            f"the independent implementation has no loss {loss!r}: register the interval of its alpha with"
            " register_independent_loss"
        )


INTERVALS = Intervals(
    {
        "squared": lambda y: (None, None),
        "absolute": lambda y: (Fraction(-1), Fraction(1)),
        "squared-hinge": lambda y: one_sided(None, y),
        **dict.fromkeys(("smoothed-hinge", "hinge", "logistic"), lambda y: one_sided(-y, y)),
    }
)


class Formulas:
    """The calls of level L0. A result of None is +infinity."""

    # the calls whose result is that of one function: its name in the result, and the function
    values: ClassVar[dict[str, tuple[str, str]]] = {
        "loss.value": ("value", "phi"),
        "loss.derivative": ("value", "derivative"),
        "loss.conjugate": ("value", "phi_star"),
        "loss.dual_step": ("value", "dual_step"),
        "regularizer.value": ("value", "g"),
        "regularizer.conjugate": ("value", "conjugate"),
        "regularizer.minimizer": ("w", "minimizer"),
        "regularizer.prox": ("w", "proxed"),
        "pnorm.minimizer": ("w", "shortest"),
        "block.conjugate": ("value", "block_star"),
        "block.dual_step": ("alpha", "best"),
    }

    def answer(self, call: str, given: Result, kind: type[Fraction] = Fraction) -> Result:
        """The result, in rationals of that kind, of a request as it goes through the pipe."""
        return self.exactly(call, hex_floats.rationals(given, kind))

    def exactly(self, call: str, exact: Result) -> Result:
        """The result of one call, of numbers in Fractions or in floats. Raises TypeError for an unknown call."""
        result: Result = self.function(call)(**exact)
        return result

    def function(self, call: str) -> Any:
        """Return the function that gives the result of a call; None for an unknown call."""
        if call in self.values:
            member, function = self.values[call]
            return lambda **given: {member: getattr(self, function)(**given)}
        group, _, name = call.rpartition(".")
        return getattr(self, f"{group or 'call'}_{name}", None)

    # -- losses: phi*(a) = y a + (gamma/2) a^2 on [low, high] ---------------------------------------------------------

    def label(self, loss: str, y: Fraction) -> Fraction:
        """The label or target, as read."""
        return y

    def constant(self, loss: str, gamma: Fraction) -> Fraction:
        """gamma, as read."""
        return gamma

    def domain(self, loss: str, y: Fraction) -> Interval:
        """The interval of phi*; None is infinite."""
        return INTERVALS[loss](self.label(loss, y))

    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        """argmin_a phi*(a) - a z + (q/2)(a - alpha)^2."""
        y, gamma = self.label(loss, y), self.constant(loss, gamma)
        slope, curvature = z - y + q * alpha, gamma + q
        if loss == "logistic":
            a = -y * logistic_step(y * z, -y * alpha, q)
        elif curvature == 0:
            a = end(self.domain(loss, y), slope, alpha)
        else:
            a = within(self.domain(loss, y), slope / curvature)
        return a

    def derivative(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Fraction:
        """phi'(z), the maximiser of a z - phi*(a)."""
        return self.dual_step(loss, gamma, z, z - z, y, z - z)

    def phi(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Fraction:
        """phi(z) = max_a a z - phi*(a)."""
        label, curvature = self.label(loss, y), self.constant(loss, gamma)
        if loss == "logistic":
            return in_decimals(lambda: (1 + (-decimal(label * z)).exp()).ln(), z)
        slope, domain = z - label, self.domain(loss, label)
        a = end(domain, slope, Fraction(0)) if curvature == 0 else within(domain, slope / curvature)
        return a * slope - curvature * a * a / 2

    def phi_star(self, loss: str, gamma: Fraction, alpha: Fraction, y: Fraction) -> Fraction | None:
        """phi*(alpha), None where it is infinite."""
        y = self.label(loss, y)
        low, high = self.domain(loss, y)
        if (low is not None and alpha < low) or (high is not None and alpha > high):
            return None
        if loss == "logistic":
            parts = -y * alpha, 1 + y * alpha
            return in_decimals(lambda: sum((decimal(b) * decimal(b).ln() for b in parts if b > 0), Decimal(0)), alpha)
        return y * alpha + self.constant(loss, gamma) * alpha * alpha / 2

    def loss_residual(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction) -> Result:
        star = self.phi_star(loss, gamma, alpha, y)
        return {"value": None if star is None else self.phi(loss, gamma, z, y) + star - alpha * z}

    # -- regularizers: g(w) = (lam/2) ||w||^2 + l1 ||w||_1 ------------------------------------------------------------

    def g(self, lam: Fraction, l1: Fraction, w: Vector) -> Fraction:
        """g(w)."""
        return lam / 2 * dot(w, w) + l1 * sum((abs(w_j) for w_j in w), Fraction(0))

    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        """argmin_w g(w) + u^T w: in each coordinate the stationary point of its sign, or 0 where there is none."""

        def one(u_j: Fraction) -> Fraction:
            positive, negative = -(u_j + l1) / lam, -(u_j - l1) / lam
            return positive if positive > 0 else negative if negative < 0 else Fraction(0)

        return [one(u_j) for u_j in u]

    def proxed(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> Vector:
        """argmin_x g(x) + ||x - w||^2/(2 tau)."""
        return self.minimizer(lam + 1 / tau, l1, [-w_j / tau for w_j in w])

    def conjugate(self, lam: Fraction, l1: Fraction, u: Vector) -> Fraction:
        """g*(-u) = max_w -u^T w - g(w)."""
        w = self.minimizer(lam, l1, u)
        return -dot(u, w) - self.g(lam, l1, w)

    def call_gap(self, primal: Fraction, dual: Fraction) -> Result:
        return {"gap": primal - dual}
