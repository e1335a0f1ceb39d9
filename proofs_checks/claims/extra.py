"""Further numbers of an instance, by name: a free q, a horizon, another primal point.

    Instance(..., extra=further(q=Q(1, 2), horizon=10))
    context.given.q                          in the context's number
    instance.extra.q                         as it was given
    instance.extra.get("horizon", 0)         a number that need not be there

Values are rationals, integers, words, or tuples of them. A replay file holds names and values alone, in the order in
which they were given. A name that is a word of Python ends in _, which the file leaves out.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, TypeVar

E = TypeVar("E", bound="Extra")


@cache
def _required(kind: Any) -> tuple[str, ...]:
    """The fields of a record that must be there."""
    return tuple(spelled(f.name) for f in fields(kind) if f.default is MISSING)


class Missing(AttributeError, ValueError):
    """A number that an instance lacks."""


class Extras:
    """The further numbers of an instance.

    >>> both = further(q=1) | further(w=(2, 3))
    >>> both.w, both.has("horizon"), both.but(q=4).q, both.get("horizon", 0), both.plain()
    ((2, 3), False, 4, 0, {'q': 1, 'w': (2, 3)})
    """

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        self._values = dict(values or {})

    def plain(self) -> dict[str, Any]:
        """Every value by its name, in the order in which they were given."""
        return dict(self._values)

    def __or__(self, other: "Extras") -> "Extras":
        return Extras({**self.plain(), **other.plain()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Extras) and self.plain() == other.plain()

    def __repr__(self) -> str:
        return f"Extras({self.plain()})"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what copy and pickle look for
            raise AttributeError(name)
        values = self.plain()
        if spelled(name) not in values:
            raise Missing(
                f"the instance's extra numbers lack {spelled(name)!r} (it holds: {', '.join(values) or 'none'})"
            )
        return values[spelled(name)]

    def get(self, name: str, default: object = None) -> Any:
        """The value of that name, or ``default`` where it was not given."""
        return self.plain().get(name, default)

    def has(self, *names: str) -> bool:
        """Return whether all of these were given."""
        return self.plain().keys() >= set(names)

    def __contains__(self, kind: Any) -> bool:
        """Return whether every field of a record is there that must be."""
        return self.has(*_required(kind))

    def __getitem__(self, kind: type[E]) -> E:
        """The record. Raises ValueError if a field is missing, or is no int or str and should be one."""
        found = {}
        for f in fields(kind):
            name = spelled(f.name)
            found[f.name] = value = self.get(name, f.default)
            if value is MISSING:
                raise ValueError(
                    f"the instance's extra numbers lack {name!r}, which {kind.__name__} has (it holds:"
                    f" {', '.join(self.plain()) or 'none'})"
                )
            for kind_of_value in (int, str):
                if f.type is kind_of_value and type(value) is not kind_of_value:
                    raise ValueError(
                        f"the extra number {name!r} of the instance must be {kind_of_value.__name__} (got"
                        f" {str(value)[:60]!r})"
                    )
        return kind(**found)

    def but(self, **changes: object) -> "Extras":
        """A copy with other values for names that it has."""
        if unknown := changes.keys() - self.plain().keys():
            raise ValueError(
                f"there is no extra number {sorted(unknown)[0]!r} to change (there are:"
                f" {', '.join(self.plain()) or 'none'})"
            )
        return Extras({**self.plain(), **changes})

    def map(self, change: Callable[[object], object]) -> "Extras":
        """A copy with every value changed."""
        return Extras({name: change(value) for name, value in self.plain().items()})


def as_tuples(value: Any) -> Any:
    """Lists and arrays as tuples, at every depth; another value as it is.

    >>> as_tuples([1, [2, (3, [4])]])
    (1, (2, (3, (4,))))
    """
    nested = isinstance(value, (list, tuple)) or hasattr(value, "tolist")
    return tuple(map(as_tuples, value)) if nested else value


def further(**values: object) -> Extras:
    """Further numbers of an instance, by name. None stands for a number that is not given.

    Parameters
    ----------
    values : the numbers by name.
    """
    return Extras({spelled(name): value for name, value in values.items() if value is not None})


@dataclass(frozen=True)
class Extra(Extras):
    """The base of records: frozen dataclasses whose fields are further numbers with their types."""

    def plain(self) -> dict[str, Any]:
        found = {spelled(f.name): getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in found.items() if value is not None}


def spelled(name: str) -> str:
    """A field's name in a file."""
    return name.removesuffix("_")


@dataclass(frozen=True)
class Blocks(Extra):
    """A problem with block duals instead of the rows, and its points.

    Attributes
    ----------
    A : n blocks of shape (d, q_i); or K : the outputs or classes that every row is repeated for.
    b : n targets.
    block_loss : a name of BLOCK_LOSSES, or of LOSSES, summed over the numbers of a block.
    blocks : alpha^0; alpha_star : alpha*, where it is not found by solving.
    """

    b: tuple[object, ...]
    block_loss: str
    A: tuple[Any, ...] | None = None
    K: int | None = None
    blocks: tuple[Any, ...] | None = None
    alpha_star: tuple[object, ...] | None = None

    def plain(self) -> dict[str, Any]:
        """The shape first."""
        values = super().plain()
        return {name: values[name] for name in ("A", "K", "b", "block_loss", "blocks", "alpha_star") if name in values}
