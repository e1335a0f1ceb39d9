"""The scalar formulas of the six losses, once, behind one chain of ``if code == ...``; others stand in
``registered_losses``.

Every function is the counterpart of the method of the same name in ``dualgap.reference.problem.losses``: the same
expressions in the same order, so that its float64 results are bit-identical, the sign of a zero included. ``code`` is
an entry of ``CODES``; gamma is the loss' constant. alpha must lie in the domain of phi*: what raises ValueError in the
reference is checked here by ``in_domain``, once for a whole array, on entry.

An integer code, and not a function as argument: numba finds such a kernel again in the next process.
"""

import math
from typing import Any, NamedTuple

from dualgap.fast.compiler.doubles import quotient
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.select import select
from dualgap.fast.problem import registered_losses as registered
from dualgap.fast.problem.elementary import bregman, exp, log, log1p
from dualgap.fast.problem.registered_losses import CODES as CODES
from dualgap.reference.problem.losses import Absolute, Hinge, Logistic, SmoothedHinge, Squared, SquaredHinge

BUILT_IN = (Squared, SmoothedHinge, SquaredHinge, Hinge, Logistic, Absolute)
SQUARED, SMOOTHED_HINGE, SQUARED_HINGE, HINGE, LOGISTIC, _ = range(len(BUILT_IN))  # absolute is what remains
CODES.update({loss.name: code for code, loss in enumerate(BUILT_IN)})


class RowLosses(NamedTuple):
    """The losses of all rows: code and gamma, which they share, the labels and ||x_i||^2, shape (n,) each."""

    code: int
    gamma: float
    y: Any
    norms2: Any


ULP = 2.0**-52
NEAR = 2.0**-13


@kernel
def clip(value, low, high):
    """Limit ``value`` to [low, high]; on a bound the bound itself (reference: losses.clip).

    Two selections, one after the other, need no branch that the processor could mispredict.
    """
    limited = low if value <= low else value
    return high if limited >= high else limited


@kernel(inline=True)
def derivative(code, gamma, z, y):
    """phi'(z) (reference: Loss.derivative)."""
    if code == SQUARED:
        return (z - y) / gamma
    if code == SMOOTHED_HINGE:
        return -y * clip((1.0 - y * z) / gamma, 0.0, 1.0)
    if code == SQUARED_HINGE:
        m = y * z
        return -y * (0.0 if m >= 1.0 else 2.0 * (1.0 - m))
    if code == HINGE:
        return -y * (0.0 if y * z >= 1.0 else 1.0)
    if code == LOGISTIC:
        return -y * logistic(-(y * z))
    if registered.is_registered(code):
        return registered.derivative(code, gamma, z, y)
    return 1.0 if z > y else -1.0 if z < y else 0.0


@kernel(inline=True)
def curvature(code, gamma, z, y):
    """phi''(z), or a bound of it (reference: Loss.curvature)."""
    if code == SMOOTHED_HINGE:
        return 1.0 / gamma if 1.0 - gamma <= y * z <= 1.0 else 0.0
    if code == SQUARED_HINGE:
        return 1.0 / gamma if y * z <= 1.0 else 0.0
    if code == LOGISTIC:
        p = logistic(-(y * z))
        return p * (1.0 - p)
    return 1.0 / gamma


@kernel(inline=True)
def dual_step(code, gamma, z, alpha, y, q):
    """argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 (reference: Loss.dual_step)."""
    if code == SQUARED:
        return (z - y + q * alpha) / (gamma + q)
    if code == SMOOTHED_HINGE:
        return -y * clip((1.0 - y * z + q * (-y * alpha)) / (gamma + q), 0.0, 1.0)
    if code == SQUARED_HINGE:
        b = 2.0 * (1.0 - y * z + q * (-y * alpha)) / (1.0 + 2.0 * q)
        return -y * (0.0 if b <= 0.0 else b)
    if code == HINGE:
        slope = 1.0 - y * z
        if q > 0.0:
            return -y * clip(-y * alpha + slope / q, 0.0, 1.0)
        return -y * 1.0 if slope > 0.0 else -y * 0.0 if slope < 0.0 else alpha
    if code == LOGISTIC:
        return -y * logistic_of_root(y * z, -y * alpha, q)
    if registered.is_registered(code):
        return registered.dual_step(code, gamma, z, alpha, y, q)
    if q > 0.0:
        return clip(alpha + (z - y) / q, -1.0, 1.0)
    return 1.0 if z > y else -1.0 if z < y else alpha


