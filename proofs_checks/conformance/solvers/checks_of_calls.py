"""Checks of how a solver behaves: what it leaves alone, what it refuses, and what must not change its answer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase
from dualgap.proofs_checks.conformance.solvers.checks_of_answers import converted, require_all
from dualgap.proofs_checks.conformance.solvers.trial import GOOD, Answer, Trial
from dualgap.reference import LOSSES

LARGE, SMALL = 2.0**20, 2.0**-20  # by which rows are scaled: powers of two, so that nothing is rounded


def check_nothing_is_kept_from_call_to_call(trial: Trial) -> None:
    """X and y are not written to; two calls with one seed agree bit for bit, whatever was drawn from a global generator
    in between; a call on other data, with another lam, is right and changes no bit of the next answer.
    """
    for case in trial.cases():
        X, y = case.X.copy(), case.labels(trial.loss).copy()
        trial.attempt(case, X, y)
        if not (np.array_equal(X, case.X) and np.array_equal(y, case.labels(trial.loss))):
            trial.fail(case, "the solver has changed X or y: copy what is to be scaled or centred")
        if not trial.ask(case).same_bits(_after(trial, case, 12345)):
            trial.fail(
                case,
                "two calls with the same seed differ: draw from numpy.random.default_rng(seed), not from a global"
                " generator, and keep nothing from call to call",
            )
    case, asked = GOOD, []
    first = trial.ask(case)
    for c, lam in ((0.5, 0.625), (0.75, 0.875)):
        other = SolverCase("four other rows, after a call on four rows", TABLE[::-1] * c, -TARGETS, lam)
        asked.append((other, trial.ask(other)))
        if not first.same_bits(trial.ask(case)):
            trial.fail(case, "the answer differs after a call on other data: something is kept from call to call")
    require_all(trial, asked)


def _after(trial: Trial, case: SolverCase, seed: int) -> Answer:
    """The answer with numpy's global generator at another place."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        return trial.ask(case)
    finally:
        np.random.set_state(before)


def check_bad_input_is_refused(trial: Trial) -> None:
    """ValueError or TypeError, and no answer, for what no problem can be made of.

    A refusal says something only of a solver that takes the good problem next to it.
    """
    case = GOOD
    trial.attempt(case, case.X.copy(), case.labels(trial.loss).copy())
    for what, X, y, lam in _bad(case, trial.loss):
        said = trial.refuses(X, y, lam, case.l1)
        if said:
            trial.fail(case, f"{what}, and the solver {said}: raise ValueError on entry")


def _bad(case: SolverCase, loss: str) -> Iterator[tuple[str, object, object, object]]:
    X, y = case.X, case.labels(loss)
    for value, what in ((np.nan, "not a number"), (np.inf, "infinite"), (-np.inf, "infinite")):
        yield f"X[0, 0] is {what}", _with(X, (0, 0), value), y.copy(), case.lam
        yield f"y[1] is {what}", X.copy(), _with(y, 1, value), case.lam
    yield "y is one entry short", X.copy(), y[:-1].copy(), case.lam
    yield "X has one dimension", X[:, 0].copy(), y.copy(), case.lam
    yield "X has no rows", X[:0].copy(), y[:0].copy(), case.lam
    for lam in (0.0, -1.0, np.nan, np.inf):
        yield f"lam = {lam:g}", X.copy(), y.copy(), lam
    if LOSSES[loss].margin:
        yield "labels are 0 and 1", X.copy(), (y + 1) / 2, case.lam


def _with(array: Array, place: Any, value: Any) -> Array:
    changed = array.copy()
    changed[place] = value
    return changed


def check_the_scale_of_the_rows_does_not_matter(trial: Trial) -> None:
    """With (c X, c^2 lam, c l1) instead of (X, lam, l1) the answer is (w/c, alpha), for c = 2^20 and for c = 2^-20."""

    def scaled(case: SolverCase, c: float) -> tuple[SolverCase, Answer]:
        other = case._replace(X=c * case.X, lam=c * c * case.lam, l1=c * case.l1)
        answer = converted(trial, other, trial.ask(other), trial.tol)
        with np.errstate(over="ignore"):
            w = np.nan_to_num(c * answer.w)  # the largest double where the product is beyond them
        return case._replace(name=f"{case.name}, X times {c:g}, lam times {c:g}^2"), answer._replace(w=w)

    require_all(trial, [scaled(case, c) for case in trial.cases() for c in (LARGE, SMALL)])
