"""Checks of what a solver answers: shapes, domain, gap, the truth of "converged", all digits, all rows, CSR."""

from functools import partial

import numpy as np

from dualgap.proofs_checks.conformance.solvers import causes, judge
from dualgap.proofs_checks.conformance.solvers.cases import (
    SolverCase,
    cancelling,
    csr_again,
    dense,
    further,
    many_rows,
    sparse,
    with_duplicates,
)
from dualgap.proofs_checks.conformance.solvers.causes import Hypothesis
from dualgap.proofs_checks.conformance.solvers.diagnosis import (
    agreed,
    convention,
    converted,
    explained,
    listed,
    meets,
    require_all,
    right_elsewhere,
)
from dualgap.proofs_checks.conformance.solvers.trial import Answer, Missed, Trial
from dualgap.reference import LOSSES

TIGHT = 2.0**-40  # requested where an inner product in 32 bits would leave a gap of 2^-37 or more


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
            problem = case.problem(trial.loss)
            problem.require_alpha(
                answer.alpha if judge.in_domain(problem, answer.alpha) else converted(trial, case, answer).alpha
            )
        except ValueError as error:
            trial.fail(case, f"{error}; alpha approximates +phi'(x^T w)", "domain")


def check_the_gap_is_what_was_asked_for(trial: Trial) -> None:
    """P(w) - D(alpha) <= tol, exactly, where claimed, on problems of at most 8 rows; alpha in the page's convention."""
    asked = [(case, trial.ask(case)) for case in trial.cases()]
    require_all(trial, asked)
    if any(converted(trial, *pair) is not pair[1] for pair in asked) and (found := convention(trial)):
        text = (
            f"with {found.name} instead of alpha every gap is met: alpha approximates +phi'(x^T w), and the sign"
            f" or the scale differs. Return (w, {found.code})"
        )
        trial.fail(asked[0][0], f"{text}; the other checks convert it so", found.name)


def check_drawn_problems_have_the_gap(trial: Trial) -> None:
    """The same on problems that are new at each run. A solver that answers the published ones from a table fails."""
    drawn = map(trial.dressed, further(trial.l1, entropy=trial.entropy))
    require_all(trial, [(case, trial.ask(case)) for case in drawn])


def check_convergence_is_claimed_only_with_the_gap(trial: Trial) -> None:
    """On an ill-conditioned problem, and near the rounding error, a solver converges or does not say that it did."""
    table = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-12], [-1.0, 1.0]])
    hard = trial.dressed(SolverCase("nearly equal rows, a small lam", table, np.array([1.0, -1.0, 1.0]), lam=2.0**-14))
    for least in (trial.tol, trial.tol * trial.tol):
        answer = trial.ask(hard, least)
        if answer.converged and not meets(trial, hard, answer, least):
            missed = trial.missed(hard, converted(trial, hard, answer), least)
            cause, why = explained(trial, [missed], trial.tol, lambda: _false_convergence(trial))
            trial.fail(hard, f"claims to have converged to {least:g}, but the gap is {trial.gap(missed)}{why}", cause)


def _false_convergence(trial: Trial) -> Hypothesis | None:
    """Where every other claim is true."""
    if not right_elsewhere(trial, trial.tol):
        return None
    return Hypothesis(
        "false convergence", "Its claims on small problems are true: this one is made too early", lambda one: True
    )


def check_numbers_keep_their_53_bits(trial: Trial) -> None:
    """Neither the answer nor the data pass through 32 bits (float32): every entry here needs all 53 of a double."""
    table = np.array([[0.1, 0.7], [-0.3, 0.9], [0.55, -1.1], [-0.85, -0.2]])
    case = trial.dressed(SolverCase("entries of 53 bits", table, np.array([0.9, -0.7, 1.3, -1.1]), lam=0.3))
    answer = trial.ask(case)
    if causes.short_numbers(trial.missed(case, answer, trial.tol)):
        trial.fail(
            case,
            "every number of the answer has 24 bits: the solver computes, or answers, in single precision (float32)",
            "float32",
        )
    margin = LOSSES[trial.loss].margin
    for name in "X" if margin else "Xy":  # whose w is another one, by 1e-8 or so of itself
        narrow = [
            (
                case._replace(X=causes.narrowed(case.X, kind))
                if name == "X"
                else case._replace(y=causes.narrowed(case.y, kind))
            )
            for kind in (np.float32, np.float16)
        ]
        same = [answer.same_bits(trial.ask(one)) for one in narrow]
        # float16 moves w by 1e-4: a solver that does not read the data gives identical answers for both
        if answer.w.any() and same == [True, False]:
            trial.fail(
                case,
                f"the answer is bit-identical if the entries of {name} are rounded to 32 bits: the data pass through"
                f" single precision (float32)",
                "float32 data",
            )


