"""``solve``: run a method until a certificate meets the tolerance, or say why not.

When certificates are made is decided in ``schedule``.

On one thread nothing but the clock makes two runs differ: the same problem, method, seed and order give the same
bits, and the two backends give the same bits as each other (seconds apart). On more threads the seed fixes each
thread's choices, not the result, which is certified all the same: P, D and the gap are computed from the pair.

A run with a checkpoint writes it after every certificate, and when it is interrupted or its time is up; a run that goes
on from there makes the certificates and ends at the bits of one that was never interrupted. For that an interrupt waits
until the pass is through, and what is certified because of it is not written: the uninterrupted run does not know it.
"""

import contextlib
import math
import os
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dualgap.fast.data.memory_mapped import pieces
from dualgap.fast.methods.passcode import perturbed
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.certificate import Certificate, certificate_of_bound
from dualgap.fast.solver.auto import choose
from dualgap.fast.solver.backends import Backend, backend_of
from dualgap.fast.solver.certificate_schedule import Schedule
from dualgap.fast.solver.checkpoint import Checkpoint, Reached, damaged, identity_of, is_finite
from dualgap.fast.solver.interrupts import late_interrupt
from dualgap.fast.solver.memory import require_memory
from dualgap.fast.solver.result import Entry, Result, advise
from dualgap.reference import all_methods
from dualgap.reference.methods.base import MODES
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import NotWritten

Callback = Callable[[Entry], object]
Progress = Callable[[int, float], object]

PATIENCE = 200  # passes before a run can be called stalled
BLOWN_UP = 1000  # a gap that no longer falls and is this many times the best one: diverged rather than stalled


def solve(
    problem: Problem,
    method: str = "aspdc",
    *,
    alpha: Any = None,
    tol: float | None = None,
    rtol: float = 0.0,
    max_epochs: int = 1000,
    max_seconds: float | None = None,
    seed: int = 0,
    order: str | None = None,
    mode: str = "paper",
    backend: str = "fast",
    callback: Callback | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **method_options: Any,
) -> Result:
    """Minimise P and maximise D until P(w) - min P <= tol is certified.

    Parameters
    ----------
    problem : Problem over float (``dualgap.reference.Problem``), or a BlockProblem
    method : a name of ``kernels()``, or "auto": see ``choosing.choose``; the result says which and why
    alpha : (n,) start in the domain of phi*, for example another result's alpha; default 0. Of a BlockProblem n blocks
    tol, rtol : >= 0; gap_bound is to be at most tol, or at most rtol |P|, whichever is met first. Where tol is left
        out it is 1e-6, or 0 if rtol is given. What doubles cannot certify ends with status "rounding"
    max_epochs : >= 0; passes, each of n steps or n evaluations of a single gradient (``reference.Method.passes``)
    max_seconds : > 0, optional; looked at after every pass
    seed, order : draw p takes the choices that the method makes of (order, seed, p) alone (``choices.draw``); the theorems
        need order "uniform", which is the default, but for method "auto", which chooses one
    mode : "paper", "sharp" or "unchecked": which hypothesis of the method is enforced, or which of its constants is used
    backend : "fast" (compiled) or "reference" (the readable one: the same bits, a hundred times slower)
    callback : called with the Entry of every certificate; raise KeyboardInterrupt in it to stop
    progress : called with the passes and the seconds after every pass: for a display
    threads : 1 <= threads <= cores; more than one for passcode-lock, passcode-atomic and passcode-wild alone
    checkpoint : a file to which the run is written at every certificate and when it is interrupted, see ``checkpoint``
    resume : go on from that file where it exists; it must be this run's, but for tol, rtol, max_epochs and max_seconds
    method_options : the method's own, for example kappa, m, mix or p; of sdca and aspdc storage = "full" (default) or "compact",
        half the memory traffic of sparse rows or less, other bits, the same certificates (``dualgap.fast.methods.specialized.compact``)

    Returns
    -------
    Result
        The best pair that was certified, and a status. Not converging is a status, never an exception; after
        KeyboardInterrupt the status is "interrupted".

    Raises
    ------
    ValueError
        An unknown name, a number out of range, alpha outside the domain; a checkpoint that is damaged or another run's,
        or one that exists and is not to be resumed.
    HypothesisViolated
        The problem is outside what ``mode`` admits for the method; the message says what to use instead.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
    >>> result = solve(problem, tol=1e-9)
    >>> result.status, result.gap_bound <= 1e-9
    ('converged', True)
    """
    tol = tol if tol is not None else 1e-6 if rtol == 0 else 0.0
    _require_arguments(tol, rtol, max_epochs, max_seconds, seed)
    require_memory(problem)
    reason = ""
    if method == "auto":
        method, options, chosen_order, reason = choose(problem)
        method_options, order = {**options, **method_options}, order or chosen_order
    order = order or "uniform"
    driver = backend_of(backend, method, method_options, threads, mode, isinstance(problem, BlockProblem))
    _require_order(order, driver.implementation)
    driver.require(problem, mode)
    run = _Run(problem, driver, tol, rtol, max_epochs, max_seconds, seed, order, mode, callback, progress)
    if checkpoint is not None:
        identity = {"method": method, "order": order, "seed": seed, "mode": mode, "backend": backend, "threads": threads}
        run.file = Checkpoint(checkpoint, identity_of(problem, method_options, **identity))
    _require_resumption(run.file, resume, alpha)
    status = run.until_done(alpha)
    best = run.best
    assert best is not None  # until_done certifies at least once, or raises
    return Result(
        certificate=best, status=status, notes=run.notes,
        advice=advise(status, best, best.target(tol, rtol), run.epochs, all_methods()[method].resumable, run.notes),
        history=tuple(run.history), epochs=run.epochs, seconds=run.elapsed(), method=method, backend=backend,
        mode=mode, order=order, seed=seed, tol=tol, rtol=rtol, threads=threads,
        perturbed=run.perturbed(), reason=reason,
    )  # fmt: skip


