"""L-BFGS whose metric is the inverse of a Hessian, compiled: of all rows or of a sample, factorized in the smaller
dimension.
"""

import math
from typing import ClassVar, NamedTuple

import numpy as np

from dualgap.extras.baselines.lbfgs.compiled import FastInterceptLBFGS, FastLBFGS, LBFGSState, dot
from dualgap.extras.baselines.newton.reference import Newton, is_wide
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, bounds, column, combine, inner, value
from dualgap.fast.problem.weighted_objective import WeightedObjective, objective_of_rows

GOLDEN = 2654435769  # floor(2^32 (sqrt(5) - 1)/2)
BETWEEN_LOOKS = 10**8  # multiplications, of about a tenth of a second
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
    """The rows of blocks first, first + 1, .. of the sample, s_i phi_i''(x_i^T w + b) of each, and the sum of their s_i."""
    code, gamma, y, _ = losses
    mass = 0.0
    for b in range(picked.size):
        i = row_of(first + b, sample.blocks, sample.stride, sample.made)
        c = 1.0 / gamma if sample.bound else curvature(code, gamma, inner(rows, i, w, 0.0) + sample.b, y[i])
        s = sample.weights[i] if sample.weights.size > 0 else 1.0
        picked[b], curved[b], mass = i, s * c, mass + s
    return mass


@kernel
def add_rows(rows, picked, curved, H):
    """The upper half of H + sum_i c_i x_i x_i^T, dense rows eight at a time."""
    waiting, factors, count = np.empty(8, np.int64), np.empty(8), 0
    for b in range(picked.size):
        i, c = picked[b], curved[b]
        if c != 0.0:
            if len(rows) != DENSE:
                add_square(rows, i, c, H)
                continue
            waiting[count], factors[count], count = i, c, count + 1
            if count == 8:
                add_eight(rows.X, waiting, factors, H)
                count = 0
    for k in range(count):
        add_square(rows, waiting[k], factors[k], H)


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
def add_eight(X, i, factor, H):
    """H <- H + factor_k x_i x_i^T, i = i_k, for eight k: one entry of H is read once for eight rows."""
    a, b, c, e, f, g, p, q = X[i[0]], X[i[1]], X[i[2]], X[i[3]], X[i[4]], X[i[5]], X[i[6]], X[i[7]]
    for j in range(a.size):
        u, v, w, x = factor[0] * a[j], factor[1] * b[j], factor[2] * c[j], factor[3] * e[j]
        y, z, s, t = factor[4] * f[j], factor[5] * g[j], factor[6] * p[j], factor[7] * q[j]
        row = H[j]
        for k in range(j, a.size):
            h = row[k] + u * a[k] + v * b[k] + w * c[k] + x * e[k]
            row[k] = h + y * f[k] + z * g[k] + s * p[k] + t * q[k]


@kernel
def products_of_rows(rows, first, end, d, K):
    """Rows first, .., end - 1 of the upper half of X X^T."""
    spread = np.zeros(d)
    for i in range(first, end):
        start, stop = bounds(rows, i)
        for place in range(start, stop):
            spread[column(rows, place)] = value(rows, i, place)
        for k in range(i, K.shape[0]):
            K[i, k] = dot(rows.X[k], spread) if len(rows) == DENSE else inner(rows, k, spread, 0.0)
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


class Metric(NamedTuple):
    """U with U^T U = H, or with U^T U = lam I + S X X^T S and the diagonal of S, for a Hessian lam I + X^T S^2 X.

    With a free intercept m is the mean of phi_i'', and ``mean`` that of the rows with these weights, subtracted from
    each row.
    """

    U: Array
    roots: Array | None
    m: float = 0.0
    mean: Array | None = None


