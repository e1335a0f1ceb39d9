"""Checks of how a solver behaves: what it leaves alone, what it refuses, and what must not change its answer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase, cases
from dualgap.proofs_checks.conformance.solvers.trial import Answer, Trial, takes
from dualgap.reference import LOSSES

LARGE, SMALL = 2.0**20, 2.0**-20  # by which rows are scaled: powers of two, so that nothing is rounded


def check_the_data_are_left_as_they_were(trial: Trial) -> None:
    """X and y are not written to."""
    for case in trial.cases():
        X, y = case.X.copy(), case.labels(trial.loss).copy()
        trial.attempt(case, X, y)
        if not (np.array_equal(X, case.X) and np.array_equal(y, case.labels(trial.loss))):
            trial.fail(case, "the solver has changed X or y: copy what is to be scaled or centred", "input changed")


def check_the_same_seed_gives_the_same_bits(trial: Trial) -> None:
    """Two calls with one seed agree bit for bit, whatever was drawn from a global generator in between."""
    for case in trial.cases():
        first, between = trial.ask(case), np.random.get_state()
        np.random.seed(12345)
        second = trial.ask(case)
        np.random.set_state(between)
        if not first.same_bits(second):
            trial.fail(case, "two calls with the same seed differ: draw from numpy.random.default_rng(seed) alone", "not seeded")


def check_nothing_is_kept_from_call_to_call(trial: Trial) -> None:
    """A call on other data, with another lam, in between changes no bit of an answer; the other one is right too."""
    case = SolverCase("four rows", TABLE, TARGETS)
    other = SolverCase("four other rows, after a call on four rows", TABLE[::-1] * 0.5, -TARGETS, lam=0.625)
    first, between, second = trial.ask(case), trial.ask(other), trial.ask(case)
    if not trial.met(other, between, trial.tol) and judge.optimal(other._replace(lam=case.lam).problem(trial.loss), between.w, trial.tol):
        trial.fail(other, f"the gap would be met with lam = {case.lam:g}, that of the call before: something is kept", "lam of an earlier call")
    trial.require(other, between)
    if not first.same_bits(second):
        trial.fail(case, "the answer differs after a call on other data: something is kept from call to call", "state kept")


def check_bad_input_is_refused(trial: Trial) -> None:
    """ValueError or TypeError (or what the solver's ``refusals`` names), and no answer, for what no problem can be made of."""
    case = next(cases(trial.l1))
    for what, X, y, lam in _bad(case, trial.loss):
        said = trial.refuses(X, y, lam)
        if said:
            cause = "not refused" if said == "returned an answer" else "exception type"
            trial.fail(case, f"{what}, and the solver {said}: raise ValueError on entry", cause)


def _bad(case: SolverCase, loss: str) -> Iterator[tuple[str, Any, Any, Any]]:
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


def check_the_order_of_the_rows_does_not_matter(trial: Trial) -> None:
    """w of the rows in another order is optimal, and alpha, put back, its dual point; gap <= 2 tol with the other call's alpha.

    P(w') - D(alpha) = [P(w') - min P] + [max D - D(alpha)] <= tol + tol.
    """
    asked, crossed = [], []
    for case in trial.cases():
        order = np.random.default_rng(len(case.y)).permutation(len(case.y))
        answer, turned = trial.ask(case), trial.ask(case.rows(order))
        alpha = None if turned.alpha is None else _with(turned.alpha, order, turned.alpha)
        case = case._replace(name=f"{case.name}, in another order")
        asked.append((case, turned._replace(alpha=alpha)))
        crossed.append((case, turned._replace(alpha=answer.alpha)))
    trial.require_all(asked)
    trial.require_all(crossed, 2 * trial.tol, ("order of the rows", ". The alpha is that of the rows as they are: the two calls have answers of different problems"))


def check_the_scale_of_the_rows_does_not_matter(trial: Trial) -> None:
    """With c X, c^2 lam and c l1 in the place of X, lam and l1 the answer is (w/c, alpha), for c = 2^20 and 2^-20 alike."""
    asked: list[tuple[SolverCase, Answer]] = []
    for case in trial.cases():
        for c in (LARGE, SMALL):
            answer = trial.ask(case._replace(X=c * case.X, lam=c * c * case.lam, l1=c * case.l1))
            asked.append((case._replace(name=f"{case.name}, X times {c:g}, lam times {c:g}^2"), answer._replace(w=c * answer.w)))
    trial.require_all(asked, otherwise=("scale of the rows", ". For X itself see the_gap_is_what_was_asked_for; a norm or a step is compared with a fixed number"))


def check_a_path_of_lam_is_right_at_every_point(trial: Trial) -> None:
    """lam = 4, 1, 1/4, 1/16, one call after the other, and back: every gap is met, so that min P and ||w|| are monotone but for tol.

    min P' <= P(w) <= min P + tol for lam' <= lam, as P' <= P at every w. The start is the answer before, for a solver that takes one.
    """
    asked: list[tuple[SolverCase, Answer]] = []
    for lam in (4.0, 1.0, 0.25, 0.0625, 0.25, 4.0):
        case = SolverCase(f"lam = {lam:g} of a path", TABLE, TARGETS, lam)
        start: dict[str, Any] = {"start": (asked[-1][1].w, asked[-1][1].alpha)} if asked and takes(trial.solver, "start") else {}
        asked.append((case, trial.ask(case, **start)))
    trial.require_all(asked)
