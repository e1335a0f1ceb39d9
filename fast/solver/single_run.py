"""One method on one problem: passes, certificates, and the decision when to stop.

``certificate_schedule`` decides when certificates are made.
"""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from dualgap.fast.compiler.first_calls import HERE
from dualgap.fast.data.mapped_rows import pieces
from dualgap.fast.methods.base import OutOfTime
from dualgap.fast.methods.passcode import perturbed
from dualgap.fast.problem.certificate import Certificate, certified
from dualgap.fast.problem.gap_bound import UNIT
from dualgap.fast.solver.backends import Backend
from dualgap.fast.solver.certificate_schedule import Schedule
from dualgap.fast.solver.result import Entry
from dualgap.fast.solver.settings import Settings
from dualgap.reference.problem.problem import Problem

BLOWN_UP = 1000  # a gap that no longer falls and is this many times the best one: diverged rather than stalled
PATIENCE = 200  # passes before a run can be called stalled
STANDSTILL = 64  # the same of Newton's method, which by then has halved a step as often as bits have room for


class Record:
    """The certificates and the clock of a run, which all its methods share.

    Parameters
    ----------
    max_seconds : the time from now on, without that of compiling kernels, or None for no limit

    Attributes
    ----------
    started : the ``time.perf_counter()`` of the start; a run that goes on started as long ago as it has taken
    history, best : the Entry of every certificate, and the certificate with the smallest gap_bound
    start : a pair (w, alpha) that the result is no worse than, or None
    finite, rounding : whether the last pair has a certificate, and the level of rounding of the last certificate
    """

    def __init__(self, max_seconds: float | None) -> None:
        self.max_seconds = math.inf if max_seconds is None else max_seconds
        self.start_at(time.perf_counter(), HERE.waited)
        self.history: list[Entry] = []
        self.best: Certificate | None = None
        self.start: Any = None
        self.finite, self.rounding = True, 0.0

    def start_at(self, started: float, waited: float) -> None:
        """Count the time from then on; waited: the seconds of compiling kernels until then."""
        self.started, self.limit = started, started - waited + self.max_seconds

    @property
    def deadline(self) -> float:
        """The ``time.perf_counter()`` of the limit, if no more kernels are compiled until then."""
        return self.limit + HERE.waited

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    def time_is_up(self) -> bool:
        """Return whether the deadline is reached."""
        return time.perf_counter() >= self.deadline


