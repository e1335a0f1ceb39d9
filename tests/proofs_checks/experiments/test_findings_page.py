"""The pages on the experiments: they agree with each other, and each statement is judged once, on the data nearest to
the paper's.
"""

import re
from collections import Counter

from support import ROOT

from dualgap.proofs_checks import experiments
from dualgap.proofs_checks.experiments import findings_page

DOCS = ROOT / "docs"


def table_of(text):
    """The first table of a page: its rows, without the two of its head."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in ("| " + text.partition("\n| ")[2].partition("\n\n")[0]).splitlines()
    ][2:]


def test_the_pages_of_the_documentation_agree_with_each_other():
    text, folder = (
        (DOCS / "experiments.md").read_text(encoding="utf-8"),
        {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "experiments").iterdir()},
    )
    commands = {
        re.findall(r"^To repeat this experiment, run `dualgap reproduce ([\w-]+)`", page, re.M)[0]
        for page in folder.values()
    }
    assert commands == set(experiments.experiments())
    assert set(re.findall(r"\]\(experiments/(.*?)\.md\)", text)) <= set(folder)
    checksums = re.findall(
        r"^[0-9a-f]{64}  (?:(results|measured)/)([\w-]+)\.json$",
        (DOCS / "data.sha256").read_text(encoding="utf-8"),
        re.M,
    )
    assert sorted(name for kind, name in checksums if kind == "results") == sorted(folder)
    assert ("measured", "released-solvers") in checksums
    rows = [row for section in text.split("\n## ")[1:-1] for row in table_of(section)]
    counts, told = Counter((row[1], row[2]) for row in rows), [list(map(int, row[1:])) for row in table_of(text)]
    assert [[counts[name, verdict] for verdict in ("reproduced", "not reproduced")] for name in findings_page.ON] == [
        row[:2] for row in told
    ]
    assert counts["-", "cannot be tested"] == sum(row[2] for row in told[:3])
    stated = [(said, name) for said, _, _, names in rows for name in re.findall(r"\]\(experiments/(.*?)\.md\)", names)]
    assert len(stated) > 100
    assert [(said, name) for said, name in stated if said not in experiments.ASIDE.sub("", folder[name])] == []


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
    assert counted(one, like, its) == {(papers, "reproduced"): 1}
    assert [[t.name for t in one.trials] for one in findings_page.sayings([one, like, its])] == [["spdc-3"]]
