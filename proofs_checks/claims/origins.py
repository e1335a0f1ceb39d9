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
        PRINTED: "Printed in the paper.",
        READING: "Our reading of a damaged, ambiguous or missing passage.",
        CODE: "A statement about the authors' code.",
        INFERENCE: "Not stated in the paper; a reader might conclude it.",
        "ours": "Repaired, sharper or new: our own statement.",
        "implementation": "A statement about dualgap's own code and checks.",
    }
)


GRAVITIES: Mapping[str, str] = MappingProxyType(  # of a printed statement that is false
    {
        "theorem": "a theorem, or a step of its proof",
        "edge case": "an edge case: false in a limiting case, true otherwise",
        "slip": "a slip of print: a sign, an index, a constant, a number, or one word too strong",
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
