"""Rows of any storage, read in blocks of less than 1 MiB: products with w, sums over the rows, and squares.

Every sum is one of numpy's, in numpy's order. The bound of ``gap_bound`` holds for sums in any order.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AT_ONCE = 1 << 16  # entries of a block: 3/4 MiB in CSR


class DenseBlock(NamedTuple):
    """Some rows of a matrix."""

    X: Any

    def times(self, w: Array) -> Any:
        return np.einsum("ij,j->i", self.X, w)

    def combine(self, a: Array, d: int) -> Any:
        return np.einsum("ij,i->j", self.X, a)

    def squares(self) -> Any:
        return np.einsum("ij,ij->i", self.X, self.X)


class SparseBlock(NamedTuple):
    """Some rows in CSR; ``starts`` counts from the first of them."""

    data: Any
    indices: Any
    starts: Any

    def sums(self, values: Any) -> Any:
        counts = np.diff(self.starts)
        found = np.zeros(counts.size)
        if values.size:
            found[counts > 0] = np.add.reduceat(values, self.starts[:-1][counts > 0])
        return found

    def times(self, w: Array) -> Any:
        return self.sums(self.data * w[self.indices])

    def combine(self, a: Array, d: int) -> Any:
        return np.bincount(self.indices, self.data * np.repeat(a, np.diff(self.starts)), d)

    def squares(self) -> Any:
        return self.sums(self.data * self.data)

    def require_columns(self, d: int) -> None:
        """Raise ValueError for a column beyond d, or one that a row has twice."""
        columns = self.indices
        if columns.size and not (columns.min() >= 0 and columns.max() < d):
            raise ValueError(f"X has a column outside 0..{d - 1}")
        rises = columns[1:] > columns[:-1]
        inner = self.starts[1:-1]
        rises[inner[(inner > 0) & (inner < columns.size)] - 1] = True
        if not rises.all():
            rows = np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))
            order = np.lexsort((columns, rows))
            if ((np.diff(columns[order]) == 0) & (np.diff(rows[order]) == 0)).any():
                raise ValueError("X has a column twice in one row: call X.sum_duplicates() first")


class Rows:
    """A dense array, or CSR (scipy's or a mapped folder's), shape (n, d). Other types of real numbers become float64
    block by block.

    Raises
    ------
    ValueError
        It is neither, or has a number that is not finite or that no float64 holds, or wrong indices.
    """

    def __init__(self, X: Any) -> None:
        self.sparse = hasattr(X, "indptr")
        if self.sparse and getattr(X, "format", "csr") != "csr" or not self.sparse and hasattr(X, "tocsr"):
            raise ValueError(f"X must be dense or CSR (got format {X.format}): call X.tocsr()")
        self.X: Any = X if self.sparse else np.asarray(X)
        if len(self.X.shape) != 2 or 0 in self.X.shape or hasattr(X, "filled"):
            raise ValueError(f"X must be a matrix with rows and columns, without a mask (got shape {self.X.shape})")
        self.n, self.d = map(int, self.X.shape)
        float64(self.X.data[:0] if self.sparse else self.X[:0], "X")
        self.ends, self.longest = self._ends(), self.d

    def _ends(self) -> Any:
        """Where the blocks end."""
        if not self.sparse:
            step = max(AT_ONCE // self.d, 1)
            return [*range(step, self.n, step), self.n]
        indptr = self.X.indptr
        falls = (indptr[1:] < indptr[:-1]).any()
        if indptr.shape != (self.n + 1,) or indptr[0] != 0 or falls or indptr[-1] > len(self.X.data):
            raise ValueError("X.indptr must rise from 0 to the number of entries")
        self.longest = int(np.diff(indptr).max())
        ends = np.searchsorted(indptr, np.arange(AT_ONCE, indptr[-1] + AT_ONCE, AT_ONCE), "right") - 1
        return np.unique([*np.maximum(ends, 1).tolist(), self.n]).tolist()

    def blocks(self) -> Iterator[tuple[slice, DenseBlock | SparseBlock]]:
        """The blocks in their order, each with the numbers of its rows."""
        for first, stop in zip([0, *self.ends], self.ends):
            if not self.sparse:
                yield slice(first, stop), DenseBlock(float64(self.X[first:stop], "X"))
                continue
            starts = np.asarray(self.X.indptr[first : stop + 1], np.int64)
            part = slice(int(starts[0]), int(starts[-1]))
            block = SparseBlock(float64(self.X.data[part], "X"), np.asarray(self.X.indices[part]), starts - starts[0])
            yield slice(first, stop), block

    def first_pass(self, w: Array) -> tuple[Array, Array]:
        """Xw and ||x_i||^2, shape (n,) each, after a check of the entries."""
        z, squares = np.empty(self.n), np.empty(self.n)
        for rows, block in self.blocks():
            values = block.X if isinstance(block, DenseBlock) else block.data
            if isinstance(block, SparseBlock):
                block.require_columns(self.d)
            z[rows], squares[rows] = block.times(w), block.squares()
            if not (np.isfinite(squares[rows]).all() or np.isfinite(values).all()):
                raise ValueError(f"rows {rows.start} to {rows.stop - 1} of X have a number that is not finite")
        return z, squares

    def times(self, w: Array) -> Array:
        """Xw, shape (n,)."""
        z = np.empty(self.n)
        for rows, block in self.blocks():
            z[rows] = block.times(w)
        return z

    def combine(self, a: Array) -> Array:
        """sum_i a_i x_i, shape (d,)."""
        total = np.zeros(self.d)
        for rows, block in self.blocks():
            total += block.combine(a[rows], self.d)
        return total


def float64(values: Any, name: str) -> Any:
    """The values as float64, itself where it is that. Raises ValueError where that would change a number."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiub" or array.dtype.itemsize > 8 or hasattr(values, "filled"):
        raise ValueError(
            f"{name} must hold real numbers of at most 64 bits (got dtype {array.dtype}): convert it,"
            f" for example by np.asarray({name}, dtype=float)"
        )
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        if max(int(array.max()), -int(array.min())) > 2**53:
            raise ValueError(f"{name} has a whole number beyond 2^53, which no float64 may hold")
    return array.astype(np.float64, copy=False)


def vector(values: Any, name: str, length: int) -> Array:
    """Numbers as float64, shape (length,), also from one row or one column of a matrix, as ``coef_`` of scikit-learn
    is. Raises ValueError for another shape, and where one is not finite.
    """
    found: Array = float64(values, name)
    if not is_vector(found.shape, length):
        per = "column" if name == "w" else "row"
        raise ValueError(f"{name} must have shape ({length},), one number for each {per} of X (got {found.shape})")
    if not np.isfinite(found).all():
        raise ValueError(f"{name}[{int(np.argmin(np.isfinite(found)))}] is not a finite number")
    return found.ravel()


def is_vector(shape: tuple[int, ...], length: int) -> bool:
    """Whether an array of that shape is so many numbers along one axis."""
    return len(shape) > 0 and max(shape) == length == math.prod(shape)


def number(value: Any, name: str) -> float:
    """One number as a float. Raises ValueError if it is none, or if no float64 has this value."""
    one = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
    try:
        found = float(one)
        if found == one or math.isnan(found):
            return found
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} must be one number that a float64 holds (got {value!r})")
