"""Checks of what a solver answers: shapes, domain, gap, the truth of "converged", all digits, all rows, CSR."""

import numpy as np

from dualgap.proofs_checks.conformance.solvers import causes, judge
from dualgap.proofs_checks.conformance.solvers.cases import (
    Array,
    SolverCase,
    cancelling,
    dense,
    many_rows,
    sparse,
    with_duplicates,
)
from dualgap.proofs_checks.conformance.solvers.trial import Trial
from dualgap.reference import LOSSES

TIGHT = 2.0**-40  # asked for where an inner product in 32 bits would leave a gap of 2^-37 or more


def check_the_answer_has_the_shapes_of_the_problem(trial: Trial) -> None:
    """w has d finite entries and alpha n, and no problem is refused."""
    for case in trial.cases():
        trial.ask(case)


def check_alpha_lies_in_the_domain_of_the_conjugate(trial: Trial) -> None:
    """Outside, D(alpha) is minus infinity and nothing is certified."""
    for case in trial.cases():
        answer = trial.ask(case)
        if answer.alpha is None:
            continue
        try:
            case.problem(trial.loss).require_alpha(answer.alpha)
        except ValueError as error:
            cause, why = causes.explain([causes.Missed(case, trial.loss, answer.w, answer.alpha, trial.tol)])
            scaled = cause in causes.SCALES
            trial.fail(case, f"{error}; alpha approximates +phi'(x^T w){why if scaled else ''}", cause if scaled else "domain")


def check_the_gap_is_what_was_asked_for(trial: Trial) -> None:
    """The solver converges on all of these problems, of at most 8 rows, and P(w) - D(alpha) <= tol, exactly."""
    trial.require_all([(case, trial.ask(case)) for case in trial.cases()])


def check_convergence_is_claimed_only_with_the_gap(trial: Trial) -> None:
    """On a badly conditioned problem, and for a tolerance near the rounding, "converged" is still true or not said."""
    table = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-12], [-1.0, 1.0]])
    hard = SolverCase("nearly equal rows, a small lam", table, np.array([1.0, -1.0, 1.0]), lam=2.0**-14)
    for least in (trial.tol, trial.tol * trial.tol):
        answer = trial.ask(hard, least)
        if answer.converged and not trial.met(hard, answer, least):
            missed = causes.Missed(hard, trial.loss, *answer[:2], least)
            trial.fail(hard, f"claims to have converged to {least:g}, but the gap is {trial.gap(missed)}", "false convergence")


def check_numbers_keep_their_53_bits(trial: Trial) -> None:
    """Neither the answer nor the data pass through 32 bits (float32): every entry here needs all 53 of a double."""
    table = np.array([[0.1, 0.7], [-0.3, 0.9], [0.55, -1.1], [-0.85, -0.2]])
    case = SolverCase("entries of 53 bits", table, np.array([0.9, -0.7, 1.3, -1.1]), lam=0.3)
    answer = trial.ask(case)
    if causes.short_numbers(causes.Missed(case, trial.loss, *answer[:2], trial.tol)):
        trial.fail(case, "every number of the answer has 24 bits: the solver computes, or answers, in single precision (float32)", "float32")
    narrow = [case._replace(X=causes.narrowed(case.X))] + [case._replace(y=causes.narrowed(case.y))] * (not LOSSES[trial.loss].margin)
    for name, same in zip("Xy", narrow):  # whose w is another one, by 1e-8 or so of itself
        if answer.w.any() and answer.same_bits(trial.ask(same)):
            trial.fail(case, f"the same bits come back for entries of {name} that are rounded to 32 bits: the data pass through single precision (float32)", "float32 data")


def check_inner_products_keep_their_53_bits(trial: Trial) -> None:
    """Rows that do not influence each other, solved to 2^-40; with inner products in 32 bits they cannot be."""
    case = cancelling()
    answer = trial.ask(case, TIGHT)
    missed = causes.Missed(case, trial.loss, *answer[:2], TIGHT)
    if not trial.met(case, answer, TIGHT) and causes.lost_in_32_bits(missed):
        why = "It would be met if x_i^T w were off by what 32 bits lose: inner products are formed in single precision (float32)"
        trial.fail(case, f"the gap is {trial.gap(missed)}, asked for {TIGHT:g}. {why}", "float32 inner product")
    trial.require(case, answer, TIGHT)


def inner_products_show(loss: str) -> bool:
    """For the losses with a kink, or a second derivative of 2 where they are strictly convex. Logistic has at most 1/4, and hides 32 bits."""
    return LOSSES[loss].rational


def check_every_one_of_many_rows_is_read(trial: Trial) -> None:
    """200 rows and 5,000: counters, buffers and batches of any size are met, and the data of each eighth matter."""
    for case in (many_rows(200, 0.25), many_rows(5000, 1.0)):
        trial.require(case, trial.ask(case))


def check_sparse_rows_are_right_or_refused(trial: Trial) -> None:
    """CSR: the answer is that of the same dense rows, or X is refused; one that says ``csr = True`` may not refuse the first."""
    for case in (sparse(), with_duplicates()):
        may_refuse = case.name != sparse().name or not getattr(trial.solver, "csr", False)
        said = trial.refuses(case.X.copy(), case.labels(trial.loss).copy(), case.lam)
        if not said and may_refuse:
            continue
        if said != "returned an answer":
            trial.fail(case, f"the solver {said or 'refused it'}: solve it, or raise ValueError or TypeError; X.toarray() has the same rows", "exception type")
        answer = trial.ask(case)
        meant = dense(case)
        if answer.converged and trial.met(meant, answer, trial.tol):
            continue
        cause, why = _misread(trial, case, answer.w)
        trial.fail(case, f"another problem than that of X.toarray() was solved: the gap there is {trial.gap(causes.Missed(meant, trial.loss, *answer[:2], trial.tol))}{why}", cause)


def _misread(trial: Trial, case: SolverCase, w: Array) -> tuple[str | None, str]:
    """How the stored entries were read, by trying it."""
    X = case.X
    last, first, shifted, stripped = (np.zeros(X.shape) for _ in range(4))
    for i in range(X.shape[0]):
        columns, data = X.indices[X.indptr[i] : X.indptr[i + 1]], X.data[X.indptr[i] : X.indptr[i + 1]]
        last[i, columns], first[i, columns[::-1]] = data, data[::-1]
        shifted[i, np.sort(columns)] = data
        values = data[data != 0]
        np.add.at(stripped[i], columns[: len(values)], values)
    readings = {
        "duplicates: the last counts": (last, "only the last of the entries stored for a column counted"),
        "duplicates: the first counts": (first, "only the first of the entries stored for a column counted"),
        "columns taken as sorted": (shifted, "the columns of a row were sorted without their values"),
        "stored zeros shift the columns": (stripped, "stored zeros were taken out of the values, but not of the columns"),
    }
    for cause, (table, says) in readings.items():
        if judge.optimal(case._replace(X=table).problem(trial.loss), w, trial.tol):
            return cause, f". It would be met if {says}"
    return None, ""
