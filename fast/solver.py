"""``solve``: run a method until a certificate meets the tolerance, or say why not.

Certificates cost about a pass over the data, so they are spaced: after pass p the next one comes within max(1, p/5)
passes, and as early as after max(1, p/50) where the rate between the last two predicts that the tolerance is met by
then. So at most a sixth of the passes is made in vain, and 100 passes take some 20 certificates.

On one thread nothing but the clock makes two runs differ: the same problem, method, seed and order give the same
bits, and the two backends give the same bits as each other (seconds apart). On more threads the seed fixes each
thread's choices, not the result, which is certified all the same: P, D and the gap are computed from the pair.
"""

import math
import time
from collections.abc import Callable
from typing import Any

from dualgap.fast.backends import Backend, backend_of
from dualgap.fast.certificate import Certificate
from dualgap.fast.choosing import choose
from dualgap.fast.passcode import perturbed
from dualgap.fast.result import Entry, Result, advise
from dualgap.reference import methods
from dualgap.reference.block import BlockProblem
from dualgap.reference.problem import Problem

Callback = Callable[[Entry], object]

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
    threads: int = 1,
    **method_options: Any,
) -> Result:
    """Minimise P and maximise D until P(w) - D(alpha) <= tol, with a certificate.

    Parameters
    ----------
    problem : Problem over float (``dualgap.reference.Problem``), or a BlockProblem
    method : a name of ``kernels()``, or "auto": see ``choosing.choose``; the result says which and why
    alpha : (n,) start in the domain of phi*, for example another result's alpha; default 0. Of a BlockProblem n blocks
    tol, rtol : >= 0; the gap is to be at most tol, or at most rtol |P|, whichever is met first. Where tol is left
        out it is 1e-6, or 0 if rtol is given
    max_epochs : >= 0; passes, each of n steps or n evaluations of a single gradient (``reference.Method.passes``)
    max_seconds : > 0, optional; looked at after every pass
    seed, order : draw p takes the choices that the method makes of (order, seed, p) alone (``choices.draw``); the theorems
        need order "uniform", which is the default, but for method "auto", which chooses one
    mode : "paper", "sharp" or "unchecked": which hypothesis of the method is enforced, or which of its constants is used
    backend : "fast" (compiled) or "reference" (the readable one: the same bits, a hundred times slower)
    callback : called with the Entry of every certificate; raise KeyboardInterrupt in it to stop
    threads : 1 <= threads <= cores; more than one for passcode-lock, passcode-atomic and passcode-wild alone
    method_options : the method's own, for example kappa, m, mix or p

    Returns
    -------
    Result
        The best pair that was certified, and a status. Not converging is a status, never an exception; after
        KeyboardInterrupt the status is "interrupted".

    Raises
    ------
    ValueError
        An unknown name, a number out of range, alpha outside the domain.
    HypothesisViolated
        The problem is outside what ``mode`` admits for the method; the message says what to use instead.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
    >>> result = solve(problem, tol=1e-9)
    >>> result.status, result.gap <= 1e-9
    ('converged', True)
    """
    tol = tol if tol is not None else 1e-6 if rtol == 0 else 0.0
    _require_arguments(tol, rtol, max_epochs, max_seconds, seed)
    reason = ""
    if method == "auto":
        method, options, chosen_order, reason = choose(problem)
        method_options, order = {**options, **method_options}, order or chosen_order
    order = order or "uniform"
    driver = backend_of(backend, method, method_options, threads, mode, isinstance(problem, BlockProblem))
    _require_order(order, driver.implementation)
    driver.require(problem, mode)
    run = _Run(problem, driver, tol, rtol, max_epochs, max_seconds, seed, order, mode, callback)
    status = run.until_done(alpha)
    best = run.best
    assert best is not None  # until_done certifies at least once, or raises
    return Result(
        certificate=best, status=status, notes=run.notes,
        advice=advise(status, best.gap, best.target(tol, rtol), run.epochs, methods()[method].resumable, run.notes),
        history=tuple(run.history), epochs=run.epochs, seconds=run.elapsed(), method=method, backend=backend,
        mode=mode, order=order, seed=seed, tol=tol, rtol=rtol, threads=threads,
        perturbed=run.perturbed(), reason=reason,
    )  # fmt: skip


