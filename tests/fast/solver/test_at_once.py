"""A small problem in one call against a whole run: the same bits, and a whole run where anything else is asked for."""

import time

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.extras.baselines.newton.compiled import FastNewton
from dualgap.extras.baselines.sdca_newton.compiled import FastSDCANewton
from dualgap.fast import solve
from dualgap.fast.solver.run import SolverRun
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
)

WATCHED = {}, {"callback": lambda entry: None}
LOSSES = [Squared(), Logistic(), SmoothedHinge(), SquaredHinge(), Hinge()]


def small(loss, kind=Problem, lam=1e-3, shape=(83, 5), sparse=False):
    rng = np.random.default_rng(4)
    X = rng.standard_normal(shape)
    X = csr_array(np.where(rng.random(shape) < 0.5, X, 0.0)) if sparse else X
    y = np.where(X @ np.ones(shape[1]) + rng.standard_normal(shape[0]) > 0, 1.0, -1.0)
    weights = (rng.random(shape[0]) + 0.5,) if kind is WeightedProblem else ()
    return kind(X, y, loss, lam if isinstance(lam, ElasticNet) else L2(lam), *weights)


PROBLEMS = {
    "few numbers": {},
    "l1": {"lam": ElasticNet(1e-3, 1e-2)},
    "wide": {"shape": (20, 90)},
    "sparse": {"sparse": True, "shape": (400, 70)},
    "sparse, wide": {"sparse": True, "shape": (60, 90)},
    "ill-conditioned": {"lam": 1e-8, "shape": (300, 70)},
}


@pytest.mark.parametrize("tolerance", [{"rtol": 1e-6}, {"tol": 0.2}, {"rtol": 1e-11}, {"tol": 0.0}], ids=str)
@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
@pytest.mark.parametrize("given", list(PROBLEMS))
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_a_run_that_nobody_watches_ends_at_the_bits_of_a_whole_run(loss, given, kind, tolerance):
    """Also where the first passes are not enough, as for tol = 0, or the start is."""
    result, whole = (
        solve(small(loss, kind, **PROBLEMS[given]), max_epochs=60, **more, **tolerance) for more in WATCHED
    )
    for name in ("status", "epochs", "method", "reason", "advice", "notes", "tol", "rtol", "gap_bound", "intercept"):
        assert getattr(result, name) == getattr(whole, name), name
    assert result.w.tobytes() == whole.w.tobytes() and result.alpha.tobytes() == whole.alpha.tobytes()
    assert result.gap_bound in [entry.gap_bound for entry in result.history]
    other = solve(small(loss, kind, **{**PROBLEMS[given], "lam": 2e-2}), max_epochs=60, **tolerance)
    assert (other.w.tobytes(), other.gap_bound) != (result.w.tobytes(), result.gap_bound), "control: of another problem"


def test_where_the_first_passes_are_enough_there_is_one_certificate_and_otherwise_that_of_the_start_too():
    assert [entry.epochs > 0 for entry in solve(small(Logistic()), rtol=1e-6).history] == [True]
    assert [entry.epochs for entry in solve(small(Logistic()), tol=0.9).history] == [0], "the start is enough"
    later = solve(small(Hinge(), lam=1e-8, shape=(300, 70)), rtol=1e-9, max_epochs=60)
    assert later.epochs > 16 and [entry.epochs for entry in later.history][:2] == [0, 16]


def test_the_first_passes_count_in_the_time(monkeypatch):
    now, steps = [0.0], FastSDCANewton.steps_until

    def slow(self, *given):
        now[0] += 1.0
        return steps(self, *given)

    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(FastSDCANewton, "steps_until", slow)
    problem = small(Hinge(), lam=1e-8, shape=(300, 70))
    first, watched = (solve(problem, rtol=1e-9, max_epochs=60, **more).history[0].seconds for more in WATCHED)
    assert first >= 1.0 and watched == 0.0, "the start of a whole run is certified before them"
    assert solve(problem, rtol=1e-9, max_seconds=1.0).status == "max_seconds"
    assert solve(problem, rtol=1e-9, max_seconds=1e9).status != "max_seconds", "control"


@pytest.mark.parametrize(
    "asked",
    [
        {"callback": lambda entry: None},
        {"progress": lambda passes, seconds: None},
        {"max_seconds": 0.9},
        {"method": "newton"},
        {"alpha": np.zeros(83)},
        {"alpha": np.zeros(83), "w": np.zeros(5)},
        {"max_epochs": 1},
        {"checkpoint": "run.npz"},
    ],
    ids=lambda asked: "+".join(asked),
)
def test_a_run_that_is_watched_or_limited_is_a_whole_run(asked, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runs, init = [], SolverRun.__init__
    monkeypatch.setattr(
        SolverRun, "__init__", lambda self, *given, **named: runs.append(1) or init(self, *given, **named)
    )
    assert (
        solve(small(Logistic()), rtol=1e-6, seed=3, max_epochs=50, max_seconds=9.0).history[0].epochs > 0 and not runs
    ), "control"
    assert solve(small(Logistic()), rtol=1e-6, **asked).history[0].epochs == 0 and runs


def test_an_interrupt_and_an_overflow_end_as_in_a_whole_run(monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as changed:
        changed.setattr(FastNewton, "steps_until", interrupted)
        result = solve(small(Logistic()), rtol=1e-6)
    assert result.status == "interrupted" and result.epochs == 0 and result.gap_bound < np.inf
    monkeypatch.setattr(FastNewton, "steps_until", lambda *given: (_ for _ in ()).throw(OverflowError("a step")))
    assert solve(small(Logistic()), rtol=1e-6).status == "diverged"


def test_rows_that_change_during_the_run_are_noticed(monkeypatch):
    problem, steps = small(Squared()), FastNewton.steps_until

    def changing(self, problem, *given):
        problem.X[0, 0] += 1.0
        return steps(self, problem, *given)

    monkeypatch.setattr(FastNewton, "steps_until", changing)
    with pytest.raises(ValueError, match="must not be changed in place"):
        solve(problem, rtol=1e-6)
