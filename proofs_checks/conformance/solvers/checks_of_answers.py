"""The checks of a solver: gap, domain, the truth of "converged", all digits, all rows, CSR; what it leaves
alone, what it refuses, and what must not change its answer.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast import solve
from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import (
    TABLE,
    TARGETS,
    Array,
    SolverCase,
    cancelling,
    dense,
    further,
    many_rows,
    sparse,
    with_duplicates,
)
from dualgap.proofs_checks.conformance.solvers.trial import GOOD, Answer, CheckFailed, Trial
from dualgap.reference import LOSSES

TIGHT = 2.0**-40  # requested where an inner product in 32 bits would leave a gap of 2^-37 or more
Asked = list[tuple[SolverCase, Answer]]

# -- the convention of alpha -------------------------------------------------------------------------------------------


class Convention(NamedTuple):
    """The conversion of a solver's numbers to alpha: the product as Python, and the factor by n, lam and y."""

    code: str
    factor: Callable[[int, float, Array], Any]

    def convert(self, case: SolverCase, loss: str, answer: Answer) -> Answer:
        """The answer with alpha as docs/own_solver.md has it; unchanged where the product is not finite."""
        with np.errstate(over="ignore", invalid="ignore"):
            alpha = self.factor(len(case.y), case.lam, case.labels(loss)) * answer.alpha
        return answer._replace(alpha=alpha) if np.isfinite(alpha).all() else answer


SCALES: dict[str, Callable[[int, float], float]] = {
    "": lambda n, lam: 1.0,
    "len(y) * ": lambda n, lam: n,
    "1 / len(y) * ": lambda n, lam: 1 / n,
    "lam * len(y) * ": lambda n, lam: lam * n,
    "1 / (lam * len(y)) * ": lambda n, lam: 1 / (lam * n),
    "lam * ": lambda n, lam: lam,
    "1 / lam * ": lambda n, lam: 1 / lam,
}


def conventions(loss: str) -> Iterator[Convention]:
    """The conventions alpha = +-scale [y] a for a solver's numbers a, without alpha = a. The factor y is for margin
    losses: LIBSVM, for example, has 0 <= a <= C.

    >>> [convention.code for convention in conventions("squared")][:3]
    ['-alpha', 'len(y) * alpha', '-len(y) * alpha']
    """
    labels = (False, True) if LOSSES[loss].margin else (False,)
    for by_label, (code, scale), sign in product(labels, SCALES.items(), (1, -1)):
        if by_label or code or sign < 0:
            yield Convention(
                f"{'-' * (sign < 0)}{code}{'y * ' * by_label}alpha", partial(_factor, sign, scale, by_label)
            )


def _factor(sign: int, scale: Callable[[int, float], float], by_label: bool, n: int, lam: float, y: Array) -> Any:
    return sign * scale(n, lam) * (y if by_label else 1.0)


def _convention(trial: Trial) -> Convention | None:
    """Return the convention of a solver and loss; it is kept unless the solver has no hash."""
    return _kept_convention(trial) if isinstance(trial.solver, Hashable) else _kept_convention.__wrapped__(trial)


@lru_cache(maxsize=32)
def _kept_convention(trial: Trial) -> Convention | None:
    """The product that turns the solver's numbers into alpha on every further problem; None for alpha itself, and where
    there is no such product.
    """
    asked: Asked = []
    for case in further(trial.l1):
        try:
            answer = trial.ask(case)
        except CheckFailed:
            return None
        if answer.converged and answer.alpha is not None:
            asked.append((case, answer))
    if sum(not trial.met(case, answer, trial.tol) for case, answer in asked) < 2:  # one may fit by coincidence
        return None
    for one in conventions(trial.loss):
        if all(trial.met(case, one.convert(case, trial.loss, answer), trial.tol) for case, answer in asked):
            return one
    return None


def converted(trial: Trial, case: SolverCase, answer: Answer, tol: float) -> Answer:
    """The answer with its alpha read by the solver's convention, where it has another one than docs/own_solver.md."""
    if answer.alpha is None or trial.met(case, answer, tol):
        return answer
    found = _convention(trial)
    return answer if found is None else found.convert(case, trial.loss, answer)


# -- the verdict on answers --------------------------------------------------------------------------------------------


def meets(trial: Trial, case: SolverCase, answer: Answer, tol: float) -> bool:
    """Return whether the answer has the gap, its alpha read by the solver's convention."""
    return trial.met(case, converted(trial, case, answer, tol), tol)


