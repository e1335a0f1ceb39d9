"""Untrusted texts and formulas: a page shows them and runs nothing of them."""

import copy
import re

import pytest

from dualgap.proofs_checks.claims.result import AuditReport
from dualgap.proofs_checks.report import report, templating

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
        "{",
        r"\frac",
        "x^",
        r"\begin{matrix}",
        r"\text{<math xmlns='x'><a/></math>}",
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
    assert page.count("<script") == plain.count("<script") == 0 and "&lt;script" in page
    page.encode()


def test_a_page_allows_no_script_and_no_address(written_pages):
    for file in written_pages.values():
        found = policy(file.read_text(encoding="utf-8"))
        assert found.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'none';")
