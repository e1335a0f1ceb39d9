"""A numpy SDCA with a bug in one place each: the check that is about it fails and names the cause; the right one and
harmless variants pass.

    PYTHONPATH=tests python tests/proofs_checks/conformance/test_planted_bugs.py   # writes docs/own_solver.md
"""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from support import ROOT, by_day, refuses

from dualgap.proofs_checks.conformance.solvers.checks import CHECKS, solver_checks
from dualgap.proofs_checks.conformance.solvers.spec import load_solver
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed, name_of
from dualgap.reference import LOSSES

TOYS = Path(__file__).parents[2] / "toys" / "wrong_sdca.py"
MODULE = load_solver(f"{TOYS}:everything")()
PAGE = ROOT / "docs" / "own_solver.md"
BEGIN, END = "<!-- planted mistakes -->\n", "<!-- end -->"
BUGS, HARMLESS, RIGHT, OF_CLASSES = MODULE["BUGS"], MODULE["HARMLESS"], MODULE["right"], MODULE["right_of_classes"]
FIRST = {(kind, cause): solver.name for solver, kind, cause in reversed(BUGS)}.values()


@pytest.mark.parametrize("all_losses", by_day([False, True], False))
@pytest.mark.parametrize(
    ("k", "row"),
    [
        pytest.param(k, row, marks=[pytest.mark.nightly] * (row[0].name not in FIRST), id=row[0].name)
        for k, row in enumerate(BUGS)
    ],
)
def test_a_planted_bug_is_caught_and_its_cause_named(k, row, all_losses):
    """By day one bug of each check and cause, with one loss each."""
    solver, kind, cause = row
    checks = [check for check in solver_checks(solver) if check.kind == kind]
    for check in checks if all_losses else [checks[k % len(checks)]]:
        with pytest.raises(CheckFailed) as caught:
            check(solver)
        assert caught.value.cause == cause, (check.name, str(caught.value))


def test_there_are_enough_bugs_and_variants_and_every_check_finds_one():
    found = {kind for _, kind, _ in BUGS}
    assert len(BUGS) >= 20 and len(HARMLESS) >= 8 and len({solver.name for solver, *_ in BUGS}) == len(BUGS)
    others = {run.__name__.removeprefix("check_") for run in CHECKS} - found
    assert others == {
        "the_answer_has_the_shapes_of_the_problem",  # test_solver_checks.py
        # below
        "drawn_problems_have_the_gap",
        "the_order_of_the_rows_does_not_matter",
        "a_path_of_lam_is_right_at_every_point",
        "several_classes_have_the_gap",
    }


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


SEEN = {"not refused", "exception type", "domain"}  # what a check has seen, and nothing that it concludes
ALSO = {"clipped_late": {"alpha"}}  # true, too


@cache
def causes_named(solver):
    """How often each cause is named by all checks of one loss, squared where the solver knows it; None for the failures
    without one.
    """
    loss = next(iter(getattr(solver, "losses", ["squared"])))
    named = Counter()
    for check in solver_checks(solver, losses=[loss]):
        try:
            check(solver)
        except CheckFailed as failure:
            named[failure.cause] += 1
    return named


@pytest.mark.nightly
def test_at_most_one_cause_in_fifty_is_wrong_and_most_mistakes_are_named():
    """Over the planted mistakes and those that no cause describes."""
    allowed = [(solver, {cause, *ALSO.get(solver.name, ())}) for solver, _, cause in BUGS] + [
        (solver, set(true)) for solver, true in MODULE["UNLISTED"]
    ]
    wrong, total = {}, 0
    for solver, true in allowed:
        named = {
            cause: count for cause, count in causes_named(solver).items() if cause not in SEEN and cause is not None
        }
        total += sum(named.values())
        wrong |= {(solver.name, cause): count for cause, count in named.items() if cause not in true}
    assert total > 100 and sum(wrong.values()) <= total / 50, (total, wrong)
    assert sum(causes_named(solver)[cause] > 0 for solver, _, cause in BUGS if cause) >= 0.8 * len(BUGS)


def table():
    """The rows of the page."""
    rows = [
        (solver.name.replace("_", " "), f"`{cause}`" if cause and causes_named(solver)[cause] else "none")
        for solver, _, cause in BUGS
    ]
    return "".join(
        f"| {mistake} | {cause} |\n" for mistake, cause in [("planted bug", "cause named"), ("---", "---"), *rows]
    )


@pytest.mark.nightly
def test_the_page_has_the_table_of_what_is_named():
    assert PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0] == table()


def failing(solver, kind, loss):
    (check,) = [check for check in solver_checks(solver, losses=[loss]) if check.kind == kind]
    with pytest.raises(CheckFailed) as caught:
        check(solver)
    return caught.value


def test_who_sorts_rows_is_found_by_their_order():
    assert failing(MODULE["sorted_rows"], "the_order_of_the_rows_does_not_matter", "squared").cause == "alpha"


def test_who_answers_from_a_table_is_found_by_problems_that_are_new():
    known: dict[bytes, object] = {}

    def asked(learning: bool):
        def solver(X, y, *, loss, lam, l1, gamma, tol, seed):
            question = repr((X.tolist(), y.tolist(), loss, lam, l1, tol)).encode()
            if learning:
                known[question] = RIGHT(X, y, loss=loss, lam=lam, l1=l1, gamma=gamma, tol=tol, seed=seed)
            return known.get(question, (X[0] * 0, y * 0, True))

        return solver

    checks = {
        entropy: [
            check
            for check in solver_checks(RIGHT, losses=["squared"], entropy=entropy)
            if check.kind in ("the_gap_is_what_was_asked_for", "drawn_problems_have_the_gap")
        ]
        for entropy in (1, 2)
    }
    for check in checks[1]:
        check(asked(True))
        check(asked(False))
    refuses(CheckFailed, "entropy 2, problem 1", lambda: checks[2][1](asked(False)))


def test_who_remembers_lam_is_found_on_a_path():
    failing(MODULE["forgetful"](), "a_path_of_lam_is_right_at_every_point", "squared")


def test_several_classes_are_checked():
    (check,) = [check for check in solver_checks(OF_CLASSES) if check.kind == "several_classes_have_the_gap"]
    check(OF_CLASSES)
    assert "the gap is at most" in str(failing(MODULE["wrong_classes"], check.kind, "squared"))


if __name__ == "__main__":
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.split(END)[1], encoding="utf-8")
