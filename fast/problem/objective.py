"""The compiled counterpart of ``dualgap.reference.Problem``: the same verbs on arrays, with bit-identical results.

P, D and the gap are sums in the order of the rows and of the coordinates, as in the reference. A pass over the data
gives all z_i = x_i^T w, or u = X^T alpha / n; everything else costs O(n + d).

Rows may have weights s_i, with the sum S. Without weights s_i = 1 and S = n, which rounds nothing: ``weights`` is then
empty. Sums over the rows are sums of s_i times their terms, times n/S, so that what others divide by n is the weighted
mean. docs/certificates.md, "The proof for weighted rows", derives what weights add to the roundings of ``gap_bound``.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import compensated
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.compensated import two_product
from dualgap.fast.problem.gap_bound import UNIT, RowSizes, length
from dualgap.fast.problem.losses import CODES, LOGISTIC, SQUARED, RowLosses, in_domain
from dualgap.fast.problem.native import numbers
from dualgap.fast.problem.pnorm import PNormOfArrays, largest
from dualgap.fast.problem.quadratic import (
    beyond_all,
    dual_point,
    limits_of,
    regularizer_conjugate,
    regularizer_residual,
    regularizer_terms,
    regularizer_value,
    require_compiled,
)
from dualgap.fast.problem.row_sums import (
    BLOCK,
    NO_WEIGHTS,
    evaluate,
    magnitudes,
    products_and_slopes,
    row_sums,
    sums_at_zero,
    values,
    weighted,
)
from dualgap.fast.problem.rows import combine, products
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.problem import Problem


class Sums(NamedTuple):
    """Sums over the rows, at z = Xw and alpha."""

    values: float  # of phi_i(z_i)
    conjugates: float  # of phi_i*(alpha_i)
    residuals: float  # of FY_i(z_i, alpha_i)


class Evaluation(NamedTuple):
    """The results of one pass over the rows at (w, alpha), which a certificate needs."""

    sums: Sums
    magnitudes: tuple[float, float]  # see ``Objective.magnitudes``
    minus_u: Array
    z: Any = None  # given where it was computed in compensated sums
    terms: Any = None  # the ``RegularizerTerms``, where they come with the pass
    errors: float = 0.0  # the mean of what a loss of one's own says of its residuals' roundings
    largest: float | None = None  # ``pnorm.largest`` of alpha, where it comes with the pass


class RegularizerTerms(NamedTuple):
    """What a certificate needs of the regularizer at (w, -u)."""

    value: float  # g(w)
    conjugate: float  # g*(-u)
    residual: float  # g(w) + g*(-u) + u^T w
    length: float  # ``Objective.regularizer_sizes``
    size: float


class Objective:
    """P, D, gap and the maps between alpha, u, v and w of one Problem over float.

    Parameters
    ----------
    problem : Problem over float. Its arrays are made once (``arrays.arrays``), the rest are a few numbers.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, Squared
    >>> objective = Objective(Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2)))
    >>> alpha = np.zeros(2)
    >>> objective.gap(objective.w(alpha), alpha)
    0.5
    """

    def __init__(self, problem: Problem) -> None:
        self._set_problem(problem)
        self._set_rows(problem)
        self.code, self.gamma = CODES[problem.loss.name], problem.loss.gamma

    require_regularizer = staticmethod(require_compiled)
    shift = 0.0  # what is added to every x_i^T w: the intercept, where there is one
    weights: Array = NO_WEIGHTS

    def _set_problem(self, problem: Problem) -> None:
        """Set the attributes that do not depend on the rows."""
        regularizer = problem.regularizer
        self.require_regularizer(regularizer)
        self.problem = problem
        self.n, self.d = problem.n, problem.d
        self.l1 = regularizer.l1
        self.kappa = regularizer.kappa
        self.centre = np.zeros(self.d) if regularizer.centre is None else np.array(regularizer.centre)
        self.mu, self.threshold = regularizer.modulus, limits_of(regularizer)
        self.scale, self.mass = problem.scale, float(getattr(problem, "mass", self.n))
        self.pnorm: Any = PNormOfArrays(regularizer) if isinstance(regularizer, PNorm) else None
        self.quadratic = regularizer.family in ("quadratic", "non-negative")

    def _set_rows(self, problem: Problem) -> None:
        """The rows and their weights."""
        self.arrays = arrays(problem)
        if self.arrays.weights is not None:
            self.weights = self.arrays.weights

    def centred(self, kappa: float, centre: Array) -> "Objective":
        """f~ of ASPDC-i: plus (kappa/2)||w||^2 - kappa w^T centre (reference: Problem.centred)."""
        copied = object.__new__(Objective)
        vars(copied).update(vars(self))
        regularizer = self.problem.regularizer.centred(kappa, [])  # for its modulus and threshold
        copied.kappa, copied.centre = kappa, centre
        copied.mu, copied.threshold = regularizer.modulus, limits_of(regularizer)
        copied.scale = copied.mu * self.n
        return copied

    # -- from alpha to w ----------------------------------------------------------------------------------

    def minus_u(self, alpha: Array) -> Array:
        """-(1/S) sum_i s_i alpha_i x_i, shape (d,)."""
        total = np.zeros(self.d)
        if alpha.any():  # else no row is read: the bits are those of sums of zeros
            combine(self.arrays.matrix, weighted(self.weights, alpha), total)
        return self.minus_mean(total)

    def minus_mean(self, total: Array) -> Array:
        """-total/S; 0 - x avoids a negative zero."""
        return np.asarray(0.0 - total / self.mass)

    def dual_point(self, minus_u: Array) -> Array:
        """v = (-u + kappa centre)/mu, shape (d,) (reference: Regularizer.dual_point); quadratic regularizers only."""
        if self.pnorm is not None:
            self.pnorm.dual_point(minus_u)  # raises
        v = np.empty(self.d)
        dual_point(minus_u, *self.dual_map, v)
        return v

    @property
    def losses(self) -> RowLosses:
        """Return the numbers that a kernel needs about the losses of the rows."""
        return RowLosses(self.code, self.gamma, self.arrays.y, self.arrays.norms2)

    @property
    def dual_map(self) -> tuple[float, Array, float]:
        """Return the arguments of ``point_of`` besides -u_j."""
        return self.kappa, self.centre, self.mu

    def v(self, alpha: Array) -> Array:
        """v(alpha), shape (d,)."""
        return self.dual_point(self.minus_u(alpha))

    def w_of(self, v: Array) -> Array:
        """soft(v, l1/mu), or max(v - l1/mu, 0), shape (d,)."""
        w = np.empty(self.d)
        beyond_all(v, self.threshold, w)
        return w

    def w(self, alpha: Array) -> Array:
        """w(alpha) = grad g*(-X^T alpha / n), shape (d,)."""
        return self.gradient_conjugate(self.minus_u(alpha))

    def gradient_conjugate(self, minus_u: Array) -> Array:
        """grad g*(-u), shape (d,)."""
        if self.pnorm is not None:
            return np.asarray(self.pnorm.gradient_conjugate(minus_u))
        return self.w_of(self.dual_point(minus_u))

    # -- objectives ---------------------------------------------------------------------------------------

    def z(self, w: Array) -> Array:
        """Xw, shape (n,)."""
        z = np.zeros(self.n)
        if w.any():  # else no row is read, with bit-identical results
            products(self.arrays.matrix, w, z)
        return z

    def step(self, z: Array, p: Array, t: float) -> tuple[Array, Array, Array, Array]:
        """X p, z + t X p, phi_i' there and ``minus_u`` of these, with each row read once."""
        steps, moved, alpha, total = np.empty(self.n), np.empty(self.n), np.empty(self.n), np.zeros(self.d)
        products_and_slopes(self.arrays.matrix, self.losses, self.weights, p, 0.0, t, z, steps, moved, alpha, total)
        return steps, moved, alpha, self.minus_mean(total)

    def sums(self, z: Array, alpha: Array) -> Sums:
        """The weighted sums over the rows, times n/S; alpha in the domain."""
        return self.scaled(row_sums(self.code, self.gamma, self.weights, z, alpha, self.arrays.y, (0.0, 0.0, 0.0)))

    def scaled(self, sums: tuple[float, float, float]) -> Sums:
        """The sums times n/S."""
        return Sums(*sums) if self.mass == self.n else Sums(*(value * (self.n / self.mass) for value in sums))

    def evaluate(self, w: Array, alpha: Array) -> Evaluation:
        """``sums`` and ``magnitudes`` at z = Xw, and ``minus_u``, with each row read once."""
        if not (w.any() or alpha.any()):  # the usual start: no row is read, with bit-identical results
            sums = sums_at_zero(self.code, self.gamma, self.weights, self.arrays.y)
            return Evaluation(self.scaled(sums), (0.0, 0.0), np.zeros(self.d))
        return self.evaluate_slopes(w, NO_WEIGHTS, alpha)

    def evaluate_slopes(self, w: Array, room: Array, alpha: Array = NO_WEIGHTS) -> Evaluation:
        """``evaluate`` at alpha_i = phi_i'(z_i), written to room, if that is not empty."""
        regularizer = *self.dual_map, self.threshold, self.l1
        data = self.arrays.matrix, self.losses, self.weights, self.mass
        sums, (rows, lengths), minus_u, terms, most = evaluate_pair(*data, w, alpha, regularizer, room)
        share = self.n / self.mass
        return Evaluation(self.scaled(sums), (rows * share, lengths * share), minus_u, terms=terms, largest=most)

    def evaluate_in_parts(self, w: Array, alpha: Any) -> Evaluation:
        """``evaluate`` of a class that has sums, magnitudes or products of its own."""
        z = self.z(w)
        return self.evaluation(z, alpha, self.minus_u(alpha))

    def evaluate_compensated(self, w: Array, alpha: Array) -> Evaluation:
        """``evaluate``, z and u in the sums of ``compensated``."""
        z, high, low = np.empty(self.n), np.zeros(self.d), np.zeros(self.d)
        compensated.products(self.arrays.matrix, w, z, self.shift)
        for part in exact_products(self.weights, alpha) if self.weights.size else (alpha,):
            compensated.combine(self.arrays.matrix, part, high, low)
        return self.evaluation(z, alpha, self.minus_mean(high + low))._replace(z=z)

    def evaluation(self, z: Any, alpha: Any, minus_u: Array) -> Evaluation:
        """Return the sums over the rows at z and alpha."""
        return Evaluation(*self.sums_and_sizes(z, alpha), minus_u, errors=self.errors(z, alpha))

    def sums_and_sizes(self, z: Any, alpha: Any) -> tuple[Sums, tuple[float, float]]:
        """``sums`` and ``magnitudes``."""
        return self.sums(z, alpha), self.magnitudes(z, alpha)

    def errors(self, z: Array, alpha: Array) -> float:
        """Return the mean of a registered loss's bounds on the rounding errors of its residuals."""
        return 0.0

    def P(self, w: Array) -> float:
        """The primal objective at w, shape (d,)."""
        if self.code == SQUARED and not self.weights.size and not w.any() and self.arrays.label2 > 2.0**-900:
            return float(self.arrays.label2 / 2)  # with the bits of the sum of the y_i^2/2: a half rounds nothing
        return self.P_at(self.z(w), w)

    def P_at(self, z: Array, w: Array) -> float:
        """P(w) at z = Xw."""
        rows = self.code, self.gamma, self.weights
        few = self.code == LOGISTIC and not z.any()  # two labels, and a logarithm for each row otherwise
        found = sums_at_zero(*rows, self.arrays.y)[0] if few else values(*rows, z, self.arrays.y)
        return float(found / self.mass + self.regularizer_at(w))

    def D(self, alpha: Array) -> float:
        """The dual objective at alpha, shape (n,), in the domain."""
        return self.D_from(self.sums(np.zeros(self.n), alpha), self.conjugate_at(self.minus_u(alpha)))

    def gap(self, w: Array, alpha: Array) -> float:
        """P(w) - D(alpha) as a sum of nonnegative terms."""
        return self.gap_from(self.sums(self.z(w), alpha), self.regularizer_residual(w, self.minus_u(alpha)))

    def P_from(self, sums: Sums, value: float) -> float:
        """P from its sums; value: g(w)."""
        return float(sums.values / self.n + value)

    def D_from(self, sums: Sums, conjugate: float) -> float:
        """D from its sums; conjugate: g*(-u)."""
        return float(0.0 - sums.conjugates / self.n - conjugate)

    def gap_from(self, sums: Sums, residual: float) -> float:
        """The gap from its sums; residual: ``regularizer_residual``."""
        return float(sums.residuals / self.n + residual)

    def regularizer_terms(self, w: Array, minus_u: Array, known: Any = None) -> RegularizerTerms:
        """The terms of a pair; of the quadratic family in one call. known: ``Evaluation.terms``."""
        if self.quadratic:
            self.require_sign(w)
            known = known or regularizer_terms(w, minus_u, *self.dual_map, self.threshold, self.l1)
            return RegularizerTerms(*known)
        value, conjugate = self.regularizer_at(w), self.conjugate_at(minus_u)
        return RegularizerTerms(
            value, conjugate, self.regularizer_residual(w, minus_u), *self.regularizer_sizes(w, minus_u)
        )

    def require_sign(self, w: Array) -> None:
        """Raise ValueError if w must be >= 0 and is not."""
        if self.threshold.low < -self.threshold.high and (w < 0).any():
            self.problem.regularizer.value(w.tolist())  # raises

    def regularizer_at(self, w: Array) -> float:
        """g(w). Raises ValueError if w must be >= 0 and is not."""
        self.require_sign(w)
        return float(
            regularizer_value(w, self.mu, self.l1, self.kappa, self.centre)
            if self.pnorm is None
            else self.pnorm.value(w)
        )

    def conjugate_at(self, minus_u: Array) -> float:
        """g*(-u)."""
        if self.pnorm is not None:
            return float(self.pnorm.conjugate(minus_u))
        return float(regularizer_conjugate(minus_u, *self.dual_map, self.threshold))

    def regularizer_residual(self, w: Array, minus_u: Array) -> float:
        """g(w) + g*(-u) + u^T w >= 0; 0 for w = grad g*(-u)."""
        if self.pnorm is not None:
            return float(self.pnorm.residual(w, minus_u))
        return float(regularizer_residual(w, minus_u, *self.dual_map, self.threshold))

    def exact_gap(self, w: Array, alpha: Array) -> float | None:
        """The gap in the reals rounded up, where the regularizer's roundings are not known; else None."""
        return None

    def coefficients(self, w: Array) -> Array:
        """Return the coefficients of the columns of z: w, and b if there is a free intercept."""
        return w

    def regularizer_sizes(self, w: Array, minus_u: Array) -> tuple[float, float]:
        """See ``evaluated.allowance``: ||w||_p, and 32 [g(w) + g*(-u) + ||u||_q ||w||_p] (docs/certificates.md,
        "Roundings of a p-norm").
        """
        return float(self.pnorm.norm(w)), float(32 * self.pnorm.size(w, minus_u))

    def magnitudes(self, z: Array, alpha: Array) -> tuple[float, float]:
        """See ``evaluated.allowance``: the sums of M_i, without |phi_i|, and of |alpha_i| ||x_i||."""
        y, norms2, share = self.arrays.y, self.arrays.norms2, self.n / self.mass
        rows, lengths = magnitudes(self.gamma, self.weights, z, alpha, y, norms2)
        return rows * share, lengths * share

    @property
    def roundings(self) -> int:
        """See ``evaluated.allowance``: a row's formulas are off by that many eps M_i, at most."""
        return 64

    @property
    def row_sizes(self) -> RowSizes:
        """See ``gap_bound``."""
        low, high = self.problem.loss.ends
        slope = math.inf if low is None or high is None else float(high - low)
        found = RowSizes(self.n, self.arrays.longest, self.arrays.norm2, self.arrays.label2, slope, 0.0)
        if not self.weights.size:
            return found
        return found._replace(terms=2 * self.n + 4, longest=found.longest + 2, lost=self.lost)

    @property
    def lost(self) -> float:
        """(1/S) sum_i ||x_i||."""
        found: float = self.problem.cached(
            "mean length", lambda: sum_of_lengths(self.weights, self.arrays.norms2) / self.mass
        )
        return found

    def mean_square_root(self, z: Array) -> float:
        """An upper bound on the square root of the mean of z_i^2, for ``gap_bound``."""
        if not self.weights.size:
            return length(z) / math.sqrt(self.n)
        return length(np.sqrt(self.weights / self.mass) * z) * (1 + 8 * UNIT)  # for quotient, root and product

    def first_outside(self, alpha: Array) -> int:
        """The first i with alpha_i outside the domain, or n."""
        return int(first_outside(self.code, alpha, self.arrays.y))

    # -- validation --------------------------------------------------------------------------------------------

    def numbers_of(self, alpha: Array) -> Array:
        """All numbers of alpha in one array; the caller needs the largest."""
        return alpha

    def finite_alpha(self, alpha: object) -> Any:
        """alpha as the kernels take it, or None where some number of it is not finite."""
        given = numbers(alpha, "alpha")
        return given if np.isfinite(given).all() else None

    def require_alpha(self, alpha: Any) -> Array:
        """A float64 copy of alpha, shape (n,), checked against the domain (reference: Problem.require_alpha)."""
        if not hasattr(alpha, "__len__") or len(alpha) != self.n:
            got = len(alpha) if hasattr(alpha, "__len__") else repr(alpha)
            raise ValueError(f"alpha must have one entry for each of the {self.n} rows (got {got})")
        checked = numbers(alpha, "alpha").copy()
        if checked.shape != (self.n,):
            raise ValueError(f"alpha must have shape ({self.n},) (got {checked.shape})")
        i = self.first_outside(checked)
        if i < self.n and not np.isfinite(checked[i]):
            raise ValueError(f"alpha[{i}] must be a finite number (got {checked[i]})")
        if i < self.n:
            loss = self.problem.loss
            raise ValueError(f"alpha[{i}] = {alpha[i]} is outside the domain of {loss.name}: {loss.domain}")
        return checked


