"""Checks of what only some solvers have: a warm start, an intercept, sample weights, several classes. Each says in its
``applies`` for whom.
"""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from dualgap.fast import Certificate
from dualgap.proofs_checks.conformance.solvers import intercept, judge
from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase
from dualgap.proofs_checks.conformance.solvers.causes import Hypothesis
from dualgap.proofs_checks.conformance.solvers.diagnosis import agreed, meets, require_all
from dualgap.proofs_checks.conformance.solvers.trial import Answer, Missed, Trial, read
from dualgap.reference import BLOCK_LOSSES, L2, BlockProblem

# -- a warm start: start=(w, alpha), alpha None after an answer of w alone ---------------------------------------------


def check_a_warm_start_is_read_and_left_alone(trial: Trial) -> None:
    """From another problem's answer the gap is met, the start is not written to, and it moves the answer of some
    problem by a bit or more.

    Every problem has a dual start that changes the limit or the path to it. Bit-identical answers on all problems mean
    that the start is not read.
    """
    asked, moved = [], False
    for case in trial.cases():
        cold = trial.ask(case)
        start = _start(trial, case, cold)
        kept = [None if part is None else part.copy() for part in start]
        warm = trial.ask(case._replace(name=f"{case.name}, from a start"), start=start)
        if any(
            part is not None and before is not None and not np.array_equal(part, before)
            for part, before in zip(start, kept)
        ):
            trial.fail(case, "the solver has changed the start that it was given: copy it", "start changed")
        asked.append((case, warm))
        moved = moved or not warm.same_bits(cold)
    require_all(trial, asked)
    if not moved:
        trial.fail(
            asked[0][0],
            f"the bits are those of a cold start, on each of {len(asked)} problems: the start is not read",
            "start ignored",
        )


def _start(trial: Trial, case: SolverCase, cold: Answer) -> tuple[Array, Array | None]:
    """A pair that is not optimal: alpha of the first row halfway from the answer to 0; w is w(alpha)."""
    problem = case.problem(trial.loss)
    alpha = (judge.dual_point(problem, cold.w, trial.tol)[0] if cold.alpha is None else cold.alpha).copy()
    alpha[0] /= 2
    w = np.array(problem.w(alpha.tolist()))
    return w, None if cold.alpha is None else alpha


# -- an intercept: intercept=True gives w of d + 1 entries, the intercept last, not penalised --------------------------


def check_the_intercept_is_free(trial: Trial) -> None:
    """P(w, b) = mean phi_i(x_i^T w + b) + g(w) is minimal; its dual is D(alpha) over those with sum_i alpha_i = 0."""
    missed, silent = [], 0
    for far in (False, True):
        case = intercept.case(far)
        answer = trial.ask(case, extra=1, intercept=True)
        problem = intercept.with_ones(case, trial.loss)
        gap, allowed = intercept.free_gap(problem, answer.w, *intercept.dual_point(trial.loss, far), trial.tol)
        if gap > allowed:
            missed.append((case, answer, gap, problem))
        silent += not answer.converged
    if any(answer.converged for _, answer, *_ in missed):
        penalised = len(missed) == 2 and all(
            judge.optimal(problem, answer.w, trial.tol) for _, answer, _, problem in missed
        )
        cause, why = (
            ("intercept penalised", ". It would be met if the intercept were penalised as w is: leave it out of g")
            if penalised
            else (None, "")
        )
        trial.fail(missed[0][0], f"the gap is at most {judge.shown(missed[0][2])}, requested {trial.tol:g}{why}", cause)
    trial.claimed(silent, 2)


# -- sample weights: P(w) = sum_i s_i phi_i(x_i^T w) / sum_i s_i + g(w), a row of weight 3 is three rows ---------------

