"""The story of one claim on the terminal: what it says, why it matters or holds, the evidence, the control, the
counterexample.
"""

import textwrap
from collections.abc import Iterator
from typing import Any

from dualgap.proofs_checks.claims.origins import KINDS

WIDTH, MARGIN = 79, 12


def story(view: dict[str, Any]) -> list[str]:
    """The lines for ``claim_view.view`` of a row, none longer than 79 characters but for what has no space to
    break at.
    """
    return [line for name, paragraphs in _told(view) if paragraphs for line in _entry(name, paragraphs)]


def _told(view: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    place = f"{view['place']}, at {view['quote']!r}" if view["quote"] else view["place"]
    yield "claim", [f"{view['id']}: {view['outcome']}"]
    yield "says", [view["statement"]]
    yield "if", [view["hypotheses"]]
    yield "who", [text for text in (f"{KINDS[view['kind']]} {place}".strip(), view["note"]) if text]
    yield "assumes", [f"{assumed['text']} ({assumed['place']})" for assumed in view["assumes"]]
    yield "why", [view["proof"]] if view["proof"] else []
    yield "evidence", [*view["evidence"], view["counted"], *([view["tight"]] if view["tight"] else [])]
    yield "control", [f"{view['control']}: {view['control_text'] or 'none'}"]
    yield "notices", [", ".join(view["killed"])] if view["killed"] else []
    if view["example"]:
        yield "false on", [f"{name} = {value}" for name, value in view["example"]["instance"]]
        yield "where", [_line(line) for line in view["example"]["lines"]]
    yield "again", view["commands"]
    yield "file", [view["file"]] if view["file"] else []


def _line(line: dict[str, Any]) -> str:
    return f"{'holds' if line['holds'] else 'FALSE'}  {line['label']}: {line['left']} {line['sign']} {line['right']}"


def _entry(name: str, paragraphs: list[str]) -> Iterator[str]:
    """The name in the margin, the paragraphs beside it."""
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
