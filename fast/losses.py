"""The scalar formulas of the six losses, once, behind one chain of ``if code == ...``.

Every function is the twin of the method of the same name in ``dualgap.reference.losses``: the same expressions in
the same order, so that its float64 results have the same bits, the sign of a zero included. ``code`` is an entry
of ``CODES``; gamma is the loss' constant. alpha must lie in the domain of phi*: what raises ValueError in the
reference is checked here by ``in_domain``, once for a whole array, at the doors.

An integer code, and not a function as argument: numba finds such a kernel again in the next process.
"""

import math

from dualgap.fast.compiler import kernel

CODES = {"squared": 0, "smoothed-hinge": 1, "squared-hinge": 2, "hinge": 3, "logistic": 4, "absolute": 5}

SQUARED = CODES["squared"]
SMOOTHED_HINGE = CODES["smoothed-hinge"]
SQUARED_HINGE = CODES["squared-hinge"]
HINGE = CODES["hinge"]
LOGISTIC = CODES["logistic"]  # absolute is what remains

ULP = 2.0**-52


@kernel
def clip(value, low, high):
    """Limit ``value`` to [low, high]; on a bound the bound itself (reference: losses.clip)."""
    return low if value <= low else high if value >= high else value


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
    return 1.0 if z > y else -1.0 if z < y else 0.0


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
    if q > 0.0:
        return clip(alpha + (z - y) / q, -1.0, 1.0)
    return 1.0 if z > y else -1.0 if z < y else alpha


@kernel
def value(code, gamma, z, y):
    """phi(z) (reference: Loss.value)."""
    if code == SQUARED:
        return (z - y) * (z - y) / (2.0 * gamma)
    m = y * z
    if code == SMOOTHED_HINGE:
        if m >= 1.0:
            return 0.0
        if m <= 1.0 - gamma:
            return 1.0 - m - gamma / 2.0
        return (1.0 - m) * (1.0 - m) / (2.0 * gamma)
    if code == SQUARED_HINGE:
        return 0.0 if m >= 1.0 else (1.0 - m) * (1.0 - m)
    if code == HINGE:
        return 0.0 if m >= 1.0 else 1.0 - m
    if code == LOGISTIC:
        return softplus(-m)
    return z - y if z >= y else y - z


@kernel
def conjugate(code, gamma, alpha, y):
    """phi*(alpha) (reference: Loss.conjugate)."""
    if code == SQUARED or code == SMOOTHED_HINGE:
        return y * alpha + gamma * alpha * alpha / 2.0
    if code == SQUARED_HINGE:
        return y * alpha + alpha * alpha / 4.0
    if code == LOGISTIC:
        total = 0.0
        part = -y * alpha
        if part != 0.0:  # 0 ln 0 = 0
            total = total + part * math.log(part)
        part = 1.0 + y * alpha
        if part != 0.0:
            total = total + part * math.log(part)
        return total
    return y * alpha


@kernel
def residual(code, gamma, z, alpha, y):
    """phi(z) + phi*(alpha) - alpha z >= 0, without cancellation (reference: Loss.residual)."""
    if code == SQUARED:
        error = (z - y) / gamma - alpha
        return gamma * (error * error) / 2.0
    m, b = y * z, -y * alpha
    if code == SMOOTHED_HINGE:
        if m >= 1.0:
            return b * (m - 1.0) + gamma * (b * b) / 2.0
        if m <= 1.0 - gamma:
            return (1.0 - b) * ((1.0 - gamma - m) + gamma * (1.0 - b) / 2.0)
        error = (1.0 - m) / gamma - b
        return gamma * (error * error) / 2.0
    if code == SQUARED_HINGE:
        if m >= 1.0:
            return b * (m - 1.0) + b * b / 4.0
        error = (1.0 - m) - b / 2.0
        return error * error
    if code == HINGE:
        return b * (m - 1.0) if m >= 1.0 else (1.0 - b) * (1.0 - m)
    if code == LOGISTIC:
        return logistic_divergence(b, m)
    return (z - y) * (1.0 - alpha) if z >= y else (y - z) * (1.0 + alpha)


