"""The pages on released solvers: the table is that of a report and agrees with the kept examples, and the programs
print what the page says.
"""

import json
import pathlib
import re
import runpy
import shutil
import subprocess

import pytest
from support import ROOT, printed, refuses

from dualgap import proofs_checks
from dualgap.extras.released_solvers import page
from dualgap.extras.released_solvers.environments import environment
from dualgap.extras.released_solvers.table import RELEASED
from dualgap.reference import LOSSES

KEPT = sorted((pathlib.Path(proofs_checks.__path__[0]) / "vectors" / "solvers").glob("*.json"))
PAGE, FINDINGS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("released-solvers.md", "released-solvers-findings.md")
)
IMPORTED = {
    "liblinear": "liblinear-official",
    "glum": "glum",
    "sklearn": "scikit-learn",
    "celer": "celer",
    "lightning": "lightning",
    "cyanure": "cyanure",
}


def report(*rows, life=()):
    """A report of ``dualgap estimators`` with these rows."""
    return {
        "schema": 2,
        "problems": 300,
        "seed": 1,
        "machine": {"system": "Linux", "python": "3.11"},
        "rows": list(rows),
        "life": list(life),
    }


def row(name, false, worst=2.5, **others):
    """What it has on one solver, which says that P(w) - min P <= tol."""
    claim = {
        "claim": "gap",
        "words": "P(w) - min P <= |tol|",
        "true": 300 - false,
        "false": false,
        "undecided": 0,
        "worst": worst,
        "seeds": [1],
    }
    far = {"median": 1e-17, "nine_in_ten": 2e-5, "largest": 0.5, "above_tol": 3, "each": [1.23456e-17, 0.5]}
    told = {
        "name": name,
        "environment": "e",
        "loss": "hinge",
        "tol": 1e-4,
        "says": "a gap",
        "skipped": "",
        "version": "1.0",
        "asked": 300,
        "converged": 300,
    }
    return {**told, "claims": [claim], "far": far, **others}


LIFE = {
    "solver": "Ridge(solver=svd)",
    "problem": "heart",
    "loss": "squared",
    "low": 1.23456e-3,
    "high": 0.123456,
    "seconds": 0.54321,
    "converged": False,
}


def rows_of(text):
    """The table of a page: for every row the cells by their column."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    columns, _, *rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [dict(zip(columns, cells)) for cells in rows]


SAID = rows_of(PAGE)


def test_the_table_is_that_of_a_report():
    told = report(row("celer.ElasticNet", 60), row("ElasticNet", 0, None), row("cyanure", 0, skipped="not installed"))
    text = page.with_table(f"before {page.BEGIN} old {page.END} after", told)
    assert text.startswith("before ") and text.endswith(" after") and " old " not in text
    says = {"version": "1.0", "says": r"P(w) - min P <= \|tol\|", "stopped": "300 of 300", "undecided": "0"}
    assert rows_of(text) == [
        {"solver": "celer.ElasticNet", "true": "240", "FALSE": "**60**", "worst": "2.5", **says},
        {"solver": "ElasticNet", "true": "300", "FALSE": "0", "worst": "", **says},
    ]
    refuses(ValueError, "the page must have", page.with_table, "nothing", told)


def test_the_page_has_the_table_of_a_report_of_at_least_14_packages():
    settings, packages = map(int, re.findall(r"^(\d+) settings of (\d+) packages", PAGE, re.M)[0])
    assert packages >= 14 and settings == len(RELEASED) and {one["solver"] for one in SAID} <= set(RELEASED)
    counts = [
        (int(one["true"]) + int(one["FALSE"].strip("*")) + int(one["undecided"]), one["stopped"].split()[0])
        for one in SAID
    ]
    assert len(counts) > 25 and all(str(judged) == stopped for judged, stopped in counts)


def test_a_new_report_replaces_what_the_kept_one_has_on_the_same_solver():
    make = runpy.run_path(str(ROOT / "docs" / "make" / "released.py"))
    kept = report(row("ElasticNet", 5), row("celer.ElasticNet", 60), life=[LIFE])
    both = make["merged"](kept, report(row("ElasticNet", 6, claims=[]), life=[{**LIFE, "high": 0.987654}]))
    assert [one["name"] for one in both["rows"]] == ["ElasticNet", "celer.ElasticNet"]
    assert both["rows"][0]["claims"] == []
    assert both["rows"][1] == kept["rows"][1]
    assert both["rows"][0]["far"]["each"] == [1.2e-17, 0.5] and [one["high"] for one in both["life"]] == [0.988]
    assert json.loads(make["spelled"](both)) == both and make["spelled"](both).count("\n") == 2
    refuses(ValueError, "300 problems of seed", lambda: make["merged"](kept, {**kept, "seed": 2}))


def test_every_false_claim_of_the_page_has_its_example_among_those_that_are_kept():
    assert {(one["solver"], one["says"].replace("\\|", "|")) for one in SAID if one["FALSE"] != "0"} == {
        (record["estimator"], record["words"]) for record in (json.loads(path.read_text()) for path in KEPT)
    }


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_example_is_still_false_number_by_number(path, capsys):
    assert "FALSE: the left side is larger" in printed(capsys, "replay", str(path))


def test_examples_are_kept_for_several_libraries():
    kept = {json.loads(path.read_text())["environment"] for path in KEPT}
    assert len(kept) >= 5 and all(set(LOSSES) >= {json.loads(path.read_text())["instance"]["loss"]} for path in KEPT)


def test_the_figures_are_drawn_from_the_report():
    pytest.importorskip("matplotlib", reason="matplotlib is an extra")
    drawn = page.figures(
        report(row("celer.ElasticNet", 60), row("Ridge", 0, loss="squared"), row("cyanure", 0, skipped="not installed"))
    )
    assert set(drawn) == {"false-claims", "distance-hinge", "distance-squared"}
    assert all(svg.startswith("<svg") for svg in drawn.values()) and "celer.ElasticNet: gap" in drawn["false-claims"]


@pytest.mark.parametrize(
    "block",
    re.findall(r"```python\n(.*?)```", FINDINGS, flags=re.DOTALL),
    ids=lambda block: block.split("import ")[2].split()[0],
)
def test_ten_lines_and_the_solver_print_what_the_page_says(block, tmp_path):
    home = environment(IMPORTED[re.findall(r"^from (\w+)", block, flags=re.MULTILINE)[0]])
    if home.missing:
        pytest.skip(home.missing)
    assert len(block.splitlines()) <= 12
    ended = subprocess.run([str(home.python), "-c", block], capture_output=True, text=True, cwd=tmp_path)
    lines = ended.stdout.splitlines()
    assert lines, ended.stderr
    assert all(line in FINDINGS or line.split()[1] in FINDINGS or line.split()[2] in FINDINGS for line in lines[-3:]), (
        lines
    )


@pytest.mark.skipif(
    shutil.which("liblinear-train") is None, reason="liblinear-train is not installed (Debian: liblinear-tools)"
)
def test_the_lines_for_liblinear_print_what_the_page_says(tmp_path):
    (block,) = re.findall(r"```sh\n(.*?)```", FINDINGS, flags=re.DOTALL)
    ended = subprocess.run(["sh", "-c", block], capture_output=True, text=True, cwd=tmp_path)
    assert ended.stdout.split() == ["0.5"] * 4, (ended.stdout, ended.stderr)
