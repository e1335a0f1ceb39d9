"""Who says what a claim says: a paper in print, a reading of a lost formula, its companion code, nobody but a reader,
or this library.

A paper lists its items (``papers``); a claim names those it is about: ``origin=PAPER.printed("Lemma 2")``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PRINTED, READING, CODE, INFERENCE = "printed", "reading", "code", "inference"

KINDS: Mapping[str, str] = MappingProxyType(
    {
        PRINTED: "The paper says it, at the place named.",
        READING: "The print is lost, ambiguous or not at hand: one way to read it, named with its reason.",
        CODE: "The paper's companion code does it.",
        INFERENCE: "A reader might expect it; nobody says it.",
        "ours": "Repaired, sharper or new: stated by this library.",
        "implementation": "About this library's own code and checks.",
    }
)


@dataclass(frozen=True)
class Origin:
    """Who says it, and where.

    Attributes
    ----------
    kind : one of KINDS.
    paper : the key of the paper whose ``items`` are meant.
    items : labels of the items that the claim is about, the first one first.
    place, quote : of the first item; a reading, an inference or code may name a place of its own.
    note : which reading and why; whom a reading or an inference does not accuse.
    """

    kind: str
    paper: str = ""
    items: tuple[str, ...] = ()
    place: str = ""
    quote: str = ""
    note: str = ""


OURS = Origin("ours")
IMPLEMENTATION = Origin("implementation")