@register_compiled_method
class FastNewton(FastLBFGS):
    """The steps of ``dualgap.extras.baselines.newton.reference``.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastNewton().run(problem, [0, 0]).w.round(9).tolist()
    [0.2, -0.6]
    """

    name: ClassVar[str] = "newton"
    reference: Newton

    def update_metric(self, objective: Objective, state: LBFGSState) -> None:
        """Make the metric where the reference says so, or make the one of a copied state again."""
        problem = objective.problem
        at_zero = problem.cached("P(0)", lambda: objective_of_rows(problem).P(np.zeros(problem.d)))
        small = 2 * problem.regularizer.lam * at_zero
        stride = self.reference.next_stride(problem, state, small, objective.arrays)
        if stride is not None:
            state.stride, state.made, state.anchor, state.pairs = stride, state.evaluations, state.w.copy(), 0
            state.metric = None
        if state.stride and state.metric is None:
            state.metric = self.metric(objective, state)

    def metric(self, objective: Objective, state: LBFGSState) -> Metric:
        """That of the state's anchor, sample and time."""
        n, lam, rows = objective.n, objective.problem.regularizer.lam, objective.arrays.matrix
        picked, curved, mass = self.factors(objective, state)
        m, mean = self.border(objective, picked, curved, mass)
        if is_wide(objective.problem):
            roots = np.sqrt(curved / mass)
            M = scaled(self.products(objective), roots, lam)
            if m > 0:
                projected(M, roots, m, lam)
            return Metric(self.factorized(M), roots, m, mean)
        H, entries = np.zeros((objective.d, objective.d)), objective.arrays.nnz / n
        at_once = max(1, int(BETWEEN_LOOKS / (entries * entries + 1)))
        for first in range(0, picked.size, at_once):
            self.check_clock()
            part = slice(first, first + at_once)
            add_rows(rows, picked[part], curved[part], H)
        H /= mass
        H[np.diag_indices(objective.d)] += lam
        if mean is not None and m > 0:
            less_square(H, m * mean, m)
        return Metric(self.factorized(H), None, m, mean)

    def factors(self, objective: Objective, state: LBFGSState) -> tuple[Array, Array, float]:
        """Which rows enter, s_i phi_i'' of each, and the sum of their s_i."""
        weights = np.empty(0) if objective.arrays.weights is None else objective.arrays.weights
        flat = state.made == 1 and objective.problem.loss.curvature(0.0, 1.0) == 0
        b = float(state.anchor[-1]) if state.anchor.size > objective.d else 0.0
        sample = Sample(objective.n // state.stride, state.stride, state.made, weights, flat, b)
        picked, curved = np.empty(sample.blocks, np.int64), np.empty(sample.blocks)
        mass = factors_of(
            objective.arrays.matrix, objective.losses, state.anchor[: objective.d], sample, 0, picked, curved
        )
        return picked, curved, float(mass)

    def border(self, objective: Objective, picked: Array, curved: Array, mass: float) -> tuple[float, Array | None]:
        """m and the mean of ``Metric``: 0 and None without a free intercept."""
        return 0.0, None

    def products(self, objective: Objective) -> Array:
        """The upper half of X X^T, which is made once."""

        def made() -> Array:
            K = np.zeros((objective.n, objective.n))
            at_once = max(1, int(BETWEEN_LOOKS / (objective.arrays.nnz + 1)))
            for first in range(0, objective.n, at_once):
                self.check_clock()
                end = min(first + at_once, objective.n)
                products_of_rows(objective.arrays.matrix, first, end, objective.d, K)
            return K

        kept: Array = objective.problem.cached("products of rows", made)
        return kept

    def factorized(self, H: Array) -> Array:
        """U with U^T U = H, of whose upper half it takes the place."""
        diagonal = H.diagonal().copy()
        at_once = PANEL * max(1, int(BETWEEN_LOOKS / (PANEL * diagonal.size**2)))
        for start in range(0, diagonal.size, PANEL):
            if start % at_once == 0:
                self.check_clock()
            eliminate(H, diagonal, start, min(start + PANEL, diagonal.size))
        return H

    def precondition(self, objective: Objective, state: LBFGSState, q: Array) -> Array:
        if state.metric is None:
            return super().precondition(objective, state, q)
        U, roots, m, _ = state.metric
        if roots is None:
            substitute(U, q)
            return q
        inside = roots * objective.z(q)
        if m > 0:
            inside -= roots * (dot(roots, inside) / m)
        substitute(U, inside)
        spread = np.zeros(objective.d)
        combine(objective.arrays.matrix, roots * inside, spread)
        return np.asarray((q - spread) / objective.problem.regularizer.lam)


class FastInterceptNewton(FastInterceptLBFGS, FastNewton):
    """Newton's method on an InterceptProblem: the steps in (w, b), where b has no penalty.

    The Hessian is H with a border: m, the mean of phi_i'', for b, and m x with x the mean of the x_i in proportion to
    phi_i''. Without b it is H - m x x^T, the Hessian of the rows x_i - x, which is factorized.

    >>> from dualgap.reference import InterceptProblem, L2, Squared
    >>> problem = InterceptProblem([[1.0], [-1.0]], [2, 4], Squared(), L2(1))
    >>> FastInterceptNewton().run(problem, [0] * 3).w.round(9).tolist()
    [-0.5, 3.0]
    """

    def border(self, objective: Objective, picked: Array, curved: Array, mass: float) -> tuple[float, Array | None]:
        factors, total = np.zeros(objective.n), np.zeros(objective.d)
        factors[picked] = curved
        size = float(curved.sum())
        if not size > 0:  # no row is curved: b is scaled as if all were
            return 0.0, total
        combine(objective.arrays.matrix, factors, total)
        return size / mass, np.asarray(total / size)

    def precondition(self, objective: Objective, state: LBFGSState, q: Array) -> Array:
        if state.metric is None:
            return super().precondition(objective, state, q)
        m, mean = state.metric.m, state.metric.mean
        p = super().precondition(WeightedObjective(objective.problem), state, q[:-1] - q[-1] * mean)  # type: ignore[arg-type]
        return np.append(p, q[-1] / (m or self.smoothness(objective, state)) - dot(mean, p))


FastNewton.with_intercept = FastInterceptNewton
