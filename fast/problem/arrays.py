"""The data of a Problem as arrays that kernels read: made once, shared by every copy of the Problem."""

from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.centring import centred
from dualgap.fast.problem.native import BLOCK, START, Array, checksum, folded, is_native, mix, numbers, places
from dualgap.fast.problem.rows import (
    Dense,
    Gathered,
    Sparse,
    columns_ascend,
    columns_differ,
    longest_row,
    sizes,
    squared_norms,
    summed,
)
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import InputChanged, check, is_sparse, require_square, rows
from dualgap.reference.problem.weighted_problem import WeightedProblem

__all__ = ["Array", "Arrays", "arrays", "require_unchanged"]
NO_NUMBERS = np.empty(0)
FEW = 1 << 17  # columns for which there is always memory for one number each


class Arrays:
    """The rows x_i, the labels and ||x_i||^2 of a Problem over float.

    CSR stays CSR with its own 32-bit or 64-bit indices, a dense array stays dense; lists of rows become CSR. Float64
    values are read where they lie: CSR and C-ordered dense arrays are not copied, memory-mapped files included.
    Other real types and other memory orders are copied once into float64 in C order, which changes no value: integers
    that no float64 holds are refused. Indices of other types become unsigned ones of 32 or 64 bits. All of that is done
    in ``native``.

    X is the user's, and may be changed in place. So what kernels rely on is checked again when the arrays are made, and
    ``require_unchanged`` compares a checksum at both ends of a run and for every certificate outside of one. Mapped
    folders are known by their files' stamps instead.

    Attributes
    ----------
    matrix : what a kernel takes for ``rows``: a ``Sparse`` with unsigned columns, or a ``Dense``
    y : (n,) labels; norms2 : (n,) ||x_i||^2, summed in stored order; R2 : their largest
    n, d, nnz : rows, columns, stored entries
    longest : stored entries of the longest row; ascending : whether the columns of every row ascend
    norm2, label2 : means of ||x_i||^2 and of y_i^2
    means : (d,) of an InterceptProblem with columns far from 0, which ``matrix`` has minus these numbers (``centring``)
    weights : (n,) s_i of a WeightedProblem, whose norms2 are s_i ||x_i||^2 and whose means are weighted; else None
    """

    def __init__(self, problem: Problem) -> None:
        if problem.number is not float:
            raise ValueError(
                f"the fast backend computes in float (got number={problem.number.__name__}); "
                "build the problem with number=float, or run the methods of dualgap.reference on it"
            )
        self.n, self.d = problem.n, problem.d
        self.norms2 = np.empty(self.n)
        self.mark, known = _mark(problem, self.norms2)
        _require_same_rows(problem)
        self.y = problem.labels if known else numbers(problem.labels, "y")
        self.matrix = Dense(problem.X) if known else _matrix(problem)
        matrix: Any = self.matrix
        self.sparse = isinstance(matrix, Sparse)
        self.ascending = not self.sparse or bool(columns_ascend(self.matrix, self.d))
        if not self.ascending and not (self.d <= FEW + matrix.indices.size and columns_differ(self.matrix, self.d)):
            check(problem.X)  # as it is now: kernels trust its indices
        self.nnz = int(self.matrix[0][-1]) - int(self.matrix[0][0]) if self.sparse else self.n * self.d
        self.longest = int(longest_row(self.matrix)) if self.sparse else self.d
        self.means: Array | None = None
        if isinstance(problem, InterceptProblem) and self.ascending:
            self.matrix, self.means = centred(self.matrix, self.d)
        if known is None or self.means is not None:
            squared_norms(self.matrix, self.norms2)
            known = None
        self.weights: Any = None
        if isinstance(problem, WeightedProblem):
            given = problem.weights if problem.numbers is None else problem.numbers
            self.weights = np.ones(self.n) if problem.equal else numbers(given, "weights")
            self.norms2 *= self.weights
            known = None
        R2, total, squares = known or sizes(self.norms2, self.y)
        self.R2 = float(R2)
        if not self.R2 < np.inf:
            check(problem.X)
            require_square(int(self.norms2.argmax()), self.R2)
        self.norm2, self.label2 = total / self.n, squares / self.n
        if isinstance(problem, WeightedProblem):
            self.norm2 = total / problem.mass
            with np.errstate(over="ignore"):  # an infinite mean makes an infinite bound
                self.label2 = summed(self.weights * self.y * self.y) / problem.mass

    def require_unchanged(self, problem: Problem) -> None:
        """Raise InputChanged if X or y of the problem no longer has the bytes that these arrays were made of."""
        if self.mark != _mark(problem)[0]:
            raise _changed("these have changed since the problem was first used")

    def entries(self) -> Sparse | Gathered:
        """The rows for a kernel in which an entry 0 is no part of a dense row; for one thread."""
        if isinstance(self.matrix, Sparse):
            return self.matrix
        return Gathered(self.matrix.X, np.empty(self.d, np.uint64), np.empty(self.d), np.full(2, -1))


