"""The Coq files, edited: whether the lemmas still hold that say that no theorem is about nothing."""

from collections.abc import Iterator
from pathlib import Path

from dualgap.proofs_checks.evidence.formal import NotProved, compile_one

LABELS = ("Definitions", "Labels")  # the file of the labels is small and needs the definitions alone


def inhabited(folder: Path) -> Iterator[str]:
    """Both labels are labels: compiled in this copy of the folder."""
    for name in LABELS:
        try:
            compile_one(folder, name)
        except NotProved as error:
            yield str(error)
