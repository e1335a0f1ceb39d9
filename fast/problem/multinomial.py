"""Multinomial logistic regression: its problem, and certificates of it, also for weighted rows and a free intercept.

    P(W, b)  = (1/S) sum_i s_i [ln sum_k e^(z_ik) - z_i,y_i] + g(W),    z_i = W^T x_i + b,    S = sum_i s_i
    D(alpha) = -(1/S) sum_i s_i sum_k beta_ik ln beta_ik - g*(-u),      u = (1/S) sum_i s_i x_i alpha_i^T

beta_i = alpha_i + e_(y_i) lies in the unit simplex, and with a free b also C(alpha) = sum_i s_i alpha_i = 0. With p_i
the probabilities of z_i, F(alpha) = (1/S) sum_i s_i KL(beta_i || p_i) + Reg(W, u), Reg = g(W) + g*(-u) + <u, W>, is
P(W, b) - D(alpha) wherever these constraints hold.

The certificate is that of a real alpha' next to alpha which satisfies these constraints exactly. The proof is in
docs/certificates.md, "The proof for multinomial logistic regression".
"""

import math
from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.elementary import bregman, exp, log, log1p
from dualgap.fast.problem.evaluated import Evaluated, allowance, require_agreement
from dualgap.fast.problem.gap_bound import LOGISTIC, LOST, TINY, UNIT, k, length
from dualgap.fast.problem.intercept import summed_products
from dualgap.fast.problem.native import numbers
from dualgap.fast.problem.objective import Objective, Sums
from dualgap.fast.problem.rows import bounds, column, value
from dualgap.reference.problem import validate
from dualgap.reference.problem.block_losses import Softmax
from dualgap.reference.problem.regularizers import Regularizer
from dualgap.reference.problem.weighted_problem import WeightedProblem


class MultinomialProblem(WeightedProblem):
    """Rows x_i with classes y_i in 0..K-1, weights (all 1 by default), and a free intercept for each class or none.

    Parameters
    ----------
    X : (n, features), as of ``Problem``
    y : (n,) classes 0..K-1
    K : integer >= 2
    regularizer : L2, ElasticNet or NonNegative, of w = vec(W), W of shape (features, K), row by row
    weights : (n,) as of ``WeightedProblem``, or None
    free : whether there is an intercept for each class, without a penalty

    Raises
    ------
    ValueError, TypeError
        As ``WeightedProblem``; y with other numbers than 0..K-1; with free intercepts, a class without rows, for which
        P has no minimum.

    >>> from dualgap.reference import L2
    >>> MultinomialProblem([[1.0], [0.0], [-1.0]], [0, 1, 2], 3, L2(0.1)).own_objective().d
    3
    """

    def __init__(
        self, X: object, y: object, K: int, regularizer: Regularizer, weights: object = None, free: bool = True
    ) -> None:
        if not (isinstance(K, int) and K >= 2):
            raise ValueError(f"K must be an integer >= 2, the number of classes (got {K!r})")
        super().__init__(X, y, Softmax(), regularizer, [1] * validate.shape(X, None)[0] if weights is None else weights)
        if regularizer.family not in ("quadratic", "non-negative") or regularizer.kappa > 0:
            raise ValueError(f"a multinomial problem is for L2, ElasticNet and NonNegative (got {regularizer!r})")
        found = {float(y_i) for y_i in self.y}
        if not found <= set(range(K)):
            raise ValueError(f"y must have the classes 0..{K - 1} (got {sorted(found - set(range(K)))[0]:g})")
        if free and len(found) < K:
            missing = min(set(range(K)) - found)
            raise ValueError(f"a free intercept needs rows of every class: P has no minimum (class {missing} has none)")
        self.classes, self.free = K, free

    def own_objective(self) -> "MultinomialObjective":
        """Return the objective that a certificate evaluates."""
        return MultinomialObjective(self)


