"""SDCA with Newton's method on free rows: optima that certificates prove, its steps from their definition, and how
often Python calls compiled code.
"""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.extras.baselines.sdca_newton import compiled
from dualgap.extras.baselines.sdca_newton.reference import SDCANewton
from dualgap.fast import kernels, solve
from dualgap.fast.compiler.first_calls import Kernel
from dualgap.fast.methods.base import DualVectors, step_numbers
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.solver.backends import Backend
from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    NonNegative,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
)

LOSSES = [Hinge(), Absolute(), SmoothedHinge(), SquaredHinge(), Squared()]  # with Newton's steps
ALL = [*LOSSES, Logistic()]
SHAPES = [(200, 5), (8, 40), (1, 3)]


def problem_of(loss, shape, regularizer, sparse=False, seed=0, weighted=False):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random(shape) < 0.6, rng.standard_normal(shape), 0.0)
    z = X @ rng.standard_normal(shape[1]) + 0.3 * rng.standard_normal(shape[0])
    y = np.where(z > 0, 1.0, -1.0) if loss.margin else z
    rows = csr_array(X) if sparse else X
    if weighted:
        return WeightedProblem(rows, y, loss, regularizer, 2.0 ** rng.integers(-1, 2, shape[0]))
    return Problem(rows, y, loss, regularizer)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("loss", ALL, ids=repr)
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_certificate_proves_the_optimum(loss, shape, sparse, weighted):
    for regularizer in (L2(1e-1), L2(1e-3), ElasticNet(1e-1, 1e-2), NonNegative(1e-1)):
        problem = problem_of(loss, shape, regularizer, sparse, weighted=weighted)
        result = solve(problem, "sdca-newton", tol=1e-300, rtol=1e-6, max_epochs=900 if weighted else 300)
        assert result.gap_bound <= max(1e-6 * result.primal, 1e-14), (regularizer, result.status, result.gap)


def test_other_losses_and_numbers_are_refused():
    own = type("Own", (SmoothedHinge,), {"name": "own"})()
    refuses(HypothesisViolated, "own", SDCANewton().require_start, problem_of(own, (8, 4), L2(1.0)))


@pytest.mark.parametrize("shape", [(30, 40), (5000, 3)], ids=str)
@pytest.mark.parametrize("loss", [Logistic(), SquaredHinge()], ids=repr)
def test_sweeps_of_a_smooth_loss_tell_the_gap_at_their_end(loss, shape):
    """Up to a factor of 16, also where 2,500 of 5,000 rows are asked. The mean of what they tell, without the rate of
    the sweeps, is more than 16 times the gap: the control.
    """
    problem, run = problem_of(loss, shape, L2(5.0)), kernels()["sdca-newton"]()
    state = run.run(problem, [0] * 3)
    gap = objective_of(problem).gap(*run.view(problem, state))
    assert gap / 16 <= state.told <= 16 * gap < state.gaps / problem.n


@pytest.mark.parametrize("shape", [(300, 5), (30, 40), (200, 210)], ids=str)
@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_passes_in_one_call_are_bit_identical_to_single_ones(loss, shape):
    problem, run = problem_of(loss, shape, L2(1e-3)), kernels()["sdca-newton"]()
    together, single = run.init(problem), run.init(problem)
    made = calls = 0
    while made < 12 and not together.told <= 1e-4:
        made, calls = made + run.steps_until(problem, together, 12 - made, 1e-4, math.inf), calls + 1
    assert calls == 1 + (shape[0] == 200) < made, "X X^T is made between two calls"
    for _ in range(made):
        run.advance(problem, single, [0])
    assert together.key() == single.key()
    run.advance(problem, single, [0])
    assert together.key() != single.key(), "control: a pass more is seen"


@pytest.mark.parametrize("shape", [(30, 40), (110, 120)], ids=str)
@pytest.mark.parametrize("loss", ALL, ids=repr)
def test_the_products_of_wide_rows_with_v_follow_the_steps(loss, shape):
    """X X^T takes the place of X after 0, 1 or 2 sweeps, but not with l1 or for sparse rows. The products with v of the
    pass before differ: the control.
    """
    problem, run = problem_of(loss, shape, L2(1e-3)), kernels()["sdca-newton"]()
    state, before = run.run(problem, [0] * 3), run.run(problem, [0] * 2)
    (due, _), (old, _) = run.view(problem, state), run.view(problem, before)
    assert np.abs(problem.X @ due - state.z).max() <= 1e-12 * np.abs(state.z).max()
    assert np.abs(problem.X @ old - state.z).max() > 1e-6 * np.abs(state.z).max()
    for other in (problem_of(loss, shape, ElasticNet(1e-3, 1e-3)), problem_of(loss, shape, L2(1e-3), sparse=True)):
        assert run.run(other, [0] * 3).z.size == 0