def arrays(problem: Problem) -> Arrays:
    """Return the arrays of a problem, made at the first call.

    They are cached in the problem: the copies that ``with_regularizer`` and ``centred`` make of it have the
    same X and y, and find them too.

    Raises
    ------
    ValueError
        The problem's number is not float.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, Squared
    >>> arrays(Problem([[3.0, 4.0], [0.0, 0.0]], [1.0, 2.0], Squared(), L2(1))).norms2.tolist()
    [25.0, 0.0]
    """
    known = problem._cached.get("arrays")
    return known if known is not None else problem.cached("arrays", lambda: Arrays(problem))


def require_unchanged(problem: Problem) -> None:
    """Raise InputChanged if arrays were made of a problem whose X or y has been changed in place since: norms and
    products are kept.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> X = np.eye(2)
    >>> problem = Problem(X, [1.0, 2.0], Squared(), L2(1))
    >>> X *= 2  # nothing is kept yet
    >>> arrays(problem).R2, require_unchanged(problem)
    (4.0, None)
    """
    known = problem._cached.get("arrays")
    if isinstance(known, Arrays):
        known.require_unchanged(problem)


def _mark(problem: Problem, norms2: Array = NO_NUMBERS) -> Any:
    """A mark of all memory of the caller that is read in place, None for mapped folders, whose files have stamps; and
    what ``read_dense`` finds beside it, or None where the rows are not dense doubles that are read where they lie.
    """
    X, y = problem.X, problem.labels
    shapes = (problem.n, problem.d), (problem.n,)
    native = is_native(problem.X, np.float64) and is_native(problem.labels, np.float64)
    if native and (X.shape, y.shape) == shapes:
        return read_dense(X, y, norms2)
    if hasattr(X, "require_unchanged"):
        X.require_unchanged()
        return None, None
    read = (X.indptr, X.indices, X.data) if is_sparse(X) else (in_its_order(X),) if hasattr(X, "shape") else ()
    return checksum(*read, *((y,) if hasattr(y, "dtype") else ())), None


@kernel
def read_dense(X, y, norms2):
    """The number of ``checksum(X, y)`` and, if norms2 is not empty, ||x_i||^2 written to it, with ``sizes(norms2, y)``.

    The squares of a block of words are summed while it is in the cache.
    """
    lanes, words, done = START.copy(), X.reshape(-1).view(np.uint64), 0
    for start in range(0, words.size, BLOCK):
        mix(words[start : start + BLOCK], lanes)
        ready = X.shape[0] if start + BLOCK >= words.size else (start + BLOCK) // X.shape[1] // 8 * 8
        squared_norms(Dense(X[done:ready]), norms2[done:ready])
        done = ready
    mix(y.view(np.uint64), lanes)
    return folded(lanes), sizes(norms2, y[: norms2.size])


def in_its_order(X: Array) -> Array:
    """An array in the order of C whose memory is that of X, if there is one: it is read twice as fast."""
    return X.T if X.flags.f_contiguous and not X.flags.c_contiguous else X


def _require_same_rows(problem: Problem) -> None:
    """Raise InputChanged if the reference has made its rows of an X that has been changed since."""
    if (
        hasattr(problem.X, "shape")
        and "rows" in problem._cached
        and problem.rows != rows(problem.X, problem.d, problem.number)
    ):
        raise _changed("X has changed since problem.rows were made of it")


def _changed(what: str) -> InputChanged:
    return InputChanged(
        f"X and y of a problem must not be changed in place, and {what}; make a new Problem of the new values, "
        "or give the problem a copy of its own: Problem(X.copy(), ...)"
    )


def _matrix(problem: Problem) -> Sparse | Dense:
    X = problem.X
    if is_sparse(X):
        return Sparse(places(X.indptr), places(X.indices), numbers(X.data, "X"))
    if hasattr(X, "ndim"):
        return Dense(numbers(X, "X"))
    indptr = np.cumsum([0, *map(len, problem.rows)], dtype=np.int64)
    indices = np.array([j for row in problem.rows for j, _ in row], dtype=np.int64)
    return Sparse(
        places(indptr), places(indices), np.array([x for row in problem.rows for _, x in row], dtype=np.float64)
    )
