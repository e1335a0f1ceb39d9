"""Readings of an answer that misses its gap: under each, the very same numbers would meet the tolerance.

Each hypothesis is another reading: another objective, fewer rows or entries, another pair, inner products in 32 bits.
One fit may be a coincidence: ``diagnosis`` names a hypothesis only where it explains most of what a solver misses,
further problems included.

>>> import numpy as np
>>> from dualgap.proofs_checks.conformance.solvers.cases import SolverCase
>>> ridge = SolverCase("a row", np.array([[1.0]]), np.array([1.0]), lam=0.25)
>>> one = Missed(ridge, "squared", np.array([16 / 19]), np.array([-0.2]), 1e-6)  # gamma is 3/4: w = 16/19
>>> next(hypothesis.cause for hypothesis in hypotheses() if hypothesis.fits(one))
'alpha'
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dualgap.proofs_checks.conformance.solvers import intercept, judge
from dualgap.proofs_checks.conformance.solvers.cases import Array, SolverCase, gamma_of
from dualgap.proofs_checks.conformance.solvers.trial import Missed
from dualgap.reference import LOSSES, Problem
from dualgap.reference.numbers.arithmetic import Number


class Hypothesis(NamedTuple):
    """A reading of the answers: name, what it says, whether it explains one, and where a right answer refutes it."""

    cause: str
    says: str
    explains: Callable[[Missed], bool]
    holds_for: Callable[[SolverCase], bool] = lambda case: False

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")
    def fits(self, one: Missed) -> bool:
        """Whether it explains the answer; what cannot be computed for it explains nothing."""
        try:
            return self.explains(one)
        except (ArithmeticError, ValueError):
            return False

    def refuted(self, right: Missed) -> bool:
        """Whether an answer that has its gap is not as this reading would have it."""
        return self.holds_for(right.case) and not self.fits(right)


def hypotheses() -> Iterator[Hypothesis]:
    """All of them, in the order in which they are tried: simple ones first."""
    yield Hypothesis(
        "float32",
        "Every number of the answer has 24 bits: the solver computes, or answers, in single precision (float32)",
        short_numbers,
    )
    yield Hypothesis(
        "w is not w(alpha)",
        "With w(alpha) instead of w it would be met: w is stale, or not made of alpha",
        _with_w_of_alpha,
    )
    yield Hypothesis(
        "-w", "With -w instead of w it would be met: the sign of w differs", lambda one: _optimal(one, -one.w)
    )
    yield Hypothesis(
        "alpha",
        "P(w) - min P is as small as that: w is right, alpha is not its dual point",
        lambda one: one.alpha is not None and _optimal(one, one.w),
    )
    yield Hypothesis(
        "tol times P(0)",
        "The gap is at most tol times P(0): the tolerance is relative, and the requested one is in the units of P",
        _relative,
    )
    for cause, (says, change) in FEWER.items():
        yield Hypothesis(cause, f"It would be met {says}", partial(_changed, change), partial(_differs, change))
    yield from _objectives(together=False)
    yield Hypothesis(  # for the best intercept b, (w, b) is optimal, whether b is penalised or not
        "intercept not asked for",
        "It would be met with an intercept added to x_i^T w: fit none",
        lambda one: intercept.fits(one.case, one.loss, one.w, one.alpha, one.tol),
    )
    yield Hypothesis("float32 data", "It would be met with X and y rounded to 32 bits (float32)", _on_data_of_32_bits)
    yield from _objectives(together=True)


# -- conventions of alpha ----------------------------------------------------------------------------------------------


class Convention(NamedTuple):
    """How a solver's numbers become alpha: a name, the product as Python, the factor by n, lam and y."""

    name: str
    code: str
    factor: Callable[[int, float, Array], Any]


SCALES: dict[str, tuple[str, Callable[[int, float], float]]] = {
    "": ("", lambda n, lam: 1.0),
    "n": ("len(y) * ", lambda n, lam: n),
    "1/n": ("1 / len(y) * ", lambda n, lam: 1 / n),
    "lam n": ("lam * len(y) * ", lambda n, lam: lam * n),
    "1/(lam n)": ("1 / (lam * len(y)) * ", lambda n, lam: 1 / (lam * n)),
    "lam": ("lam * ", lambda n, lam: lam),
    "1/lam": ("1 / lam * ", lambda n, lam: 1 / lam),
}


def conventions(loss: str) -> Iterator[Convention]:
    """The conventions alpha = +-scale [y] a for a solver's numbers a, without alpha = a. The factor y is for margin
    losses: LIBSVM, for example, has 0 <= a <= C.

    >>> [convention.name for convention in conventions("squared")][:4]
    ['-alpha', 'n alpha', '-n alpha', '1/n alpha']
    """
    for by_label, (scale, (code, factor)), sign in product(
        (False, True) if LOSSES[loss].margin else (False,), SCALES.items(), (1, -1)
    ):
        if by_label or scale or sign < 0:
            name = f"{'-' * (sign < 0)}{scale}{' ' * bool(scale)}{'y ' * by_label}alpha"
            yield Convention(
                name, f"{'-' * (sign < 0)}{code}{'y * ' * by_label}alpha", partial(_factor, sign, factor, by_label)
            )