class SingleRun:
    """One method on one problem.

    Parameters
    ----------
    problem : inside the hypothesis of the method
    settings, driver : of the method, and what runs it (``Settings.admitted``)
    record : of the whole run
    until : passes after which a certificate is due in any case
    begun : passes that other methods made before this one

    Attributes
    ----------
    state, drawn : the state of the method, and how many draws led to it
    epochs, origin : all passes of the run, and how many of them other methods made
    """

    def __init__(
        self, problem: Problem, settings: Settings, driver: Backend, record: Record, until: float, begun: int
    ) -> None:
        self.problem, self.settings, self.driver, self.record = problem, settings, driver, record
        self.notes = driver.notes(problem)
        # whether the problem satisfies the hypotheses of the method's theorem
        self.checked = settings.mode != "unchecked" and not driver.loses_writes() and not self.notes
        moves = self.checked and driver.gap_tracks_step_size(problem)
        self.schedule = Schedule(self.last_pass(until), self.checked, moves, driver.tells_gap(), begun)
        self.draw = partial(settings.draw, driver.implementation) if settings.draw else driver.implementation.draw
        self.several = settings.draw is None and settings.progress is None and driver.takes_several()
        self.state: Any = None
        self.drawn, self.epochs, self.origin = 0, begun, begun

    def last_pass(self, until: float) -> int:
        """The passes after which a certificate is due in any case, in a turn that may end after ``until``."""
        return int(min(until, self.settings.max_epochs))

    def advance(self, uninterrupted: Callable[[], AbstractContextManager[None]]) -> None:
        """Make the passes until the next certificate is due, or until the time is up; uninterrupted: around a pass."""
        schedule, record = self.schedule, self.record
        while self.epochs < schedule.due and not record.time_is_up() and not self.used_up():
            with uninterrupted():
                before = self.driver.monitored_vector(self.problem, self.state).copy() if schedule.by_movement else None
                try:
                    self.drawn += self.make_draws()
                except OutOfTime:
                    return
                self.epochs = self.origin + self.driver.passes(self.problem, self.state, self.drawn)
                if before is not None:
                    after = self.driver.monitored_vector(self.problem, self.state)
                    schedule.passed(before, after, self.epochs, record.history[-1], self.target())
                told, target = self.driver.expected_gap(self.problem, self.state), self.target()
                if told is not None and told <= target:  # P was larger at the last certificate
                    target = self.target(self.driver.own_primal(self.problem, self.state))
                if told is not None:
                    schedule.told(told, self.epochs, record.history[-1], target)
            if self.settings.progress is not None:
                self.settings.progress(self.epochs, record.elapsed())

    def continue_from(self, state: Any, epochs: int) -> None:
        """Continue with the state of a method whose draws are passes, after so many of them; a certificate is due."""
        self.state, self.drawn, self.epochs, self.schedule.due = state, epochs, epochs, epochs

    def make_draws(self) -> int:
        """Make the steps of one draw, or of several, which take 50 ms at most, until the gap that they tell meets the
        target; return how many. Raises OutOfTime.
        """
        if self.several:
            until = self.schedule.due - self.epochs, self.target(), self.record.deadline
            return self.driver.steps_until(self.problem, self.state, *until)
        order = self.settings.draw_order
        choices = self.draw(self.problem, order, self.settings.seed, self.drawn)
        for piece in pieces(self.problem, order, choices):
            self.driver.advance(self.problem, self.state, piece, self.record.deadline)
        return 1

    # -- certificates -------------------------------------------------------------------------------------

    def certificate_is_due(self) -> bool:
        """Return whether the schedule asks for a certificate, or no pass is left and the state has none."""
        history = self.record.history
        uncertified = not history or history[-1].epochs < self.epochs
        return self.epochs >= self.schedule.due or uncertified and self.used_up()

    def certify(self) -> None:
        """Certify the state's pair, add it to the history and keep the certificate if it is the best so far."""
        record = self.record
        record.finite = False
        found = self.driver.certificate(self.problem, self.state, *self.settings.tolerances)
        if found is None:
            if record.best is None:
                raise ValueError("the objectives overflow at the start; scale the data down, or start from alpha = 0")
            return
        if record.best is None and record.start is not None:
            found = self.better_start(found)
        record.finite, record.rounding = True, max(found.rounding, found.resolution)
        if record.best is None or found.gap_bound < record.best.gap_bound:
            record.best = found
        record.history.append(
            Entry(self.epochs, record.elapsed(), found.primal, found.dual, found.gap, found.gap_bound)
        )

    def better_start(self, found: Certificate) -> Certificate:
        """Return the certificate, or the one of the starting pair if its bound is smaller."""
        try:
            w, alpha = self.record.start
            given = certified(self.driver.native(self.problem), w, alpha, *self.settings.tolerances)
        except OverflowError:
            return found
        return given if given.gap_bound < found.gap_bound else found

    def tell(self) -> None:
        """Hand the last certificate to the callback."""
        if self.record.finite and self.settings.callback is not None:
            self.settings.callback(self.record.history[-1])

    def target(self, primal: float | None = None) -> float:
        """The gap_bound that meets the request at that P, by default that of the last certificate."""
        tol, rtol = self.settings.tolerances
        return max(tol, rtol * abs(self.record.history[-1].primal if primal is None else primal))

    def perturbed(self) -> Certificate | None:
        """Return the last pair's certificate for the problem that the pair solves, if writes may have been lost."""
        if not self.record.finite or not self.driver.loses_writes():
            return None
        return perturbed(self.problem, *self.driver.implementation.view(self.problem, self.state))

    # -- when to stop -------------------------------------------------------------------------------------

    def status(self) -> str | None:
        """Why the run is over, or None."""
        record = self.record
        if not record.finite:
            return "diverged"
        if record.history[-1].gap_bound <= self.target():  # ASPDC line 9
            return "converged"
        if beyond_doubles(record.history, self.target()):
            return "rounding"
        if self.used_up():
            return "max_epochs"
        if record.time_is_up():
            return "max_seconds"
        descends = self.checked and self.driver.tells_own_gap()
        if no_longer_falls(record.history, self.schedule.begun, record.rounding, self.checked, descends):
            gap = record.history[-1].gap
            # P of a method that lowers it has stopped at a double, and the tolerance asks for less than its unit
            settled = descends and self.target() < UNIT * min(abs(e.primal) for e in record.history)
            if gap > BLOWN_UP * min(e.gap for e in record.history) and not settled:
                return "diverged"
            return "rounding" if self.checked or gap <= record.rounding else "stalled"
        return None

    def used_up(self) -> bool:
        """Return whether the next draw would take more passes than ``max_epochs`` leaves."""
        limit = self.settings.max_epochs
        return (
            self.epochs >= limit or self.origin + self.driver.least_passes(self.problem, self.state, self.drawn) > limit
        )


def beyond_doubles(history: Sequence[Entry], target: float) -> bool:
    """Return whether the gap met the target twice in a row, gap_bound did not, and gap_bound no longer improves."""
    if len(history) < 2:
        return False
    before, last = history[-2:]
    return max(before.gap, last.gap) <= target and last.gap_bound > before.gap_bound / 2


def no_longer_falls(history: Sequence[Entry], base: int, rounding: float, checked: bool, descends: bool) -> bool:
    """Return whether the second half of the passes of a turn has no smaller gap than the quarter before it.

    If a theorem holds, the gap of the method falls to the level of rounding, if only in the mean and however slowly.
    Then the test applies only to gaps at that level, or of a P that no longer falls if each point of the method
    lowers P or the gap.

    Parameters
    ----------
    base : the passes after which the turn began.
    rounding : the level of rounding of the last gap.
    checked : whether the problem satisfies the hypotheses of the method's theorem.
    descends : whether each point of the method lowers P or the gap.
    """
    last = history[-1]
    made = last.epochs - base
    if made < (STANDSTILL if descends else PATIENCE) or (checked and last.gap > rounding and not descends):
        return False
    later = [e for e in history if 2 * (e.epochs - base) > made]
    earlier = [e for e in history if 4 * (e.epochs - base) > made >= 2 * (e.epochs - base)]
    least = min((e.gap for e in earlier), default=math.inf)
    # Newton's method halves the gap, or lowers P
    if min(e.gap for e in later) < (least / 2 if descends and math.isfinite(least) else least):
        return False
    fall = min((e.primal for e in earlier), default=math.inf) - min(e.primal for e in later)
    return last.gap <= rounding or not checked or fall <= 4 * UNIT * abs(last.primal)
