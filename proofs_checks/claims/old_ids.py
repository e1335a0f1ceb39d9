"""Lookup of removed claims in the files old_ids.txt of the papers and of ``EXTRAS``.

A line has three parts with tabs between them: the old id; the id of the claim that says it now, or -; one short
sentence that says where it went.
"""

import importlib.util
from pathlib import Path
from typing import NamedTuple

from dualgap.reference.problem.registry import EXTRAS

FOLDERS = ("dualgap.proofs_checks.papers", EXTRAS)


class OldId(NamedTuple):
    """A claim that was removed.

    Attributes
    ----------
    id : its id.
    new : the id of the claim that says it now; "-" if there is none.
    sentence : where it went.
    """

    id: str
    new: str
    sentence: str


def old_ids() -> dict[str, OldId]:
    """Every removed claim by its id. Raises ValueError for a line that does not have three parts."""
    found: dict[str, OldId] = {}
    for package in FOLDERS:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            for path in sorted(Path(folder).rglob("old_ids.txt")):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    parts = line.split("\t")
                    if len(parts) != 3 or not all(parts):
                        raise ValueError(
                            f"{path}:{number}: a line is an old id, a new id or -, and a sentence, with tabs between"
                            f" them (got {line[:80]!r})"
                        )
                    found[parts[0]] = OldId(*parts)
    return found


def where_it_went(id: str) -> str:
    """Return the sentence about a removed claim; "" for any other id."""
    old = old_ids().get(id)
    if old is None:
        return ""
    instead = "no claim replaces it" if old.new == "-" else f"ask for {old.new} instead"
    return f"claim {id} was removed: {instead}. {old.sentence}"
