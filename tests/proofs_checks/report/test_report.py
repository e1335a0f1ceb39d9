"""The report: the page says what the report dictionary says, escaped, complete and on its own."""

import copy
import json
import re
import sys
from html import escape
from html.parser import HTMLParser

import pytest

from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.claims.registry import REFUTED, all_claims
from dualgap.proofs_checks.report import figures, report, summary
from dualgap.proofs_checks.report.html import details, symbols, table

NAMES = ("aspdc.algorithm-1", "aspdc.a17", "aspdc.a17.sharp", "aspdc.one-step.sharp")
HOSTILE = "<script>alert('x')</script> & \"quoted\""


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """A real quick audit of a few claims, one of them false as published."""
    refuted = next(claim.id for claim in all_claims().values() if claim.expected == REFUTED and claim.paper == "aspdc")
    return audit([*NAMES, refuted], size="quick", entropy=5, out=tmp_path_factory.mktemp("report"))


@pytest.fixture
def findings(audited):
    """The same, to be changed by one test."""
    return copy.deepcopy(audited)


@pytest.fixture(scope="module")
def page(audited):
    """Its page."""
    return report.render(audited)


class Balance(HTMLParser):
    """Counts open tags and collects what a reader sees."""

    VOID = ("meta", "br", "path", "use", "rect", "circle")

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.seen = [], [], []
        self.feed(text)
        self.faults += [f"<{tag}> is never closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.seen.append(data)


def fetches(text):
    """Whatever would make a browser run something or look elsewhere (links inside the page are none of that)."""
    return re.findall(r"<script|<link|<iframe|\bsrc=|@import|\bon\w+=|javascript:|(?:href|url)[=(]\"?(?!\"?#)[^\s>]{4}", text)


def test_page_needs_no_network_and_no_script(page):
    assert fetches(page) == []


@pytest.mark.parametrize("part", ['<img src="x">', '<a href="http://x.y">', "a { background: url(x.png) }", "<p onclick=f()>"])
def test_search_for_fetches_finds_each_kind(page, part):
    assert fetches(page + part)


def test_page_is_well_formed(page):
    assert Balance(page).faults == []


def test_balance_notices_a_lost_tag(page):
    assert Balance(page.replace("</td>", "", 1)).faults


def test_every_claim_appears_with_status_hypotheses_and_control(page, audited):
    for row in audited["claims"]:
        wanted = (row["id"], summary.outcome(row), row["hypotheses"], row["control_text"], *row["killed"])
        missing = [text for text in wanted if escape(text) not in page and symbols(text) not in page]
        assert not missing, f"{row['id']}: the page lacks {missing}"


def test_counterexample_is_embedded_in_full_and_linked(page, audited):
    refuted = [row for row in audited["claims"] if row["counterexample"]]
    assert refuted, "the audit must contain a refuted claim for this test to say something"
    for row in refuted:
        with open(row["counterexample"], encoding="utf-8") as file:
            assert escape(file.read()) in page
        anchor = f"counterexample-{row['id']}"
        assert f'href="#{anchor}"' in page and f'id="{anchor}"' in page


def test_every_text_is_escaped(findings):
    row = findings["claims"][0]
    for key in ("statement", "hypotheses", "place", "quote", "note", "proof", "control_text", "error"):
        row[key] = HOSTILE
    row["evidence"], row["killed"], findings["environment"] = [HOSTILE], [HOSTILE], {"cpu": HOSTILE, "versions": {HOSTILE: HOSTILE}}
    row["id"] = HOSTILE
    text = report.render(findings)
    assert "<script" not in text and Balance(text).faults == []
    assert escape(HOSTILE) in text


def test_failure_stands_out_with_its_reason(findings):
    findings["verdict"] = "fail"
    findings["claims"][1].update(control="missed", as_expected=False)
    text = report.render(findings)
    assert "First difference: aspdc.a17" in text and "control missed" in text and 'class="verdict fail"' in text


def test_passing_page_has_no_alarm(findings):
    findings["verdict"] = "pass"
    for found in findings["claims"]:
        found["as_expected"] = True
    assert 'class="alarm"' not in report.render(findings)


def test_a_kill_that_did_not_happen_is_an_empty_circle(findings, page):
    assert "○" not in page
    row = next(row for row in findings["claims"] if "aspdc.stale-w" in row["killed"])
    row["killed"].remove("aspdc.stale-w")
    assert "○" in report.render(findings)


@pytest.mark.needs("matplotlib")
def test_figures_are_drawn_and_each_id_is_used_once(page):
    assert page.count("<svg") >= 3
    ids = re.findall(r'(?<= id=")[^"]+', page)
    assert len(ids) == len(set(ids)), "two figures share an id: one would be clipped by the other"


def test_same_report_gives_the_same_page(audited, page):
    assert report.render(json.loads(json.dumps(audited))) == page


def test_without_matplotlib_the_page_says_so_in_one_sentence(audited, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = report.render(audited)
    assert "<svg" not in text and "There are no figures: matplotlib is not installed" in text


def axes():
    """Empty axes."""
    figure = pytest.importorskip("matplotlib.figure", reason="matplotlib, which draws, is not installed")
    return figure.Figure().subplots()


def test_histogram_keeps_equality_apart():
    drawn = axes()
    figures.tightness(drawn, [1.0, 1.0, 0.5, 0.999999, -3.0, 1.5, 0.0, 0.02])
    heights = {round(bar.get_x() + bar.get_width() / 2, 3): bar.get_height() for bar in drawn.patches if bar.get_height()}
    # eight values, 12.5 % each: below 0, [0, 0.05) twice, [0.5, 0.55), [0.95, 1), equality twice, above 1
    assert heights == {-0.14: 12.5, 0.025: 25.0, 0.525: 12.5, 0.975: 12.5, 1.12: 25.0, 1.27: 12.5}
    assert [line.get_xdata()[0] for line in drawn.lines] == [1], "the theoretical limit is drawn at 1"


def shaded(drawn):
    """Right end of the shaded zone, or None."""
    # A Rectangle in matplotlib 3.9 and later, a Polygon before: a path in either case.
    return max((patch.get_path().transformed(patch.get_patch_transform()).get_extents().x1 for patch in drawn.patches), default=None)


def test_vacuous_zone_ends_where_the_bound_falls_below_the_start():
    drawn = axes()
    figures.trajectory(drawn, {"t": [0, 1, 2, 3], "expected": [1.0, 0.9, 0.5, 0.2], "bound": [4.0, 2.0, 1.0, 0.5], "sharp": [1.0, 0.9, 0.6, 0.3]})
    assert shaded(drawn) == 2 and drawn.get_yscale() == "log"
    assert [line.get_label() for line in drawn.lines] == ["exact expectation", "stated bound", "sharp bound"]


def test_vacuous_zone_of_the_series_itself_is_taken_and_a_useful_bound_has_none():
    drawn = axes()
    figures.trajectory(drawn, {"t": [0, 1], "expected": [1.0, 0.5], "bound": [0.9, 0.8], "vacuous_until": 1})
    assert shaded(drawn) == 1
    drawn = axes()
    figures.trajectory(drawn, {"t": [0, 1], "expected": [1.0, 0.5], "bound": [0.9, 0.8]})
    assert shaded(drawn) is None


@pytest.mark.needs("matplotlib")
def test_each_kind_of_series_has_its_figures():
    series = {
        "trajectory": {"title": "title", "t": [0, 1], "expected": [1.0, 0.5], "bound": [2.0, 1.0], "sharp": [1.0, 0.5]},
        "e-process": {"log10": [0.0, -1.0, 2.0], "threshold": 6.0},
        "real-data": {"passes": [0, 1], "gap": [1.0, 0.1], "monitor": [0.8, 0.9], "floor": 0.75, "bound": [3.0, 0.9]},
    }
    captions = [caption for caption, svg in figures.of_row({"id": "p.c", "series": series}) if svg.startswith("<svg")]
    assert captions == [
        "p.c: expected gap along all paths, title", "p.c: e-process", "p.c: certified gap along the run",
        "p.c: expected progress along the run",
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("lam >= 4R^2/(n gamma)", "λ ≥ 4R<sup>2</sup>/(n γ)"),
        ("phi_i'(x_i^T w)", "φ<sub>i</sub>′(x<sub>i</sub><sup>T</sup> w)"),
        ("the method's no-gamma, alphabet", "the method&#x27;s no-gamma, alphabet"),
        ("x_{k+1} = (1 - q)^(-S)", "x<sub>k+1</sub> = (1 − q)<sup>(-S)</sup>"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("w_bar, no.w_bar, snake_case_name", "w\u0304, no.w_bar, snake_case_name"),
    ],
)
def test_symbols_replace_ascii_spelling_and_nothing_else(written, read):
    assert symbols(written) == read


def test_parts_escape_their_text():
    assert "<th><span>&lt;b&gt;</span></th>" in table(["<b>"], [])
    assert 'id="&quot;x"' in details("s", "c", '"x')


# -- the words that page and terminal share ---------------------------------------------------------------------


def row(**changes):
    """A claim's row that is as expected."""
    return {
        "id": "p.c", "paper": "p", "statement": "1: s", "hypotheses": "h", "kind": "printed", "place": "1", "quote": "a b c", "note": "", "assumes": [], "unmet": [],
        "proof": "", "status": "HOLDS", "expected": "HOLDS",
        "evidence": ["EXACT(3)"], "instances": 3, "violations": 0, "vacuous": 0, "undecided": 0, "control": "caught", "control_text": "c",
        "killed": [], "declared_kills": [], "counterexample": None, "as_expected": True, "tightness": [], "series": {}, "error": "", "seconds": 0.1,
    } | changes


def test_repaired_form_stands_below_the_statement_that_it_repairs():
    rows = [
        row(id="p.b.repaired", kind="ours"), row(id="p.a", expected="REFUTED", status="REFUTED"), row(id="p.b", expected="REFUTED", status="REFUTED"),
        row(), row(id="p.c.sharp", kind="ours"), row(id="p.r", kind="reading"), row(id="p.code.parity", kind="implementation"),
    ]
    assert {kind: [r["id"] for r in found] for kind, found in summary.grouped(rows).items()} == {
        "printed": ["p.b", "p.b.repaired", "p.a", "p.c"], "reading": ["p.r"], "ours": ["p.c.sharp"], "implementation": ["p.code.parity"],
    }


def test_only_what_is_printed_is_called_refuted():
    for kind, said in (("printed", "1 refuted by exact counterexample (p.f)"), ("reading", "1 false"), ("inference", "1 false"), ("code", "1 false")):
        found = row(id="p.f", kind=kind, status="REFUTED", expected="REFUTED")
        theorem = summary.sentences(whole(found))[0][1]
        assert said in theorem and ("refuted" in theorem) == (kind == "printed") == (summary.outcome(found) != "false, as expected")


def whole(*rows, **changes):
    """A report of these rows."""
    return {"claims": list(rows), "interrupted": False, "mutants_without_killer": [], "mutants": ["p.m"], "size": "full"} | changes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": "REFUTED", "violations": 2}, "status REFUTED, expected HOLDS; evidence EXACT(3); 2 of 3 instances violate it"),
        ({"control": "missed"}, "control missed: c"),
        ({"declared_kills": ["p.m", "p.k"], "killed": ["p.k"]}, "mutants that it should kill but did not: p.m"),
        ({"status": "ERROR", "error": "Traceback\n  line\nKeyError: 3\n"}, "KeyError: 3"),
    ],
)
def test_first_difference_names_claim_and_reason(changes, said):
    lines = summary.differences(whole(row(), row(id="p.bad", as_expected=False, **changes), row(id="p.worse", as_expected=False)))
    assert lines[0] == "First difference: p.bad" and lines[-1] == "Also not as expected: p.worse"
    assert any(said in line for line in lines), lines


