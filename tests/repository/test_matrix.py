"""The matrix of cells: passed, failed and impossible cells are distinguished, and the lowest versions are those of
pyproject.toml.
"""

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


@pytest.mark.nightly
def test_a_cell_whose_tests_pass_is_a_pass_with_its_command(checkout):
    status, said = matrix(checkout, "time-zone")
    assert (status, said.splitlines()[-1]) == (0, "matrix: 1 passed, 0 failed, 0 cannot run here"), said
    assert re.match(r"time-zone +pass +[0-9]+ s  TZ=Pacific/Chatham python -m pytest \(text: 1 files\); 1 passed", said)


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


def test_a_cell_that_cannot_run_says_why_and_is_no_pass(checkout):
    program(checkout / "bin" / "nproc", "echo 1")
    status, said = matrix(checkout, "one-core")
    assert status == 0 and re.match("one-core +cannot-run .* it takes taskset and two cores\n", said)
    assert said.endswith("matrix: 0 passed, 0 failed, 1 cannot run here\n")


def test_an_unknown_cell_is_refused_before_anything_runs(checkout):
    said = ".ci/matrix: there is no cell time-zones; .ci/matrix --list names them\n"
    assert matrix(checkout, "time-zone", "time-zones") == (2, said)


def test_every_cell_that_is_listed_is_known_and_its_part_has_tests():
    listed = subprocess.run([MATRIX, "--list"], capture_output=True, text=True, check=True).stdout
    rows = [[part.strip() for part in line.split("|")] for line in listed.splitlines()]
    source = MATRIX.read_text(encoding="utf-8")
    parts = set(re.findall(r"^    ([a-z]+)\) (?:echo|with|named)", source, flags=re.MULTILINE))
    assert {row[2] for row in rows} == parts and len({row[0] for row in rows}) == len(rows) > 20
    made = {"wheel", "sdist", "lowest", "newest", "core", "busy"}
    names = {row[0] for row in rows if "-" not in row[0] and "python3" not in row[0]} - made
    assert [name for name in names if f"    {name})" not in source] == []


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


def test_the_script_of_slow_checks_lists_every_file_with_a_test_that_is_left_out_by_day():
    marked = {
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"mark\.nightly|by_day\(", path.read_text("utf-8"))
    }
    listed = re.findall(r"^#     (tests/\S+\.py) ", (ROOT / ".ci" / "nightly").read_text("utf-8"), re.M)
    assert set(listed) == {path.relative_to(ROOT).as_posix() for path in marked}


def test_what_is_skipped_without_packages_for_tables_runs_again_with_them():
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    packages = re.search(r"pip install --quiet (pandas .*); then\n", run)[1].split()
    skipping = {
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(rf"importorskip\(\"(?:{'|'.join(packages)})\b", path.read_text("utf-8"))
    }
    code = f"echo {run.partition('; then')[2].partition('-m pytest ')[2].partition('else')[0]}"
    files = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert len(skipping) > 3 and {path.relative_to(ROOT).as_posix() for path in skipping} <= set(files)


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


@pytest.mark.parametrize("status", [0, 1])
def test_the_slow_checks_all_run_and_one_that_fails_is_named(checkout, status):
    shutil.copy(ROOT / ".ci" / "nightly", checkout / ".ci")
    program(checkout / ".ci" / "matrix", "echo matrix $*")
    program(checkout / ".venv" / "bin" / "python", f'echo "$*"; case "$*" in *fuzz*) exit {status};; esac')
    environ = {name: value for name, value in os.environ.items() if name != "DUALGAP_FUZZ"} | {
        "DUALGAP_CHECKER": "none"
    }
    run = subprocess.run([checkout / ".ci" / "nightly"], capture_output=True, text=True, env=environ)
    said = run.stdout.splitlines()
    assert run.returncode == status and said[-2] == "matrix" and len(said) == 17, said
    last = "FAILED: DUALGAP_FUZZ=2000 .venv/bin/python -m pytest tests/fuzz" if status else "every step passed"
    assert said[-1] == f"nightly: {last}"
