"""The report: the page says what the report dictionary says, escaped, complete and on its own."""

import copy
import json
import re
from collections import Counter
from html import escape, unescape
from html.parser import HTMLParser

import pytest

from dualgap.proofs_checks.claims.registry import REFUTED
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.report import claim_view, findings, report, story, summary

HOSTILE = "<script>alert('x')</script> & \"quoted\""
pytestmark = [pytest.mark.needs("jinja2"), pytest.mark.needs("latex2mathml")]


@pytest.fixture
def found(audited):
    """The same, to be changed by one test."""
    return copy.deepcopy(audited)


def of(found):
    """The record of a report's JSON, in which a test may have changed what makes a claim as expected."""
    return AuditReport.from_json({**found, "claims": list(map(agreeing, found["claims"]))})


def agreeing(row):
    """The entry with the "as_expected" that its other values lead to."""
    try:
        ClaimResult.from_json(row)
    except ValueError:
        return {**row, "as_expected": not row["as_expected"]}
    return row


@pytest.fixture(scope="module")
def page(audited):
    """Its page."""
    return report.render(of(audited))


class Balance(HTMLParser):
    """Counts open tags and collects what a reader sees."""

    VOID = ("meta", "br", "path", "use", "rect", "circle", "input", "mspace")

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
    """Whatever would make a browser look elsewhere (links inside the page are none of that), or run a script that is
    not the page's own.
    """
    own = text.replace("<script>\n// The page works without this", "", 1)
    return re.findall(
        r"<script|<link|<iframe|\bsrc=|@import|\bon\w+=|javascript:|(?:href|url)[=(]\"?(?!\"?#)[^\s>]{4}", own
    )


def test_page_needs_no_network(page):
    assert fetches(page) == []


@pytest.mark.parametrize(
    "part",
    ['<img src="x">', '<a href="http://x.y">', "a { background: url(x.png) }", "<p onclick=f()>", "<script>x</script>"],
)
def test_search_for_fetches_finds_each_kind(page, part):
    assert fetches(page + part)


def test_page_is_well_formed(page):
    assert Balance(page).faults == []


def test_balance_notices_a_lost_tag(page):
    assert Balance(page.replace("</dd>", "", 1)).faults


def seen(text):
    return " ".join(" ".join(Balance(text).seen).split())


def test_every_claim_appears_with_its_words(page, audited):
    told = seen(page)
    for row in audited["claims"]:
        wanted = (
            row["id"],
            row["statement"],
            row["control_text"],
            row["proof"],
            *row["killed"],
            *row["evidence"],
            f"dualgap audit {row['id']} --quick --entropy 5",
            row["file"],
        )
        missing = [text for text in wanted if " ".join(text.split()) not in told]
        assert not missing, f"{row['id']}: the page lacks {missing}"


def test_hypotheses_appear_typeset_or_as_they_are(page, audited):
    for row in audited["claims"]:
        assert row["hypotheses_tex"] or " ".join(row["hypotheses"].split()) in seen(page)


def test_each_link_leads_to_a_claim_of_the_page(page):
    ids = re.findall(r'(?<= id=")[^"]+', page)
    assert len(ids) == len(set(ids))
    links = re.findall(r'href="#([^"]+)"', page)
    assert len(links) > 5 and set(map(unescape, links)) <= set(map(unescape, ids))


def test_counterexample_shows_its_instance_and_marks_the_first_false_line(page, audited):
    (row,) = [row for row in audited["claims"] if row["counterexample"]]
    record = json.loads(open(row["counterexample"], encoding="utf-8").read())
    false = next(item for item in record["chain"] if not item["holds"])
    (marked,) = re.findall(r'<tr class="first">(.*?)</tr>', page, re.S)
    assert escape(false["label"]) in marked and false["left"]["exact"] in marked and "is false" in marked
    assert f"<dd>{claim_view.plain(record['instance']['rows'])}</dd>" in page


