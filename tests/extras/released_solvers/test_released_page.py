"""The page on released solvers: its tables and figures are those of the kept report, and its examples print what it
says.
"""

import json
import pathlib
import re
import runpy
import shutil
import subprocess

import pytest

from dualgap import proofs_checks
from dualgap.extras.released_solvers import page
from dualgap.extras.released_solvers.environments import environment

KEPT = sorted((pathlib.Path(proofs_checks.__path__[0]) / "vectors" / "solvers").glob("*.json"))
ROOT = pathlib.Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "released-solvers.md").read_text(encoding="utf-8")
RESULTS = ROOT / "docs" / "measured" / "released-solvers.json"
FINDINGS = PAGE.partition("## Findings")[2]
IMPORTED = {
    "liblinear": "liblinear-official",
    "glum": "glum",
    "sklearn": "scikit-learn",
    "celer": "celer",
    "lightning": "lightning",
    "cyanure": "cyanure",
}


def test_the_tables_of_the_page_are_those_of_the_report():
    report = json.loads(RESULTS.read_text())
    assert page.with_tables(PAGE, report) == PAGE
    assert len({row["environment"] for row in report["rows"] if not row["skipped"]}) >= 14
    changed = {**report, "seed": report["seed"] + 1}
    assert page.with_tables(PAGE, changed) != PAGE
    with pytest.raises(ValueError, match="the page must have"):
        page.with_tables("nothing", report)


def test_reports_are_merged_into_the_one_that_is_kept():
    make, kept = runpy.run_path(str(ROOT / "docs" / "make" / "released.py")), json.loads(RESULTS.read_text())
    assert make["merged"](kept, kept) == kept and make["spelled"](kept) == RESULTS.read_text()
    changed = {**kept["rows"][0], "converged": 1}
    both = make["merged"](kept, {**kept, "rows": [changed], "life": [{**kept["life"][0], "high": 0.123456}]})
    assert (
        both["rows"] == [changed, *kept["rows"][1:]]
        and both["life"][0]["high"] == 0.123
        and both["life"][1:] == kept["life"][1:]
    )
    with pytest.raises(ValueError, match="300 problems of seed"):
        make["merged"](kept, {**kept, "seed": 1})


def test_every_false_claim_of_the_report_has_its_example_among_those_that_are_kept():
    report = json.loads(RESULTS.read_text())
    false = {
        (row["name"], claim["claim"])
        for row in report["rows"]
        if not row["skipped"]
        for claim in row["claims"]
        if claim["false"]
    }
    kept = {(record["estimator"], record["claim"]) for record in (json.loads(path.read_text()) for path in KEPT)}
    assert false == kept


def test_the_figures_are_drawn_from_the_report():
    pytest.importorskip("matplotlib", reason="matplotlib is an extra")
    report = json.loads(RESULTS.read_text())
    drawn = page.figures(
        {**report, "rows": [row for row in report["rows"] if row["environment"] in ("celer", "lightning")]}
    )
    assert set(drawn) == {"false-claims", "distance-squared", "distance-hinge", "distance-squared-hinge"}
    assert (
        all(svg.startswith("<svg") for svg in drawn.values())
        and "celer.ElasticNet: printed sign" in drawn["false-claims"]
    )


@pytest.mark.parametrize(
    "block",
    re.findall(r"```python\n(.*?)```", FINDINGS, flags=re.DOTALL),
    ids=lambda block: block.split("import ")[2].split()[0],
)
def test_ten_lines_and_the_solver_print_what_the_page_says(block, tmp_path):
    package = re.findall(r"^from (\w+)", block, flags=re.MULTILINE)[0]
    home = environment(IMPORTED[package])
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
