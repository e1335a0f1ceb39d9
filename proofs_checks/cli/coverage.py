"""``dualgap claims --coverage``: the items of each paper, with their claims, code and experiments."""

import argparse

from dualgap.proofs_checks.auditing import coverage as found_by
from dualgap.proofs_checks.auditing.coverage import Covered, said
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.summary import count_of
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, print_lines


def coverage(given: argparse.Namespace) -> int:
    """Exit 0 when every item is covered or explained."""
    with input_errors():
        rows = found_by.coverage(given.names)
    if given.json and given.markdown:
        raise Refused("--json and --markdown exclude each other: leave one out")
    missing = [row for row in rows if not row.explained]
    if given.json:
        print_json({"items": [_plain(row) for row in rows], "unexplained": len(missing)})
    elif given.markdown:
        print_lines(found_by.markdown(rows).splitlines())
    else:
        for paper in dict.fromkeys(row.paper for row in rows):
            say("{}: {}", paper, all_papers()[paper].citation)
            for row in (row for row in rows if row.paper == paper):
                say("  {} ({})\n    {}", row.item.label, row.item.place, _told(row))
        named = ", ".join(f"{row.paper} {row.item.label}" for row in missing)
        say(
            "\n{}, {} without claim, code, experiment or reason{}{}",
            count_of(len(rows), "item"),
            len(missing),
            ": " if named else "",
            named,
        )
    return FAILED if missing else 0


def _told(row: Covered) -> str:
    parts = [
        ", ".join(said(claim) for claim in row.claims),
        ", ".join((*row.files, *row.item.experiments)),
        row.item.why,
    ]
    return "; ".join(part for part in parts if part).replace("`", "") or "NOTHING"


def _plain(row: Covered) -> Json:
    item = row.item
    return {
        "paper": row.paper,
        "label": item.label,
        "place": item.place,
        "quote": item.quote,
        "claims": [claim.id for claim in row.claims],
        "code": row.files,
        "experiments": list(item.experiments),
        "why": item.why,
        "explained": row.explained,
    }