def test_squares_stand_in_the_order_of_the_paper_and_lead_to_the_claim(audited):
    paper = next(paper for paper in report.papers(of(audited)) if paper.key == "aspdc")
    told = {square.label: square for square in paper.squares}
    assert (
        told["Lemma 2"].mark == "holds" and told["Lemma 2"].claim == "aspdc.lemma-2" and told["(A12)"].mark == "skipped"
    )
    labels = [square.label for square in paper.squares]
    assert labels.index("Lemma 2") < labels.index("(A12)") < labels.index("(A17)")


def test_worst_claim_of_an_item_says_what_its_square_is(found):
    next(row for row in found["claims"] if row["id"] == "aspdc.lemma-2")["control"] = "missed"
    paper = next(paper for paper in report.papers(of(found)) if paper.key == "aspdc")
    assert next(square for square in paper.squares if square.label == "Lemma 2").mark == "wrong"


def test_a_false_reading_accuses_nobody():
    marks = {
        kind: claim_view.mark(result(kind=kind, status="REFUTED", expected="REFUTED"))
        for kind in ("printed", "reading")
    }
    assert marks == {"printed": "refuted", "reading": "reading refuted"}


def test_every_text_is_escaped(found):
    row = found["claims"][0]
    for key in ("statement", "hypotheses", "place", "quote", "note", "proof", "control_text", "error", "statement_tex"):
        row[key] = HOSTILE
    row["hypotheses_tex"], row["evidence"], row["killed"] = "", [HOSTILE], [HOSTILE]
    found["environment"] = {"cpu": HOSTILE, "versions": {HOSTILE: HOSTILE}}
    row["id"] = HOSTILE
    text = report.render(of(found))
    assert text.count("<script") == 1 and Balance(text).faults == []
    assert "&lt;script&gt;alert(" in text


def test_failure_comes_first_in_a_sentence_with_its_traceback_folded(found):
    found["verdict"] = "fail"
    found["claims"][1].update(status="ERROR", error="Traceback (most recent call last):\n  here\nKeyError: 3\n")
    text = report.render(of(found))
    told = seen(text)
    assert "It could not be examined: KeyError: 3" in told and told.index("KeyError: 3") < told.index(
        "What the papers say"
    )
    assert '<details><summary>Traceback</summary><pre tabindex="0">Traceback (most recent call last):' in text


def test_passing_page_has_no_alarm_and_its_headline_counts(page, audited):
    assert audited["verdict"] == "pass" and 'class="alarm"' not in page
    printed = [row for row in audited["claims"] if row["kind"] == "printed"]
    said = report.headline(of(audited))
    assert (
        said.startswith(f"Of {len(printed)} printed statements, ") and "1 is false, by an exact counterexample" in said
    )


def test_headline_of_a_failed_audit_counts_what_differs(found):
    found["verdict"], found["claims"][0]["control"] = "fail", "missed"
    assert f"1 of {len(found['claims'])} checks did not come out as expected" in report.headline(of(found))


def test_a_kill_that_did_not_happen_is_said(found, page):
    assert "but not" not in page
    row = next(row for row in found["claims"] if "aspdc.stale-w" in row["killed"])
    row["killed"].remove("aspdc.stale-w")
    assert "but not aspdc.stale-w" in report.render(of(found))


def test_figures_say_what_is_seen(page):
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert "The expected gap" in " ".join(titles) and all(
        not title[0].islower() and len(title) > 20 for title in titles
    )
    assert page.count("stated bound") >= 2 and page.count("sharp bound") >= 2


def test_same_report_gives_the_same_page(audited, page):
    assert report.render(of(json.loads(json.dumps(audited)))) == page


def test_a_report_read_back_from_a_moved_folder_gives_the_same_page(audited, page, tmp_path):
    import pathlib
    import shutil

    (row,) = [row for row in audited["claims"] if row["counterexample"]]
    moved = shutil.copytree(pathlib.Path(row["counterexample"]).parent, tmp_path / "moved")
    assert report.render(report.read(moved)) == page
    next(moved.glob("counterexample-*")).unlink()
    with pytest.raises(ValueError, match="is gone"):
        report.read(moved)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read"),
        ("{}", "is not the report.json"),
        ('{"claims": [], "schema": 1}', "of this version"),
        ("[", "is not"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, text, said):
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    with pytest.raises(ValueError, match=said):
        report.read(tmp_path)


