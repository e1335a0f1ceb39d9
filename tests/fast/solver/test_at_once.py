"""A small problem in one call against a whole run: the same bits, and a whole run where anything else is asked for."""

import numpy as np
import pytest

from dualgap.extras.baselines.newton.compiled import FastNewton
from dualgap.fast import solve
from dualgap.fast.solver import at_once
from dualgap.fast.solver.run import SolverRun
from dualgap.reference import (
    L2,
    InterceptProblem,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
)

LOSSES = [Squared(), Logistic(), SmoothedHinge(), SquaredHinge()]


def small(loss, kind=Problem, lam=1e-3, shape=(83, 5)):
    rng = np.random.default_rng(4)
    X = rng.standard_normal(shape)
    y = np.where(X[:, 0] + rng.standard_normal(shape[0]) > 0, 1.0, -1.0)
    return kind(X, y, loss, L2(lam), *((rng.random(shape[0]) + 0.5,) if kind is WeightedProblem else ()))


@pytest.mark.parametrize("tolerance", [{"rtol": 1e-6}, {"tol": 1e-3}, {"rtol": 1e-12}, {"tol": 0.0}], ids=str)
@pytest.mark.parametrize("kind", [Problem, WeightedProblem, InterceptProblem])
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_a_run_that_nobody_watches_ends_at_the_bits_of_a_whole_run(loss, kind, tolerance, monkeypatch):
    """tol = 0 cannot be met: then the whole run is made, with the same status."""
    found, calls = at_once.at_once, []
    monkeypatch.setattr("dualgap.fast.solver.solve.at_once", lambda *given: calls.append(found(*given)) or calls[-1])
    result = solve(small(loss, kind), **tolerance)
    whole = solve(small(loss, kind), callback=lambda entry: None, **tolerance)
    assert len(calls) == 1 and (calls[0] is result) == (tolerance != {"tol": 0.0})
    for name in ("status", "epochs", "method", "reason", "advice", "notes", "tol", "rtol", "gap_bound", "intercept"):
        assert getattr(result, name) == getattr(whole, name), name
    assert result.w.tobytes() == whole.w.tobytes() and result.alpha.tobytes() == whole.alpha.tobytes()
    assert result.gap_bound in [entry.gap_bound for entry in result.history]
    assert solve(small(loss, kind, 2e-3), **tolerance).w.tobytes() != result.w.tobytes(), "control"


@pytest.mark.parametrize(
    "asked",
    [
        {"callback": lambda entry: None},
        {"progress": lambda passes, seconds: None},
        {"max_seconds": 60.0},
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
    assert solve(small(Logistic()), rtol=1e-6, seed=3, max_epochs=50).history[0].epochs > 0 and not runs, "control"
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
