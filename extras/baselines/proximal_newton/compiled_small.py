# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The proximal Newton method for few numbers and more rows than columns, compiled: all steps in one call, without BLAS,
so bit-identical on every machine. Dense rows, with weights or a free intercept or without.
"""

import math

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import EXACT, FRESH, TRIALS, dot, next_inside, slope_of, solution
from dualgap.extras.baselines.newton.compiled_small import factor_of
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.losses import HINGE, LOGISTIC, SMOOTHED_HINGE, SQUARED, SQUARED_HINGE, dual_step
from dualgap.fast.problem.row_sums import row_sums, weight_of, weighted
from dualgap.fast.problem.rows import combine, products

FACTOR, LEAST = 0.5, 1e-12  # of q, and relative to the first q
INNER = 0.5  # of the distance from the centre: what the inner problem may be off by


@kernel(inline=True)
def inside(code, alpha_i, y_i):
    """Return whether alpha_i is at no end of its interval."""
    b = -y_i * alpha_i
    if code == SQUARED or code == LOGISTIC:
        return True
    if code == SQUARED_HINGE:
        return b > 0.0
    if code == HINGE or code == SMOOTHED_HINGE:
        return 0.0 < b < 1.0
    return -1.0 < alpha_i < 1.0  # absolute


@kernel
def bend_of(code, gamma, alpha_i, y_i, q):
    """The slope of phi_q' where it is alpha_i: 1/(q + (phi*)''(alpha_i)), and 0 at the ends of the domain."""
    if code == LOGISTIC:
        b = -y_i * alpha_i
        share = b * (1.0 - b)
        return share / (q * share + 1.0)
    return 1.0 / (q + gamma) if inside(code, alpha_i, y_i) else 0.0


@kernel
def slope_and_bend(losses, z, zp, weighted, centre, q, t):
    """Sums over the rows of the first two derivatives of phi_q(z + t zp); weighted: zp times the weights."""
    code, gamma, y, _ = losses
    slope, bend = 0.0, 0.0
    for i in range(z.size):
        alpha_i = dual_step(code, gamma, z[i] + t * zp[i], centre[i], y[i], q)
        slope = slope + alpha_i * weighted[i]
        bend = bend + bend_of(code, gamma, alpha_i, y[i], q) * zp[i] * weighted[i]
    return slope, bend


@kernel
def step_length(losses, z, zp, weighted, centre, q, first, rest):
    """t near the minimum of the inner problem along p, by Newton's method in one dimension, kept inside the interval in
    which the slope changes its sign.

    weighted: zp times the weights over their sum; first: the slope at t = 0; rest: what the regularizer adds to the
    slope at 0, and for each t.
    """
    t, low, high = 1.0, 0.0, np.inf
    for _ in range(TRIALS):
        slope, bend = slope_and_bend(losses, z, zp, weighted, centre, q, t)
        slope = slope + rest[0] + t * rest[1]
        if abs(slope) <= -EXACT * first:
            break
        low, high = (t, high) if slope < 0.0 else (low, t)
        following = next_inside(t, slope, bend + rest[1], low, high)  # no bend along b where no row is free
        if following == t:
            break
        t = following
    return t


@kernel
def proximal_slopes(losses, z, centre, q, alpha, bends):
    """alpha <- phi_q'(z) and bends <- phi_q''(z), 0 where a row is not free."""
    code, gamma, y, _ = losses
    for i in range(z.size):
        alpha[i] = dual_step(code, gamma, z[i], centre[i], y[i], q)
        bends[i] = bend_of(code, gamma, alpha[i], y[i], q)


@kernel
def inner_slopes(rows, losses, weights, mass, lam, w, q, z, centre, alpha, bends, gradient):
    """``proximal_slopes``, and the gradient of the inner problem."""
    proximal_slopes(losses, z, centre, q, alpha, bends)
    total = np.zeros(rows.X.shape[1])
    combine(rows, weighted(weights, alpha), total)
    slope_of(alpha, weights, mass, lam, w, total, gradient)