def _factor(sign: int, factor: Callable[[int, float], float], by_label: bool, n: int, lam: float, y: Array) -> Any:
    return sign * factor(n, lam) * (y if by_label else 1.0)


# -- alpha and w -------------------------------------------------------------------------------------------------------


def _with_w_of_alpha(one: Missed) -> bool:
    if one.alpha is None:
        return False
    problem = one.problem()
    return judge.in_domain(problem, one.alpha) and _met(
        problem, np.array(problem.w(one.alpha.tolist())), one.alpha, one.tol
    )


def short_numbers(one: Missed) -> bool:
    """Whether all numbers have 24 bits, and one of w more than 11, which no roundings of 53 make."""
    vectors = [vector for vector in (one.w, one.alpha) if vector is not None]
    return all(np.array_equal(v, narrowed(v)) for v in vectors) and not np.array_equal(
        one.w, narrowed(one.w, np.float16)
    )


def narrowed(vector: Array, kind: type[np.floating[Any]] = np.float32) -> Array:
    """Each number to few bits and back.

    >>> narrowed(np.array([0.5, 1 + 2.0**-30])).tolist()
    [0.5, 1.0]
    """
    with np.errstate(over="ignore"):
        return vector.astype(kind).astype(np.float64)


def lost_in_32_bits(one: Missed) -> bool:
    """Whether the gap is met with x_i^T w off by what float32 loses in it, in the best direction for each i.

    That is (m + 2) 2^-24 sum_j |x_ij w_j| for m entries: m roundings of products and sums, and those of x and w.
    """
    problem = one.problem()
    if one.alpha is None or not judge.in_domain(problem, one.alpha):
        return False
    alpha, w, total = one.alpha.tolist(), one.w.tolist(), problem.zero
    for row, a, y in zip(problem.rows, alpha, problem.y):
        z, lost = problem.dot(row, w), (len(row) + 2) * 2.0**-24 * sum(abs(x * w[j]) for j, x in row)
        least = intercept.golden(partial(_residual, problem, a, y), z - lost, z + lost, lost * 2.0**-20)
        total = total + min(_residual(problem, a, y, z), _residual(problem, a, y, least))
    return bool(total / problem.n + problem.regularizer.residual(w, problem.minus_u(alpha)) <= one.tol)


def _residual(problem: Problem, alpha: float, y: Number, z: float) -> float:
    return float(problem.loss.residual(z, alpha, y))


# -- the objective and the rows ----------------------------------------------------------------------------------------

STRENGTHS: dict[str, tuple[str, Callable[[int], float], float]] = {  # factor of lam, and of the tolerance
    "lam/n": ("lam/n instead of lam it would be met: the losses are summed, not averaged", lambda n: 1 / n, 1.0),
    "2 lam": (
        ("2 lam instead of lam it would be met: lam ||w||^2 stands for (lam/2) ||w||^2, or half the loss for the loss"),
        lambda n: 2.0,
        2.0,
    ),
    "lam/2": (
        "lam/2 instead of lam it would be met: the term of w is halved twice, or the loss is doubled",
        lambda n: 0.5,
        1.0,
    ),
    "lam n": ("n lam instead of lam it would be met: lam is scaled by the number of rows", lambda n: float(n), 1.0),
    "lam (n-1)": ("lam (n-1)/n instead of lam it would be met: n - 1 stands for n", lambda n: (n - 1) / n, 1.0),
    "l1 ignored": ("l1 = 0 it would be met: l1 is ignored", lambda n: 1.0, 1.0),
}
GAMMAS: dict[str, tuple[str, Callable[[float], float]]] = {
    "gamma ignored": ("gamma = 1 instead of gamma it would be met: gamma is ignored", lambda gamma: 1.0),
    "1/gamma": (
        "1/gamma instead of gamma it would be met: it stands on the wrong side of the fraction",
        lambda gamma: 1 / gamma,
    ),
}


def _objectives(together: bool) -> Iterator[Hypothesis]:
    """Other objectives, one change or two; the two that coincide for some n do not for every case."""
    if together:
        for (one, (says_one, lam, more)), (two, (says_two, gamma)) in product(STRENGTHS.items(), GAMMAS.items()):
            yield Hypothesis(
                f"{one}, {two}",
                f"With {says_one}; and with {says_two}",
                _objective(lam, gamma, more, one == "l1 ignored"),
                partial(_in_scope, False),
            )
        return
    for name, (says, lam, more) in STRENGTHS.items():
        yield Hypothesis(
            name,
            f"With {says}",
            _objective(lam, None, more, name == "l1 ignored"),
            partial(_in_scope, name == "l1 ignored"),
        )
    for name, (says, gamma) in GAMMAS.items():
        yield Hypothesis(name, f"With {says}", _objective(lambda n: 1.0, gamma, 1.0, False), partial(_in_scope, False))


