"""One run of a method: passes, certificates, checkpoints, and the decision when to stop.

``certificate_schedule`` decides when certificates are made, and ``stalling`` says whether the gap still falls.

A run with a checkpoint writes it after every certificate, and when it is interrupted or its time is up; a run that
continues from there makes the certificates and ends at the bits of one that was never interrupted. For that an
interrupt waits until the pass is through, and what is certified because of it is not written: the uninterrupted run
does not know it. A run that reached ``max_epochs`` was not interrupted: its last certificate is written, so that one
that continues from there certifies after other passes, and can end after another one.
"""

import contextlib
import math
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.data.mapped_rows import MappedRows, pieces
from dualgap.fast.methods.base import OutOfTime
from dualgap.fast.methods.passcode import perturbed
from dualgap.fast.problem.arrays import require_unchanged
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.certificate import Certificate, certificate_of_bound, certified
from dualgap.fast.solver.backends import Backend
from dualgap.fast.solver.causes import alternatives, cause
from dualgap.fast.solver.certificate_schedule import Schedule
from dualgap.fast.solver.checkpoint import LARGEST, Checkpoint, Parked, Reached, damaged, is_finite
from dualgap.fast.solver.interrupts import late_interrupt
from dualgap.fast.solver.result import Entry, Result, advise, keeps_alpha
from dualgap.fast.solver.settings import Settings
from dualgap.fast.solver.stalling import beyond_doubles, no_longer_falls
from dualgap.fast.solver.turns import Turns
from dualgap.reference.methods.base import State
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import NotWritten

BLOWN_UP = 1000  # a gap that no longer falls and is this many times the best one: diverged rather than stalled


