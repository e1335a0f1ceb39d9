"""A run that continues from its checkpoint.

A run with a checkpoint writes it after every certificate, and when it is interrupted or its time is up; a run that
continues from there makes the certificates and ends at the bits of one that was never interrupted. For that an
interrupt waits until the pass is through, and what is certified because of it is not written: the uninterrupted run
does not know it. A run that reached ``max_epochs`` was not interrupted: its last certificate is written, so that one
that continues from there certifies after other passes, and can end after another one.
"""

import contextlib
import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.problem.certificate import certificate_of_bound
from dualgap.fast.solver.checkpoint import LARGEST, Checkpoint, Parked, Reached, damaged, is_finite
from dualgap.fast.solver.interrupts import late_interrupt
from dualgap.fast.solver.result import Entry
from dualgap.fast.solver.settings import Settings
from dualgap.fast.solver.single_run import SingleRun
from dualgap.fast.solver.turns import Turns
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import NotWritten


class SavedRun:
    """The place where a run is saved, if any.

    Parameters
    ----------
    checkpoint : the file, or None
    settings, problem : of the run, whose identity is written

    Attributes
    ----------
    whole : whether the state is one that an uninterrupted run passes through
    uninterrupted : makes the context of what is to be made as a whole: ``late``, or none without a checkpoint
    """

    def __init__(self, checkpoint: str | os.PathLike[str] | None, settings: Settings, problem: Problem) -> None:
        self.file = None if checkpoint is None else Checkpoint(checkpoint, settings.identity(problem))
        self.warned, self.whole = False, True
        self.uninterrupted: Callable[[], AbstractContextManager[None]] = (
            contextlib.nullcontext if self.file is None else self.late
        )

    def restored(
        self, turns: Turns, single: Callable[[int], SingleRun], alpha: ArrayLike | None
    ) -> tuple[SingleRun, dict[int, Parked]] | None:
        """The run that the file holds and the methods that wait, or None if there is no file.

        Parameters
        ----------
        turns : as at the start of a run; they become those of the file
        single : makes the run of the method of a number
        alpha : the start, for the form of the state
        """
        if self.file is None or not self.file.exists():
            return None
        several, start = len(turns.portions) > 1, single(0)
        problem, record, size = start.problem, start.record, start.problem.n + start.problem.d
        turns.turn = turn = self.file.turn(size)
        if turn > 0 and not several:
            raise ValueError(
                f"checkpoint {self.file.path} is that of method auto, which has changed its method: give method auto"
            )
        run = single(turns.which) if turn > 0 else start
        numbers = [which for which in range(len(turns.portions)) if turn > 0 and which != turns.which]
        drivers = {which: single(which).driver for which in numbers}
        starts = {which: driver.init(problem, None) for which, driver in drivers.items()}
        run.state, reached = self.file.load(run.driver.init(problem, alpha), size, starts)
        _, turns.base, until = reached.turn
        turns.until = until if 0 < until < LARGEST else turns.until if turn == 0 else math.inf
        run.schedule.max_epochs, run.schedule.begun = run.last_pass(turns.until), turns.base
        run.schedule.restore(reached.schedule, reached.epochs)
        run.drawn, run.epochs, run.origin = reached.drawn, reached.epochs, reached.origin
        record.rounding = reached.rounding
        record.history = [Entry(int(epochs), *others) for epochs, *others in reached.history.tolist()]
        try:
            run.driver.require_restored(problem, run.state)
            for which, parked in reached.parked.items():
                drivers[which].require_restored(problem, parked.state)
            bound = min(entry.gap_bound for entry in record.history)
            record.best = certificate_of_bound(problem, *reached.best, reached.compensated, bound, reached.intercept)
        except (ValueError, ArithmeticError) as error:
            raise damaged(self.file.path, error) from None
        record.started -= reached.seconds
        return run, dict(reached.parked)

    def save(self, run: SingleRun, turns: Turns, parked: Mapping[int, Parked]) -> None:
        """Write the checkpoint, if the run has one and there is a state to continue from."""
        record, best = run.record, run.record.best
        if self.file is None or best is None or not record.finite or (run.epochs and not is_finite(run.state)):
            return
        reached = Reached(
            run.drawn,
            run.epochs,
            run.schedule.snapshot(),
            record.elapsed(),
            record.rounding,
            np.array(record.history, dtype=np.float64),
            (best.w, best.alpha),
            (turns.turn, turns.base, int(min(turns.until, LARGEST))) if len(turns.portions) > 1 else (0, 0, 0),
            best.compensated,
            run.origin,
            parked,
            best.intercept,
        )
        try:
            self.file.save(run.state, reached)
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
    def late(self) -> Iterator[None]:
        """Delay an interrupt until the block has finished; a second interrupt is not delayed."""
        self.whole = False
        with late_interrupt():
            yield
            self.whole = True
