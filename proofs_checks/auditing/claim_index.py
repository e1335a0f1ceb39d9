"""The registry as ``dualgap claims`` prints it; a hash of all sources; the folder of what is known of claims."""

import hashlib
import os
import sys
from collections.abc import Iterable
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from dualgap.proofs_checks.claims.registry import Claim, all_claims, chosen
from dualgap.proofs_checks.claims.result import AssumedJson
from dualgap.reference.problem.registry import EXTRAS


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


def _folders() -> list[Path]:
    """The packages, whole."""
    packages = ("dualgap.proofs_checks", "dualgap.reference", "dualgap.fast", EXTRAS)
    return [Path(str(resources.files(package))).resolve() for package in packages if find_spec(package)]


def sources() -> str:
    """A hash of all sources of dualgap and of the version of Python."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in _folders():
        for source in sorted(folder.rglob("*.py")):
            digest.update(f"{source.relative_to(folder)}\0{source.stat().st_size}\0".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


def cache_folder() -> Path | None:
    """Return the cache folder for facts about claims; None if the user has no home folder."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME", "")
        root = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    except RuntimeError:
        return None
    return root / "dualgap" / "claims"
