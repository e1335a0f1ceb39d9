"""``solve`` ends in an honest status with a certified pair, whatever the method, the backend and the user do."""

import inspect
import math
import pickle
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from support import by_day, facts, fitting, refuses

from dualgap.fast import kernels, solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.data.load import load
from dualgap.fast.problem.objective import Objective
from dualgap.fast.solver import single_run
from dualgap.fast.solver.backends import Backend, backend_of
from dualgap.fast.solver.parameters import CHECKPOINTS, OF_SWEEP, SETTINGS
from dualgap.fast.solver.settings import Settings
from dualgap.fast.solver.sweep import sweep
from dualgap.reference import (
    L2,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    all_methods,
)
from dualgap.reference.methods.registry import parameters_of
from dualgap.reference.methods.sampling import draw

DATA = aspdc_synthetic(n=40, d=8, seed=1)


def problem_of(lam=0.05, loss=None, l1=0.0):
    """Unit rows, n = 40: ASPDC's threshold 4/(n gamma) is 0.1 for gamma = 1; ASPDC-i is for lam below it."""
    return Problem(DATA.X, DATA.y, SmoothedHinge() if loss is None else loss, ElasticNet(lam, l1))


LINEAR = [name for name in sorted(kernels()) if not all_methods()[name].sublinear]
SOLVED = list(product(LINEAR, [Squared(), SmoothedHinge(), SmoothedHinge(0.25), Logistic()]))


@pytest.mark.parametrize("case", by_day(SOLVED, *SOLVED[::3]), ids=str)  # each method with one loss or two
def test_the_primal_is_an_independent_optimum_within_the_certified_gap(case):
    name, loss = case
    problem = fitting(name, (problem_of(lam, loss) for lam in (0.02, 0.002, 1.0)))
    lam, averages = problem.regularizer.lam, "T0" in parameters_of(all_methods()[name])
    tol, options = (1e-6, {"T0": 400}) if averages else (1e-9, {})  # outputs remember early states
    result = solve(problem, name, tol=tol, max_epochs=20000, **options)
    assert result.status == "converged" and result.gap <= tol

    def gradient(w):
        z = DATA.X @ w
        return DATA.X.T @ [loss.over(float).derivative(float(z_i), y_i) for z_i, y_i in zip(z, DATA.y)] / 40 + lam * w

    other = minimize(lambda w: problem.P(w.tolist()), np.zeros(8), jac=gradient, method="BFGS", options={"gtol": 1e-7})
    # P is lam-strongly convex, so that scipy's point is within ||grad P||^2/(2 lam) of the optimum; ours within the
    # certified gap. P itself (40 terms of size 1) rounds by less than 1e-13.
    accuracy = float(gradient(other.x) @ gradient(other.x)) / (2 * lam)
    assert accuracy <= 1e-8
    assert -result.gap - 1e-13 <= other.fun - result.primal <= accuracy + 1e-13


def test_solve_makes_the_steps_of_the_plain_method_and_nothing_else():
    problem = problem_of(0.05)
    result = solve(problem, "sdca", tol=0, max_epochs=7, seed=5)
    sdca = kernels()["sdca"]()
    state = sdca.run(problem, np.concatenate([draw("uniform", 40, 5, p) for p in range(7)]))
    assert result.epochs == 7 and result.history[-1].gap == result.gap
    assert result.alpha.tobytes() == state.alpha.tobytes()
    assert result.w.tobytes() == sdca.view(problem, state)[0].tobytes()


def test_converged_by_tol_or_by_rtol_whichever_is_met_first():
    problem = problem_of()
    by_tol = solve(problem, "sdca", tol=1e-4)
    by_rtol = solve(problem, "sdca", rtol=1e-4)  # no tol: the default one must not be met first
    assert by_tol.status == by_rtol.status == "converged"
    assert by_tol.gap <= 1e-4 and by_rtol.gap <= 1e-4 * abs(by_rtol.primal)
    assert (by_rtol.tol, by_tol.rtol, solve(problem, "sdca").tol) == (0.0, 0.0, 1e-6)
    assert by_rtol.gap == by_rtol.certificate.gap == by_rtol.history[-1].gap


