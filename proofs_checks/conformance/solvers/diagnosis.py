"""The verdict on answers, and why they miss their gap: one cause for most of what a solver misses, confirmed on further
problems, or none.

A cause is named for a check where it explains every further problem that was missed (two or more), more than half of
the small ones, and more than half of what the check itself missed. Else the message has what was computed, what was
due, their ratio, and the smallest problem that fails. A convention of alpha is recognised in the same way; the answers
are then converted, and one check says so.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast import solve
from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import Array, SolverCase, further
from dualgap.proofs_checks.conformance.solvers.causes import (
    Convention,
    Hypothesis,
    conventions,
    hypotheses,
    worse_than_zero,
)
from dualgap.proofs_checks.conformance.solvers.trial import Answer, CheckFailed, Missed, Trial
from dualgap.reference import LOSSES

LEAST = 2  # further problems on which a cause must be confirmed
Special = Callable[[], "Hypothesis | None"]


class Diagnosis(NamedTuple):
    """What a solver misses, further problems and small ones, the hypothesis that explains it, if one does, and whether
    the solver claims convergence on any of them.
    """

    claims: bool
    confirmed_on: int
    missed: list[Missed]
    hypothesis: Hypothesis | None


def require(trial: Trial, case: SolverCase, answer: Answer, tol: float | None = None) -> None:
    """Require that the answer meets the requested gap if it claims to have converged."""
    require_all(trial, [(case, answer)], tol)


def require_all(
    trial: Trial,
    asked: Iterable[tuple[SolverCase, Answer]],
    tol: float | None = None,
    special: Special | None = None,
    special_first: bool = False,
) -> None:
    """The same of several.

    special : looks for a cause of the check's own, where no other claim of the solver is wrong, or before all others
        (special_first).

    Raises CheckFailed where an answer claims a gap that it does not have, or where the solver never claims convergence
    and an answer does not have the gap; Incomplete where no claim is wrong and some answers claim nothing.
    """
    tol, asked = trial.tol if tol is None else tol, list(asked)
    unmet = [
        trial.missed(case, converted(trial, case, answer), tol)
        for case, answer in asked
        if not meets(trial, case, answer, tol)
    ]
    if false := [one for one in unmet if one.converged]:
        cause, why = explained(trial, false, tol, special, special_first)
        trial.fail(false[0].case, f"the gap is {trial.gap(false[0])}, requested {tol:g}{why}", cause)
    if silent := sum(not answer.converged for _, answer in asked):
        cause, why = explained(trial, unmet, tol, special, special_first) if unmet else (None, "")
        if len(unmet) and silent == len(asked) and not diagnosis(trial, trial.tol).claims:
            trial.fail(
                unmet[0].case,
                f"the solver never claims convergence, so its answers are judged: the gap is {trial.gap(unmet[0])},"
                f" requested {tol:g}{why}",
                cause,
            )
        near = silent - len(unmet)
        trial.claimed(
            silent, len(asked), f" ({near} of them {'has' if near == 1 else 'have'} the gap of {tol:g}){why}", cause
        )


def meets(trial: Trial, case: SolverCase, answer: Answer, tol: float) -> bool:
    """Whether the answer has the gap, its alpha read by the solver's convention."""
    return trial.met(case, answer, tol) or (
        answer.alpha is not None
        and convention(trial) is not None
        and trial.met(case, converted(trial, case, answer), tol)
    )


def explained(
    trial: Trial, missed: list[Missed], tol: float, special: Special | None = None, special_first: bool = False
) -> tuple[str | None, str]:
    """The cause and the sentence that says so; (None, the numbers) where nothing explains it."""
    if special is not None and special_first and (own := special()):
        return own.cause, f". {own.says}"
    found = diagnosis(trial, tol)
    cause = found.hypothesis
    if cause is not None and 2 * sum(map(cause.fits, missed)) > len(missed):
        return cause.cause, f". {cause.says} (confirmed on {found.confirmed_on} further problems)"
    if special is not None and not any(one.converged for one in found.missed) and (own := special()):
        return own.cause, f". {own.says}"
    return None, numbers(trial, [*missed, *found.missed], tol)


def right_elsewhere(trial: Trial, tol: float) -> bool:
    """Whether the solver has and claims the gap on all small and further problems: what else differs is the cause."""
    return not diagnosis(trial, tol).missed


def agreed(readings: Iterable[Hypothesis], missed: list[Missed]) -> Hypothesis | None:
    """The first reading that explains every one of them, LEAST or more."""
    return next((one for one in readings if len(missed) >= LEAST and all(map(one.fits, missed))), None)