class SolverRun:
    """The state, the certificates so far, and when to stop.

    Parameters
    ----------
    problem : inside the hypothesis of the method
    driver : what runs the method (``Settings.admitted``)
    settings : of a method that is chosen
    checkpoint : the file, or None
    portion, others : of method "auto", see ``turns``: the passes of the first turn, and what else takes turns
        (``Settings.plan``)
    chosen : whether the method is the choice of "auto"
    """

    def __init__(
        self,
        problem: Problem,
        driver: Backend,
        settings: Settings,
        checkpoint: str | os.PathLike[str] | None = None,
        portion: float = math.inf,
        others: Sequence[tuple[Settings, float, str]] = (),
        chosen: bool = False,
    ) -> None:
        self.problem, self.plan = problem, [settings, *(other for other, _, _ in others)]
        self.chosen = chosen
        self.turns = Turns((portion, *(passes for _, passes, _ in others)))
        self.started = time.perf_counter()
        self.deadline = math.inf if settings.max_seconds is None else settings.max_seconds
        self.drawn = self.epochs = self.origin = 0  # origin: passes that other methods made before this one's
        self.parked: dict[int, Parked] = {}  # by number, the states of the methods whose turn is over
        self.take(settings, driver)
        self.history: list[Entry] = []
        self.best: Certificate | None = None
        self.start: Any = None  # a pair (w, alpha), if one is given
        self.finite, self.rounding = True, 0.0  # of the last certificate: whether there is one, its level of rounding
        self.state: Any = None
        self.file = None if checkpoint is None else Checkpoint(checkpoint, settings.identity(problem))
        self.warned = False  # that the file cannot be written
        self.whole = True  # the state is one that an uninterrupted run passes through

    def take(self, settings: Settings, driver: Backend) -> None:
        """The method that runs from here on."""
        self.settings, self.driver = settings, driver
        driver.implementation.check_clock = self.check_clock
        self.notes = driver.notes(self.problem)
        # inside a theorem's hypothesis
        self.checked = settings.mode != "unchecked" and not driver.loses_writes() and not self.notes
        moves = self.checked and driver.gap_tracks_step_size(self.problem)
        self.schedule = Schedule(self.last_pass(), self.checked, moves, driver.tells_own_gap(), self.epochs)
        self.draw = partial(settings.draw, driver.implementation) if settings.draw else driver.implementation.draw

    def next_turn(self, state: State, status: str | None) -> State:
        """Begin the next turn and return its state: the one kept from the method's last turn, or a new one at the best
        alpha.

        Kept is what has more to lose than alpha, unless it has a status, such as diverged.
        """
        assert self.best is not None  # there was a certificate
        if status is None and not self.driver.consistent and is_finite(state):
            self.parked[self.turns.which] = Parked(state, self.drawn, self.epochs - self.origin)
        which = self.turns.next(self.epochs)
        self.finite = True
        self.take(self.plan[which], self.plan[which].admitted(self.problem))
        if which in self.parked:
            state, self.drawn, passes = self.parked.pop(which)
        else:
            self.drawn = passes = 0
            state = self.driver.init(self.problem, self.best.alpha if self.driver.reference.resumable else None)
        self.origin, self.state = self.epochs - passes, state
        return state

    def last_pass(self) -> int:
        """The passes after which a certificate is due in any case."""
        return int(min(self.turns.until, self.settings.max_epochs))

    def check_clock(self) -> None:
        """Raise OutOfTime when the time is up."""
        if self.elapsed() >= self.deadline:
            raise OutOfTime

    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    def until_done(self, alpha: ArrayLike | None, pair: tuple[ArrayLike, ArrayLike | None] | None = None) -> str:
        """Run to the end, from alpha or the checkpoint, and return the status; pair: w and alpha that the result is no
        worse than.
        """
        state = self.state = self.begin(alpha)
        self.start = (
            None
            if pair is None
            else (np.array(pair[0], dtype=np.float64), objective_of(self.problem).require_alpha(pair[1]))
        )
        try:
            while True:
                uncertified = not self.history or self.history[-1].epochs < self.epochs
                if self.epochs >= self.schedule.due or uncertified and self.used_up():
                    with self.uninterrupted():
                        self.certify(state)
                        self.schedule.certified(self.history, self.epochs, self.finite, self.target())
                        self.save(state)
                    self.tell()
                elif self.elapsed() >= self.deadline:
                    self.save(state)  # before the certificate, which the schedule does not have
                    if self.epochs > self.history[-1].epochs:
                        self.certify(state)
                        self.tell()
                status = self.status()
                if self.turns.over(self.history, status, max(self.target(), self.rounding)):
                    with self.uninterrupted():
                        state = self.next_turn(state, status)
                elif status is not None:
                    return status
                self.schedule.max_epochs = self.last_pass()
                self.advance(state)
        except KeyboardInterrupt:
            if self.whole:
                self.save(state)
            self.certify_interrupted(state)
            return "interrupted"
        except OverflowError:  # a step found its iterate beyond the range of a float
            self.finite = False
            return "diverged"

    def result(self, status: str, reason: str) -> Result:
        """The best pair of a run that ended with that status; reason: why the method was chosen, if it was.

        Raises
        ------
        InputChanged
            X or y was changed in place during the run.
        """
        require_unchanged(self.problem)
        best, asked, (tol, rtol) = self.best, self.settings, self.settings.tolerances
        assert best is not None  # until_done certifies at least once, or raises
        resumable, broken = keeps_alpha(asked.method), self.notes or (() if asked.mode == "unchecked" else None)
        if self.turns.turn:
            reason += f"; after {self.turns.base} passes {asked.method}, since the gap fell too slowly"
        return Result(
            certificate=best,
            status=status,
            advice=cause(self.problem, best, status)
            + advise(status, best, best.target(tol, rtol), self.epochs, resumable, broken, self.hints(status)),
            history=tuple(self.history),
            epochs=self.epochs,
            seconds=self.elapsed(),
            method=asked.method,
            backend=asked.backend,
            mode=asked.mode,
            order=asked.draw_order,
            seed=asked.seed,
            tol=tol,
            rtol=rtol,
            threads=asked.threads,
            perturbed=self.perturbed(),
            reason=reason,
            notes=self.notes,
        )

    def hints(self, status: str) -> tuple[str, ...]:
        """Return advice for a run that met a limit: other methods that accept the problem."""
        if status not in ("max_epochs", "max_seconds") or isinstance(self.problem.X, MappedRows):
            return ()
        others = alternatives(self.problem, self.settings.method) if len(self.plan) == 1 and not self.chosen else []
        return (f"or take method auto, which has {' and '.join(others)} besides",) if others else ()

    def advance(self, state: State) -> None:
        """Make the passes until the next certificate is due, or until the time is up."""
        schedule = self.schedule
        while self.epochs < schedule.due and self.elapsed() < self.deadline and not self.used_up():
            with self.uninterrupted():
                before = self.driver.monitored_vector(self.problem, state).copy() if schedule.by_movement else None
                order = self.settings.draw_order
                choices = self.draw(self.problem, order, self.settings.seed, self.drawn)
                try:
                    for piece in pieces(self.problem, order, choices):
                        self.driver.advance(self.problem, state, piece)
                except OutOfTime:
                    return
                self.drawn += 1
                self.epochs = self.origin + self.driver.passes(self.problem, state, self.drawn)
                if before is not None:
                    after = self.driver.monitored_vector(self.problem, state)
                    schedule.passed(before, after, self.epochs, self.history[-1], self.target())
                told, target = self.driver.own_gap(self.problem, state), self.target()
                if told is not None and told <= target:  # P was larger at the last certificate
                    target = self.target(self.driver.own_primal(self.problem, state))
                if told is not None:
                    schedule.told(told, self.epochs, self.history[-1], target)
            if self.settings.progress is not None:
                self.settings.progress(self.epochs, self.elapsed())

    # -- checkpoints --------------------------------------------------------------------------------------

    def begin(self, alpha: ArrayLike | None) -> State:
        """The state at the start, or the one of the checkpoint, with all that belongs to it."""
        if self.file is None or not self.file.exists():
            return self.driver.init(self.problem, alpha)
        self.turns.turn = turn = self.file.turn(self.problem.n + self.problem.d)
        if turn > 0:
            if len(self.plan) == 1:
                raise ValueError(
                    f"checkpoint {self.file.path} is that of method auto, which has changed its method: give method"
                    " auto"
                )
            settings = self.plan[turn % len(self.plan)]
            self.take(settings, settings.admitted(self.problem))
        waiting = [which for which in range(len(self.plan)) if turn > 0 and which != self.turns.which]
        drivers = {which: self.plan[which].admitted(self.problem) for which in waiting}
        starts = {which: driver.init(self.problem, None) for which, driver in drivers.items()}
        state, reached = self.file.load(self.driver.init(self.problem, alpha), self.problem.n + self.problem.d, starts)
        _, self.turns.base, until = reached.turn
        self.origin, self.parked = reached.origin, dict(reached.parked)
        self.turns.until = until if 0 < until < LARGEST else self.turns.until if turn == 0 else math.inf
        self.schedule.max_epochs, self.schedule.begun = self.last_pass(), self.turns.base
        self.drawn, self.epochs, self.rounding = reached.drawn, reached.epochs, reached.rounding
        self.schedule.restore(reached.schedule, reached.epochs)
        self.history = [Entry(int(epochs), *others) for epochs, *others in reached.history.tolist()]
        try:
            self.driver.require_restored(self.problem, state)
            for which, parked in self.parked.items():
                drivers[which].require_restored(self.problem, parked.state)
            self.best = certificate_of_bound(
                self.problem, *reached.best, reached.compensated, min(entry.gap_bound for entry in self.history)
            )
        except (ValueError, ArithmeticError) as error:
            raise damaged(self.file.path, error) from None
        self.started -= reached.seconds
        self.deadline += reached.seconds
        return state

    def save(self, state: State) -> None:
        """Write the checkpoint, if the run has one and there is a state to continue from."""
        if self.file is None or self.best is None or not self.finite or (self.epochs and not is_finite(state)):
            return
        best = self.best.w, self.best.alpha
        history = np.array(self.history, dtype=np.float64)
        turns = self.turns
        turn = (turns.turn, turns.base, int(min(turns.until, LARGEST))) if len(self.plan) > 1 else (0, 0, 0)
        reached = Reached(
            self.drawn,
            self.epochs,
            self.schedule.snapshot(),
            self.elapsed(),
            self.rounding,
            history,
            best,
            turn,
            self.best.compensated,
            self.origin,
            self.parked,
        )
        try:
            self.file.save(state, reached)
        except OSError as error:  # a full disk, most likely, is no reason to lose the run
            self.warn_of(error)

    def warn_of(self, error: OSError) -> None:
        """Say once that the checkpoint cannot be written."""
        if self.file is not None and not self.warned:
            left = "the one before is still there" if self.file.exists() else "there is none"
            warnings.warn(
                f"checkpoint {self.file.path} was not written ({error}), {left}; the run goes on",
                NotWritten,
                stacklevel=2,
            )
        self.warned = True

    @contextlib.contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Of a run with a checkpoint: an interrupt waits until the block is through; a second one does not."""
        self.whole = False
        with late_interrupt() if self.file is not None else contextlib.nullcontext():
            yield
            self.whole = True

    # -- certificates -------------------------------------------------------------------------------------

    def certify(self, state: State) -> None:
        """Certify the state's pair, remember it in the history and, if it is the best so far, as a whole."""
        self.finite = False
        found = self.driver.certificate(self.problem, state, *self.settings.tolerances)
        if found is None:
            if self.best is None:
                raise ValueError("the objectives overflow at the start; scale the data down, or start from alpha = 0")
            return
        if self.best is None and self.start is not None:
            found = self.better_start(found)
        self.finite, self.rounding = True, max(found.rounding, found.resolution)
        if self.best is None or found.gap_bound < self.best.gap_bound:
            self.best = found
        self.history.append(Entry(self.epochs, self.elapsed(), found.primal, found.dual, found.gap, found.gap_bound))

    def better_start(self, found: Certificate) -> Certificate:
        """Return the certificate, or the one of the starting pair if its bound is smaller."""
        try:
            w, alpha = self.start
            given = certified(self.problem, w, alpha, *self.settings.tolerances)
        except OverflowError:
            return found
        return given if given.gap_bound < found.gap_bound else found

    def tell(self) -> None:
        """Hand the last certificate to the callback."""
        if self.finite and self.settings.callback is not None:
            self.settings.callback(self.history[-1])

    def target(self, primal: float | None = None) -> float:
        """The gap_bound that meets the request at that P, by default that of the last certificate."""
        tol, rtol = self.settings.tolerances
        return max(tol, rtol * abs(self.history[-1].primal if primal is None else primal))

    def perturbed(self) -> Certificate | None:
        """Where writes may have been lost: the last pair's certificate for the problem which that pair solves."""
        if not self.finite or not self.driver.loses_writes():
            return None
        return perturbed(self.problem, *self.driver.implementation.view(self.problem, self.state))

    def certify_interrupted(self, state: State) -> None:
        """After an interrupt: one more certificate, unless the user insists and one is there already."""
        try:
            self.certify(state)
        except KeyboardInterrupt:
            if self.best is None:
                raise

    # -- when to stop -------------------------------------------------------------------------------------

    def status(self) -> str | None:
        """Why the run is over, or None."""
        if not self.finite:
            return "diverged"
        if self.history[-1].gap_bound <= self.target():  # ASPDC line 9
            return "converged"
        if beyond_doubles(self.history, self.target()):
            return "rounding"
        if self.used_up():
            return "max_epochs"
        if self.elapsed() >= self.deadline:
            return "max_seconds"
        descends = self.checked and self.driver.tells_own_gap()
        if no_longer_falls(self.history, self.turns.base, self.rounding, self.checked, descends):
            gap = self.history[-1].gap
            if gap > BLOWN_UP * min(e.gap for e in self.history):
                return "diverged"
            return "rounding" if self.checked or gap <= self.rounding else "stalled"
        return None

    def used_up(self) -> bool:
        """Return whether the next draw would take more passes than ``max_epochs`` leaves."""
        limit = self.settings.max_epochs
        return (
            self.epochs >= limit or self.origin + self.driver.least_passes(self.problem, self.state, self.drawn) > limit
        )
