"""``dualgap claims --coverage``: the items of each paper, with their claims, code and experiments."""

import argparse

from dualgap.proofs_checks.auditing.coverage import Covered, markdown
from dualgap.proofs_checks.auditing.coverage import coverage as items
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report.summary import count_of
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_lines


def coverage(given: argparse.Namespace) -> int:
    """Print the items as JSON or as a Markdown page. Exit 0 when every item is covered or explained."""
    with input_errors():
        rows = items(given.names)
    missing = [row for row in rows if not row.explained]
    if given.json:
        print_json({"items": [_plain(row) for row in rows], "unexplained": len(missing)})
    else:
        named = ": " * bool(missing) + ", ".join(f"{row.paper} {row.item.label}" for row in missing)
        lines = markdown(rows).splitlines()
        last = f"{count_of(len(rows), 'item')}, {len(missing)} without claim, code, experiment or reason{named}"
        print_lines([*lines, "", last])
    return FAILED if missing else 0


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
