# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The kernels of Newton's method: a Hessian from rows, its border for a free intercept, and its Cholesky factor."""

import math
from typing import NamedTuple

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import dot
from dualgap.fast.compiler.eight_rows import products_of_eight
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.rows import DENSE, NO_LIMITS, bounds, column, inner, value

GOLDEN = 2654435769  # floor(2^32 (sqrt(5) - 1)/2)
PANEL = 8  # pivots that are eliminated at a time
LOST = 1e-13  # of a diagonal entry: a pivot below is roundings


class Sample(NamedTuple):
    """The rows that enter H: ``row_of`` of ``blocks`` and ``stride``; weights is empty where rows have none. bound:
    whether phi'' is replaced by its bound. b: the intercept, or 0.
    """

    blocks: int
    stride: int
    made: int
    weights: Array
    bound: bool
    b: float


@kernel
def row_of(b, blocks, stride, made):
    """Row b stride + floor(stride frac(c g)) of the b-th ``stride`` rows, c = b + made blocks, g = (sqrt(5) - 1)/2:
    these fractions are spread evenly, whatever the period of c (Weyl), and so are the rows over data that are sorted or
    repeat themselves.
    """
    place = np.uint64(b + made * blocks) * np.uint64(GOLDEN) & np.uint64(0xFFFFFFFF)
    return b * stride + np.int64(place * np.uint64(stride) >> np.uint64(32))


@kernel
def factors_of(rows, losses, w, sample, first, picked, curved):
    """The rows of blocks first, first + 1, .. of the sample, s_i phi_i''(x_i^T w + b) of each; the sum of the s_i."""
    code, gamma, y, _ = losses
    mass = 0.0
    for b in range(picked.size):
        i = row_of(first + b, sample.blocks, sample.stride, sample.made)
        c = 1.0 / gamma if sample.bound else curvature(code, gamma, inner(rows, i, w, NO_LIMITS) + sample.b, y[i])
        s = sample.weights[i] if sample.weights.size > 0 else 1.0
        picked[b], curved[b], mass = i, s * c, mass + s
    return mass


@kernel
def add_rows(rows, picked, curved, H):
    """The upper half of H + sum_i c_i x_i x_i^T."""
    if len(rows) == DENSE:
        add_dense(rows.X, picked, curved, H)
        return
    for b in range(picked.size):
        if curved[b] != 0.0:
            add_square(rows, picked[b], curved[b], H)


@kernel(inline=True)
def add_square(rows, i, factor, H):
    """H <- H + factor x_i x_i^T."""
    first, end = bounds(rows, i)
    for a in range(first, end):
        row, c = H[column(rows, a)], factor * value(rows, i, a)
        for place in range(a, end):
            k = column(rows, place)
            row[k] = row[k] + c * value(rows, i, place)


@kernel
def add_dense(X, picked, curved, H):
    """``add_rows``, four rows and four rows of H at a time, in arrays whose rows are filled up for vector code."""
    d = X.shape[1]
    width = 16 if d >= 32 else 4
    total = np.zeros((d + (-d) % width, d + (-d) % width))
    four, factors, count = np.zeros((4, total.shape[0])), np.zeros(4), 0
    for at in range(picked.size):
        if curved[at] != 0.0:
            x, row = X[picked[at]], four[count]
            for j in range(d):
                row[j] = x[j]
            factors[count], count = curved[at], count + 1
        if count == 4:
            add_four(four, factors, width, total)
            count = 0
    for k in range(count, 4):
        factors[k] = 0.0
    add_four(four, factors, width, total)
    for j in range(d):
        for k in range(j, d):
            H[j, k] = H[j, k] + total[j, k]


@kernel
def add_four(four, factors, width, H):
    """H <- H + sum_k f_k x_k x_k^T, with every row from a multiple of ``width`` on."""
    for j in range(0, H.shape[0], 4):
        low = j - j % width
        h, i, m, n = H[j, low:], H[j + 1, low:], H[j + 2, low:], H[j + 3, low:]
        a, b, c, e = four[0, low:], four[1, low:], four[2, low:], four[3, low:]
        a0, a1, a2, a3 = scaled_four(factors[0], four[0], j)
        b0, b1, b2, b3 = scaled_four(factors[1], four[1], j)
        c0, c1, c2, c3 = scaled_four(factors[2], four[2], j)
        e0, e1, e2, e3 = scaled_four(factors[3], four[3], j)
        for k in range(h.size):
            x, y, z, t = a[k], b[k], c[k], e[k]
            h[k] = h[k] + a0 * x + b0 * y + c0 * z + e0 * t
            i[k] = i[k] + a1 * x + b1 * y + c1 * z + e1 * t
            m[k] = m[k] + a2 * x + b2 * y + c2 * z + e2 * t
            n[k] = n[k] + a3 * x + b3 * y + c3 * z + e3 * t


