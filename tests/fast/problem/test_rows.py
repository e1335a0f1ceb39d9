"""Every storage of the rows gives a kernel the same entries in the same order."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.rows import DENSE, SPARSE, Dense, Gathered, Sparse, bounds, column, inner, update, value
from dualgap.reference import L2, Problem, Squared

X = np.array([[0.0, -2.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0, 3.0, 0.0, -0.25]])


@kernel
def entries(rows, i, columns, values):
    count = 0
    first, end = bounds(rows, i)
    for place in range(first, end):
        columns[count], values[count] = column(rows, place), value(rows, i, place)
        count += 1
    return count


@kernel
def inner_and_update(rows, i, c, v, threshold):
    z = inner(rows, i, v, threshold)
    update(rows, i, c, v)
    return z


def entries_of(rows, i):
    columns, values = np.zeros(4, dtype=np.int64), np.zeros(4)
    count = entries(rows, i, columns, values)
    return list(zip(columns[:count].tolist(), values[:count].tolist()))


def storages():
    y = [1.0, -1.0, 1.0]
    sparse, dense = (arrays(Problem(given, y, Squared(), L2(1.0))) for given in (csr_array(X), X))
    return sparse.matrix, dense.matrix, sparse.entries(), dense.entries()


def test_the_kinds_of_storage_are_told_by_their_number_of_fields():
    kinds = [type(rows) for rows in storages()]
    assert kinds == [Sparse, Dense, Sparse, Gathered]
    assert len({SPARSE, DENSE, len(Gathered._fields)}) == 3


def test_the_entries_of_a_row_are_those_that_are_stored():
    for rows in storages():
        for i in (2, 0, 1, 2, 2):  # a Gathered holds one row at a time, and may have to return it again
            stored = [(j, x) for j, x in enumerate(X[i].tolist()) if x != 0.0 or isinstance(rows, Dense)]
            assert entries_of(rows, i) == stored


def test_a_gathered_row_is_not_gathered_again():
    rows = storages()[3]
    assert entries_of(rows, 0) == [(1, -2.0), (2, 0.5)]
    rows.data[0] = 7.0
    assert entries_of(rows, 0) == [(1, 7.0), (2, 0.5)]  # the copy
    assert entries_of(rows, 2) == [(0, 1.0), (1, 3.0), (3, -0.25)]
    assert entries_of(rows, 0) == [(1, -2.0), (2, 0.5)]  # made again


@pytest.mark.parametrize("threshold", [0.0, 0.4])
def test_products_and_updates_have_the_same_bits_on_every_storage(threshold):
    v = np.array([0.1, -0.7, 0.3, 1.9])
    found = set()
    for rows in storages():
        changed = v.copy()
        z = [inner_and_update(rows, i, 0.3, changed, threshold) for i in (0, 1, 2)]
        found.add((np.array(z).tobytes(), changed.tobytes()))
    assert len(found) == 1
    other = v.copy()
    inner_and_update(storages()[0], 0, 0.3, other, threshold)
    assert other.tobytes() not in {changed for _, changed in found}  # the other rows show
