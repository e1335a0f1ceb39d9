"""Checks of how a solver behaves: what it leaves alone, what it refuses, and what must not change its answer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase, further
from dualgap.proofs_checks.conformance.solvers.causes import Hypothesis
from dualgap.proofs_checks.conformance.solvers.diagnosis import agreed, converted, meets, require_all, right_elsewhere
from dualgap.proofs_checks.conformance.solvers.trial import GOOD, Answer, Trial, takes
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
        if trial.ask(case).same_bits(_after(trial, case, 12345)):
            continue
        if _after(trial, case, 7).same_bits(_after(trial, case, 7)):
            trial.fail(
                case,
                "two calls with the same seed differ: draw from numpy.random.default_rng(seed), not from a global"
                " generator",
                "not seeded",
            )
        trial.fail(
            case,
            "two calls with the same arguments differ: something is kept from call to call, or a generator does not"
            " start from the seed",
            "not repeatable",
        )


def _after(trial: Trial, case: SolverCase, seed: int) -> Answer:
    """The answer with numpy's global generator at another place."""
    before = np.random.get_state()
    np.random.seed(seed)
    try:
        return trial.ask(case)
    finally:
        np.random.set_state(before)


def check_nothing_is_kept_from_call_to_call(trial: Trial) -> None:
    """A call on other data, with another lam, in between changes no bit of an answer; the other one is right too."""
    case = trial.dressed(GOOD)
    others = [
        trial.dressed(SolverCase("four other rows, after a call on four rows", TABLE[::-1] * c, -TARGETS, lam))
        for c, lam in ((0.5, 0.625), (0.75, 0.875))
    ]
    first = trial.ask(case)
    # a solver that is not repeatable is the business of the check before
    if repeated := first.same_bits(trial.ask(case)):
        first = trial.ask(case)
    asked = []
    for other in others:
        asked.append((other, trial.ask(other)))
        second = trial.ask(case)

    def special() -> Hypothesis | None:
        says = f"It would be met with lam = {case.lam:g}, that of the call before: something is kept"
        kept = Hypothesis(
            "lam of an earlier call",
            says,
            lambda one: judge.optimal(one.case._replace(lam=case.lam).problem(one.loss), one.w, one.tol),
        )
        return agreed([kept], [trial.missed(other, answer, trial.tol) for other, answer in asked])

    require_all(trial, asked, special=special, special_first=True)
    if repeated and not first.same_bits(second):
        trial.fail(
            case, "the answer differs after a call on other data: something is kept from call to call", "state kept"
        )


def check_bad_input_is_refused(trial: Trial) -> None:
    """ValueError or TypeError (or what the solver's ``refusals`` names), and no answer, for what no problem can be made
    of.

    A refusal says something only of a solver that takes the good problem next to it.
    """
    case = trial.dressed(GOOD)
    trial.attempt(case, case.X.copy(), case.labels(trial.loss).copy())
    for what, X, y, lam in _bad(case, trial.loss):
        said = trial.refuses(X, y, lam, case.l1)
        if said:
            cause = "not refused" if said == "returned an answer" else "exception type"
            trial.fail(case, f"{what}, and the solver {said}: raise ValueError on entry", cause)


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


def check_the_order_of_the_rows_does_not_matter(trial: Trial) -> None:
    """w of the rows in another order is optimal, and alpha, put back, its dual point; gap <= 2 tol with the other
    call's alpha.

    P(w') - D(alpha) = [P(w') - min P] + [max D - D(alpha)] <= tol + tol.
    """
    asked, crossed = [], []
    for case in trial.cases():
        order = np.random.default_rng(len(case.y)).permutation(len(case.y))
        answer, turned = trial.ask(case), trial.ask(case.rows(order))
        alpha = None if turned.alpha is None else _with(turned.alpha, order, turned.alpha)
        case = case._replace(name=f"{case.name}, in another order")
        asked.append((case, turned._replace(alpha=alpha)))
        crossed.append((case, turned._replace(alpha=answer.alpha, converged=answer.converged and turned.converged)))
    says = "The alpha is that of the rows as they are: the two calls have answers of different problems"
    require_all(trial, asked)
    require_all(
        trial,
        crossed,
        2 * trial.tol,
        lambda: Hypothesis("order of the rows", says, lambda one: True) if right_elsewhere(trial, trial.tol) else None,
    )


def check_the_scale_of_the_rows_does_not_matter(trial: Trial) -> None:
    """With (c X, c^2 lam, c l1) instead of (X, lam, l1) the answer is (w/c, alpha), for c = 2^20 and for c = 2^-20."""

    def scaled(case: SolverCase, c: float) -> tuple[SolverCase, Answer]:
        other = case._replace(X=c * case.X, lam=c * c * case.lam, l1=c * case.l1)
        answer = converted(trial, other, trial.ask(other))
        with np.errstate(over="ignore"):
            w = np.nan_to_num(c * answer.w)  # the largest double where the product is beyond them
        return case._replace(name=f"{case.name}, X times {c:g}, lam times {c:g}^2"), answer._replace(w=w)

    def special() -> Hypothesis | None:
        """Right on every problem of size 1: the same problems, scaled, are missed."""
        if not right_elsewhere(trial, trial.tol):
            return None
        more = [scaled(case, c) for case in map(trial.dressed, further(trial.l1)) for c in (LARGE, SMALL)]
        missed = [trial.missed(*pair, trial.tol) for pair in more if not meets(trial, *pair, trial.tol)]
        says = "X itself is solved right: a norm or a step is compared with a fixed number"
        return agreed([Hypothesis("scale of the rows", says, lambda one: True)], missed)

    require_all(trial, [scaled(case, c) for case in trial.cases() for c in (LARGE, SMALL)], special=special)


def check_a_path_of_lam_is_right_at_every_point(trial: Trial) -> None:
    """lam = 4, 1, 1/4, 1/16, one call after the other, and back: every gap is met, so that min P and ||w|| are monotone
    up to tol.

    min P' <= P(w) <= min P + tol for lam' <= lam, as P' <= P at every w. The start is the answer before, for a solver
    that takes one.
    """
    asked: list[tuple[SolverCase, Answer]] = []
    for lam in (4.0, 1.0, 0.25, 0.0625, 0.25, 4.0):
        case = trial.dressed(SolverCase(f"lam = {lam:g} of a path", TABLE, TARGETS, lam))
        start: dict[str, Any] = (
            {"start": (asked[-1][1].w, asked[-1][1].alpha)} if asked and takes(trial.solver, "start") else {}
        )
        asked.append((case, trial.ask(case, **start)))
    require_all(trial, asked)
