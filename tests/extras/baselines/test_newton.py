"""L-BFGS and Newton: metrics and line search against definitions, exact optima, starts, weights and the clock."""

import math
import time
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array
from support import refuses

from dualgap.extras.baselines.compiled_gradients import slopes
from dualgap.extras.baselines.lbfgs.compiled import dot, solution
from dualgap.extras.baselines.newton import reference
from dualgap.extras.baselines.newton.compiled import FastInterceptNewton, FastNewton
from dualgap.extras.baselines.newton.compiled_hessian import add_rows, factorized, row_of
from dualgap.extras.baselines.newton.compiled_small import factor_of
from dualgap.extras.baselines.newton.reference import DIAGONAL
from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.compiler.first_calls import HERE
from dualgap.fast.methods.base import OutOfTime
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.objective import Objective
from dualgap.fast.solver import backends
from dualgap.fast.solver.backends import Backend, backend_of
from dualgap.reference import (
    L2,
    ElasticNet,
    Hinge,
    InterceptProblem,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
    method,
)

LOSSES = [SmoothedHinge(), SmoothedHinge("1/8"), SquaredHinge(), Logistic(), Squared()]


@pytest.fixture(autouse=True)
def many_numbers(monkeypatch, request):
    """Small problems stand for larger ones here, but in tests of few numbers."""
    if "few_numbers" not in request.node.name:
        monkeypatch.setattr(reference, "FEW", 0)


def of_kind(problem, kind):
    """The same rows as a problem of that kind."""
    given = (np.arange(problem.n) % 3 + 0.5,) if kind is WeightedProblem else ()
    return kind(problem.X, problem.y, problem.loss, problem.regularizer, *given)


