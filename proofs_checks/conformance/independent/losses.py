"""An independent implementation of every call, written from the mathematics alone: nothing of ``dualgap.reference`` is
used.

Exact, dense, and by other formulas than the reference, which must agree with it before a vector ships:

- the five rational losses are one, phi*(a) = y a + (gamma/2) a^2 on an interval [low, high], and everything else
  follows: the dual step is a quadratic's minimiser limited to the interval, phi its value at q = 0, by duality;
- the logistic loss comes from the derivative of its dual, ln(b/(1 - b)) + m + q (b - b_0) = 0, solved in b, in
  decimals;
- the minimiser of the regularizer is found by the sign of its stationary points, the prox as a minimiser of another
  regularizer;
- the rows are dense vectors, the updates vector operations (``independent.methods``).

An implementation with a seeded bug (``catalogue``) is a subclass with one of these small methods wrong.
"""

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dualgap.proofs_checks.conformance.protocol import hex_floats

Vector = list[Fraction]
Interval = tuple[Fraction | None, Fraction | None]  # None is infinite
DIGITS = 42
CLOSE = Decimal(1).scaleb(6 - DIGITS)
HALF = Fraction(1, 2)


def one_sided(far: Fraction | None, y: Fraction) -> Interval:
    """From 0 to ``far``, on the side of -y."""
    return (far, Fraction(0)) if y > 0 else (Fraction(0), far)


INTERVALS: dict[str, Callable[[Fraction], Interval]] = {
    "squared": lambda y: (None, None),
    "absolute": lambda y: (Fraction(-1), Fraction(1)),
    "squared-hinge": lambda y: one_sided(None, y),
    "smoothed-hinge": lambda y: one_sided(-y, y),
    "hinge": lambda y: one_sided(-y, y),
    "logistic": lambda y: one_sided(-y, y),
}


