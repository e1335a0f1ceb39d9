"""docs/own_theorem.md: its blocks run, its commands end as it says, and its table is what a Context offers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dualgap.proofs_checks import Context, Instance, Q, Qs
from dualgap.proofs_checks.claims.context import Successor

PAGE = (Path(__file__).parents[2] / "docs" / "own_theorem.md").read_text(encoding="utf-8")
PYTHON, SHELL = (re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL) for language in ("python", "sh"))
ROW = re.compile(r"^\| `c\.(\w+)(\([^`]*\))?` \|", re.MULTILINE)


def run(folder, line):
    """A line of a shell block, in a process of its own."""
    program, *words = line.split()
    assert program == "dualgap"
    code = "import sys; from dualgap.proofs_checks.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=folder, env={**os.environ}
    )


def test_the_theorem_is_refuted_replayed_repaired_and_audited_again(tmp_path):
    first, second = PYTHON[:2]
    (tmp_path / "damped.py").write_text(first, encoding="utf-8")
    audit, replay = (run(tmp_path, line) for line in SHELL[0].strip().splitlines())
    assert audit.returncode == 1 and "damped.every-lam" in audit.stdout and "REFUTED, expected HOLDS" in audit.stdout, (
        audit.stdout + audit.stderr
    )
    assert "control caught" not in audit.stdout and "control missed" not in audit.stdout
    assert replay.returncode == 0 and "The refutation reproduces" in replay.stdout, replay.stdout + replay.stderr
    (tmp_path / "damped.py").write_text(first[: first.index("@claim(")] + second, encoding="utf-8")
    (again,) = SHELL[1].strip().splitlines()
    audit = run(tmp_path, again)
    assert audit.returncode == 0 and "3 of 3" not in audit.stdout and "2 of 2 claims as expected" in audit.stdout, (
        audit.stdout + audit.stderr
    )


WEIGHTED = """
    def choices(self, problem, state):
        total = sum(problem.norms2)
        return [(i, Q(norm2) / Q(total)) for i, norm2 in enumerate(problem.norms2)] if total else super().choices(problem, state)
"""  # noqa: E501


def test_choices_that_are_not_what_is_drawn_are_named(tmp_path):
    first, second = PYTHON[:2]
    text = (first[: first.index("@claim(")] + second).replace(
        '    name = "damped"\n', f'    name = "damped"\n{WEIGHTED}'
    )
    (tmp_path / "damped.py").write_text(text, encoding="utf-8")
    audit = run(tmp_path, SHELL[1].strip())
    assert (
        audit.returncode == 1
        and "What is drawn is not what choices says: damped: pass 0, step 0: choice" in audit.stdout
    ), audit.stdout + audit.stderr


@pytest.mark.parametrize("block", PYTHON[2:])
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
    shown = [name for name, _ in ROW.findall(PAGE)]
    assert set(shown) - offered == set() and offered - set(shown) == set()
    assert ROW.findall(PAGE.replace("| `c.gap` |", "| `c.gaps` |")) != ROW.findall(PAGE), "the control"


def test_every_name_of_the_table_that_takes_nothing_can_be_asked():
    context = Context(Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 1), alpha=Qs(0, 0), lam=Q(1), method="sdca"))
    for name, arguments in ROW.findall(PAGE):
        if name == "solution":
            with pytest.raises(ValueError, match="it is optimum"):
                _ = context.solution
        elif not arguments:
            assert getattr(context, name) is not None, name


def test_the_fields_of_a_successor_are_in_the_table():
    (row,) = [line for line in PAGE.splitlines() if line.startswith("| `c.successors`")]
    fields = {name for name in vars(Successor) if not name.startswith("_")} - {"method"}
    assert set(re.findall(r"`(\w+)`", row.split("|")[3])) == fields
