"""Code that the experiments share: curves against passes, runs to a certified gap, and figures.

A pass is n dual steps or n evaluations of a single gradient, and each one that the method needs counts
(``reference.Method.passes``). Reading and preparing the data, monitoring and compilation are not timed.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from dualgap.fast.data.load import Dataset, load, prepare
from dualgap.fast.problem.arrays import Array
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.reference import L2, Loss, Problem

Suboptimality = Callable[[Array], float]

raw = lru_cache(maxsize=4)(load)


@lru_cache(maxsize=4)
def dataset(name: str, unit_rows: bool, bias: bool, positive: str) -> Dataset:
    """A data set, generator or LIBSVM file by name, prepared; ``positive`` is for labels other than -1 and +1."""
    data = raw(name)
    classes = positive if positive and len(np.unique(data.y)) > 2 else None
    return prepare(data, positive=classes, bias=bias, unit_rows=unit_rows)


def problem_of(
    name: str, loss: Loss, lam: float, unit_rows: bool = False, bias: bool = False, positive: str = ""
) -> Problem:
    """Loss and L2 on a data set."""
    data = dataset(name, unit_rows, bias, positive if loss.margin else "")
    return Problem(data.X, data.y, loss, L2(lam))


def short(data: str) -> str:
    """A data set's name without its folders."""
    return data.rsplit("/", 1)[-1]


def stem(data: str) -> str:
    """The same without the ending of a file and the options of a generator.

    >>> stem("folder/a9a.xz"), stem("rcv1-like:n=9")
    ('a9a', 'rcv1-like')
    """
    return short(data).split(".")[0].split(":")[0]


class TimedRun:
    """A method from its start, one draw at a time.

    Attributes
    ----------
    passes : made so far; seconds : that the draws took, without what is done to look at them
    """

    def __init__(self, problem: Problem, method: str, seed: int, backend: str = "fast", **options: Any) -> None:
        from dualgap.fast.solver.backends import backend_of

        self.problem, self.seed, self.driver = problem, seed, backend_of(backend, method, options)
        self.driver.require(problem, "unchecked")
        # compiled before the clock starts
        self.driver.advance(problem, self.driver.init(problem, None), self.draw(0)[:1])
        self.state = self.driver.init(problem, None)
        self.drawn = self.passes = 0
        self.seconds = 0.0

    def draw(self, number: int) -> Array:
        """The choices of a draw; the same for all methods that take one row a step."""
        choices: Array = self.driver.implementation.draw(self.problem, "uniform", self.seed, number)
        return choices

    def looks(self) -> Iterator[int]:
        """The passes made: before the first draw and after each; ends where an iterate leaves the range of a float."""
        while True:
            yield self.passes
            choices, started = self.draw(self.drawn), time.perf_counter()
            try:
                self.driver.advance(self.problem, self.state, choices)
            except OverflowError:
                return
            self.seconds += time.perf_counter() - started
            self.drawn += 1
            self.passes = self.driver.passes(self.problem, self.state, self.drawn)

    def view(self) -> tuple[Array, Array]:
        """The method's own (w, alpha)."""
        w, alpha = self.driver.implementation.view(self.problem, self.state)
        return w, alpha

    def bound(self) -> float:
        """Return a certified upper bound on P(w) - min P; infinite if there is none."""
        found = self.driver.certificate(self.problem, self.state)
        return math.inf if found is None else found.gap_bound


def curve(run: TimedRun, passes: int, measure: Callable[[TimedRun], float]) -> Json:
    """{"values": those of ``measure`` after 0, 1, ..., passes passes, "passes": made, "seconds": ...}.

    Entry t belongs to the last iterate that cost at most t passes; a draw may cost more than one pass, or less. A value
    that is not finite ends the curve: the method has diverged.
    """
    values: list[float] = []
    for made in run.looks():
        if made <= passes:
            value = measure(run)
            if not math.isfinite(value):
                break
            held(values, made).append(value)
        if made >= passes:
            held(values, passes + 1)
            break
    return {"values": values, "passes": run.passes, "seconds": run.seconds}


def held(values: list[float], length: int) -> list[float]:
    """The list itself, cut to that length, or its last value repeated up to it."""
    values[length:] = values[-1:] * (length - len(values))
    return values


