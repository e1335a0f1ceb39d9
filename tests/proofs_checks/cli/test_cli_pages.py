"""The commands write pages, say where they are, and do without them where Jinja2 is missing."""

import json
import sys

import pytest
from support import command, refusal

from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.report import templating

pytestmark = pytest.mark.usefixtures("empty_folder")  # so that what a command writes can be counted

SOLVE = tuple(
    "solve spdc-synthetic:n=20,d=5 --loss squared --lam 0.1 --tol 1e-6 --method sdca --backend reference".split()
)
AUDIT = ("audit", "aspdc.a6", "adaspdc.theorem-1.every-reading", "--quick", "--entropy", "5", "--jobs", "1")
with_pages = pytest.mark.needs(*templating.MAKERS)


@pytest.fixture
def without_pages(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)


def test_dualgap_alone_says_three_things_to_do(capsys):
    status, out, err = command(capsys)
    assert (status, out) == (2, "") and err.count("\n  dualgap ") == 3
    for words in [line.split()[1] for line in err.splitlines() if line.startswith("  dualgap ")]:
        assert words in cli.parser().format_help()


@with_pages
def test_solve_writes_its_page_and_says_where(capsys, empty_folder):
    status, out, err = command(capsys, *SOLVE, "--report", "page.html", "--json")
    facts = json.loads(out)
    assert status == 0 and "page.html" in err
    text = (empty_folder / "page.html").read_text(encoding="utf-8")
    assert (
        f"{facts['gap_bound']!r}" in text
        and "sdca reached a certified gap" in text
        and "dualgap solve spdc-synthetic:n=20,d=5" in text
    )


def test_a_page_that_cannot_be_made_is_refused_before_anything_runs(capsys, empty_folder, without_pages):
    assert "dualgap[cli]" in refusal(capsys, *SOLVE, "--report", "page.html") and not list(empty_folder.iterdir())


def test_audit_without_jinja2_passes_and_says_that_there_is_no_page(capsys, empty_folder, without_pages):
    status, out, err = command(capsys, *AUDIT)
    assert status == 0 and "no page: it is made by Jinja2" in err and "report.html" not in out
    assert (empty_folder / "dualgap-report" / "report.json").exists() and not (
        empty_folder / "dualgap-report" / "report.html"
    ).exists()
