"""The proximal Newton method: optima that certificates prove, its step from its definition, starts and weights."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.extras.baselines.newton import compiled as newton
from dualgap.extras.baselines.proximal_newton import compiled
from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.reference import (
    L2,
    LOSSES,
    Absolute,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    InterceptProblem,
    Logistic,
    Method,
    Problem,
    Squared,
    WeightedProblem,
    all_methods,
    method,
)

SHAPES = [(200, 5), (60, 60), (8, 40), (300, 1), (1, 3)]


def problem_of(loss, shape, lam, weighted=False, sparse=False, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random(shape) < 0.6, rng.standard_normal(shape), 0.0)
    z = X @ rng.standard_normal(shape[1]) + 0.3 * rng.standard_normal(shape[0])
    y = np.where(z > 0, 1.0, -1.0) if loss.margin else z
    rows = csr_array(X) if sparse else X
    return (
        WeightedProblem(rows, y, loss, L2(lam), rng.random(shape[0]) + 0.1)
        if weighted
        else Problem(rows, y, loss, L2(lam))
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("loss", [kind() for kind in LOSSES.values()], ids=repr)
@pytest.mark.parametrize(("weighted", "sparse"), [(False, False), (True, True)])
def test_a_certificate_proves_the_optimum(loss, shape, weighted, sparse):
    """The certificate depends on (w, alpha) only, so it needs no second solver."""
    for lam in (1e-1, 1e-3, 1e-6):
        problem = problem_of(loss, shape, lam, weighted, sparse)
        result = solve(problem, "proximal-newton", tol=0.0, rtol=1e-6, max_epochs=150)
        assert result.gap_bound <= 1e-6 * result.primal, (lam, result.status, result.gap)


@pytest.mark.parametrize("kind", [Problem, InterceptProblem])
@pytest.mark.parametrize("shape", [(40, 40), (30, 60)], ids=str)
@pytest.mark.parametrize("loss", [Hinge(), Absolute()], ids=repr)
def test_a_tiny_lam_needs_few_steps_with_as_many_columns_as_rows(loss, shape, kind):
    """5 to 31 steps. Five of these eight took more than 60 with a direction that divides a difference by lam."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape)
    for j in range(1, shape[1]):
        X[:, j] = 0.9 * X[:, j - 1] + 0.19**0.5 * X[:, j]
    z = X @ rng.standard_normal(shape[1]) + 0.3 * rng.standard_normal(shape[0])
    problem = kind(X, np.where(z > 0, 1.0, -1.0) if loss.margin else z, loss, L2(1e-8))
    assert solve(problem, "proximal-newton", tol=0.0, rtol=1e-6, max_epochs=60).status == "converged"


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_a_long_row_hides_no_progress_of_the_others(make, monkeypatch):
    """81 steps. If the roundings of one row were taken for those of all, q would stay as it is: the control, of the
    steps in Python, which sparse rows have.
    """
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, 5))
    y = np.where(X @ rng.standard_normal(5) + 0.3 * rng.standard_normal(400) > 0, 1.0, -1.0)
    X[0] *= 1e6
    options = {"tol": 0.0, "rtol": 1e-6, "max_epochs": 120}
    assert solve(Problem(make(X), y, Hinge(), L2(1e-9)), "proximal-newton", **options).status == "converged"
    measures = compiled.measures
    monkeypatch.setattr(compiled, "measures", lambda *given: (*measures(*given)[:2], np.inf))
    assert solve(Problem(csr_array(X), y, Hinge(), L2(1e-9)), "proximal-newton", **options).status != "converged"


