"""Newton's method: worked in rationals, which rows make its matrix, what it refuses, and that what it reaches is
certified.
"""

from collections import Counter
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.extras.baselines.afg.reference import dot
from dualgap.extras.baselines.newton.compiled import FastNewton, steps_of_matrix
from dualgap.extras.baselines.newton.compiled import conjugate_gradients as by_steps
from dualgap.extras.baselines.newton.reference import Newton, conjugate_gradients, makes_matrix, sampled_rows
from dualgap.fast import solve
from dualgap.fast.methods.base import OutOfTime
from dualgap.fast.solver.run import SolverRun
from dualgap.reference import L2, Logistic, Problem, SmoothedHinge, Squared, SquaredHinge, WeightedProblem


def problem_of(loss, lam, n=400, d=6, seed=0):
    """Rows of sizes that differ by factors of up to 32 from column to column."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * 2.0 ** -np.arange(d)
    return Problem(X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1.0, -1.0), loss, L2(lam))


def both(problem, H, b):
    """p of the two backends for a matrix, three steps at once in the compiled one."""
    H = np.asarray(H)
    compiled = by_steps(partial(steps_of_matrix, H[np.triu_indices(len(b))]), np.array(b), 3, lambda: None)
    of_reference = conjugate_gradients(problem, lambda q: [dot(problem, row, q) for row in H.tolist()], list(b))
    assert compiled[1] == of_reference[1]
    return compiled[0], of_reference[0]


def test_two_evaluations_of_a_quadratic_worked_by_hand():
    """H = [[3/2, 1/2], [1/2, 1]], X^T y/2 = (0, -1/2): w = (1/5, -3/5), which no double holds."""
    problem = Problem([[1, 0], [1, 1]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    state = Newton().run(problem, [0])
    assert (state.gradient, state.t, state.square) == ([0, Fraction(1, 2)], 0, Fraction(1, 4))
    state = Newton().run(problem, [0], state)
    assert (state.w, state.direction) == ([Fraction(1, 5), Fraction(-3, 5)],) * 2
    assert problem.gap(*Newton().view(problem, state)) == 0


@pytest.mark.parametrize("period", [2, 7, 10, 16, 50])
@pytest.mark.parametrize("evaluations", [0, 3])
def test_rows_that_repeat_with_any_period_enter_the_matrix_in_equal_shares(period, evaluations):
    n, stride = 48_000, 16
    rows = sampled_rows(n, stride, evaluations)
    assert len(rows) == n // stride and all(b * stride <= row < (b + 1) * stride for b, row in enumerate(rows))
    shares = Counter(row % period for row in rows)
    due = len(rows) / period
    assert max(abs(shares[k] - due) for k in range(period)) <= 0.1 * due  # of Weyl's sequence, measured
    every = Counter(row % period for row in range(0, n, stride))
    assert period == 7 or len(every) < period, "every 16th row, for control"


def test_conjugate_gradients_have_the_bits_of_the_reference_whatever_the_size_and_stop_where_they_may():
    rng, problem = np.random.default_rng(1), Problem([[1.0]], [1.0], Squared(), L2(1.0))
    for d in (1, 2, 3, 4, 5, 8, 9, 22):
        A, b = rng.standard_normal((2 * d, d)), rng.standard_normal(d)
        H = A.T @ A + np.eye(d)
        H = np.triu(H) + np.triu(H, 1).T
        p, of_reference = both(problem, H, b.tolist())
        assert p.tolist() == of_reference
        assert np.linalg.norm(H @ p - b) <= 0.0101 * np.linalg.norm(b)
        assert d < 8 or np.linalg.norm(H @ p - b) > 1e-6 * np.linalg.norm(b), "they went on, for control"


def test_conjugate_gradients_end_where_nothing_is_left_to_do_or_to_see():
    problem = Problem([[1.0]], [1.0], Squared(), L2(1.0))
    for b in ([0.0, 0.0], [1e-170, 0.0]):
        p, of_reference = both(problem, [[1.0, 0.0], [0.0, 1.0]], b)
        assert p.tolist() == of_reference == [0.0, 0.0]


@pytest.mark.parametrize("loss", [SmoothedHinge(), SmoothedHinge(2), SquaredHinge(), Logistic(), Squared()], ids=repr)
@pytest.mark.parametrize("lam", [1.0, 1e-3, 1e-7])
def test_it_converges_from_far_away_and_is_certified(loss, lam):
    problem = problem_of(loss, lam)
    result = solve(problem, "newton", rtol=1e-9, max_epochs=200)
    assert result.status == "converged" and result.gap_bound <= 1e-9 * abs(result.primal)
    again = solve(problem, "newton", alpha=result.alpha, rtol=1e-9)
    assert again.status == "converged" and again.epochs <= min(4, result.epochs), "it continues from an alpha"


def test_a_misleading_sample_is_given_up():
    """The last columns occur in few rows: one row in 128 does not see them."""
    problem = problem_of(Logistic(), 1e-6, n=2000)
    X = problem.X.copy()
    X[20:, 3:] = 0.0
    problem = Problem(X, problem.y, Logistic(), L2(1e-6))
    method = FastNewton(stride=128)
    state = method.run(problem, [0] * 60)
    assert state.stride < 128 and problem.gap(*method.view(problem, state)) < 1e-9


@pytest.mark.parametrize("shape", [(40, 4), (5, 40)], ids=["a matrix", "products with the rows"])
@pytest.mark.parametrize("loss", [Squared(), Logistic(), SmoothedHinge()], ids=repr)
def test_weighted_rows_and_both_ways_to_multiply_have_the_bits_of_the_reference(shape, loss):
    rng = np.random.default_rng(3)
    X = np.where(rng.random(shape) < 0.6, rng.standard_normal(shape), 0.0)
    y, weights = np.where(rng.random(shape[0]) < 0.5, 1.0, -1.0), rng.random(shape[0]) * 5 + 0.01
    for rows in (X, csr_array(X)):
        for problem in (Problem(rows, y, loss, L2(1e-4)), WeightedProblem(rows, y, loss, L2(1e-4), weights)):
            assert makes_matrix(problem) == (shape[0] > shape[1])
            for stride in (1, 2):
                fast, slow = (
                    FastNewton(stride=stride).run(problem, [0] * 6),
                    Newton(stride=stride).run(problem, [0] * 6),
                )
                assert fast.w.tolist() == slow.w and fast.alpha.tolist() == slow.alpha and fast.stride == slow.stride


def test_a_weight_of_two_is_two_equal_rows_for_newton_lbfgs_and_afg():
    rng = np.random.default_rng(4)
    X, counts = rng.standard_normal((30, 3)), rng.integers(1, 5, 30)
    y = np.where(X[:, 0] + rng.standard_normal(30) > 0, 1.0, -1.0)
    repeated = Problem(X.repeat(counts, axis=0), y.repeat(counts), Logistic(), L2(1e-3))
    for name in ("newton", "lbfgs", "afg"):
        one, other = (
            solve(WeightedProblem(X, y, Logistic(), L2(1e-3), counts), name, tol=1e-14),
            solve(repeated, name, tol=1e-14),
        )
        assert one.status == other.status == "converged"
        assert np.linalg.norm(one.w - other.w) <= 2 * np.sqrt(2e-14 / 1e-3)
    assert np.linalg.norm(solve(Problem(X, y, Logistic(), L2(1e-3)), "newton", tol=1e-14).w - other.w) > 1e-3, (
        "control: no weights"
    )


def test_where_conjugate_gradients_do_not_end_the_matrix_is_factorized(monkeypatch):
    """Columns of sizes from 1e-3 to 1e5: the residual of step 9 is not small."""
    X = np.random.default_rng(0).standard_normal((60, 9)) * 10.0 ** np.arange(-3, 6)
    problem = Problem(X, X @ (1 / 10.0 ** np.arange(-3, 6)) + 0.5, Squared(), L2(1e-7))
    assert solve(problem, "newton", rtol=1e-9, max_epochs=50).status == "converged"
    fast, slow = FastNewton().run(problem, [0] * 4), Newton().run(problem, [0] * 4)
    assert fast.w.tolist() == slow.w
    monkeypatch.setattr("dualgap.extras.baselines.newton.compiled.factorized", lambda *given: None)
    assert solve(problem, "newton", rtol=1e-9, max_epochs=50).status == "max_epochs", "control: without it"


@pytest.mark.parametrize("shape", [(60, 9), (5, 40)], ids=["a matrix", "products with the rows"])
def test_the_time_is_looked_at_within_a_step_which_is_then_given_up(shape):
    """A clock that runs out at its k-th reading: the state is that before the step, and repeating the step gives
    bit-identical results.
    """
    X = np.random.default_rng(0).standard_normal(shape)
    problem = Problem(X, np.where(X[:, 0] > 0, 1.0, -1.0), Logistic(), L2(1e-6))
    method, looks = FastNewton(), []
    state = method.run(problem, [0])
    before = state.copy()

    def up():
        looks.append(1)
        raise OutOfTime

    method.check_clock = up
    with pytest.raises(OutOfTime):
        method.advance(problem, state, [0])
    assert looks and state.key() == before.key()
    method.check_clock = lambda: None
    method.advance(problem, state, [0])
    assert state.key() == FastNewton().run(problem, [0, 0]).key()


def test_a_run_whose_time_is_up_within_a_step_ends_with_what_is_certified(monkeypatch):
    problem = problem_of(Logistic(), 1e-6)
    monkeypatch.setattr(
        SolverRun, "check_clock", lambda self: setattr(self, "deadline", 0.0) or (_ for _ in ()).throw(OutOfTime)
    )
    result = solve(problem, "newton", max_seconds=1000.0, tol=1e-12)
    assert (
        result.status == "max_seconds"
        and result.epochs == 1
        and len({entry.epochs for entry in result.history}) == len(result.history)
    )


@pytest.mark.parametrize("entries", [(0.0, 0.0, 108 / 101), (1.0, 0.0, 2.0), (1.0, 2.0, 3.0)])
def test_whether_a_matrix_is_made_does_not_depend_on_how_zeros_are_stored(entries):
    X = np.array([entries, *np.zeros((3, 3))])  # more rows than columns
    stored_zeros = csr_array((X[0], np.arange(3), np.array([0, 3, 3, 3, 3])), shape=(4, 3))
    assert {
        makes_matrix(Problem(Z, [1.0] * 4, SquaredHinge(), L2(9.1)))
        for Z in (X, csr_array(X), stored_zeros, X.tolist())
    } == {np.count_nonzero(X) > 2}
    dense = solve(Problem(X, [1.0] * 4, SquaredHinge(), L2(9.1)), "newton", max_epochs=5, tol=0)
    sparse = solve(Problem(csr_array(X), [1.0] * 4, SquaredHinge(), L2(9.1)), "newton", max_epochs=5, tol=0)
    assert dense.w.tobytes() == sparse.w.tobytes()
