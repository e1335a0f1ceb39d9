"""The registry as ``dualgap claims`` prints it."""

from collections.abc import Iterable
from typing import NamedTuple

from dualgap.proofs_checks.claims.registry import Claim, all_claims, chosen
from dualgap.proofs_checks.claims.result import AssumedJson


class Listed(NamedTuple):
    """The facts about a claim in the index."""

    id: str
    paper: str
    expected: str
    statement: str
    hypotheses: str
    kind: str
    place: str
    quote: str
    note: str
    assumes: list[AssumedJson]
    proof: str
    kills: list[str]
    theorems: list[str]


def claim_index(names: Iterable[str] = ()) -> list[Listed]:
    """The claims of those names or papers, or all of them, as ``registry.select`` finds them, in the order of their
    ids.

    >>> [claim.expected for claim in claim_index(["aspdc.a17"])]
    ['HOLDS']
    """
    return chosen(sorted(map(_listed, all_claims().values()), key=lambda row: row.id), names)


def _listed(claim: Claim) -> Listed:
    """The claim without what only Python can hold."""
    told = {name: getattr(claim, name) for name in Listed._fields}
    return Listed(
        **{
            **told,
            "assumes": [assumed.listed() for assumed in claim.assumes],
            "kills": list(claim.kills),
            "theorems": list(claim.theorems),
        }
    )
