"""Count the entries of a state that a step reads and writes: the count behind an O(r) of a paper, with its constant."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dualgap.reference.methods.base import State


class Tally:
    """Numbers of entries."""

    reads = 0
    writes = 0


class Counted(list[object]):
    """A list that adds every entry read or written to ``tally``: an item 1, a pass over the list its length."""

    def __init__(self, values: list[object], tally: Tally) -> None:
        super().__init__(values)
        self.tally = tally

    def _many(self, place: int | slice) -> int:
        return len(range(len(self))[place]) if isinstance(place, slice) else 1

    def __getitem__(self, place: Any) -> Any:
        self.tally.reads += self._many(place)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.tally.writes += self._many(place)
        super().__setitem__(place, value)

    def __iter__(self) -> Iterator[object]:
        self.tally.reads += len(self)
        return super().__iter__()


def count(state: object, names: Iterable[str], tally: Tally) -> None:
    """Replace these lists of the state by lists that count what is read and written of them."""
    for name in names:
        setattr(state, name, Counted(list.copy(getattr(state, name)), tally))


def touched(state: State, change: Callable[[Any], object]) -> int:
    """The entries of lists of a copy of ``state`` that ``change(copy)`` reads or writes, those of new lists included.

    Slices and passes that do not go through ``[]`` or ``for`` (``sorted``, ``+``, ``copy``) are not seen.
    """
    tally, state = Tally(), state.copy()
    count(state, [name for name, value in state.fields().items() if isinstance(value, list)], tally)
    change(state)
    fresh = [value for value in state.fields().values() if isinstance(value, list) and not isinstance(value, Counted)]
    return tally.reads + tally.writes + sum(map(len, fresh))
