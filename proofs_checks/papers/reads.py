"""Counted reads of a state's vectors: what the cost of a step of a dense and of a lazy form is measured by."""

from collections.abc import Iterable, Iterator
from typing import Any


class Tally:
    """A number of reads."""

    reads = 0


class Counted(list[Any]):
    """A list that adds the entries that are read to a tally: an item is 1, a pass over the list its length."""

    def __init__(self, values: Iterable[Any], tally: Tally) -> None:
        super().__init__(values)
        self.tally = tally

    def __getitem__(self, place: Any) -> Any:
        self.tally.reads += 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[Any]:
        self.tally.reads += len(self)
        return super().__iter__()


def count_reads(state: Any, names: Iterable[str], tally: Tally) -> None:
    """Replace these lists of the state by lists that count their reads."""
    for name in names:
        setattr(state, name, Counted(list.copy(getattr(state, name)), tally))
