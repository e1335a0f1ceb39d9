"""The page shows the content of the report dictionary, escaped and complete, and needs no other file."""

import copy
import json
import pathlib
import re
import shlex
from html import unescape
from html.parser import HTMLParser

import pytest
from report_rows import of, result, row, whole

from dualgap.proofs_checks.claims.origins import PRINTED, RESTORED
from dualgap.proofs_checks.claims.registry import REFUTED, all_claims
from dualgap.proofs_checks.report import claim_view, refutation, report, templating

HOSTILE = "<script>alert('x')</script> & \"quoted\""
pytestmark = pytest.mark.needs(*templating.MAKERS)


@pytest.fixture
def found(audited):
    """The same, to be changed by one test."""
    return copy.deepcopy(audited)


@pytest.fixture(scope="module")
def page(audited):
    """Its page."""
    return report.render(of(audited))


class Balance(HTMLParser):
    """Counts open tags and collects what a reader sees."""

    VOID = ("meta", "br", "path", "use", "rect", "circle", "mspace")

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
    """Whatever would make a browser look elsewhere (links inside the page are none of that), or run a script."""
    return re.findall(
        r"<script|<link|<iframe|\bsrc=|@import|\bon\w+=|javascript:|(?:href|url)[=(]\"?(?!\"?#)[^\s>]{4}", text
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


def test_every_claim_appears_with_its_words_and_its_formulas_typeset(page, audited):
    told = seen(page)
    for entry in audited["claims"]:
        texts = [entry["statement_tex"] or entry["statement"], entry["hypotheses_tex"] or entry["hypotheses"]]
        texts += [entry["control_text"], entry["proof"], *entry["evidence"]]
        wanted = [seen(str(templating.typeset(templating.with_signs(text)))) for text in texts]
        wanted += [*entry["killed"], f"dualgap audit {entry['id']} --quick --entropy 5", entry["file"]]
        missing = [text for text in wanted if text not in told]
        assert not missing, f"{entry['id']}: the page lacks {missing}"


def test_each_link_leads_to_a_claim_of_the_page(page):
    ids = re.findall(r'(?<= id=")[^"]+', page)
    assert len(ids) == len(set(ids))
    links = re.findall(r'href="#([^"]+)"', page)
    assert len(links) > 5 and set(map(unescape, links)) <= set(map(unescape, ids))


def on_paper(page):
    """The sections that a printed page has, those before the stories and those after them, and how many stories."""
    assert re.search(r"@media print \{.*\.screen \{ display: none; \}.*\.stories \{ break-before: page; \}", page, re.S)
    before, _, after = page.partition('<div class="stories">')
    names = re.compile(r'<section aria-labelledby="([^"]+)"')
    return names.findall(before), names.findall(after), page.count('<article class="refutation"')


def test_on_paper_a_summary_comes_before_one_section_for_each_false_statement(page, audited):
    false = [row for row in of(audited).claims if row.kind == PRINTED and row.status == REFUTED]
    assert on_paper(page) == (["papers", "false", "sure", "limits"], [], len(false)) and false
    _, after, _ = on_paper(page.replace('<section class="screen" ', "<section "))
    assert {"claims", "mistakes"} <= set(after), "the control"


def test_numbers_agree(page, audited):
    printed = [row for row in audited["claims"] if row["kind"] == "printed"]
    false = [row["id"] for row in printed if row["status"] == REFUTED]
    squares = [square for paper in report.papers(of(audited)) for square in paper.squares]
    assert sorted(square.claim for square in squares) == sorted(row["id"] for row in printed)
    assert [square.claim for square in squares if square.mark == "refuted"] == false
    assert [told.row.id for told in refutation.refutations(of(audited))] == false
    said = report.headline(of(audited))
    assert f"We tested {len(printed)} printed statements" in said and f"{len(false)} is false" in said


def test_squares_stand_in_the_order_of_the_paper_and_lead_to_the_claim(audited):
    paper = next(paper for paper in report.papers(of(audited)) if paper.key == "aspdc")
    told = {square.label: square for square in paper.squares}
    assert told["Lemma 2"].mark == "holds" and told["Lemma 2"].claim == "aspdc.lemma-2"
    labels = [square.label for square in paper.squares]
    assert labels.index("Lemma 2") < labels.index("(A17)")


def test_a_claim_that_is_not_as_expected_marks_its_square(found):
    next(row for row in found["claims"] if row["id"] == "aspdc.lemma-2")["control"] = "missed"
    paper = next(paper for paper in report.papers(of(found)) if paper.key == "aspdc")
    assert next(square for square in paper.squares if square.label == "Lemma 2").mark == "wrong"


def test_the_first_screen_says_what_dualgap_does_and_how_to_recompute_the_verdict(page, audited):
    told = seen(page[page.index("<header>") : page.index("</header>")])
    assert "dualgap checks whether the statements in optimization papers are true" in told
    assert f"dualgap audit {' '.join(row['id'] for row in audited['claims'])} --quick --entropy 5" in told
    rows = [row(id=f"aspdc.{k}", paper="aspdc") for k in range(9)]
    assert report.repeat(whole(*rows)) == "dualgap audit aspdc --full --entropy 1"
    every = [row(id=f"{paper}.c", paper=paper) for paper in {claim.paper for claim in all_claims().values()}]
    assert len(every) > report.FEW and report.repeat(whole(*every)) == "dualgap audit --full --entropy 1"
    assert shlex.split(report.repeat(whole(row(id="a b.c"))))[2] == "a b.c"


def test_ids_of_claims_are_links_outside_tags_and_formulas(page):
    ids = {"p.c", "p.c.sharp"}
    assert str(templating.linked("see p.c.sharp, p.c. p.d & <i>", ids)) == (
        'see <a href="#p.c.sharp">p.c.sharp</a>, <a href="#p.c">p.c</a>. p.d &amp; &lt;i&gt;'
    )
    formula = templating.typeset("$x$ p.c").replace("<mi>x", "<mi>p.c")
    assert str(templating.linked(formula, ids)).count("<a ") == 1
    assert '<a href="#aspdc.lemma-2">aspdc.lemma-2</a>' in page


@pytest.mark.parametrize(("status", "said"), [("HOLDS", ""), ("OPEN", "did not hold"), (None, "did not test")])
def test_what_holds_instead_says_whether_it_was_tested_and_holds(audited, status, said):
    found = copy.deepcopy(audited)
    (false,) = [row for row in found["claims"] if row["counterexample"]]
    found["claims"] += [] if status is None else [row(id=false["instead"], status=status, expected=status)]
    told = seen(report.render(of(found)))
    for words in ("did not hold", "did not test"):
        assert told.count(f"{words} in this audit" if words == "did not hold" else f"this audit {words}") == 2 * (
            words == said
        )


def test_restored_formulas_are_counted_by_their_note():
    papers = {"p": {"name": "P", "citation": "*t*", "assessment": {}, "items": []}}
    rows = [
        row(id=f"p.{k}", note=note)
        for k, note in enumerate((f"it is lost {RESTORED}", "", "the order of rows is restored"))
    ]
    (paper,) = report.papers(whole(*rows, papers=papers))
    assert "no counterexample to 3 (2 legible and tested as printed, 1 restored by us)" in paper.counts
    for claim in all_claims().values():
        assert claim.kind != PRINTED or ("restored" in claim.note.lower()) == (RESTORED in claim.note), claim.id


def test_a_paper_is_assessed(page, audited):
    for part in ("Tested.", "Correct.", "Wrong.", "Repaired or sharper.", "Not tested."):
        assert f"<b>{part}</b>" in page
    assert "with one step size" in seen(page).lower()


def test_a_false_reading_accuses_nobody():
    marks = {
        kind: claim_view.mark(result(kind=kind, status="REFUTED", expected="REFUTED"))
        for kind in ("printed", "reading", "inference", "ours")
    }
    assert marks == {
        "printed": "refuted",
        "reading": "reading refuted",
        "inference": "other refuted",
        "ours": "other refuted",
    }


def test_every_text_of_a_story_is_escaped(found, tmp_path):
    (row,) = [row for row in found["claims"] if row["counterexample"]]
    record = json.loads(pathlib.Path(row["counterexample"]).read_text(encoding="utf-8"))
    for key in ("statement", "statement_tex", "hypotheses", "hypotheses_tex", "place", "quote", "note", "proof"):
        row[key] = HOSTILE
    row["instead"] = row["paper"] = HOSTILE
    next(line for line in record["chain"] if not line["holds"])["label"] = HOSTILE
    record["instance"]["loss"] = HOSTILE
    record["instance"]["extra"]["w"] = [HOSTILE]
    file = tmp_path / f"counterexample-{HOSTILE.replace('/', '')}.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    row["counterexample"] = str(file)
    text = report.render(of(found))
    stories = text[text.index('class="refutation"') : text.index('id="claims"')]
    assert "<script" not in stories and stories.count("&lt;script&gt;alert(") >= 9, "the control"
    assert text.count("<script") == 0 and Balance(text).faults == []


def test_counterexample_shows_its_instance_and_marks_the_first_false_line(page, audited):
    (row,) = [row for row in audited["claims"] if row["counterexample"]]
    record = json.loads(pathlib.Path(row["counterexample"]).read_text(encoding="utf-8"))
    false = next(item for item in record["chain"] if not item["holds"])
    (marked,) = re.findall(r'<tr class="first">(.*?)</tr>', page, re.S)
    told = seen(f"<table><tr>{marked}</tr></table>")
    assert seen(str(templating.typeset(templating.with_signs(false["label"])))) in told and "is false" in told
    for side in ("left", "right"):
        assert seen(str(templating.typeset(templating.with_signs(false[side]["exact"])))) in told
    assert f"<dd>{claim_view.shown(record['instance']['rows'])}</dd>" in page
    (line,) = [line for line in claim_view.counterexample(result(**row)).lines if line.first]
    assert (line.left, line.right, line.holds) == (false["left"]["exact"], false["right"]["exact"], False)


def test_an_instance_shows_all_its_numbers_except_the_results_by_hand(audited, tmp_path):
    (row,) = [row for row in audited["claims"] if row["counterexample"]]
    record = json.loads(pathlib.Path(row["counterexample"]).read_text(encoding="utf-8"))
    assert set(claim_view.HIDDEN) & set(record["instance"]["extra"]), "the control"
    record["instance"]["extra"]["left_over"] = "7/3"
    file = tmp_path / "counterexample-x.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    (said,) = [
        said
        for name, said in claim_view.counterexample(result(**{**row, "counterexample": str(file)})).instance
        if name == "extra"
    ]
    assert "left_over = 7/3" in said and not any(name in said for name in claim_view.HIDDEN)


