"""When ``solve`` makes its certificates: few, not long after the tolerance is met, and never trusting an estimate."""

import math

import numpy as np
import pytest

from dualgap.fast import solve
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.solver.backends import backend_of
from dualgap.fast.solver.certificate_schedule import TRUSTED, Schedule, Snapshot
from dualgap.fast.solver.result import Entry
from dualgap.reference import L2, Hinge, Logistic, Problem, SmoothedHinge, SquaredHinge
from dualgap.reference.methods.sampling import draw

SMOOTH = (SmoothedHinge(), SquaredHinge(), Logistic())


def rows(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1)[:, None], rng.choice([-1.0, 1.0], n)


def problem_of(lam, loss, n=60, d=7):
    return Problem(*rows(n, d), loss, L2(lam))


def epochs_of(result):
    return [entry.epochs for entry in result.history]


def test_certificates_come_within_half_of_the_passes_made_and_are_few():
    result = solve(problem_of(1e-3, Hinge()), "sdca", tol=1e-9, max_epochs=3000)
    epochs = epochs_of(result)
    assert result.status == "converged" and epochs[-1] > 50
    assert epochs[1] == 2 and all(b - a <= max(2, a // 2) for a, b in zip(epochs, epochs[1:]))
    gaps = [entry.gap for entry in result.history]
    rose = sum(b >= a for a, b in zip(gaps, gaps[1:]))
    # the growth, rounding down, the end
    assert len(epochs) <= 6 + math.log(epochs[-1] / 6) / math.log(1.5 - 0.1) + 5 + 5 * rose


def test_where_the_gap_does_not_fall_the_next_certificate_is_not_far():
    result = solve(problem_of(1e-3, Hinge()), "sdca", tol=0, max_epochs=300)
    pairs = list(zip(result.history, result.history[1:], result.history[2:]))
    rose = [(now, after) for before, now, after in pairs if now.gap >= before.gap]
    assert rose, "the gap fell every time"
    assert all(after.epochs - now.epochs <= max(1, now.epochs // 5) for now, after in rose)


@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: loss.name)
@pytest.mark.parametrize(("n", "d"), [(60, 7), (20, 40)])
def test_the_tolerance_is_noticed_soon_with_few_certificates(loss, n, d):
    problem, tol = problem_of(2e-2, loss, n, d), 1e-9
    result = solve(problem, "sdca", tol=tol, order="permuted", max_epochs=2000)
    driver = backend_of("fast", "sdca", {})
    state, met = driver.init(problem, None), 0
    while Certificate(problem, *driver.implementation.view(problem, state)).gap > tol:
        driver.advance(problem, state, draw("permuted", n, 0, met))
        met += 1
    epochs = epochs_of(result)
    assert result.status == "converged" and met <= epochs[-1] <= met + max(2, met // 4)
    assert all(b - a <= max(16, a // 2) for a, b in zip(epochs, epochs[1:]))
    assert len(epochs) <= 6 + math.log(max(1.0, epochs[-1] / 16)) / math.log(1.5 - 0.1) + 3


def test_which_methods_and_losses_are_told_by_their_movement():
    smooth, hinge = problem_of(0.1, SmoothedHinge()), problem_of(0.1, Hinge())
    told = {
        (name, problem.loss.name)
        for name in ("sdca", "sdca-shrinking", "aspdc", "sdca-averaged", "passcode-wild", "spdc", "asdca")
        for problem in (smooth, hinge)
        if backend_of("fast", name, {}).gap_tracks_step_size(problem)
    }
    assert told == {(name, "smoothed-hinge") for name in ("sdca", "sdca-shrinking", "aspdc")}


def test_outside_a_theorem_certificates_are_dense():
    problem = problem_of(0.02, SmoothedHinge())
    runs = [solve(problem, "sdca", tol=0, max_epochs=60, mode=mode) for mode in ("paper", "unchecked")]
    told, untold = (epochs_of(run) for run in runs)
    assert told[1] == 16 and untold[:4] == [0, 1, 2, 3]
    assert all(b - a <= max(1, a // 5) for a, b in zip(untold, untold[1:]))


def entry(epochs, gap):
    return Entry(epochs, 0.0, 1.0, 1.0 - gap, gap, gap)


def moved_by(schedule, distance, epochs, last, target):
    schedule.passed(np.zeros(1), np.array([math.sqrt(distance)]), epochs, last, target)


def test_a_schedule_that_is_restored_from_its_snapshot_goes_on_as_the_one_that_gave_it():
    last, target = entry(2, 0.1), 1e-6
    whole, resumed = Schedule(1000, True, True), Schedule(1000, True, True)
    whole.ratio, whole.start = 2.0, 3.0
    moved_by(whole, 0.25e-6, 7, last, target)
    resumed.restore(whole.snapshot(), 7)
    assert vars(resumed) == vars(whole)  # all of it, so that a field that no snapshot holds is noticed
    # the first four belong to the run
    assert vars(whole).keys() == {"max_epochs", "checked", "tells", "begun", *Snapshot._fields}
    for schedule in (whole, resumed):  # the estimate that made the certificate due misled
        schedule.certified([entry(0, 1.0), last, entry(7, 1e-3)], 7, True, target)
    assert whole.due == resumed.due and not whole.by_movement and not resumed.by_movement


def test_a_restored_schedule_keeps_the_limits_of_its_own_run():
    taken = Snapshot(due=30, ratio=2.0, start=3.0, movement=0.5)
    for max_epochs, epochs, due in ((1000, 20, 30), (25, 20, 25), (20, 20, 30)):  # at the limit the run is over
        schedule = Schedule(max_epochs, True, True)
        schedule.restore(taken, epochs)
        assert schedule.snapshot() == taken._replace(due=due)
    blind = Schedule(1000, True, False)  # the movement does not tell the gap
    blind.restore(taken, 20)
    assert not blind.by_movement and blind.due == 30


def test_an_estimate_that_misled_is_the_last_one_and_a_small_miss_is_learnt_from():
    last, target = entry(2, 0.1), 1e-6
    for gap, trusted in ((TRUSTED * target / 2, True), (2 * TRUSTED * target, False)):
        schedule = Schedule(1000, True, True)
        schedule.ratio = 2.0
        moved_by(schedule, 0.25e-6, 7, last, target)
        assert schedule.due == 7
        schedule.certified([entry(0, 1.0), last, entry(7, gap)], 7, True, target)
        assert schedule.by_movement is trusted and 7 < schedule.due <= 23
        if trusted:
            assert schedule.ratio == pytest.approx(gap / 0.25e-6, rel=1e-12)


def test_a_method_that_knows_its_gap_is_certified_when_that_meets_the_tolerance_and_not_before():
    result = solve(problem_of(1e-3, Logistic(), n=400), "newton", tol=1e-9)
    first, last = result.history
    assert (result.status, first.epochs) == ("converged", 0) and 3 <= last.epochs <= 12, "two certificates"
    one_less = solve(problem_of(1e-3, Logistic(), n=400), "newton", tol=1e-9, max_epochs=last.epochs - 1)
    assert one_less.status == "max_epochs" and one_less.gap > 1e-9, "a step earlier the tolerance was not met"