def test_max_epochs_is_a_status_with_advice():
    result = solve(problem_of(), "sdca", tol=1e-12, max_epochs=3)
    assert (result.status, result.epochs) == ("max_epochs", 3)
    assert "max_epochs" in result.advice and "1e-12" in result.advice


def test_no_pass_at_all_certifies_the_start():
    result = solve(problem_of(), "sdca", max_epochs=0)
    assert (result.status, result.epochs, len(result.history)) == ("max_epochs", 0, 1)
    assert not result.alpha.any()


def test_max_seconds_is_looked_at_after_every_pass(monkeypatch):
    clock = iter(range(10**9))
    # every look at the clock takes a second
    monkeypatch.setattr(single_run.time, "perf_counter", lambda: float(next(clock)))
    result = solve(problem_of(1e-9), "sdca", tol=0, max_epochs=10**9, max_seconds=100.0)
    assert result.status == "max_seconds" and "max_seconds" in result.advice
    # A look a pass, and no more than one more for the progress and two for the certificate.
    assert 100 // 4 <= result.epochs <= 100
    assert result.epochs not in {
        entry.epochs for entry in solve(problem_of(1e-9), "sdca", tol=0, max_epochs=200).history
    }


def test_a_callback_sees_every_certificate_and_may_interrupt():
    seen = []

    def watch(entry):
        seen.append(entry)
        if len(seen) == 3:
            raise KeyboardInterrupt

    result = solve(problem_of(), "sdca", tol=0, callback=watch)
    assert (result.status, result.epochs) == ("interrupted", seen[-1].epochs)
    assert seen == list(result.history[:-1])  # the last one was made after the interrupt
    assert result.gap == min(entry.gap for entry in result.history)


def test_progress_is_told_after_every_pass_and_changes_nothing():
    told = []
    result = solve(
        problem_of(), "sdca", tol=0, max_epochs=9, progress=lambda epochs, seconds: told.append((epochs, seconds))
    )
    assert [epochs for epochs, _ in told] == list(range(1, 10))
    assert all(0 <= a <= b for (_, a), (_, b) in zip(told, told[1:]))
    assert facts(result) == facts(solve(problem_of(), "sdca", tol=0, max_epochs=9))


@pytest.mark.parametrize("name", ["sdca", "aspdc-i-fixed"])
def test_an_interrupt_in_the_middle_of_a_step_still_leaves_a_certified_pair(monkeypatch, name):
    problem, steps, update = problem_of(), [], Problem.update

    def interrupted(self, i, delta, v):
        steps.append(i)
        if len(steps) == 90:  # alpha_i is written, v is not
            raise KeyboardInterrupt
        update(self, i, delta, v)

    monkeypatch.setattr(Problem, "update", interrupted)
    result = solve(problem, name, tol=0, backend="reference")
    assert (result.status, result.epochs) == ("interrupted", 2)
    assert result.gap == problem.gap(result.w.tolist(), result.alpha.tolist())
    assert result.gap < result.history[0].gap


def test_a_second_interrupt_gives_up_the_last_certificate_but_not_the_best(monkeypatch):
    problem, certificate, calls = problem_of(), Backend.certificate, []

    def slow(self, problem, state, tol, rtol):
        calls.append(1)
        if len(calls) >= 3:
            raise KeyboardInterrupt
        return certificate(self, problem, state, tol, rtol)

    monkeypatch.setattr(Backend, "certificate", slow)
    result = solve(problem, "sdca", tol=0)
    assert result.status == "interrupted" and result.gap == result.history[1].gap


def test_divergence_is_a_status_and_the_best_pair_is_kept():
    problem = Problem(np.ones((2, 1)), [1.0, -0.5], Squared(), L2(1e-3))  # K = 500
    result = solve(problem, "aspdc", mode="unchecked", tol=0)
    assert result.status == "diverged" and "lam is too small" in result.advice
    assert result.gap == min(entry.gap for entry in result.history) <= result.history[0].gap