# -- kernels ----------------------------------------------------------------------------------------------


@kernel
def evaluate_pair(rows, losses, weights, mass, w, alpha, regularizer, room):
    """``evaluate``, -u, the ``regularizer_terms`` and the largest |alpha_i|."""
    minus_u, (kappa, centre, mu, limits, l1) = np.zeros(w.size), regularizer
    sums, sizes = evaluate(rows, losses, weights, w, alpha, minus_u, room)
    for j in range(w.size):
        minus_u[j] = 0.0 - minus_u[j] / mass
    terms = regularizer_terms(w, minus_u, kappa, centre, mu, limits, l1)
    return sums, sizes, minus_u, terms, largest(room) if room.size > 0 else largest(alpha)


@kernel
def first_outside(code, alpha, y):
    """The first i with phi_i*(alpha_i) infinite, or n. They are counted block by block, in vector code."""
    for start in range(0, alpha.size, BLOCK):
        alpha_of, y_of, outside = alpha[start : start + BLOCK], y[start : start + BLOCK], 0
        for i in range(alpha_of.size):
            outside += not in_domain(code, alpha_of[i], y_of[i])
        if outside > 0:
            for i in range(alpha_of.size):
                if not in_domain(code, alpha_of[i], y_of[i]):
                    return start + i
    return alpha.size


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
