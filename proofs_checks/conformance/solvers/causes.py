"""Why an answer misses its gap: a convention is named when, under it, the very same numbers meet the tolerance.

Each hypothesis is another reading of the answer: alpha with another sign or scale, another objective, fewer rows, inner products in 32 bits.
One that is named explains every problem that was missed, not one of them by chance; simple ones come first.

>>> import numpy as np
>>> from dualgap.proofs_checks.conformance.solvers.cases import SolverCase
>>> ridge = SolverCase("a row", np.array([[1.0]]), np.array([1.0]), lam=0.25)
>>> explain([Missed(ridge, "squared", np.array([16 / 19]), np.array([-0.2]), 1e-6)])[0]  # gamma is 3/4: w = 16/19
'alpha'
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import Array, SolverCase, gamma_of
from dualgap.proofs_checks.conformance.solvers.intercept import golden
from dualgap.reference import Problem
from dualgap.reference.numbers.arithmetic import Number


class Missed(NamedTuple):
    """An answer that has not the gap that was asked for; alpha is None where the solver returned w alone."""

    case: SolverCase
    loss: str
    w: Array
    alpha: Array | None
    tol: float
    converged: bool = True

    def problem(self) -> Problem:
        return self.case.problem(self.loss)


class Hypothesis(NamedTuple):
    """A reading of the answers: its short name, what it says, whether it explains one."""

    cause: str
    says: str
    explains: Callable[[Missed], bool]


def explain(missed: list[Missed]) -> tuple[str | None, str]:
    """The name of the first hypothesis that explains them all, and the sentence that says so; (None, "") if none does."""
    for hypothesis in hypotheses():
        if all(hypothesis.explains(one) for one in missed):
            return hypothesis.cause, f". {hypothesis.says}"
    return None, ""


def hypotheses() -> Iterator[Hypothesis]:
    """All of them, in the order in which they are tried."""
    yield Hypothesis("float32", "Every number of the answer has 24 bits: the solver computes, or answers, in single precision (float32)", short_numbers)
    yield from _scales()
    yield Hypothesis("w is not w(alpha)", "With w(alpha) in the place of w it would be met: w is stale, or not made of alpha", _with_w_of_alpha)
    yield Hypothesis("-w", "With -w in the place of w it would be met: the sign of w differs", lambda one: _optimal(one, -one.w))
    yield Hypothesis("alpha", "P(w) - min P is as small as that: w is right, alpha is not its dual point", lambda one: one.alpha is not None and _optimal(one, one.w))
    yield Hypothesis("zero rows dropped", "It would be met without the rows of zeros: they are dropped, and n with them", _without_zero_rows)
    yield Hypothesis("first rows", "It would be met if the later rows were not there: the solver reads the first rows alone", _first_rows)
    yield from _objectives(together=False)
    yield Hypothesis("float32 data", "It would be met with X and y rounded to 32 bits (float32)", _on_data_of_32_bits)
    yield from _objectives(together=True)


# -- alpha and w ----------------------------------------------------------------------------------------------------------------

SCALES: dict[str, Callable[[int, float], float]] = {
    "-alpha": lambda n, lam: -1.0, "n alpha": lambda n, lam: n, "alpha/n": lambda n, lam: 1 / n, "-n alpha": lambda n, lam: -n,
    "-alpha/n": lambda n, lam: -1 / n, "lam n alpha": lambda n, lam: lam * n, "-lam n alpha": lambda n, lam: -lam * n,
    "lam alpha": lambda n, lam: lam, "-lam alpha": lambda n, lam: -lam,
}  # fmt: skip


def _scales() -> Iterator[Hypothesis]:
    for name, factor in SCALES.items():
        yield Hypothesis(name, f"With {name} in the place of alpha it would be met: the sign or the scale differs", partial(_scaled, factor))


def _scaled(factor: Callable[[int, float], float], one: Missed) -> bool:
    if one.alpha is None:
        return False
    scale = factor(len(one.alpha), one.case.lam)
    return scale != 1 and _met(one.problem(), one.w, scale * one.alpha, one.tol)


def _with_w_of_alpha(one: Missed) -> bool:
    if one.alpha is None:
        return False
    problem = one.problem()
    return judge.in_domain(problem, one.alpha) and _met(problem, np.array(problem.w(one.alpha.tolist())), one.alpha, one.tol)


def short_numbers(one: Missed) -> bool:
    """Whether all numbers have 24 bits, and one of w more than 11, which no roundings of 53 make."""
    vectors = [vector for vector in (one.w, one.alpha) if vector is not None]
    return all(np.array_equal(v, narrowed(v)) for v in vectors) and not np.array_equal(one.w, narrowed(one.w, np.float16))


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
        least = golden(partial(_residual, problem, a, y), z - lost, z + lost, lost * 2.0**-20)
        total = total + min(_residual(problem, a, y, z), _residual(problem, a, y, least))
    return bool(total / problem.n + problem.regularizer.residual(w, problem.minus_u(alpha)) <= one.tol)


def _residual(problem: Problem, alpha: float, y: Number, z: float) -> float:
    return float(problem.loss.residual(z, alpha, y))


# -- the objective and the rows -----------------------------------------------------------------------------------------------

STRENGTHS: dict[str, tuple[str, Callable[[int], float], float]] = {  # lam is multiplied by; what is asked for, too
    "lam/n": ("lam/n in the place of lam it would be met: the losses are summed, not averaged", lambda n: 1 / n, 1.0),
    "2 lam": ("2 lam in the place of lam it would be met: lam ||w||^2 stands for (lam/2) ||w||^2, or half the loss for the loss", lambda n: 2.0, 2.0),
    "lam/2": ("lam/2 in the place of lam it would be met: the term of w is halved twice, or the loss is doubled", lambda n: 0.5, 1.0),
    "lam n": ("n lam in the place of lam it would be met: lam is scaled by the number of rows", lambda n: float(n), 1.0),
    "l1 ignored": ("l1 = 0 it would be met: l1 is ignored", lambda n: 1.0, 1.0),
}
GAMMAS: dict[str, tuple[str, Callable[[float], float]]] = {
    "gamma ignored": ("gamma = 1 in the place of gamma it would be met: gamma is ignored", lambda gamma: 1.0),
    "1/gamma": ("1/gamma in the place of gamma it would be met: it stands on the wrong side of the fraction", lambda gamma: 1 / gamma),
}


def _objectives(together: bool) -> Iterator[Hypothesis]:
    """Other objectives, one change or two; the two that coincide for some n do not for every case."""
    if together:
        for (one, (says_one, lam, more)), (two, (says_two, gamma)) in product(STRENGTHS.items(), GAMMAS.items()):
            yield Hypothesis(f"{one}, {two}", f"With {says_one}; and with {says_two}", _objective(lam, gamma, more, one == "l1 ignored"))
        return
    for name, (says, lam, more) in STRENGTHS.items():
        yield Hypothesis(name, f"With {says}", _objective(lam, None, more, name == "l1 ignored"))
    for name, (says, gamma) in GAMMAS.items():
        yield Hypothesis(name, f"With {says}", _objective(lambda n: 1.0, gamma, 1.0, False))


def _objective(lam: Callable[[int], float], gamma: Callable[[float], float] | None, more: float, without_l1: bool) -> Callable[[Missed], bool]:
    def explains(one: Missed) -> bool:
        case, given, factor = one.case, gamma_of(one.loss), lam(len(one.case.y))
        if without_l1 and case.l1 == 0 or gamma is not None and given is None:
            return False
        other = None if gamma is None or given is None else gamma(given)
        weights = (0.0,) if without_l1 else tuple({case.l1, factor * case.l1})  # l1 with lam, or lam alone
        changed = (case._replace(lam=factor * case.lam, l1=l1).problem(one.loss, other) for l1 in weights)
        return any(judge.optimal(problem, one.w, one.tol * more) for problem in changed)

    return explains


def _first_rows(one: Missed) -> bool:
    """For some k < n: what alpha says, or next to a power of two; lam as it is, or lam n/k, where the sum is divided by n still."""
    n = len(one.case.y)
    ends = {2**m + shift for m in range(3, n.bit_length()) for shift in (-1, 0)}
    if one.alpha is not None and one.alpha.any():
        ends = {int(np.flatnonzero(one.alpha)[-1]) + 1}
    for k in sorted(end for end in ends if 0 < end < n):
        first = one.case.rows(slice(k))
        for case, tol in ((first, one.tol), (first._replace(lam=first.lam * n / k, l1=first.l1 * n / k), one.tol * n / k)):
            if judge.optimal(case.problem(one.loss), one.w, tol):
                return True
    return False


def _without_zero_rows(one: Missed) -> bool:
    kept = np.flatnonzero(abs(one.case.X).sum(axis=1))
    return 0 < len(kept) < len(one.case.y) and judge.optimal(one.case.rows(kept).problem(one.loss), one.w, one.tol)


def _on_data_of_32_bits(one: Missed) -> bool:
    case = one.case
    if hasattr(case.X, "indptr") or np.array_equal(case.X, narrowed(case.X)) and np.array_equal(case.y, narrowed(case.y)):
        return False
    return judge.optimal(case._replace(X=narrowed(case.X), y=narrowed(case.y)).problem(one.loss), one.w, one.tol)


def _optimal(one: Missed, w: Array) -> bool:
    return judge.optimal(one.problem(), w, one.tol)


def _met(problem: Problem, w: Array, alpha: Array, tol: float) -> bool:
    return judge.in_domain(problem, alpha) and judge.at_most(problem, w, alpha, tol)