class _Run:
    """One run: the state, the certificates so far, and the decision when to stop."""

    def __init__(
        self, problem: Problem, driver: Backend, tol: float, rtol: float, max_epochs: int, max_seconds: float | None,
        seed: int, order: str, mode: str, callback: Callback | None,
    ) -> None:  # fmt: skip
        self.problem, self.driver, self.callback = problem, driver, callback
        self.tol, self.rtol, self.max_epochs, self.seed, self.order = tol, rtol, max_epochs, seed, order
        self.notes = driver.notes(problem)
        self.checked = mode != "unchecked" and not driver.loses_writes() and not self.notes  # inside a theorem's hypothesis
        self.started = time.perf_counter()
        self.deadline = math.inf if max_seconds is None else max_seconds
        self.drawn = self.epochs = 0
        self.history: list[Entry] = []
        self.best: Certificate | None = None
        self.last: Certificate | None = None  # None: the iterate is not finite
        self.state: Any = None

    def elapsed(self) -> float:
        return time.perf_counter() - self.started

    def until_done(self, alpha: Any) -> str:
        """Run to the end and return the status."""
        state = self.state = self.driver.init(self.problem, alpha)
        try:
            while True:
                self.certify(state)
                status = self.status()
                if status is not None:
                    return status
                self.advance(state, self.epochs + self.next_certificate())
        except KeyboardInterrupt:
            self.certify_interrupted(state)
            return "interrupted"
        except OverflowError:  # a step found its iterate beyond the range of a float
            self.last = None
            return "diverged"

    def advance(self, state: Any, target: int) -> None:
        """Make the passes up to ``target``, or until the time is up."""
        while self.epochs < target and self.elapsed() < self.deadline:
            choices = self.driver.implementation.draw(self.problem, self.order, self.seed, self.drawn)
            self.driver.advance(self.problem, state, choices)
            self.drawn += 1
            self.epochs = self.driver.passes(self.problem, state, self.drawn)

    # -- certificates -------------------------------------------------------------------------------------

    def certify(self, state: Any) -> None:
        """Certify the state's pair, remember it in the history and, if it is the best so far, as a whole."""
        self.last = None
        self.last = self.driver.certificate(self.problem, state)
        if self.last is None:
            if self.best is None:
                raise ValueError("the objectives overflow at the start; scale the data down, or start from alpha = 0")
            return
        if self.best is None or self.last.gap < self.best.gap:
            self.best = self.last
        entry = Entry(self.epochs, self.elapsed(), self.last.primal, self.last.dual, self.last.gap)
        self.history.append(entry)
        if self.callback is not None:
            self.callback(entry)

    def perturbed(self) -> Certificate | None:
        """Where writes may have been lost: the last pair's certificate for the problem which that pair solves."""
        if self.last is None or not self.driver.loses_writes():
            return None
        return perturbed(self.problem, *self.driver.implementation.view(self.problem, self.state))

    def certify_interrupted(self, state: Any) -> None:
        """After an interrupt: one more certificate, unless the user insists and one is there already."""
        self.callback = None
        try:
            self.certify(state)
        except KeyboardInterrupt:
            if self.best is None:
                raise

    def next_certificate(self) -> int:
        """Passes until the next certificate, >= 1."""
        furthest, nearest = max(1, min(self.epochs // 5, self.max_epochs - self.epochs)), max(1, self.epochs // 50)
        if len(self.history) < 2 or self.last is None:
            return furthest
        before, now = self.history[-2:]
        target = self.last.target(self.tol, self.rtol)
        if not 0 < target < now.gap < before.gap:
            return furthest
        rate = math.log(before.gap / now.gap) / (now.epochs - before.epochs)
        predicted = math.ceil(min(furthest, math.log(now.gap / target) / rate))
        return min(furthest, max(nearest, predicted))

    # -- when to stop -------------------------------------------------------------------------------------

    def status(self) -> str | None:
        """Why the run is over, or None."""
        if self.last is None:
            return "diverged"
        if self.last.gap <= self.last.target(self.tol, self.rtol):
            return "converged"
        if self.epochs >= self.max_epochs:
            return "max_epochs"
        if self.elapsed() >= self.deadline:
            return "max_seconds"
        if self.no_longer_falls():
            return "diverged" if self.last.gap > BLOWN_UP * min(e.gap for e in self.history) else "stalled"
        return None

    def no_longer_falls(self) -> bool:
        """Whether the second half of the passes has no smaller gap than the quarter before it.

        Inside the hypothesis of its theorem a method's gap falls, if only in the mean and however slowly, down to
        rounding; so there the question is asked of gaps at that level alone.
        """
        assert self.last is not None
        if self.epochs < PATIENCE or (self.checked and self.last.gap > self.last.rounding):
            return False
        later = [e.gap for e in self.history if 2 * e.epochs > self.epochs]
        earlier = [e.gap for e in self.history if 4 * e.epochs > self.epochs >= 2 * e.epochs]
        return min(later) >= min(earlier, default=math.inf)


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
