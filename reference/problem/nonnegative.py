"""L2 and elastic net for coefficients that must not be negative.

    g(w) = (lam/2)||w||^2 + l1 sum_j w_j for w >= 0, else infinity

with u = X^T alpha / n:

    g*(-u)        = ||max(-u - l1, 0)||^2 / (2 lam)
    grad g*(-u)_j = max(-u_j - l1, 0) / lam

so that w_j is the one-sided soft threshold of v_j = -u_j/lam.
"""

from typing import ClassVar

from dualgap.reference.numbers.arithmetic import Number, NumberLike
from dualgap.reference.problem.general_regularizer import GeneralRegularizer, Vector
from dualgap.reference.problem.regularizers import Regularizer


class NonNegative(GeneralRegularizer):
    """(lam/2)||w||^2 + l1 ||w||_1 for w >= 0. Methods: SDCA with all its outputs and with shrinking, and AFG.

    Parameters
    ----------
    lam : number > 0
        The weight of ||w||^2 / 2.
    l1 : number >= 0
        The weight of ||w||_1; 0 by default.

    Raises
    ------
    ValueError
        lam <= 0, l1 < 0, or not a finite number.

    >>> from fractions import Fraction
    >>> NonNegative(lam=2, l1="1/2").gradient_conjugate([Fraction(3, 2), Fraction(-7)])
    [Fraction(1, 2), Fraction(0, 1)]
    """

    family: ClassVar[str] = "non-negative"
    name = "non-negative"

    def __init__(self, lam: NumberLike, l1: NumberLike = 0) -> None:
        Regularizer.__init__(self, lam, l1)
        self.parameters = ()

    def __repr__(self) -> str:
        return f"NonNegative(lam={self.lam}{f', l1={self.l1}' if self.l1 else ''})"

    @property
    def modulus(self) -> Number:
        """lam."""
        return self.lam

    def value(self, w: Vector) -> Number:
        """g(w). Raises ValueError if a coefficient is negative and g infinite."""
        squares = ones = self.lam - self.lam
        for j, w_j in enumerate(w):
            if w_j < 0:
                raise ValueError(f"w[{j}] = {w_j} is negative, where g is infinite: all w[j] must be >= 0")
            squares, ones = squares + w_j * w_j, ones + w_j
        return self.lam * squares / 2 + self.l1 * ones

    def at_dual_point(self, v: Vector) -> Vector:
        """max(v_j - l1/lam, 0) for every j; below the threshold v_j - v_j, so that no negative zero is made."""
        threshold = self.l1 / self.lam
        return [v_j - threshold if v_j > threshold else v_j - v_j for v_j in v]

    def gradient_conjugate(self, minus_u: Vector) -> Vector:
        return self.at_dual_point(self.dual_point(minus_u))

    conjugate = Regularizer.conjugate  # g*(-u) = (lam/2)||grad g*(-u)||^2

    def residual(self, w: Vector, minus_u: Vector) -> Number:
        """g(w) + g*(-u) + u^T w >= 0, for w >= 0, as a sum of nonnegative terms: (lam/2)(w_j - best_j)^2, and
        lam w_j (l1/lam - v_j) where v_j is below the threshold.
        """
        v, threshold = self.dual_point(minus_u), self.l1 / self.lam
        total = self.lam - self.lam
        for w_j, v_j, best in zip(w, v, self.at_dual_point(v)):
            total = total + self.lam * ((w_j - best) * (w_j - best)) / 2
            total = total + self.lam * (w_j * (threshold - (threshold if v_j > threshold else v_j)))
        return total

    def prox(self, w: Vector, tau: Number) -> Vector:
        """argmin_x g(x) + ||x - w||^2/(2 tau), shape (d,); tau > 0."""
        threshold, scale = tau * self.l1, 1 + tau * self.lam
        return [(w_j - threshold if w_j > threshold else w_j - w_j) / scale for w_j in w]
