"""Rows of every storage: the same entries in the same order; a prefetch changes nothing, ``select`` does not branch."""

import os

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import bits, python

from dualgap.extras.baselines.compiled_gradients import slopes
from dualgap.fast.compiler.eight_rows import LONG
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import prefetch
from dualgap.fast.compiler.select import select
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.prefetch import LONGEST, inner_fetching
from dualgap.fast.problem.rows import NO_LIMITS, Dense, Limits, Sparse, bounds, column, inner, update, value
from dualgap.reference import L2, Logistic, Problem, SmoothedHinge, Squared, WeightedProblem


@kernel
def first_after_hints(array, places):
    for place in places:
        prefetch(array, place)
    return array[0]


@kernel
def first(array, places):
    return array[0]


@kernel
def larger(a, b):
    return select(a > b, a, b)


def test_a_prefetch_is_one_instruction_and_its_address_may_lie_anywhere():
    array, places = np.arange(3.0), np.array([0, 2, 3, 10**6, 2**63, 2**64 - 1], dtype=np.uint64)
    assert first_after_hints(array, places) == first(array, places) == 0.0
    calls = ["call void @llvm.prefetch" in one.inspect_llvm(one.signatures[0]) for one in (first_after_hints, first)]
    assert calls == [True, False]


@kernel
def sums_both_ways(rows, n, v, threshold, ahead):
    found = np.empty((2, n))
    for i in range(n):
        found[0, i] = inner_fetching(rows, i, v, threshold, np.uint64((i + ahead) % n))
        found[1, i] = inner(rows, i, v, threshold)
    return found


def rows_of_lengths(lengths, d, seed=0):
    rng = np.random.default_rng(seed)
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint64)
    indices = np.concatenate([np.sort(rng.choice(d, size, replace=False)) for size in lengths]).astype(np.uint64)
    return indptr, indices, rng.standard_normal(indices.size)


@pytest.mark.parametrize("loss", [SmoothedHinge(), Logistic()], ids=repr)
@pytest.mark.parametrize("n", [1, 3, 4, 7, 8, 9, 15, 16, 17, 33, 44])
# with sums in registers up to 16 and 32; rows of 17, 30 and 50 are asked for before their turn
@pytest.mark.parametrize("d", [3, 5, 16, 17, 30, 50, LONG + 3])
def test_dense_rows_that_are_added_side_by_side_have_the_bits_of_sparse_rows(d, n, loss):
    rng = np.random.default_rng(n)
    X, w, y = rng.standard_normal((n, d)), rng.standard_normal(d), np.where(np.arange(n) % 2, 1.0, -1.0)
    alpha, found = -y * rng.random(n), []
    for given in (X, csr_array(X)):
        objective = Objective(Problem(given, y, loss, L2(1)))
        seen = objective.evaluate(w, alpha)
        parts = *seen.sums, *seen.magnitudes, seen.minus_u, objective.z(w), objective.minus_u(alpha)
        found.append([np.asarray(part).tobytes() for part in (*parts, objective.arrays.norms2)])
    assert found[0] == found[1]


def test_control_another_order_of_the_additions_has_other_bits():
    X, w = np.random.default_rng(44).standard_normal((44, 5)), np.random.default_rng(1).standard_normal(5)
    one, other = (Objective(Problem(A, np.ones(44), Squared(), L2(1))) for A in (X, X[:, ::-1].copy()))
    assert one.z(w).tobytes() != other.z(w[::-1].copy()).tobytes()