def diagnosis(trial: Trial, tol: float) -> Diagnosis:
    """Small and further problems, solved to a gap of tol, and the first hypothesis that explains the missed gaps."""
    return _cached(_diagnosis, trial, tol)  # type: ignore[no-any-return]


def _diagnosis(trial: Trial, tol: float) -> Diagnosis:
    (more, right), (small, well) = (_asked(trial, cases, tol) for cases in (_further(trial), trial.cases()))
    missed = more + small
    claims = any(one.converged for one in (*missed, *right, *well))
    if any(one.converged for one in missed):  # what is claimed and wrong says more than what is merely slow
        more, small = ([one for one in part if one.converged] for part in (more, small))
    for hypothesis in (*hypotheses(), *_experiments(trial, more)):
        if (
            agreed([hypothesis], more)
            and 2 * sum(map(hypothesis.fits, small)) >= len(small)
            and not any(map(hypothesis.refuted, right))
        ):
            return Diagnosis(claims, len(more), missed, hypothesis)
    return Diagnosis(claims, 0, missed, None)


def _asked(trial: Trial, cases: Iterable[SolverCase], tol: float) -> tuple[list[Missed], list[Missed]]:
    """The answers that miss the gap, and those that have it; exceptions and wrong shapes are other checks' business."""
    found: tuple[list[Missed], list[Missed]] = [], []
    for case in cases:
        try:
            answer = converted(trial, case, trial.ask(case, tol))
        except CheckFailed:
            continue
        found[trial.met(case, answer, tol)].append(trial.missed(case, answer, tol))
    return found


def _further(trial: Trial) -> Iterator[SolverCase]:
    """Further problems with targets of size 1, and of size 1024 if the loss has other targets than labels."""
    for targets in (1.0,) if LOSSES[trial.loss].margin else (1.0, 1024.0):
        yield from map(trial.dressed, further(trial.l1, targets))


def _cached(make: Callable[[Trial, float], object], trial: Trial, tol: float) -> Any:
    """Make one per solver and loss. For a solver that has no hash, make it at each call."""
    return _kept(make, trial, tol) if isinstance(trial.solver, Hashable) else make(trial, tol)


@lru_cache(maxsize=32)
def _kept(make: Callable[[Trial, float], object], trial: Trial, tol: float) -> object:
    return make(trial, tol)


# -- the convention of alpha -------------------------------------------------------------------------------------------


def convention(trial: Trial) -> Convention | None:
    """That of a solver whose numbers are alpha only after a product, the same on every further problem; None for alpha
    itself, and for no such product.
    """
    return _cached(_convention, trial, trial.tol)  # type: ignore[no-any-return]


def _convention(trial: Trial, tol: float) -> Convention | None:
    asked = []
    for case in map(trial.dressed, further(trial.l1)):
        try:
            answer = trial.ask(case, tol)
        except CheckFailed:
            return None
        if answer.converged and answer.alpha is not None:
            asked.append((case, answer))
    if sum(not trial.met(case, answer, tol) for case, answer in asked) < LEAST:
        return None
    return next(
        (
            one
            for one in conventions(trial.loss)
            if all(trial.met(case, _by(one, trial, case, answer), tol) for case, answer in asked)
        ),
        None,
    )


def converted(trial: Trial, case: SolverCase, answer: Answer) -> Answer:
    """The answer with alpha as this page has it."""
    found = None if answer.alpha is None or trial.met(case, answer, trial.tol) else convention(trial)
    return answer if found is None else _by(found, trial, case, answer)


def _by(found: Convention, trial: Trial, case: SolverCase, answer: Answer) -> Answer:
    with np.errstate(over="ignore", invalid="ignore"):
        alpha = found.factor(len(case.y), case.lam, case.labels(trial.loss)) * answer.alpha
    return answer._replace(alpha=alpha if np.isfinite(alpha).all() else answer.alpha)


# -- what takes further calls to confirm -------------------------------------------------------------------------------

STEP, EASY = 2.0**7, 2.0**12


def _experiments(trial: Trial, more: list[Missed]) -> Iterator[Hypothesis]:
    if len(more) < LEAST or not more[0].converged:
        return
    if 2 * sum(worse_than_zero(one, 1000.0) for one in more) > len(more):
        yield Hypothesis(
            "diverges",
            "P(w) is above P(0), and by a factor of more than 1000 on most problems: the iteration diverges",
            worse_than_zero,
        )
    turned = [_by_order(trial, one) for one in more]
    if all(_falls(trial, one) for one in more) or (
        all(_vanishes(trial, one) for one in more) and 2 * sum(turned) > len(more)
    ):
        yield Hypothesis(
            "stops early",
            "The gap shrinks if a smaller one is requested, or if convergence is fast: the solver stops too early",
            lambda one: one.converged,
        )
    if all(turned) and all(map(_apart, more)):
        yield Hypothesis(
            "w drifts from alpha",
            "w is not w(alpha), and depends on the order of the rows: w and alpha are not updated together",
            _apart,
        )