def require_all(trial: Trial, asked: Iterable[tuple[SolverCase, Answer]], tol: float | None = None) -> None:
    """Require of every answer that claims convergence that it has the requested gap.

    Raises CheckFailed if an answer claims a gap that it does not have, or where the solver never claims convergence
    and an answer does not have the gap; Incomplete where no claim is wrong and some answers claim nothing.
    """
    tol, asked = trial.tol if tol is None else tol, list(asked)
    unmet = [(case, answer) for case, answer in asked if not meets(trial, case, answer, tol)]
    for case, answer in unmet:
        if answer.converged:
            trial.fail(case, numbers(trial, case, answer, tol))
    silent = sum(not answer.converged for _, answer in asked)
    if unmet and silent == len(asked) and not _claims(trial):
        case, answer = unmet[0]
        text = numbers(trial, case, answer, tol)
        trial.fail(case, f"the solver never claims convergence, so its answers are judged: {text}")
    trial.claimed(silent, len(asked), f" ({silent - len(unmet)} of them with the gap of {tol:g})")


def _claims(trial: Trial) -> bool:
    """Return whether the solver claims convergence on any of the small problems."""
    for case in trial.cases():
        try:
            if trial.ask(case).converged:
                return True
        except CheckFailed:
            continue
    return False


def numbers(trial: Trial, case: SolverCase, answer: Answer, tol: float) -> str:
    """The gap and the requested one, whether w is optimal, and for few columns w beside the w that is due."""
    answer, meant = converted(trial, case, answer, tol), dense(case)
    problem = meant.problem(trial.loss)
    alpha = judge.dual_point(problem, answer.w, tol)[0] if answer.alpha is None else answer.alpha
    if not judge.in_domain(problem, alpha):
        return f"the gap is infinite, requested {tol:g}: alpha is outside its domain"
    text = f"the gap is {judge.shown(judge.seen_gap(problem, answer.w, alpha))}, requested {tol:g}"
    if answer.alpha is not None and judge.optimal(problem, answer.w, tol):
        return f"{text}. P(w) - min P is at most {tol:g}, so w is right and alpha is not its dual point"
    if len(answer.w) > 8 or problem.n > 50:
        return text
    due = solve(problem, "sdca", tol=tol * 2.0**-30, max_epochs=20_000).w
    return f"{text}. w = {listed(answer.w)}, due {listed(due)}"


def listed(values: Array) -> str:
    """Six digits of each."""
    return f"[{', '.join(f'{x:.6g}' for x in values)}]"


# -- the checks --------------------------------------------------------------------------------------------------------


def check_the_gap_is_what_was_asked_for(trial: Trial) -> None:
    """w has d finite entries and alpha n, alpha is in the domain, and P(w) - D(alpha) <= tol, exactly, where claimed,
    on problems of at most 8 rows, small ones and ones with random numbers. alpha is in the convention of
    docs/own_solver.md.
    """
    sizes = (1.0,) if LOSSES[trial.loss].margin else (1.0, 1024.0)
    more = [case for size in sizes for case in further(trial.l1, size)]
    asked = [(case, trial.ask(case)) for case in trial.cases()]
    # coordinate methods are slow on some of the others: what is not claimed there says nothing
    asked += [(case, answer) for case in more if (answer := trial.ask(case)).converged]
    for case, answer in asked:
        if answer.alpha is None:
            continue
        try:
            case.problem(trial.loss).require_alpha(converted(trial, case, answer, trial.tol).alpha)
        except ValueError as error:
            trial.fail(case, f"{error}; alpha approximates +phi'(x^T w)")
    require_all(trial, asked)
    differ = [case for case, answer in asked if converted(trial, case, answer, trial.tol) is not answer]
    if differ and (found := _convention(trial)):
        trial.fail(
            differ[0],
            f"every gap is met with {found.code} instead of alpha: the sign or the scale of alpha differs. alpha"
            f" approximates +phi'(x^T w). Return (w, {found.code}); the other checks convert it so",
        )


def check_drawn_problems_have_the_gap(trial: Trial) -> None:
    """Check the answers on problems drawn in each run. A solver that only knows the published ones fails."""
    drawn = further(trial.l1, entropy=trial.entropy)
    require_all(trial, [(case, trial.ask(case)) for case in drawn])