class MultinomialObjective(Objective):
    """P, D, gap and bound of a MultinomialProblem. alpha and z have the shape (n, K), w has features K entries."""

    def __init__(self, problem: MultinomialProblem) -> None:
        self._set_problem(problem)
        self._set_rows(problem)
        self.gamma, self.classes, self.free = 2.0, problem.classes, problem.free
        self.features, self.d = self.d, self.d * self.classes
        self.centre = np.zeros(self.d)
        self.y = self.arrays.y.astype(np.int64)

    @property
    def roundings(self) -> int:
        """See ``BlockObjective.roundings``."""
        return 64 + 4 * self.classes * (self.classes + 6)

    def require_alpha(self, alpha: Any) -> Array:
        """A copy of alpha, shape (n, K), checked against the domain up to rounding."""
        checked = numbers(alpha, "alpha").copy()
        if checked.shape != (self.n, self.classes) or not np.isfinite(checked).all():
            raise ValueError(f"alpha must be finite, of shape ({self.n}, {self.classes}) (got shape {checked.shape})")
        if (i := int(first_outside(checked, self.y))) < self.n:
            raise ValueError(f"alpha[{i}] = {checked[i]} is outside the domain of softmax: {Softmax.domain}")
        return checked

    def require_intercept(self, intercept: object) -> Array:
        """b, shape (K,): as given; 0 if it is None or there is none."""
        if intercept is None:
            return np.zeros(self.classes)
        if not self.free:
            raise ValueError("intercept is for a problem with free intercepts: this problem has none")
        checked = numbers(intercept, "intercept").copy()
        if checked.shape != (self.classes,) or not np.isfinite(checked).all():
            raise ValueError(f"intercept must be {self.classes} finite numbers (got {intercept!r:.80})")
        return checked

    def scores(self, w: Array, b: Array) -> Array:
        """z, shape (n, K)."""
        z = np.empty((self.n, self.classes))
        class_scores(self.arrays.matrix, w, b, z)
        return z

    def P(self, w: Array) -> float:
        """P at b = 0."""
        z, zeros = self.scores(w, np.zeros(self.classes)), np.zeros((self.n, self.classes))
        return float(
            softmax_sums(self.weights, z, zeros, self.y, self.arrays.norms2)[0] / self.mass + self.regularizer_at(w)
        )

    def minus_u(self, alpha: Array) -> Array:
        """-vec(u), shape (features K,)."""
        total = np.zeros(self.d)
        class_sums(self.arrays.matrix, self.weights, alpha, total)
        return np.asarray(0.0 - total / self.mass)

    def evaluated(self, w: Array, b: Array, alpha: Array) -> Evaluated:
        """Evaluate the pair ((w, b), alpha) as ``Certificate`` does; it raises the same errors."""
        z, minus_u = self.scores(w, b), self.minus_u(alpha)
        found = softmax_sums(self.weights, z, alpha, self.y, self.arrays.norms2)
        values, conjugates, residuals, *sizes, rho = found
        C = np.array([summed_products(self.weights, np.ascontiguousarray(alpha[:, c])) for c in range(self.classes)])
        tilt = float(b @ C[:, 0])
        scale = self.n / self.mass
        sums = Sums(values * scale, (conjugates - tilt) * scale, residuals * scale)
        terms = self.regularizer_terms(w, minus_u)
        primal, dual, part = self.P_from(sums, terms.value), self.D_from(sums, terms.conjugate), terms.residual
        gap = self.gap_from(sums, part)
        if not (math.isfinite(primal) and math.isfinite(dual) and math.isfinite(gap)):
            raise OverflowError(f"P = {primal}, D = {dual}, gap = {gap}: the objectives overflow at this pair")
        magnitudes = (sizes[0] + float(np.abs(b) @ C[:, 1])) * scale, sizes[1] * scale
        rounding = allowance(self, sums, magnitudes, terms)
        require_agreement(primal - dual, gap, rounding, self)
        roots = math.sqrt(sizes[2] / self.mass), math.sqrt(sizes[3] / self.mass)
        at = w, b, alpha, minus_u, C, roots, rho + 4 * self.classes * UNIT
        return Evaluated(
            primal, dual, gap, self.bound(residuals, part, *at), self.bound(0.0, 0.0, *at), part, rounding, minus_u
        )

    def bound(
        self,
        residuals: float,
        part: float,
        w: Array,
        b: Array,
        alpha: Array,
        minus_u: Array,
        C: Array,
        roots: tuple[float, float],
        rho: float,
    ) -> float:
        """The bound of the module's docstring, infinite where nothing is certified."""
        K, m, mu = self.classes, self.arrays.longest, self.mu
        up = 1 + 8 * UNIT * (self.n + m + K)
        size_z, size_alpha = (root * up + LOST * K for root in roots)
        N = math.sqrt(self.arrays.norm2) * up + LOST * math.sqrt(m + 2)
        formulas = 16 * UNIT * math.sqrt(K) * (size_z + K + 16)
        e_z = k(m + 6) * (N + 1) * length(np.concatenate((w, b))) + formulas + 8 * (m + 1) * K * TINY
        e_u = k(2 * self.n + 8) * N * size_alpha + 2 * rho * N
        e_u += UNIT * (8 * length(minus_u) + 4 * (self.l1 * math.sqrt(self.d) + mu * length(w)))
        e_u += 8 * (1 + mu) * TINY * (self.d + self.n) + 8 * K * TINY * self.lost
        relative = 1 + UNIT * (2 * (self.n + self.d + K) + 128 + LOGISTIC)
        rows = math.sqrt(residuals / self.mass * relative + 2 * rho * formulas + 2.0**-1000 * K) + e_z / 2
        rows = (1 + 2 * rho) * rows * rows
        if self.free:
            size = length(np.abs(C[:, 0]) + self.errors_of_sums(C)) + 2.1 * rho * self.mass
            connected = connectivity(self.weights, alpha, self.y, rho)
            eta = 1.5 * size / connected if connected > 0 else math.inf
            if not eta <= 0.5:
                return math.inf
            kappa2 = size / self.mass * eta
            rows, e_u = rows + eta * (rows + math.sqrt(2 * rows)) + kappa2, e_u + N * math.sqrt(kappa2)
        root = math.sqrt(part * relative) + e_u / math.sqrt(2 * mu)
        found = (rows + root * root) * (1 + 64 * UNIT) + 16 * (6 + mu) * (1 + self.d) * TINY
        return found if found >= 0 else math.inf

    def errors_of_sums(self, C: Array) -> Array:
        """Upper bounds of the errors of C, shape (K,) (``InterceptObjective.balance``)."""
        return np.asarray(2 * UNIT * np.abs(C[:, 0]) + 2 * k(2 * self.n) ** 2 * C[:, 1] + 8 * self.n * TINY)