@kernel(inline=True)
def scaled_four(f, x, j):
    """f times the four numbers of x from place j on."""
    return f * x[j], f * x[j + 1], f * x[j + 2], f * x[j + 3]


@kernel
def products_of_rows(rows, first, end, d, K):
    """Rows first, .., end - 1 of the upper half of X X^T."""
    spread = np.zeros(d)
    for i in range(first, end):
        start, stop = bounds(rows, i)
        for place in range(start, stop):
            spread[column(rows, place)] = value(rows, i, place)
        out = K[i, i:]
        done = products_of_eight(rows.X, spread, i, out) if len(rows) == DENSE else 0
        for k in range(done, out.size):
            out[k] = inner(rows, i + k, spread, NO_LIMITS)
        for place in range(start, stop):
            spread[column(rows, place)] = 0.0


@kernel
def scaled(K, roots, lam):
    """lam I + diag(roots) K diag(roots), the upper half."""
    M = np.empty(K.shape)
    for i in range(roots.size):
        for k in range(i, roots.size):
            M[i, k] = roots[i] * K[i, k] * roots[k]
        M[i, i] = M[i, i] + lam
    return M


@kernel
def less_square(H, h, m):
    """The upper half of H - h h^T/m."""
    for i in range(h.size):
        row, share = H[i], h[i] / m
        for j in range(i, h.size):
            row[j] = row[j] - share * h[j]


@kernel
def projected(M, roots, m, lam):
    """The upper half of lam I + Q (M - lam I) Q with Q = I - r r^T/m, r = ``roots``, r^T r = m."""
    n = roots.size
    v = np.zeros(n)
    for i in range(n):
        M[i, i] = M[i, i] - lam
        for k in range(i, n):
            v[i] = v[i] + M[i, k] * roots[k]
            if k > i:
                v[k] = v[k] + M[i, k] * roots[i]
    v = v / m
    half = dot(roots, v) / (2.0 * m)
    v = v - half * roots
    for i in range(n):
        for k in range(i, n):
            M[i, k] = M[i, k] - (roots[i] * v[k] + v[i] * roots[k])
        M[i, i] = M[i, i] + lam


@kernel
def eliminate(H, diagonal, start, end):
    """Pivots start, .., end - 1 of H = U^T U, in its place, and their part of the rows that follow."""
    d = diagonal.size
    for k in range(start, end):
        row = H[k]
        for p in range(start, k):
            other = H[p]
            share = other[k]
            for j in range(k, d):
                row[j] = row[j] - share * other[j]
        pivot = row[k] if row[k] > LOST * diagonal[k] else diagonal[k]
        length = math.sqrt(pivot)
        for j in range(k + 1, d):
            row[j] = row[j] / length
        row[k] = length
    if end - start == PANEL:
        remove_eight(H, start, d)
    else:
        for p in range(start, end):
            other = H[p]
            for i in range(end, d):
                row, share = H[i], other[i]
                for j in range(i, d):
                    row[j] = row[j] - share * other[j]


@kernel
def remove_eight(H, p, d):
    """The rows after p + 7, less their part of rows p, .., p + 7."""
    a, b, c, e, f, g, h, k = H[p], H[p + 1], H[p + 2], H[p + 3], H[p + 4], H[p + 5], H[p + 6], H[p + 7]
    for i in range(p + PANEL, d):
        row, s, t, u, v, w, x, y, z = H[i], a[i], b[i], c[i], e[i], f[i], g[i], h[i], k[i]
        for j in range(i, d):
            rest = row[j] - s * a[j] - t * b[j] - u * c[j] - v * e[j]
            row[j] = rest - w * f[j] - x * g[j] - y * h[j] - z * k[j]


@kernel
def substitute(U, p):
    """p <- (U^T U)^-1 p."""
    d = p.size
    for k in range(d):
        row = U[k]
        p[k] = p[k] / row[k]
        share = p[k]
        for j in range(k + 1, d):
            p[j] = p[j] - share * row[j]
    for back in range(d):
        k = d - 1 - back
        p[k] = (p[k] - dot(U[k, k + 1 :], p[k + 1 :])) / U[k, k]
