"""The code blocks of docs/own_solver.md run, its table has every check, and its example is the message of a failure."""

import re

from support import blocks, text_of

from _dualgap_pytestplugin import MARKER
from dualgap.proofs_checks.conformance.solvers.checks import CHECKS, solver_checks
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed

TEXT = text_of("docs/own_solver.md")
BLOCKS = blocks(TEXT)


def test_the_code_blocks_of_the_page_run(request):
    # where dualgap is run from a path, its entry points are not installed
    request.config.addinivalue_line("markers", MARKER)

    def my_other_solver(X, y, **given):
        return names["my_solver"](X, y, **given)

    my_other_solver.losses, my_other_solver.l1 = ("squared",), False
    names = {"my_other_solver": my_other_solver}
    for block in BLOCKS:
        exec(block, names)
    for check in solver_checks(names["my_solver"]):
        check(names["my_solver"])
    marked = [parameter for parameter in names["test_solvers"].pytestmark[0].args[1] if parameter.marks]
    assert len(BLOCKS) == 3
    assert [parameter.id for parameter in marked] == ["my_other_solver-sparse_rows_are_right_or_refused[squared]"]
    assert names["test_my_solver"].pytestmark[0].name == "dualgap_solvers"


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
        shown = " ".join(re.search(r"FAILED the_gap\S+: (.*?)\n  repeat:", TEXT, flags=re.S)[1].split())
        assert str(failure) == shown
    else:
        raise AssertionError("it passed")


def test_the_table_of_the_page_has_every_check():
    named = re.findall(r"^\| `([a-z0-9_]+)` \|", TEXT, flags=re.M)
    assert named == [run.__name__.removeprefix("check_") for run in CHECKS]
