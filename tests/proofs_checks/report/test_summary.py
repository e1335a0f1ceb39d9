"""What page and terminal say of an audit, in words."""

import pytest
from report_rows import of, row, whole
from support import text_of

from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.report import counts, report, summary
from dualgap.proofs_checks.report.counts import registered


def test_only_what_is_printed_is_called_refuted():
    for kind, said in (
        ("printed", "1 is false (1 slip): p.f"),
        ("reading", "1 is false"),
        ("inference", "1 is false"),
        ("code", "1 is false"),
    ):
        gravity = "slip" if kind == "printed" else ""
        found = row(id="p.f", kind=kind, gravity=gravity, status="REFUTED", expected="REFUTED")
        theorem = summary.sentences(whole(found))[0][1]
        assert said in theorem
        assert (
            ("p.f" in theorem)
            == (kind == "printed")
            == (summary.outcome(ClaimResult.from_json(found)) != "false, as expected")
        )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"status": "REFUTED", "violations": 2},
            "status REFUTED, expected HOLDS; evidence EXACT(3); 2 of 3 instances violate it",
        ),
        ({"control": "missed"}, "control missed: c"),
        ({"declared_kills": ["p.m", "p.k"], "killed": ["p.k"]}, "mutants that it should kill but did not: p.m"),
        ({"status": "ERROR", "error": "Traceback\n  line\nKeyError: 3\n"}, "It could not be tested: KeyError: 3"),
    ],
)
def test_first_difference_names_claim_and_reason(changes, said):
    lines = summary.differences(whole(row(), row(id="p.bad", **changes), row(id="p.worse", control="missed")))
    assert lines[0] == "First difference: p.bad" and lines[-1] == "Also not as expected: p.worse"
    assert any(said in line for line in lines), lines


def test_of_each_claim_that_broke_the_reason_is_said():
    broken = row(id="p.broken", status="ERROR", error="mine.py:3: TypeError: a float met an exact number\nTraceback\n")
    lines = summary.differences(whole(row(id="p.bad", control="missed"), row(id="p.worse", control="missed"), broken))
    assert lines[-2:] == [
        "Also not as expected: p.worse, p.broken",
        "  p.broken: mine.py:3: TypeError: a float met an exact number",
    ]


def test_no_difference_when_all_is_as_expected():
    assert summary.differences(whole(row())) == []


def test_unnoticed_mutant_and_interruption_are_said():
    lines = summary.differences(whole(row(), interrupted=True, mutants_without_killer=["p.stale-w"]))
    assert "Interrupted" in lines[0] and "p.stale-w" in lines[1]


def test_not_shown_lists_skipped_undecided_and_open():
    levels = ["SKIPPED(coqc is not installed)", "ENCLOSED(3)"]
    told = dict(
        summary.not_shown(whole(row(evidence=levels, undecided=2), row(id="p.o", status="OPEN", expected="OPEN")))
    )
    assert told["Skipped: coqc is not installed"] == "p.c"
    assert told["Undecided"] == "p.c (2 of 3)"
    assert told["Open"] == "p.o"
    assert "ENCLOSED" in told and "FORMAL" not in told, "the limits of the levels that were used, and of no others"


def test_a_level_without_words_is_not_passed_over():
    assert dict(summary.not_shown(whole(row(evidence=["ORACLE(3)"]))))["ORACLE"] == "Its limits are not written down."


def test_three_sentences_count_and_name():
    rows = [
        row(),
        row(id="p.f", status="REFUTED"),
        row(id="p.algorithm-1", control="missed"),
        row(id="p.code.real-data", kind="implementation", killed=["p.m"]),
    ]
    papers, code, match = (text for _, text in summary.sentences(whole(*rows)))
    assert papers == "3 printed statements: no counterexample to 2; 1 refuted, but not as expected: p.f."
    assert "HOLDS (p.algorithm-1, 3 instances)" in code
    assert "1 of 1" in code
    assert "HOLDS (p.code.real-data, 3 instances)" in code
    assert "3 of 4 controls" in match and "not tested in this audit" in match


FALSE = {"status": "REFUTED", "expected": "REFUTED", "gravity": "slip"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "2 are false (2 slips; 2 different errors): p.e, p.f"),
        ({"control": "missed"}, "1 is false (1 slip): p.e; 1 refuted, but not as expected: p.f"),
        ({"unmet": ["gamma > 0"]}, "1 is false (1 slip): p.e; 1 refuted, but not as expected: p.f"),
        ({"expected": "HOLDS"}, "1 is false (1 slip): p.e; 1 refuted, but not as expected: p.f"),
        ({"status": "OPEN"}, "1 is false (1 slip): p.e; 1 open: p.f"),
    ],
)
def test_a_tally_names_the_claims_of_each_status(changes, said):
    found = whole(row(), row(id="p.e", **FALSE), row(id="p.f", **{**FALSE, **changes}))
    assert summary.sentences(found)[0][1] == f"3 printed statements: no counterexample to 1; {said}."


def test_an_error_that_two_statements_have_counts_once():
    again = row(id="p.f", **{**FALSE, "gravity": "repeated"})
    found = counts.errors(whole(row(id="p.e", **FALSE), again).claims)
    assert found == "1 slip; 1 different error; 1 statement repeats an error"


def test_a_refutation_that_was_not_expected_is_no_false_reading():
    found = whole(row(id="p.e", kind="reading", status="REFUTED", expected="HOLDS"))
    assert summary.sentences(found)[0][1].endswith(": 1 refuted, but not as expected: p.e.")


def test_the_papers_of_readme_come_first_and_in_its_order(audited):
    shown = [paper.key for paper in report.papers(of(audited))]
    known = [key for key in report.ORDER if key in shown]
    assert {"aspdc", "adaspdc"} <= set(known) and shown[: len(known)] == known


def test_the_places_that_everybody_reads_carry_the_same_counts(audited):
    """README and how_we_count by hand or by name; headline and terminal from the report, here of all printed claims."""
    numbers = registered()
    assert numbers["legible"] + numbers["restored"] + numbers["printed_refuted"] == numbers["printed"]
    readme = " ".join(text_of("README.md").split())
    for words in (
        "{printed} printed",
        "{legible} of these were legible",
        "{restored} contain",
        "{different} different",
    ):
        assert words.format(**numbers) in readme, words
    assert "Of {legible_theorems} legible".format(**numbers) in readme
    for page in ("docs/index.md", "docs/how_we_count.md"):
        assert {name for name in numbers if f"{{{{ {name} }}}}" in text_of(page)} >= {
            *("printed", "legible", "restored", "printed_refuted", "wrong_theorems", "on_slides", "different"),
            *("theorems", "legible_theorems", "legible_theorems_false", "restored_theorems"),
        }
    found = of(audited)
    printed = [one for one in found.claims if one.kind == "printed"]
    restored = sum("restored" in one.note for one in printed if one.status == "HOLDS")
    for said in (report.headline(found), dict(summary.sentences(found))["The papers"]):
        assert restored == 0 or f"{restored} restored by us" in said
        assert "They are about" in said and "slips of print" not in said
