"""How many entries of a state a step reads and writes: what an O(r) of a paper counts, with its constant."""

from collections.abc import Callable, Iterator
from typing import Any


class Tally:
    """A number that grows."""

    count = 0


class Counted(list[Any]):
    """A list that adds every entry read or written to ``tally``: an item 1, a pass over the list its length."""

    def __init__(self, values: list[Any], tally: Tally) -> None:
        super().__init__(values)
        self.tally = tally

    def _add(self, place: int) -> None:
        self.tally.count += len(range(len(self))[place]) if isinstance(place, slice) else 1

    def __getitem__(self, place: Any) -> Any:
        self._add(place)
        return super().__getitem__(place)

    def __setitem__(self, place: Any, value: Any) -> None:
        self._add(place)
        super().__setitem__(place, value)

    def __iter__(self) -> Iterator[Any]:
        self.tally.count += len(self)
        return super().__iter__()


def touched(state: Any, change: Callable[[Any], object]) -> int:
    """The entries of lists of a copy of ``state`` that ``change(copy)`` reads or writes, those of new lists included.

    Slices and passes that do not go through ``[]`` or ``for`` (``sorted``, ``+``, ``copy``) are not seen.
    """
    tally, state = Tally(), state.copy()
    for name, value in state.fields().items():
        if isinstance(value, list):
            setattr(state, name, Counted(value, tally))
    change(state)
    fresh = [value for value in state.fields().values() if isinstance(value, list) and not isinstance(value, Counted)]
    return tally.count + sum(map(len, fresh))