def free(problem, passes):
    """The numbers of a run after some passes, and its rows inside their interval with their slopes."""
    run, objective = kernels()["sdca-newton"](), objective_of(problem)
    state = run.run(problem, [0] * passes)
    state.v = objective.v(state.alpha)  # with X X^T it is that of an earlier step
    given = objective.arrays.matrix, step_numbers(objective)
    rows, _ = compiled.free_rows(*given, DualVectors(state.v, state.alpha), problem.n)
    return *given, rows, state


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("shape", [(60, 5), (30, 40)], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_direction_solves_the_system_of_its_definition(shape, sparse, weighted):
    """In both forms of the matrix; 1e-9 for condition numbers below 1e4. A system without one row is seen."""
    problem = problem_of(SmoothedHinge(), shape, L2(1e-2), sparse, weighted=weighted)
    rows, run, found, state = free(problem, 1)
    picked, d, n = np.arange(found.rows.size), problem.d, problem.n
    inside = problem.X.toarray()[found.rows] if sparse else problem.X[found.rows]
    s = np.array(problem.weights)[found.rows] if weighted else np.ones(len(inside))
    due = np.linalg.solve(inside @ inside.T / (1e-2 * problem.mass) + np.diag(1 / s + 0.5), found.slopes) / s
    assert len(inside) > 3
    K = compiled.products_of(rows, found.rows, d)
    for products in (K, np.empty((0, 0))):
        step = compiled.direction(rows, run, found, picked, products, 0.5, d)
        assert np.linalg.norm(step - due) <= 1e-9 * np.linalg.norm(due)
    if not sparse:
        products = compiled.Products(problem.X @ problem.X.T, 1.0)
        same, _ = compiled.free_rows(products, run, DualVectors(problem.X @ state.v, state.alpha), n)
        assert np.abs(same.slopes - found.slopes).max() <= 1e-12
        step = compiled.direction(products, run, same, picked, compiled.products_of(products, same.rows, d), 0.5, d)
        assert np.linalg.norm(step - due) <= 1e-9 * np.linalg.norm(due)
    other = compiled.direction(rows, run, found, picked[1:], K, 0.5, d)
    assert np.linalg.norm(other - due[1:]) > 1e-6 * np.linalg.norm(due), "control"


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_newton_s_steps_stay_inside_keep_w_and_increase_D(loss, weighted):
    """More than a pass of SDCA does from there, except for rows that move alone."""
    problem = problem_of(loss, (80, 20), L2(1e-3), weighted=weighted)
    rows, run, found, state = free(problem, 4)
    before = objective_of(problem).D(state.alpha)
    compiled.newton_steps(rows, run, DualVectors(state.v, state.alpha), found.rows.size, 1e-2)
    objective = objective_of(problem)
    assert objective.first_outside(state.alpha) == problem.n
    v = objective.v(state.alpha)
    assert np.linalg.norm(state.v - v) <= 1e-12 * np.linalg.norm(v)
    assert objective.D(state.alpha) > before


def test_without_newton_s_steps_it_takes_many_more_passes(monkeypatch):
    """Control: they matter. 38 passes against more than 100."""
    problem = problem_of(Hinge(), (200, 5), L2(1e-4))
    options = {"tol": 0.0, "rtol": 1e-6, "max_epochs": 100}
    assert solve(problem, "sdca-newton", **options).epochs < 60
    monkeypatch.setattr(compiled, "passes", compiled.passes.py_func)
    monkeypatch.setattr(compiled, "WORTH", 0.0)
    assert solve(problem, "sdca-newton", **options).status == "max_epochs"


def calls_of_a_run(problem, rtol, monkeypatch):
    """Calls of compiled code by Python, and the result."""
    found, call = [], Kernel.__call__
    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "__call__", lambda self, *given: found.append(self) or call(self, *given))
        result = solve(problem, "sdca-newton", tol=0.0, rtol=rtol)
    return len(found), result


def test_calls_of_compiled_code_follow_the_certificates_and_not_the_passes(monkeypatch):
    """At most 25 calls for a certificate and its share of the rest. Pass by pass there are more: the control."""
    problem = problem_of(Hinge(), (200, 5), L2(1e-4))
    solve(problem, "sdca-newton", rtol=1e-3)  # what is made once
    calls, result = calls_of_a_run(problem, 1e-6, monkeypatch)
    assert result.status == "converged" and result.epochs > 20 and calls <= 25 * len(result.history), calls
    monkeypatch.setattr(Backend, "takes_several", lambda self: False)
    alone, other = calls_of_a_run(problem, 1e-6, monkeypatch)
    assert alone >= calls + result.epochs / 2 and other.w.tolist() == result.w.tolist()