def test_no_difference_when_all_is_as_expected():
    assert summary.differences(whole(row())) == []


def test_unnoticed_mutant_and_interruption_are_said():
    lines = summary.differences(whole(row(), interrupted=True, mutants_without_killer=["p.stale-w"]))
    assert "Interrupted" in lines[0] and "p.stale-w" in lines[1]


def test_not_shown_lists_skipped_undecided_and_open():
    levels = ["SKIPPED(flint is not installed)", "ENCLOSED(3)"]
    told = dict(summary.not_shown(whole(row(evidence=levels, undecided=2), row(id="p.o", status="OPEN", expected="OPEN"))))
    assert told["Skipped: flint is not installed"] == "p.c" and told["Undecided"] == "p.c (2 of 3)" and told["Open"] == "p.o"
    assert "ENCLOSED" in told and "PEP" not in told, "the limits of the levels that were used, and of no others"


def test_a_level_without_words_is_not_passed_over():
    assert dict(summary.not_shown(whole(row(evidence=["ORACLE(3)"]))))["ORACLE"] == "Its limits are not written down."


def test_three_sentences_count_and_name():
    rows = [row(), row(id="p.f", status="REFUTED"), row(id="p.algorithm-1", control="missed"), row(id="p.code.parity", kind="implementation", killed=["p.m"])]
    papers, code, match = (text for _, text in summary.sentences(whole(*rows)))
    assert papers == "3 statements, examined as printed: 2 hold wherever examined; 1 refuted by exact counterexample (p.f)."
    assert "HOLDS (p.algorithm-1, 3 instances)" in code and "1 of 1" in code and "HOLDS (p.code.parity, 3 instances)" in code
    assert "3 of 4 controls" in match and "not examined in this audit" in match
