"""The pages on the papers' experiments, made from the files ``summary.json`` that ``dualgap reproduce`` writes.

One page has the verdicts, and each result has a separate page.
"""

import json
import pathlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.strict_json import Json, read_bytes
from dualgap.proofs_checks.experiments import runs

HEAD = """# The papers' experiments, repeated

We repeated the experiments of the papers. Each statement that a measurement can decide has one of three verdicts:
**reproduced**, **not reproduced** or **cannot be tested**, with the reason. A verdict applies only to the data sets
and options listed with it. Statements that can be proved or refuted are not on this page; `dualgap audit` checks
them.

The papers give few numbers for words such as "substantially faster". We chose the thresholds. The page of an
experiment gives each one after "here:".

`dualgap reproduce` lists the experiments, and `dualgap reproduce aspdc-fig1` runs one of them. To use your own files,
add `--set data=FILE,...`. `dualgap reproduce --out DIR --page FILE.md` makes this page, and a page for each
experiment, from the results in DIR.

"""
COUNTED = """## How the verdicts are counted

A statement counts once, even if the paper repeats it or we tried it several times. It counts as not reproduced if it
failed at any setting. Trials on data as the paper describes them come first. If there are none, trials on other real
data sets count. Trials with a stand-in count last: the name of a stand-in ends in -like, and it only imitates the
paper's data set. Two groups are counted separately: statements about a paper's companion code, and expectations that
a reader might have of a figure but that the paper does not state.
"""
VERDICTS = (ex.NOT_REPRODUCED, ex.REPRODUCED, ex.CANNOT)  # where a saying has several, the first of these
LIKE = re.compile(r"\w-like\b")
ROWS = (
    "the papers, on data as they describe them",
    "the papers, on other real sets",
    "the papers, with a stand-in among the sets",
    "companion code",
    "not stated: a reader's expectation",
)
ON = ("its data", "other real sets", "stand-ins", "companion code", "not stated")
SETS = {  # those that a paper names
    "adaspdc": ("w8a", "covertype", "url", "quantum", "protein"),
    "aspdc": ("a9a", "ijcnn1", "covtype"),
    "spdc": ("covtype", "rcv1", "news20"),
    "sdca": ("news20", "covtype", "rcv1"),
    "passcode": ("news20", "covtype", "rcv1"),
    "pgs": ("rcv1",),
}


class Trial(NamedTuple):
    """A verdict on a saying, the place of its data among ROWS, the result where it stands, and a set if not all."""

    verdict: str
    grade: int
    name: str
    data: str = ""

    def __str__(self) -> str:
        return f"{self.verdict} ({self.data})" if self.data else self.verdict


class Saying(NamedTuple):
    """A paper's statement and our result: the row of ROWS, the verdict, and the trials that count."""

    paper: str
    text: str
    row: int
    verdict: str
    trials: tuple[Trial, ...]


def summaries(folder: pathlib.Path) -> list[Json]:
    """The results in a folder: NAME/summary.json, as ``dualgap reproduce`` writes them, or NAME.json; paper by paper.

    NAME is put into each as "name": it may say more than the experiment, such as the data.

    Raises ValueError: there is none, or a file is not one.
    """
    found = []
    for path in sorted({*folder.glob("*/summary.json"), *folder.glob("*.json")}):
        try:
            facts = json.loads(read_bytes(path))
        except (ValueError, RecursionError):
            facts = None
        if not (isinstance(facts, dict) and facts.get("schema") == 1 and "findings" in facts):
            raise ValueError(
                f"{path} is not the summary of an experiment; name the folder that dualgap reproduce wrote (--out)"
            )
        found.append({**facts, "name": path.parent.name if path.name == "summary.json" else path.stem})
    if not found:
        raise ValueError(
            f"there are no results in {folder}; run dualgap reproduce NAME first, or name its folder with --out"
        )
    return sorted(found, key=lambda facts: (_place(facts["name"]), facts["name"]))


def _place(name: str) -> int:
    papers, paper = list(all_papers()), name.split("-", 1)[0]
    return papers.index(paper) if paper in papers else len(papers)


def pages(found: Sequence[Json], name: str) -> dict[str, str]:
    """Every page, in Markdown, by its path: ``name``.md has the verdicts and links to ``name``/RESULT.md."""
    return {f"{name}.md": page(found, name), **{f"{name}/{facts['name']}.md": detail(facts) for facts in found}}


def page(found: Sequence[Json], folder: str) -> str:
    """The verdicts, paper by paper, with links to the results in ``folder``."""
    judged = sayings(found)
    counts = Counter((one.row, one.verdict) for one in judged)
    rows = [
        [name, *(str(counts[row, verdict]) for verdict in (ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT))]
        for row, name in enumerate(ROWS)
    ]
    parts = [HEAD, table(["source", ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT], rows)]
    for paper in dict.fromkeys(one.paper for one in judged):
        mine = sorted((one for one in judged if one.paper == paper), key=lambda one: one.row)
        rows = [
            [one.text, ON[one.row] if one.verdict != ex.CANNOT or one.row > 2 else "-", one.verdict, told(one, folder)]
            for one in mine
        ]
        parts += [f"## {paper}", table(["statement", "on", "verdict", "experiment"], rows)]
    return joined(
        [*parts, COUNTED, table(["not run, because we could not obtain the data", "instead"], not_had(found))]
    )


