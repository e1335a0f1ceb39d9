"""The page "what the papers claim, what we find": the findings of all experiments, gathered from their results.

Nothing on the page is typed by hand: it is made of the files ``summary.json`` that ``dualgap reproduce`` writes.
"""

import json
import pathlib
from collections.abc import Sequence
from typing import Any

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.papers import all_papers

HEAD = """# What the papers claim, what we find

Experiments of the papers, run again by `dualgap reproduce NAME`; `dualgap reproduce --page FILE` made this page of their
results, which lie in [results](results). A verdict is about the data and the options that are named, no others. "cannot be
tested" says why. Statements that can be proved or refuted are not here but in the audit (`dualgap audit`).
"""


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
    rows = [
        [f"[{facts['name']}](#{facts['name']})", *(str(_count(facts, verdict)) for verdict in (ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT))]
        for facts in found
    ]
    total = ["all", *(str(sum(int(row[column]) for row in rows)) for column in (1, 2, 3))]
    parts = [HEAD, table(["experiment", ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT], [*rows, total])]
    for facts in found:
        findings = [[one["paper"], one["measured"], one["verdict"]] for one in facts["findings"]]
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


def _count(facts: dict[str, Any], verdict: str) -> int:
    """How many findings have that verdict; "not reproduced" does not begin with "reproduced"."""
    return sum(one["verdict"].startswith(verdict) for one in facts["findings"])


def _words(value: Any) -> str:
    return ", ".join(map(_words, value)) if isinstance(value, list) else str(value)