def problem_of(loss, lam, n=400, d=6, seed=0):
    """Rows of sizes that differ by factors of up to 32 from column to column."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * 2.0 ** -np.arange(d)
    return Problem(X, np.where(X[:, 0] + rng.standard_normal(n) > 0, 1.0, -1.0), loss, L2(lam))


def hessian(problem, w, weights):
    """lam I + the weighted mean of phi_i''(x_i^T w) x_i x_i^T, from its definition."""
    X = problem.X.toarray() if hasattr(problem.X, "toarray") else problem.X
    curved = [float(problem.loss.curvature(float(z), float(y))) for z, y in zip(X @ w, problem.y)]
    return (X.T * (weights * curved)) @ X / weights.sum() + problem.regularizer.lam * np.eye(problem.d)


@pytest.mark.parametrize("shape", [(40, 4), (70, 19), (5, 40), (19, 19), (1, 1)], ids=str)
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_metric_of_all_rows_is_the_inverse_of_the_hessian(shape, loss):
    """Condition numbers below 1e5 here: 1e-9 of the length, and half of lam is seen."""
    rng = np.random.default_rng(3)
    X = np.where(rng.random(shape) < 0.6, rng.standard_normal(shape), 0.0)
    y, weights = np.where(rng.random(shape[0]) < 0.5, 1.0, -1.0), rng.random(shape[0]) * 5 + 0.01
    q = rng.standard_normal(shape[1])
    for rows in (X, csr_array(X)):
        for problem, s in (
            (Problem(rows, y, loss, L2(1e-3)), np.ones(shape[0])),
            (WeightedProblem(rows, y, loss, L2(1e-3), weights), weights),
        ):
            newton, objective = FastNewton(stride=1), objective_of_rows(problem)
            state = newton.run(problem, [0, 0, 0])
            state.stride, state.made, state.anchor = 1, 2, state.w
            state.metric = newton.metric(objective, state)
            H = hessian(problem, state.w, s)
            found = newton.precondition(objective, state.metric, q.copy())
            assert np.linalg.norm(found - np.linalg.solve(H, q)) <= 1e-9 * np.linalg.norm(found)
            wrong = H + 5e-4 * np.eye(shape[1])
            assert np.linalg.norm(found - np.linalg.solve(wrong, q)) > 1e-6 * np.linalg.norm(found), "control"


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_diagonal_of_the_hessian_is_a_metric(loss):
    """With a free b, of the rows less their mean: then the border is that of H."""
    rng = np.random.default_rng(3)
    X = np.where(rng.random((40, 6)) < 0.6, rng.standard_normal((40, 6)), 0.0) * 2.0 ** np.arange(6)
    y, weights, q = np.where(rng.random(40) < 0.5, 1.0, -1.0), rng.random(40) * 5 + 0.01, rng.standard_normal(7)
    for kind, free, given in ((Problem, False, ()), (WeightedProblem, False, (weights,)), (InterceptProblem, True, ())):
        problem = kind(csr_array(X), y, loss, L2(1e-3), *given)
        newton = FastInterceptNewton() if free else FastNewton()
        objective, state = newton.native(problem), newton.run(problem, [0, 0])
        state.stride, state.made, state.anchor = DIAGONAL, 2, state.w
        state.metric = newton.metric(objective, state)
        assert state.metric.U.shape == (6,)
        s = given[0] if given else np.ones(40)
        if free:
            rows = Problem(np.hstack([X, np.ones((40, 1))]), y, loss, L2(1e-3))
            H = hessian(rows, state.w, s)
            H[6, 6] -= 1e-3
            m, border = H[6, 6], H[:6, 6] / H[6, 6]
            H[:6, :6] = np.diag((H[:6, :6] - m * np.outer(border, border)).diagonal()) + m * np.outer(border, border)
        else:
            H = np.diag(hessian(problem, state.w, s).diagonal())
        right = q[: len(H)]
        found = newton.precondition(objective, state.metric, right.copy())
        allowed = 1e-13 * (abs(H) @ abs(found))  # some 100 roundings of 1.1e-16: sums of 40 rows, made twice
        assert (abs(H @ found - right) <= allowed).all()
        assert (abs((H + 1e-4 * np.eye(len(H))) @ found - right) > allowed).any(), "control"


def test_sparse_rows_have_a_diagonal_that_is_made_again_where_no_matrix_can_be(monkeypatch):
    monkeypatch.setattr(reference, "has_metric", lambda problem: False)
    rng = np.random.default_rng(0)
    X = csr_array(np.where(rng.random((600, 30)) < 0.5 ** (np.arange(30) % 8), rng.standard_normal((600, 30)), 0.0))
    problem = Problem(X, np.where(rng.random(600) < 0.5, 1.0, -1.0), Logistic(), L2(1e-7))
    newton, made, pairs = FastNewton(), [], []
    whole = newton.init(problem)
    for _ in range(34):
        whole = newton.run(problem, [0], whole)
        made.append(whole.made)
        pairs.append(whole.pairs)
    assert sorted(set(made)) == [0, 1, 8, 16, 32] and pairs == sorted(pairs) and pairs[20] == 20, "the pairs are kept"
    half = newton.run(problem, [0] * 20)
    half.metric = None  # as in a copy
    assert newton.run(problem, [0] * 14, half).key() == whole.key()
    steps = solve(problem, "newton", rtol=1e-9).epochs
    monkeypatch.setattr(reference, "has_diagonal", lambda problem, data: False)
    assert solve(problem, "newton", rtol=1e-9).epochs > 1.5 * steps


@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
def test_rows_that_are_read_once_for_a_whole_step_give_the_same_bits(kind, monkeypatch):
    rng, given = np.random.default_rng(1), (np.arange(400) % 3 + 0.5,) if kind is WeightedProblem else ()
    X = rng.standard_normal((400, 6))
    problem = kind(X, np.where(X[:, 0] + rng.standard_normal(400) > 0, 1.0, -1.0), SmoothedHinge(), L2(1e-5), *given)
    newton = FastInterceptNewton if kind is InterceptProblem else FastNewton
    at_once, how, keys = [], newton.how, []

    def seen(*given):
        if (found := how(*given)).at_once:
            at_once.append(1)
        return found

    monkeypatch.setattr(newton, "how", seen)
    for whole in (None, False):
        run, state, made = newton(stride=80), None, set()
        for _ in range(12):
            run.whole_steps = run.whole_steps if whole is None else whole
            state = run.run(problem, [0], state)
            made.add(state.made)
        keys.append(state.key())
        matrices = len(made - {0})  # after each of which a whole step is tried
        assert (matrices < len(at_once) < 11) if whole is None else matrices == len(at_once)
        at_once.clear()
    assert keys[0] == keys[1]


@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
def test_dense_rows_are_read_once_for_any_step_of_the_squared_loss(kind, monkeypatch):
    """And the gradient, which follows from that at t = 1, is right; there are steps of other lengths."""
    monkeypatch.setattr(reference, "has_metric", lambda problem: False)
    problem = of_kind(problem_of(Squared(), 1e-4, 60, 20), kind)
    run = FastInterceptNewton() if kind is InterceptProblem else FastNewton()
    objective, state, lengths = run.native(problem), run.run(problem, [0, 0]), []
    for _ in range(4):
        assert run.how(objective, state).at_once and run.how(objective, state).linear
        p, _ = run.direction(objective, state)
        following = run.run(problem, [0], state.copy())
        lengths.append(np.linalg.norm(following.w - state.w) / np.linalg.norm(p))
        state = following
    assert max(lengths) > 1 + 1e-6 or min(lengths) < 1 - 1e-6, "all steps are whole"
    expected = 1e-4 * run.penalised(state.w) - objective.minus_u(objective.z(state.w) - problem.y)
    allowed = 1e-13 * (1 + np.linalg.norm(state.w))  # n + d + 8 roundings of 2^-53, of terms whose mean is at most 10
    assert np.linalg.norm(state.gradient - expected) <= allowed


@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
@pytest.mark.parametrize("shape", [(400, 6), (60, 20), (151, 1), (5, 9)], ids=str)
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_steps_of_few_numbers_in_one_call_are_bit_identical_to_single_ones_and_to_python(
    shape, loss, kind, monkeypatch
):
    """And the last gradient is that of P, from its definition."""
    problem = of_kind(problem_of(loss, 1e-3, *shape), kind)
    run = FastInterceptNewton() if kind is InterceptProblem else FastNewton()
    assert run.is_small(run.native(problem))
    together, single = run.init(problem), run.init(problem)
    for gap in (1e-3, 1e-14):
        made = run.steps_until(problem, together, 12, gap, math.inf)
        assert made == 12 or run.reference.own_gap(problem, together) <= gap
        run.advance(problem, single, [0] * made)
        assert together.evaluations == single.evaluations and together.key() == single.key()
    assert run.run(problem, [0] * 3).key() != run.run(problem, [0] * 2).key(), "control: a step more is seen"
    after = run.run(problem, [0] * 3).key()
    monkeypatch.setattr(HERE, "inside", True)  # kernels run as Python functions
    assert run.run(problem, [0] * 3).key() == after
    monkeypatch.setattr(HERE, "inside", False)
    w, slope = together.w[: problem.d], problem.loss.derivative
    b = together.w[-1] if kind is InterceptProblem else 0.0
    s = np.array(getattr(problem, "weights", np.ones(problem.n)), float)
    found = np.array([s_i * slope(float(z), float(y)) for s_i, z, y in zip(s, problem.X @ w + b, problem.y)]) / s.sum()
    gradient = np.append(problem.X.T @ found + problem.regularizer.lam * w, [found.sum()][: together.w.size - w.size])
    assert np.linalg.norm(gradient - together.gradient) <= 1e-13, "sums of at most 400 numbers of size 1"


@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
@pytest.mark.parametrize("shape", [(400, 6), (300, 70), (20, 50)], ids=str)
@pytest.mark.parametrize("few", [0, 5_000_000])
def test_the_squared_loss_is_solved_by_one_matrix(shape, kind, few, monkeypatch):
    """Nothing is evaluated at the minimum before a certificate asks, and a run that goes on evaluates it first."""
    monkeypatch.setattr(reference, "FEW", few)
    problem, d = of_kind(problem_of(Squared(), 1e-3, *shape), kind), shape[1]
    run = (FastInterceptNewton if kind is InterceptProblem else FastNewton)(stride=1)
    state = run.run(problem, [0])
    if not run.is_new(state):  # the matrix is made after the first evaluation
        state = run.run(problem, [0], state)
    rows = np.hstack([problem.X, np.ones((shape[0], 1))]) if kind is InterceptProblem else problem.X
    s = np.array(getattr(problem, "weights", np.ones(shape[0])), float)
    H = (rows.T * s) @ rows / s.sum() + np.diag([1e-3] * d + [0.0] * (rows.shape[1] - d))
    expected = np.linalg.solve(H, rows.T @ (s * problem.y) / s.sum())
    allowed = 1e-13 * np.linalg.cond(H) * np.linalg.norm(expected)  # some 400 roundings of the sums
    assert run.is_new(state) and np.linalg.norm(state.w - expected) <= allowed
    w, alpha = run.view(problem, state)
    assert (run.pair(problem, state)[1] is None) == (kind is not InterceptProblem)
    after = run.run(problem, [0], state)
    assert (after.w == state.w).all() and not run.is_new(after), "control: its gradient is not 0 in doubles"
    assert np.linalg.norm(after.alpha - alpha) <= 1e-12 and not (after.alpha == state.alpha).all()


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("kind", [Problem, WeightedProblem])
@pytest.mark.parametrize("storage", [np.asarray, csr_array])
@pytest.mark.parametrize("shape", [(1500, 3), (70, 40)], ids=str)
def test_a_certificate_computes_the_slopes_of_the_losses_itself(loss, kind, storage, shape):
    problem = of_kind(problem_of(loss, 1e-3, *shape), kind)
    given = [problem.weights] if kind is WeightedProblem else []
    problem = kind(storage(problem.X), problem.y, loss, problem.regularizer, *given)
    objective, w = Objective(problem), np.arange(shape[1]) / 10
    alpha = slopes(objective, objective.z(w))
    made, expected = Certificate(objective, w, None), Certificate(problem, w, alpha)
    for other in (problem, Objective(kind(problem.X, problem.y, Hinge(), L2(1.0), *given))):  # not in a run; not smooth
        refuses(ValueError, "alpha must have one entry", Certificate, other, w, None)
    names = ("primal", "dual", "gap", "gap_bound", "resolution", "rounding")
    assert (made.alpha == alpha).all() and (made.minus_u == expected.minus_u).all()
    assert (
        not made.alpha.flags.writeable
        and objective.evaluate(made.w, made.alpha).sums == objective.evaluate(w, alpha).sums
    )
    assert [getattr(made, name) for name in names] == [getattr(expected, name) for name in names]


@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
@pytest.mark.parametrize("shape", [(41, 4), (70, 19), (5, 40), (3, 3), (1, 1)], ids=str)
def test_the_matrix_of_few_numbers_is_the_hessian_and_a_lost_pivot_leaves_it_positive(shape, kind):
    rng = np.random.default_rng(3)
    X, curved = rng.standard_normal(shape), rng.random(shape[0]) * (rng.random(shape[0]) < 0.7)
    free = kind is InterceptProblem
    rows = np.hstack([X, np.ones((shape[0], 1))]) if free else X
    penalty = np.diag([1e-3] * shape[1] + [0.0] * free)
    U = factor_of(X, curved, 2.0 * shape[0], 1e-3, rows.shape[1])
    H = (rows.T * curved) @ rows / (2.0 * shape[0]) + penalty
    if not free or curved.any() and shape[0] > 3:  # else b has no curvature beside that of w
        assert abs(U.T @ U - H).max() <= 1e-13 * abs(H).max()
        assert abs(U.T @ U - H - 1e-3 * penalty).max() > 1e-7, "control"
    U = factor_of(X, np.ones(shape[0]), 2.0 * shape[0], 1e-3, rows.shape[1])
    assert (U == factor_of(X, np.empty(0), 2.0 * shape[0], 1e-3, rows.shape[1])).all(), "empty stands for ones"
    U = factor_of(X, curved, 2.0 * shape[0], 0.0, rows.shape[1])  # of any rank
    if curved.any():
        x = solution(U, rows[curved > 0][0])
        assert np.isfinite(x).all() and dot(x, rows[curved > 0][0]) > 0


@pytest.mark.parametrize("period", [2, 7, 10, 16, 50])
@pytest.mark.parametrize("made", [0, 3])
def test_rows_that_repeat_with_any_period_enter_the_matrix_in_equal_shares(period, made):
    n, stride = 48_000, 16
    rows = [row_of(b, n // stride, stride, made) for b in range(n // stride)]
    assert all(b * stride <= row < (b + 1) * stride for b, row in enumerate(rows))
    shares = Counter(row % period for row in rows)
    due = len(rows) / period
    assert max(abs(shares[k] - due) for k in range(period)) <= 0.1 * due  # of Weyl's sequence, measured
    every = Counter(row % period for row in range(0, n, stride))
    assert period == 7 or len(every) < period, "every 16th row, for control"


@pytest.mark.parametrize("d", [1, 7, 8, 61, 300])
def test_a_factor_solves_its_system_and_a_lost_pivot_leaves_it_positive(d):
    rng = np.random.default_rng(d)
    A, b = rng.standard_normal((d + 5, d)), rng.standard_normal(d)
    H = A.T @ A + np.eye(d)
    x = solution(factorized(lambda: np.triu(H)), b)
    assert np.linalg.norm(H @ x - b) <= 1e-10 * np.linalg.norm(b)
    lost = []
    x = solution(factorized(lambda: lost.append(1) or np.triu(np.outer(b, b))), b)  # of rank 1
    assert np.isfinite(x).all() and dot(x, b) > 0 and (len(lost) > 1) == (d > 1), "made again"


@pytest.mark.parametrize("neighbours", [0.0, 0.9])
def test_a_sample_of_uncorrelated_columns_gives_a_diagonal(neighbours):
    """1,600 of 8,000 rows: r^2 is 1/1600 in the mean if the columns are independent, and 0.81 for neighbours if not."""
    rng = np.random.default_rng(8)
    X = rng.standard_normal((8000, 9))
    X[:, 1:] = neighbours * X[:, :-1] + math.sqrt(1 - neighbours**2) * X[:, 1:]
    problem = Problem(X * 2.0 ** np.arange(9), X @ np.ones(9), Squared(), L2(1e-6))
    newton, objective = FastNewton(stride=5), objective_of_rows(problem)
    state = newton.run(problem, [0, 0, 0])
    assert state.stride == 5 and (state.metric.U.ndim == 1) == (neighbours == 0)
    state.stride = 1
    assert newton.metric(objective, state).U.ndim == 2, "all rows are no sample"


@pytest.mark.parametrize("kind", [Problem, InterceptProblem])
def test_uncorrelated_columns_of_one_size_have_no_metric_at_the_start(kind):
    """A sample of them would add noise alone. Means that a free intercept subtracts are no correlation."""
    rng = np.random.default_rng(9)
    X = rng.standard_normal((16_000, 16))
    signs, free = np.where(X[:, 0] + rng.standard_normal(16_000) > 0, 1.0, -1.0), kind is InterceptProblem
    sizes, mixed = 1.0 + (np.arange(16) == 3), X.copy()
    mixed[:, 1:] += X[:, :-1]
    for columns, is_round in ((X, True), (X + 0.5, free), (X * sizes, False), (mixed, False)):
        method = FastInterceptNewton() if free else FastNewton()
        state = method.run(kind(columns, signs, SmoothedHinge(), L2(1e-3)), [0, 0])
        assert ((state.stride, state.made, state.metric) == (0, 0, None)) == is_round


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_line_search_ends_near_the_minimum_along_its_line(loss):
    problem = problem_of(loss, 1e-4)
    lbfgs, objective, rng = kernels()["lbfgs"](), objective_of_rows(problem), np.random.default_rng(5)
    start = lbfgs.run(problem, [0, 0, 0])
    for size in (1e-6, 1.0, 1e6):
        p, state = -start.gradient * size * rng.random(problem.d), start.copy()
        lbfgs.descent = lambda *_, p=p: (p, float(dot(start.gradient, p)))
        lbfgs.evaluation(objective, state, math.inf)
        first, t = float(dot(start.gradient, p)), float((state.w - start.w) @ p / (p @ p))
        slope = float((objective.problem.regularizer.lam * state.w - objective.minus_u(state.alpha)) @ p)
        assert 0 < t and abs(slope) <= 0.11 * abs(first)
        assert objective.P(state.w) < objective.P(start.w)
        assert np.allclose(state.z, objective.z(state.w), rtol=1e-9, atol=1e-9)
        gradient = problem.regularizer.lam * state.w - objective.minus_u(state.alpha)
        assert np.linalg.norm(state.gradient - gradient) <= 1e-12 * (1 + np.linalg.norm(state.w))  # n + d + 8 roundings
    best = minimize_scalar(lambda t: objective.P(start.w + t * p), bounds=(0, 4 * t), method="bounded")
    assert objective.P(state.w) - best.fun <= 0.5 * (objective.P(start.w) - best.fun)


@pytest.mark.parametrize("name", ["newton", "lbfgs"])
def test_a_quadratic_worked_by_hand(name):
    """H = [[3/2, 1/2], [1/2, 1]], X^T y/2 = (0, -1/2): w = (1/5, -3/5)."""
    exact = [Fraction(1, 5), Fraction(-3, 5)]
    result = solve(Problem([[1, 0], [1, 1]], [1, -1], Squared(), L2("1/2")), name, tol=1e-20)
    # P is 1/2-strongly convex: ||w - w*||^2 <= 4 gap_bound
    assert sum((float(w) - float(e)) ** 2 for w, e in zip(result.w, exact)) <= 4 * result.gap_bound <= 4e-20
    assert result.epochs <= 4


@pytest.mark.parametrize("name", ["newton", "lbfgs"])
@pytest.mark.parametrize("loss", [SmoothedHinge(), SmoothedHinge(2), SquaredHinge(), Logistic(), Squared()], ids=repr)
@pytest.mark.parametrize("lam", [1.0, 1e-3, 1e-7])
def test_it_converges_from_far_away_and_is_certified(name, loss, lam):
    problem = problem_of(loss, lam)
    result = solve(problem, name, rtol=1e-9, max_epochs=200)
    assert result.status == "converged" and result.gap_bound <= 1e-9 * abs(result.primal)
    again = solve(problem, name, alpha=result.alpha, w=result.w, rtol=1e-9)
    assert again.status == "converged" and again.epochs == 0 and again.gap_bound <= result.gap_bound


@pytest.mark.parametrize("name", ["newton", "lbfgs"])
def test_a_copied_state_goes_on_with_the_same_bits(name):
    problem, run = problem_of(Logistic(), 1e-7, n=2000), kernels()[name](**({"stride": 2} if name == "newton" else {}))
    whole = run.run(problem, [0] * 30)
    half = run.run(problem, [0] * 13)
    assert half.stride == (2 if name == "newton" else 0) or half.made > 1
    assert run.run(problem, [0] * 17, half).key() == whole.key()
    assert method(name).run(problem, [0] * 13).key() == kernels()[name]().run(problem, [0] * 13).key()


def test_a_misleading_sample_is_given_up():
    """The last columns occur in few rows: one row in 128 does not see them."""
    problem = problem_of(Logistic(), 1e-6, n=2000)
    X = problem.X.copy()
    X[20:, 3:] = 0.0
    problem = Problem(X, problem.y, Logistic(), L2(1e-6))
    newton = FastNewton(stride=128)
    assert problem.gap(*newton.view(problem, newton.run(problem, [0] * 60))) < 1e-9


def test_a_problem_without_a_row_that_matters_ends():
    for X in (np.zeros((3, 2)), np.zeros((2, 3))):
        result = solve(Problem(X, [1.0, -1.0, 1.0][: len(X)], Logistic(), L2(1.0)), "newton", tol=1e-9)
        assert result.status == "converged" and not result.w.any()


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


@pytest.mark.parametrize("shape", [(60, 9), (5, 40)], ids=["d x d", "n x n"])
def test_the_time_is_looked_at_within_a_step_which_is_then_given_up(shape):
    """The deadline is over: the state is that before the step, and repeating the step gives bit-identical results."""
    X = np.random.default_rng(0).standard_normal(shape)
    problem = Problem(X, np.where(X[:, 0] > 0, 1.0, -1.0), Logistic(), L2(1e-6))
    compiled = FastNewton(stride=1)
    state = compiled.run(problem, [0])
    before = state.w.copy()
    with pytest.raises(OutOfTime):
        compiled.advance(problem, state, [0], time.perf_counter())
    assert state.w.tobytes() == before.tobytes()
    compiled.advance(problem, state, [0], time.perf_counter() + 1000)
    assert state.key() == FastNewton(stride=1).run(problem, [0, 0]).key()


def test_a_run_whose_time_is_up_within_a_step_ends_with_what_is_certified(monkeypatch):
    problem = problem_of(Logistic(), 1e-6)
    update_metric, clock = FastNewton.update_metric, time.perf_counter

    def late(self, objective, state, deadline):
        assert clock() < deadline <= clock() + 1000
        monkeypatch.setattr(time, "perf_counter", lambda: deadline)  # from here on it is later
        update_metric(self, objective, state, deadline)

    monkeypatch.setattr(FastNewton, "update_metric", late)
    result = solve(problem, "newton", stride=1, max_seconds=1000.0, tol=1e-12)
    assert result.status == "max_seconds"
    assert result.epochs == 1
    assert len({entry.epochs for entry in result.history}) == len(result.history)


def test_a_second_pair_is_certified_only_where_the_first_does_not_suffice(monkeypatch):
    problem, made = problem_of(Logistic(), 0.1), []
    certified = backends.certified
    monkeypatch.setattr(backends, "certified", lambda *given: made.append(given[1]) or certified(*given))
    for name, pairs in (("afg", 2), ("newton", 1)):  # the steps of Newton's method tell the gap of the first
        driver = backend_of("fast", name, {})
        state = driver.init(problem, None)
        driver.advance(problem, state, np.zeros(2, dtype=np.int64))
        made.clear()
        reached = driver.certificate(problem, state)
        assert len(made) == pairs and made[0].tolist() != made[-1].tolist() or pairs == 1
        enough = driver.certificate(problem, state, 1.0)
        assert reached is not None and enough is not None and enough.meets(1.0, 0.0) and len(made) == pairs + 1
        assert driver.certificate(problem, state, 0.0, reached.gap_bound / 1e6) is not None
        assert len(made) == 2 * pairs + 1


@pytest.mark.parametrize("d", [3, 33])
@pytest.mark.parametrize("n", [1, 4, 6])
@pytest.mark.parametrize("pattern", [(1.0, 4.0, 0.0), (4.0, 0.0, 4.0), (4.0, 4.0, 4.0), (1.0, 9.0, 4.0)])
def test_the_sum_of_squares_of_dense_rows_is_that_of_sparse_ones(pattern, n, d):
    """Whole numbers, whose sums are exact in any order; a row with factor 0 is left out."""
    rng = np.random.default_rng([n, d])
    X, factors = rng.integers(1, 9, (n, d)).astype(float), np.resize(pattern, n)
    due = np.triu(X.T @ (factors[:, None] * X))
    backwards = csr_array(X[:, ::-1])[:, ::-1]  # columns in descending order
    assert not backwards.has_sorted_indices
    for given in (X, csr_array(X), backwards):
        H = np.zeros((d, d))
        add_rows(arrays(Problem(given, np.ones(n), Squared(), L2(1))).matrix, np.arange(n), factors, H)
        assert np.array_equal(H, due)
        H = np.zeros((d, d))
        add_rows(arrays(Problem(given, np.ones(n), Squared(), L2(1))).matrix, np.arange(n)[1:], factors[1:], H)
        assert not np.array_equal(H, due), "the control: one row less"


def test_a_run_certifies_the_start_and_the_end_alone(monkeypatch):
    """P falls to a thousandth: relative to P(0) the gap meets the tolerance some steps too early (control)."""
    X = np.random.default_rng(0).standard_normal((400, 6))
    problem = Problem(X, X @ np.ones(6) + 0.03 * np.cos(np.arange(400)), Squared(), L2(1e-6))
    found = solve(problem, "lbfgs", rtol=1e-6)
    assert found.status == "converged" and [entry.epochs for entry in found.history] == [0, found.epochs]
    monkeypatch.setattr(Backend, "own_primal", lambda *given: None)
    assert len(solve(problem, "lbfgs", rtol=1e-6).history) > 2


@pytest.mark.parametrize(
    ("name", "loss", "options"),
    [
        ("newton", Logistic(), {"stride": 1}),
        ("lbfgs", Logistic(), {}),
        ("l1-newton", Logistic(), {}),
        ("proximal-newton", Hinge(), {}),
        ("sdca-newton", Hinge(), {}),
    ],
)
def test_the_order_in_which_rows_store_their_columns_changes_roundings_alone(name, loss, options):
    """Of the methods without a form in plain Python, to which sparse rows in any order would be compared. Six steps
    carry roundings of 1e-16 times n d and a condition below 100: less than 1e-10.
    """
    rng = np.random.default_rng(0)
    X = np.where(rng.random((90, 12)) < 0.5, rng.standard_normal((90, 12)), 0.0)
    y, w = np.where(X[:, 0] + rng.standard_normal(90) > 0, 1.0, -1.0), []
    g = ElasticNet(0.05, 0.01) if name == "l1-newton" else L2(0.05)
    for columns in (np.arange(12), np.arange(12)[::-1], rng.permutation(12)):
        given = csr_array(X[:, columns])[:, np.argsort(columns)]
        assert (given.toarray() == X).all() and (np.diff(given.indices[:4]) > 0).all() == (not w)
        w.append(solve(Problem(given, y, loss, g), name, tol=0.0, max_epochs=6, **options).w)
    assert np.abs(w[1] - w[0]).max() < 1e-10 and np.abs(w[2] - w[0]).max() < 1e-10
    other = solve(Problem(csr_array(X[:, ::-1]), y, loss, g), name, tol=0.0, max_epochs=6, **options).w
    assert np.abs(other - w[0]).max() > 1e-2, "control: of other columns"
