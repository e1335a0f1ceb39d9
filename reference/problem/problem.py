"""Regularized empirical risk minimization: the two objectives, the saddle function and the gap.

    P(w)        = (1/n) sum_i phi_i(x_i^T w) + g(w)
    f(w, alpha) = (1/n) sum_i [alpha_i x_i^T w - phi_i*(alpha_i)] + g(w)
    D(alpha)    = -(1/n) sum_i phi_i*(alpha_i) - g*(-u),   u = X^T alpha / n
    w(alpha)    = grad g*(-u)

Weak duality: P(w) >= D(alpha) for every w and every alpha in the domain. The gap identity

    P(w) - D(alpha) = (1/n) sum_i FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

writes the gap as a sum of nonnegative terms; ``gap`` computes it that way, without cancellation.
"""

import copy
import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from dualgap.reference.numbers.arithmetic import Number, NumberType, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem import validate
from dualgap.reference.problem.data import Data
from dualgap.reference.problem.general_regularizer import GeneralRegularizer
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.regularizers import Regularizer, soft

Vector = list[Number]
T = TypeVar("T")


class Problem(Data):
    """One problem: data, loss, regularizer and the number it is computed in.

    Parameters
    ----------
    X : (n, d) dense array, CSR matrix, list of dense rows, or list of rows of pairs (then pass ``d``).
    y : (n,) labels (-1 and +1 for margin losses) or targets.
    loss, regularizer : see ``losses`` and ``regularizers``.
    number : float, Fraction (or another type of rationals) or Interval.
    d : the columns, for rows of pairs; found by itself otherwise.

    Raises
    ------
    ValueError
        Empty or ragged X, non-finite values, duplicated columns, wrong length of y, labels that do not fit.
    TypeError
        ``number``, ``loss`` or ``regularizer`` is something else.

    Notes
    -----
    An array or CSR matrix X is not copied and must not be changed in place once the problem is in use. ``solve``, at
    its start and at its end, and every ``Certificate`` compare a checksum and raise ``InputChanged``, a ValueError,
    where X has been changed. Lists, y and weights are copied: a later change of them
    has no effect. y mapped from a file, read-only, is compared like X.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Squared
    >>> p = Problem([[1, 0], [0, 1]], [1, -1], Squared(), L2(2), number=Fraction)
    >>> p.gap(p.w([0, 0]), [0, 0])
    Fraction(1, 2)
    """

    rows_elsewhere: ClassVar[bool] = False  # whether other processes hold the rows, so that X is None

    def __init__(
        self, X: Any, y: Any, loss: Loss, regularizer: Regularizer, number: NumberType = float, d: int | None = None
    ) -> None:
        self._require_kinds(loss, regularizer, number)
        super().__init__(X, y, number, d)
        if loss.margin:
            validate.require_signs(self.labels, loss.name)
        self.loss = loss.over(number)
        self._set_regularizer(regularizer.over(number))

    @staticmethod
    def _require_kinds(loss: object, regularizer: object, number: object) -> None:
        if number not in (float, Interval) and not is_rational(number):
            raise TypeError(f"number must be float, Fraction or Interval (got {number!r})")
        if isinstance(loss, type) or not hasattr(loss, "dual_step"):
            raise TypeError(f"loss must be one such as SmoothedHinge() (got {loss!r})")
        if isinstance(regularizer, type) or not hasattr(regularizer, "gradient_conjugate"):
            raise TypeError(f"regularizer must be one such as L2(lam) (got {regularizer!r})")

    def _set_regularizer(self, regularizer: Regularizer) -> None:
        self.regularizer = regularizer
        self.scale: Number = regularizer.modulus * self.mass  # mu n, the divisor of every dual step
        self.threshold: Number = regularizer.threshold  # l1 / mu
        if isinstance(regularizer, GeneralRegularizer):
            regularizer.require(self.d)

    def with_regularizer(self, regularizer: Regularizer) -> "Problem":
        """The same data and loss under another regularizer; rows and all that is cached, once built, are shared."""
        copied = copy.copy(self)
        copied._set_regularizer(regularizer.over(self.number))
        return copied

    def centred(self, kappa: Number, centre: Vector) -> "Problem":
        """f~ of ASPDC-i: this problem plus (kappa/2)||w||^2 - kappa w^T centre."""
        copied = copy.copy(self)
        copied._set_regularizer(self.regularizer.centred(kappa, centre))
        return copied

    @property
    def mass(self) -> Number:
        """S, the sum of the rows' weights: n, for here every weight is 1 (``WeightedProblem`` has others)."""
        return self.n

    def weighted(self, i: int, value: Number) -> Number:
        """s_i value, s_i the weight of row i: here 1."""
        return value

    def mean(self, values: Iterable[Number]) -> Number:
        """(1/S) sum_i s_i values_i."""
        total = self.zero
        for i, value in enumerate(values):
            total = total + self.weighted(i, value)
        return total / self.mass

    @property
    def gamma(self) -> Number:
        """gamma of the loss: phi_i is (1/gamma)-smooth."""
        return self.loss.gamma

    def K(self, i: int) -> Number:
        """K_i = ||x_i||^2 / (mu n gamma), for gamma > 0."""
        return self.norms2[i] / (self.scale * self.gamma)

    @property
    def K_max(self) -> Number:
        """K = R^2 / (mu n gamma); ASPDC's own condition is K <= 1/4, the sharp one K < 1."""
        return self.R2 / (self.scale * self.gamma)

    # -- from alpha to w --------------------------------------------------------------------------------------

    def minus_u(self, alpha: Vector) -> Vector:
        """-X^T alpha / n, shape (d,)."""
        self.require_lengths(alpha=alpha)
        total = [self.zero] * self.d
        for i, alpha_i in enumerate(alpha):
            factor = self.weighted(i, alpha_i)
            for j, x in self.rows[i]:
                total[j] = total[j] + factor * x
        return [self.zero - total_j / self.mass for total_j in total]

    def v(self, alpha: Vector) -> Vector:
        """(kappa centre - X^T alpha / n) / mu, shape (d,): w before the soft threshold."""
        return self.regularizer.dual_point(self.minus_u(alpha))

    def w_of(self, v: Vector) -> Vector:
        """w_j = soft(v_j, l1/mu), v itself for L2, shape (d,); grad g*(mu v) for a regularizer of one's own."""
        if isinstance(self.regularizer, GeneralRegularizer):
            return self.regularizer.at_dual_point(v)
        return [soft(v_j, self.threshold) for v_j in v] if self.threshold else list(v)

    def w(self, alpha: Vector) -> Vector:
        """w(alpha) = grad g*(-X^T alpha / n), shape (d,)."""
        return self.regularizer.gradient_conjugate(self.minus_u(alpha))

    # -- the inner loops of every dual step -------------------------------------------------------------------------

    def inner(self, i: int, v: Vector) -> Number:
        """z = x_i^T w with w = soft(v, l1/mu), summed in stored order."""
        if isinstance(self.regularizer, GeneralRegularizer):
            return self.dot(self.rows[i], self.w_of(v))
        if not self.threshold:  # w is v
            return self.dot(self.rows[i], v)
        z = self.zero
        for j, x in self.rows[i]:
            z = z + x * soft(v[j], self.threshold)
        return z

    def update(self, i: int, delta: Number, v: Vector) -> None:
        """v <- v - s_i (delta/(mu S)) x_i, in place; s_i = 1 and S = n here."""
        c = self.weighted(i, delta) / self.scale
        for j, x in self.rows[i]:
            v[j] = v[j] - c * x

    # -- what the methods of block duals need; here every alpha_i is one number (``block.BlockProblem``) ----------

    @cached_property
    def norms(self) -> Vector:
        """R_i = ||x_i||, shape (n,); Fractions must be rational.

        A float may lie below by (k/2 + 1) 2^-53 of itself, k the stored entries of the row.
        """
        return [self._root(i, norm2) for i, norm2 in enumerate(self.norms2)]

    def _root(self, i: int, norm2: Number) -> Number:
        if isinstance(norm2, float) and math.isinf(norm2):
            raise ValueError(
                f"R_{i}^2 is beyond the range of a float: scale the data down (entries below 1e150 are safe)"
            )
        try:
            return sqrt(norm2)
        except ValueError:
            raise ValueError(
                f"R_{i} = sqrt({norm2}) is not rational; pass norms, rational upper bounds of all R_i, or use"
                " number=Interval"
            ) from None

    def admits(self, i: int, R: Number) -> bool:
        """Return whether R >= R_i."""
        return self._covers(R, self.norms2[i])

    @staticmethod
    def _covers(R: Number, norm2: Number) -> bool:
        return bool(R >= 0) and bool(R >= math.sqrt(norm2) if isinstance(norm2, float) else R * R >= norm2)

    @property
    def columns(self) -> list[validate.Row]:
        """Columns of a matrix of the spectral norm of X."""
        return self.rows

    def zeros(self) -> list[Number]:
        """alpha = 0, shape (n,), which lies in the domain of every loss."""
        return [self.zero] * self.n

    def moved(self, u: Vector, i: int, new: Number, old: Number, divisor: Number) -> Vector:
        """u + ((new - old)/divisor) x_i, a new vector, for two values of alpha_i."""
        moved = list(u)
        factor = (new - old) / divisor
        for j, x in self.rows[i]:
            moved[j] = moved[j] + factor * x
        return moved

    # -- objectives ----------------------------------------------------------------------------------------------------

    def P(self, w: Vector) -> Number:
        """The primal objective at w, shape (d,)."""
        self.require_lengths(w=w)
        values = (self.loss.value(self.dot(row, w), y) for row, y in zip(self.rows, self.y))
        return self.mean(values) + self.regularizer.value(w)

    def D(self, alpha: Vector) -> Number:
        """The dual objective at alpha, shape (n,). Raises ValueError outside the domain."""
        conjugates = (self.loss.conjugate(alpha_i, y) for alpha_i, y in zip(alpha, self.y))
        return self.zero - self.mean(conjugates) - self.regularizer.conjugate(self.minus_u(alpha))

    def f(self, w: Vector, alpha: Vector) -> Number:
        """The saddle function: P(w) = max_alpha f(w, alpha), D(alpha) = min_w f(w, alpha) (ASPDC Lemma 1)."""
        self.require_lengths(w, alpha)
        parts = (
            self.product(alpha_i, self.dot(row, w)) - self.loss.conjugate(alpha_i, y)
            for row, alpha_i, y in zip(self.rows, alpha, self.y)
        )
        return self.mean(parts) + self.regularizer.value(w)

    def product(self, alpha_i: Number, z_i: Number) -> Number:
        """alpha_i z_i."""
        return alpha_i * z_i

    def residuals(self, w: Vector, alpha: Vector) -> Vector:
        """The Fenchel-Young residuals FY_i(x_i^T w, alpha_i) >= 0, shape (n,)."""
        self.require_lengths(w, alpha)
        return [self.loss.residual(self.dot(row, w), alpha_i, y) for row, alpha_i, y in zip(self.rows, alpha, self.y)]

    def gap(self, w: Vector, alpha: Vector) -> Number:
        """P(w) - D(alpha) by the gap identity: a sum of nonnegative terms."""
        return self.mean(self.residuals(w, alpha)) + self.regularizer.residual(w, self.minus_u(alpha))

    def require_alpha(self, alpha: Any) -> Vector:
        """alpha, shape (n,), converted and checked against the domain of phi*."""
        converted = validate.vector(alpha, self.n, self.number, "alpha")
        for i, alpha_i in enumerate(converted):
            if not self.loss.in_domain(alpha_i, self.y[i]):
                raise ValueError(
                    f"alpha[{i}] = {validate.spelled(alpha_i, alpha[i])} is outside the domain of {self.loss.name}:"
                    f" {self.loss.domain}"
                )
        return converted

    def require_lengths(self, w: Vector | None = None, alpha: Vector | None = None) -> None:
        """Raise ValueError unless w has d entries and alpha has n, where given."""
        if w is not None and len(w) != self.d:
            raise ValueError(f"w must have {self.d} entries (got {len(w)})")
        if alpha is not None and len(alpha) != self.n:
            raise ValueError(f"alpha must have {self.n} entries (got {len(alpha)})")
