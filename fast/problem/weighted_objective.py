"""The objectives of weighted rows: what ``Objective`` has, for ``WeightedProblem``.

Sums over the rows are sums of s_i times what they were, times n/S, so that what others divide by n is the weighted
mean.

For ``gap_bound``. N and Y are the weighted means of ``Arrays``. FY_i, squared errors and sizes enter as weighted means
of nonnegative numbers: s_i FY_i, S and n/S add five roundings to the n + d + 64 of which its code takes twice as many.
In plain sums u~ has the products s_i alpha_i and the rounding of S besides: k(n + 3) instead of k(n + 1). In
compensated sums s_i alpha_i is p_i + e_i, both exact: 2n products; the rounded sum, S and the division lose 3u |u_j|,
for which its code takes 4u |u_j|. So ``row_sizes`` counts 2n + 4 terms.

Underflow. Where s_i alpha_i underflows, it is off by eta_i, |eta_i| <= 2^-1075 as one product and 5 2^-1074 as p_i +
e_i (``compensated``). u~ is then off by (1/S) sum_i eta_i x_i, whose length is at most 5 2^-1074 lost with lost = (1/S)
sum_i ||x_i||: ||x_i|| may be 2^511 and s_i 2^-1000, so this is no small number. ``upper`` takes 8 2^-1074 lost. The
roundings of lost itself are relative, (n + m + 4) u. What its square roots lose is at most 2^-37 a row, since s_i >=
2^-1000, and 2^-1074 times this is far below the 2^-1074 a term that ``upper`` counts twice.
s_i ||x_i||^2 loses at most 2^-1075 a row when it underflows, as does the division by s_i that gives ||x_i|| back. The
mean of s_i |alpha_i| times the square root of what ||x_i||^2 has lost is, by Jensen's inequality, at most max |alpha_i|
times the root of the weighted mean of the losses, 2^-1075 (m + n/S + 1) <= 2^-1074 (m + 2)/2: ``row_sizes`` counts rows
of m + 2 entries, and ``mean_length`` and ``gap_bound._norm`` take 2^-537 sqrt(m + 2).
All other products of a weight are terms of a weighted mean: a loss of l in a term is at most l in the mean.
"""

import math

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import compensated
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.compensated import two_product
from dualgap.fast.problem.gap_bound import UNIT, RowSizes, length
from dualgap.fast.problem.losses import terms, value
from dualgap.fast.problem.objective import Evaluation, Objective, Sums
from dualgap.fast.problem.row_sums import sizes_of_row
from dualgap.fast.problem.rows import combine
from dualgap.reference.problem.weighted_problem import WeightedProblem