def connectivity(weights: Array, alpha: Array, y: Array, rho: float) -> float:
    """A lower bound of the second eigenvalue of H; see the module. 0 where none is known."""
    beta = alpha.copy()
    beta[np.arange(y.size), y] += 1.0
    K, n = beta.shape[1], y.size
    omega = (beta * weights[:, None]).T @ beta
    omega = np.minimum(omega, omega.T) * (1 - k(2 * n + 32) - 8 * rho) - 4 * n * TINY
    np.fill_diagonal(omega, 0.0)
    omega = np.maximum(omega, 0.0)
    least: float = K * float(omega[~np.eye(K, dtype=bool)].min()) * (1 - 4 * UNIT)
    laplacian = np.diag(omega.sum(axis=1)) - omega
    trace = float(np.trace(laplacian))
    theta: float = 0.75 * float(np.linalg.eigvalsh(laplacian)[1])
    try:
        np.linalg.cholesky(laplacian + trace / K**2 - theta * np.eye(K))
    except np.linalg.LinAlgError:
        return least
    return float(max(least, theta - 8 * K * (K + 8) * UNIT * trace))


# -- kernels -----------------------------------------------------------------------------------------------------------


@kernel
def first_outside(alpha, y):
    """The first i with phi_i*(alpha_i) infinite up to rounding, or n (reference: SimplexLoss.in_domain)."""
    n, K = alpha.shape
    for i in range(n):
        room, total, inside = K * (K + 6) * 2.0**-53, 0.0, True  # UNIT, which a test sets
        for c in range(K):
            total = total + alpha[i, c]
            inside = inside and (alpha[i, c] + 1.0 if c == y[i] else alpha[i, c]) >= 0.0
        if not (inside and -room <= total <= room):
            return i
    return n


