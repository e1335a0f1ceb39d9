"""Coverage of the papers: every item that a paper lists, with the claims, the code and the experiments for it.

An item that has none of the three must say why; a test rejects an item without a reason. The build of the site makes a
page of this table.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from dualgap.proofs_checks.claims.origins import PRINTED, READING
from dualgap.proofs_checks.claims.papers import Item, all_papers
from dualgap.proofs_checks.claims.registry import REFUTED, Claim, all_claims
from dualgap.proofs_checks.claims.result import ItemJson, PaperJson
from dualgap.reference.methods.registry import METHODS, all_methods


class Covered(NamedTuple):
    """An item of a paper with its claims; the item itself names code and experiments."""

    paper: str
    item: Item
    claims: list[Claim]

    @property
    def explained(self) -> bool:
        """True if the item has a claim, code or an experiment, or a reason why it has none."""
        return bool(self.claims or self.item.code or self.item.experiments or self.item.why)

    @property
    def files(self) -> list[str]:
        """The files of its code, without those of methods that are not installed."""
        all_methods()
        named = {name: METHODS.places[name].below for name in self.item.code if name in METHODS}
        return [named.get(name, name) for name in self.item.code if name in named or "/" in name]


def coverage(names: Iterable[str] = ()) -> list[Covered]:
    """The items of these papers, or of all, in the order of the papers.

    Raises ValueError: no paper has such a key.
    """
    known, names = all_papers(), list(names)
    for name in names:
        if name not in known:
            raise ValueError(f"no paper is named {name!r}; there are {', '.join(known)}")
    about: dict[tuple[str, str], list[Claim]] = {}
    for claim in all_claims().values():
        for label in claim.origin.items:
            about.setdefault((claim.origin.paper, label), []).append(claim)
    return [
        Covered(paper.key, item, about.get((paper.key, item.label), []))
        for paper in known.values()
        if not names or paper.key in names
        for item in paper.items
    ]


def statements(ids: Iterable[str]) -> dict[str, PaperJson]:
    """Return, for each paper of these claims, its citation, its page, and the claims about each item that it states.

    Returns
    -------
    key -> {"name", "citation", "page", "items": [{"label", "place", "claims"}, ...]}, items in the paper's order, those
    alone of which a claim says that they are printed, or how they are read; claims: those that ``said_of`` it.
    """
    known, asked = all_papers(), set(ids)
    found: dict[str, PaperJson] = {}
    about = {
        claim.origin.paper for name, claim in all_claims().items() if name in asked and claim.kind in (PRINTED, READING)
    }
    for key in sorted(about & set(known)):
        items: list[ItemJson] = [
            {"label": row.item.label, "place": row.item.place, "claims": said_of(row)} for row in coverage([key])
        ]
        found[key] = {
            "name": spelled(key),
            "citation": known[key].citation,
            "page": known[key].page,
            "assessment": {} if (found_of := known[key].assessment) is None else found_of._asdict(),
            "items": [item for item in items if item["claims"]],
        }
    return found


def spelled(key: str) -> str:
    """A paper's key as its citation, its claims or their notes write it, such as AdaSPDC; else the key."""
    said = (text for claim in all_claims().values() if claim.paper == key for text in (claim.statement, claim.note))
    told = (
        match[0]
        for text in (all_papers()[key].citation, *said)
        for match in re.finditer(rf"\b{re.escape(key)}\b", text, re.IGNORECASE)
    )
    return next((name for name in told if name != key), key)


def said_of(row: Covered) -> list[str]:
    """The ids of the claims that state the item.

    Claims that name it first come before claims that name it later and are not refuted, and printed claims before
    readings.
    """
    own = [claim for claim in row.claims if claim.origin.items[0] == row.item.label]
    for claims in (own, [claim for claim in row.claims if claim not in own and claim.expected != REFUTED]):
        for kind in (PRINTED, READING):
            if found := [claim.id for claim in claims if claim.kind == kind]:
                return found
    return []


def markdown(rows: list[Covered]) -> str:
    """The table as a page in Markdown, for the site."""
    known = all_papers()
    lines = [
        "# Every item of every paper",
        "",
        "`dualgap claims --coverage` prints this page. It lists every item that a paper numbers, and every",
        "sentence that states something, with its claims (`dualgap claims ID`), code, experiments",
        "(`dualgap reproduce NAME`), or the reason why there are none. A verdict other than HOLDS is in brackets.",
    ]
    for key in dict.fromkeys(row.paper for row in rows):
        lines += [
            "",
            f"## {key}",
            "",
            known[key].citation,
            "",
            "| item | place | claims | code, experiments | note |",
            "|---|---|---|---|---|",
        ]
        lines += [_line(row) for row in rows if row.paper == key]
    return "\n".join(lines) + "\n"


def _line(row: Covered) -> str:
    claims = ", ".join(said(claim) for claim in row.claims)
    elsewhere = ", ".join([*(f"`{path}`" for path in row.files), *(f"`{name}`" for name in row.item.experiments)])
    cells = (row.item.label, row.item.place, claims, elsewhere, row.item.why)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def said(claim: Claim) -> str:
    """The id with, in brackets, its kind if it is not printed and its verdict if it is not HOLDS."""
    marks = [word for word in (claim.kind, claim.expected) if word not in ("printed", "HOLDS")]
    return f"`{claim.id}`" + (f" ({', '.join(marks)})" if marks else "")