def test_a_cycle_outside_the_hypothesis_is_stalled():
    problem = Problem([[1.0]], [1.0], SmoothedHinge(), L2(0.5))  # alpha = 0, -1, 0, -1, ... for ever
    result = solve(problem, "aspdc", mode="unchecked")
    assert (result.status, result.gap) == ("stalled", 0.5)
    assert "cycles" in result.advice


def test_a_gap_at_the_level_of_rounding_ends_with_that_status():
    rng = np.random.default_rng(0)
    problem = Problem(rng.standard_normal((5, 3)), rng.choice([-1.0, 1.0], 5), Logistic(), L2(0.3))
    result = solve(problem, "sdca", tol=0)
    assert result.status == "rounding" and 0 < result.gap <= result.gap_bound <= result.certificate.rounding
    assert result.epochs < 1000


def test_a_warm_start_from_a_result_is_certified_without_a_pass():
    problem = problem_of()
    first = solve(problem, "sdca", tol=1e-8)
    again = solve(problem, "sdca", tol=1e-8, alpha=first.alpha)
    assert (again.status, again.epochs) == ("converged", 0)
    assert first.alpha.tobytes() == again.alpha.tobytes()


@pytest.mark.parametrize("backend", ["fast", "reference"])
def test_drift_of_v_away_from_alpha_is_repaired_when_it_could_hold_up_the_gap(backend):
    problem = problem_of()
    driver = backend_of(backend, "sdca", {})
    state = driver.init(problem, solve(problem, "sdca", tol=1e-12).alpha)
    exact = list(state.v)
    assert driver.certificate(problem, state).gap <= 1e-12 and list(state.v) == exact
    state.v = type(state.v)(exact) if backend == "reference" else state.v.copy()
    state.v[0] += 1e-3  # as if rounding had done it
    repaired = driver.certificate(problem, state)
    assert repaired.gap <= 1e-12 and repaired.regularizer_part == 0
    assert list(state.v) == Objective(problem).v(np.array(state.alpha)).tolist()


def test_a_violated_hypothesis_is_refused_before_any_step():
    refuses(HypothesisViolated, "4R", lambda: solve(problem_of(0.05), "aspdc"))
    refuses(HypothesisViolated, "smooth", lambda: solve(problem_of(0.5, Hinge()), "aspdc"))
    assert solve(problem_of(0.05), "aspdc", mode="sharp", tol=1e-3).status == "converged"


def test_options_of_the_method_pass_through():
    problem = problem_of(0.05)
    refuses(HypothesisViolated, "m >= 3n/2", solve, problem, "aspdc-i-fixed", m=5)
    assert solve(problem, "aspdc-i-fixed", m=70, kappa=0.06, tol=1e-4).status == "converged"
    assert solve(problem, "aspdc-i", stop="S", tol=1e-4).status == "converged"
    refuses(ValueError, "stop must be one of xi, S", solve, problem, "aspdc-i", stop="T")
    refuses(ValueError, "method sdca has no option 'stop'", solve, problem, "sdca", stop="S")


