"""Certificates: P, D and the gap, recomputed from a pair (w, alpha).

A ``Certificate`` cannot be made in any other way: its numbers are what its constructor computes from the pair that
it holds, it cannot be changed, and copying or unpickling one computes them again.
"""

import importlib
import math
import os
from typing import Any, NoReturn

import numpy as np

from dualgap.fast.compiler.subnormals import require_subnormals
from dualgap.fast.problem.arrays import Array, require_unchanged
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.evaluated import evaluated
from dualgap.fast.problem.intercept import InterceptObjective, balanced
from dualgap.fast.problem.multinomial import MultinomialObjective
from dualgap.fast.problem.native import numbers
from dualgap.fast.problem.objective import Objective
from dualgap.reference.numbers.own_context import in_own_context
from dualgap.reference.problem.problem import Problem

WRITER = "dualgap.proofs_checks.certificate_file.write"  # imported when a file is written; fast does not depend on it


class Certificate:
    """P(w), D(alpha) and P(w) - D(alpha) >= 0 of one pair: a proof that P(w) - min P <= gap_bound.

    The gap is the sum of nonnegative terms (the gap identity, see ``dualgap.reference.problem.problem``)

        gap = (1/n) sum_i FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w],   u = X^T alpha / n,

    without cancellation, so that it is meaningful far below the rounding of P and D themselves. It is computed from
    rounded x_i^T w and u, though, and so can be below the gap in the reals, where sums cancel without limit:
    ``gap_bound`` never is.

    Parameters
    ----------
    problem : Problem over float, BlockProblem or MultinomialProblem; in a run, its objective (``objective_of``), made
        once: the run then compares X and y with what they were at both of its ends (``require_unchanged``)
    w : (d,) finite; alpha : (n,) in the domain of phi*, or n blocks; in a run, None for the phi_i'(x_i^T w)
    compensated : whether x_i^T w and u are summed as if in twice the precision: four times the time, for a tighter
        bound
    intercept : of an InterceptProblem, b; None: the best one of that w. Of a MultinomialProblem, (K,), None: 0

    Attributes
    ----------
    primal, dual, gap : the three numbers; with a free intercept, dual and gap are those of alpha' (``intercept``)
    intercept : b, or (K,) of a MultinomialProblem; None for a problem without a free one
    regularizer_part : the second term, 0 for w = w(alpha)
    gap_bound : >= P(w) - D(alpha) in the reals, for these very doubles; infinite if nothing can be said. See
        ``gap_bound``
    resolution : what gap_bound would be, by plain sums, if gap were 0: what a run in doubles does not see
    rounding : how far primal - dual and gap may be apart (``allowance``)
    minus_u : -X^T alpha/n, shape (d,), read-only, of centred rows (``centring``) with a free intercept: w(alpha) = grad
        g*(-u)
    w, alpha : the pair, as read-only copies; alpha is an array of shape (n,), (n, K) for a MultinomialProblem, and a
        tuple of n tuples for a BlockProblem

    Raises
    ------
    ValueError
        w or alpha has the wrong shape or is not finite, or alpha is outside the domain.
    InputChanged
        X or y of the problem was changed in place since it was first used. It is a ValueError.
    OverflowError
        The pair is finite, but P or D is not.
    ArithmeticError
        primal - dual and gap, which are computed apart, differ by more than rounding allows (``allowance``), or the
        gap is negative. That is a mistake in the code, never in the data.
    RuntimeError
        The processor takes subnormal numbers for 0, in this thread (``compiler.subnormals``).

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2))
    >>> Certificate(problem, [0.25, -0.25], [-0.5, 0.5]).gap
    0.0625
    """

    __slots__ = (
        "problem",
        "w",
        "alpha",
        "compensated",
        "intercept",
        "primal",
        "dual",
        "gap",
        "gap_bound",
        "resolution",
        "regularizer_part",
        "rounding",
        "minus_u",
    )
    problem: Problem
    w: Array
    alpha: Any
    compensated: bool
    intercept: Any
    primal: float
    dual: float
    gap: float
    gap_bound: float
    resolution: float
    regularizer_part: float
    rounding: float
    minus_u: Array

    @in_own_context
    def __init__(
        self,
        problem: Problem | Objective,
        w: object,
        alpha: object,
        compensated: bool = False,
        intercept: object = None,
    ) -> None:
        require_subnormals()
        if in_run := isinstance(problem, Objective):
            objective, problem = problem, problem.problem
        else:
            require_unchanged(problem)
            objective = objective_of(problem)
        w, slopes = _require_w(w, objective.d), alpha is None and in_run and type(objective) is Objective
        alpha = np.empty(objective.n) if slopes and objective.gamma > 0 else objective.require_alpha(alpha)
        if isinstance(objective, MultinomialObjective):
            b = objective.require_intercept(intercept)
            found, intercept = objective.evaluated(w, b, alpha), b if objective.free else None
        elif isinstance(objective, InterceptObjective):
            intercept = objective.intercept(w) if intercept is None else require_number(intercept, "intercept")
            objective = objective.at(intercept, w)
            found = balanced(objective, w, alpha, compensated)
        elif intercept is not None:
            raise ValueError("intercept is for an InterceptProblem: this problem has none")
        else:
            found = evaluated(objective, w, alpha, compensated, slopes)
        for own in (w, alpha, found.minus_u, intercept):
            if isinstance(own, np.ndarray):  # else a tuple
                own.flags.writeable = False
        values = (problem, w, alpha, compensated, intercept, *found)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a certificate cannot be changed: make one from a pair (w, alpha)")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a certificate cannot be changed: make one from a pair (w, alpha)")

    def __reduce__(self) -> tuple[object, ...]:
        return Certificate, (self.problem, self.w, self.alpha, self.compensated, self.intercept)

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Certificate cannot be subclassed: its constructor is what makes it a certificate")

    def __repr__(self) -> str:
        return (
            f"Certificate(primal={self.primal!r}, dual={self.dual!r}, gap={self.gap!r}, gap_bound={self.gap_bound!r})"
        )

    def save(self, path: str | os.PathLike[str], data_path: str | os.PathLike[str] | None = None) -> None:
        """Write a certificate file, which can be checked without dualgap (docs/certificate_file.md).

        Parameters
        ----------
        path : the file
        data_path : None, or a file for the rows as LIBSVM text. The checkers need it unless the rows are those of a
            LIBSVM file of yours

        Raises
        ------
        ValueError
            The loss or the regularizer is not covered, the weights do not allow a free intercept, or both files are
            one. No file is written.
        InputChanged
            X or y was changed in place. It is a ValueError.
        OSError
            A file cannot be written.
        """
        require_unchanged(self.problem)
        importlib.import_module(WRITER).write_certificate(
            path, self.problem, self.w, self.alpha, data_path, self.intercept
        )

    def target(self, tol: float, rtol: float) -> float:
        """The gap_bound that meets a request: the larger of tol and rtol |P|."""
        return max(tol, rtol * abs(self.primal))

    def meets(self, tol: float, rtol: float) -> bool:
        """Return whether P(w) - min P is at most the tolerance."""
        return self.gap_bound <= self.target(tol, rtol)


