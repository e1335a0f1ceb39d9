"""The first passes of a run that nobody watches: steps in compiled calls, and one certificate.

The steps, and so the bits of the pair, are those of a whole run (``run.SolverRun``). What is left out is what such a
run has no need of: the certificate at the start, turns, a schedule. Where this certificate does not meet the tolerance,
a whole run continues with that state.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.compiler.first_calls import HERE
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.fast.problem.objective import Objective
from dualgap.fast.solver.backends import Backend
from dualgap.fast.solver.certificate_schedule import FURTHEST
from dualgap.fast.solver.result import Entry, Result, advise
from dualgap.fast.solver.settings import DEFAULTS, Settings
from dualgap.reference.problem.problem import Problem

FREE = {"tol", "rtol", "max_epochs", "max_seconds", "seed"}  # settings that do not ask for a whole run
LONG = 1.0  # seconds of a limit that the first passes do not come near


def is_watched(settings: Settings) -> bool:
    """Return whether a whole run is asked for: by a callback, a limit of less than a second, or any other setting."""
    limited = settings.max_seconds is not None and settings.max_seconds < LONG
    return limited or not FREE.issuperset([name for name, x in vars(settings).items() if x and x != DEFAULTS[name]])


class Ahead(NamedTuple):
    """The state after that many passes, where a certificate is due; when they began, and the seconds of compiling
    kernels before.
    """

    state: Any
    epochs: int
    started: float
    waited: float


def at_once(problem: Problem, settings: Settings, driver: Backend, reason: str) -> Result | Ahead | None:
    """The result of a run of a method with ``steps_until`` that converges before its second certificate is due, or what
    is ahead of the first passes; None where the start is enough, or P(0) = 0, or a step overflows.
    """
    started, waited, (tol, rtol) = time.perf_counter(), HERE.waited, settings.tolerances
    state = driver.init(problem, None)
    at_zero = primal_at_zero(driver.native(problem))
    target = max(tol, rtol * abs(at_zero))
    if not target < at_zero / 2:
        return None
    epochs, told, enough, most = 0, math.inf, target, min(FURTHEST, settings.max_epochs)
    try:
        while epochs < most and not told <= enough:
            epochs += driver.steps_until(problem, state, most - epochs, enough)
            expected = driver.expected_gap(problem, state)
            told, enough = math.inf if expected is None else expected, target
            if rtol * driver.least_primal(problem, state) < told <= target and rtol > 0:
                primal = driver.own_primal(problem, state)
                enough = enough if primal is None else min(target, max(tol, rtol * abs(primal)))
    except OverflowError:
        return None
    found = driver.certificate(problem, state, tol, rtol) if told <= enough else None
    if found is None or not found.gap_bound <= (target := found.target(tol, rtol)):
        return Ahead(state, epochs, started, waited)
    seconds = time.perf_counter() - started
    return Result(
        certificate=found,
        status="converged",
        advice=advise("converged", found, target, epochs),
        history=(Entry(epochs, seconds, found.primal, found.dual, found.gap, found.gap_bound),),
        epochs=epochs,
        seconds=seconds,
        reason=reason,
        notes=driver.notes(problem),
        **settings.told(),
    )


def primal_at_zero(objective: Objective) -> float:
    """P(0), with the bits of a certificate at w = 0 and alpha = 0; where the mass is n, those are the bits of P."""
    w = np.zeros(objective.d)
    if objective.mass == objective.n:
        return float(objective.problem.cached("P(0)", lambda: objective.P(w)))
    if isinstance(objective, InterceptObjective):
        objective = objective.at(objective.intercept(w), w)
    return objective.P_from(objective.evaluate(w, np.zeros(objective.n)).sums, objective.regularizer_at(w))