@kernel
def measures(losses, weights, mass, lam, d, q, z, centre, alpha, bends, gradient):
    """Three numbers: what the inner problem lacks at most, ||grad||^2/(2 lam) and, where b is free, the gain of a step
    along b, the square of its slope over twice the mean of the bends; the mean of (q/2)(alpha_i - c_i)^2; the effect
    on the first of rounding z, four units in the last place, through the alpha_i of the free rows.
    """
    bend = distance = size = 0.0
    for i in range(z.size):
        s, moved = weight_of(weights, i), alpha[i] - centre[i]
        distance = distance + s * (moved * moved)
        if bends[i] > 0.0:
            bend = bend + s * bends[i]
            size = size + s * bends[i] * abs(z[i]) * math.sqrt(losses.norms2[i] / s)
    short, blur = dot(gradient[:d], gradient[:d]) / (2.0 * lam), 2.0**-50 * size / mass
    if gradient.size > d and gradient[d] != 0.0:
        m = bend / mass
        short = short + (0.5 * gradient[d] * (gradient[d] / m) if m > 0.0 else np.inf)
    return short, q / 2.0 * distance / mass, blur * blur / (2.0 * lam)


@kernel
def go_to(rows, w, z):
    """z <- X w + b."""
    d = rows.X.shape[1]
    products(rows, w[:d], z)
    if w.size > d:
        for i in range(z.size):
            z[i] = z[i] + w[d]


@kernel
def proximal_steps(rows, losses, weights, mass, lam, point, sizes, counts, gap):
    """Make steps until they tell a gap of at most that; how many, q, and what they told.

    point: w, and b after it if it is free, z, the centre and alpha, which all change; sizes: q and the least q; counts:
    the steps before, and the most. Where b is free, a gap is told only after an inner problem is solved.
    """
    w, z, centre, alpha = point
    q, least = sizes
    n, d = z.size, rows.X.shape[1]
    code, gamma, y, _ = losses
    bends, gradient, zp, made, told = np.empty(n), np.empty(w.size), np.empty(n), 0, np.inf
    inner_slopes(rows, losses, weights, mass, lam, w, q, z, centre, alpha, bends, gradient)
    short, distance, blur = measures(losses, weights, mass, lam, d, q, z, centre, alpha, bends, gradient)
    while made < counts[1] and not told <= gap:
        if short <= max(INNER * distance, blur):
            if blur <= INNER * distance:
                q = max(FACTOR * q, least)
            centre[:] = alpha
            inner_slopes(rows, losses, weights, mass, lam, w, q, z, centre, alpha, bends, gradient)
        p = solution(factor_of(rows.X, weighted(weights, bends), mass, lam, w.size), 0.0 - gradient)
        first, fresh = dot(gradient, p), True
        if first < 0.0 and np.isfinite(first):  # else roundings
            go_to(rows, p, zp)
            rest = lam * dot(w[:d], p[:d]), lam * dot(p[:d], p[:d])
            t = step_length(losses, z, zp, weighted(weights, zp) / mass, centre, q, first, rest)
            for j in range(w.size):
                w[j] = w[j] + t * p[j]
            fresh = (counts[0] + made) % FRESH == FRESH - 1
            if not fresh:
                for i in range(n):
                    z[i] = z[i] + t * zp[i]
        if fresh:
            go_to(rows, w, z)
        inner_slopes(rows, losses, weights, mass, lam, w, q, z, centre, alpha, bends, gradient)
        short, distance, blur = measures(losses, weights, mass, lam, d, q, z, centre, alpha, bends, gradient)
        told = row_sums(code, gamma, weights, z, alpha, y, (0.0, 0.0, 0.0))[2] / mass + short
        if w.size > d and not short <= max(INNER * distance, blur):
            told = np.inf
        made += 1
    return made, q, told