def test_failure_comes_first_in_a_sentence_with_its_traceback_folded(found):
    found["verdict"] = "fail"
    found["claims"][1].update(status="ERROR", error="Traceback (most recent call last):\n  here\nKeyError: 3\n")
    text = report.render(of(found))
    told = seen(text)
    assert "It could not be tested: KeyError: 3" in told and told.index("KeyError: 3") < told.index("Paper by paper")
    assert '<details><summary>Traceback</summary><pre tabindex="0">Traceback (most recent call last):' in text


def test_passing_page_has_no_alarm_and_says_so(page, audited):
    assert audited["verdict"] == "pass" and 'class="alarm"' not in page
    assert report.verdict(of(audited)) == f"All {len(audited['claims'])} checks gave the expected result."


def test_a_failed_audit_counts_what_differs_and_an_interrupted_one_does_not_fail(found):
    found["verdict"], found["claims"][0]["control"] = "fail", "missed"
    assert f"1 of {len(found['claims'])} checks did not give the expected result" in report.verdict(of(found))
    assert "interrupted" in report.verdict(of({**found, "interrupted": True}))


def test_a_kill_that_did_not_happen_is_said(found, page):
    assert "but not" not in page
    row = next(row for row in found["claims"] if "aspdc.stale-w" in row["killed"])
    row["killed"].remove("aspdc.stale-w")
    assert "but not aspdc.stale-w" in report.render(of(found))


def test_figures_say_what_is_seen(page):
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert "The expected gap" in " ".join(titles)
    assert all(not title[0].islower() and len(title) > 20 for title in titles)
    assert page.count("stated bound") >= 1 and page.count("sharp bound") >= 1


def test_same_report_gives_the_same_page(audited, page):
    assert report.render(of(json.loads(json.dumps(audited)))) == page
