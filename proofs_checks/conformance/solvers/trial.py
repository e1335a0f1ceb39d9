"""Asking a solver and reading what it answers: everything that a check does with the solver under test.

The solver is called as ``solver(X, y, *, loss, lam, l1, gamma, tol, seed)`` and returns w, (w, alpha) or (w, alpha,
converged).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

import numpy as np

from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.time_limit import Late, limited
from dualgap.proofs_checks.conformance.solvers import judge
from dualgap.proofs_checks.conformance.solvers.cases import (
    TABLE,
    TARGETS,
    Array,
    SolverCase,
    cases,
    gamma_of,
    scaled_targets,
)
from dualgap.reference import LOSSES

Solver = Callable[..., object]

SEED = 1
EXPECTED = "solver(X, y, *, loss, lam, l1, gamma, tol, seed)"
ARGUMENTS = re.compile(
    r"(unexpected|invalid|no) keyword arg|missing \d+ required|positional argument|multiple values for|takes no"
    r" arguments|is not callable$"
)
GOOD = SolverCase("four rows", TABLE, TARGETS)  # a problem that no solver has a reason to reject


class CheckFailed(AssertionError):
    """A check found a solver wrong."""


class Incomplete(CheckFailed):
    """The solver reported that it had not converged, so there is no claim that could be false."""


class Answer(NamedTuple):
    """The answer of a solver, read and checked; alpha is None for a solver that returns w alone."""

    w: Array
    alpha: Array | None
    converged: bool

    def same_bits(self, other: "Answer") -> bool:
        """Return whether w and alpha agree bit for bit."""
        one, two = (b"" if answer.alpha is None else answer.alpha.tobytes() for answer in (self, other))
        return self.w.tobytes() == other.w.tobytes() and one == two


@dataclass(frozen=True)
class Trial:
    """One solver under one loss.

    Attributes
    ----------
    loss : a name of ``dualgap.reference.LOSSES``.
    tol : > 0, the requested gap, unless a check sets another.
    l1 : whether problems with an l1 term are included.
    seconds : how long one answer may take; None for no limit.
    entropy : >= 0, what the drawn problems are drawn from.
    """

    solver: Solver
    loss: str
    tol: float
    l1: bool
    seconds: float | None = None
    entropy: int = 0

    def cases(self) -> Iterator[SolverCase]:
        """The small problems; none of one label for a solver that says ``two_labels``, where the loss has labels."""
        margin = LOSSES[self.loss].margin
        for case in (*cases(self.l1), *(() if margin else scaled_targets())):
            if not (margin and getattr(self.solver, "two_labels", False) and len(set(case.labels(self.loss))) == 1):
                yield case

    def call(self, X: object, y: object, lam: object, l1: float = 0.0, tol: float | None = None) -> object:
        """The solver's own return value, its exceptions let through; Quit where it tries to end the process."""
        asked = {
            "loss": self.loss,
            "lam": lam,
            "l1": l1,
            "gamma": gamma_of(self.loss),
            "tol": self.tol if tol is None else tol,
            "seed": SEED,
        }
        with limited(self.seconds), staying():
            return self.solver(X, y, **asked)

    def ask(self, case: SolverCase, tol: float | None = None) -> Answer:
        """The solver's answer on copies of the data, of the right shapes and finite.

        Raises CheckFailed for anything else, including an exception: every problem passed here is valid.
        """
        given = self.attempt(case, case.X.copy(), case.labels(self.loss).copy(), tol)
        w, alpha, converged = read(given)
        if converged is None:
            self.fail(
                case,
                "the answer must be w, (w, alpha) or (w, alpha, converged), converged True or False (got"
                f" {type(given).__name__}: {given!s:.200})",
            )
        n, d = case.X.shape
        numbers = [doubles(vector, length) for vector, length in ((w, d), (alpha, n))]
        for name, vector, length, found in (("w", w, d, numbers[0]), ("alpha", alpha, n, numbers[1])):
            if vector is not None and found is None:
                self.fail(
                    case,
                    f"{name} must be {length} finite numbers (got shape {vector.shape}, dtype {vector.dtype}:"
                    f" {vector!s:.200})",
                )
        assert numbers[0] is not None
        return Answer(numbers[0], numbers[1], converged)

    def attempt(self, case: SolverCase, X: object, y: object, tol: float | None = None) -> object:
        """Return the solver's answer for these X and y of the case. Raises CheckFailed if the solver raises an
        error."""
        try:
            return self.call(X, y, case.lam, case.l1, tol)
        except Late:
            self.fail(case, f"no answer within {self.seconds:g} s")
        except Exception as error:
            wanted = f"; it is called as {EXPECTED}" if about_arguments(error) else ""
            self.fail(case, f"the solver raised {type(error).__name__}: {error!s:.500}{wanted}")

    def signature(self) -> str:
        """Empty if the solver has the expected signature, else a sentence. It is called once, on a good problem."""
        try:
            self.call(GOOD.X.copy(), GOOD.labels(self.loss).copy(), GOOD.lam, GOOD.l1)
        except (Exception, Late) as error:  # anything else is the business of the checks
            if about_arguments(error):
                return f"{name_of(self.solver)} must be called as {EXPECTED}, and raised TypeError: {error}"
        return ""

    def refuses(self, X: object, y: object, lam: object, l1: float = 0.0) -> str:
        """Empty where the solver refuses the input as it should; else what it did, in words."""
        try:
            self.call(X, y, lam, l1)
        except Late:
            return f"gave no answer within {self.seconds:g} s"
        except Exception as error:  # with other arguments than it takes, it has refused nothing
            right = isinstance(error, (ValueError, TypeError)) and not about_arguments(error)
            return "" if right else f"raised {type(error).__name__}"
        return "returned an answer"

    def met(self, case: SolverCase, answer: Answer, tol: float) -> bool:
        """Return whether the gap of the answer is at most tol; of w alone, by the best dual point that is found."""
        problem = case.problem(self.loss)
        if answer.alpha is None:
            return judge.optimal(problem, answer.w, tol)
        return judge.in_domain(problem, answer.alpha) and judge.at_most(problem, answer.w, answer.alpha, tol)

    def fail(self, case: SolverCase, text: str) -> NoReturn:
        """Raise CheckFailed that names the problem."""
        raise CheckFailed(f"{case.name}, loss {self.loss}, lam = {case.lam:g}, l1 = {case.l1:g}: {text}")

    def claimed(self, silent: int, asked: int, more: str = "") -> None:
        """Raise Incomplete if answers claim nothing."""
        if silent:
            raise Incomplete(
                f"incomplete, loss {self.loss}: the solver did not claim convergence on {silent} of {asked}"
                f" problems{more}"
            )


