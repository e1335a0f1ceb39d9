"""The rows of a problem with a free intercept, centred where that rounds nothing.

The intercept makes the problem invariant to a shift of a column: x_i^T w + b = (x_i - m)^T w + b', b' = b + m^T w. Far
from 0 every sum over a column loses digits, and the intercept is nearly a combination of the columns: Newton's matrix
is then made of roundings. A column whose numbers have one sign, and of which the largest is at most twice the smallest,
is centred exactly: x - m is no rounding for any m between them (Sterbenz). So a certificate of the centred rows is one
of the rows as given, with the same w and alpha.
"""

import mmap
from typing import Any

import numpy as np

from dualgap.fast.problem.native import Array
from dualgap.fast.problem.rows import Dense, Sparse

FIRST = 64  # rows that tell that most columns are not far from 0


def centred(rows: Any, d: int) -> tuple[Any, Array | None]:
    """The rows minus m, a copy, and m, shape (d,); the rows themselves and None where no column is far from 0, or where
    they are mapped from a disk.
    """
    sparse = isinstance(rows, Sparse)
    values, columns = rows.data if sparse else rows.X, np.arange(d)
    if on_disk(values) or values.shape[0] == 0:
        return rows, None
    if sparse:
        indptr = rows.indptr.astype(np.int64)
        ends = [rows.indices[indptr[i] : indptr[i + 1]] for i in (0, indptr.size // 2 - 1, indptr.size - 2)]
        if not np.intersect1d(np.intersect1d(*ends[:2]), ends[2]).size:
            return rows, None
        columns = np.flatnonzero(np.bincount(rows.indices.astype(np.int64), minlength=d) == indptr.size - 1)
        if not columns.size:
            return rows, None
        inside = np.isin(rows.indices, columns)  # the columns of every row ascend
        values = values[inside].reshape(-1, columns.size)
    chosen = np.arange(columns.size)
    for stop in (FIRST, len(values)):
        part = values[:stop] if chosen.size == values.shape[1] else values[:stop, chosen]
        chosen = chosen[far(part.min(axis=0), part.max(axis=0))]
        if not chosen.size:
            return rows, None
    part, means = values[:, chosen], np.zeros(d)
    with np.errstate(over="ignore"):
        means[columns[chosen]] = np.clip(part.mean(axis=0), part.min(axis=0), part.max(axis=0))
    if sparse:
        data = rows.data.copy()
        data[inside] = (values - means[columns]).reshape(-1)
        return rows._replace(data=data), means
    return Dense(values - means), means


def far(low: Array, high: Array) -> Any:
    """Return where all numbers of a column, from low to high, have one sign and differ by a factor of 2 at most."""
    return (low > 0) & (high / 2 <= low) | (high < 0) & (low / 2 >= high)


def on_disk(array: Any) -> bool:
    """Return whether the memory of an array is mapped."""
    while isinstance(array, np.ndarray):
        array = array.base
    return isinstance(array, mmap.mmap)