def check_convergence_is_claimed_only_with_the_gap(trial: Trial) -> None:
    """On an ill-conditioned problem, and near the rounding error, a solver converges or does not say that it did."""
    table = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-12], [-1.0, 1.0]])
    hard = SolverCase("nearly equal rows, a small lam", table, np.array([1.0, -1.0, 1.0]), lam=2.0**-14)
    for least in (trial.tol, trial.tol * trial.tol):
        answer = trial.ask(hard, least)
        if answer.converged and not meets(trial, hard, answer, least):
            trial.fail(hard, f"claims to have converged to {least:g}, but {numbers(trial, hard, answer, least)}")


def narrowed(vector: Array, kind: type[np.floating[Any]] = np.float32) -> Array:
    """Each number to few bits and back.

    >>> narrowed(np.array([0.5, 1 + 2.0**-30])).tolist()
    [0.5, 1.0]
    """
    with np.errstate(over="ignore"):
        return vector.astype(kind).astype(np.float64)


def check_numbers_keep_their_53_bits(trial: Trial) -> None:
    """No number passes through 32 bits (float32). Every entry here needs all 53 bits of a double, and inner products
    cancel in the rows that follow. The logistic loss hides inner products in 32 bits: phi'' is at most 1/4.
    """
    table = np.array([[0.1, 0.7], [-0.3, 0.9], [0.55, -1.1], [-0.85, -0.2]])
    case = SolverCase("entries of 53 bits", table, np.array([0.9, -0.7, 1.3, -1.1]), lam=0.3)
    answer = trial.ask(case)
    vectors = [vector for vector in (answer.w, answer.alpha) if vector is not None]
    # one number of w with more than 11 bits: roundings of 53 bits do not make all of them short
    if all(np.array_equal(v, narrowed(v)) for v in vectors) and not np.array_equal(
        answer.w, narrowed(answer.w, np.float16)
    ):
        trial.fail(case, "every number of the answer has 24 bits: the solver computes in single precision (float32)")
    for name in "X" if LOSSES[trial.loss].margin else "Xy":  # rounding it moves w by 1e-8 or so of itself
        rounded = [
            case._replace(X=narrowed(case.X, kind)) if name == "X" else case._replace(y=narrowed(case.y, kind))
            for kind in (np.float32, np.float16)
        ]
        same = [answer.same_bits(trial.ask(one)) for one in rounded]
        # float16 moves w by 1e-4: a solver that does not read the data gives identical answers for both
        if answer.w.any() and same == [True, False]:
            trial.fail(
                case,
                f"the answer is bit-identical if the entries of {name} are rounded to 32 bits: the data pass through"
                " single precision (float32)",
            )
    if LOSSES[trial.loss].rational:
        tight = (cancelling(), cancelling(2.0**-9))
        require_all(trial, [(one, trial.ask(one, TIGHT)) for one in tight], TIGHT)


def check_every_one_of_many_rows_is_read(trial: Trial) -> None:
    """200 rows and 5,000: counters, buffers and batches of any size are met, and the data of each eighth matter."""
    for case in (many_rows(200, 0.25), many_rows(5000, 1.0)):
        require_all(trial, [(case, trial.ask(case))])


def check_sparse_rows_are_right_or_refused(trial: Trial) -> None:
    """CSR: the answer is that of dense rows, or X is refused."""
    for case in (sparse(), with_duplicates()):
        meant = dense(case)
        trial.ask(meant)  # a refusal of CSR is one only of a solver that takes these rows as an array
        reaction = trial.refuses(case.X.copy(), case.labels(trial.loss).copy(), case.lam, case.l1)
        if reaction not in ("", "returned an answer"):
            trial.fail(case, f"the solver {reaction}: solve it, or raise ValueError or TypeError")
        if reaction:
            require_all(trial, [(meant._replace(name=case.name), trial.ask(case))])


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
    """The answer for (c X, c^2 lam, c l1) instead of (X, lam, l1) is (w/c, alpha), for c = 2^20 and for c = 2^-20."""

    def scaled(case: SolverCase, c: float) -> tuple[SolverCase, Answer]:
        other = case._replace(X=c * case.X, lam=c * c * case.lam, l1=c * case.l1)
        answer = converted(trial, other, trial.ask(other), trial.tol)
        with np.errstate(over="ignore"):
            w = np.nan_to_num(c * answer.w)  # the largest double where the product is beyond them
        return case._replace(name=f"{case.name}, X times {c:g}, lam times {c:g}^2"), answer._replace(w=w)

    require_all(trial, [scaled(case, c) for case in trial.cases() for c in (LARGE, SMALL)])
