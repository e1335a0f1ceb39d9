"""A whole run, from the start or a checkpoint to the result.

It consists of runs of a single method: of one or, with method "auto", of several in ``turns``.
"""

import math
import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.problem.arrays import require_unchanged
from dualgap.fast.solver.at_once import Ahead
from dualgap.fast.solver.backends import Backend
from dualgap.fast.solver.causes import alternatives, cause
from dualgap.fast.solver.checkpoint import Parked, is_finite
from dualgap.fast.solver.result import Result, advise, keeps_alpha
from dualgap.fast.solver.saved_run import SavedRun
from dualgap.fast.solver.settings import Settings
from dualgap.fast.solver.single_run import Record, SingleRun
from dualgap.fast.solver.turns import Turns
from dualgap.reference.problem.problem import Problem


class SolverRun:
    """The methods of a run, one after the other.

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
        self.problem, self.driver, self.chosen = problem, driver, chosen
        self.plan = [settings, *(other for other, _, _ in others)]
        self.turns = Turns((portion, *(passes for _, passes, _ in others)))
        self.record = Record(settings.max_seconds)
        self.run = self.single(0)
        self.parked: dict[int, Parked] = {}  # by number, the states of the methods whose turn is over
        self.saved = SavedRun(checkpoint, settings, problem)

    def single(self, which: int, begun: int = 0) -> SingleRun:
        """The run of the method of that number, which has no state yet; begun: passes of the others."""
        settings = self.plan[which]
        driver = self.driver if which == self.turns.turn == 0 else settings.admitted(self.problem)
        return SingleRun(self.problem, settings, driver, self.record, self.turns.until, begun)

    def until_done(
        self,
        alpha: ArrayLike | None,
        pair: tuple[ArrayLike, ArrayLike | None] | None = None,
        ahead: Ahead | None = None,
    ) -> str:
        """Run to the end, from alpha or the checkpoint, and return the status; pair: w and alpha that the result is no
        worse than; ahead: the first passes, if they are made.
        """
        self.begin(alpha)
        record, uninterrupted = self.record, self.saved.uninterrupted
        if pair is not None:
            record.start = np.array(pair[0], dtype=np.float64), self.driver.native(self.problem).require_alpha(pair[1])
        try:
            if ahead is not None:
                record.start_at(ahead.started, ahead.waited)
                self.run.certify()
                self.run.continue_from(ahead.state, ahead.epochs)
            while True:
                run = self.run
                if run.certificate_is_due():
                    with uninterrupted():
                        run.certify()
                        run.schedule.certified(record.history, run.epochs, record.finite, run.target())
                        self.save()
                    run.tell()
                elif record.time_is_up():
                    self.save()  # before the certificate, which the schedule does not have
                    if run.epochs > record.history[-1].epochs:
                        run.certify()
                        run.tell()
                status = run.status()
                if self.turns.over(record.history, status, max(run.target(), record.rounding)):
                    with uninterrupted():
                        self.run = self.next_turn(status)
                elif status is not None:
                    return status
                self.run.schedule.max_epochs = self.run.last_pass(self.turns.until)
                self.run.advance(uninterrupted)
        except KeyboardInterrupt:
            if self.saved.whole:
                self.save()
            self.certify_interrupted()
            return "interrupted"
        except OverflowError:  # a step found its iterate beyond the range of a float
            record.finite = False
            return "diverged"

    def begin(self, alpha: ArrayLike | None) -> None:
        """Start from alpha, or from the checkpoint with all that belongs to it."""
        restored = self.saved.restored(self.turns, self.single, alpha)
        if restored is None:
            self.run.state = self.driver.init(self.problem, alpha)
        else:
            self.run, self.parked = restored

    def save(self) -> None:
        """Write the checkpoint, if there is one."""
        self.saved.save(self.run, self.turns, self.parked)

    def next_turn(self, status: str | None) -> SingleRun:
        """Return the run of the next turn: in the state kept from the method's last turn, or new at the best alpha.

        Kept is what has more to lose than alpha, unless it has a status, such as diverged.
        """
        run, best = self.run, self.record.best
        assert best is not None  # there was a certificate
        if status is None and not run.driver.consistent and is_finite(run.state):
            self.parked[self.turns.which] = Parked(run.state, run.drawn, run.epochs - run.origin)
        which = self.turns.next(run.epochs)
        self.record.finite = True
        following = self.single(which, run.epochs)
        if which in self.parked:
            following.state, following.drawn, passes = self.parked.pop(which)
            following.origin -= passes
        else:
            start = best.alpha if following.driver.reference.resumable else None
            following.state = following.driver.init(self.problem, start)
        return following

    def certify_interrupted(self) -> None:
        """After an interrupt: one more certificate, unless the user insists and one is there already."""
        try:
            self.run.certify()
        except KeyboardInterrupt:
            if self.record.best is None:
                raise

    def result(self, status: str, reason: str) -> Result:
        """The best pair of a run that ended with that status; reason: why the method was chosen, if it was.

        Raises
        ------
        InputChanged
            X or y was changed in place during the run.
        """
        require_unchanged(self.problem)
        run, best, asked = self.run, self.record.best, self.run.settings
        assert best is not None  # until_done certifies at least once, or raises
        resumable, broken = keeps_alpha(asked.method), run.notes or (() if asked.mode == "unchecked" else None)
        tol, rtol = asked.tolerances
        if self.turns.turn:
            reason += f"; after {self.turns.base} passes {asked.method}, since the gap fell too slowly"
        return Result(
            certificate=best,
            status=status,
            advice=cause(self.problem, best, status)
            + advise(status, best, best.target(tol, rtol), run.epochs, resumable, broken, self.hints(status)),
            history=tuple(self.record.history),
            epochs=run.epochs,
            seconds=self.record.elapsed(),
            perturbed=run.perturbed(),
            reason=reason,
            notes=run.notes,
            **asked.told(),
        )

    def hints(self, status: str) -> tuple[str, ...]:
        """Return advice for a run that met a limit: other methods that accept the problem."""
        if status not in ("max_epochs", "max_seconds") or isinstance(self.problem.X, MappedRows):
            return ()
        others = alternatives(self.problem, self.run.settings.method) if len(self.plan) == 1 and not self.chosen else []
        return (f"or take method auto, which has {' and '.join(others)} besides",) if others else ()
