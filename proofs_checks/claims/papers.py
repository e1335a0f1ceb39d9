"""The papers whose statements are audited: what claim ids begin with, what is cited, and the page that tells what we find.

>>> all_papers()["pgs"].page
'docs/pgs.md'
"""

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

from dualgap.reference.problem.registry import Registry


@dataclass(frozen=True)
class Paper:
    """One document, or a group of statements that belong together.

    Attributes
    ----------
    key : what the ids of its claims begin with.
    citation : title in asterisks, authors, place, year; without a title where no document of the list is meant.
    page : the documentation page with all its claims that are refuted or open.
    """

    key: str
    citation: str
    page: str

    def __post_init__(self) -> None:
        if not (self.key and self.key == self.key.lower() and "." not in self.key):
            raise ValueError(f"a paper's key is in small letters and without a dot: claim ids are KEY.NAME (got {self.key!r})")


PAPERS: Registry[Paper] = Registry("paper")


def register_paper(key: str, citation: str, page: str) -> Paper:
    """Register a paper: in the ``__init__.py`` of its folder. Raises ValueError for a key that another document has taken."""
    paper = Paper(key, citation, page)
    if PAPERS.get(key, paper) != paper:
        raise ValueError(f"paper {key!r} ({citation}) is taken by {PAPERS[key].citation}: choose another key")
    PAPERS[key] = paper
    return paper


@cache
def _built_in() -> None:
    package = importlib.import_module("dualgap.proofs_checks.papers")
    for info in pkgutil.iter_modules(package.__path__, "dualgap.proofs_checks.papers."):
        importlib.import_module(info.name)


def all_papers() -> dict[str, Paper]:
    """Every paper by key, in the order of the keys: those of the folders of ``papers/``, and other people's."""
    _built_in()
    return dict(sorted(PAPERS.items()))