def detail(facts: Json) -> str:
    """The page of one result: what the paper says, what was measured, the tables."""
    findings = [[_said(finding), finding.measured, finding.verdict] for finding in _findings(facts)]
    options = ", ".join(f"{name} = {_words(value)}" for name, value in facts["options"].items())
    tables = [part for one in facts["tables"] for part in (f"*{one['caption']}*", table(one["columns"], one["rows"]))]
    again = f"To repeat this experiment, run `dualgap reproduce {facts['experiment']}`. Options used: {options}."
    return joined(
        [
            f"# {facts['name']}",
            facts["title"] + ".",
            "## Verdicts",
            table(["the paper", "measured", "verdict"], findings),
            "## Measured",
            *tables,
            *facts["notes"],
            again,
        ]
    )


def joined(parts: Sequence[str]) -> str:
    """Paragraphs, one blank line between them."""
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def told(one: Saying, folder: str) -> str:
    """Results that tried the saying, each with a link to its page in ``folder``, and the rest of their verdicts."""
    verdicts: dict[str, list[str]] = {}
    for trial in one.trials:
        verdicts.setdefault(trial.name, []).append(str(trial))
    names: dict[str, list[str]] = {}
    for name, found in verdicts.items():
        names.setdefault(", ".join(dict.fromkeys(found)), []).append(f"[{name}]({folder}/{name}.md)")
    return "; ".join(", ".join(links) + f": {text}" * (text != one.verdict) for text, links in names.items())


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def sayings(found: Sequence[Json]) -> list[Saying]:
    """The different sayings, each with its verdict."""
    tried: dict[tuple[str, str, str], list[Trial]] = {}
    for facts in found:
        for finding in _findings(facts):
            if finding.by != ex.DATA:
                sets, named = _sets(facts["options"]), named_sets(finding, facts)
                trial = Trial(
                    finding.verdict,
                    grade(finding, facts),
                    facts["name"],
                    "" if named == sets else ", ".join(map(runs.stem, named)),
                )
                tried.setdefault((finding.by, _paper(facts), finding.saying), []).append(trial)
    return [_judged(*key, trials) for key, trials in tried.items()]


def named_sets(finding: ex.Finding, facts: Json) -> list[str]:
    """The sets that the finding names, or all of its experiment."""
    text, sets = f"{finding.paper} {finding.measured}", _sets(facts["options"])
    return [one for one in sets if runs.stem(one) in text] or sets


def grade(finding: ex.Finding, facts: Json) -> int:
    """0 where the data are as in the paper, 1 where a set of it is another one, 2 where a set imitates another."""
    named = named_sets(finding, facts)
    if LIKE.search(f"{finding.paper} {finding.measured}") or named and all(LIKE.search(one) for one in named):
        return 2
    paper = _paper(facts)
    return int(any(runs.stem(one) not in SETS.get(paper, ()) and not one.startswith(f"{paper}-") for one in named))


def _judged(by: str, paper: str, text: str, trials: Sequence[Trial]) -> Saying:
    """By the trials with a result on the best data."""
    told = [trial for trial in trials if not trial.verdict.startswith(ex.CANNOT)]
    best = min((trial.grade for trial in told), default=0)
    if by == ex.PAPER:
        row, counting = best, [trial for trial in told if trial.grade == best] or trials
    else:
        row, counting = 3 if by == ex.CODE else 4, told or trials
    # "not reproduced" does not begin with "reproduced"
    verdict = next(verdict for verdict in VERDICTS if any(trial.verdict.startswith(verdict) for trial in counting))
    return Saying(paper, text, row, verdict, tuple(counting))


def not_had(found: Sequence[Json]) -> list[list[str]]:
    """The sets that no experiment of their paper has run, each once, and what was run in their place."""
    had = {(_paper(facts), runs.stem(one)) for facts in found for one in _sets(facts["options"])}
    missing: dict[tuple[str, str], list[str]] = {}
    for facts in found:
        for finding in _findings(facts):
            for name in re.split(", | and ", finding.paper.rpartition(" on ")[2]) if finding.by == ex.DATA else ():
                if (_paper(facts), name) not in had:
                    missing.setdefault((_paper(facts), name), []).append(finding.measured)
    return [[f"{paper}: {name}", "; ".join(dict.fromkeys(measured))] for (paper, name), measured in missing.items()]


def _sets(options: Json) -> list[str]:
    """The data sets of an experiment; none where it makes its own."""
    data = options.get("data", [])
    return [data] if isinstance(data, str) else list(data)


def _paper(facts: Mapping[str, object]) -> str:
    return str(facts["name"]).split("-", 1)[0]


def _findings(facts: Json) -> list[ex.Finding]:
    return [ex.Finding(**one) for one in facts["findings"]]


def _said(finding: ex.Finding) -> str:
    """The saying, and who says it where it is not the paper."""
    return finding.paper + {ex.CODE: " *(companion code)*", ex.READER: " *(not stated in the paper)*"}.get(
        finding.by, ""
    )


def _words(value: object) -> str:
    return ", ".join(map(_words, value)) if isinstance(value, list) else str(value)
