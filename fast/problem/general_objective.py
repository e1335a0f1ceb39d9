"""P, D and the gap for a regularizer of one's own, so that a certificate of it is true: all that it says is evaluated
in rationals.

Nothing is known of how its formulas round. So ``gap_bound`` is the gap in the reals, for these very doubles, rounded
up: the reference's problem over Fraction says it, row by row. The regularizer must be what it says
(``check_regularizer``): a conjugate that is too small makes D too large. It is called once for each class and its
parameters, when the first certificate is made.
"""

import math
from fractions import Fraction

import numpy as np

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.check_compiled_loss import rounded_up
from dualgap.fast.problem.own_loss import OwnLossObjective
from dualgap.reference.problem.check_regularizer import check_regularizer
from dualgap.reference.problem.general_regularizer import GeneralRegularizer
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import Regularizer
from dualgap.reference.problem.validate import Row, rows

_checked: dict[tuple[type, str], str] = {}  # by class and parameters: the first finding, or ""


class GeneralObjective(OwnLossObjective):
    """``Objective`` for a regularizer of the user and any loss, which the reference runs.

    Raises
    ------
    ValueError
        The loss is not rational, or loss or regularizer contradicts itself, so that no certificate would mean anything.
    """

    @staticmethod
    def require_regularizer(regularizer: Regularizer) -> None:
        """Raise ValueError for one whose formulas contradict each other."""
        assert isinstance(regularizer, GeneralRegularizer)
        require_consistent(regularizer.over(Fraction))

    def __init__(self, problem: Problem) -> None:
        if not problem.loss.rational:
            raise ValueError(
                f"a gap with {problem.regularizer!r} is certified in rationals, and loss {problem.loss.name!r} has"
                " none: take one that is rational, or L2 or ElasticNet"
            )
        super().__init__(problem)
        self.bounded = False
        self.regularizer = problem.regularizer.over(Fraction)

    def exact_gap(self, w: Array, alpha: Array) -> float:
        problem, loss = self.problem, self.problem.loss
        exact: Problem = problem.cached(
            "exact",  # rows and labels; its regularizer is not asked
            lambda: Problem(_rows(problem), problem.labels, loss, problem.regularizer, number=Fraction, d=problem.d),
        )
        w_exact, alpha_exact = _exact(w), _exact(alpha)
        rows = sum(exact.residuals(w_exact, alpha_exact), start=Fraction(0)) / exact.n
        return rounded_up(rows + self.residual_of(w_exact, exact.minus_u(alpha_exact)))

    def residual_of(self, w: list[Fraction], minus_u: list[Fraction]) -> Fraction:
        """g(w) + g*(-u) + u^T w in the reals. Raises ValueError if it is negative: g* is too small there."""
        found: Fraction = self.regularizer.residual(w, minus_u)
        if found < 0:
            raise ValueError(
                f"regularizer {self.regularizer!r} is not what it says: g(w) + g*(-u) + u^T w = {float(found):.6g} < 0"
                " at a pair of the run; dualgap.reference.check_regularizer names the formula that is wrong"
            )
        return found

    def regularizer_at(self, w: Array) -> float:
        return float(self.regularizer.value(_exact(w)))

    def conjugate_at(self, minus_u: Array) -> float:
        return float(self.regularizer.conjugate(_exact(minus_u)))

    def regularizer_residual(self, w: Array, minus_u: Array) -> float:
        return float(self.residual_of(_exact(w), _exact(minus_u)))

    def regularizer_sizes(self, w: Array, minus_u: Array) -> tuple[float, float]:
        values = self.regularizer.value(_exact(w)), self.regularizer.conjugate(_exact(minus_u))
        return math.sqrt(float(np.dot(w, w)) * (1 + self.d * 2.0**-52)), float(sum(map(abs, values)))

    def dual_point(self, minus_u: Array) -> Array:
        return np.array(self.problem.regularizer.dual_point(minus_u.tolist()))

    def w_of(self, v: Array) -> Array:
        return np.array(self.problem.w_of(v.tolist()))

    def gradient_conjugate(self, minus_u: Array) -> Array:
        return np.array(self.problem.regularizer.gradient_conjugate(minus_u.tolist()))


def require_consistent(regularizer: GeneralRegularizer) -> None:
    """Raise ValueError for a regularizer whose formulas contradict each other where certificates rest on them."""
    key = (type(regularizer), repr(regularizer))
    if key not in _checked:
        found = check_regularizer(regularizer, prox=False)
        _checked[key] = str(found[0]) if found else ""
    if _checked[key]:
        raise ValueError(
            f"{_checked[key]}. No certificate of it would mean anything; dualgap.reference.check_regularizer says all"
            " that is wrong"
        )


def _rows(problem: Problem) -> list[Row]:
    """Return the rows of X, which the certificate has found unchanged; those of a list come from its copy."""
    return rows(problem.X, problem.d, float) if hasattr(problem.X, "shape") else problem.rows


def _exact(x: Array) -> list[Fraction]:
    return [Fraction(x_j) for x_j in x.tolist()]