def check_inner_products_keep_their_53_bits(trial: Trial) -> None:
    """Rows that do not influence each other, solved to 2^-40; with inner products in 32 bits they cannot be."""
    asked = [(case, trial.ask(case, TIGHT)) for case in map(trial.dressed, (cancelling(), cancelling(2.0**-9)))]

    def special() -> Hypothesis | None:
        says = (
            "It would be met if x_i^T w were off by what 32 bits lose: inner products are formed in single precision"
            " (float32)"
        )
        missed = [trial.missed(case, converted(trial, case, answer), TIGHT) for case, answer in asked]
        return agreed([Hypothesis("float32 inner product", says, causes.lost_in_32_bits)], missed)

    require_all(trial, asked, TIGHT, special)


def inner_products_show(loss: str) -> bool:
    """Losses with a kink, or a second derivative of 2. Logistic has at most 1/4, and hides 32 bits."""
    return LOSSES[loss].rational


def check_every_one_of_many_rows_is_read(trial: Trial) -> None:
    """200 rows and 5,000: counters, buffers and batches of any size are met, and the data of each eighth matter."""
    for n, lam in ((200, 0.25), (5000, 1.0)):
        case = trial.dressed(many_rows(n, lam))
        answer = trial.ask(case)

        def special(case: SolverCase = case, answer: Answer = answer) -> Hypothesis | None:
            other = trial.dressed(many_rows(len(case.y) * 11 // 10, case.lam))
            missed = [
                trial.missed(c, converted(trial, c, a), trial.tol)
                for c, a in ((case, answer), (other, trial.ask(other)))
            ]
            says = "It would be met if the later rows were not there: the solver reads the first {} alone"
            return agreed(
                (
                    Hypothesis("first rows", says.format(k), partial(causes.first_rows, k=k))
                    for k in causes.rows_read(missed[0])
                ),
                missed,
            )

        require_all(trial, [(case, answer)], special=special)


def check_sparse_rows_are_right_or_refused(trial: Trial) -> None:
    """CSR: the answer is that of dense rows, or X is refused; one that says ``csr = True`` may not refuse the first."""
    for case in map(trial.dressed, (sparse(), with_duplicates())):
        meant = dense(case)
        plain = trial.ask(meant)  # a refusal of CSR is one only of a solver that takes these rows as an array
        may_refuse = case.name != sparse().name or not getattr(trial.solver, "csr", False)
        said = trial.refuses(case.X.copy(), case.labels(trial.loss).copy(), case.lam, case.l1)
        if not said and may_refuse:
            continue
        if said != "returned an answer":
            trial.fail(
                case,
                f"the solver {said or 'refused it'}: solve it, or raise ValueError or TypeError; X.toarray() has the"
                " same rows",
                "exception type",
            )
        answer = trial.ask(case)
        if not answer.converged or meets(trial, meant, answer, trial.tol) or not meets(trial, meant, plain, trial.tol):
            # a gap that the dense answer misses, too, has the causes of any gap
            require_all(trial, [(meant._replace(name=case.name), answer)])
            continue
        missed = [
            trial.missed(one, converted(trial, dense(one), trial.ask(one)), trial.tol)
            for one in map(trial.dressed, (case, *csr_again(case)))
        ]
        found = agreed(
            _readings(),
            [one for one in missed if not meets(trial, dense(one.case), Answer(*one[2:4], one.converged), trial.tol)],
        )
        gap = trial.gap(missed[0]._replace(case=meant))
        why = (
            f" It would be met if {found.says}"
            if found
            else f" w = {listed(answer.w)}, and for the array {listed(plain.w)}"
        )
        trial.fail(
            case,
            f"the gap is {gap}, requested {trial.tol:g}, and X.toarray() is solved right.{why}",
            found and found.cause,
        )


def _readings() -> list[Hypothesis]:
    """How the stored entries may have been read, to be tried."""
    says = {
        "duplicates: the last counts": "only the last of the entries stored for a column counted",
        "duplicates: the first counts": "only the first of the entries stored for a column counted",
        "columns taken as sorted": "the columns of a row were sorted without their values",
        "stored zeros shift the columns": "stored zeros were taken out of the values, but not of the columns",
    }
    return [Hypothesis(cause, words, partial(_misread, k)) for k, (cause, words) in enumerate(says.items())]


def _misread(which: int, one: Missed) -> bool:
    case, X = one.case, one.case.X
    tables = [np.zeros(X.shape) for _ in range(4)]
    for i in range(X.shape[0]):
        columns, data = X.indices[X.indptr[i] : X.indptr[i + 1]], X.data[X.indptr[i] : X.indptr[i + 1]]
        tables[0][i, columns], tables[1][i, columns[::-1]] = data, data[::-1]
        tables[2][i, np.sort(columns)] = data
        values = data[data != 0]
        np.add.at(tables[3][i], columns[: len(values)], values)
    return judge.optimal(case._replace(X=tables[which]).problem(one.loss), one.w, one.tol)
