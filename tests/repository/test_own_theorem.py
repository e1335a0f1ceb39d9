"""docs/own_theorem.md: its blocks run, its commands end as it says, and its table is what a Context offers."""

import re

import pytest
from support import blocks, succeeds, text_of
from warm import dualgap

from dualgap.proofs_checks import Context

PAGE = text_of("docs/own_theorem.md")
PYTHON, SHELL = blocks(PAGE), [line for block in blocks(PAGE, "sh") for line in block.strip().splitlines()]
REPAIRED = PYTHON[0][: PYTHON[0].index("@claim(")] + PYTHON[1]
ROW = re.compile(r"^\| `c\.(\w+)(\([^`]*\))?` \|", re.MULTILINE)


def ran(folder, line, status, *words, theorem=None):
    """Run a line of a shell block, after the theorem was written."""
    if theorem is not None:
        (folder / "damped.py").write_text(theorem, encoding="utf-8")
    run = dualgap(*line.split()[1:], cwd=folder)
    assert run.returncode == status and all(word in run.stdout for word in words), run.stdout + run.stderr
    return run.stdout


def test_the_theorem_is_refuted_replayed_repaired_and_audited_again(tmp_path):
    audit, replay, again = SHELL
    out = ran(tmp_path, audit, 1, "damped.every-lam", "REFUTED, expected HOLDS", theorem=PYTHON[0])
    assert "control caught" not in out and "control missed" not in out
    ran(tmp_path, replay, 0, "The refutation reproduces")
    means = "damped.every-lam.repaired: No counterexample in 40 draws"
    assert "3 of 3" not in ran(tmp_path, again, 0, "2 of 2 claims as expected", means, theorem=REPAIRED)


WEIGHTED = """
    def choices(self, problem, state):
        total = sum(problem.norms2)
        return [(i, Q(norm2) / Q(total)) for i, norm2 in enumerate(problem.norms2)] if total else super().choices(problem, state)
"""  # noqa: E501


def test_choices_that_are_not_what_is_drawn_are_named(tmp_path):
    name = '    name = "damped"\n'
    said = "What is drawn is not what choices says: damped: pass 0, step 0: choice"
    ran(tmp_path, SHELL[2], 1, said, theorem=REPAIRED.replace(name, name + WEIGHTED))


def test_the_claim_about_matrices_is_a_file_that_runs(tmp_path):
    """It is false for the matrices of an erratum. The test of the search has the same claim, and finds others."""
    (whole,) = [block for block in PYTHON[2:] if 'register_paper("shuffles"' in block]
    erratum = "from types import SimpleNamespace\nfrom dualgap.extras.errata.yun_2021 import FALSE, ONES\n"
    held = "print(*(next(single(SimpleNamespace(given=given.extra))).holds() for given in (FALSE, ONES)))"
    assert succeeds("-c", whole + erratum + held, cwd=tmp_path) == "False True\n"


def test_the_claims_without_a_problem_have_the_verdicts_that_the_page_shows(tmp_path):
    (whole,) = [block for block in PYTHON[2:] if 'register_paper("plain"' in block]
    (verdicts,) = [block for block in blocks(PAGE, "text") if "plain." in block]
    (tmp_path / "plain.py").write_text(whole, encoding="utf-8")
    table = ran(tmp_path, "dualgap audit plain --import plain.py --quick --entropy 1 --jobs 1", 1, "3 of 3 controls")
    assert all(line in table for line in verdicts.strip().splitlines())


@pytest.mark.parametrize("block", [block for block in PYTHON[2:] if "register_paper" not in block])
def test_a_block_runs_and_gives_what_its_comment_says(block):
    names = {}
    for line in block.strip().splitlines():
        code, _, comment = line.partition("  # ")
        said = comment.strip() if comment.strip().startswith(("'", "(")) else ""
        if said:
            assert repr(eval(code, names)) == said
        else:
            exec(code, names)


def test_the_table_has_every_public_name_of_a_context_and_no_other():
    offered = {name for name in vars(Context) if not name.startswith("_")} | {"instance", "number", "method"}
    assert set([name for name, _ in ROW.findall(PAGE)]) ^ offered == set()
