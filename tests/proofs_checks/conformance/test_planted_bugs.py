"""A numpy SDCA with a bug in one place each: the check that is about it fails; the right one and harmless variants
pass.
"""

import runpy
from pathlib import Path

import pytest
from support import by_day, refuses

from dualgap.proofs_checks.conformance.solvers.checks import CHECKS, solver_checks
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed, name_of
from dualgap.reference import LOSSES

TOYS = Path(__file__).parents[2] / "toys" / "wrong_sdca.py"
MODULE = runpy.run_path(str(TOYS))
BUGS, HARMLESS, RIGHT = MODULE["BUGS"], MODULE["HARMLESS"], MODULE["solver"]("right")
SLOW = ("every_one_of_many_rows_is_read", "the_scale_of_the_rows_does_not_matter")


@pytest.mark.parametrize("all_losses", by_day([False, True], False))
@pytest.mark.parametrize(
    ("solver", "kind"),
    [pytest.param(*row, marks=[pytest.mark.nightly] * (row[1] in SLOW), id=name_of(row[0])) for row in BUGS],
)
def test_a_planted_bug_fails_the_check_that_is_about_it(solver, kind, all_losses):
    """By day with the first loss."""
    checks = [check for check in solver_checks(solver) if check.kind == kind]
    for check in checks if all_losses else checks[:1]:
        with pytest.raises(CheckFailed):
            check(solver)


def test_every_check_finds_a_bug():
    others = {run.__name__.removeprefix("check_") for run in CHECKS} - {kind for _, kind in BUGS}
    assert others == {"drawn_problems_have_the_gap"}, "a test below"
    assert len({name_of(solver) for solver, _ in BUGS}) == len(BUGS) >= 34


OF_RIGHT = solver_checks(RIGHT)


@pytest.mark.parametrize("check", by_day(OF_RIGHT, *OF_RIGHT[::3]), ids=lambda check: check.name)
def test_the_right_solver_passes_in_full(check):
    """By day a third; another right solver passes all of them in test_solver_checks.py."""
    check(RIGHT)


@pytest.mark.parametrize("further", by_day([0, 3], 0))
@pytest.mark.parametrize(
    ("k", "solver"),
    [
        pytest.param(k, solver, marks=[pytest.mark.nightly] * (k >= 3), id=name_of(solver))
        for k, solver in enumerate(HARMLESS)
    ],
)
def test_a_harmless_variant_passes_in_full(k, solver, further):
    """By day three of them with one loss each."""
    for check in solver_checks(solver, losses=[list(LOSSES)[(k + further) % 6]]):
        check(solver)


def check_of(solver, kind, **options):
    """The check of this kind for the squared loss."""
    return next(check for check in solver_checks(solver, losses=["squared"], **options) if check.kind == kind)


def test_who_answers_from_a_table_is_found_by_problems_that_are_new():
    known: dict[bytes, object] = {}

    def asked(learning: bool):
        def solver(X, y, *, loss, lam, l1, gamma, tol, seed):
            question = repr((X.tolist(), y.tolist(), loss, lam, l1, tol)).encode()
            if learning:
                known[question] = RIGHT(X, y, loss=loss, lam=lam, l1=l1, gamma=gamma, tol=tol, seed=seed)
            return known.get(question, (X[0] * 0, y * 0, True))

        return solver

    drawn = "drawn_problems_have_the_gap"
    for kind in ("the_gap_is_what_was_asked_for", drawn):
        for learning in (True, False):
            check_of(RIGHT, kind, entropy=1)(asked(learning))
    refuses(CheckFailed, "entropy 2, problem 1", lambda: check_of(RIGHT, drawn, entropy=2)(asked(False)))


def test_who_remembers_lam_is_found_by_a_call_with_another():
    solver = MODULE["forgetful"]()
    refuses(CheckFailed, "lam = 0.625", check_of(solver, "nothing_is_kept_from_call_to_call"), solver)
