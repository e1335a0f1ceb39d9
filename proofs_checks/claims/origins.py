"""The sources of claims: a printed statement, a reading of a damaged passage, companion code, an inference, ourselves.

A paper lists its items (``papers``), and a claim names the items that it is about: ``origin=PAPER.printed("Lemma 2")``.
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

# in the note of a claim whose formulas our copy lacks; reports count these claims
RESTORED = "in our copy and restored"

GRAVITIES: Mapping[str, str] = MappingProxyType(  # of a printed statement that is false
    {
        "theorem": "a theorem, or a step of its proof",
        "edge case": "a limiting case: false there, true otherwise",
        "repeated": "the error of another false statement, which is counted there",
        "slip": "a slip: a wrong sign, index, constant or number, or a word that claims too much",
    }
)


@dataclass(frozen=True)
class Origin:
    """The source of a claim.

    Attributes
    ----------
    kind : one of KINDS.
    paper : the key of the paper that lists the ``items``.
    items : labels of the items that the claim is about, the most important first.
    place, quote : of the items; a statement about code has the place in the code.
    note : which reading was checked and why, or why a false claim is no error in the paper.
    """

    kind: str
    paper: str = ""
    items: tuple[str, ...] = ()
    place: str = ""
    quote: str = ""
    note: str = ""


OURS = Origin("ours")
IMPLEMENTATION = Origin("implementation")
