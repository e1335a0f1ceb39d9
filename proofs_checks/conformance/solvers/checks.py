"""Checks for any solver that is a Python callable, in scikit-learn's manner (docs/own_solver.md).

A solver is called as ``solver(X, y, *, loss, lam, l1, gamma, tol, seed)``, X a float64 array of shape (n, d) or CSR,
and returns w, (w, alpha) or (w, alpha, converged); without the third it claims to have converged: P(w) - D(alpha) <=
tol, or P(w) - min P <= tol if it returns w alone. Every such claim is compared with a certificate, so the solver need
not cooperate.

>>> from dualgap.fast import solve
>>> from dualgap.reference import LOSSES, ElasticNet, Problem
>>> def mine(X, y, *, loss, lam, l1, gamma, tol, seed):
...     result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed)
...     return result.w, result.alpha, result.status == "converged"
>>> check = solver_checks(mine, losses=["squared"])[0]
>>> check.name, check(mine)
('the_gap_is_what_was_asked_for[squared]', None)
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dualgap.proofs_checks.conformance.solvers import checks_of_answers as answers
from dualgap.proofs_checks.conformance.solvers.trial import Solver, Trial, name_of
from dualgap.reference import LOSSES

TOL = 1e-6

Run = Callable[[Trial], None]

CHECKS: tuple[Run, ...] = (
    answers.check_the_gap_is_what_was_asked_for,
    answers.check_drawn_problems_have_the_gap,
    answers.check_convergence_is_claimed_only_with_the_gap,
    answers.check_numbers_keep_their_53_bits,
    answers.check_every_one_of_many_rows_is_read,
    answers.check_sparse_rows_are_right_or_refused,
    answers.check_nothing_is_kept_from_call_to_call,
    answers.check_bad_input_is_refused,
    answers.check_the_scale_of_the_rows_does_not_matter,
)


@dataclass(frozen=True)
class Check:
    """One check for one loss; call it with the solver.

    Raises CheckFailed, an AssertionError that names problem and number;
    Incomplete, which is one, where the solver says that it has not converged and nothing else is wrong.
    """

    run: Run
    loss: str
    tol: float
    l1: bool
    seconds: float | None = None
    entropy: int = 0

    @property
    def kind(self) -> str:
        """Its name without the loss."""
        return self.run.__name__.removeprefix("check_")

    @property
    def name(self) -> str:
        """kind[loss]."""
        return f"{self.kind}[{self.loss}]"

    def trial(self, solver: Solver) -> Trial:
        """The solver with the settings of this check."""
        return Trial(solver, self.loss, self.tol, self.l1, self.seconds, self.entropy)

    def __call__(self, solver: Solver) -> None:
        self.run(self.trial(solver))


def solver_checks(
    solver: Solver,
    *,
    losses: Iterable[str] | None = None,
    l1: bool | None = None,
    tol: float = TOL,
    seconds: float | None = None,
    entropy: int = 0,
) -> list[Check]:
    """The checks that apply to a solver.

    Parameters
    ----------
    solver : the callable; its attributes ``losses`` and ``l1``, where it has them, are the defaults of these.
    losses : names of ``dualgap.reference.LOSSES`` that it knows; default all.
    l1 : whether it knows the elastic net; default True.
    tol : > 0 and finite, the requested gap.
    seconds : > 0, how long one answer may take, where the system has SIGALRM; default no limit. Compiled code that does
        not return to Python is not interrupted.
    entropy : >= 0, what the problems of ``drawn_problems_have_the_gap`` are drawn from.

    Raises
    ------
    ValueError
        An unknown loss, or tol or seconds not > 0 and finite.
    """
    names = list(getattr(solver, "losses", LOSSES) if losses is None else losses)
    net = bool(getattr(solver, "l1", True)) if l1 is None else l1
    if unknown := [name for name in names if name not in LOSSES]:
        raise ValueError(f"unknown loss {unknown[0]!r}; known: {', '.join(LOSSES)}")
    for name, value in (("tol", tol), ("seconds", seconds)):
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"{name} must be > 0 and finite (got {value})")
    return [Check(run, loss, tol, net, seconds, entropy) for loss in names for run in CHECKS]


def expected_failures(
    solver: Solver, checks: Iterable[Check], expected: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Name of a check to the reason why it fails for this solver.

    Parameters
    ----------
    expected : names of checks, with or without "[loss]", to reasons. Default: the solver's attribute
        ``expected_failed_checks``, if any.

    Raises
    ------
    ValueError
        A name that none of the checks has.
    """
    reasons = dict(getattr(solver, "expected_failed_checks", {}) if expected is None else expected)
    checks = list(checks)
    known = {name for check in checks for name in (check.name, check.kind)}
    if unknown := sorted(set(reasons) - known):
        raise ValueError(
            f"expected_failed_checks of {name_of(solver)} names {unknown[0]!r}; known: {', '.join(sorted(known))}"
        )
    return {check.name: reasons[name] for check in checks for name in (check.kind, check.name) if name in reasons}


def parametrize_with_checks(
    solvers: Iterable[Solver], *, expected_failed_checks: Mapping[str, str] | None = None, **settings: Any
) -> Any:
    """A pytest decorator: ``test(solver, check)`` runs once for every solver and check.

    Parameters
    ----------
    solvers : callables.
    expected_failed_checks : see ``expected_failures``; a check that is expected to fail and passes is an error. A
        mapping holds for every solver; set the attribute of a solver for its own.
    settings : the keywords of ``solver_checks``: losses, l1, tol, seconds, entropy.

    Raises
    ------
    ValueError
        expected_failed_checks names a check that a solver has not.
    ImportError
        pytest is not installed.
    """
    try:
        import pytest
    except ImportError:
        raise ImportError(
            "parametrize_with_checks needs pytest, which is not installed; install it with: pip install pytest; or run"
            ' "dualgap check MODULE:SOLVER"'
        ) from None
    parameters = []
    for solver in solvers:
        checks = solver_checks(solver, **settings)
        reasons = expected_failures(solver, checks, expected_failed_checks)
        for check in checks:
            marks = (pytest.mark.xfail(reason=reasons[check.name], strict=True),) if check.name in reasons else ()
            parameters.append(pytest.param(solver, check, marks=marks, id=f"{name_of(solver)}-{check.name}"))
    return pytest.mark.parametrize(("solver", "check"), parameters)
