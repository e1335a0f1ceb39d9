"""What is told of one claim, by the page and by the terminal: words and numbers from its row of the report, and from
its counterexample's file.
"""

import pathlib
from collections.abc import Sequence
from statistics import median
from typing import Any

from dualgap.proofs_checks.claims.registry import HOLDS, OPEN, REFUTED
from dualgap.proofs_checks.report import figures, report_json, summary

Row = dict[str, Any]
MARKS = {HOLDS: "holds", REFUTED: "refuted", OPEN: "open"}
WORDS = {
    "holds": "holds",
    "refuted": "false",
    "reading holds": "holds, as it is read here",
    "reading refuted": "false, as it is read here",
    "open": "open",
    "wrong": "not as expected",
    "skipped": "not examined in this audit",
}
AROUND = 3  # lines of a chain that are shown before and after the first false one
# fields of an instance that are shown where they hold something
NOT_SAID = ("method", "options", "p", "ball", "path", "extra")


def view(row: Row, report: dict[str, Any]) -> dict[str, Any]:
    """The row with what is derived from it: mark, words, evidence, tightness, figures, counterexample, commands."""
    level, level_words = summary.strongest(row)
    return {
        **row,
        "mark": mark(row),
        "outcome": summary.outcome(row),
        "level": level,
        "level_words": level_words,
        "tex": row.get("statement_tex", ""),
        "hypotheses_tex": row.get("hypotheses_tex", ""),
        "file": row.get("file", ""),
        "strip": figures.heights(row["tightness"]) if len(row["tightness"]) >= figures.LEAST_FOR_STRIP else [],
        "tight": tight(row["tightness"]),
        "charts": figures.of_row(row),
        "counted": counted(row),
        "example": counterexample(row),
        "commands": commands(row, report),
        "reasons": summary.reasons(row) if not row["as_expected"] else [],
        "survived": [mutant for mutant in row["declared_kills"] if mutant not in row["killed"]],
    }


def mark(row: Row) -> str:
    """One of WORDS: "wrong" where the row is not as expected."""
    found = MARKS.get(row["status"], "wrong") if row["as_expected"] else "wrong"
    return f"reading {found}" if row["kind"] == "reading" and found in ("holds", "refuted") else found


def counted(row: Row) -> str:
    """How many instances were tried and what they said."""
    parts = [summary.count_of(row["instances"], "instance"), summary.count_of(row["violations"], "violation")]
    parts += [f"{row['vacuous']} say nothing"] if row["vacuous"] else []
    parts += [f"{row['undecided']} undecided"] if row["undecided"] else []
    return ", ".join([*parts, f"{row['seconds']:.2f} s"])


def tight(values: Sequence[float]) -> str:
    """How near the left sides of the inequalities come to the right ones; "" where too few are comparable."""
    if len(values) < figures.LEAST_FOR_STRIP:
        return ""
    equal = sum(value == 1 for value in values)
    least = f"{len(values):,} inequalities, left/right: median {median(values):.2g}, largest {max(values):.3g}"
    return least + (f", {equal:,} equal to 6 digits" if equal else "")


def commands(row: Row, report: dict[str, Any]) -> list[str]:
    """The commands that repeat the audit of this claim, and its counterexample."""
    size = "" if report["size"] == "default" else f" --{report['size']}"
    again = [f"dualgap audit {row['id']}{size} --entropy {report['entropy']}"]
    return again + ([f"dualgap replay {pathlib.PurePath(row['counterexample']).name}"] if row["counterexample"] else [])


def counterexample(row: Row) -> dict[str, Any] | None:
    """The instance, its lines around the first false one, and how many others hold; None where the row has none.

    Raises ValueError where the file is gone, or is none.
    """
    if not row["counterexample"]:
        return None
    path = pathlib.Path(row["counterexample"])
    record = report_json.counterexample(path)
    lines = [
        {
            "label": item["label"],
            "left": summary.side_of(item["left"]["exact"]),
            "sign": item["sign"],
            "right": summary.side_of(item["right"]["exact"]),
            "holds": item["holds"],
            "first": False,
        }
        for item in record["chain"]
    ]
    false = next((k for k, line in enumerate(lines) if not line["holds"]), 0)
    if lines and not lines[false]["holds"]:
        lines[false]["first"] = True
    shown = lines[max(0, false - AROUND) : false + AROUND + 1]
    return {
        "file": path.name,
        "instance": _instance(record["instance"]),
        "lines": shown,
        "left_out": len(lines) - len(shown),
    }


def _instance(fields: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and values, without what says nothing."""
    return [
        (name, plain(value)) for name, value in fields.items() if value or (name not in NOT_SAID and value is not None)
    ]


def plain(value: Any) -> str:
    """An instance's field as one reads it.

    >>> plain(["1", "1/2"]), plain({"horizon": "35"}), plain([])
    ('(1, 1/2)', 'horizon = 35', '()')
    """
    if isinstance(value, list):
        return f"({', '.join(plain(item) for item in value)})"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {plain(item)}" for name, item in value.items()) or "none"
    return str(value)
