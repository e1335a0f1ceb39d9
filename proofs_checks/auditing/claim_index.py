"""The registry as ``dualgap claims`` prints it, without the second that importing all claims takes.

What was listed once, other people's claims excepted, is kept in the user's cache folder, in a file named by the hash of
all sources of dualgap and the version of Python: an index of other sources has another name, so none is ever stale.
Where nothing can be written the claims are imported each time.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim, all_claims, chosen
from dualgap.proofs_checks.claims.result import AssumedJson
from dualgap.proofs_checks.claims.strict_json import read_bytes
from dualgap.reference.problem.registry import EXTRAS

KEPT = 8  # indices: a few versions and branches take turns on one machine


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
    file = _file()
    rows = _read(file)
    if rows is None:
        rows = [_listed(claim) for name, claim in all_claims().items() if not CLAIMS.places[name].foreign]
        _write(file, rows)
    others = [_listed(claim) for claim in CLAIMS.foreign().values()]
    return chosen(sorted([*rows, *others], key=lambda row: row.id), names)


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


def _file() -> Path | None:
    """Where the index of these sources is kept; None where the user has no folder for such things."""
    root = cache_folder()
    return None if root is None else root / f"{sources()}.json"


def sources() -> str:
    """A hash of all sources of dualgap and of the version of Python."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in _folders():
        for source in sorted(folder.rglob("*.py")):
            digest.update(f"{source.relative_to(folder)}\0{source.stat().st_size}\0".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:32]


def cache_folder() -> Path | None:
    """Where what is known of claims is kept; None where the user has no home."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME", "")
        root = Path(cache) if os.path.isabs(cache) else Path.home() / ".cache"
    except RuntimeError:
        return None
    return root / "dualgap" / "claims"


def _read(file: Path | None) -> list[Listed] | None:
    """What the file holds; None where there is none, or where it is damaged."""
    try:
        return None if file is None else [Listed(*row) for row in json.loads(read_bytes(file))]
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _write(file: Path | None, rows: list[Listed]) -> None:
    """Keep the index, if that is possible, and let go of the oldest ones."""
    if file is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(file, json.dumps(rows).encode())
        for old in sorted(file.parent.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            old.unlink()
    except OSError:
        pass  # a full disk, a folder that cannot be written: the next call imports the claims again
