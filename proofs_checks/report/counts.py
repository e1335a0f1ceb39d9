"""Counts of printed statements: tested as printed, restored, or false; different errors; theorems by name.

The rows are those of a report; ``registered`` makes the same counts of the claims that are registered.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dualgap.proofs_checks.auditing.coverage import statements
from dualgap.proofs_checks.claims.origins import PRINTED, RESTORED
from dualgap.proofs_checks.claims.registry import REFUTED, all_claims

THEOREM = re.compile(r"(Theorem|Proposition|Lemma|Corollary|Th) ?\d+")  # the label of an item that is one


class Row(Protocol):
    """The attributes that are read from a claim or its result."""

    @property
    def id(self) -> str: ...
    @property
    def paper(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def gravity(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def expected(self) -> str: ...


@dataclass(frozen=True)
class Theorems:
    """Theorems, propositions, lemmas and corollaries: how many were legible or restored, and how many are false."""

    legible: int
    legible_false: int
    restored: int
    restored_false: int


def is_restored(row: Row) -> bool:
    """Return whether our copy lacks formulas or marks of the statement, which we restored."""
    return RESTORED in row.note


def without_repeats(rows: Iterable[Row]) -> list[Row]:
    """The false statements without those that repeat the error of another one."""
    return [row for row in rows if row.gravity != "repeated"]


def errors(rows: Iterable[Row]) -> str:
    """Count the errors in these false statements by kind, and count the different ones."""
    rows = list(rows)
    different = without_repeats(rows)
    theorems = [row for row in rows if row.gravity == "theorem"]
    slides = sum(row.id.endswith(".slide") for row in theorems)
    limits, slips = (sum(row.gravity == gravity for row in rows) for gravity in ("edge case", "slip"))
    parts = []
    if theorems:
        on_slides = f", {slides} of them on lecture slides" if slides else ""
        parts.append(
            f"errors in {_count(len(theorems), 'theorem or proposition', 'theorems or propositions')}{on_slides}"
        )
    if limits:
        parts.append(_count(limits, "limiting case", "limiting cases"))
    if slips:
        parts.append(f"the rest are slips ({slips})" if parts else _count(slips, "slip", "slips"))
    if len(rows) > 1 and parts:
        parts.append(_count(len(different), "different error", "different errors"))
    if repeated := len(rows) - len(different):
        parts.append(_count(repeated, "statement repeats an error", "statements repeat an error"))
    return "; ".join(parts)


def theorems(rows: Iterable[Row], papers: Mapping[str, Mapping[str, Any]]) -> Theorems:
    """Count the theorems that printed statements of a paper are about; several statements can be about one theorem.

    papers : as a report has them, key -> {"items": [{"label", "claims"}, ...]}.
    """
    printed = {row.id: row for row in rows if row.kind == PRINTED}
    found = [
        [printed[name] for name in item["claims"] if name in printed]
        for paper in papers.values()
        for item in paper["items"]
        if THEOREM.fullmatch(item["label"])
    ]
    kinds = [
        (any(map(is_restored, about)), any(getattr(row, "status", row.expected) == REFUTED for row in about))
        for about in found
        if about
    ]
    return Theorems(
        sum(not restored for restored, _ in kinds),
        sum(false and not restored for restored, false in kinds),
        sum(restored for restored, _ in kinds),
        sum(false and restored for restored, false in kinds),
    )


def of_theorems(rows: Sequence[Row], papers: Mapping[str, Mapping[str, Any]]) -> str:
    """The same as a sentence; "" if the statements are about no theorem."""
    count = theorems(rows, papers)
    parts = [
        f"{false} of {number} {what}"
        for number, false, what in (
            (count.legible, count.legible_false, "legible ones are false"),
            (count.restored, count.restored_false, "restored ones"),
        )
        if number
    ]
    total = count.legible + count.restored
    named = _count(total, "theorem, proposition, lemma or corollary", "theorems, propositions, lemmas and corollaries")
    return f"They are about {named}: {', '.join(parts)}." if total else ""


def registered() -> dict[str, int]:
    """The numbers that pages give, from the registrations of the claims."""
    printed = [claim for claim in all_claims().values() if claim.kind == PRINTED]
    false = [claim for claim in printed if claim.expected == REFUTED]
    different = without_repeats(false)
    restored = sum(map(is_restored, printed))
    named = theorems(printed, statements([claim.id for claim in printed]))
    return {
        "printed": len(printed),
        "printed_hold": len(printed) - len(false),
        "restored": restored,
        "legible": len(printed) - len(false) - restored,
        "printed_refuted": len(false),
        "wrong_theorems": sum(claim.gravity == "theorem" for claim in false),
        "on_slides": sum(claim.gravity == "theorem" and claim.id.endswith(".slide") for claim in false),
        "edge_case": sum(claim.gravity == "edge case" for claim in false),
        "slip": sum(claim.gravity == "slip" for claim in false),
        "different": len(different),
        "theorems": named.legible + named.restored,
        "legible_theorems": named.legible,
        "legible_theorems_false": named.legible_false,
        "restored_theorems": named.restored,
        "restored_theorems_false": named.restored_false,
    }


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
