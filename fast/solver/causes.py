"""What can be seen in a problem of why a run took long, and what else takes the problem: for the advice of a result."""

import numpy as np

from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.rows import Sparse
from dualgap.fast.solver.backends import special_kernels
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem

UNEQUAL = 1000.0  # times the size of another column: worth a word
OTHERS = ("newton", "lbfgs", "afg", "asdca", "spdc", "sdca")  # in the order in which they are named


def column_sizes(problem: Problem) -> Array:
    """Root mean squares of the columns."""
    rows = arrays(problem).matrix
    if isinstance(rows, Sparse):
        squares = np.bincount(rows.indices.astype(np.int64), weights=np.square(rows.data), minlength=problem.d)
    else:
        squares = np.einsum("ij,ij->j", rows.X, rows.X)
    return np.asarray(np.sqrt(squares / problem.n))


def cause(problem: Problem) -> str:
    """A clause about columns of very different sizes, or nothing.

    >>> from dualgap.reference import L2, Hinge
    >>> cause(Problem([[1.0, 30000.0], [1.0, 30000.0]], [1, -1], Hinge(), L2(1)))  # doctest: +ELLIPSIS
    'the sizes of the columns differ by a factor of 3e+04 (column 1 is the largest, column 0 the smallest, ...'
    """
    if problem.rows_elsewhere or isinstance(problem, BlockProblem) or not hasattr(problem, "X"):
        return ""
    sizes = column_sizes(problem)
    found = np.flatnonzero(sizes > 0)
    if found.size == 0 or not sizes.max() / UNEQUAL >= sizes[found].min():
        return ""
    large, small = int(sizes.argmax()), int(found[sizes[found].argmin()])
    return (
        f"the sizes of the columns differ by a factor of {sizes[large] / sizes[small]:.0e} (column {large} is the"
        f" largest, column {small} the smallest, counted from 0), which slows every method down: scale the columns"
    )


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
