# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""Newton's method for few numbers, compiled: all steps in one call, without BLAS, so bit-identical on every machine.

Dense rows, with weights or a free intercept or without. A step costs n d (d + 1)/2 products for the Hessian.
"""

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import (
    EXACT,
    FAIR,
    TIGHT,
    begin,
    bends,
    dot,
    go_to,
    keep,
    minimum_along,
    slope_of,
    solution,
)
from dualgap.fast.compiler.doubles import quotient
from dualgap.fast.compiler.eight_rows import WIDTH, add_tile
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.losses import SQUARED
from dualgap.fast.problem.row_sums import NEAR, weighted
from dualgap.fast.problem.rows import combine, products

LOST = 1e-13  # of a diagonal entry: a pivot below is roundings


@kernel
def squares(X, curved, size):
    """The upper half of sum_i c_i x_i x_i^T, x_i with a 1 for b if ``size`` is more than its length, in a matrix of a
    multiple of four columns. Rows with c_i = 0 are left out; an empty ``curved`` stands for ones.
    """
    d, width = X.shape[1], size + (-size) % WIDTH
    left, right, H = np.zeros((NEAR, width)), np.zeros((NEAR, width)), np.zeros((width, width))
    right[:, d:size] = 1.0
    equal = np.ones(NEAR if curved.size == 0 else 0)
    for first in range(0, X.shape[0], NEAR):
        rows, count, ones = X[first : first + NEAR], 0, 0
        factors = equal[: rows.shape[0]] if curved.size == 0 else curved[first : first + NEAR]
        for i in range(factors.size):
            ones += factors[i] == 1.0
            if factors[i] != 0.0:
                for j in range(d):
                    right[count, j] = rows[i, j]
                left[count, 0] = factors[i]
                count += 1
        for i in range(count if ones < count else 0):
            c = left[i, 0]
            for j in range(size):
                left[i, j] = c * right[i, j]
        scaled = left if ones < count else right
        for j in range(0, width, WIDTH):
            for m in range(j, width, WIDTH):
                add_tile(scaled, right, H, j, m, count)
    return H


@kernel
def cholesky(H, U):
    """U with U^T U = the upper half of H; whether every pivot is more than its roundings."""
    for i in range(H.shape[0]):
        U[i, i:] = H[i, i:]
        for k in range(i):
            f, above, row = U[k, i], U[k], U[i]
            for j in range(i, H.shape[0]):
                row[j] = row[j] - f * above[j]
        if not U[i, i] > LOST * H[i, i]:
            return False
        root = np.sqrt(U[i, i])
        for j in range(i, H.shape[0]):
            U[i, j] = quotient(U[i, j], root)
    return True


@kernel
def hessian(X, curved, mass, lam, H):
    """H <- the upper half of the Hessian of (w, b), shape (d, d) without b: lam on the diagonal of w, and the sum of
    c_i x_i x_i^T/mass, x_i with a 1 for b.
    """
    total = squares(X, curved, H.shape[0])
    for j in range(H.shape[0]):
        for m in range(j, H.shape[0]):
            H[j, m] = total[j, m] / mass
        if j < X.shape[1]:
            H[j, j] = H[j, j] + lam
        elif not H[j, j] > 0.0:  # no row is curved
            H[j, j] = 1.0


@kernel
def factor_of(X, curved, mass, lam, size):
    """``cholesky`` of ``hessian``, (size, size); of one with a share of its diagonal added, where that is not positive
    definite in doubles.
    """
    H, U, share = np.empty((size, size)), np.zeros((size, size)), LOST
    hessian(X, curved, mass, lam, H)
    while not cholesky(H, U) and share < 1.0:
        for j in range(size):
            H[j, j] = (1.0 + share) * H[j, j]
        share = share * 100.0
    return U


@kernel
def newton_steps(rows, losses, weights, sizes, point, counts, gap):
    """Make Newton's steps until ||grad P||^2/(2 lam) <= gap; how many. From w = 0 the first step for the squared loss
    goes to the minimum, up to roundings, and the gradient is taken for 0.

    point: w, and b after it if it is free, z, alpha, the gradient and the last ||grad P||^2, which all change.
    counts: the evaluations before, without which the first step is the evaluation at w; the most steps. It ends before
    a step that is no descent, because of roundings. t = 1 is taken where the slope along the step has fallen to 0.3 of
    what it was, else t is near the minimum.
    """
    mass, lam, d = sizes
    w, z, alpha, gradient, recent = point
    n, made = z.size, 0
    code, gamma, y, _ = losses
    if code == SQUARED and counts[0] == 0 < counts[1] and not w.any():
        total, following = np.zeros(d), np.empty(w.size)
        combine(rows, weighted(weights, y), total)
        slope_of(y, weights, mass, lam, w, total, following)
        w[:], gradient[:] = solution(factor_of(rows.X, weights, mass, lam, w.size), following), 0.0
        keep(recent, gradient)
        return 1
    zero, ones, curved = np.zeros(n), np.ones(n), np.empty(n)
    moved, slopes, following, steepness = np.empty(n), np.empty(n), np.empty(w.size), np.empty(w.size)
    if counts[1] > 0 and (counts[0] == 0 or not gradient.any()):
        begin(rows, losses, weights, sizes, point)
        made = 1
    while made < counts[1] and not (made > 0 and recent[-1] / (2.0 * lam) <= gap):
        bends(code, gamma, z, alpha, y, ones, curved)
        if not curved.any():
            curved[:] = 1.0 / gamma
        p = solution(factor_of(rows.X, weighted(weights, curved), mass, lam, w.size), 0.0 - gradient)
        first = dot(gradient, p)
        if not (first < 0.0 and np.isfinite(first)):
            break
        grew = recent[-1] > recent[-2] > 0.0
        for j in range(w.size):
            following[j] = w[j] + p[j]
        go_to(rows, losses, weights, sizes, following, zero, moved, slopes, steepness)
        if abs(dot(steepness, p)) > (TIGHT if grew else FAIR) * -first:
            zp, enough = np.empty(n), (TIGHT if grew else EXACT) * -first
            products(rows, p[:d], zp)
            zp = zp + (p[d] if w.size > d else 0.0)
            rest = lam, dot(w[:d], p[:d]), dot(p[:d], p[:d])
            t = minimum_along(losses, z, zp, weighted(weights, zp), mass, rest, 1.0, enough, moved, slopes)
            for j in range(w.size):
                following[j] = w[j] + t * p[j]
            total = np.zeros(d)
            combine(rows, weighted(weights, slopes), total)
            slope_of(slopes, weights, mass, lam, following, total, steepness)
        w[:], z[:], alpha[:], gradient[:] = following, moved, slopes, steepness
        keep(recent, gradient)
        made += 1
    return made
