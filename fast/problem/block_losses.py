"""The formulas of the block losses, compiled: counterparts of ``dualgap.reference.problem.block_losses``,
bit-identical.

z, alpha and out have K entries each; y has K, the targets, or one, the class. ``kind`` is an entry of ``KINDS``;
``code`` is that of the scalar loss inside ``Separable`` (``losses.CODES``). alpha must lie in the domain of phi*.
``work``, shape (4, K), is for intermediate values.
"""

import math

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import losses
from dualgap.fast.problem.elementary import bregman, exp, log, log1p

KINDS = {"separable": 0, "ball-huber": 1, "multiclass-smoothed-hinge": 2, "softmax": 3}

SEPARABLE = KINDS["separable"]
BALL_HUBER = KINDS["ball-huber"]
SMOOTHED_HINGE = KINDS["multiclass-smoothed-hinge"]  # softmax is what remains

ULP = 2.0**-52


@kernel(inline=True)
def inner(a, b):
    """<a, b>, summed in order (reference: inner)."""
    total = 0.0
    for k in range(a.size):
        total = total + a[k] * b[k]
    return total


# -- what every method needs -------------------------------------------------------------------------------------------


@kernel
def dual_step(kind, code, gamma, z, alpha, y, q, out, work):
    """argmin_a phi*(a) - <a, z> + (q/2)||a - alpha||^2, q > 0 (reference: BlockLoss.dual_step)."""
    if kind == SEPARABLE:
        for k in range(z.size):
            out[k] = losses.dual_step(code, gamma, z[k], alpha[k], y[k], q)
    elif kind == BALL_HUBER:
        for k in range(z.size):
            out[k] = (z[k] - y[k] + q * alpha[k]) / (gamma + q)
        square = inner(out, out)
        if not square <= 1.0:
            length = math.sqrt(square)
            for k in range(z.size):
                out[k] = out[k] / length
    else:
        c, point, beta = int(y[0]), work[0], work[1]
        for k in range(z.size):
            old = alpha[k] + 1.0 if k == c else alpha[k]
            if kind == SMOOTHED_HINGE:
                point[k] = (margin(z, c, k) + q * old) / (gamma + q)
            else:
                point[k] = z[k] + q * old
        if kind == SMOOTHED_HINGE:
            project_simplex(point, beta, work[2], work[3])
        else:
            entropy_prox(point, q, beta)
        for k in range(z.size):
            out[k] = beta[k] - 1.0 if k == c else beta[k]


@kernel
def value(kind, code, gamma, z, y, work):
    """phi(z) (reference: BlockLoss.value)."""
    if kind == SEPARABLE:
        total = 0.0
        for k in range(z.size):
            total = total + losses.value(code, gamma, z[k], y[k])
        return total
    if kind == BALL_HUBER:
        square = squared_error(z, y)
        return square / (2.0 * gamma) if square <= gamma * gamma else math.sqrt(square) - gamma / 2.0
    c = int(y[0])
    if kind == SMOOTHED_HINGE:
        margins, beta = work[0], work[1]
        best_of(gamma, z, c, beta, work)
        for k in range(z.size):
            margins[k] = margin(z, c, k)
        return inner(beta, margins) - gamma * inner(beta, beta) / 2.0
    log_probabilities(z, work[0])
    return -work[0, c]


@kernel
def conjugate(kind, code, gamma, alpha, y):
    """phi*(alpha) (reference: BlockLoss.conjugate)."""
    total = 0.0
    if kind == SEPARABLE:
        for k in range(alpha.size):
            total = total + losses.conjugate(code, gamma, alpha[k], y[k])
        return total
    if kind == BALL_HUBER:
        return inner(y, alpha) + gamma * inner(alpha, alpha) / 2.0
    c, squares = int(y[0]), 0.0
    for k in range(alpha.size):
        beta = alpha[k] + 1.0 if k == c else alpha[k]
        squares = squares + beta * beta
        if kind == SMOOTHED_HINGE:
            total = total if k == c else total + alpha[k]
        elif beta > 0.0:  # 0 ln 0 = 0
            total = total + beta * log(beta)
    return gamma * squares / 2.0 - total if kind == SMOOTHED_HINGE else total


@kernel
def residual(kind, code, gamma, z, alpha, y, work):
    """phi(z) + phi*(alpha) - <alpha, z> >= 0, without cancellation (reference: BlockLoss.residual)."""
    total = 0.0
    if kind == SEPARABLE:
        for k in range(z.size):
            total = total + losses.residual(code, gamma, z[k], alpha[k], y[k])
        return total
    if kind == BALL_HUBER:
        return ball_residual(gamma, z, alpha, y)
    c = int(y[0])
    if kind == SMOOTHED_HINGE:
        return hinge_residual(gamma, z, alpha, c, work)
    return softmax_residual(z, alpha, c, work[0])


@kernel
def in_domain(kind, code, alpha, y):
    """Return whether phi*(alpha) is finite, up to rounding (reference: BlockLoss.in_domain); false for a NaN."""
    q = alpha.size
    if kind == SEPARABLE:
        for k in range(q):
            if not losses.in_domain(code, alpha[k], y[k]):
                return False
        return True
    if kind == BALL_HUBER:
        return inner(alpha, alpha) <= 1.0 + (q + 4) * ULP
    room, total, c = q * (q + 6) * ULP / 2.0, 0.0, int(y[0])
    for k in range(q):
        total = total + alpha[k]
        if not (alpha[k] + 1.0 if k == c else alpha[k]) >= 0.0:
            return False
    return -room <= total <= room


