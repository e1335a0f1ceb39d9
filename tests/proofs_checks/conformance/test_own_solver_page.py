"""The code blocks of docs/own_solver.md run, its table names every check, and its causes are those that exist."""

import re

from support import ROOT, blocks, text_of

from _dualgap_pytestplugin import MARKER
from dualgap.fast import solve
from dualgap.proofs_checks.conformance.solvers import causes
from dualgap.proofs_checks.conformance.solvers.checks import CHECKS, solver_checks
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed
from dualgap.reference import LOSSES, ElasticNet, Problem

TEXT = text_of("docs/own_solver.md")
BLOCKS = blocks(TEXT)


def my_warm_solver(X, y, *, loss, lam, l1, gamma, tol, seed, start=None):
    result = solve(
        Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)),
        "sdca",
        alpha=None if start is None else start[1],
        tol=tol,
        seed=seed,
    )
    return result.w, result.alpha, result.status == "converged"


def test_the_code_blocks_of_the_page_run(request):
    # where dualgap is run from a path, its entry points are not installed
    request.config.addinivalue_line("markers", MARKER)

    def my_other_solver(X, y, **given):
        return names["my_solver"](X, y, **given)

    my_other_solver.losses, my_other_solver.l1 = ("squared",), False
    names = {"my_warm_solver": my_warm_solver, "my_other_solver": my_other_solver}
    for block in BLOCKS:
        exec(block, names)
    for check in solver_checks(names["my_solver"]):
        check(names["my_solver"])
    marked = [parameter for parameter in names["test_solvers"].pytestmark[0].args[1] if parameter.marks]
    assert len(BLOCKS) == 4
    assert [parameter.id for parameter in marked] == ["my_other_solver-sparse_rows_are_right_or_refused[squared]"]
    assert names["TestWarmStarts"].runTest and names["test_my_solver"].pytestmark[0].name == "dualgap_solvers"


def test_the_failure_that_the_page_shows_is_what_a_solver_that_sums_gets():
    names = {}
    exec(BLOCKS[0], names)

    def summed(X, y, *, lam, **given):
        return names["my_solver"](X, y, lam=lam / len(y), **given)

    (check,) = [
        check
        for check in solver_checks(summed, losses=["squared"], l1=False)
        if check.kind == "the_gap_is_what_was_asked_for"
    ]
    try:
        check(summed)
    except CheckFailed as failure:
        shown = " ".join(re.search(r"FAILED the_gap\S+: (.*?)\n  cause: lam/n", TEXT, flags=re.S)[1].split())
        assert str(failure) == shown and failure.cause == "lam/n"
    else:
        raise AssertionError("it passed")


def test_the_page_names_every_check_and_only_causes_that_exist():
    named = set(re.findall(r"`([a-z0-9_]+)`", TEXT.split("## What is checked")[1].split("## Causes")[0]))
    assert {run.__name__.removeprefix("check_") for run in CHECKS} <= named
    told = set(re.findall(r"`([^`]+)`", TEXT.split("## Causes")[1].split("Your dual variables")[0]))
    known = {hypothesis.cause for hypothesis in causes.hypotheses() if "," not in hypothesis.cause}
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "proofs_checks" / "conformance" / "solvers").glob("*.py")
    )
    assert known <= told and all(f'"{cause}"' in sources for cause in told - known)