def certified(problem: Problem | Objective, w: object, alpha: object, tol: float, rtol: float) -> Certificate:
    """The certificate of a pair; a compensated one where the plain one does not meet the request and is mostly
    rounding.
    """
    found = Certificate(problem, w, alpha)
    if found.meets(tol, rtol) or found.gap > max(found.target(tol, rtol), found.gap_bound / 2):
        return found
    return Certificate(problem, found.w, found.alpha, True, found.intercept)


def certificate_of_bound(
    problem: Problem, w: Array, alpha: object, compensated: bool, told: float, intercept: object = None
) -> Certificate:
    """The certificate of a pair whose bound is known: bit-identical on the same machine, nearly the same on another
    one.

    Raises
    ------
    ValueError
        The pair has another bound.
    """
    found = Certificate(problem, w, alpha, compensated, intercept)
    if not math.isclose(told, found.gap_bound, rel_tol=1e-6, abs_tol=found.rounding):
        raise ValueError(f"its best gap is at most {told}, that of its best pair {found.gap_bound}")
    return found


def require_number(given: Any, name: str) -> float:
    """A finite float, or ValueError."""
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number (got {given!r:.80})")
    return number


def _require_w(w: object, d: int) -> Array:
    checked = numbers(w, "w").copy()
    if checked.shape != (d,):
        raise ValueError(f"w must have shape ({d},) (got {checked.shape})")
    if not np.isfinite(checked).all():
        j = int(np.argmin(np.isfinite(checked)))
        raise ValueError(f"w[{j}] must be a finite number (got {checked[j]})")
    return checked