def _gap(trial: Trial, case: SolverCase, tol: float) -> float:
    """The gap of the answer to this tolerance; infinite if there is none."""
    try:
        one = trial.missed(case, converted(trial, case, trial.ask(case, tol)), tol)
        problem = one.problem()
        alpha = judge.dual_point(problem, one.w, tol)[0] if one.alpha is None else one.alpha
        gap = judge.seen_gap(problem, one.w, alpha)
        return float(gap.midpoint() if hasattr(gap, "midpoint") else gap)
    except (CheckFailed, ArithmeticError, ValueError):
        return np.inf


def _falls(trial: Trial, one: Missed) -> bool:
    """A smaller tolerance gives a smaller gap: a limit that is wrong does not depend on it."""
    return _gap(trial, one.case, one.tol / STEP) <= _gap(trial, one.case, one.tol * STEP) / 4 < np.inf


def _vanishes(trial: Trial, one: Missed) -> bool:
    """The pair is (w(alpha), alpha), and the gap all but vanishes for 4096 lam, where one pass is nearly enough."""
    if one.alpha is None or _apart(one):
        return False
    case = one.case._replace(lam=EASY * one.case.lam, l1=EASY * one.case.l1)
    return _gap(trial, case, one.tol) <= max(one.tol, _gap(trial, one.case, one.tol) / 2**10)


def _by_order(trial: Trial, one: Missed) -> bool:
    """The rows turned round give another w, by far more than answers of a small tolerance may: 2 sqrt(2 tol/lam)."""
    tol = one.tol / STEP
    try:
        answer, turned = trial.ask(one.case, tol), trial.ask(one.case.rows(np.arange(len(one.case.y))[::-1]), tol)
    except CheckFailed:
        return False
    return float(np.linalg.norm(answer.w - turned.w)) > 4 * float(np.sqrt(2 * tol / one.case.lam))


def _apart(one: Missed) -> bool:
    """w is not w(alpha), by more than 2^-20 of it."""
    problem = one.problem()
    if one.alpha is None:
        return False
    return _distance(one.w, np.array(problem.w(one.alpha.tolist()))) > 2.0**-20


def _distance(one: Array, other: Array) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.linalg.norm(one - other) / max(np.linalg.norm(other), np.finfo(float).tiny))


# -- where there is no cause -------------------------------------------------------------------------------------------

ENTRIES = 12  # of X, for a message


def numbers(trial: Trial, missed: list[Missed], tol: float) -> str:
    """What was computed, what was due, their ratio, on the smallest problem that is found to miss its gap."""
    one = min(missed, key=lambda one: one.case.X.size)
    if one.case.X.size > 8 * ENTRIES or hasattr(one.case.X, "indptr"):
        return ""
    one = _smaller(trial, one, tol)
    # of 2^-15 of the error in w that tol allows
    due = solve(one.problem(), "sdca", tol=tol * 2.0**-30, max_epochs=20_000).w
    with np.errstate(all="ignore"):
        ratio = listed(np.where(one.w == due, 1.0, one.w / due))
    case = one.case
    given = (
        f"X = {[[float(x) for x in row] for row in case.X]}, y = {case.labels(one.loss).tolist()}"
        if case.X.size <= ENTRIES
        else f"{case.name}"
    )
    return (
        f". The smallest problem found without its gap: {given}, lam = {case.lam:g}, l1 = {case.l1:g}: w ="
        f" {listed(one.w)}, due {listed(due)}, ratio {ratio}"
    )


def listed(values: Array) -> str:
    """Six digits of each."""
    return f"[{', '.join(f'{x:.6g}' for x in values)}]"


def _smaller(trial: Trial, one: Missed, tol: float) -> Missed:
    """Rows, then columns, left out as long as the solver still misses the gap."""
    for axis in (0, 1):
        k = 0
        while one.case.X.shape[axis] > 1 and k < one.case.X.shape[axis]:
            kept = np.delete(np.arange(one.case.X.shape[axis]), k)
            case = one.case.rows(kept) if axis == 0 else one.case._replace(X=one.case.X[:, kept])
            one, before = next(iter(_asked(trial, [case], tol)[0]), one), one
            k += one is before
    return one