@pytest.mark.parametrize("shape", [(200, 5), (8, 40)], ids=str)
@pytest.mark.parametrize("loss", [Hinge(), Absolute()], ids=repr)
def test_a_direction_solves_the_system_of_its_definition(loss, shape):
    """Condition numbers below 1e4 here, so 1e-9 of the length; a Hessian without one row is seen."""
    problem = problem_of(loss, shape, 1e-2, weighted=True)
    method, objective = kernels()["proximal-newton"](), objective_of_rows(problem)
    state, found = method.init(problem), None
    while found is None or found.free.size < 2:
        method.advance(problem, state, [0])
        found = method.inner(objective, state)
    kink = -np.asarray(problem.y) * state.alpha if loss.margin else state.alpha
    inside = np.flatnonzero((kink > (0 if loss.margin else -1)) & (kink < 1))
    assert found.free.tolist() == inside.tolist()
    weights, X = np.asarray(problem.weights, dtype=float), problem.X

    def solution(rows):
        H = (X[rows].T * (weights[rows] / (state.q * weights.sum()))) @ X[rows]
        return np.linalg.solve(H + 1e-2 * np.eye(problem.d), -found.gradient)

    p, added = method.newton_direction(objective, state, found, weights.sum())
    if shape[0] <= shape[1]:
        assert np.linalg.norm(X.T @ (weights * added) / weights.sum() - p) <= 1e-9 * np.linalg.norm(p)
    assert np.linalg.norm(p - solution(inside)) <= 1e-9 * np.linalg.norm(p)
    assert np.linalg.norm(p - solution(inside[1:])) > 1e-6 * np.linalg.norm(p), "control"


TELLING = [
    ("proximal-newton", problem_of(Hinge(), (30, 4), 1e-3)),
    ("proximal-newton", problem_of(Absolute(), (8, 40), 1e-3, weighted=True)),
    # the points of XOR: no direction descends after some step, and the centre moves all the same
    ("proximal-newton", Problem([[1.0, 1], [-1, -1], [1, -1], [-1, 1]], [1.0, 2, 1, 2], Absolute(), L2(1.0))),
    *((name, problem_of(Logistic(), (30, 4), 1e-3)) for name in ("lbfgs", "newton", "l1-newton")),
    ("l1-newton", problem_of(Squared(), (30, 4), 1e-3).with_regularizer(ElasticNet(1e-3, 1e-2))),
]


@pytest.mark.parametrize(("name", "problem"), TELLING)
def test_every_step_tells_the_gap_of_its_pair(name, problem):
    """Up to the roundings of the certificate, gap_bound - gap. Half of it is seen."""
    steps, half = kernels()[name](), False
    state = steps.init(problem)
    for _ in range(60):
        steps.advance(problem, state, [0])
        pair, told = Certificate(problem, *steps.view(problem, state)), method(name).own_gap(problem, state)
        assert abs(told - pair.gap) <= pair.gap_bound - pair.gap
        half |= abs(told / 2 - pair.gap) > pair.gap_bound - pair.gap
    assert half == (problem.n > 4), "control; the gaps of XOR are roundings"


def test_every_method_that_tells_a_gap_is_among_them():
    assert {name for name, kind in all_methods().items() if kind.own_gap is not Method.own_gap} == set(dict(TELLING))


def test_a_start_at_the_solution_needs_no_step_and_never_gets_worse():
    problem = problem_of(Hinge(), (200, 5), 1e-3)
    best = solve(problem, "proximal-newton", tol=1e-12, max_epochs=200)
    again = solve(problem, "proximal-newton", alpha=best.alpha, w=best.w, tol=1e-12)
    assert again.epochs == 0 and again.gap_bound <= best.gap_bound


def test_without_the_free_rows_in_the_matrix_it_takes_many_more_steps(monkeypatch):
    """Control: the matrix matters. 22 steps against more than 100, with sparse rows."""
    problem = problem_of(Hinge(), (200, 5), 1e-4, sparse=True)
    steps = solve(problem, "proximal-newton", tol=0.0, rtol=1e-6, max_epochs=100).epochs
    monkeypatch.setattr(newton, "add_rows", lambda rows, picked, curved, H: None)
    assert steps < 60 and solve(problem, "proximal-newton", tol=0.0, rtol=1e-6, max_epochs=100).status == "max_epochs"


def test_a_matrix_that_is_too_large_is_refused_and_auto_does_without():
    n = 1501
    X = csr_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))
    problem = Problem(X, np.ones(n), Hinge(), L2(1.0))
    refuses(HypothesisViolated, "at most 1500", solve, problem, "proximal-newton")
    assert solve(problem, rtol=1e-6).status == "converged"