@kernel(inline=True)
def value(code, gamma, z, y):
    """phi(z) (reference: Loss.value)."""
    if code == SQUARED:
        return (z - y) * (z - y) / (2.0 * gamma)
    m = y * z
    if code == SMOOTHED_HINGE:
        straight, curved = 1.0 - m - gamma / 2.0, (1.0 - m) * (1.0 - m) / (2.0 * gamma)
        return select(m >= 1.0, 0.0, select(m <= 1.0 - gamma, straight, curved))
    if code == SQUARED_HINGE:
        return 0.0 if m >= 1.0 else (1.0 - m) * (1.0 - m)
    if code == HINGE:
        return 0.0 if m >= 1.0 else 1.0 - m
    if code == LOGISTIC:
        return logistic_terms_of_row(m, 0.0)[0]
    if registered.is_registered(code):
        return registered.value(code, gamma, z, y)
    return z - y if z >= y else y - z


@kernel(inline=True)
def conjugate(code, gamma, alpha, y):
    """phi*(alpha) (reference: Loss.conjugate)."""
    if code == SQUARED or code == SMOOTHED_HINGE:
        return y * alpha + gamma * alpha * alpha / 2.0
    if code == SQUARED_HINGE:
        return y * alpha + alpha * alpha / 4.0
    if code == LOGISTIC:
        return logistic_terms_of_row(0.0, -y * alpha)[1]
    if registered.is_registered(code):
        return registered.conjugate(code, gamma, alpha, y)
    return y * alpha


@kernel(inline=True)
def residual(code, gamma, z, alpha, y):
    """phi(z) + phi*(alpha) - alpha z >= 0, without cancellation (reference: Loss.residual)."""
    if code == SQUARED:
        error = (z - y) / gamma - alpha
        return gamma * (error * error) / 2.0
    m, b = y * z, -y * alpha
    if code == SMOOTHED_HINGE:
        error = (1.0 - m) / gamma - b
        flat, curved = b * (m - 1.0) + gamma * (b * b) / 2.0, gamma * (error * error) / 2.0
        straight = (1.0 - b) * ((1.0 - gamma - m) + gamma * (1.0 - b) / 2.0)
        return select(m >= 1.0, flat, select(m <= 1.0 - gamma, straight, curved))
    if code == SQUARED_HINGE:
        error = (1.0 - m) - b / 2.0
        flat, curved = b * (m - 1.0) + b * b / 4.0, error * error
        return select(m >= 1.0, flat, curved)
    if code == HINGE:
        flat, straight = b * (m - 1.0), (1.0 - b) * (1.0 - m)
        return select(m >= 1.0, flat, straight)
    if code == LOGISTIC:
        return logistic_terms_of_row(m, b)[2]
    if registered.is_registered(code):
        return registered.residual(code, gamma, z, alpha, y)
    above, below = (z - y) * (1.0 - alpha), (y - z) * (1.0 + alpha)
    return select(z >= y, above, below)


@kernel(inline=True)
def terms(code, gamma, z, alpha, y):
    """phi(z), phi*(alpha) and phi(z) + phi*(alpha) - alpha z, as ``value``, ``conjugate`` and ``residual`` give
    them.
    """
    if code == LOGISTIC:
        return logistic_terms_of_row(y * z, -y * alpha)
    return value(code, gamma, z, y), conjugate(code, gamma, alpha, y), residual(code, gamma, z, alpha, y)


