"""The page of all results: made of the stored ones, each saying judged once, on the data nearest to the paper's."""

import pathlib
from collections import Counter

from dualgap.proofs_checks import experiments
from dualgap.proofs_checks.experiments import findings_page

DOCS = pathlib.Path(__file__).parents[3] / "docs"


def test_the_page_of_the_documentation_is_made_of_the_results_beside_it():
    found = findings_page.summaries(DOCS / "results")
    written = [DOCS / "experiments.md", *(DOCS / "experiments").iterdir()]
    assert {
        path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in written
    } == findings_page.pages(found, "experiments")
    assert {facts["experiment"] for facts in found} == set(experiments.experiments())
    assert findings_page.page([{**found[0], "findings": []}, *found[1:]], "experiments") != findings_page.page(
        found, "experiments"
    )


def facts_of(name, *found, data=()):
    """A result with these (saying, measured, verdict, by)."""
    return {
        "name": name,
        "title": "t",
        "findings": [dict(zip(("paper", "measured", "verdict", "by"), one)) for one in found],
        "tables": [],
        "notes": [],
        "options": {"data": data},
    }


def counted(*found):
    """(row, verdict) to how many sayings."""
    return Counter((findings_page.ROWS[one.row], one.verdict) for one in findings_page.sayings(found))


def test_a_saying_counts_once_apart_from_stand_ins_companion_code_and_what_nobody_says():
    first = ("Figure 1: A beats B (here: twice (2x))", "a9a-like: 3", "not reproduced", "paper")
    again = ("Section 6: A beats B", "a9a.xz: 3", "reproduced", "paper")
    alone = ("Figure 1: A beats C", "three times", "reproduced", "paper")
    rest = [
        ("Figure 2: timers", "x", "cannot be tested: y", "code"),
        ("Figure 3: D", "x", "reproduced", "reader"),
        ("the curves on z", "run on q", "cannot be tested", "data"),
    ]
    papers, others, imitated, code, nobody = findings_page.ROWS
    real = facts_of("aspdc-2", again, *rest, data=["a9a.xz"])
    expected = {
        (papers, "reproduced"): 1,
        (imitated, "reproduced"): 1,
        (code, "cannot be tested"): 1,
        (nobody, "reproduced"): 1,
    }
    assert counted(facts_of("aspdc-1", first, alone, data=["a9a-like"]), real) == expected
    worse = facts_of(
        "aspdc-3",
        ("Figure 9: A beats B", "ijcnn1: 1", "not reproduced at 1 of 2 settings", "paper"),
        data=["a9a.xz", "ijcnn1"],
    )
    same = facts_of("adaspdc-1", again, data=["w8a.xz"])
    expected = {(papers, "not reproduced"): 1, (papers, "reproduced"): 1}
    assert counted(facts_of("aspdc-2", again, data=["a9a.xz"]), worse, same) == expected, (
        "of two papers the same words are two sayings"
    )
    assert findings_page.not_had([facts_of("p-1", rest[2]), facts_of("p-2", rest[2])]) == [["p: z", "run on q"]]
    assert findings_page.not_had([facts_of("p-1", rest[2]), facts_of("p-2", data=["z.xz"])]) == [], (
        "another experiment of the paper had it"
    )


def test_a_verdict_on_a_set_that_the_paper_does_not_use_counts_where_there_is_no_other():
    papers, others, imitated = findings_page.ROWS[:3]
    one = facts_of(
        "spdc-1",
        ("Figure 3: A beats B", "a9a: 0.5", "not reproduced", "paper"),
        ("Figure 3: A beats B", "rcv1: 2", "cannot be tested: z", "paper"),
        data=["a9a.xz", "rcv1.xz"],
    )
    like = facts_of("spdc-2", ("Figure 3: A beats B", "rcv1-like: 2", "reproduced", "paper"), data=["rcv1-like"])
    its = facts_of("spdc-3", ("Figure 3: A beats B", "rcv1: 3", "reproduced", "paper"), data=["a9a.xz", "rcv1.xz"])
    assert counted(like) == {(imitated, "reproduced"): 1} and counted(one, like) == {(others, "not reproduced"): 1}
    assert counted(one, like, its) == {(papers, "reproduced"): 1} and [
        [t.name for t in one.trials] for one in findings_page.sayings([one, like, its])
    ] == [["spdc-3"]]
