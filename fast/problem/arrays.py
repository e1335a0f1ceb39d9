"""The data of a Problem as arrays that kernels read: made once, shared by every copy of the Problem."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.problem.rows import Dense, Gathered, Sparse, longest_row, squared_length, squared_norms, summed
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import is_sparse, require_square
from dualgap.reference.problem.weighted_problem import WeightedProblem

Array = NDArray[Any]


class Arrays:
    """The rows x_i, the labels and ||x_i||^2 of a Problem over float.

    CSR stays CSR with its own 32-bit or 64-bit indices, a dense array stays dense; lists of rows become CSR. Float64
    values are read where they lie: CSR and C-ordered dense arrays are not copied, memory-mapped files included.
    Other real types and other memory orders are copied once into float64 in C order, which changes no value
    (integers beyond 2^53 are rounded to the nearest, as in the reference).

    Attributes
    ----------
    matrix : what a kernel takes for ``rows``: a ``Sparse`` with unsigned columns, or a ``Dense``
    y : (n,) labels; norms2 : (n,) ||x_i||^2, summed in stored order; R2 : their largest
    n, d, nnz : rows, columns, stored entries
    longest : stored entries of the longest row
    norm2, label2 : means of ||x_i||^2 and of y_i^2
    weights : (n,) s_i of a WeightedProblem, whose norms2 are s_i ||x_i||^2 and whose means are weighted; else None
    """

    def __init__(self, problem: Problem) -> None:
        if problem.number is not float:
            raise ValueError(
                f"the fast backend computes in float (got number={problem.number.__name__}); "
                "build the problem with number=float, or run the methods of dualgap.reference on it"
            )
        self.n, self.d = problem.n, problem.d
        self.y = np.asarray(problem.labels, dtype=np.float64)
        self.matrix = _matrix(problem)
        self.sparse = isinstance(self.matrix, Sparse)
        self.nnz = int(self.matrix[0][-1]) - int(self.matrix[0][0]) if self.sparse else self.n * self.d
        self.longest = int(longest_row(self.matrix))
        self.norms2 = np.empty(self.n)
        squared_norms(self.matrix, self.norms2)
        self.weights: Any = None
        if isinstance(problem, WeightedProblem):
            self.weights = np.array(problem.weights)
            self.norms2 *= self.weights
        self.R2 = float(self.norms2.max())
        if self.R2 == np.inf:
            require_square(int(self.norms2.argmax()), self.R2)
        self.norm2, self.label2 = summed(self.norms2) / self.n, squared_length(self.y) / self.n
        if isinstance(problem, WeightedProblem):
            self.norm2, self.label2 = summed(self.norms2) / problem.mass, summed(self.weights * self.y * self.y) / problem.mass

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
    return problem.cached("arrays", lambda: Arrays(problem))


def _matrix(problem: Problem) -> Sparse | Dense:
    X = problem.X
    if is_sparse(X):
        return Sparse(_unsigned(X.indptr), _unsigned(X.indices), _float64(X.data))
    if hasattr(X, "ndim"):
        return Dense(_float64(X))
    rows = problem.rows
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    indices = np.array([j for row in rows for j, _ in row], dtype=np.int64)
    data = np.array([x for row in rows for _, x in row], dtype=np.float64)
    return Sparse(_unsigned(indptr), _unsigned(indices), data)


def _unsigned(indices: Any) -> Array:
    """View 32-bit or 64-bit indices, known to be >= 0, as unsigned: the same memory."""
    indices = np.ascontiguousarray(indices)
    return np.asarray(indices).view(np.uint32 if indices.itemsize == 4 else np.uint64)


def _float64(values: Any) -> Array:
    return np.ascontiguousarray(np.asarray(values), dtype=np.float64)
