"""Problems whose rows have weights: a row of weight 2 counts as two equal rows, one of weight 0 is no row at all.

    P(w)     = (1/S) sum_i s_i phi_i(x_i^T w) + g(w),     S = sum_i s_i
    D(alpha) = -(1/S) sum_i s_i phi_i*(alpha_i) - g*(-u),   u = (1/S) sum_i s_i alpha_i x_i

alpha_i stays in the domain of phi*, whatever s_i is: it is the alpha_i of each of the s_i equal rows. With

    P(w) - D(alpha) = (1/S) sum_i s_i FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

everything stated for ``Problem`` holds with s_i phi_i instead of phi_i and S instead of n. The dual step of a row
moves w by s_i delta x_i/(mu S) and so has q_i = s_i ||x_i||^2/(mu S): ``norms2`` is s_i ||x_i||^2, and ``scale`` is mu
S.

Every formula is that of ``Problem``, whose weights are 1. Methods that use only ``inner``, ``norms2``, ``scale`` and
``update`` of a problem run on it unchanged: SDCA and ASPDC. ``solve`` runs SDCA.
"""

import math
from fractions import Fraction
from functools import cached_property
from typing import Any

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
    weights : (n,) numbers in 2^-500..2^500, or None: all 1. Only their ratios matter: they are multiplied by the power
        of two that brings their mean into [1, 2), which rounds nothing

    Raises
    ------
    ValueError, TypeError
        As ``Problem``; a weight out of its range (a row of weight 0 is to be left out).

    >>> from dualgap.reference import L2, Squared
    >>> p = WeightedProblem([[1, 0], [0, 1]], [1, -1], Squared(), L2(2), [3, 1], number=Fraction)
    >>> p.weights, p.mass, p.P([1, 0])
    ([Fraction(3, 2), Fraction(1, 2)], Fraction(2, 1), Fraction(9, 8))
    """

    numbers: Any = None  # the weights, where they are an array
    mass: Number = 0  # S, for each problem its own
    equal = False  # whether no weights were given

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
        if weights is None:
            self.equal = True
            self.weights, self.mass = [convert(1, number)] * n, convert(n, number)
            super().__init__(X, y, loss, regularizer, number, d)
            return
        given = validate.labels(weights, n, Fraction if number is Interval else number, "weights")
        least, largest = validate.extremes(given)
        if not (Fraction(1, WIDEST) <= least and largest <= WIDEST):
            i = next(i for i, weight in enumerate(given) if not Fraction(1, WIDEST) <= weight <= WIDEST)
            raise ValueError(f"weights[{i}] must lie in 2^-500..2^500 (got {given[i]}); leave out the rows of weight 0")
        total = math.fsum(given.tolist() if hasattr(given, "tolist") else map(float, given))
        unit = Fraction(2) ** (1 - math.frexp(total / n)[1])
        if number is float:
            self.mass = total * float(unit)
        if hasattr(given, "tolist"):
            self.numbers = given * float(unit)
        else:
            factor = convert(unit, type(given[0]))
            scaled = given if factor == 1 else [weight * factor for weight in given]
            self.weights = [Interval(weight) for weight in scaled] if number is Interval else scaled
        if number is not float:
            self.mass = sum(self.weights, start=convert(0, number))
        super().__init__(X, y, loss, regularizer, number, d)

    @cached_property
    def weights(self) -> Vector:
        """s_1 .. s_n as numbers; an array is converted to a list on first use."""
        listed: Vector = self.numbers.tolist()
        return listed

    def weighted(self, i: int, value: Number) -> Number:
        """s_i value."""
        return self.weights[i] * value

    def _norms2(self) -> Vector:
        """s_i ||x_i||^2, shape (n,)."""
        return [weight * norm2 for weight, norm2 in zip(self.weights, super()._norms2())]
