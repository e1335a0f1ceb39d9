"""The story of one claim on the terminal: what it says, why it matters or holds, the evidence, the control, the
counterexample.
"""

import textwrap
from collections.abc import Iterator

from dualgap.proofs_checks.claims.origins import KINDS
from dualgap.proofs_checks.report import claim_view
from dualgap.proofs_checks.report.claim_view import Line, View

WIDTH, MARGIN = 79, 12


def story(view: View) -> list[str]:
    """The lines for ``claim_view.View`` of a row, of at most 79 characters unless there is no space to break at."""
    return [line for name, paragraphs in _told(view) if paragraphs for line in _entry(name, paragraphs)]


def _told(view: View) -> Iterator[tuple[str, list[str]]]:
    row = view.row
    place = f"{row.place}, at {row.quote!r}" if row.quote else row.place
    yield "claim", [f"{row.id}: {view.outcome}"]
    yield "says", [row.statement]
    yield "if", [row.hypotheses]
    yield "who", [text for text in (f"{KINDS[row.kind]} {place}".strip(), row.note) if text]
    yield "assumes", [f"{assumed['text']} ({assumed['place']})" for assumed in row.assumes]
    yield "why", [row.proof] if row.proof else []
    yield "evidence", [*(entry.text for entry in row.evidence), view.counted, *([view.tight] if view.tight else [])]
    yield "means", claim_view.meaning(row)
    yield "control", [f"{row.control.outcome}: {row.control.text or 'none'}"]
    yield "notices", [", ".join(row.kills.killed)] if row.kills.killed else []
    if view.example:
        yield "false on", [f"{name} = {value}" for name, value in view.example.instance]
        yield "where", [_line(line) for line in view.example.lines]
    yield "again", view.commands
    yield "file", [row.file] if row.file else []


def _line(line: Line) -> str:
    return f"{'holds' if line.holds else 'FALSE'}  {line.label}: {line.left} {line.sign} {line.right}"


def _entry(name: str, paragraphs: list[str]) -> Iterator[str]:
    """The name in the margin, the paragraphs to the right of it."""
    for number, text in enumerate(paragraphs):
        first = (name if number == 0 else "").ljust(MARGIN)
        yield from textwrap.wrap(
            text,
            WIDTH,
            initial_indent=first,
            subsequent_indent=" " * MARGIN,
            break_on_hyphens=False,
            break_long_words=False,
        ) or [first.rstrip()]