@pytest.mark.parametrize(
    "method, options, message",
    [
        (
            "aspdc",
            {"certify_every": 1},
            "method aspdc has no option 'certify_every': it takes none; the others are settings of solve",
        ),
        (
            "sdca",
            {"max_epoch": 5},
            "method sdca has no option 'max_epoch'; max_epochs is the nearest name: it takes none",
        ),
        (
            "aspdc-i-fixed",
            {"kapa": 1},
            "method aspdc-i-fixed has no option 'kapa'; kappa is the nearest name: it takes kappa, m;",
        ),
        ("lbfgs", {"maxcor": 5}, "method lbfgs has no option 'maxcor': it takes memory;"),
        ("passcode-wild", {"delay": 2}, "method passcode-wild has no option 'delay': it takes none;"),
        ("sdca", {"backend": "reference", "m": 5}, "method sdca has no option 'm': it takes none;"),
        (
            "spdc-minibatch",
            {"delt": 1},
            "delta is the nearest name: it takes theta, delta, R, tau, sigma, m, sampling;",
        ),
    ],
)
def test_an_option_that_the_method_does_not_have_is_refused_by_name(method, options, message):
    refuses(ValueError, message, lambda: solve(problem_of(0.05), method, **options))


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"tol": -1.0}, "tol must be"),
        ({"tol": math.nan}, "tol must be"),
        ({"rtol": math.inf}, "rtol must be"),
        ({"max_epochs": -1}, "max_epochs must be"),
        ({"max_epochs": 2.5}, "max_epochs must be"),
        ({"seed": -3}, "seed must be"),
        ({"max_seconds": 0}, "max_seconds must be"),
        ({"order": "cyclic"}, "order must be"),
        ({"mode": "wild"}, "mode must be"),
        ({"backend": "gpu"}, "backend must be"),
        ({"method": "adam"}, "unknown method 'adam'"),
        ({"alpha": [2.0] * 40}, "outside the domain"),
        ({"alpha": [0.0]}, "40 rows"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, message):
    refuses(ValueError, message, lambda: solve(problem_of(), **{"method": "sdca", **settings}))


@pytest.mark.parametrize("name", sorted(set(kernels()) - {"passcode-wild"}))
def test_no_run_makes_more_passes_than_it_may(name):
    problem = problem_of()
    most = {
        limit: solve(problem, name, mode="unchecked", tol=0.0, max_epochs=limit) for limit in (0, 1, 2, 3, 4, 5, 11)
    }
    exceeds = name == "aspdc-i"  # by the moves of its centre in the last draw, which nothing tells before
    assert all(
        (result.epochs <= limit or exceeds) and result.history[-1].epochs == result.epochs
        for limit, result in most.items()
    )
    assert most[11].epochs > 5
    driver = Settings.of(name, mode="unchecked").driver()
    state = driver.init(problem, None)
    assert most[1].epochs == 1 or driver.least_passes(problem, state, 0) > 1
    for drawn in range(6):  # what a draw takes is known before it is made
        said = driver.least_passes(problem, state, drawn)
        driver.advance(problem, state, driver.implementation.draw(problem, "uniform", 0, drawn))
        found = driver.passes(problem, state, drawn + 1)
        assert found == said or name.startswith("aspdc-i") and found > said


def test_every_keyword_of_solve_and_sweep_is_refused_by_its_name():
    nothing, data = type("Nothing", (), {})(), load("orthonormal:n=4")
    for function, first, given, rules in (
        (solve, [problem_of()], {}, SETTINGS | CHECKPOINTS),
        (sweep, [], {"datasets": data, "loss": SmoothedHinge(), "lams": [1.0]}, OF_SWEEP),
    ):
        taken = inspect.signature(function).parameters.values()
        for name in {one.name for one in taken if one.kind is one.KEYWORD_ONLY} | rules.keys():
            with pytest.raises(ValueError, match=rf"^{name} must .*\(got <.*Nothing object"):
                function(*first, **{**given, name: nothing})
    for bad in ({"lams": ["0.1"]}, {"lams": [True]}, {"seeds": ["1"]}, {"seeds": [-1]}):
        with pytest.raises(ValueError, match=f"^{next(iter(bad))} must be"):
            sweep(**{"datasets": data, "loss": SmoothedHinge(), "lams": [1.0], **bad})
    for good in (
        {"seed": np.int64(3)},
        {"max_epochs": np.int32(5)},
        {"tol": np.float32(1e-3)},
        {"max_seconds": math.inf},
    ):
        assert solve(problem_of(), **good).epochs >= 0


def test_a_start_at_which_the_objectives_overflow_is_refused():
    refuses(ValueError, "overflow", lambda: solve(Problem([[1e150]], [1.0], Squared(), L2(1)), "sdca", alpha=[1e100]))


def test_a_result_can_be_pickled_and_its_certificate_is_computed_anew():
    result = solve(problem_of(), "sdca", tol=1e-4)
    assert facts(pickle.loads(pickle.dumps(result))) == facts(result)
