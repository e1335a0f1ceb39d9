"""The scripts of CI: a failure fails, whatever its kind, and the lowest versions are those of pyproject.toml."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from support import ROOT, by_day

MATRIX = ROOT / ".ci" / "matrix"


@pytest.fixture
def checkout(tmp_path):
    """The script in a separate checkout with one test, which mentions what the part ``text`` is found by."""
    for folder in (".ci", "tests", "bin", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(MATRIX, tmp_path / ".ci")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests" / "test_one.py").write_text("def test_one():\n    assert 'capsys'\n")
    program(tmp_path / ".venv" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    return tmp_path


def program(path, line):
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def matrix(folder, *names):
    """(exit status, output) of the cells."""
    environment = os.environ | {"MATRIX_WORKERS": "0", "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        [folder / ".ci" / "matrix", *names], env=environment, capture_output=True, text=True, timeout=600
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize(
    "body",
    by_day(
        ["assert not 'capsys'", "import pytest; pytest.skip('capsys')", "import os; os._exit(3)  # capsys", "pass"],
        "import pytest; pytest.skip('capsys')",
    ),
)
def test_a_failure_nothing_but_skips_a_crash_and_no_test_at_all_are_failures(checkout, body):
    (checkout / "tests" / "test_one.py").write_text(f"def test_one():\n    {body}\n    assert True\n")
    status, said = matrix(checkout, "time-zone")
    assert (status, said.splitlines()[-1]) == (1, "matrix: 0 passed, 1 failed, 0 cannot run here"), said


def test_the_lowest_versions_are_the_bounds_of_every_dependency(checkout):
    shell = f"source <(sed -n '/^lowest()/,/^}}/p' {MATRIX}); cd {ROOT}; lowest"
    found = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True).stdout.split()
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.search(r"^dependencies = (.*?)^\[project.scripts\]", text, flags=re.MULTILINE | re.DOTALL)[1]
    tools = {"coverage", "pyright", "setuptools"}  # of development, and what builds
    assert {line.partition("==")[0] for line in found} == set(
        re.findall(r'"([A-Za-z][A-Za-z0-9-]*)[>"]', named)
    ) - tools
    assert all(re.fullmatch(r"[A-Za-z0-9-]+==[0-9.]+", line) for line in found)


def test_steps_side_by_side_print_in_their_order_and_fail_if_one_fails():
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    together = run[run.index("together() {") : run.index("\n}\n") + 3]
    for last, status, said in (
        ("true", 0, "a\nb\n"),
        ("echo c; false; echo d", 1, "a\nb\nc\nFAILED: echo c; false; echo d\n"),
    ):
        code = f"set -euo pipefail\n{together}together 'sleep 0.2; echo a' 'echo b' '{last}'; echo not here"
        done = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (status, said + "not here\n" * (status == 0)), done.stderr