@kernel
def in_domain(code, alpha, y):
    """Return whether phi*(alpha) is finite (reference: Loss.in_domain); false for a NaN."""
    if code == SQUARED:
        return -math.inf < alpha < math.inf
    b = -y * alpha
    if code == SQUARED_HINGE:
        return 0.0 <= b < math.inf
    if code == SMOOTHED_HINGE or code == HINGE or code == LOGISTIC:
        return 0.0 <= b <= 1.0
    if registered.is_registered(code):
        return registered.in_domain(code, alpha, y)
    return -1.0 <= alpha <= 1.0


# -- the logistic loss (counterparts in dualgap.reference.numbers.arithmetic) ------------------------------------------


@kernel
def logistic(t):
    """1/(1 + e^-t), without overflow (reference: arithmetic.logistic; its two branches as one division)."""
    e = exp(-abs(t))
    return quotient(select(t < 0.0, e, 1.0), 1.0 + e)


@kernel
def logistic_of_root(m, b, q):
    """logistic(t) at the root t of t + m + q (logistic(t) - b), by safeguarded Halley steps (reference:
    arithmetic.logistic_of_root).
    """
    if q == 0.0:
        return logistic(-m)
    low = -m - q * (1.0 - b)
    high = -m + q * b
    t, c = -m, q * b * (1.0 - b)
    if c > 1.0:
        t = (c * log(b / (1.0 - b)) - m) / (1.0 + c)
        if not low < t < high:
            t = low if low > 0.0 else high if high < 0.0 else 0.0
    for _ in range(200):
        e = exp(-abs(t))
        part, whole = (e if t < 0.0 else 1.0), 1.0 + e
        share = b * whole
        H = (t + m) * whole + q * (part - share)
        allowed = 4.0 * ULP * ((abs(t) + abs(m)) * whole + q * (part if part > share else share))
        if abs(H) <= allowed:
            return part / whole
        G = whole * whole + q * e
        K = q * e * (whole - 2.0 * part)
        d = -2.0 * (H * G * whole) / (2.0 * (G * G) - H * K)
        if abs(d) < NEAR and q * e * (abs(d) * d * d) <= allowed:
            s, slope = part / whole, e / (whole * whole)
            return s + slope * d * (1.0 + (1.0 - 2.0 * s) * d / 2.0 + (1.0 - 6.0 * slope) * (d * d) / 6.0)
        if H > 0.0:
            high = t
        else:
            low = t
        following = t + d
        if not low < following < high:
            following = low + (high - low) / 2.0
            if not low < following < high:
                return part / whole
        t = following
    return logistic(t)


@kernel(inline=True)
def logistic_terms(m, b):
    """phi, phi* and FY: softplus(-m), b ln b + (1-b) ln(1-b) and KL(b || logistic(-m)), which share their exp and logs;
    no branch.

    Reference: arithmetic.softplus, losses.Logistic.conjugate and arithmetic.logistic_divergence, by the same
    expressions.
    """
    e = exp(-abs(m))
    tail, whole = log1p(e), 1.0 + e
    p, p_complement = quotient(select(m > 0.0, e, 1.0), whole), quotient(select(m < 0.0, e, 1.0), whole)
    value, value_complement = select(m < 0.0, -m + tail, tail), select(m > 0.0, m + tail, tail)
    b_complement = 1.0 - b
    # 0 ln 0 = 0
    log_b, log_complement = log(select(b > 0.0, b, 1.0)), log(select(b_complement > 0.0, b_complement, 1.0))
    delta = select(m >= 0.0, b - p, p_complement - b_complement)
    divergence = bregman(b, p, log_b, -value_complement, delta) + bregman(
        b_complement, p_complement, log_complement, -value, -delta
    )
    return value, b * log_b + b_complement * log_complement, divergence


@kernel
def logistic_terms_of_row(m, b):
    """``logistic_terms``, compiled once: those that call it for one row at a time compile in half the time."""
    return logistic_terms(m, b)
