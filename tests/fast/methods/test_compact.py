"""Compact rows: the arithmetic of the definition bit for bit, nothing lost on 0/1 data, and certificates of the full
rows.
"""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import bits, refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.data.dataset import unit_rows
from dualgap.fast.methods.aspdc import FastASPDC
from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.methods.specialized.compact import CompactRows, compact_rows
from dualgap.fast.problem.arrays import arrays
from dualgap.reference import L2, LOSSES, ElasticNet, Problem, SmoothedHinge
from dualgap.reference.problem.regularizers import soft

METHODS = {"sdca": FastSDCA, "aspdc": FastASPDC}


def random_problem(seed, loss_name, pattern):
    """A small sparse problem with empty rows; 0/1 rows scaled to norm 1, or entries of every size."""
    rng = np.random.default_rng([seed, sorted(LOSSES).index(loss_name)])
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 20))
    X = csr_array(rng.random((n, d)) < 0.5, dtype=np.float64)
    X.data = np.ones(X.nnz) if pattern else rng.standard_normal(X.nnz) * 10.0 ** rng.integers(-6, 1, X.nnz)
    loss = LOSSES[loss_name]()
    y = rng.choice([-1.0, 1.0], n) if loss.margin else rng.standard_normal(n)
    regularizer = L2(0.1) if seed % 2 else ElasticNet(0.1, 0.02)
    return Problem(unit_rows(X) if pattern else X, y, loss, regularizer), rng.integers(n, size=40)


def run_of_the_definition(name, problem, choices):
    """The steps as the head of ``fast/methods/specialized/compact.py`` writes them, in Python's own arithmetic."""
    X, y, loss, mu_n = problem.X, problem.labels, problem.loss, problem.scale
    threshold, v, alpha = problem.regularizer.threshold, [0.0] * problem.d, [0.0] * problem.n
    for i in choices.tolist():
        part = slice(X.indptr[i], X.indptr[i + 1])
        columns, entries = X.indices[part].tolist(), X.data[part].tolist()
        scale = max(map(abs, entries), default=0.0)
        values = [float(np.float32(x / scale)) for x in entries]
        lanes, head = [0.0] * 4, len(columns) % 4
        for place, (j, value) in enumerate(zip(columns, values)):
            lane = 0 if place < head else (place - head) % 4
            lanes[lane] += value * (soft(v[j], threshold) if threshold else v[j])
        z = scale * ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
        if name == "sdca":
            new = loss.dual_step(z, alpha[i], float(y[i]), float(arrays(problem).norms2[i]) * (1 / mu_n))
        else:
            new = loss.derivative(z, float(y[i]))
        delta, alpha[i] = new - alpha[i], new
        for j, value in zip(columns, values) if delta != 0 else ():
            v[j] = v[j] - (delta * (scale * (1 / mu_n))) * value
    return v, alpha


@pytest.mark.parametrize("pattern", [True, False])
@pytest.mark.parametrize("name", METHODS)
def test_the_steps_have_the_bits_of_the_definition(name, pattern):
    for loss_name, seed in itertools.product(sorted(set(LOSSES) - {"logistic"}), range(8)):
        problem, choices = random_problem(seed, loss_name, pattern)
        if name == "aspdc" and problem.gamma == 0:
            continue
        state = METHODS[name](storage="compact").run(problem, choices)
        expected = run_of_the_definition(name, problem, choices)
        assert compact_rows(problem).matrix[2] is None or not pattern
        assert [bits(state.v), bits(state.alpha)] == [bits(vector) for vector in expected], (loss_name, seed)


def test_rows_with_entries_of_one_size_lose_nothing_and_the_others_less_than_a_float32():
    problem, _ = random_problem(1, "squared", pattern=True)
    _, _, values, scales = compact_rows(problem).matrix
    assert values is None and (np.repeat(scales, np.diff(problem.X.indptr)) == problem.X.data).all()
    problem, _ = random_problem(2, "squared", pattern=False)
    _, _, values, scales = compact_rows(problem).matrix
    of_entry = np.repeat(scales, np.diff(problem.X.indptr))
    error = np.abs(of_entry * values - problem.X.data)
    # x/scale is rounded to float64 and then to float32, which is off by 2^-25 next to 1; the product is rounded again.
    assert 0 < error.max() and (error <= 2.0**-24 * of_entry).all()


def test_columns_take_16_bits_where_they_fit():
    for d, expected in ((2**16, "uint16"), (2**16 + 1, "uint32")):
        X = csr_array((np.ones(2), np.array([0, d - 1]), np.array([0, 1, 2])), shape=(2, d))
        _, indices, _, _ = CompactRows(Problem(X, [1.0, -1.0], SmoothedHinge(), L2(1.0))).matrix
        assert indices.dtype.name == expected and indices.tolist() == [0, d - 1]


def sparse_problem():
    rng = np.random.default_rng(5)
    X = unit_rows(csr_array(np.where(rng.random((200, 50)) < 0.2, rng.random((200, 50)), 0.0)))
    return Problem(X, rng.choice([-1.0, 1.0], 200), SmoothedHinge(), L2(0.05))


@pytest.mark.parametrize("name", METHODS)
def test_what_converges_is_certified_on_the_full_rows(name):
    problem = sparse_problem()
    result = solve(problem, name, storage="compact", tol=1e-12)
    again = Certificate(problem, result.w, result.alpha)
    assert result.status == "converged" and again.gap == result.gap <= 1e-12
    # the reference, which knows of no storage
    assert problem.gap(result.w.tolist(), result.alpha.tolist()) == result.gap


def test_wrong_compact_rows_never_converge(monkeypatch):
    problem = sparse_problem()
    compact_rows(problem).matrix[3][:] *= 1.001
    result = solve(problem, "sdca", storage="compact", tol=1e-12, max_epochs=60)
    assert result.status != "converged" and result.gap > 1e-12
    assert solve(sparse_problem(), "sdca", storage="compact", tol=1e-12, max_epochs=60).status == "converged"


def test_a_request_that_makes_no_sense_is_refused():
    problem = Problem(np.eye(2), [1.0, -1.0], SmoothedHinge(), L2(1.0))
    refuses(ValueError, "for sparse rows", solve, problem, "sdca", storage="compact")
    refuses(ValueError, "storage must be one of full, compact", FastSDCA, storage="small")
    for given in ({"method": "spdc"}, {"method": "sdca", "backend": "reference"}):
        refuses(ValueError, "storage is for aspdc, sdca with backend fast", solve, problem, storage="compact", **given)
