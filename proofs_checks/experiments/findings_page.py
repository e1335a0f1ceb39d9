"""The page "what the papers claim, what we find": the findings of all experiments, gathered from their results.

Nothing on the page is typed by hand: it is made of the files ``summary.json`` that ``dualgap reproduce`` writes.
"""

import json
import pathlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.papers import all_papers

HEAD = """# What the papers claim, what we find

Experiments of the papers, run again by `dualgap reproduce NAME`; `dualgap reproduce --page FILE` made this page of their
results, which lie in [results](results). A verdict is about the data and the options that are named, no others. "cannot be
tested" says why. Statements that can be proved or refuted are not here but in the audit (`dualgap audit`).

A saying that a paper repeats, or that was tried several times, counts once: as not reproduced where it failed anywhere. Trials with
a stand-in among their sets, whose name ends in -like, are counted apart, and only where there is no other: a stand-in says nothing of
the set that it imitates. Apart stand also what concerns a paper's companion code, and what a reader might expect of a figure of which
the paper says nothing.
"""
VERDICTS = (ex.NOT_REPRODUCED, ex.REPRODUCED, ex.CANNOT)  # where a saying has several, the first of these
LIKE = re.compile(r"\w-like\b")
ROWS = ("the papers, on data as they describe them", "the papers, with a stand-in among the sets", "companion code", "nobody: a reader's expectation")


def summaries(folder: pathlib.Path) -> list[dict[str, Any]]:
    """The results in a folder: NAME/summary.json, as ``dualgap reproduce`` writes them, or NAME.json; paper by paper.

    NAME is put into each as "name": it may say more than the experiment, such as the data.

    Raises
    ------
    ValueError
        There is none, or a file is not one.
    """
    found = []
    for path in sorted({*folder.glob("*/summary.json"), *folder.glob("*.json")}):
        facts = json.loads(path.read_text(encoding="utf-8"))
        if not (isinstance(facts, dict) and facts.get("schema") == 1 and "findings" in facts):
            raise ValueError(f"{path} is not the summary of an experiment; name the folder that dualgap reproduce wrote (--out)")
        found.append({**facts, "name": path.parent.name if path.name == "summary.json" else path.stem})
    if not found:
        raise ValueError(f"there are no results in {folder}; run dualgap reproduce NAME first, or name its folder with --out")
    return sorted(found, key=lambda facts: (_place(facts["name"]), facts["name"]))


def _place(name: str) -> int:
    papers, paper = list(all_papers()), name.split("-", 1)[0]
    return papers.index(paper) if paper in papers else len(papers)


def page(found: Sequence[dict[str, Any]]) -> str:
    """The page, in Markdown."""
    counts = sayings(found)
    rows = [[name, *(str(counts[name, verdict]) for verdict in (ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT))] for name in ROWS]
    listed = [[f"[{facts['name']}](#{facts['name']})", facts["title"]] for facts in found]
    parts = [HEAD, table(["who says it", ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT], rows), table(["not run: the data are not to be had", "in its place"], not_had(found)), table(["experiment", "what it repeats"], listed)]
    for facts in found:
        findings = [[_said(finding), finding.measured, finding.verdict] for finding in _findings(facts)]
        options = ", ".join(f"{name} = {_words(value)}" for name, value in facts["options"].items())
        parts += [f"## {facts['name']}", facts["title"] + ".", table(["the paper", "measured", "verdict"], findings)]
        for one in facts["tables"]:
            parts += [f"*{one['caption']}*", table(one["columns"], one["rows"])]
        parts += [*facts["notes"], f"Options: {options}."]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def sayings(found: Sequence[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """How many different sayings of each row of ROWS have each verdict."""
    tried: dict[tuple[str, str, str], list[tuple[str, bool]]] = {}
    for facts in found:
        for finding in _findings(facts):
            if finding.by != ex.DATA:
                tried.setdefault((finding.by, _paper(facts), finding.saying), []).append((finding.verdict, stand_in(finding, facts["options"])))
    return Counter(_counted(by, verdicts) for (by, _, _), verdicts in tried.items())


def stand_in(finding: ex.Finding, options: dict[str, Any]) -> bool:
    """Whether a set that it names, or every set of its experiment, imitates another: the names of such sets end in -like."""
    sets = _sets(options)
    return bool(LIKE.search(f"{finding.paper} {finding.measured}")) or bool(sets) and all(LIKE.search(one) for one in sets)


def _counted(by: str, verdicts: Sequence[tuple[str, bool]]) -> tuple[str, str]:
    """The row and the verdict of one saying, of its (verdict, on a stand-in)."""
    every = [verdict for verdict, _ in verdicts]
    if by != ex.PAPER:
        return ROWS[2 if by == ex.CODE else 3], _worst(every)
    told = [(verdict, imitated) for verdict, imitated in verdicts if not verdict.startswith(ex.CANNOT)]
    real = [verdict for verdict, imitated in told if not imitated]
    return ROWS[1 if told and not real else 0], _worst(real or [verdict for verdict, _ in told] or every)


def _worst(verdicts: Sequence[str]) -> str:
    """The first of VERDICTS that is among them; "not reproduced" does not begin with "reproduced"."""
    return next(verdict for verdict in VERDICTS if any(one.startswith(verdict) for one in verdicts))


def not_had(found: Sequence[dict[str, Any]]) -> list[list[str]]:
    """The sets that no experiment of their paper has run, each once, and what was run in their place."""
    had = {(_paper(facts), one.split(".")[0]) for facts in found for one in _sets(facts["options"])}
    missing: dict[tuple[str, str], list[str]] = {}
    for facts in found:
        for finding in _findings(facts):
            for name in re.split(", | and ", finding.paper.rpartition(" on ")[2]) if finding.by == ex.DATA else ():
                if (_paper(facts), name) not in had:
                    missing.setdefault((_paper(facts), name), []).append(finding.measured)
    return [[f"{paper}: {name}", "; ".join(dict.fromkeys(measured))] for (paper, name), measured in missing.items()]


def _sets(options: dict[str, Any]) -> list[str]:
    """The data sets of an experiment; none where it makes its own."""
    data = options.get("data", [])
    return [data] if isinstance(data, str) else list(data)


def _paper(facts: dict[str, Any]) -> str:
    return str(facts["name"]).split("-", 1)[0]


def _findings(facts: dict[str, Any]) -> list[ex.Finding]:
    return [ex.Finding(**one) for one in facts["findings"]]


def _said(finding: ex.Finding) -> str:
    """The saying, and who says it where it is not the paper."""
    return finding.paper + {ex.CODE: " *(companion code)*", ex.READER: " *(nobody says it)*"}.get(finding.by, "")


def _words(value: Any) -> str:
    return ", ".join(map(_words, value)) if isinstance(value, list) else str(value)