@pytest.mark.parametrize("threshold", [NO_LIMITS, Limits(-0.3, 0.3), Limits(-np.inf, 0.3)], ids=str)
def test_a_sum_that_asks_for_rows_has_the_bits_of_one_that_does_not(threshold):
    lengths = [*range(70), LONGEST + 40, 3, LONGEST]
    indptr, indices, data = rows_of_lengths(lengths, 400)
    v = np.random.default_rng(1).standard_normal(400)
    for ahead in (0, 1, 5, 36):
        asking, plain = sums_both_ways(Sparse(indptr, indices, data), len(lengths), v, threshold, ahead)
        assert asking.tobytes() == plain.tobytes()
        asking, plain = sums_both_ways(Dense(data[: 70 * 33].reshape(70, 33)), 70, v, threshold, ahead)
        assert asking.tobytes() == plain.tobytes()
    asking = sums_both_ways(Sparse(indptr, indices, data), len(lengths), v, threshold, 1)[0]
    shuffled = sums_both_ways(Sparse(indptr, indices[::-1].copy(), data), len(lengths), v, threshold, 1)[0]
    assert shuffled.tobytes() != asking.tobytes()  # the order of the sum shows in its bits


def test_select_is_a_conditional_expression():
    for a in (-0.0, 0.0, 1.0, np.inf, np.nan):
        for b in (-0.0, 0.0, 2.0, -np.inf, np.nan):
            assert np.float64(larger(a, b)).tobytes() == np.float64(a if a > b else b).tobytes()
    for a, b in ((2**62 + 1, 2**62), (-3, 2**63 - 1)):  # no detour by floats
        assert larger(np.int64(a), np.int64(b)) == max(a, b)


def test_without_the_compiler_both_are_plain_python_and_the_steps_the_same():
    program = (
        "from dualgap.fast.problem.objective import Objective; from dualgap.fast.methods.sdca import FastSDCA\n"
        "from dualgap.reference import L2, Problem, SmoothedHinge\n"
        "problem = Problem([[(0, 1.0), (1, 0.5)], [(1, 2.0)]], [1.0, -1.0], SmoothedHinge(), L2(1.0), d=2)\n"
        "states = [FastSDCA().run(problem, [0, 1, 0])]\n"
        "found = [state.alpha.tolist() for state in states], Objective(problem).gap(states[0].v, states[0].alpha)\n"
        "import numpy as np; from dualgap.fast.problem.arrays import arrays\n"
        "X = np.random.default_rng(1).standard_normal((19, 7))\n"
        "dense = Problem(X, np.ones(19), SmoothedHinge(), L2(1.0))\n"
        "found += Objective(dense).z(X[0]).tolist(), arrays(dense).norms2.tolist()\n"
    )
    here: dict = {}
    exec(program, here)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = python("-c", program + "print(found)", env=environment)
    assert done.stdout.strip() == repr(here["found"]), done.stderr


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


def test_the_entries_of_a_row_are_those_that_are_stored():
    for rows in storages():
        for i in (2, 0, 1, 2, 2):  # a Gathered holds one row at a time, and may have to return it again
            stored = [(j, x) for j, x in enumerate(X[i].tolist()) if x != 0.0 or isinstance(rows, Dense)]
            assert entries_of(rows, i) == stored


@pytest.mark.parametrize("threshold", [NO_LIMITS, Limits(-0.4, 0.4), Limits(-np.inf, 0.0)], ids=str)
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


@pytest.mark.parametrize("make", [np.asarray, csr_array])
@pytest.mark.parametrize("loss", [Logistic(), Squared()], ids=repr)
def test_a_step_that_reads_each_row_once_has_the_bits_of_one_that_reads_it_twice(make, loss):
    rng = np.random.default_rng(4)
    for n, d in ((3, 1), (1100, 5), (40, 2500)):
        X, y, p = make(rng.standard_normal((n, d))), np.sign(rng.standard_normal(n)), rng.standard_normal(d)
        weights = np.arange(1.0, n + 1)
        for problem in (Problem(X, y, loss, L2(1.0)), WeightedProblem(X, y, loss, L2(1.0), weights)):
            objective, z = objective_of_rows(problem), rng.standard_normal(n)
            found = objective.step(z, p, 0.75)
            zp = objective.z(p)
            alpha = slopes(objective, z + 0.75 * zp)
            expected = zp, z + 0.75 * zp, alpha, objective.minus_u(alpha)
            assert [bits(one) for one in found] == [bits(one) for one in expected]
            assert bits(objective.step(z, p, 0.5)[3]) != bits(expected[3]), "the control"