# -- ball-Huber --------------------------------------------------------------------------------------------------------


@kernel
def squared_error(z, y):
    """||z - b||^2 (reference: BallHuber.error)."""
    total = 0.0
    for k in range(z.size):
        e = z[k] - y[k]
        total = total + e * e
    return total


@kernel
def ball_residual(gamma, z, alpha, y):
    """Reference: BallHuber.residual."""
    square, apart = squared_error(z, y), 0.0
    inside = square <= gamma * gamma
    length = gamma if inside else math.sqrt(square)
    for k in range(z.size):
        distance = alpha[k] - (z[k] - y[k]) / length
        apart = apart + distance * distance
    if inside:
        return gamma * apart / 2.0
    slack = 1.0 - inner(alpha, alpha)
    slack = slack if slack >= 0.0 else 0.0
    return gamma * apart / 2.0 + (length - gamma) * (apart + slack) / 2.0


# -- multiclass smoothed hinge -----------------------------------------------------------------------------------------


@kernel(inline=True)
def margin(z, c, k):
    """Entry k of delta + z - z_c 1 (reference: MulticlassSmoothedHinge.margins)."""
    return 0.0 if k == c else 1.0 + (z[k] - z[c])


@kernel
def best_of(gamma, z, c, beta, work):
    """beta that attains phi(z), and work[2], the slack of its projection."""
    for k in range(z.size):
        work[0, k] = margin(z, c, k) / gamma
    project_simplex(work[0], beta, work[2], work[3])


@kernel
def hinge_residual(gamma, z, alpha, c, work):
    """Reference: MulticlassSmoothedHinge.residual."""
    best, slack = work[1], work[2]
    best_of(gamma, z, c, best, work)
    apart = cross = 0.0
    for k in range(z.size):
        beta = alpha[k] + 1.0 if k == c else alpha[k]
        apart = apart + (beta - best[k]) * (beta - best[k])
        cross = cross + slack[k] * beta
    return gamma * apart / 2.0 + gamma * cross


@kernel
def project_simplex(point, beta, slack, ordered):
    """beta = max(point - t, 0) in the unit simplex, slack = max(t - point, 0); ``ordered`` is overwritten.

    Reference: project_simplex. Insertion sort: K is small.
    """
    q, top = point.size, point[0]
    for k in range(q):
        top = point[k] if point[k] > top else top
    for k in range(q):
        value, place = point[k] - top, k
        while place > 0 and ordered[place - 1] < value:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = value
    total = t = 0.0
    for count in range(q):
        total = total + ordered[count]
        candidate = (total - 1.0) / (count + 1)
        if ordered[count] <= candidate:
            break
        t = candidate
    for k in range(q):
        p = point[k] - top
        beta[k] = p - t if p > t else top - top  # 0, or NaN where the point is not finite
        slack[k] = t - p if p < t else top - top


# -- softmax -----------------------------------------------------------------------------------------------------------


@kernel
def log_probabilities(z, out):
    """ln p with p = e^z / sum e^z (reference: Softmax.log_probabilities)."""
    top = np.argmax(z)
    rest = 0.0
    for k in range(z.size):
        rest = rest if k == top else rest + exp(z[k] - z[top])
    for k in range(z.size):
        out[k] = (z[k] - z[top]) - log1p(rest)


@kernel
def softmax_residual(z, alpha, c, log_p):
    """KL(beta || p) (reference: Softmax.residual)."""
    log_probabilities(z, log_p)
    others = total = 0.0
    for k in range(z.size):
        others = others if k == c else others + exp(log_p[k])
    for k in range(z.size):
        p = exp(log_p[k])
        beta, best = (alpha[k] + 1.0, -others) if k == c else (alpha[k], p)
        total = total + bregman(beta, p, log(beta) if beta > 0.0 else 0.0, log_p[k], alpha[k] - best)
    return total


@kernel
def entropy_prox(a, q, beta):
    """argmin over the unit simplex of sum_k beta_k ln beta_k - a_k beta_k + (q/2) beta_k^2 (reference:
    entropy_prox).
    """
    top = a[0]
    for k in range(a.size):
        top = a[k] if a[k] > top else top
    mu = -q
    while True:
        total = slope = 0.0
        for k in range(a.size):
            beta[k] = exp(entropy_root((a[k] - top) - mu, q))
            total, slope = total + beta[k], slope + beta[k] / (1.0 + q * beta[k])
        following = mu + (total - 1.0) / slope
        if not following > mu:
            for k in range(a.size):
                beta[k] = beta[k] / total
            return
        mu = following


@kernel
def entropy_root(level, q):
    """The root v of v + q e^v = level (reference: _entropy_root)."""
    log_x = level + log(q)
    v = log(log_x) - log(q) if log_x > 1.0 else level
    while True:
        mass = q * exp(v)
        following = v - (v + mass - level) / (1.0 + mass)
        if not following < v:
            return v
        v = following
