"""The problem with an intercept that is not penalised, and its best dual point: what ``check_the_intercept_is_free``
judges by.

    P(w, b) = (1/n) sum_i phi_i(x_i^T w + b) + g(w)          D(alpha) as without b, over the alpha with sum_i alpha_i = 0

>>> alpha, slack = dual_point("squared", False)
>>> float(alpha.sum()), slack < 1e-12
(0.0, True)
"""  # noqa: E501

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from dualgap.fast import Certificate
from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase
from dualgap.reference import Problem

GRID = 2.0**-40  # of golden sections; an objective is then off by its square
BOX = 16.0  # what is looked for lies within


def case(far: bool) -> SolverCase:
    """Four rows, about 0 or away from it, where a penalty on the intercept would cost most."""
    return SolverCase(f"four rows{' away from 0' if far else ''}, with an intercept", TABLE + far, TARGETS + 0.5)


def with_ones(case: SolverCase, loss: str) -> Problem:
    """The problem with a column of ones, penalised as the others are."""
    return case._replace(X=np.hstack([case.X, np.ones((len(case.y), 1))])).problem(loss)


def free_gap(problem: Problem, w: Array, alpha: Array, slack: float, tol: float) -> tuple[Fraction, Fraction]:
    """P(w, b) - D(alpha) from above, and what it may be; problem: ``with_ones``; the entries of alpha add up to 0,
    exactly.

    There the column of ones adds nothing to D, and to P its penalty alone, which is taken off.
    """
    b, g = Fraction(float(w[-1])), problem.regularizer
    found = Certificate(problem, w, alpha)
    penalty = Fraction(g.lam) * b * b / 2 + Fraction(g.l1) * abs(b)
    return Fraction(found.gap_bound) - penalty, Fraction(tol) + Fraction(slack) + Fraction(found.rounding)


@cache
def dual_point(loss: str, far: bool) -> tuple[Array, float]:
    """``best_dual`` of the case."""
    return best_dual(case(far), loss)


def best_dual(case: SolverCase, loss: str) -> tuple[Array, float]:
    """alpha with sum 0 that is best up to s, and s: two entries at a time, the others held, until D no longer
    rises.

    Entries are multiples of 2^-40, so that they add up to 0 exactly. s is the gap at w(alpha) and the best b for it.
    """
    problem, ones = case.problem(loss), with_ones(case, loss)
    alpha, before, best = np.zeros(problem.n), -np.inf, problem.D(problem.zeros())
    while best > before:
        before = best
        for i, j in combinations(range(problem.n), 2):
            alpha, best = _better(problem, alpha, best, np.eye(problem.n)[i] - np.eye(problem.n)[j])
    w = np.array(problem.w(alpha.tolist()))
    b = golden(lambda t: ones.P([*w.tolist(), t]) - problem.regularizer.lam * t * t / 2, -BOX, BOX)
    return alpha, float(free_gap(ones, np.append(w, b), alpha, 0.0, 0.0)[0])


def _better(problem: Problem, alpha: Array, best: float, step: Array) -> tuple[Array, float]:
    """The best alpha + t step and its D, or alpha and best where no t does better."""
    low, high = -BOX, BOX
    for k in np.flatnonzero(step):
        ends = [BOX * sign if end is None else end for sign, end in zip((-1, 1), problem.loss.ends)]
        side = -problem.y[k] if problem.loss.margin else 1.0  # ends are those of -y alpha for a margin loss
        at = sorted((side * end - alpha[k]) / step[k] for end in ends)
        low, high = max(low, at[0]), min(high, at[1])
    moved = alpha + golden(lambda t: -problem.D((alpha + t * step).tolist()), low, high) * step
    D = problem.D(moved.tolist())
    return (moved, D) if D > best else (alpha, best)


def golden(f: Callable[[float], float], low: float, high: float, grid: float = GRID) -> float:
    """The minimizer of a convex f on [low, high], to a multiple of the grid (default 2^-40).

    >>> golden(lambda t: (t - 0.25) ** 2, -16.0, 16.0)
    0.25
    """
    ratio = (5**0.5 - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    while high - low > grid:
        if f(a) <= f(b):
            high, b, a = b, a, b - ratio * (b - low)
        else:
            low, a, b = a, b, a + ratio * (high - a)
    return round((low + high) / 2 / grid) * grid if grid else low
