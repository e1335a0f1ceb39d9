"""Untrusted reports and formulas: a page shows them and runs nothing of them, and a damaged file gives one line."""

import base64
import copy
import hashlib
import json
import re
from dataclasses import replace

import pytest
from support import refuses

from dualgap.proofs_checks.claims.result import AuditReport, ClaimJson, ClaimResult
from dualgap.proofs_checks.report import drawing, report, report_json, templating

pytestmark = pytest.mark.needs(*templating.MAKERS)
SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "formula",
    [
        rf"\text{{{SCRIPT}}}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{x}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\class{a}{x}",
        "",
        "{" * 50 + "}" * 50,
        r"\left(" * 50,
        "{",
        r"\frac",
        "x^",
        "a" * 5000,
        r"\begin{matrix}",
        r"\text{<math xmlns='x'><a/></math>}",
        "[" * 5000,
    ],
)
def test_a_formula_that_is_none_is_shown_as_it_was_written(formula):
    from markupsafe import escape

    assert str(templating.typeset(f"a ${formula}$ b")) == f"a {escape(f'${formula}$')} b"


@pytest.mark.parametrize("text", ["a lone $", "$", "$$$", f"$x$ {SCRIPT} $", f"${SCRIPT}"])
def test_dollars_that_enclose_nothing_are_dollars(text):
    shown = str(templating.typeset(text))
    assert "<script" not in shown and shown.count("$") == text.replace("$x$", "").count("$")


@pytest.mark.parametrize(
    ("formula", "element"),
    [
        (r"\text{if } x", "mtext"),
        (r"\frac{a}{b}", "mfrac"),
        (r"\sqrt[3]{y}", "mroot"),
        (r"\binom{a}{b}", "mfrac"),
        (r"\begin{matrix}a&b\end{matrix}", "mtable"),
        (r"\text{a &lt; b}", "mtext"),
        (r"\overline{x}", "mover"),
        ("{" * 15 + "x" + "}" * 15, "mi"),
    ],
)
def test_what_is_harmless_is_typeset(formula, element):
    shown = str(templating.typeset(f"${formula}$"))
    assert shown.startswith("<math>") and f"<{element}" in shown and "<script" not in shown, "the control"


def hostile(value, key=""):
    """Every text of a report that may be any, with a script and a formula that has one."""
    if isinstance(value, dict):
        return {k: hostile(item, k) for k, item in value.items()}
    if isinstance(value, list):
        return [hostile(item, key) for item in value]
    kept = ("id", "paper", "kind", "status", "expected", "control", "counterexample", "verdict", "size")
    return f"{value}\"{SCRIPT}' $\\text{{{SCRIPT}}}$ \ud800" if isinstance(value, str) and key not in kept else value


def policy(page):
    (found,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    return found.replace("&#39;", "'")


def test_no_text_of_a_report_becomes_a_part_of_the_page(audited):
    plain, page = (report.render(AuditReport.from_json(found)) for found in (audited, hostile(copy.deepcopy(audited))))
    assert page.count("<script") == plain.count("<script") == 1 and "&lt;script" in page
    page.encode()


def test_a_page_allows_its_own_script_alone(audited, written_pages):
    page = report.render(AuditReport.from_json(audited))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in policy(page)
    for name, file in written_pages.items():
        assert ("script-src 'none'" in policy(file.read_text(encoding="utf-8"))) == (name != "report")


def test_a_report_comes_back_as_it_was_written(audited, tmp_path):
    found = AuditReport.from_json(audited)
    found = replace(found, claims=tuple(row for row in found.claims if row.counterexample is None))
    (tmp_path / "report.json").write_text(json.dumps(found.to_json()))
    assert report_json.read(tmp_path) == found
    assert report_json.read(tmp_path).to_json() == json.loads((tmp_path / "report.json").read_text())


def test_the_record_of_a_claim_has_the_names_of_its_entry_and_a_file_must_have_them(audited):
    for entry in audited["claims"]:
        assert list(entry) == list(ClaimJson.__annotations__) and ClaimResult.from_json(entry).to_json() == entry
    assert report_json.ROW.keys() == ClaimJson.__annotations__.keys() - {"not_run"}, "not_run is empty in every file"


@pytest.mark.parametrize(
    "changed",
    [
        {"as_expected": False},
        {"status": "OPEN"},
        {"control": "missed"},
        {"killed": ["aspdc.half-step"]},
        {"unmet": ["gamma > 0"]},
    ],
)
def test_an_entry_that_contradicts_itself_is_refused(audited, tmp_path, changed):
    entry = next(row for row in audited["claims"] if not row["killed"]) | changed
    (tmp_path / "report.json").write_text(json.dumps({**audited, "claims": [entry]}))
    refuses(ValueError, rf"report\.json is not .*claim {entry['id']} has as_expected", report_json.read, tmp_path)


def places(value, place=()):
    """The places of a JSON value; of a list the first alone."""
    yield place
    for key, item in (
        value.items() if isinstance(value, dict) else list(enumerate(value))[:1] if isinstance(value, list) else ()
    ):
        yield from places(item, (*place, key))


def painted_alone(name, paint, *size, **options):
    from matplotlib.figure import Figure

    paint(Figure().subplots())
    return "<svg></svg>"


WRONG = (None, -1.5, "", [], {}, True, [{}], 10**80, float("nan"))


def test_a_report_that_is_damaged_anywhere_is_refused_in_one_line_or_shown(audited, tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "draw", painted_alone)  # of a figure only the writing of its text is left out
    rows = [
        next(row for row in audited["claims"] if row["series"]),
        next(row for row in audited["claims"] if not row["counterexample"]),
    ]
    whole = json.loads(json.dumps({**audited, "claims": rows, "papers": dict(list(audited["papers"].items())[:1])}))
    counts = {"refused": 0, "shown": 0}
    for number, place in enumerate(places(whole)):
        for wrong in WRONG[number % 3 :: 3]:
            damaged = copy.deepcopy(whole)
            part = damaged
            for key in place[:-1]:
                part = part[key]
            if place:
                part[place[-1]] = wrong
            (tmp_path / "report.json").write_text(json.dumps(damaged if place else wrong))
            try:
                report.write(report_json.read(tmp_path), tmp_path)
                counts["shown"] += 1
            except ValueError as refusal:
                assert "\n" not in str(refusal) and str(tmp_path) in str(refusal), (place, wrong)
                counts["refused"] += 1
    assert counts["refused"] > 100 and counts["shown"] > 20, counts