def hit(run: TimedRun, measure: Callable[[TimedRun], float], tol: float, max_passes: int, max_seconds: float) -> Json:
    """Passes and seconds until ``measure``, looked at after every draw, is at most ``tol``.

    Returns
    -------
    hit : [passes, seconds], None if not met within max_passes and max_seconds (of the draws); passes, seconds : made
    """
    found = None
    for made in run.looks():
        value = measure(run)
        found = [made, run.seconds] if value <= tol else None
        if found or value == math.inf or made >= max_passes or run.seconds >= max_seconds:
            break
    return {"hit": found, "passes": run.passes, "seconds": run.seconds}


def ridge_suboptimality(problem: Problem) -> Suboptimality:
    """P(w) - P* = (1/2n)||X(w - w*)||^2 + (lam/2)||w - w*||^2 for the squared loss, without cancellation."""
    data = problem.X.toarray() if hasattr(problem.X, "toarray") else np.asarray(problem.X, dtype=np.float64)
    n, lam, gamma = problem.n, float(problem.regularizer.modulus), float(problem.gamma)
    y = np.asarray(problem.y, dtype=np.float64)
    matrix = data.T @ data / (n * gamma) + lam * np.eye(problem.d)
    best = np.linalg.solve(matrix, data.T @ y / (n * gamma))

    def suboptimality(w: Array) -> float:
        error = w - best
        product = data @ error
        return float(product @ product / (2 * n * gamma) + lam * (error @ error) / 2)

    return suboptimality


def at_pass(values: Sequence[float], passes: int) -> float:
    """The value after that many passes; infinity where the curve has ended before (the method diverged)."""
    return values[passes] if passes < len(values) else math.inf


def ahead(rival: Sequence[float], own: Sequence[float], floor: float) -> float:
    """rival/own at the end, or where the first of the two is below ``floor``: later both may be rounding alone.

    >>> ahead([1.0, 1e-8, 1e-25], [1.0, 1e-18, 1e-22], 1e-16), round(ahead([1.0, 1e-2], [1.0, 1e-4], 1e-16))
    (10000000000.0, 100)
    """
    t = next((t for t, pair in enumerate(zip(rival, own)) if min(pair) < floor), len(own) - 1)
    return rival[t] / own[t]


def sooner(rival: Sequence[float], own: Sequence[float], floor: float) -> float:
    """Passes of the rival over ``own``'s, each to the least value that both reach, ``floor`` at the least.

    Infinite where the rival never falls below its start, 0 where ``own`` never does.

    >>> sooner([8.0, 4.0, 2.0, 1.0], [8.0, 2.0, 0.5, 0.1], 1e-16), sooner([8.0, 9.0], [8.0, 7.0], 1e-16), sooner([8.0, 7.0], [8.0, 9.0], 1e-16)
    (1.5, inf, 0.0)
    >>> sooner([8.0, 1e-17, 1e-20], [8.0, 1.0, 5e-17, 1e-18], 1e-16)  # below the floor both may be rounding alone
    0.5
    """  # noqa: E501
    if min(own) >= own[0] or min(rival) >= rival[0]:
        return 0.0 if min(own) >= own[0] else math.inf
    level = max(min(own), min(rival), floor)
    theirs, ours = (next(t for t, value in enumerate(values) if value <= level) for values in (rival, own))
    return theirs / ours if ours else math.inf


def quartiles(values: Sequence[float]) -> ex.Quartiles:
    """The values of rank 1/4, 1/2 and 3/4."""
    ordered = sorted(values)
    return ex.Quartiles(*(ordered[round(share * (len(ordered) - 1))] for share in (0.25, 0.5, 0.75)))


def verdict(holds: Sequence[bool]) -> str:
    """Reproduced where it holds at every setting, not reproduced where at none, else at how many."""
    if not holds:
        return f"{ex.CANNOT}: no such setting was run"
    if all(holds):
        return ex.REPRODUCED
    return (
        ex.NOT_REPRODUCED
        if not any(holds)
        else f"{ex.NOT_REPRODUCED} at {len(holds) - sum(holds)} of {len(holds)} settings"
    )


def log10(value: float) -> str:
    """The decimal logarithm with two digits."""
    return "diverged" if value == math.inf else f"{math.log10(value):.2f}" if value > 0 else "-inf"


def factor(value: float) -> str:
    """Format a factor with two digits or as a whole number.

    >>> factor(0.0123), factor(3.14159), factor(1234.5), factor(2e9), factor(float("inf"))
    ('0.012', '3.1', '1,234', '2e+09', 'infinitely')
    """
    if value == math.inf:
        return "infinitely"
    return f"{value:.2g}" if value < 100 else f"{value:,.0f}" if value < 1e5 else f"{value:.0e}"
