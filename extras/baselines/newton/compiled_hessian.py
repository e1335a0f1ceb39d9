# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, disallow-untyped-decorators=False
"""The matrices of Newton's method: a Hessian from rows, its border for a free intercept, and its Cholesky factor.

Sums over dense rows and the factor are those of BLAS and LAPACK: their last bits depend on the library, the processor
and the number of threads.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import get_blas_funcs, get_lapack_funcs

from dualgap.extras.baselines.lbfgs.compiled import dot
from dualgap.fast.compiler.first_calls import quick
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import require_time
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, NO_LIMITS, bounds, column, entries, inner, value

(dsyrk,) = get_blas_funcs(("syrk",), dtype=np.float64)
(dpotrf,) = get_lapack_funcs(("potrf",), dtype=np.float64)
GOLDEN = 2654435769  # floor(2^32 (sqrt(5) - 1)/2)
BETWEEN_LOOKS = 10**8  # multiplications, which take a tenth of a second at most
BY_BLAS = 5  # times as many of X X^T take half of that, and BLAS wants blocks of many rows
AT_ONCE = 1 << 15  # numbers of dense rows that are copied: few enough for a cache
LOST = 1e-13  # of a diagonal entry: a pivot below is roundings


@kernel
def uncorrelated(H, lam, curved):
    """Return whether the columns are correlated no more than samples of uncorrelated ones are. Then the entries of H
    beside its diagonal are mostly noise. Of m equal rows, r_jk^2 is 1/m in the mean, and twice that is allowed.
    """
    d, squares, size, mass = H.shape[0], 0.0, 0.0, 0.0
    for j in range(d):
        for k in range(j + 1, d):
            sizes = max(H[j, j] - lam, 0.0) * max(H[k, k] - lam, 0.0)
            if sizes > 0.0:
                squares = squares + H[j, k] * H[j, k] / sizes
    for c in curved:
        mass, size = mass + c, size + c * c
    return squares * (mass * mass) <= d * (d - 1) * size


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


def add_rows(rows: Any, picked: Array, curved: Array, H: Array) -> None:
    """H <- the upper half of H + sum_i c_i x_i x_i^T, c_i >= 0, ``picked`` ascending."""
    if len(rows) == DENSE:
        picked, curved = picked[curved > 0.0], curved[curved > 0.0]
        size = max(H.shape[0], AT_ONCE // H.shape[0])  # no fewer than columns, for which BLAS is slow
        if picked.size and picked[-1] - picked[0] < picked.size and (curved == curved[0]).all():  # nothing is copied
            size = picked.size
        for first in range(0, picked.size, size):
            which, factors = picked[first : first + size], curved[first : first + size]
            together = which[-1] - which[0] < which.size
            part, factor = rows.X[which[0] : which[-1] + 1] if together else rows.X[which], factors[0]
            if (factors != factor).any():
                part, factor = part * np.sqrt(factors[:, None]), 1.0
            dsyrk(factor, part.T, 1.0, H.T, lower=1, overwrite_c=1)  # H in the order of Fortran: its lower half
    else:
        add_sparse(rows, picked, curved, H)


@kernel
def add_sparse(rows, picked, curved, H):
    """``add_rows``."""
    for b in range(picked.size):
        if curved[b] != 0.0:
            add_square(rows, picked[b], curved[b], H)


@kernel(inline=True)
def add_square(rows, i, factor, H):
    """The upper half of H + factor x_i x_i^T."""
    first, end = bounds(rows, i)
    for a in range(first, end):
        j, c = column(rows, a), factor * value(rows, i, a)
        row = H[j]
        for place in range(a, end):
            k = column(rows, place)
            if k < j:  # columns of a sparse row are stored in any order
                H[k, j] = H[k, j] + c * value(rows, i, place)
            else:
                row[k] = row[k] + c * value(rows, i, place)


@quick(add_square)
def add_square_in_python(rows, i, factor, H):
    columns, values = entries(rows, i)
    columns = np.arange(values.size) if isinstance(columns, slice) else columns
    for a in range(values.size):
        j, k = np.minimum(columns[a], columns[a:]), np.maximum(columns[a], columns[a:])
        H[j, k] = H[j, k] + factor * values[a] * values[a:]


@kernel
def add_squares(rows, picked, curved, out):
    """out_j <- out_j + sum_i c_i x_ij^2."""
    for b in range(picked.size):
        i, factor = picked[b], curved[b]
        first, end = bounds(rows, i)
        for place in range(first, end):
            j = column(rows, place)
            out[j] = out[j] + factor * (value(rows, i, place) * value(rows, i, place))


def products(objective: Objective, deadline: float) -> Array:
    """X X^T, which is made once; of sparse rows the upper half."""

    def made() -> Array:
        K = np.zeros((objective.n, objective.n))
        at_once = max(1, int(BETWEEN_LOOKS * (1 if objective.arrays.sparse else BY_BLAS) / (objective.arrays.nnz + 1)))
        for first in range(0, objective.n, at_once):
            require_time(deadline)
            end = min(first + at_once, objective.n)
            products_of_rows(objective.arrays.matrix, first, end, objective.d, K)
            K[end:, first:end] = K[first:end, end:].T
        return K

    kept: Array = objective.problem.cached("products of rows", made)
    return kept


def products_of_rows(rows: Any, first: int, end: int, d: int, K: Array) -> None:
    """Rows first, .., end - 1 of the upper half of X X^T."""
    if len(rows) == DENSE:
        np.matmul(rows.X[first:end], rows.X[first:].T, out=K[first:end, first:])
    else:
        products_of_sparse(rows, first, end, d, K)


@kernel
def products_of_sparse(rows, first, end, d, K):
    """``products_of_rows``."""
    spread = np.zeros(d)
    for i in range(first, end):
        start, stop = bounds(rows, i)
        for place in range(start, stop):
            spread[column(rows, place)] = value(rows, i, place)
        for k in range(i, K.shape[1]):
            K[i, k] = inner(rows, k, spread, NO_LIMITS)
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


def factorized(make: Callable[[], Array], made: Array | None = None) -> Array:
    """Return U with U^T U = H, in the memory of the H that ``make`` makes, or was ``made``; only the upper half of H
    is read. If H is not positive definite in doubles, it is made again, and a share of its diagonal added.
    """
    H, share = make() if made is None else made, LOST
    diagonal = H.diagonal().copy()
    while True:
        U, failed = dpotrf(H.T, lower=1, clean=0, overwrite_a=1)  # H in the order of Fortran: its lower half
        if not failed and (U.diagonal() ** 2 > LOST * diagonal).all() or not share < 1.0:
            return np.asarray(U.T)
        H = make()
        H[np.diag_indices(diagonal.size)] = (1.0 + share) * diagonal
        share *= 100.0