@kernel
def log_probabilities(z, out):
    """ln p with p = e^z / sum e^z (reference: Softmax.log_probabilities)."""
    top = np.argmax(z)
    rest = 0.0
    for c in range(z.size):
        rest = rest if c == top else rest + exp(z[c] - z[top])
    for c in range(z.size):
        out[c] = (z[c] - z[top]) - log1p(rest)


@kernel
def class_scores(rows, w, b, z):
    """W^T x_i + b for every row, shape (n, K)."""
    K = b.size
    for i in range(z.shape[0]):
        for c in range(K):
            z[i, c] = 0.0
        first, end = bounds(rows, i)
        for place in range(first, end):
            x, start = value(rows, i, place), column(rows, place) * np.uint64(K)
            for c in range(K):
                z[i, c] = z[i, c] + x * w[start + np.uint64(c)]
        for c in range(K):
            z[i, c] = z[i, c] + b[c]


@kernel
def class_sums(rows, weights, alpha, total):
    """sum_i s_i x_i alpha_i^T, added to total, shape (features K,)."""
    K = alpha.shape[1]
    for i in range(alpha.shape[0]):
        first, end = bounds(rows, i)
        for place in range(first, end):
            x, start = value(rows, i, place), column(rows, place) * np.uint64(K)
            for c in range(K):
                j = start + np.uint64(c)
                total[j] = total[j] + (weights[i] * alpha[i, c]) * x


@kernel
def softmax_sums(weights, z, alpha, y, norms2):
    """The sums of s_i phi_i, s_i phi_i*, s_i B_i; of s_i M_i and of s_i sqrt(K) ||alpha_i|| ||x_i|| (``allowance``); of
    s_i ||z_i||^2 and s_i ||alpha_i||^2; and the largest |sum_k alpha_ik|. norms2 is s_i ||x_i||^2.
    """
    values = conjugates = residuals = sizes = lengths = squares = duals = rho = 0.0
    n, K = z.shape
    log_p = np.empty(K)
    for i in range(n):
        log_probabilities(z[i], log_p)
        own = star = square = dual = size = outside = 0.0
        for c in range(K):
            a = alpha[i, c]
            beta = a + 1.0 if c == y[i] else a
            log_beta = log(beta) if beta > 0.0 else 0.0
            p = exp(log_p[c])
            own, star = own + bregman(beta, p, log_beta, log_p[c], beta - p), star + beta * log_beta
            square, dual = square + z[i, c] * z[i, c], dual + a * a
            size = size + abs(a) * (1.0 + 2.0 * abs(a) + abs(z[i, c])) + 4.0 * abs(z[i, c]) + 3.0
            outside = outside + a
        values, conjugates = values - weights[i] * log_p[y[i]], conjugates + weights[i] * star
        residuals, sizes = residuals + weights[i] * own, sizes + weights[i] * size
        lengths = lengths + weights[i] * math.sqrt(K * dual * (norms2[i] / weights[i]))
        squares, duals, rho = squares + weights[i] * square, duals + weights[i] * dual, max(rho, abs(outside))
    return values, conjugates, residuals, sizes, lengths, squares, duals, rho