def _in_scope(only_l1: bool, case: SolverCase) -> bool:
    return not only_l1 or case.l1 > 0


def _objective(
    lam: Callable[[int], float], gamma: Callable[[float], float] | None, more: float, without_l1: bool
) -> Callable[[Missed], bool]:
    def explains(one: Missed) -> bool:
        case, given, factor = one.case, gamma_of(one.loss), lam(len(one.case.y))
        if without_l1 and case.l1 == 0 or gamma is not None and given is None:
            return False
        other = None if gamma is None or given is None else gamma(given)
        weights = (0.0,) if without_l1 else tuple({case.l1, factor * case.l1})  # l1 with lam, or lam alone
        changed = (case._replace(lam=factor * case.lam, l1=l1).problem(one.loss, other) for l1 in weights)
        return any(judge.optimal(problem, one.w, one.tol * more) for problem in changed)

    return explains


FEWER: dict[str, tuple[str, Callable[[SolverCase], SolverCase]]] = {
    "zero rows dropped": (
        "without the rows of zeros: they are dropped, and n with them",
        lambda case: case.rows(np.flatnonzero(abs(case.X).sum(axis=1))),
    ),
    "last row ignored": ("without the last row: it is not read", lambda case: case.rows(slice(-1))),
    "last of an odd number of rows ignored": (
        "without the last row where n is odd: it is not read",
        lambda case: case.rows(slice(len(case.y) // 2 * 2)),
    ),
    "first row ignored": ("without the first row: it is not read", lambda case: case.rows(slice(1, None))),
    "last entry of a row ignored": (
        "without the last stored entry of every row: it is not read",
        lambda case: _without_entry(case, -1, 1),
    ),
    "last of an odd number of entries ignored": (
        "without the last stored entry of the rows that have an odd number of them",
        lambda case: _without_entry(case, -1, 2),
    ),
    "first entry of a row ignored": (
        "without the first stored entry of every row: it is not read",
        lambda case: _without_entry(case, 0, 1),
    ),
    "last column ignored": (
        "without the last column: it is not read",
        lambda case: case._replace(X=case.X * (np.arange(case.X.shape[1]) < case.X.shape[1] - 1)),
    ),
}


def _differs(change: Callable[[SolverCase], SolverCase], case: SolverCase) -> bool:
    return not np.array_equal(change(case).X, case.X)


def _without_entry(case: SolverCase, which: int, every: int) -> SolverCase:
    """One entry that is not 0 left out of each row, or of those with an odd number of them."""
    X = case.X.copy()
    for row in X:
        stored = np.flatnonzero(row)
        if len(stored) and len(stored) % every == every - 1:
            row[stored[which]] = 0.0
    return case._replace(X=X)


def _changed(change: Callable[[SolverCase], SolverCase], one: Missed) -> bool:
    """w is optimal for fewer rows or entries; the sum is divided by their number, or by n still."""
    other, n = change(one.case), len(one.case.y)
    k = len(other.y)
    if not (k and _differs(change, one.case)):
        return not (k or one.w.any())
    return any(
        judge.optimal(other._replace(lam=c * other.lam, l1=c * other.l1).problem(one.loss), one.w, one.tol * c)
        for c in {1.0, n / k}
    )


def first_rows(one: Missed, k: int) -> bool:
    """Whether w is optimal for the first k rows alone."""
    return 0 < k < len(one.case.y) and _changed(lambda case: case.rows(slice(k)), one)


def rows_read(one: Missed) -> list[int]:
    """How many rows may have been read: what alpha says, or next to a power of two."""
    if one.alpha is not None and one.alpha.any():
        return [int(np.flatnonzero(one.alpha)[-1]) + 1]
    return [2**m + shift for m in range(3, len(one.case.y).bit_length()) for shift in (-1, 0)]


def _relative(one: Missed) -> bool:
    problem = one.problem()
    scale = float(problem.P([0.0] * problem.d))
    return scale > 1 and (
        _optimal(one, one.w, one.tol * scale) if one.alpha is None else _met(problem, one.w, one.alpha, one.tol * scale)
    )


def worse_than_zero(one: Missed, times: float = 1.0) -> bool:
    """Whether P(w) is so many times P(0), or more."""
    problem = one.problem()
    try:
        return bool(problem.P(one.w.tolist()) > times * problem.P([0.0] * problem.d))
    except OverflowError:
        return True


def _on_data_of_32_bits(one: Missed) -> bool:
    case = one.case
    if (
        hasattr(case.X, "indptr")
        or np.array_equal(case.X, narrowed(case.X))
        and np.array_equal(case.y, narrowed(case.y))
    ):
        return False
    return judge.optimal(case._replace(X=narrowed(case.X), y=narrowed(case.y)).problem(one.loss), one.w, one.tol)


def _optimal(one: Missed, w: Array, tol: float | None = None) -> bool:
    return judge.optimal(one.problem(), w, one.tol if tol is None else tol)


def _met(problem: Problem, w: Array, alpha: Array, tol: float) -> bool:
    return judge.in_domain(problem, alpha) and judge.at_most(problem, w, alpha, tol)
