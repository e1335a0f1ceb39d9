"""Asking a solver and reading what it answers: everything that a check does with the solver under test.

The solver is called as ``solver(X, y, *, loss, lam, l1, gamma, tol, seed)`` and returns w, (w, alpha) or (w, alpha, converged).
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from dualgap.proofs_checks.conformance.solvers import causes, judge
from dualgap.proofs_checks.conformance.solvers.cases import Array, SolverCase, cases, gamma_of
from dualgap.reference import LOSSES

Solver = Callable[..., Any]

SEED = 1
REFUSALS = (ValueError, TypeError)  # what counts as a refusal, unless solver.refusals says otherwise


class CheckFailed(AssertionError):
    """A check found a solver wrong; ``cause`` is a short name of why, None where nothing that was tried explains it."""

    def __init__(self, text: str, cause: str | None = None) -> None:
        super().__init__(text)
        self.cause = cause


class Answer(NamedTuple):
    """What a solver returned, read and checked; alpha is None for a solver that returns w alone."""

    w: Array
    alpha: Array | None
    converged: bool

    def same_bits(self, other: "Answer") -> bool:
        """Whether w and alpha agree bit for bit."""
        one, two = (b"" if answer.alpha is None else answer.alpha.tobytes() for answer in (self, other))
        return self.w.tobytes() == other.w.tobytes() and one == two


@dataclass(frozen=True)
class Trial:
    """One solver under one loss.

    Attributes
    ----------
    loss : a name of ``dualgap.reference.LOSSES``.
    tol : > 0, the gap that it is asked for, unless a check asks for another.
    l1 : whether problems with an l1 term are asked.
    """

    solver: Solver
    loss: str
    tol: float
    l1: bool

    def cases(self) -> Iterator[SolverCase]:
        """The small problems; none of one label for a solver that says ``two_labels``, where the loss has labels."""
        for case in cases(self.l1):
            if not (getattr(self.solver, "two_labels", False) and LOSSES[self.loss].margin and len(set(case.labels(self.loss))) == 1):
                yield case

    def call(self, X: Any, y: Any, lam: Any, l1: float = 0.0, tol: float | None = None, **options: Any) -> Any:
        """The solver's own return value, its exceptions let through."""
        gamma = gamma_of(self.loss) if self.loss in LOSSES else None
        asked = {"loss": self.loss, "lam": lam, "l1": l1, "gamma": gamma, "tol": self.tol if tol is None else tol, "seed": SEED}
        return self.solver(X, y, **asked, **options)

    def ask(self, case: SolverCase, tol: float | None = None, extra: int = 0, **options: Any) -> Answer:
        """The solver's answer on copies of the data, of the right shapes and finite; w has ``extra`` more entries than columns.

        Raises CheckFailed for anything else, an exception included: every problem that is asked so is one.
        """
        given = self.attempt(case, case.X.copy(), case.labels(self.loss).copy(), tol, **options)
        w, alpha, converged = read(given)
        if converged is None:
            self.fail(case, f"the answer must be w, (w, alpha) or (w, alpha, converged) (got {type(given).__name__})", "shape")
        n, d = case.X.shape
        for name, vector, length in (("w", w, d + extra), ("alpha", alpha, n)):
            if vector is not None and (vector.shape != (length,) or vector.dtype.kind not in "fiu" or not np.isfinite(vector).all()):
                self.fail(case, f"{name} must be {length} finite numbers (got shape {vector.shape}, dtype {vector.dtype}: {vector})", "shape")
        return Answer(w.astype(np.float64), None if alpha is None else alpha.astype(np.float64), bool(converged))

    def attempt(self, case: SolverCase, X: Any, y: Any, tol: float | None = None, **options: Any) -> Any:
        """What the solver returns for these X and y of the case. Raises CheckFailed where it raises anything."""
        try:
            return self.call(X, y, case.lam, case.l1, tol, **options)
        except Exception as error:
            given = f" when given {', '.join(options)}" if options else ""
            self.fail(case, f"the solver raised {type(error).__name__}{given}: {error}", "exception")

    def refuses(self, X: Any, y: Any, lam: Any, **options: Any) -> str:
        """Empty where the solver refuses the input as it should; else what it did, in words."""
        try:
            self.call(X, y, lam, **options)
        except getattr(self.solver, "refusals", REFUSALS):
            return ""
        except Exception as error:
            return f"raised {type(error).__name__}"
        return "returned an answer"

    def require(self, case: SolverCase, answer: Answer, tol: float | None = None) -> None:
        """Converged, and to the gap that was asked for."""
        self.require_all([(case, answer)], tol)

    def require_all(
        self, asked: Iterable[tuple[SolverCase, Answer]], tol: float | None = None, otherwise: tuple[str | None, str] = (None, "")
    ) -> None:
        """The same of several; a failure names a cause that explains every one of them, or ``otherwise`` where nothing does."""
        tol = self.tol if tol is None else tol
        missed = [causes.Missed(case, self.loss, *answer[:2], tol, answer.converged) for case, answer in asked if not (answer.converged and self.met(case, answer, tol))]
        if missed:
            cause, why = causes.explain(missed)
            cause, why = (cause, why) if cause else otherwise
            said = "" if missed[0].converged else "did not converge: "
            self.fail(missed[0].case, f"{said}the gap is {self.gap(missed[0])}, asked for {tol:g}{why}", cause)

    def met(self, case: SolverCase, answer: Answer, tol: float) -> bool:
        """Whether the gap of the answer is at most tol; of w alone, by the best dual point that is found."""
        problem = case.problem(self.loss)
        if answer.alpha is None:
            return judge.optimal(problem, answer.w, tol)
        return judge.in_domain(problem, answer.alpha) and judge.at_most(problem, answer.w, answer.alpha, tol)

    @staticmethod
    def gap(missed: "causes.Missed") -> str:
        """In decimals, for a message."""
        problem = missed.problem()
        alpha = judge.dual_point(problem, missed.w, missed.tol)[0] if missed.alpha is None else missed.alpha
        return judge.shown(judge.seen_gap(problem, missed.w, alpha)) if judge.in_domain(problem, alpha) else "infinite (alpha is outside its domain)"

    def fail(self, case: SolverCase, text: str, cause: str | None = None) -> NoReturn:
        """Raise CheckFailed that names the problem."""
        raise CheckFailed(f"{case.name}, loss {self.loss}, lam = {case.lam:g}, l1 = {case.l1:g}: {text}", cause)