def test_comparison_names_what_changed_came_and_went(found, audited):
    before = copy.deepcopy(found)
    before["claims"][0].update(status="OPEN", expected="OPEN")
    gone = before["claims"].pop(1)
    before["claims"].append(gone | {"id": "aspdc.formerly"})
    told = report.changes(of(audited), of(before))
    name = audited["claims"][0]["id"]
    assert (
        [entry[0] for entry in told.changed] == [name]
        and told.added == [gone["id"]]
        and told.gone == ["aspdc.formerly"]
    )
    assert "Since the last report" in report.render(of(audited), of(before)) and "aspdc.formerly" in report.render(
        of(audited), of(before)
    )


def test_nothing_changed_is_said(audited):
    assert "No verdict has changed" in report.render(of(audited), of(audited))


# -- findings ----------------------------------------------------------------------------------------------------------


def test_findings_are_taken_from_the_report(audited):
    holds, false, mistakes = findings.findings(of(audited))
    assert holds.claim == "aspdc.lemma-2" and "Lemma 2 of ASPDC holds" in holds.heading
    lemma = next(row for row in audited["claims"] if row["id"] == "aspdc.lemma-2")
    series = lemma["series"]["trajectory"]
    assert (
        f"{series['bound'][-1] / series['expected'][-1]:,.0f} times" in holds.sentences[1]
        and f"{lemma['instances']} instances" in holds.sentences[0]
    )
    assert (
        false.claim == "adaspdc.theorem-1.every-reading"
        and "is false as printed" in false.heading
        and "AdaSPDC" in false.heading
    )
    killed = {mutant for row in audited["claims"] for mutant in row["killed"]}
    assert mistakes.heading.startswith(f"{len(killed)} of {len(audited['mutants'])} mistakes")


def test_nothing_is_found_where_nothing_is_to_be_told():
    assert findings.findings(whole(row(), mutants=[])) == []


# -- the story of one claim --------------------------------------------------------------------------------------------


def test_story_fits_79_columns_and_tells_everything(audited):
    for row in audited["claims"]:
        lines = story.story(claim_view.view(ClaimResult.from_json(row), of(audited)))
        assert all(len(line) <= 79 or " " not in line.strip() for line in lines), row["id"]
        told = " ".join(" ".join(lines).split())
        for text in (
            row["statement"],
            row["hypotheses"],
            row["control_text"],
            *row["evidence"],
            f"dualgap audit {row['id']}",
        ):
            assert " ".join(text.split()) in told
        assert ("FALSE" in told) == (row["status"] == REFUTED)


# -- the words that page and terminal share ---------------------------------------------------------------------


def row(**changes):
    """The entry of a claim that is as expected."""
    return {
        "id": "p.c",
        "paper": "p",
        "statement": "1: s",
        "hypotheses": "h",
        "statement_tex": "",
        "hypotheses_tex": "",
        "file": "",
        "kind": "printed",
        "place": "1",
        "quote": "a b c",
        "note": "",
        "assumes": [],
        "unmet": [],
        "proof": "",
        "status": "HOLDS",
        "expected": "HOLDS",
        "evidence": ["EXACT(3)"],
        "instances": 3,
        "violations": 0,
        "vacuous": 0,
        "undecided": 0,
        "control": "caught",
        "control_text": "c",
        "killed": [],
        "declared_kills": [],
        "counterexample": None,
        "as_expected": True,
        "tightness": [],
        "series": {},
        "error": "",
        "not_run": "",
        "seconds": 0.1,
    } | changes


def result(**changes):
    """Its record."""
    return ClaimResult.from_json(agreeing(row(**changes)))


def test_repaired_form_stands_below_the_statement_that_it_repairs():
    rows = [
        result(id="p.b.repaired", kind="ours"),
        result(id="p.a", expected="REFUTED", status="REFUTED"),
        result(id="p.b", expected="REFUTED", status="REFUTED"),
        result(),
        result(id="p.c.sharp", kind="ours"),
        result(id="p.r", kind="reading"),
        result(id="p.code.parity", kind="implementation"),
    ]
    assert {kind: [r.id for r in found] for kind, found in summary.grouped(rows).items()} == {
        "printed": ["p.b", "p.b.repaired", "p.a", "p.c"],
        "reading": ["p.r"],
        "ours": ["p.c.sharp"],
        "implementation": ["p.code.parity"],
    }


