"""Checks for any solver that is a Python callable, in scikit-learn's manner.

A solver is called as ``solver(X, y, *, loss, lam, l1, gamma, tol, seed)``, X a dense float64 array of shape (n, d), and
returns (w, alpha) or (w, alpha, converged); without the third it claims to have converged, which is to say that
P(w) - D(alpha) <= tol. Every such claim is held against an exact certificate, so the solver need not cooperate.

>>> from dualgap.fast import solve
>>> from dualgap.reference import LOSSES, ElasticNet, Problem
>>> def mine(X, y, *, loss, lam, l1, gamma, tol, seed):
...     result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed)
...     return result.w, result.alpha, result.status == "converged"
>>> for check in solver_checks(mine, losses=["squared"]):
...     check(mine)
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dualgap.fast import Certificate
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import LOSSES, ElasticNet, Problem
from dualgap.reference.numbers.arithmetic import Number

Array = NDArray[np.float64]
Solver = Callable[..., Any]

TOL = 1e-6
SEED = 1
GAMMA = 0.5  # of the losses whose gamma can be chosen


class SolverCase(NamedTuple):
    """A problem by name; the targets of a margin loss are the signs of y."""

    name: str
    X: Array
    y: Array
    lam: float = 0.25
    l1: float = 0.0

    def problem(self, loss: str) -> Problem:
        return Problem(self.X, self.labels(loss), LOSSES[loss](_gamma(loss)), ElasticNet(self.lam, self.l1))

    def labels(self, loss: str) -> Array:
        return np.where(self.y >= 0, 1.0, -1.0) if LOSSES[loss].margin else self.y


class Answer(NamedTuple):
    """What a solver returned, read and checked."""

    w: Array
    alpha: Array
    converged: bool


def cases_for(solver: Solver, loss: str, l1: bool) -> Iterator[SolverCase]:
    """``cases``, without those of one label for a solver that says ``two_labels``, where the loss has labels."""
    for case in cases(l1):
        if not (getattr(solver, "two_labels", False) and LOSSES[loss].margin and len(set(case.labels(loss))) == 1):
            yield case


def cases(l1: bool) -> Iterator[SolverCase]:
    """Small problems with what solvers get wrong; the ones with l1 > 0 only where it is asked for."""
    table = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.0], [-1.0, -0.75]])
    y = np.array([1.0, -0.5, 2.0, -1.0])
    yield SolverCase("four rows", table, y)
    yield SolverCase("one row", table[:1], y[:1])
    yield SolverCase("a zero row", np.vstack([table[:3], np.zeros((1, 2))]), y)
    yield SolverCase("every row twice", np.vstack([table, table]), np.concatenate([y, y]))
    yield SolverCase("one label", table, np.abs(y))
    yield SolverCase("a zero column, more columns than rows", np.hstack([table[:2], np.zeros((2, 2))]), y[:2])
    yield SolverCase("rows of very different norms", table * np.array([[1.0], [8.0], [0.125], [1.0]]), y)
    yield SolverCase("opposite labels on equal rows", np.vstack([table[:1], table[:1]]), np.array([1.0, -1.0]))
    yield SolverCase("a large lam", table, y, lam=16.0)
    if l1:
        yield SolverCase("l1 that keeps w", table, y, l1=0.0625)
        yield SolverCase("l1 that makes w zero", table, y, l1=4.0)


# -- the checks -----------------------------------------------------------------------------------------------------


def check_the_answer_has_the_shapes_of_the_problem(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """w has d finite entries and alpha n."""
    for case in cases_for(solver, loss, l1):
        _ask(solver, case, loss, tol)


def check_alpha_lies_in_the_domain_of_the_conjugate(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """Outside, D(alpha) is minus infinity and nothing is certified."""
    for case in cases_for(solver, loss, l1):
        answer = _ask(solver, case, loss, tol)
        try:
            case.problem(loss).require_alpha(answer.alpha)
        except ValueError as error:
            _fail(case, loss, f"{error}; alpha approximates +phi'(x^T w){_another_scale(case, loss, answer, tol)}")


def check_the_gap_is_what_was_asked_for(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """The solver converges on all of these problems, and P(w) - D(alpha) <= tol, exactly."""
    for case in cases_for(solver, loss, l1):
        answer = _ask(solver, case, loss, tol)
        if not answer.converged:
            _fail(case, loss, f"did not converge to a gap of {tol:g}; every one of these problems has at most 8 rows")
        gap = _gap(case, loss, answer.w, answer.alpha)
        if not _at_most(gap, tol, case, loss, answer):
            cause = _another_scale(case, loss, answer, tol) or _short_numbers(answer)
            _fail(case, loss, f"the gap is {_show(gap)}, asked for {tol:g}{cause}")


def check_convergence_is_claimed_only_with_the_gap(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """On a badly conditioned problem, and for a tolerance near the rounding, "converged" is still true or not said."""
    table = np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-12], [-1.0, 1.0]])
    hard = SolverCase("nearly equal rows, a small lam", table, np.array([1.0, -1.0, 1.0]), lam=2.0**-14)
    for least in (tol, tol * tol):
        answer = _ask(solver, hard, loss, least)
        if not answer.converged:
            continue
        gap = _gap(hard, loss, answer.w, answer.alpha)
        if not _at_most(gap, least, hard, loss, answer):
            _fail(hard, loss, f"claims to have converged to {least:g}, but the gap is {_show(gap)}{_short_numbers(answer)}")


def check_numbers_keep_their_53_bits(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """Neither the answer nor the data pass through 32 bits (float32): every entry here needs all 53 of a double."""
    table = np.array([[0.1, 0.7], [-0.3, 0.9], [0.55, -1.1], [-0.85, -0.2]])
    case = SolverCase("entries of 53 bits", table, np.array([0.9, -0.7, 1.3, -1.1]), lam=0.3)
    answer = _ask(solver, case, loss, tol)
    if short := _short_numbers(answer):
        _fail(case, loss, short.removeprefix(". "))
    narrow = case._replace(name="entries of 53 bits, rounded to 24", X=_narrowed(case.X), y=_narrowed(case.y))
    same = _ask(solver, narrow, loss, tol)  # its w is another one, by 1e-8 or so of itself
    if answer.w.any() and answer.w.tobytes() == same.w.tobytes() and answer.alpha.tobytes() == same.alpha.tobytes():
        _fail(case, loss, "the same bits come back for entries that are rounded to 32 bits: the data pass through single precision (float32)")


def check_the_data_are_left_as_they_were(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """X and y are not written to."""
    for case in cases_for(solver, loss, l1):
        X, y = case.X.copy(), case.labels(loss).copy()
        _call(solver, X, y, case, loss, tol)
        if not (np.array_equal(X, case.X) and np.array_equal(y, case.labels(loss))):
            _fail(case, loss, "the solver has changed X or y: copy what is to be scaled or centred")


def check_the_same_seed_gives_the_same_bits(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """Two calls with one seed agree bit for bit, whatever was drawn from a global generator in between."""
    for case in cases_for(solver, loss, l1):
        first, between = _ask(solver, case, loss, tol), np.random.get_state()
        np.random.seed(12345)
        second = _ask(solver, case, loss, tol)
        np.random.set_state(between)
        if first.w.tobytes() != second.w.tobytes() or first.alpha.tobytes() != second.alpha.tobytes():
            _fail(case, loss, "two calls with the same seed differ: draw from numpy.random.default_rng(seed) alone")


def check_bad_input_is_refused(solver: Solver, loss: str, tol: float, l1: bool) -> None:
    """An exception, and no answer, for what no problem can be made of."""
    case = next(cases(l1))
    X, y = case.X, case.labels(loss)
    hole = X.copy()
    hole[0, 0] = np.nan
    bad: list[tuple[str, Array, Array, float]] = [
        ("X[0, 0] is not a number", hole, y, case.lam), ("y is one entry short", X, y[:-1], case.lam),
        ("lam = 0", X, y, 0.0), ("lam < 0", X, y, -1.0),
    ]
    if LOSSES[loss].margin:
        bad.append(("labels are 0 and 1", X, (y + 1) / 2, case.lam))
    for what, X, y, lam in bad:
        try:
            _call(solver, X.copy(), y.copy(), case._replace(lam=lam), loss, tol)
        except Exception:  # any refusal is one; what it says is for the reader to judge
            continue
        _fail(case, loss, f"{what}, and the solver returned an answer: raise ValueError on entry")


CHECKS: tuple[Callable[[Solver, str, float, bool], None], ...] = (
    check_the_answer_has_the_shapes_of_the_problem,
    check_alpha_lies_in_the_domain_of_the_conjugate,
    check_the_gap_is_what_was_asked_for,
    check_convergence_is_claimed_only_with_the_gap,
    check_numbers_keep_their_53_bits,
    check_the_data_are_left_as_they_were,
    check_the_same_seed_gives_the_same_bits,
    check_bad_input_is_refused,
)


@dataclass(frozen=True)
class Check:
    """One check for one loss; call it with the solver. Raises AssertionError that names problem and number."""

    name: str
    run: Callable[[Solver, str, float, bool], None]
    loss: str
    tol: float
    l1: bool

    def __call__(self, solver: Solver) -> None:
        self.run(solver, self.loss, self.tol, self.l1)


def solver_checks(
    solver: Solver, *, losses: Iterable[str] | None = None, l1: bool | None = None, tol: float = TOL
) -> list[Check]:
    """The checks that apply to a solver.

    Parameters
    ----------
    solver : the callable; its attributes ``losses`` and ``l1``, where it has them, are the defaults of the next two.
    losses : names of ``dualgap.reference.LOSSES`` that it knows; default all six.
    l1 : whether it knows the elastic net; default True.
    tol : > 0, the gap that it is asked for.

    Raises
    ------
    ValueError
        An unknown loss, or tol <= 0.
    """
    names = list(getattr(solver, "losses", LOSSES) if losses is None else losses)
    net = bool(getattr(solver, "l1", True)) if l1 is None else l1
    if unknown := [name for name in names if name not in LOSSES]:
        raise ValueError(f"unknown loss {unknown[0]!r}; known: {', '.join(LOSSES)}")
    if not tol > 0:
        raise ValueError(f"tol must be > 0 (got {tol})")
    return [
        Check(f"{run.__name__.removeprefix('check_')}[{loss}]", run, loss, tol, net) for loss in names for run in CHECKS
    ]


def parametrize_with_checks(
    solvers: Iterable[Solver], *, expected_failed_checks: Mapping[str, str] | None = None, **settings: Any
) -> Any:
    """A pytest decorator: ``test(solver, check)`` runs once for every solver and check.

    Parameters
    ----------
    solvers : callables; settings are those of ``solver_checks``.
    expected_failed_checks : name of a check (with or without its "[loss]") to the reason why it fails; one that
        passes is then an error.

    Raises
    ------
    ValueError
        expected_failed_checks names a check that none of the solvers has.
    """
    import pytest

    expected = dict(expected_failed_checks or {})
    pairs = [(solver, check) for solver in solvers for check in solver_checks(solver, **settings)]
    known = {name for _, check in pairs for name in (check.name, check.name.partition("[")[0])}
    if unknown := sorted(set(expected) - known):
        raise ValueError(f"expected_failed_checks names {unknown[0]!r}; known: {', '.join(sorted(known))}")
    parameters = []
    for solver, check in pairs:
        reason = expected.get(check.name, expected.get(check.name.partition("[")[0]))
        marks = () if reason is None else (pytest.mark.xfail(reason=reason, strict=True),)
        parameters.append(pytest.param(solver, check, marks=marks, id=f"{name_of(solver)}-{check.name}"))
    return pytest.mark.parametrize(("solver", "check"), parameters)


def name_of(solver: Solver) -> str:
    """What a report calls it."""
    return str(getattr(solver, "name", None) or getattr(solver, "__name__", type(solver).__name__))


# -- asking and judging ---------------------------------------------------------------------------------------------


def _gamma(loss: str) -> float | None:
    return GAMMA if LOSSES[loss].adjustable else None


def _call(solver: Solver, X: Array, y: Array, case: SolverCase, loss: str, tol: float) -> Any:
    return solver(X, y, loss=loss, lam=case.lam, l1=case.l1, gamma=_gamma(loss), tol=tol, seed=SEED)


def _ask(solver: Solver, case: SolverCase, loss: str, tol: float) -> Answer:
    """The solver's answer, of the right shapes and finite."""
    given = _call(solver, case.X.copy(), case.labels(loss).copy(), case, loss, tol)
    if not (isinstance(given, (tuple, list)) and len(given) in (2, 3)):
        _fail(case, loss, f"the answer must be (w, alpha) or (w, alpha, converged) (got {type(given).__name__})")
    w, alpha = (np.asarray(vector) for vector in given[:2])
    for name, vector, length in (("w", w, case.X.shape[1]), ("alpha", alpha, case.X.shape[0])):
        if vector.shape != (length,) or vector.dtype.kind not in "fiu" or not np.isfinite(vector).all():
            _fail(case, loss, f"{name} must be {length} finite numbers (got shape {vector.shape}, dtype {vector.dtype}: {vector})")
    return Answer(w.astype(np.float64), alpha.astype(np.float64), bool(given[2]) if len(given) == 3 else True)