class _Run:
    """One run: the state, the certificates so far, and the decision when to stop."""

    def __init__(
        self, problem: Problem, driver: Backend, tol: float, rtol: float, max_epochs: int, max_seconds: float | None,
        seed: int, order: str, mode: str, callback: Callback | None, progress: Progress | None,
    ) -> None:  # fmt: skip
        self.problem, self.driver, self.callback, self.progress = problem, driver, callback, progress
        self.tol, self.rtol, self.max_epochs, self.seed, self.order = tol, rtol, max_epochs, seed, order
        self.notes = driver.notes(problem)
        self.checked = mode != "unchecked" and not driver.loses_writes() and not self.notes  # inside a theorem's hypothesis
        self.started = time.perf_counter()
        self.deadline = math.inf if max_seconds is None else max_seconds
        self.drawn = self.epochs = 0
        self.schedule = Schedule(max_epochs, self.checked, self.checked and driver.gap_tracks_step_size(problem))
        self.history: list[Entry] = []
        self.best: Certificate | None = None
        self.finite, self.rounding = True, 0.0  # of the last certificate: whether there is one, and the level of rounding
        self.state: Any = None
        self.file: Checkpoint | None = None
        self.warned = False  # that the file cannot be written
        self.whole = True  # the state is one that an uninterrupted run passes through

    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    def until_done(self, alpha: Any) -> str:
        """Run to the end and return the status."""
        state = self.state = self.begin(alpha)
        try:
            while True:
                if self.epochs >= self.schedule.due:
                    with self.uninterrupted():
                        self.certify(state)
                        self.schedule.certified(self.history, self.epochs, self.finite, self.target())
                        self.save(state)
                    self.tell()
                elif self.elapsed() >= self.deadline:
                    self.save(state)  # before the certificate, which the schedule does not have
                    self.certify(state)
                    self.tell()
                status = self.status()
                if status is not None:
                    return status
                self.advance(state)
        except KeyboardInterrupt:
            if self.whole:
                self.save(state)
            self.certify_interrupted(state)
            return "interrupted"
        except OverflowError:  # a step found its iterate beyond the range of a float
            self.finite = False
            return "diverged"

    def advance(self, state: Any) -> None:
        """Make the passes until the next certificate is due, or until the time is up."""
        schedule = self.schedule
        while self.epochs < schedule.due and self.elapsed() < self.deadline:
            with self.uninterrupted():
                before = self.driver.monitored_vector(self.problem, state).copy() if schedule.by_movement else None
                choices = self.driver.implementation.draw(self.problem, self.order, self.seed, self.drawn)
                for piece in pieces(self.problem, self.order, choices):
                    self.driver.advance(self.problem, state, piece)
                self.drawn += 1
                self.epochs = self.driver.passes(self.problem, state, self.drawn)
                if before is not None:
                    after = self.driver.monitored_vector(self.problem, state)
                    schedule.passed(before, after, self.epochs, self.history[-1], self.target())
            if self.progress is not None:
                self.progress(self.epochs, self.elapsed())

    # -- checkpoints --------------------------------------------------------------------------------------

    def begin(self, alpha: Any) -> Any:
        """The state at the start, or the one of the checkpoint, with all that belongs to it."""
        state = self.driver.init(self.problem, alpha)
        if self.file is None or not self.file.exists():
            return state
        state, reached = self.file.load(state)
        if not self.schedule.by_movement:
            reached = reached._replace(movement=(math.nan, *reached.movement[1:]))
        self.drawn, self.epochs, self.rounding = reached.drawn, reached.epochs, reached.rounding
        self.schedule.due, self.schedule.ratio, self.schedule.start, self.schedule.movement = reached.due, *reached.movement
        self.history = [Entry(int(epochs), *others) for epochs, *others in reached.history.tolist()]
        try:
            self.driver.implementation.require_state(self.problem, state)
            objective = objective_of(self.problem)
            for alpha in (getattr(state, "alpha", None), self.driver.implementation.view(self.problem, state)[1]):
                if alpha is not None and objective.finite_alpha(alpha) is not None:
                    objective.require_alpha(alpha)
            self.best = certificate_of_bound(self.problem, *reached.best, min(entry.gap_bound for entry in self.history))
        except (ValueError, ArithmeticError) as error:
            raise damaged(self.file.path, error) from None
        if self.epochs < self.max_epochs:
            self.schedule.due = min(reached.due, self.max_epochs)  # which may have become smaller
        self.started -= reached.seconds
        self.deadline += reached.seconds
        return state

    def save(self, state: Any) -> None:
        """Write the checkpoint, if one is asked for and there is something to go on from."""
        if self.file is None or self.best is None or not self.finite or (self.epochs and not is_finite(state)):
            return
        best = self.best.w, self.best.alpha
        history = np.array(self.history, dtype=np.float64)
        due, movement = self.schedule.due, (self.schedule.ratio, self.schedule.start, self.schedule.movement)
        reached = Reached(self.drawn, self.epochs, due, movement, self.elapsed(), self.rounding, history, best)
        try:
            self.file.save(state, reached)
        except OSError as error:  # a full disk, most likely, is no reason to lose the run
            self.warn_of(error)

    def warn_of(self, error: OSError) -> None:
        """Say once that the checkpoint cannot be written."""
        if self.file is not None and not self.warned:
            left = "the one before is still there" if self.file.exists() else "there is none"
            warnings.warn(f"checkpoint {self.file.path} was not written ({error}), {left}; the run goes on", NotWritten, stacklevel=2)
        self.warned = True

    @contextlib.contextmanager
    def uninterrupted(self) -> Iterator[None]:
        """Of a run with a checkpoint: an interrupt waits until the block is through; a second one does not."""
        self.whole = False
        with late_interrupt() if self.file is not None else contextlib.nullcontext():
            yield
            self.whole = True

    # -- certificates -------------------------------------------------------------------------------------

    def certify(self, state: Any) -> None:
        """Certify the state's pair, remember it in the history and, if it is the best so far, as a whole."""
        self.finite = False
        found = self.driver.certificate(self.problem, state, self.tol, self.rtol)
        if found is None:
            if self.best is None:
                raise ValueError("the objectives overflow at the start; scale the data down, or start from alpha = 0")
            return
        self.finite, self.rounding = True, max(found.rounding, found.resolution)
        if self.best is None or found.gap_bound < self.best.gap_bound:
            self.best = found
        self.history.append(Entry(self.epochs, self.elapsed(), found.primal, found.dual, found.gap, found.gap_bound))

    def tell(self) -> None:
        """Hand the last certificate to the callback."""
        if self.finite and self.callback is not None:
            self.callback(self.history[-1])

    def target(self) -> float:
        """The gap_bound that meets the request, at the last certificate."""
        return max(self.tol, self.rtol * abs(self.history[-1].primal))

    def perturbed(self) -> Certificate | None:
        """Where writes may have been lost: the last pair's certificate for the problem which that pair solves."""
        if not self.finite or not self.driver.loses_writes():
            return None
        return perturbed(self.problem, *self.driver.implementation.view(self.problem, self.state))

    def certify_interrupted(self, state: Any) -> None:
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
        if self.history[-1].gap_bound <= self.target():                                     # ASPDC line 9
            return "converged"
        if self.beyond_doubles():
            return "rounding"
        if self.epochs >= self.max_epochs:
            return "max_epochs"
        if self.elapsed() >= self.deadline:
            return "max_seconds"
        if self.no_longer_falls():
            gap = self.history[-1].gap
            if gap > BLOWN_UP * min(e.gap for e in self.history):
                return "diverged"
            return "rounding" if gap <= self.rounding else "stalled"
        return None

    def beyond_doubles(self) -> bool:
        """Whether the gap met the request twice in a row, what can be certified did not, and no longer improves."""
        if len(self.history) < 2:
            return False
        before, last, target = *self.history[-2:], self.target()
        return max(before.gap, last.gap) <= target and last.gap_bound > before.gap_bound / 2

    def no_longer_falls(self) -> bool:
        """Whether the second half of the passes has no smaller gap than the quarter before it.

        Inside the hypothesis of its theorem a method's gap falls, if only in the mean and however slowly, down to
        rounding; so there the question is asked of gaps at that level alone.
        """
        last = self.history[-1]
        if last.epochs < PATIENCE or (self.checked and last.gap > self.rounding):
            return False
        later = [e.gap for e in self.history if 2 * e.epochs > last.epochs]
        earlier = [e.gap for e in self.history if 4 * e.epochs > last.epochs >= 2 * e.epochs]
        return min(later) >= min(earlier, default=math.inf)


