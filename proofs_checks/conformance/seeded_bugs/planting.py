"""Planting of bugs into the independent implementation."""

from collections.abc import Callable, Sequence

from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.evidence.planted import Gone, PlantedBug


class Flag:
    """A planted bug.

    Parameters
    ----------
    bug : what is wrong in the code.
    kind : the class of the bug.
    effect : what it does to a result.
    ways : lists of edits "Class.function: old -> new", each of which makes it.
    """

    def __init__(self, bug: str, kind: str, effect: str, *ways: list[str]) -> None:
        self.bug, self.kind, self.effect, self.ways = bug, kind, effect, ways


def of_kind(kind: str) -> Callable[..., Flag]:
    """Return a function that makes a planted bug of this class from its other parameters."""
    return lambda bug, effect, *ways: Flag(bug, kind, effect, *ways)


FORMULA, MEMORY = map(of_kind, ("formula", "memory"))


def planted(name: str, edits: Sequence[str], **names: object) -> type[Independent]:
    """The independent implementation with these edits. The class has only the changed functions.

    Raises Gone for an edit of a class that the independent implementation does not have.

    names : the names that the new texts use in addition to those of their module.
    """
    kinds = (*Independent.__mro__, *Independent.parts)
    known = {kind.__name__ for kind in kinds}
    for edit in edits:
        if edit.partition(".")[0] not in known:
            place = edit.partition(": ")[0]
            raise Gone(f"{name}: there is no {place} in the independent implementation; bring the row up to date")
    changed: dict[str, Callable[[type], object]] = {}
    for kind in kinds:
        parts: list[tuple[str, str, str]] = []
        for edit in (edit for edit in edits if edit.startswith(f"{kind.__name__}.")):
            place, _, text = edit.partition(": ")
            old, _, new = text.partition(" -> ")
            parts.append((place, old, new))
        changed |= PlantedBug(name, kind, name, tuple(parts), names).changed if parts else {}
    return type(name, (Independent,), {place.partition(".")[2]: make(Independent) for place, make in changed.items()})
