"""Problems whose rows have weights: a row of weight 2 counts as two equal rows, one of weight 0 is no row at all.

    P(w)     = (1/S) sum_i s_i phi_i(x_i^T w) + g(w),     S = sum_i s_i
    D(alpha) = -(1/S) sum_i s_i phi_i*(alpha_i) - g*(-u),   u = (1/S) sum_i s_i alpha_i x_i

alpha_i stays in the domain of phi*, whatever s_i is: it is the alpha_i of each of the s_i equal rows. With

    P(w) - D(alpha) = (1/S) sum_i s_i FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

everything stated for ``Problem`` holds with s_i phi_i instead of phi_i and S instead of n. The dual step of a row
moves w by s_i delta x_i/(mu S) and so has q_i = s_i ||x_i||^2/(mu S): ``norms2`` is s_i ||x_i||^2, and ``scale`` is mu
S.

Methods that use only ``inner``, ``norms2``, ``scale`` and ``update`` of a problem run on it unchanged:
SDCA and ASPDC. ``solve`` runs SDCA.
"""

import math
from fractions import Fraction

from dualgap.reference.numbers.arithmetic import Number, NumberType, convert
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem import validate
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import Regularizer

WIDEST = 2**500  # the largest weight; the smallest is its inverse


class WeightedProblem(Problem):
    """A Problem with a weight for each row.

    Parameters
    ----------
    X, y, loss, regularizer, number, d : as of ``Problem``
    weights : (n,) numbers in 2^-500..2^500. Only their ratios matter: they are multiplied by the power of two that
        brings their mean into [1, 2), which rounds nothing

    Raises
    ------
    ValueError, TypeError
        As ``Problem``; a weight out of its range (a row of weight 0 is to be left out).

    >>> from dualgap.reference import L2, Squared
    >>> p = WeightedProblem([[1, 0], [0, 1]], [1, -1], Squared(), L2(2), [3, 1], number=Fraction)
    >>> p.weights, p.mass, p.P([1, 0])
    ([Fraction(3, 2), Fraction(1, 2)], Fraction(2, 1), Fraction(9, 8))
    """

    def __init__(
        self,
        X: object,
        y: object,
        loss: Loss,
        regularizer: Regularizer,
        weights: object,
        number: NumberType = float,
        d: int | None = None,
    ) -> None:
        n, _ = validate.shape(X, d)
        given = validate.vector(weights, n, Fraction if number is Interval else number, "weights")
        for i, weight in enumerate(given):
            if not Fraction(1, WIDEST) <= weight <= WIDEST:
                raise ValueError(
                    f"weights[{i}] must lie in 2^-500..2^500 (got {weight}); leave out the rows of weight 0"
                )
        unit = Fraction(2) ** (1 - math.frexp(math.fsum(map(float, given)) / n)[1])
        self.weights: Vector = [convert(weight * convert(unit, type(weight)), number) for weight in given]
        self.mass: Number = math.fsum(self.weights) if number is float else sum(self.weights, start=convert(0, number))
        super().__init__(X, y, loss, regularizer, number, d)

    def _set_regularizer(self, regularizer: Regularizer) -> None:
        super()._set_regularizer(regularizer)
        self.scale = regularizer.modulus * self.mass

    def _norms2(self) -> Vector:
        """s_i ||x_i||^2, shape (n,)."""
        return [weight * norm2 for weight, norm2 in zip(self.weights, super()._norms2())]

    def minus_u(self, alpha: Vector) -> Vector:
        """-(1/S) sum_i s_i alpha_i x_i, shape (d,)."""
        self.require_lengths(alpha=alpha)
        total = [self.zero] * self.d
        for row, weight, alpha_i in zip(self.rows, self.weights, alpha):
            factor = weight * alpha_i
            for j, x in row:
                total[j] = total[j] + factor * x
        return [self.zero - total_j / self.mass for total_j in total]

    def update(self, i: int, delta: Number, v: Vector) -> None:
        """v <- v - s_i (delta/(mu S)) x_i, in place."""
        super().update(i, self.weights[i] * delta, v)

    def mean(self, values: Vector) -> Number:
        """(1/S) sum_i s_i values_i."""
        total = self.zero
        for weight, value in zip(self.weights, values):
            total = total + weight * value
        return total / self.mass

    def P(self, w: Vector) -> Number:
        """The primal objective at w, shape (d,)."""
        self.require_lengths(w=w)
        values = [self.loss.value(self.dot(row, w), y) for row, y in zip(self.rows, self.y)]
        return self.mean(values) + self.regularizer.value(w)

    def D(self, alpha: Vector) -> Number:
        """The dual objective at alpha, shape (n,). Raises ValueError outside the domain."""
        conjugates = [self.loss.conjugate(alpha_i, y) for alpha_i, y in zip(alpha, self.y)]
        return self.zero - self.mean(conjugates) - self.regularizer.conjugate(self.minus_u(alpha))

    def f(self, w: Vector, alpha: Vector) -> Number:
        """The saddle function: P(w) = max_alpha f(w, alpha), D(alpha) = min_w f(w, alpha)."""
        self.require_lengths(w, alpha)
        parts = [
            alpha_i * self.dot(row, w) - self.loss.conjugate(alpha_i, y)
            for row, alpha_i, y in zip(self.rows, alpha, self.y)
        ]
        return self.mean(parts) + self.regularizer.value(w)

    def gap(self, w: Vector, alpha: Vector) -> Number:
        """P(w) - D(alpha) by the gap identity: a sum of nonnegative terms."""
        return self.mean(self.residuals(w, alpha)) + self.regularizer.residual(w, self.minus_u(alpha))
