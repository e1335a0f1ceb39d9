"""Where a matrix comes in: rows of pairs (j, x_ij) from whatever the user has, checked, nothing repaired.

Accepted for X: a dense 2-D numpy array (also memory-mapped), a scipy CSR matrix or array, a list of dense
rows, or a list of sparse rows given as pairs (j, value). CSR columns may be unsorted, their order is the
order of summation; a duplicated column is refused, because ||x_i||^2 would be wrong.
"""

from typing import Any

from dualgap.reference.arithmetic import Number, NumberType, convert

Row = list[tuple[int, Number]]


def is_sparse(X: Any) -> bool:
    """Whether X is a scipy sparse container (recognised without importing scipy)."""
    return hasattr(X, "indptr") or hasattr(X, "tocsr")


def shape(X: Any, d: int | None = None) -> tuple[int, int]:
    """(n, d) of any accepted X. Raises ValueError when X is empty, ragged or not a matrix."""
    if is_sparse(X):
        if getattr(X, "format", None) != "csr":
            raise ValueError(f"X must be CSR among the sparse formats (got {getattr(X, 'format', '?')}); call X.tocsr()")
        n, d = int(X.shape[0]), int(X.shape[1])
    elif hasattr(X, "ndim"):
        if X.ndim != 2:
            raise ValueError(f"X must have 2 dimensions, rows and columns (got {X.ndim})")
        n, d = int(X.shape[0]), int(X.shape[1])
    else:
        n, d = len(X), _width(X) if d is None else d
    if n == 0 or d == 0:
        raise ValueError(f"X must have at least one row and one column (got {n} x {d})")
    return n, d


def _width(X: Any) -> int:
    widths = set()
    for row in X:
        if len(row) and isinstance(row[0], tuple):
            raise ValueError("X is given as rows of pairs (j, value): pass d, the number of columns, too")
        widths.add(len(row))
    if len(widths) > 1:
        raise ValueError(f"all dense rows must have the same length (got lengths {sorted(widths)})")
    return int(widths.pop()) if widths else 0


def check(X: Any) -> None:
    """Refuse non-finite values and, in CSR, duplicated or out-of-range columns, naming row and column."""
    if not hasattr(X, "shape"):
        return  # lists are checked value by value in ``rows``
    import numpy as np

    values = X.data if is_sparse(X) else np.asarray(X)
    if values.dtype.kind not in "fiub":
        raise ValueError(f"X must hold real numbers (got dtype {values.dtype})")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        place = np.argwhere(~np.isfinite(values))[0]
        row = int(np.searchsorted(X.indptr, place[0], side="right")) - 1 if is_sparse(X) else int(place[0])
        column = int(X.indices[place[0]]) if is_sparse(X) else int(place[1])
        raise ValueError(f"X[{row}, {column}] is {values[tuple(place)]}: every entry must be finite; remove or impute it first")
    if is_sparse(X):
        _check_columns(X, np)


def _check_columns(X: Any, np: Any) -> None:
    n, d = X.shape
    if X.nnz and (int(X.indices.min()) < 0 or int(X.indices.max()) >= d):
        raise ValueError(f"CSR column indices must lie in 0..{d - 1} (found {int(X.indices.min())}..{int(X.indices.max())})")
    keys = np.repeat(np.arange(n, dtype=np.int64), np.diff(X.indptr)) * d + X.indices
    if (np.diff(keys) > 0).all():
        return  # sorted and unique
    keys.sort()
    twice = np.flatnonzero(np.diff(keys) == 0)
    if twice.size:
        row, column = divmod(int(keys[twice[0]]), d)
        raise ValueError(f"row {row} stores column {column} more than once; call X.sum_duplicates() if their sum is meant")


def rows(X: Any, d: int, number: NumberType) -> list[Row]:
    """X as a list of rows of pairs (j, x_ij) in ``number``, in stored order; dense zeros are left out."""
    if is_sparse(X):
        starts, columns, values = X.indptr.tolist(), X.indices.tolist(), X.data.tolist()
        table = [list(zip(columns[a:b], values[a:b])) for a, b in zip(starts, starts[1:])]
    else:
        table = [_row_of_pairs(row, i, d) for i, row in enumerate(X.tolist() if hasattr(X, "tolist") else X)]
    return [[(j, convert(x, number, f"X[{i}, {j}]")) for j, x in row] for i, row in enumerate(table)]


def _row_of_pairs(row: Any, i: int, d: int) -> list[tuple[int, Any]]:
    if not (len(row) and isinstance(row[0], tuple)):
        if len(row) not in (0, d):
            raise ValueError(f"row {i} has {len(row)} entries, expected {d}")
        return [(j, x) for j, x in enumerate(row) if x != 0]
    seen = set()
    for j, _ in row:
        if not 0 <= j < d:
            raise ValueError(f"row {i} names column {j}, allowed are 0..{d - 1}")
        if j in seen:
            raise ValueError(f"row {i} stores column {j} more than once; add the two values if their sum is meant")
        seen.add(j)
    return list(row)
