"""Empty columns of wide sparse rows are left out of a run, and have the coefficient 0 in its answer.

An empty column is in no x_i^T w, and w_j is in no term of g(w) but its own, (lam/2)w_j^2 + l1 |w_j|, which is least at
0: so w_j = 0 at the optimum, of a regularizer without a centre, and at w(alpha) for every alpha, because u_j = 0. The
other coefficients keep their bits, and so do P, D and the gap, whose sums have zeros more.
"""

import copy
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.solver.auto import ONE_THRESHOLD
from dualgap.fast.solver.result import Result
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import is_sparse
from dualgap.reference.problem.weighted_problem import WeightedProblem

WIDE = 50_000  # columns; with fewer, the second problem takes as long as it saves
SHARE = 2  # columns for each stored entry: at least half of the columns are empty


def has_empty_columns(problem: Problem) -> bool:
    """Return whether most columns of a wide problem are empty, and may be left out."""
    g, X = problem.regularizer, problem.X
    plain = type(problem) in (Problem, WeightedProblem, InterceptProblem) and problem.number is float
    takes = problem.d >= WIDE and plain and is_sparse(X) and g.family in ONE_THRESHOLD and g.centre is None
    return bool(takes and problem.d >= SHARE * X.nnz > 0)


def without_empty_columns(problem: Problem) -> tuple[Problem, Array]:
    """The problem in its other columns, and these."""
    arrays(problem)  # has checked X, and notices a later change
    X, narrow = problem.X, copy.copy(problem)
    used, places = np.unique(X.indices, return_inverse=True)
    narrow.X = type(X)((X.data, places.astype(X.indices.dtype), X.indptr), shape=(problem.n, used.size))
    narrow.d, narrow._cached = used.size, {}
    for derived in ("rows", "block_ends"):
        vars(narrow).pop(derived, None)
    return narrow, used


def solved_without(problem: Problem, solve: Callable[[Problem], Result]) -> Result | None:
    """The result of ``solve`` for the other columns, certified for the problem as it is; None where it has converged
    and this certificate does not meet the tolerance, whose allowance for roundings grows with d.
    """
    narrow, used = without_empty_columns(problem)
    result = solve(narrow)
    best, w = result.certificate, np.zeros(problem.d)
    w[used] = best.w
    found = Certificate(problem, w, best.alpha, best.compensated, best.intercept)
    if result.status == "converged" and not found.meets(result.tol, result.rtol):
        return None
    same = best.gap_bound
    history = tuple(e._replace(gap_bound=found.gap_bound) if e.gap_bound == same else e for e in result.history)
    reason = result.reason and f"{result.reason}; {problem.d - used.size} empty columns are left out"
    return replace(result, certificate=found, history=history, reason=reason)
