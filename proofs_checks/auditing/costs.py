"""Estimated times of claims: the times of the last audits on this machine, or a guess from the levels of a claim.

Only the order in which claims are begun, and the estimate of the time that is left, depend on it.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.auditing.claim_index import cache_folder
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.claims.run import SIZES, Run
from dualgap.proofs_checks.claims.strict_json import read_bytes
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, Golden

# seconds: medians of one audit; a function makes what it likes
EXACT_INSTANCE, ENCLOSED_INSTANCE, GOLDEN_INSTANCE, FUNCTION, MUTANT = 1e-3, 5e-3, 6e-3, 2.0, 0.02


def guess(claim: Claim, run: Run) -> float:
    """Seconds by the claim's levels."""
    total = MUTANT * len(claim.kills)
    for source in claim.evidence:
        if isinstance(source, Exact):
            total += EXACT_INSTANCE * run.count(source.scale, claim)
        elif isinstance(source, Enclosed):
            total += ENCLOSED_INSTANCE * run.count(source.scale, claim)
        elif isinstance(source, Golden):
            total += GOLDEN_INSTANCE * len(source.instances)
        else:
            total += FUNCTION
    return total


def costs(claims: Iterable[Claim], run: Run) -> dict[str, float]:
    """Seconds that each claim will take, by id."""
    known = _read().get(run.size, {})
    return {claim.id: known.get(claim.id) or guess(claim, run) for claim in claims}


def keep(rows: Iterable[ClaimResult], size: str) -> None:
    """Remember what the claims of a report took, where that is possible."""
    path, kept = _path(), _read()
    if path is None:
        return
    kept[size] = {**kept.get(size, {}), **{row.id: round(row.seconds, 3) for row in rows}}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, json.dumps(kept).encode())
    except OSError:
        pass  # a full disk, a folder that cannot be written: the next audit guesses


def _path() -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder.parent / "seconds-of-claims.json"


def _read() -> dict[str, dict[str, float]]:
    """Return the saved times; nothing if the file is missing or damaged."""
    path = _path()
    try:
        kept = {} if path is None else json.loads(read_bytes(path))
        return {size: {str(name): float(seconds) for name, seconds in kept.get(size, {}).items()} for size in SIZES}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {size: {} for size in SIZES}