def read(given: Any) -> tuple[Any, Any, Any]:
    """w, alpha and converged as arrays and a flag; converged is None for what is no answer.

    >>> read([1.0, 2.0])[0].tolist(), read(([1.0], [2.0], False))[2], read("w")[2]
    ([1.0, 2.0], False, None)
    """
    if isinstance(given, (str, bytes, dict)) or given is None:
        return None, None, None
    pair = isinstance(given, tuple) or (isinstance(given, list) and len(given) > 0 and hasattr(given[0], "__len__"))
    if not pair:
        return np.asarray(given), None, True
    if len(given) not in (2, 3):
        return None, None, None
    w, alpha, *flag = given
    return np.asarray(w), None if alpha is None else np.asarray(alpha), flag[0] if flag else True


def takes(solver: Solver, option: str) -> bool:
    """Whether a solver says that it has an option: a keyword of that name, or a name in its attribute ``options``.

    >>> takes(lambda X, y, *, start=None, **given: None, "start"), takes(lambda X, y, **given: None, "start")
    (True, False)
    """
    if option in getattr(solver, "options", ()):
        return True
    try:
        return option in inspect.signature(solver).parameters
    except (ValueError, TypeError):  # a builtin without a signature
        return False


def name_of(solver: Solver) -> str:
    """What a report calls it."""
    return str(getattr(solver, "name", None) or getattr(solver, "__name__", type(solver).__name__))
