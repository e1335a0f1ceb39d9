"""Problems with an intercept b that no penalty holds, and weights for the rows, all 1 by default.

    P(w, b)  = (1/S) sum_i s_i phi_i(x_i^T w + b) + g(w),     S = sum_i s_i
    D(alpha) = -(1/S) sum_i s_i phi_i*(alpha_i) - g*(-u),   u = (1/S) sum_i s_i alpha_i x_i

for alpha with sum_i s_i alpha_i = 0; elsewhere D is -infinity, because P is linear in b there. For every alpha

    P(w, b) - D(alpha) = (1/S) sum_i s_i FY_i(x_i^T w + b, alpha_i) + [g(w) + g*(-u) + u^T w] + (b/S) sum_i s_i alpha_i
"""

from dualgap.reference.numbers.arithmetic import Number, NumberLike, NumberType, convert
from dualgap.reference.problem import validate
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Vector
from dualgap.reference.problem.regularizers import Regularizer
from dualgap.reference.problem.weighted_problem import WeightedProblem


class InterceptProblem(WeightedProblem):
    """A WeightedProblem with a free intercept.

    Parameters
    ----------
    X, y, loss, regularizer, weights, number, d : as of ``WeightedProblem``; weights None: all 1

    Raises
    ------
    ValueError, TypeError
        As ``WeightedProblem``; a margin loss with one class only, for which P may have no minimum.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Squared
    >>> p = InterceptProblem([[1], [0]], [1, 3], Squared(), L2(2), number=Fraction)
    >>> p.P([0], 2), p.D([1, -1]), p.balance([1, -1])
    (Fraction(1, 2), Fraction(7, 16), Fraction(0, 1))
    """

    def __init__(
        self,
        X: object,
        y: object,
        loss: Loss,
        regularizer: Regularizer,
        weights: object = None,
        number: NumberType = float,
        d: int | None = None,
    ) -> None:
        super().__init__(X, y, loss, regularizer, weights, number, d)
        least, largest = validate.extremes(self.labels)
        if loss.margin and not least < 0 < largest:
            raise ValueError("a free intercept needs rows of both classes: with one class P may have no minimum")
        if regularizer.family not in ("quadratic", "non-negative"):
            raise ValueError(f"a free intercept is for L2, ElasticNet and NonNegative (got {regularizer!r})")

    def balance(self, alpha: Vector) -> Number:
        """sum_i s_i alpha_i."""
        total = self.zero
        for i, alpha_i in enumerate(alpha):
            total = total + self.weighted(i, alpha_i)
        return total

    def P(self, w: Vector, b: NumberLike = 0) -> Number:
        """The primal objective at w, shape (d,), and b."""
        self.require_lengths(w=w)
        shift = convert(b, self.number)
        values = (self.loss.value(self.dot(row, w) + shift, y) for row, y in zip(self.rows, self.y))
        return self.mean(values) + self.regularizer.value(w)

    def D(self, alpha: Vector) -> Number:
        """The dual objective at alpha, shape (n,). Raises ValueError outside the domain or the constraint."""
        if self.balance(alpha) != 0:
            raise ValueError(f"sum_i s_i alpha_i must be 0 (got {self.balance(alpha)})")
        return super().D(alpha)
