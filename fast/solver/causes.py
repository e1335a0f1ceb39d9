"""Reasons in a problem for a long run, and other methods that accept the problem, for the advice of a result.

``CAUSES`` are pairs (test, sentence), the most certain first. A test returns what its sentence needs, or None. The
first sentence whose test finds something begins the advice.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.rows import Sparse
from dualgap.fast.solver.backends import special_kernels
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem

Facts = dict[str, Any]
UNEQUAL = 1000.0  # times the size of another column: worth a word
SMALL = 1e4  # R^2/(lam n gamma) above which lam is small
CONFLICTS = 0.02  # share of the rows that have an equal row of the other label
BLOCK = 2**16  # numbers of the rows that are taken at a time
MOST_ROWS = 200_000  # that are compared with each other
OTHERS = ("newton", "lbfgs", "afg", "asdca", "spdc", "sdca")  # in the order in which they are named


def column_sizes(problem: Problem) -> Array:
    """Root mean squares of the columns, by blocks of rows: a run may have filled the memory."""
    rows = arrays(problem).matrix
    values = rows.data if isinstance(rows, Sparse) else rows.X
    scale = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0))) or 1.0
    squares, step = np.zeros(problem.d), BLOCK if isinstance(rows, Sparse) else 1 + BLOCK // problem.d
    for start in range(0, len(values), step):
        at = slice(start, start + step)
        part = np.square(values[at] / scale)
        if isinstance(rows, Sparse):
            squares += np.bincount(rows.indices[at].astype(np.int64), weights=part, minlength=problem.d)
        else:
            squares += part.sum(axis=0)
    return np.asarray(np.sqrt(squares / problem.n)) * scale


def unequal_columns(problem: Problem, best: Certificate) -> Facts | None:
    sizes = column_sizes(problem)
    found = np.flatnonzero(sizes > 0)
    if found.size == 0 or not sizes.max() / UNEQUAL >= sizes[found].min():
        return None
    large, small = int(sizes.argmax()), int(found[sizes[found].argmin()])
    sparse = isinstance(arrays(problem).matrix, Sparse)
    way = "divide each column by its largest entry (MaxAbsScaler)" if sparse else "--standardize, or StandardScaler"
    return {"large": large, "small": small, "factor": sizes[large] / sizes[small], "way": way}


def strength(problem: Problem) -> float:
    """R^2/(mu n gamma), with 1 for gamma = 0: small where the regularizer is strong."""
    least = problem.scale * (problem.gamma or 1.0)
    return float(arrays(problem).R2 / least) if least else math.inf


def separated(problem: Problem, best: Certificate) -> Facts | None:
    if not problem.loss.margin or strength(problem) < SMALL:
        return None
    margins = arrays(problem).y * objective_of(problem).z(best.w.copy())
    return {"lam": float(problem.regularizer.lam)} if (margins > 0).all() else None


def opposite_labels(problem: Problem, best: Certificate) -> Facts | None:
    if not problem.loss.margin or problem.n > MOST_ROWS:
        return None
    rows, y = arrays(problem).matrix, arrays(problem).y

    def row(i: int) -> bytes:
        if not isinstance(rows, Sparse):
            return bytes(rows.X[i].tobytes())
        at = slice(int(rows.indptr[i]), int(rows.indptr[i + 1]))
        return bytes(rows.indices[at].tobytes() + rows.data[at].tobytes())

    hashes = np.fromiter((hash(row(i)) for i in range(problem.n)), np.int64, problem.n)
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.diff(hashes[order], prepend=hashes[order[0]] - 1))
    mixed = np.minimum.reduceat(y[order], starts) < np.maximum.reduceat(y[order], starts)
    count = int(np.diff(starts, append=problem.n)[mixed].sum())
    if count < max(CONFLICTS * problem.n, 1):
        return None
    i = int(order[starts[mixed]].min())  # the first row of its group, because the order is stable
    k = int(np.flatnonzero((hashes == hashes[i]) & (y != y[i]))[0])
    return {"count": count, "n": problem.n, "i": i, "k": k} if row(i) == row(k) else None


def small_lam(problem: Problem, best: Certificate) -> Facts | None:
    K, ratio = strength(problem), "R^2/(lam n gamma)" if problem.gamma else "R^2/(lam n)"
    return {"lam": float(problem.regularizer.lam), "ratio": ratio, "K": K} if K >= SMALL else None


CAUSES: tuple[tuple[Callable[[Problem, Certificate], Facts | None], str], ...] = (
    (
        unequal_columns,
        "The sizes of the columns differ by a factor of {factor:.0e}: column {large} is the largest, column {small} the"
        " smallest, counted from 0. Scale the columns ({way}).",
    ),
    (
        separated,
        "The data are separable: w has every row on its side, the loss falls to 0 as w grows, and only lam = {lam:.3g}"
        " limits w. Give a larger lam (--lam).",
    ),
    (
        small_lam,
        "lam = {lam:.3g} is small against the rows: {ratio} is {K:.1e}, and the number of passes grows with"
        " it. Give a larger lam (--lam), or shorter rows (--unit-rows, or Normalizer).",
    ),
    (
        opposite_labels,
        "{count} of {n} rows have an equal row of the other label, for example rows {i} and {k}, counted from 0: their"
        " derivatives cancel. Leave out what contradicts itself, or give shorter rows (--unit-rows, or Normalizer).",
    ),
)


UNFINISHED = ("max_epochs", "max_seconds", "rounding", "stalled", "diverged")  # of runs that have not converged
SLOW = (separated, small_lam)  # causes of many passes, not of a gap at the level of rounding or of one that grows


def cause(problem: Problem, best: Certificate, status: str) -> str:
    """The first sentence of ``CAUSES`` that is true, with a blank after it, or nothing; status: of a run that is over.

    >>> from dualgap.reference import L2, Hinge
    >>> problem = Problem([[1.0, 30000.0], [1.0, 30000.0]], [1, -1], Hinge(), L2(1))
    >>> cause(problem, Certificate(problem, [0.0, 0.0], [0.0, 0.0]), "max_epochs")  # doctest: +ELLIPSIS
    'The sizes of the columns differ by a factor of 3e+04: column 1 is the largest, column 0 the smallest, ...'
    """
    elsewhere = problem.rows_elsewhere or isinstance(problem, BlockProblem) or not hasattr(problem, "X")
    if status not in UNFINISHED or elsewhere or isinstance(problem.X, MappedRows):
        return ""
    for test, sentence in CAUSES:
        found = None if status in ("rounding", "diverged") and test in SLOW else test(problem, best)
        if found is not None:
            return f"{sentence.format(**found)} "
    return ""


def alternatives(problem: Problem, method: str) -> list[str]:
    """The names of ``OTHERS`` that take the problem, except for the method itself.

    >>> from dualgap.reference import L2, Hinge, WeightedProblem
    >>> alternatives(WeightedProblem([[1.0], [2.0]], [1, -1], Hinge(), L2(1), [1, 2]), "newton")
    ['sdca']
    """
    known = special_kernels(type(problem)) or kernels()
    found = []
    for name in OTHERS:
        if name != method and name in known:
            try:
                known[name]().require(problem, "paper")
            except ValueError:
                continue
            found.append(name)
    return found