def require_settings(
    method: str, *, tol: float | None = None, rtol: float = 0.0, max_epochs: int = 1000, max_seconds: float | None = None, seed: int = 0,
    order: str | None = None, mode: str = "paper", backend: str = "fast", threads: int = 1, progress: Progress | None = None, **options: Any,
) -> None:  # fmt: skip
    """Raise ValueError for what ``solve`` refuses whatever the problem is; TypeError for an option that the method does not have."""
    _require_arguments(1e-6 if tol is None else tol, rtol, max_epochs, max_seconds, seed)
    if mode not in MODES:
        raise ValueError(f"mode must be one of {', '.join(MODES)} (got {mode!r})")
    if method != "auto":
        _require_order(order or "uniform", backend_of(backend, method, options, threads, mode).implementation)


def _require_arguments(
    tol: float, rtol: float, max_epochs: int, max_seconds: float | None, seed: int
) -> None:
    for name, value in (("tol", tol), ("rtol", rtol)):
        if not (value >= 0 and math.isfinite(value)):
            raise ValueError(f"{name} must be a finite number >= 0 (got {value!r})")
    for name, number in (("max_epochs", max_epochs), ("seed", seed)):
        if not (isinstance(number, int) and number >= 0):
            raise ValueError(f"{name} must be an integer >= 0 (got {number!r})")
    if max_seconds is not None and not max_seconds > 0:
        raise ValueError(f"max_seconds must be > 0 (got {max_seconds!r}); leave it out for no limit")


def _require_order(order: str, implementation: Any) -> None:
    """Raise ValueError unless the method can draw its passes in that order."""
    orders = getattr(implementation, "reference", implementation).orders
    if order not in orders:
        raise ValueError(f"order must be one of {', '.join(orders)} for method {implementation.name} (got {order!r})")


def _require_resumption(file: Checkpoint | None, resume: bool, alpha: Any) -> None:
    """Raise ValueError unless it is clear where the run starts."""
    if file is None:
        if resume:
            raise ValueError("resume goes on from a checkpoint: say which")
        return
    if file.exists() and not resume:
        raise ValueError(f"checkpoint {file.path} exists; resume it, give another name, or delete it to start anew")
    if file.exists() and alpha is not None:
        raise ValueError(f"the run starts at the checkpoint {file.path}: leave alpha out")
