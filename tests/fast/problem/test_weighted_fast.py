"""Weighted rows, compiled: bit-identical to the reference, a bound that exact arithmetic confirms, and invalid
weights.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.problem import objective as objectives
from dualgap.fast.solver.checkpoint import fingerprint
from dualgap.reference import L2, LOSSES, Absolute, ElasticNet, HypothesisViolated, Problem, WeightedProblem
from dualgap.reference.problem.pnorm import PNorm


def test_without_the_roundings_of_the_products_compensated_bounds_are_false(monkeypatch):
    """Control: 3 times 0.1 and 0.3 rounded cancel between two rows, except for the rounding of the product, which e_i
    holds.
    """
    tenth, scale = 0.1, 2.0**60
    problem = WeightedProblem([[scale], [scale]], [0.0, 0.0], Absolute(), L2(1.0), [3.0, 1.0])
    alpha = np.array([-tenth, 3.0 * tenth])
    exact = WeightedProblem([[scale], [scale]], [0, 0], Absolute(), L2(1), [3, 1], number=Fraction)
    gap = exact.gap([Fraction(0)], [Fraction(a) for a in alpha.tolist()])
    assert Fraction(Certificate(problem, [0.0], alpha, compensated=True).gap_bound) >= gap
    right = objectives.exact_products
    monkeypatch.setattr(objectives, "exact_products", lambda a, b: (right(a, b)[0], np.zeros(a.size)))
    assert Fraction(Certificate(problem, [0.0], alpha, compensated=True).gap_bound) < gap


def data(loss, n=20, d=4, sparse=False):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7), np.sign(rng.normal(size=n))
    X = csr_array(X) if sparse else X
    return X, y, LOSSES[loss](), ElasticNet(0.05, 0.01), rng.choice([0.25, 1 / 3, 1.0, 6.0], n)


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_two_backends_certify_the_same_pair(loss):
    problem = WeightedProblem(*data(loss))
    fast, reference = (solve(problem, tol=0, max_epochs=4, backend=backend) for backend in ("fast", "reference"))
    assert fast.w.tolist() == reference.w.tolist() and fast.gap_bound == reference.gap_bound
    assert fast.method == ("l1-newton" if LOSSES[loss]().gamma > 0 else "sdca-newton")
    assert "weighted rows" in fast.reason


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_a_run_ends_where_the_run_on_repeated_rows_does(loss):
    """||w - w*|| <= sqrt(2 gap/mu) for both, whatever the order of their steps; control: one weight more."""
    X, y, phi, regularizer, _ = data(loss)
    counts = np.random.default_rng(2).integers(1, 5, y.size)
    weighted = solve(WeightedProblem(X, y, phi, regularizer, counts), tol=1e-12, max_epochs=5000)
    repeated = solve(Problem(X.repeat(counts, axis=0), y.repeat(counts), phi, regularizer), tol=1e-12, max_epochs=5000)
    allowed = sum(math.sqrt(2 * max(run.gap_bound, 0) / 0.05) for run in (weighted, repeated)) * (1 + 1e-12)
    assert np.linalg.norm(weighted.w - repeated.w) <= allowed
    other = solve(
        WeightedProblem(X, y, phi, regularizer, counts + 4 * (np.arange(y.size) == 0)), tol=1e-12, max_epochs=5000
    )
    assert np.linalg.norm(other.w - repeated.w) > allowed


def test_other_methods_and_threads_are_refused():
    problem = WeightedProblem(*data("squared"))
    for backend in ("fast", "reference"):
        with pytest.raises(
            ValueError,
            match="method spdc .* does not run on a WeightedProblem; use auto, sdca, sdca-newton, afg and l1-newton",
        ):
            solve(problem, "spdc", backend=backend)
    with pytest.raises(HypothesisViolated):
        solve(problem.with_regularizer(PNorm(1, 1.5)), "sdca")


def test_the_weights_are_part_of_what_a_checkpoint_is_of(tmp_path):
    given = data("logistic")
    one, other = WeightedProblem(*given), WeightedProblem(*given[:4], given[4][::-1].copy())
    assert len({fingerprint(one), fingerprint(other), fingerprint(Problem(*given[:4]))}) == 3
    path = tmp_path / "run"
    solve(one, tol=0, max_epochs=3, checkpoint=path)
    refuses(ValueError, "another run: its problem", solve, other, tol=0, max_epochs=6, checkpoint=path, resume=True)
    resumed, whole = solve(one, tol=0, max_epochs=6, checkpoint=path, resume=True), solve(one, tol=0, max_epochs=6)
    assert resumed.w.tolist() == whole.w.tolist()
