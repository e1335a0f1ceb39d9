"""Streams that cannot be written lose no file, and nothing that others wrote is obeyed by the terminal."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

from dualgap.proofs_checks.report import screen, templating, terminal

DATA = "+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n"
PROBLEM = ["--loss", "squared", "--lam", "0.1", "--tol", "1e-6"]
STREAMS = [("", 0), ("> /dev/full", 1), ("2>&-", 0)]
MORE = [(">&-", 1), ("2> /dev/full", 0), (">&- 2>&-", 1), ("<&-", 0), ("| true", 1)]
FORGED = "fine\n\x1b[2K\rstatus  converged\x9b1A\u202e\x07\u2028\x7f"

WRITE = [  # a command and the files that it writes
    (["solve", "data", *PROBLEM, "--report", "r.html", "--checkpoint", "k"], ["r.html", "k"]),
    (["solve", "data", *PROBLEM, "--report", "r.html", "--choices", "c.jsonl", "--json"], ["r.html", "c.jsonl"]),
    (["sweep", "data", *PROBLEM, "--method", "sdca", "--out", "sw"], ["sw/sweep.json"]),
    (
        ["audit", "aspdc.theorem-2.root", "--quick", "--out", "au", "--jobs", "1"],
        ["au/report.json", "au/report.html", "au/counterexample-aspdc.theorem-2.root.json"],
    ),
    (["new", "data", "data", "--map", "m"], ["m"]),
    (["vectors", "--emit", "requests"], ["requests"]),
    (["new", "paper", "my-paper"], ["my-paper/pyproject.toml"]),
    (["new", "port", "c"], ["my-port/run"]),
]


# Three rows take no compiled code, and what is written does not depend on it.
ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "", "NUMBA_DISABLE_JIT": "1"}


def run(words, folder, shell):
    """(exit status, standard output, standard error), with the redirections of ``shell``."""
    (folder / "data").write_text(DATA)
    command = ["bash", "-c", f'set -o pipefail; "$@" {shell}', "bash", sys.executable, "-m", "dualgap", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.needs(*templating.MAKERS)
@pytest.mark.parametrize(
    ("words", "files", "streams"),
    [
        pytest.param(
            *row,
            streams,
            marks=[pytest.mark.nightly] * (streams is not STREAMS or row[1] != ["r.html", "k"]),
            id=f"{' '.join(row[1])} {len(streams)}",
        )
        for row in WRITE
        for streams in (STREAMS, *([MORE] if row[0][0] == "solve" else []))
    ],
)
def test_whatever_becomes_of_the_streams_every_file_is_written(words, files, streams, tmp_path):
    said = {}
    for number, (shell, status) in enumerate(streams):
        folder = tmp_path / str(number)
        folder.mkdir()
        code, said[shell], err = run(words, folder, shell)
        assert [name for name in files if not (folder / name).exists()] == [], (shell, err)
        if shell != "| true":  # whose end may come after the command's
            assert code == status, (shell, err)
        assert "Traceback" not in err and ("standard output cannot be written" in err) == (
            shell in ("> /dev/full", ">&-")
        ), (shell, err)
    assert said.get("2>&-", "").count("\n") == said.get("", "").count("\n"), (
        "what belongs to standard error went to standard output"
    )


def printed(capsys, do):
    with screen.screens():
        do()
    return capsys.readouterr()


@pytest.mark.parametrize(
    "do",
    [
        lambda: screen.say("{}", FORGED),
        lambda: screen.note("name {:<40}", FORGED),
        lambda: terminal.print_pairs([("name", FORGED)]),
        lambda: terminal.print_pairs([(FORGED, "")]),
        lambda: terminal.print_table(["name", "other"], [[FORGED, "x"]]),
        lambda: terminal.print_lines([FORGED]),
        lambda: terminal.print_json({"name": FORGED}),
    ],
)
def test_a_field_can_neither_begin_a_line_nor_move_the_cursor(do, capsys):
    out, err = printed(capsys, do)
    text = out + err
    assert not any(line.startswith("status") for line in text.splitlines()) and "converged" in text
    assert set(text) & {"\x1b", "\r", "\x9b", "\u202e", "\x07", "\u2028", "\x7f"} == set(), repr(text)
    if do.__code__.co_names[1] == "print_json":
        assert json.loads(out) == {"name": FORGED}


def test_what_passes_by_the_fields_is_escaped_by_the_stream(capsys):
    assert (
        printed(capsys, lambda: print(FORGED)).out
        == "fine\n\\x1b[2K\\rstatus  converged\\x9b1A\\u202e\\x07\\u2028\\x7f\n"
    )
    print(FORGED)
    assert capsys.readouterr().out == FORGED + "\n", "the control"


def test_a_block_stays_behind_its_margin(capsys):
    assert printed(capsys, lambda: terminal.print_block(FORGED)).out.splitlines()[1].startswith("  | ")


TEMPLATED = {"say", "note"}
WRITERS = {"print", "write", "writelines"}
WRITES = re.compile(r"\b(?:print|say|note)\(|\bsys\.std")


def breaks(source: str) -> list[str]:
    """What in a source writes to a stream otherwise than by ``say`` and its like, whose template is a constant."""
    found = []
    for node in ast.walk(ast.parse(source)) if WRITES.search(source) else ():
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        first = node.args[0] if node.args else None
        if name == "print":
            found.append(f"{node.lineno}: print")
        if name in TEMPLATED and not (
            isinstance(first, ast.Constant) or (isinstance(first, ast.Name) and first.id.isupper())
        ):
            found.append(f"{node.lineno}: {name} of a text that is put together")
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in WRITERS
            and ast.unparse(node.func.value) in ("sys.stdout", "sys.stderr")
        ):
            found.append(f"{node.lineno}: {ast.unparse(node.func)}")
    return found


ALONE = ("screen.py", "terminal.py", "time_limit.py")  # the two that write, and where a slow claim is: escaped there


def test_everything_that_is_printed_goes_through_one_place():
    for column in ("reference", "fast", "proofs_checks", "extras"):
        for path in sorted((ROOT / column).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            # separate programs
            apart = "templates" in path.parts or ('__name__ == "__main__"' in source and path.name != "main.py")
            if path.name not in ALONE and not apart:
                assert breaks(source) == [], path


@pytest.mark.parametrize("source", ["print(x)", 'say(f"{x}")', 'note("a" + x)', "say(x)", "sys.stderr.write(x)"])
def test_the_rule_notices_what_breaks_it(source):
    assert len(breaks(source)) == 1 and breaks('say("{}", x)') == []