def _gap(case: SolverCase, loss: str, w: Array, alpha: Array) -> Number:
    """P(w) - D(alpha), exactly; a failure of the check where alpha is outside the domain."""
    try:
        return certificate(case.problem(loss), alpha, w).gap
    except ValueError as error:
        return _fail(case, loss, str(error))


def _at_most(gap: Number, tol: float, case: SolverCase, loss: str, answer: Answer) -> bool:
    """gap <= tol, but for the roundings of a P - D in doubles: ``dualgap.fast.problem.certificate.allowance`` at this pair."""
    return bool(gap <= Fraction(tol) + Fraction(Certificate(case.problem(loss), answer.w, answer.alpha).rounding))


def _short_numbers(answer: Answer) -> str:
    """The sentence for an answer in 32 bits, or nothing: all its numbers have 24 bits, and one of w more than 11, which no roundings of 53 make."""
    narrow = all(np.array_equal(vector, _narrowed(vector)) for vector in (answer.w, answer.alpha))
    if not narrow or np.array_equal(answer.w, _narrowed(answer.w, np.float16)):
        return ""
    return ". Every number of the answer has 24 bits: the solver computes, or answers, in single precision (float32)"


def _narrowed(vector: Array, kind: type[np.floating[Any]] = np.float32) -> Array:
    """Each number to few bits and back."""
    with np.errstate(over="ignore"):
        return vector.astype(kind).astype(np.float64)


def _show(gap: Number) -> str:
    """To nine digits; an interval by its middle."""
    return f"{float(gap.midpoint() if hasattr(gap, 'midpoint') else gap):.9g}"


def _another_scale(case: SolverCase, loss: str, answer: Answer, tol: float) -> str:
    """The scale or sign of alpha with which the certificate would hold: the usual mistake, by its name."""
    n, problem = len(answer.alpha), case.problem(loss)
    scales = {
        "-alpha": -1.0, "n alpha": float(n), "alpha/n": 1 / n, "-n alpha": -float(n), "lam n alpha": case.lam * n,
        "-lam n alpha": -case.lam * n, "-alpha/n": -1 / n,
    }
    for name, scale in scales.items():
        try:
            scaled = answer._replace(alpha=scale * answer.alpha)
            if scale != 1 and _at_most(certificate(problem, scaled.alpha, answer.w).gap, 10 * tol, case, loss, scaled):
                return f". With {name} in the place of alpha it would be met: the sign or the scale differs"
        except ValueError:  # outside the domain
            continue
    return ""


def _fail(case: SolverCase, loss: str, text: str) -> Any:
    raise AssertionError(f"{case.name}, loss {loss}, lam = {case.lam:g}, l1 = {case.l1:g}: {text}")
