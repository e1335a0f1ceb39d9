"""The formulas of the six losses on arrays, by the expressions of ``fast.problem.losses`` where the bound depends on
them: ``residual`` is bit-identical. Only + - * / and comparisons are used there; numpy's exp and log promise no
accuracy.
"""

from typing import Any, NamedTuple

import numpy as np


class Kind(NamedTuple):
    """What is known of a loss."""

    margin: bool  # labels -1 and +1
    gamma: float | None  # None: to be given
    ends: tuple[float, float]  # of the domain, of -y alpha for a margin loss

    @property
    def slope(self) -> float:
        return self.ends[1] - self.ends[0]


KINDS = {
    "squared": Kind(False, None, (-np.inf, np.inf)),
    "smoothed-hinge": Kind(True, None, (0.0, 1.0)),
    "squared-hinge": Kind(True, 0.5, (0.0, np.inf)),
    "hinge": Kind(True, 0.0, (0.0, 1.0)),
    "logistic": Kind(True, 4.0, (0.0, 1.0)),
    "absolute": Kind(False, 0.0, (-1.0, 1.0)),
}


def residual(loss: str, gamma: float, z: Any, alpha: Any, y: Any) -> Any:
    """phi(z) + phi*(alpha) - alpha z >= 0, without cancellation."""
    if loss == "squared":
        error = (z - y) / gamma - alpha
        return gamma * (error * error) / 2.0
    if loss == "absolute":
        return np.where(z >= y, (z - y) * (1.0 - alpha), (y - z) * (1.0 + alpha))
    m, b = y * z, -y * alpha
    if loss == "smoothed-hinge":
        error = (1.0 - m) / gamma - b
        flat, curved = b * (m - 1.0) + gamma * (b * b) / 2.0, gamma * (error * error) / 2.0
        straight = (1.0 - b) * ((1.0 - gamma - m) + gamma * (1.0 - b) / 2.0)
        return np.where(m >= 1.0, flat, np.where(m <= 1.0 - gamma, straight, curved))
    if loss == "squared-hinge":
        error = (1.0 - m) - b / 2.0
        return np.where(m >= 1.0, b * (m - 1.0) + b * b / 4.0, error * error)
    if loss == "hinge":
        return np.where(m >= 1.0, b * (m - 1.0), (1.0 - b) * (1.0 - m))
    return divergence(m, b)


def value(loss: str, gamma: float, z: Any, y: Any) -> Any:
    """phi(z), for P(w) as it is printed: the bound does not depend on it."""
    if loss == "squared":
        return (z - y) ** 2 / (2.0 * gamma)
    if loss == "absolute":
        return np.abs(z - y)
    slack = np.maximum(1.0 - y * z, 0.0)
    if loss == "smoothed-hinge":
        return np.where(slack >= gamma, slack - gamma / 2.0, slack * slack / (2.0 * gamma))
    if loss == "logistic":
        return np.logaddexp(0.0, -y * z)
    return slack * slack if loss == "squared-hinge" else slack


def step(loss: str, gamma: float, z: Any, alpha: Any, y: Any, q: float) -> Any:
    """argmin_a phi*(a) - a z + (q/2)(a - alpha)^2, up to rounding; phi'(z) for q = 0."""
    low, high = KINDS[loss].ends
    if loss == "squared":
        return (z - y + q * alpha) / (gamma + q)
    if loss == "absolute":
        return np.clip(alpha + (z - y) / q, low, high) if q > 0 else np.sign(z - y)
    m, b = y * z, -y * alpha
    if loss == "logistic":
        found = logistic_step(m, b, q)
    elif loss == "hinge" and q == 0:
        found = (m < 1.0) * 1.0
    elif loss == "squared-hinge":
        found = 2.0 * (1.0 - m + q * b) / (1.0 + 2.0 * q)
    else:
        found = (1.0 - m + q * b) / (gamma + q)
    return -y * np.clip(found, low, high)