class Formulas:
    """The calls of level L0. ``answer`` takes a request as it goes through the pipe and gives the result in Fractions;
    None is +infinity.
    """

    def answer(self, call: str, given: dict[str, Any]) -> dict[str, Any]:
        """The result of one call, of ``given`` with bare numbers and the problem in its place."""
        return self.exactly(call, hex_floats.rationals(given))

    def exactly(self, call: str, exact: dict[str, Any]) -> dict[str, Any]:
        """The result of one call, of numbers in Fractions."""
        group, _, name = call.rpartition(".")
        method: Callable[..., dict[str, Any]] = getattr(self, f"{group or 'call'}_{name}")
        return method(**exact)

    # -- losses: phi*(a) = y a + (gamma/2) a^2 on [low, high] ---------------------------------------------------------

    def label(self, loss: str, y: Fraction) -> Fraction:
        """The label or target, as read."""
        return y

    def constant(self, loss: str, gamma: Fraction) -> Fraction:
        """gamma, as read."""
        return gamma

    def domain(self, loss: str, y: Fraction) -> Interval:
        """The interval of phi*; None is infinite."""
        return INTERVALS[loss](y)

    def limited(self, loss: str, a: Fraction, y: Fraction) -> Fraction:
        """A stationary point, brought into the domain."""
        return within(self.domain(loss, y), a)

    def dual_step(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction, q: Fraction) -> Fraction:
        """argmin_a phi*(a) - a z + (q/2)(a - alpha)^2."""
        y, gamma = self.label(loss, y), self.constant(loss, gamma)
        if loss == "logistic":
            return -y * logistic_step(y * z, -y * alpha, q)
        slope, curvature = z - y + q * alpha, gamma + q
        return end(self.domain(loss, y), slope, alpha) if curvature == 0 else self.limited(loss, slope / curvature, y)

    def derivative(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Fraction:
        """phi'(z), the maximiser of a z - phi*(a)."""
        return self.dual_step(loss, gamma, z, Fraction(0), y, Fraction(0))

    def phi(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> Fraction:
        """phi(z) = max_a a z - phi*(a)."""
        if loss == "logistic":
            return _decimals(lambda: _ln(1 + (-_decimal(self.label(loss, y) * z)).exp()))
        label, curvature = self.label(loss, y), self.constant(loss, gamma)
        slope, domain = z - label, self.domain(loss, label)
        a = end(domain, slope, Fraction(0)) if curvature == 0 else within(domain, slope / curvature)
        return a * slope - curvature * a * a / 2

    def phi_star(self, loss: str, gamma: Fraction, alpha: Fraction, y: Fraction) -> Fraction | None:
        """phi*(alpha), None where it is infinite."""
        y = self.label(loss, y)
        if loss == "logistic":
            b = -y * alpha
            return _decimals(lambda: _entropy(_decimal(b)) + _entropy(1 - _decimal(b))) if 0 <= b <= 1 else None
        low, high = self.domain(loss, y)
        if (low is not None and alpha < low) or (high is not None and alpha > high):
            return None
        return y * alpha + self.constant(loss, gamma) * alpha * alpha / 2

    def loss_value(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> dict[str, Any]:
        return {"value": self.phi(loss, gamma, z, y)}

    def loss_derivative(self, loss: str, gamma: Fraction, z: Fraction, y: Fraction) -> dict[str, Any]:
        return {"value": self.derivative(loss, gamma, z, y)}

    def loss_conjugate(self, loss: str, gamma: Fraction, alpha: Fraction, y: Fraction) -> dict[str, Any]:
        return {"value": self.phi_star(loss, gamma, alpha, y)}

    def loss_residual(self, loss: str, gamma: Fraction, z: Fraction, alpha: Fraction, y: Fraction) -> dict[str, Any]:
        star = self.phi_star(loss, gamma, alpha, y)
        return {"value": None if star is None else self.phi(loss, gamma, z, y) + star - alpha * z}

    def loss_dual_step(self, **given: Any) -> dict[str, Any]:
        return {"value": self.dual_step(**given)}

    # -- regularizers: g(w) = (lam/2) ||w||^2 + l1 ||w||_1 ------------------------------------------------------------

    def g(self, lam: Fraction, l1: Fraction, w: Vector) -> Fraction:
        """g(w)."""
        return lam / 2 * dot(w, w) + l1 * sum((abs(w_j) for w_j in w), Fraction(0))

    def minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> Vector:
        """argmin_w g(w) + u^T w: in every coordinate the stationary point of the sign that it has, or 0 where there is
        none.
        """

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

    def regularizer_value(self, lam: Fraction, l1: Fraction, w: Vector) -> dict[str, Any]:
        return {"value": self.g(lam, l1, w)}

    def regularizer_conjugate(self, lam: Fraction, l1: Fraction, u: Vector) -> dict[str, Any]:
        return {"value": self.conjugate(lam, l1, u)}

    def regularizer_minimizer(self, lam: Fraction, l1: Fraction, u: Vector) -> dict[str, Any]:
        return {"w": self.minimizer(lam, l1, u)}

    def regularizer_prox(self, lam: Fraction, l1: Fraction, w: Vector, tau: Fraction) -> dict[str, Any]:
        return {"w": self.proxed(lam, l1, w, tau)}

    def call_gap(self, primal: Fraction, dual: Fraction) -> dict[str, Any]:
        return {"gap": primal - dual}


# -- intervals and numbers ---------------------------------------------------------------------------------------------


def within(interval: Interval, a: Fraction) -> Fraction:
    """The point of the interval that is nearest to a."""
    low, high = interval
    a = a if low is None else max(a, low)
    return a if high is None else min(a, high)


def end(interval: Interval, slope: Fraction, alpha: Fraction) -> Fraction:
    """The maximiser of slope a on a bounded interval; alpha where it is constant."""
    point = interval[1] if slope > 0 else interval[0] if slope < 0 else alpha
    assert point is not None, "a linear function on an unbounded interval"
    return point


def dot(a: Vector, b: Vector) -> Fraction:
    """a^T b."""
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def axpy(factor: Fraction, x: Vector, v: Vector) -> Vector:
    """v + factor x."""
    return [v_j + factor * x_j for v_j, x_j in zip(v, x)]


@lru_cache(maxsize=4096)
def logistic_step(m: Fraction, b_0: Fraction, q: Fraction) -> Fraction:
    """The root b of F(b) = ln(b/(1 - b)) + m + q (b - b_0), which increases from -infinity to infinity on (0, 1)."""
    if m + q * (HALF - b_0) < 0:  # F(1/2) < 0: the root of the mirrored equation is below 1/2
        return 1 - logistic_step(-m, 1 - b_0, q)

    def solved() -> Decimal:
        M, B, Q = _decimal(m), _decimal(b_0), _decimal(q)
        low, high, b = Decimal(0), Decimal("0.5"), Decimal("0.25")
        for _ in range(10 * DIGITS):
            F = _ln(b) - _ln(1 - b) + M + Q * (b - B)
            low, high = (b, high) if F < 0 else (low, b)
            step = F / (1 / b + 1 / (1 - b) + Q)  # Newton
            if abs(step) <= CLOSE * b * (1 - b):
                break
            b = b - step if low < b - step < high else (low + high) / 2
        return b

    return _decimals(solved)


def _decimals(compute: Callable[[], Decimal]) -> Fraction:
    with localcontext(Context(prec=DIGITS)):
        return Fraction(compute())


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _ln(value: Decimal) -> Decimal:
    return value.ln()


def _entropy(b: Decimal) -> Decimal:
    return b * _ln(b) if b > 0 else Decimal(0)
