"""Compact storage: a step of SDCA or ASPDC on half the memory or less, which ``storage="compact"`` selects.

An entry of CSR takes 12 bytes: a column and a float64. Here a row is a scale and its entries divided by it,

    scale_i = max_j |x_ij|,   value_ij = float32(x_ij / scale_i),

with columns of 16 bits (32 where d > 65536): 6 bytes an entry, or 2 where every value is 1, which is then left out.
Rows whose entries have one size, as those of 0/1 data scaled to unit rows, lose nothing; else an entry is off by at
most 2^-24 of scale_i. The steps are those of the method on these rows, in this arithmetic:

    z        scale_i ((a + b) + (c + d)): the first (entries mod 4) products are added to a, then each of a, b, c, d
             takes every fourth; a chain of additions is what a step on a short row waits for
    q        ||x_i||^2 (1/(mu n)), with the norm of the full row
    v_j      v_j - (Delta (scale_i (1/(mu n)))) value_ij

So the bits are not those of the reference. Certificates are, as always, computed from the full matrix and the pair:
``converged`` means the same with either storage. For smooth losses the gap that can be reached is of the order of
(2^-24 R ||w||)^2 / gamma; for hinge and absolute, where the rows are rounded, of 2^-24 R ||w||: for less, go on with
the full storage from the alpha that is returned.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, step_numbers
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.prefetch import DISTANCE, LONGEST, prefetch
from dualgap.fast.problem.rows import ONE, Sparse, beyond
from dualgap.reference.problem.problem import Problem

STORAGES = ("full", "compact")
TWO, THREE, FOUR, LINE = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(16)  # 16 float32 in a line of the cache
MOST = np.uint64(LONGEST)


class Compact(NamedTuple):
    """``Sparse`` in compact storage; values is None where every value is 1: the pattern has machine code of its own."""

    indptr: Array
    indices: Array
    values: Array | None
    scales: Array


class CompactRows:
    """The rows of a Problem over float in compact storage.

    Attributes
    ----------
    matrix : what a kernel takes for ``rows``

    Raises
    ------
    ValueError
        The rows are dense.
    """

    def __init__(self, problem: Problem) -> None:
        full = arrays(problem)
        if not isinstance(full.matrix, Sparse):
            raise ValueError('storage="compact" is for sparse rows; the rows are dense: use storage="full", or CSR')
        indptr, indices, data = full.matrix
        short = np.uint16 if full.d <= 2**16 else np.uint32 if full.d <= 2**32 else np.uint64
        scales, values = np.empty(full.n), np.empty(indices.size, np.float32)
        pattern = compress(indptr, data, scales, values)
        self.matrix = Compact(indptr, indices.astype(short, copy=False), None if pattern else values, scales)


def compact_rows(problem: Problem) -> CompactRows:
    """The compact rows of a problem, made at the first call.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> rows = compact_rows(Problem([[(0, 0.25), (1, -0.5)], [(1, 3.0)]], [1.0, 2.0], Squared(), L2(1), d=2))
    >>> rows.matrix[1].dtype.name, rows.matrix[2].tolist(), rows.matrix[3].tolist()
    ('uint16', [0.5, -1.0, 1.0], [0.5, 3.0])
    """
    return problem.cached("compact rows", lambda: CompactRows(problem))


class CompactDualMethod(FastDualMethod):
    """A dual method that has a kernel for compact rows too.

    Parameters
    ----------
    storage : "full" (the bits of the reference) or "compact"
    options : those of the reference
    """

    compact: ClassVar[Any]

    def __init__(self, storage: str = "full", **options: object) -> None:
        if storage not in STORAGES:
            raise ValueError(f"storage must be one of {', '.join(STORAGES)} (got {storage!r})")
        self.storage = storage
        super().__init__(**options)

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        if self.storage == "full":
            super().steps(problem, state, choices)
            return
        vectors = DualVectors(state.v, state.alpha)
        type(self).compact(compact_rows(problem).matrix, step_numbers(self.native(problem)), vectors, choices)


# -- kernels ----------------------------------------------------------------------------------------------
# ``values is None`` is decided when a function of ``values`` is compiled.


@kernel
def compress(indptr, data, scales, values):
    """Fill scales and values; whether every value is 1."""
    pattern = True
    for i in range(scales.size):
        first, end, largest = np.uint64(indptr[i]), np.uint64(indptr[i + 1]), 0.0
        for place in range(first, end):
            largest = max(largest, abs(data[place]))
        scales[i] = largest
        for place in range(first, end):
            values[place] = data[place] / largest if largest > 0.0 else 0.0
            pattern = pattern and values[place] == 1.0
    return pattern


@kernel
def value_at(values, place):
    """value_ij; multiplied by 1.0, a number is left as it is."""
    return 1.0 if values is None else values[place]


@kernel(inline=True)
def inner_compact(rows, i, v, limits):
    """(1/scale_i) x_i^T beyond(v, limits), in four sums; see the module."""
    indptr, indices, values, _ = rows
    a = b = c = d = 0.0
    place, end = np.uint64(indptr[i]), np.uint64(indptr[i + ONE])
    while (end - place) & THREE:
        p = v[indices[place]]
        if limits.low != 0.0:
            p = beyond(p, limits)
        a = a + value_at(values, place) * p
        place = place + ONE
    while place < end:
        p, q, r, s = v[indices[place]], v[indices[place + ONE]], v[indices[place + TWO]], v[indices[place + THREE]]
        if limits.low != 0.0:
            p, q, r, s = beyond(p, limits), beyond(q, limits), beyond(r, limits), beyond(s, limits)
        a = a + value_at(values, place) * p
        b = b + value_at(values, place + ONE) * q
        c = c + value_at(values, place + TWO) * r
        d = d + value_at(values, place + THREE) * s
        place = place + FOUR
    return (a + b) + (c + d)


@kernel(inline=True)
def update_compact(rows, i, c, v):
    """v <- v - (c/scale_i) x_i."""
    for place in range(np.uint64(rows.indptr[i]), np.uint64(rows.indptr[i + ONE])):
        j = rows.indices[place]
        v[j] = v[j] - c * value_at(rows.values, place)


@kernel
def fetch_value(values, place):
    """Ask for the line of the cache that holds a value, where there are values."""
    if values is not None:
        prefetch(values, place)


@kernel(inline=True)
def fetch_compact(rows, choices, t, run, alpha):
    """``prefetch.fetch_ahead``, and its caller's part, for compact rows."""
    last = choices.size - 1
    i = np.uint64(choices[min(t + DISTANCE, last)])
    place, end = np.uint64(rows.indptr[i]), np.uint64(rows.indptr[i + ONE])
    end = min(end, place + MOST)
    prefetch(rows.indices, end)
    fetch_value(rows.values, end)
    while place < end:
        prefetch(rows.indices, place)
        fetch_value(rows.values, place)
        place = place + LINE
    far = np.uint64(choices[min(t + 2 * DISTANCE, last)])
    prefetch(rows.indptr, far)
    prefetch(rows.scales, far)
    prefetch(run.y, far)
    prefetch(run.norms2, far)
    prefetch(alpha, far)