def test_only_what_is_printed_is_called_refuted():
    for kind, said in (
        ("printed", "1 refuted by exact counterexample (p.f)"),
        ("reading", "1 false"),
        ("inference", "1 false"),
        ("code", "1 false"),
    ):
        found = row(id="p.f", kind=kind, status="REFUTED", expected="REFUTED")
        theorem = summary.sentences(whole(found))[0][1]
        assert said in theorem and ("refuted" in theorem) == (kind == "printed") == (
            summary.outcome(ClaimResult.from_json(found)) != "false, as expected"
        )


def whole(*rows, **changes):
    """A report of these rows."""
    told = {
        "schema": 2,
        "verdict": "pass",
        "claims": list(rows),
        "size": "full",
        "entropy": 1,
        "delta_total": 1e-6,
        "mutants": ["p.m"],
        "papers": {},
        "interrupted": False,
        "mutants_without_killer": [],
        "not_run": [],
        "draw": {"how": "", "differences": []},
        "seconds": 1.0,
        "environment": {},
    }
    return of(told | changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"status": "REFUTED", "violations": 2},
            "status REFUTED, expected HOLDS; evidence EXACT(3); 2 of 3 instances violate it",
        ),
        ({"control": "missed"}, "control missed: c"),
        ({"declared_kills": ["p.m", "p.k"], "killed": ["p.k"]}, "mutants that it should kill but did not: p.m"),
        ({"status": "ERROR", "error": "Traceback\n  line\nKeyError: 3\n"}, "It could not be examined: KeyError: 3"),
    ],
)
def test_first_difference_names_claim_and_reason(changes, said):
    lines = summary.differences(whole(row(), row(id="p.bad", **changes), row(id="p.worse", control="missed")))
    assert lines[0] == "First difference: p.bad" and lines[-1] == "Also not as expected: p.worse"
    assert any(said in line for line in lines), lines


def test_no_difference_when_all_is_as_expected():
    assert summary.differences(whole(row())) == []


def test_unnoticed_mutant_and_interruption_are_said():
    lines = summary.differences(whole(row(), interrupted=True, mutants_without_killer=["p.stale-w"]))
    assert "Interrupted" in lines[0] and "p.stale-w" in lines[1]


def test_not_shown_lists_skipped_undecided_and_open():
    levels = ["SKIPPED(flint is not installed)", "ENCLOSED(3)"]
    told = dict(
        summary.not_shown(whole(row(evidence=levels, undecided=2), row(id="p.o", status="OPEN", expected="OPEN")))
    )
    assert (
        told["Skipped: flint is not installed"] == "p.c"
        and told["Undecided"] == "p.c (2 of 3)"
        and told["Open"] == "p.o"
    )
    assert "ENCLOSED" in told and "PEP" not in told, "the limits of the levels that were used, and of no others"


def test_a_level_without_words_is_not_passed_over():
    assert dict(summary.not_shown(whole(row(evidence=["ORACLE(3)"]))))["ORACLE"] == "Its limits are not written down."


def test_three_sentences_count_and_name():
    rows = [
        row(),
        row(id="p.f", status="REFUTED"),
        row(id="p.algorithm-1", control="missed"),
        row(id="p.code.parity", kind="implementation", killed=["p.m"]),
    ]
    papers, code, match = (text for _, text in summary.sentences(whole(*rows)))
    assert (
        papers
        == "3 statements, examined as printed: 2 hold wherever examined; 1 refuted by exact counterexample (p.f)."
    )
    assert (
        "HOLDS (p.algorithm-1, 3 instances)" in code
        and "1 of 1" in code
        and "HOLDS (p.code.parity, 3 instances)" in code
    )
    assert "3 of 4 controls" in match and "not examined in this audit" in match


def test_the_paper_with_the_most_claims_stands_first(audited: dict) -> None:
    counts = Counter(row["paper"] for row in audited["claims"])
    shown = [paper.key for paper in report.papers(of(audited))]
    assert [counts[key] for key in shown] == sorted((counts[key] for key in shown), reverse=True)