WEIGHTS = ((1.0, 3.0, 0.0, 2.0), (2.0, 6.0, 0.0, 4.0), (3.0, 1.0, 2.0, 1.0))
# wrong readings of weights: the problem solved, from (rows repeated, rows as they are, sum of the weights, n)
READINGS: dict[str, tuple[str, Callable[[SolverCase, SolverCase, float, int], SolverCase]]] = {
    "weights ignored": ("the weights were ignored", lambda repeated, plain, total, n: plain),
    "weights summed": (
        "the weighted losses were summed, not averaged: divide by the sum of the weights",
        lambda repeated, plain, total, n: _divided(repeated, total),
    ),
    "weights divided by n": (
        "the weighted losses were divided by n: divide by the sum of the weights",
        lambda repeated, plain, total, n: _divided(repeated, total / n),
    ),
}


def check_a_weight_is_a_number_of_rows(trial: Trial) -> None:
    """Weights 1, 3, 0 and 2 are one row, three rows, none and two, and twice all weights are the same weights."""
    plain, asked, others = trial.dressed(SolverCase("four rows", TABLE, TARGETS, lam=1.0)), [], {}
    for numbers in WEIGHTS:
        weights, name = np.array(numbers), f"four rows with weights {', '.join(f'{s:g}' for s in numbers)}"
        times = weights.astype(int) // np.gcd.reduce(weights.astype(int))
        repeated = plain.rows(np.repeat(np.arange(4), times))._replace(name=name)
        asked.append((repeated, trial.ask(plain, sample_weight=weights.copy())._replace(alpha=None)))
        others[name] = repeated, plain, float(weights.sum()), len(weights)

    def special() -> Hypothesis | None:
        missed = [
            trial.missed(case, answer, trial.tol) for case, answer in asked if not meets(trial, case, answer, trial.tol)
        ]
        return agreed(
            (
                Hypothesis(cause, f"It would be met if {says}", partial(_misread, way, others))
                for cause, (says, way) in READINGS.items()
            ),
            missed,
        )

    require_all(trial, asked, special=special)


def _misread(way: Callable[..., SolverCase], others: Mapping[str, tuple[object, ...]], one: Missed) -> bool:
    return judge.optimal(way(*others[one.case.name]).problem(one.loss), one.w, one.tol)


def _divided(case: SolverCase, total: float) -> SolverCase:
    return case._replace(lam=case.lam / total, l1=case.l1 / total)


# -- several classes, for a solver with ``block_losses``: y of 0..K-1, w of shape (d, K), alpha of shape (n, K) --------


def check_several_classes_have_the_gap(trial: Trial) -> None:
    """Each of ``block_losses`` on 5 rows of 3 classes: P(W) - D(alpha) <= tol, up to the bound's roundings."""
    X, y, silent = np.vstack([TABLE, [[0.5, 0.25]]]), np.array([0, 1, 2, 1, 2]), 0
    for name in trial.solver.block_losses:  # type: ignore[attr-defined]
        problem = BlockProblem.kronecker(X, y.tolist(), 3, BLOCK_LOSSES[name](), L2(0.25))
        case = SolverCase(f"three classes, loss {name}", X, y.astype(float))
        given = Trial(trial.solver, name, trial.tol, False).attempt(case, X.copy(), y.copy())
        w, alpha, converged = read(given)
        if converged is None or alpha is None or w.shape != (2, 3) or alpha.shape != (5, 3):
            trial.fail(
                case, f"the answer must be (W, alpha) of shapes (2, 3) and (5, 3) (got {type(given).__name__})", "shape"
            )
        try:
            found = Certificate(problem, w.ravel(), alpha)
        except ValueError as error:
            trial.fail(case, str(error), "domain")
        if converged and found.gap_bound > trial.tol + found.rounding + found.resolution:
            trial.fail(case, f"the gap is at most {found.gap_bound:.9g}, requested {trial.tol:g}")
        silent += not converged
    trial.claimed(silent, len(trial.solver.block_losses))  # type: ignore[attr-defined]
