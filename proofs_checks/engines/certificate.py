"""Exact certificates of any (w, alpha), from any solver: a double is a rational, so nothing here is rounded.

    gap = P(w) - D(alpha) >= P(w) - P*      and      >= D* - D(alpha)

whatever made the pair. With w = w(alpha) the same pass over the data gives ASPDC's conditional progress,
n E[D(alpha+) - D(alpha)]/gap, which theory keeps at or above s = 1 - R^2/(mu n gamma).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dualgap.reference import Interval, Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector


@dataclass(frozen=True)
class ExactCertificate:
    """P(w), D(alpha) and their difference, as Fractions (intervals for the logistic loss).

    ``progress`` and ``floor`` are ASPDC's n E[increase]/gap at alpha and its theoretical floor s; None if the
    gap at w(alpha) is 0, or the loss has gamma = 0.
    """

    primal: Number
    dual: Number
    gap: Number
    progress: Number | None
    floor: Number | None


def certificate(problem: Problem, alpha: object, w: Any = None, number: type[Fraction] = Fraction) -> ExactCertificate:
    """Certify a pair exactly.

    Parameters
    ----------
    problem : Problem in any number; its data, lam and gamma are taken as the exact rationals they are.
    alpha : (n,) inside the domain of phi*.
    w : (d,), default w(alpha).
    number : what is computed in, Fraction or a type that replaces it.

    Raises
    ------
    ValueError
        Wrong lengths, values that are not finite, alpha outside the domain (D would be -infinity).

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0], Squared(), L2(2.0))
    >>> found = certificate(problem, [0.0, 0.0])
    >>> found.gap, found.progress, found.floor
    (Fraction(1, 2), Fraction(3, 4), Fraction(3, 4))
    """
    kind: Any = number if problem.loss.rational else Interval
    exact = Problem(_rows(problem), problem.y, problem.loss, problem.regularizer, number=kind, d=problem.d)
    alpha = exact.require_alpha(alpha)
    at = exact.w(alpha)
    w = at if w is None else [kind(w_j) for w_j in (w.tolist() if hasattr(w, "tolist") else w)]
    exact.require_lengths(w=w)
    primal, dual = exact.P(w), exact.D(alpha)
    progress, floor = _progress(exact, at, alpha) if problem.gamma > 0 else (None, None)
    return ExactCertificate(primal, dual, primal - dual, progress, floor)


def _rows(problem: Problem) -> list[list[tuple[int, Number]]]:
    return [list(row) for row in problem.rows]


def _progress(exact: Problem, w: Vector, alpha: Vector) -> tuple[Number | None, Number]:
    """n E[D(alpha+) - D(alpha)]/gap at w(alpha), by D(alpha+) - D(alpha) = FY_i/n - ||x_i||^2 Delta_i^2/(2 mu n^2)."""
    gain, total = exact.zero, exact.zero
    for i, (row, y, FY) in enumerate(zip(exact.rows, exact.y, exact.residuals(w, alpha))):
        delta = exact.loss.derivative(exact.dot(row, w), y) - alpha[i]
        gain = gain + FY - exact.norms2[i] * delta * delta / (2 * exact.scale)
        total = total + FY
    floor = 1 - exact.K_max
    quadratic = exact.regularizer.family == "quadratic" and exact.regularizer.l1 == 0
    if not quadratic or not _positive(total):
        return None, floor  # elsewhere the line above is only a lower bound of the increase
    return gain / total, floor


def _positive(total: Number) -> bool:
    return bool(total.low > 0) if isinstance(total, Interval) else bool(total > 0)