def logistic_step(m: Any, b: Any, q: float) -> Any:
    """1/(1 + e^-t) at the root of t + m + q (1/(1 + e^-t) - b), by Newton's steps within a bracket."""
    low, high = -m - q * (1.0 - b), -m + q * b
    t = -m
    if q > 1.0:  # from b, one step of a fixed point that contracts where q is large
        t = logit(b - (logit(b) + m) / q)
    t, before = np.clip(t, low, high), np.inf
    for _ in range(0 if q == 0 else 40):
        p = 0.5 + 0.5 * np.tanh(0.5 * t)
        H = t + m + q * (p - b)
        if not (np.abs(H) > 2.0**-50 * (1.0 + q + np.abs(t))).any():
            break
        low, high = np.where(H < 0, t, low), np.where(H > 0, t, high)
        newton = t - H / (1.0 + q * p * (1.0 - p))
        near = (low < newton) & (newton < high) & (2.0 * np.abs(newton - t) < before)
        following = np.where(near, newton, low + 0.5 * (high - low))
        t, before = following, np.abs(following - t)
    e = np.exp(-np.abs(t))
    return np.where(t < 0, e, 1.0) / (1.0 + e)


def logit(b: Any) -> Any:
    """ln(b/(1 - b)), of a b that is kept away from 0 and 1."""
    b = np.clip(b, 1e-12, 1.0 - 1e-12)
    return np.log(b / (1.0 - b))


# -- the series of dualgap.reference.numbers.elementary on arrays ------------------------------------------------------


def exp(x: Any) -> Any:
    """e^x for x <= 0; NaN for NaN."""
    from dualgap.reference.numbers.elementary import LEAST, TO_INTEGER, power_series, reduced

    known = ~np.isnan(x)
    limited: Any = np.where(known, np.maximum(x, LEAST), 0.0)
    k, r = map(np.asarray, reduced(limited))
    half = (k * 0.5 + TO_INTEGER) - TO_INTEGER
    one = np.ones_like(r)
    found = (1 + power_series(r)) * np.ldexp(one, half.astype(int)) * np.ldexp(one, (k - half).astype(int))
    return np.where(known, found, x)


def log(x: Any) -> Any:
    """ln x for x > 0."""
    from dualgap.reference.numbers.elementary import LN2_LOW, log_near_1

    m, k = split(x)
    return log_near_1(m - 1, k, k * LN2_LOW)


def log1p(x: Any) -> Any:
    """ln(1 + x) for 0 <= x <= 1."""
    from dualgap.reference.numbers.elementary import LN2_LOW, log_near_1

    u = 1 + x
    lost = np.where(x < 1, x - (u - 1), 1 - (u - x))
    m, k = split(u)
    return log_near_1(m - 1, k, k * LN2_LOW + lost / u)


def split(x: Any) -> tuple[Any, Any]:
    """m and k with x = m 2^k and ROOT_HALF <= m < 2 ROOT_HALF."""
    from dualgap.reference.numbers.elementary import ROOT_HALF

    m, k = np.frexp(x)
    small = m < ROOT_HALF
    return np.where(small, 2 * m, m), (k - small).astype(np.float64)


def bregman(b: Any, p: Any, log_p: Any, delta: Any) -> Any:
    """b ln(b/p) - b + p for delta = b - p."""
    from dualgap.reference.numbers.elementary import odd_part

    s = delta / (b + p)
    near = s * delta * (1 + (1 + s) * (s * odd_part(s * s)))
    far = np.where(b > 0, b * (log(np.where(b > 0, b, 1.0)) - log_p), 0.0) - delta
    return np.where(4 * np.abs(delta) < p, near, far)


def divergence(m: Any, b: Any) -> Any:
    """KL(b || logistic(-m)) (``fast.problem.losses.logistic_terms``)."""
    e = exp(-np.abs(m))
    tail, whole = log1p(e), 1.0 + e
    p, p_complement = np.where(m > 0.0, e, 1.0) / whole, np.where(m < 0.0, e, 1.0) / whole
    value, value_complement = np.where(m < 0.0, -m + tail, tail), np.where(m > 0.0, m + tail, tail)
    b_complement = 1.0 - b
    delta = np.where(m >= 0.0, b - p, p_complement - b_complement)
    return bregman(b, p, -value_complement, delta) + bregman(b_complement, p_complement, -value, -delta)