def about_arguments(error: BaseException) -> bool:
    """Return whether it says that a call has other arguments than the callable takes.

    >>> try: (lambda X, y: 0)(1, 2, lam=3)
    ... except TypeError as error: about_arguments(error)
    True
    >>> about_arguments(TypeError("X must be dense"))
    False
    """
    return isinstance(error, TypeError) and ARGUMENTS.search(str(error)) is not None


def read(given: object) -> tuple[Any, Any, bool | None]:
    """w, alpha and converged as arrays and a flag; converged is None for what is no answer.

    >>> read([1.0, 2.0])[0].tolist(), read(([1.0], [2.0], False))[2], read("w")[2], read(([1.0], [2.0], "yes"))[2]
    ([1.0, 2.0], False, None, None)
    """
    nothing = None, None, None
    if isinstance(given, (str, bytes, dict)) or given is None:
        return nothing
    try:
        if not (
            isinstance(given, tuple) or (isinstance(given, list) and len(given) > 0 and hasattr(given[0], "__len__"))
        ):
            return np.asarray(given), None, True
        if len(given) not in (2, 3) or given[0] is None:
            return nothing
        w, alpha, *flag = given
        said = np.asarray(flag[0] if flag else True)
        if said.shape != () or said.dtype.kind not in "bi":
            return nothing
        return np.asarray(w), None if alpha is None else np.asarray(alpha), bool(said)
    except Exception:  # whatever an object that is no array raises when it is taken for one
        return nothing


def doubles(vector: Array | None, length: int) -> Array | None:
    """Finite float64 numbers of this length, or None."""
    if vector is None or vector.shape != (length,) or vector.dtype.kind not in "fiu":
        return None
    with np.errstate(over="ignore"):
        found: Array = vector.astype(np.float64)
    return found if np.isfinite(found).all() else None


def name_of(solver: Solver) -> str:
    """Return its name in a report."""
    return str(getattr(solver, "name", None) or getattr(solver, "__name__", type(solver).__name__))