@kernel
def in_domain(code, alpha, y):
    """Whether phi*(alpha) is finite (reference: Loss.in_domain); false for a NaN."""
    if code == SQUARED:
        return -math.inf < alpha < math.inf
    b = -y * alpha
    if code == SQUARED_HINGE:
        return 0.0 <= b < math.inf
    if code == SMOOTHED_HINGE or code == HINGE or code == LOGISTIC:
        return 0.0 <= b <= 1.0
    return -1.0 <= alpha <= 1.0


# -- the logistic loss (twins in dualgap.reference.arithmetic) ---------------------------------------------


@kernel
def logistic(t):
    """1/(1 + e^-t), without overflow (reference: arithmetic.logistic; its two branches as one division)."""
    e = math.exp(-abs(t))
    return (e if t < 0.0 else 1.0) / (1.0 + e)


@kernel
def softplus(t):
    """log(1 + e^t), without overflow (reference: arithmetic.softplus)."""
    if t > 0.0:
        return t + math.log1p(math.exp(-t))
    return math.log1p(math.exp(t))


@kernel
def logistic_of_root(m, b, q):
    """logistic(t) at the root t of t + m + q (logistic(t) - b), by safeguarded Newton.

    Reference: arithmetic.logit_root, then arithmetic.logistic. The last iteration has evaluated logistic(t) already,
    by the same expressions, so that it is not done again.
    """
    if q == 0.0:
        return logistic(-m)
    low = -m - q * (1.0 - b)
    high = -m + q * b
    t = -m
    if q > 1.0:
        logit = -math.inf if b <= 0.0 else math.inf if b >= 1.0 else math.log(b) - math.log1p(-b)
        inner = -m if -m < logit else logit
        outer = logit if -m < logit else -m
        low = inner if inner > low else low
        high = outer if outer < high else high
        t = low if low > 0.0 else high if high < 0.0 else 0.0
    for _ in range(200):
        if t < 0.0:
            e = math.exp(t)
            s, s_complement = e / (1.0 + e), 1.0 / (1.0 + e)
        else:
            e = math.exp(-t)
            s, s_complement = 1.0 / (1.0 + e), e / (1.0 + e)
        h = t + m + q * (s - b)
        if abs(h) <= 4.0 * ULP * (abs(t) + abs(m) + q * (s if s > b else b)):
            return s
        if h > 0.0:
            high = t
        else:
            low = t
        following = t - h / (1.0 + q * s * s_complement)
        if not low < following < high:
            following = low + (high - low) / 2.0
            if not low < following < high:
                return s
        t = following
    return logistic(t)


@kernel
def logistic_divergence(b, m):
    """KL(b || logistic(-m)) (reference: arithmetic.logistic_divergence)."""
    p, p_complement = logistic(-m), logistic(m)
    delta = b - p if m >= 0.0 else p_complement - (1.0 - b)
    return bregman(b, p, -softplus(m), delta) + bregman(1.0 - b, p_complement, -softplus(-m), -delta)


@kernel
def bregman(b, p, log_p, delta):
    """b ln(b/p) - b + p for delta = b - p (reference: arithmetic._bregman)."""
    if 2.0 * abs(delta) < p:
        x = delta / p
        if abs(x) < 0.015625:
            series = 1.0 / 90.0 - x * (1.0 / 110.0)
            series = 1.0 / 72.0 - x * series
            series = 1.0 / 56.0 - x * series
            series = 1.0 / 42.0 - x * series
            series = 1.0 / 30.0 - x * series
            series = 1.0 / 20.0 - x * series
            series = 1.0 / 12.0 - x * series
            series = 1.0 / 6.0 - x * series
            series = 1.0 / 2.0 - x * series
            return p * (x * x * series)
        return p * ((1.0 + x) * math.log1p(x) - x)
    return (b * (math.log(b) - log_p) if b > 0.0 else 0.0) - delta
