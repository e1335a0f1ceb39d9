"""What a run keeps is what ``require_memory`` counts, for every method."""

import tracemalloc
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import solve
from dualgap.fast.methods.registry import kernels
from dualgap.fast.solver import memory
from dualgap.reference import L2, HypothesisViolated, Logistic, Problem, SmoothedHinge

MANY, FEW = 40_000, 8


def problem_of(n, d):
    rng = np.random.default_rng(0)
    columns = np.sort(np.stack([rng.integers(0, d // 2, n), rng.integers(d // 2, d, n)], axis=1), axis=1)
    X = csr_array((rng.standard_normal(2 * n), columns.ravel(), np.arange(n + 1) * 2), shape=(n, d))
    return Problem(X, np.where(rng.random(n) < 0.5, 1.0, -1.0), SmoothedHinge(), L2(100.0))


def peak(n, d, method):
    """Bytes at the peak of a few passes; kernels are compiled before."""

    def run(mode):
        solve(problem_of(n, d), method, tol=0.0, max_epochs=5, mode=mode)
        return mode

    try:
        mode = run("paper")
    except HypothesisViolated:
        mode = run("unchecked")
    problem = problem_of(n, d)
    tracemalloc.start()
    try:
        solve(problem, method, tol=0.0, max_epochs=5, mode=mode)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("method", sorted(kernels()))
def test_a_run_keeps_what_is_counted_and_not_much_less(method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n, d in ((FEW, MANY), (MANY, FEW)):
            kept, counted = peak(n, d, method), memory.needed(problem_of(n, d), method)
            assert kept <= counted + 2**20 and counted <= 4 * kept, (n, d, kept / 8 / MANY, counted / 8 / MANY)


def test_newton_makes_no_matrix_that_would_exceed_the_rows(monkeypatch):
    """d = 40,000: a matrix would take 6.4 GB."""
    problem = problem_of(FEW, MANY)
    assert memory.needed(problem, "newton") < 5 * 10**7 and solve(problem, "newton", rtol=1e-6).status == "converged"
    dense = Problem(np.ones((1502, 1500)), [1.0, -1.0] * 751, Logistic(), L2(1.0))
    assert memory.needed(dense, "newton") > 8 * 1500 * 1500
    monkeypatch.setattr(memory, "ALWAYS", 2**20)
    monkeypatch.setattr(memory, "available", lambda: 4 * 2**20)
    with pytest.raises(
        ValueError, match="a run of method newton keeps about .* and a matrix, 0.0 GB in all.*or method sdca"
    ):
        solve(dense, "newton")
    assert solve(dense, rtol=1e-3, max_epochs=50).method in ("sdca", "lbfgs"), "auto leaves out what does not fit"


def test_the_advice_of_a_run_that_has_not_converged_copies_no_rows():
    rng = np.random.default_rng(0)
    problem = Problem(rng.standard_normal((20_000, 100)), np.sign(rng.random(20_000) - 0.5), Logistic(), L2(1e-3))
    assert solve(problem, "sdca", max_epochs=1).advice
    tracemalloc.start()
    try:
        solve(problem, "sdca", max_epochs=1)
        assert tracemalloc.get_traced_memory()[1] < memory.needed(problem, "sdca") + 2**21 < problem.X.nbytes / 2
    finally:
        tracemalloc.stop()