class WeightedObjective(Objective):
    """P, D, gap and the maps between alpha, u, v and w of one WeightedProblem over float.

    >>> from dualgap.reference import L2, Squared
    >>> objective = WeightedObjective(WeightedProblem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2), [3, 1]))
    >>> objective.gap(np.zeros(2), np.array([-1.0, 1.0]))
    0.15625
    """

    problem: WeightedProblem

    def __init__(self, problem: WeightedProblem) -> None:
        super().__init__(problem)
        self.mass, self.weights = problem.mass, self.arrays.weights

    def minus_u(self, alpha: Array) -> Array:
        """-(1/S) sum_i s_i alpha_i x_i, shape (d,)."""
        total = np.zeros(self.d)
        combine(self.arrays.matrix, self.weights * alpha, total)
        return self.minus_mean(total)

    def minus_mean(self, total: Array) -> Array:
        """-total/S."""
        return np.asarray(0.0 - total / self.mass)

    def sums(self, z: Array, alpha: Array) -> Sums:
        """The weighted sums over the rows, times n/S; alpha in the domain."""
        found = weighted_sums(self.code, self.gamma, self.weights, z, alpha, self.arrays.y)
        return Sums(*(value * (self.n / self.mass) for value in found))

    def P_at(self, z: Array, w: Array) -> float:
        """P(w) at z = Xw (reference: WeightedProblem.P)."""
        return float(
            weighted_values(self.code, self.gamma, self.weights, z, self.arrays.y) / self.mass + self.regularizer_at(w)
        )

    def magnitudes(self, z: Array, alpha: Array) -> tuple[float, float]:
        """See ``Objective.magnitudes``; weighted, times n/S."""
        rows, lengths = weighted_magnitudes(self.gamma, self.weights, z, alpha, self.arrays.y, self.arrays.norms2)
        return rows * (self.n / self.mass), lengths * (self.n / self.mass)

    def evaluate(self, w: Array, alpha: Array) -> Evaluation:
        z = self.z(w)
        return Evaluation(self.sums(z, alpha), self.magnitudes(z, alpha), self.minus_u(alpha))

    def evaluate_compensated(self, w: Array, alpha: Array) -> Evaluation:
        z, high, low = np.empty(self.n), np.zeros(self.d), np.zeros(self.d)
        compensated.products(self.arrays.matrix, w, z)
        for part in exact_products(self.weights, alpha):
            compensated.combine(self.arrays.matrix, part, high, low)
        return Evaluation(self.sums(z, alpha), self.magnitudes(z, alpha), 0.0 - (high + low) / self.mass, z)

    def mean_square_root(self, z: Array) -> float:
        """See ``Objective.mean_square_root``; weighted. The factor covers quotient, root and product."""
        return length(np.sqrt(self.weights / self.mass) * z) * (1 + 8 * UNIT)

    @property
    def row_sizes(self) -> RowSizes:
        """See ``gap_bound``."""
        found = super().row_sizes
        return found._replace(terms=2 * self.n + 4, longest=found.longest + 2, lost=self.lost)

    @property
    def lost(self) -> float:
        """(1/S) sum_i ||x_i||."""
        found: float = self.problem.cached(
            "mean length", lambda: sum_of_lengths(self.weights, self.arrays.norms2) / self.mass
        )
        return found


def exact_products(a: Array, b: Array) -> tuple[Array, Array]:
    """p and e, shape (n,) each, with p_i + e_i = a_i b_i exactly, where nothing under- or overflows."""
    p, e = np.empty(a.size), np.empty(a.size)
    two_products(a, b, p, e)
    return p, e


@kernel
def two_products(a, b, p, e):
    """``compensated.two_product`` of every pair."""
    for i in range(a.size):
        p[i], e[i] = two_product(a[i], b[i])


@kernel
def sum_of_lengths(weights, norms2):
    """sum_i ||x_i||; norms2 is s_i ||x_i||^2."""
    total = 0.0
    for i in range(weights.size):
        total = total + math.sqrt(norms2[i] / weights[i])
    return total


@kernel
def weighted_sums(code, gamma, weights, z, alpha, y):
    """``row_sums.row_sums``, each term times the weight of its row."""
    values = conjugates = residuals = 0.0
    for i in range(z.size):
        phi, star, excess = terms(code, gamma, z[i], alpha[i], y[i])
        values, conjugates = values + weights[i] * phi, conjugates + weights[i] * star
        residuals = residuals + weights[i] * excess
    return values, conjugates, residuals


@kernel
def weighted_values(code, gamma, weights, z, y):
    """sum_i s_i phi_i(z_i)."""
    total = 0.0
    for i in range(z.size):
        total = total + weights[i] * value(code, gamma, z[i], y[i])
    return total


@kernel
def weighted_magnitudes(gamma, weights, z, alpha, y, norms2):
    """``row_sums.magnitudes``, each term times the weight; norms2 is s_i ||x_i||^2."""
    rows = lengths = 0.0
    for i in range(z.size):
        size, length = sizes_of_row(gamma, z[i], alpha[i], y[i], norms2[i] / weights[i])
        rows, lengths = rows + weights[i] * size, lengths + weights[i] * length
    return rows, lengths
