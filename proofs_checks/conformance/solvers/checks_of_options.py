"""Checks of what only some solvers have: a warm start, an intercept, sample weights, several classes. Each says in its ``applies`` for whom."""

import numpy as np

from dualgap.fast import Certificate
from dualgap.proofs_checks.conformance.solvers import causes, intercept, judge
from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase
from dualgap.proofs_checks.conformance.solvers.trial import Answer, Trial, read
from dualgap.reference import BLOCK_LOSSES, L2, BlockProblem

# -- a warm start: start=(w, alpha), alpha None after an answer of w alone ---------------------------------------------------------


def check_a_warm_start_is_read_and_left_alone(trial: Trial) -> None:
    """From another problem's answer the gap is met, the start is not written to, and it moves the answer of some problem by a bit or more.

    Every problem has a dual start from which the limit, or the way to it, is another one; the same bits everywhere mean that it is not read.
    """
    asked, moved = [], False
    for case in trial.cases():
        cold = trial.ask(case)
        start = _start(trial, case, cold)
        kept = [None if part is None else part.copy() for part in start]
        warm = trial.ask(case._replace(name=f"{case.name}, from a start"), start=start)
        if any(part is not None and before is not None and not np.array_equal(part, before) for part, before in zip(start, kept)):
            trial.fail(case, "the solver has changed the start that it was given: copy it", "start changed")
        asked.append((case, warm))
        moved = moved or not warm.same_bits(cold)
    trial.require_all(asked)
    if not moved:
        trial.fail(asked[0][0], f"the bits are those of a cold start, on each of {len(asked)} problems: the start is not read", "start ignored")


def _start(trial: Trial, case: SolverCase, cold: Answer) -> tuple[Array, Array | None]:
    """A pair that is not optimal: alpha of the first row is the middle of its domain's way from the answer to 0; w is w of it."""
    problem = case.problem(trial.loss)
    alpha = (judge.dual_point(problem, cold.w, trial.tol)[0] if cold.alpha is None else cold.alpha).copy()
    alpha[0] /= 2
    w = np.array(problem.w(alpha.tolist()))
    return w, None if cold.alpha is None else alpha


# -- an intercept: intercept=True gives w of d + 1 entries, the intercept last, not penalised -----------------------------------


def check_the_intercept_is_free(trial: Trial) -> None:
    """P(w, b) = mean phi_i(x_i^T w + b) + g(w) is minimal; its dual is D(alpha) over those with sum_i alpha_i = 0."""
    for far in (False, True):
        case = intercept.case(far)
        answer = trial.ask(case, extra=1, intercept=True)
        problem = intercept.with_ones(case, trial.loss)
        gap, allowed = intercept.free_gap(problem, answer.w, *intercept.dual_point(trial.loss, far), trial.tol)
        if answer.converged and gap <= allowed:
            continue
        cause, why = None, ""
        if judge.optimal(problem, answer.w, trial.tol):
            cause, why = "intercept penalised", ". It would be met if the intercept were penalised as w is: leave it out of g"
        said = "" if answer.converged else "did not converge: "
        trial.fail(case, f"{said}the gap is at most {judge.shown(gap)}, asked for {trial.tol:g}{why}", cause)


# -- sample weights: P(w) = sum_i s_i phi_i(x_i^T w) / sum_i s_i + g(w), a row of weight 3 is three rows ---------------------------------


def check_a_weight_is_a_number_of_rows(trial: Trial) -> None:
    """Weights 1, 3, 0 and 2 are one row, three rows, none and two, and twice all weights are the same weights."""
    weights, case = np.array([1.0, 3.0, 0.0, 2.0]), SolverCase("four rows with weights 1, 3, 0, 2", TABLE, TARGETS, lam=1.0)
    repeated = case.rows(np.repeat(np.arange(4), weights.astype(int)))
    for factor in (1.0, 2.0):
        answer = trial.ask(case, sample_weight=factor * weights)
        if answer.converged and judge.optimal(repeated.problem(trial.loss), answer.w, trial.tol):
            continue
        total = factor * weights.sum()
        readings = {
            "weights ignored": (case, "the weights were ignored"),
            "weights summed": (repeated._replace(lam=case.lam / total), "the weighted losses were summed, not averaged: divide by the sum of the weights"),
            "weights divided by n": (repeated._replace(lam=case.lam * len(weights) / total), "the weighted losses were divided by n: divide by the sum of the weights"),
        }
        named = ((cause, f". It would be met if {says}") for cause, (other, says) in readings.items() if judge.optimal(other.problem(trial.loss), answer.w, trial.tol))
        cause, why = next(named, (None, ""))
        missed = causes.Missed(repeated, trial.loss, answer.w, None, trial.tol)
        trial.fail(case, f"{'' if answer.converged else 'did not converge: '}the gap for the repeated rows is {trial.gap(missed)}, asked for {trial.tol:g}{why}", cause)


# -- several classes, for a solver with ``block_losses``: y of 0..K-1, w of shape (d, K), alpha of shape (n, K) -----------------------------


def check_several_classes_have_the_gap(trial: Trial) -> None:
    """Every loss of ``block_losses`` on five rows of three classes: P(W) - D(alpha) <= tol, but for the roundings of the bound itself."""
    X, y = np.vstack([TABLE, [[0.5, 0.25]]]), np.array([0, 1, 2, 1, 2])
    for name in trial.solver.block_losses:  # type: ignore[attr-defined]
        problem = BlockProblem.kronecker(X, y.tolist(), 3, BLOCK_LOSSES[name](), L2(0.25))
        case = SolverCase(f"three classes, loss {name}", X, y.astype(float))
        given = Trial(trial.solver, name, trial.tol, False).attempt(case, X.copy(), y.copy())
        w, alpha, converged = read(given)
        if converged is None or alpha is None or w.shape != (2, 3) or alpha.shape != (5, 3):
            trial.fail(case, f"the answer must be (W, alpha) of shapes (2, 3) and (5, 3) (got {type(given).__name__})", "shape")
        try:
            found = Certificate(problem, w.ravel(), alpha)
        except ValueError as error:
            trial.fail(case, str(error), "domain")
        if not (converged and found.gap_bound <= trial.tol + found.rounding + found.resolution):
            trial.fail(case, f"{'' if converged else 'did not converge: '}the gap is at most {found.gap_bound:.9g}, asked for {trial.tol:g}")
