"""The museum of bugs: each port is found in its wrong lines only, and the page shows what was found."""

import runpy

import pytest
from support import ROOT, text_of

from dualgap.proofs_checks.conformance.solvers.spec import load_solver

run = runpy.run_path(str(ROOT / "benchmarks" / "museum" / "run.py"))


@pytest.mark.parametrize("name", run["EXHIBITS"])
def test_a_bug_is_found_in_the_wrong_lines_and_nothing_in_the_repaired_ones(name):
    row = run["judged"](name, None)
    assert row["first wrong number"] and row["seconds"] <= run["LIMIT"] and row["alarms after"] == 0
    told = [line for line in text_of("docs/museum.md").splitlines() if line.startswith(f"| {row['library']} |")]
    assert any(
        f"{run['link'](row['report'])} | {row['wrong']} | {row['first wrong number']} |" in line for line in told
    )


def test_the_command_of_the_page_finds_its_solvers():
    for spec in (
        line.split()[2] for line in text_of("docs/museum.md").splitlines() if line.startswith("dualgap check")
    ):
        path, _, name = spec.partition(":")
        assert load_solver(f"{ROOT / path}:{name}").__name__ == name  # type: ignore[attr-defined]


def test_the_page_shows_every_exhibit_once():
    table = text_of("docs/museum.md").partition(run["MARKS"][0])[2].partition(run["MARKS"][1])[0]
    shown = [line for line in table.splitlines() if line.startswith("| ")][1:]
    reports = [run["link"](one.report) for one in (*run["EXHIBITS"].values(), *run["PINNED"].values())]
    assert len(shown) == len(reports) >= 20 and [line.split(" | ")[1] for line in shown] == reports
