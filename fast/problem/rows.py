"""Operations of a step on one row, and of a pass on all rows, for every storage of the rows.

A kernel is written once: ``bounds``, ``column`` and ``value`` say where the entries of a row are. ``len(rows)``, the
number of fields of a storage, is a constant where numba compiles a function of ``rows``, and the branches of other
storages are dropped.

Sums run over the stored entries from the left, as in the reference; a dense row also adds its zeros, which changes
no bit of a finite sum. Where an entry 0 must be no part of its row, dense rows come as ``Gathered``. Columns come as
unsigned integers and places are made so, which spares the test for a negative index at each entry (a third of the
time of a pass). Multiplication and addition stay two roundings: nothing is fused, vectorised or reordered.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.compiler.eight_rows import (
    AHEAD,
    FEW,
    LONG,
    WIDTH,
    add_few_columns,
    add_more_columns,
    products_of_eight,
    squares_of_eight,
)
from dualgap.fast.compiler.first_calls import quick
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import LINE, prefetch

ONE = np.uint64(1)


class Sparse(NamedTuple):
    """CSR: row i has the places indptr[i] to indptr[i + 1] of indices, which are unsigned, and data."""

    indptr: Any
    indices: Any
    data: Any


class Dense(NamedTuple):
    """X, shape (n, d)."""

    X: Any


class Gathered(NamedTuple):
    """X, shape (n, d), of which one row at a time has its entries that are not 0 copied to indices and data, shape
    (d,).

    ``held`` has the number of that row and the number of these entries. A thread has a Gathered of its own.
    """

    X: Any
    indices: Any
    data: Any
    held: object


SPARSE, DENSE = len(Sparse._fields), len(Dense._fields)


class Limits(NamedTuple):
    """The interval [low, high] of the number that is subtracted from v_j to give w_j: [-l1/mu, l1/mu], or [-infinity,
    l1/mu] for coefficients >= 0.
    """

    low: float
    high: float


NO_LIMITS = Limits(-0.0, 0.0)  # w is v


@kernel
def soft(v, threshold):
    """sign(v) max(|v| - threshold, 0) (reference: regularizers.soft).

    v minus v limited to [-threshold, threshold]: the same three differences as in the reference, without a branch
    that the processor could mispredict at every entry.
    """
    return beyond(v, Limits(-threshold, threshold))


@kernel
def beyond(v, limits):
    """v minus v limited to ``limits``: soft(v, l1/mu), or max(v - l1/mu, 0) (reference: NonNegative.at_dual_point)."""
    limited = v if v < limits.high else limits.high
    limited = limited if limited > limits.low else limits.low
    return v - limited


SHORT = 32  # entries


@kernel
def update_unconditionally(rows, t, moved):
    """Return whether to update v by the row of step t before it is known that Delta is not 0: rows are short, and
    ``moved`` of t did move.

    An increment of zero changes no bit, for v never holds a negative zero. To be wrong about whether an alpha_i stays
    at an end of its domain costs a processor more than the update of a short row (a tenth of the time of a pass with 14
    entries).
    """
    if len(rows) == DENSE:
        return False
    indptr = rows.indptr
    return 2 * moved > t and np.int64(indptr[indptr.size - 1]) < SHORT * (indptr.size - 1)


@kernel
def part(rows, first, stop):
    """Rows first, .., stop - 1, in the storage that they have."""
    if len(rows) == DENSE:
        return Dense(rows.X[first:stop])
    return Sparse(rows.indptr[first : stop + 1], rows.indices, rows.data)


# -- the entries of a row ---------------------------------------------------------------------------------


@kernel
def bounds(rows, i):
    """The first place of row i and the one after its last, unsigned; a Gathered has the row afterwards."""
    if len(rows) == SPARSE:
        row = np.uint64(i)
        return np.uint64(rows.indptr[row]), np.uint64(rows.indptr[row + ONE])
    if len(rows) == DENSE:
        return np.uint64(0), np.uint64(rows.X.shape[1])
    return np.uint64(0), gather(rows, np.int64(i))


@kernel
def column(rows, place):
    """The column of the entry in a place of ``bounds``."""
    if len(rows) == DENSE:
        return place
    return rows.indices[place]


@kernel
def value(rows, i, place):
    """x_ij of the entry in a place of ``bounds`` of row i."""
    if len(rows) == DENSE:
        return rows.X[np.uint64(i), place]
    return rows.data[place]


@kernel
def gather(rows, i):
    """Copy the entries of row i that are not 0, in their order; how many, unsigned."""
    held = rows.held
    if held[0] != i:
        X, count = rows.X, 0
        for j in range(X.shape[1]):
            if X[i, j] != 0.0:
                rows.indices[count], rows.data[count] = j, X[i, j]
                count += 1
        held[0], held[1] = i, count
    return np.uint64(held[1])


# -- one row ----------------------------------------------------------------------------------------------
# L2 has the limits 0: there soft(v_j, 0) is v_j, for v never holds a negative zero (objective.dual_point). LLVM makes
# two loops of the branch at an entry (a tenth faster on rows of 14); with two loops in the source numba counts
# references to the arrays at every row (a tenth slower).


@kernel(inline=True)
def inner(rows, i, v, limits):
    """x_i^T beyond(v, limits) (reference: Problem.inner)."""
    z = 0.0
    first, end = bounds(rows, i)
    for place in range(first, end):
        w_j = v[column(rows, place)]
        if limits.low != 0.0:
            w_j = beyond(w_j, limits)
        z = z + value(rows, i, place) * w_j
    return z


@kernel(inline=True)
def update(rows, i, c, v):
    """v <- v - c x_i (reference: Problem.update)."""
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        v[j] = v[j] - c * value(rows, i, place)


def entries(rows: Any, i: int) -> tuple[Any, Any]:
    """The columns of row i, as an index of arrays, and its values."""
    if len(rows) == DENSE:
        return slice(None), rows.X[i]
    first, end = map(int, bounds(rows, i))
    return rows.indices[first:end], rows.data[first:end]


@quick(inner)
def inner_in_python(rows: Any, i: int, v: Any, limits: Limits) -> float:
    columns, values = entries(rows, i)
    z = 0.0
    for x, w_j in zip(values.tolist(), v[columns].tolist(), strict=True):
        z = z + x * (w_j if limits.low == 0.0 else beyond(w_j, limits))
    return z


@quick(update)
def update_in_python(rows: Any, i: int, c: float, v: Any) -> None:
    columns, values = entries(rows, i)
    v[columns] = v[columns] - c * values


# -- all rows ---------------------------------------------------------------------------------------------


@kernel
def summed(x):
    """sum_j x_j, in the order of the entries, so bit-identical on every machine."""
    total = 0.0
    for j in range(x.size):
        total = total + x[j]
    return total


@kernel
def longest_row(rows):
    """Stored entries of the longest of sparse rows."""
    longest = np.int64(0)
    for i in range(rows.indptr.size - 1):
        first, end = bounds(rows, i)
        longest = max(longest, np.int64(end - first))
    return longest


@kernel
def lies_inside(rows):
    """Return whether every one of sparse rows lies inside the arrays, the first at their start."""
    indptr, stored = rows.indptr, np.uint64(min(rows.indices.size, rows.data.size))
    for i in range(indptr.size - 1):
        first, end = bounds(rows, i)
        if end < first or end > stored:
            return False
    return indptr[0] == 0


@kernel
def columns_ascend(rows, d):
    """Return whether sparse rows lie inside the arrays and their columns ascend and are below d (else ``check``)."""
    if not lies_inside(rows):
        return False
    indices, last = rows.indices[: np.int64(rows.indptr[rows.indptr.size - 1])], np.int64(0)
    falls, between = 0, 0  # counts, without a branch: vector code
    beyond = int(indices.size > 0 and np.uint64(indices[0]) >= np.uint64(d))
    for place in range(1, indices.size):
        falls += int(indices[place] <= indices[place - 1])
        beyond += int(np.uint64(indices[place]) >= np.uint64(d))
    for i in range(rows.indptr.size):
        start = np.int64(rows.indptr[i])
        if last < start < indices.size:
            between += int(indices[start] <= indices[start - 1])
        last = start
    return falls == between and beyond == 0


@kernel
def columns_differ(rows, d):
    """Return whether sparse rows lie inside the arrays and store columns below d, each of them once."""
    if not lies_inside(rows):
        return False
    last = np.zeros(d, np.int64)
    for i in range(rows.indptr.size - 1):
        first, end = bounds(rows, i)
        for place in range(first, end):
            j = rows.indices[place]
            if np.uint64(j) >= np.uint64(d) or last[j] == i + 1:
                return False
            last[j] = i + 1
    return True


@kernel
def squared_length(x):
    """||x||^2, likewise."""
    total = 0.0
    for j in range(x.size):
        total = total + x[j] * x[j]
    return total


@kernel
def sizes(norms2, y):
    """The largest of the norms2 (infinite if one is no number), their ``summed``, and ``squared_length`` of y."""
    largest = total = squares = 0.0
    for i in range(y.size):
        norm2, y_i = norms2[i], y[i]
        largest = largest if norm2 <= largest else norm2 if norm2 > largest else math.inf
        total = total + norm2
        squares = squares + y_i * y_i
    return largest, total, squares


@kernel
def squared_norms(rows, out):
    """||x_i||^2 for every row, shape (n,) (reference: Problem.norms2)."""
    start = squares_of_eight(rows.X, out) if len(rows) == DENSE else 0
    for i in range(start, out.size):
        total = 0.0
        first, end = bounds(rows, i)
        for place in range(first, end):
            total = total + value(rows, i, place) * value(rows, i, place)
        out[i] = total


@kernel
def products(rows, w, out):
    """x_i^T w for every row, shape (n,) (reference: Problem.dot)."""
    start = products_of_eight(rows.X, w, np.int64(0), out) if len(rows) == DENSE else 0
    for i in range(start, out.size):
        out[i] = inner(rows, i, w, NO_LIMITS)


@kernel
def combine(rows, alpha, out):
    """sum_i alpha_i x_i, added to out, shape (d,) (reference: Problem.minus_u)."""
    start = combine_four(rows.X, alpha, np.int64(0), out) if len(rows) == DENSE else 0
    for i in range(start, alpha.size):
        alpha_i = alpha[i]
        first, end = bounds(rows, i)
        for place in range(first, end):
            j = column(rows, place)
            out[j] = out[j] + alpha_i * value(rows, i, place)


# -- dense rows, several at a time: no sum changes its order, and none waits for an addition of another ----------------


@kernel
def fetch_next(X, place, count):
    """Ask for that many entries, ``AHEAD`` or ``count`` after the place that is read now."""
    ahead = np.uint64(place + max(AHEAD, count))
    for line in range(ahead, ahead + np.uint64(count), np.uint64(LINE)):
        prefetch(X, line)


@quick(fetch_next)
def fetch_nothing(X: object, place: int, count: int) -> None:
    """A hint is for compiled code."""


@kernel
def combine_four(X, alpha, first, out):
    """out <- out + sum_i alpha_i x_{first + i}, as long as four rows are left; the number of rows done."""
    if WIDTH <= out.size <= FEW:
        add_few_columns(X, alpha, out, first)
        return alpha.size
    if FEW < out.size <= 2 * FEW:
        add_more_columns(X, alpha, out, first)
        return alpha.size
    done, read = alpha.size - alpha.size % 4, 4 * out.size
    for i in range(0, done, 4):
        if 16 <= out.size <= LONG:
            fetch_next(X, (first + i) * out.size, read)
        p, q, r, s = X[first + i], X[first + i + 1], X[first + i + 2], X[first + i + 3]
        a, b, c, e = alpha[i], alpha[i + 1], alpha[i + 2], alpha[i + 3]
        for j in range(out.size):
            out[j] = out[j] + a * p[j] + b * q[j] + c * r[j] + e * s[j]
    return done
