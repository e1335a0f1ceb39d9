"""What an instance holds beside its problem and its method: small frozen dataclasses, one for each group of further numbers.

A claim that needs a free q declares what it is called and what it is, gives it to its instances, and takes it from there:

    @dataclass(frozen=True)
    class Weight(Extra):
        q: Number

    Instance(..., extra=Weight(Q(1, 2)))     several with |: extra=Weight(Q(1, 2)) | Horizon(10)
    context.extra(Weight).q                  in the context's number; instance.extra[Weight].q as it was given

A file holds names and values alone, in the order in which they were given; which class they belong to, the reader knows.
A field whose name is a word of Python ends in _, which the file leaves out. None is what was not given.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeVar

from dualgap.reference.numbers.arithmetic import Number

E = TypeVar("E", bound="Extra")


class Extras:
    """Further numbers of an instance: some records of ``Extra`` side by side.

    >>> both = Weight(q=1) | Point(w=(2, 3))
    >>> both[Point].w, Horizon in both, both.but(q=4)[Weight].q, both.plain()
    ((2, 3), False, 4, {'q': 1, 'w': (2, 3)})
    """

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
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

    def __contains__(self, kind: "type[Extra]") -> bool:
        """Whether every field is there that must be."""
        return self.plain().keys() >= {spelled(f.name) for f in fields(kind) if f.default is MISSING}

    def __getitem__(self, kind: type[E]) -> E:
        """The record of that class. Raises ValueError where a field is missing, or is no int or str and should be one."""
        values, found = self.plain(), {}
        for f in fields(kind):
            name = spelled(f.name)
            if name not in values and f.default is MISSING:
                raise ValueError(f"the instance's extra numbers lack {name!r}, which {kind.__name__} has (it holds: {', '.join(values) or 'none'})")
            value = values.get(name, f.default)
            for kind_of_value in (int, str):
                if f.type is kind_of_value and type(value) is not kind_of_value:
                    raise ValueError(f"the extra number {name!r} of the instance must be {kind_of_value.__name__} (got {str(value)[:60]!r})")
            found[f.name] = value
        return kind(**found)

    def but(self, **changes: Any) -> "Extras":
        """A copy with other values for names that it has."""
        if unknown := changes.keys() - self.plain().keys():
            raise ValueError(f"there is no extra number {sorted(unknown)[0]!r} to change (there are: {', '.join(self.plain()) or 'none'})")
        return Extras({**self.plain(), **changes})


@dataclass(frozen=True)
class Extra(Extras):
    """The base of the records, each a frozen dataclass of rationals, integers, words, or tuples of them."""

    def plain(self) -> dict[str, Any]:
        found = {spelled(f.name): getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def map(self: E, change: Callable[[Any], Any]) -> E:
        """The record with every value changed that is not None."""
        return type(self)(**{f.name: None if (v := getattr(self, f.name)) is None else change(v) for f in fields(self)})


def spelled(name: str) -> str:
    """A field's name in a file."""
    return name.removesuffix("_")


# -- what several papers need ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point(Extra):
    """Another primal point than the one that alpha gives."""

    w: tuple[Number, ...]


@dataclass(frozen=True)
class Start(Extra):
    """w^0, where it is not w(alpha), and w^-1, where it is not w^0."""

    w: tuple[Number, ...] | None = None
    before: tuple[Number, ...] | None = None


@dataclass(frozen=True)
class Centre(Extra):
    """A proximal centre and its weight."""

    kappa: Number
    centre: tuple[Number, ...]


@dataclass(frozen=True)
class Weight(Extra):
    """The free q in [0, 1] of the one-step proofs."""

    q: Number


@dataclass(frozen=True)
class Accuracy(Extra):
    """The accuracy that is asked for."""

    eps: Number


@dataclass(frozen=True)
class Horizon(Extra):
    """How many steps are looked at."""

    horizon: int


@dataclass(frozen=True)
class Known(Extra):
    """1 where a run starts from alpha, whose table is known, and 0 where it starts from an empty one."""

    known: int | None = None


@dataclass(frozen=True)
class Storage(Extra):
    """How the rows are stored."""

    storage: str = "dense"


@dataclass(frozen=True)
class Cuts(Extra):
    """Where a run is left and taken up again."""

    cuts: tuple[int, ...]


@dataclass(frozen=True)
class Blocks(Extra):
    """A problem with block duals in the place of the rows, and its points.

    Attributes
    ----------
    A : n blocks of shape (d, q_i); or K : the outputs or classes that every row is repeated for.
    b : n targets.
    block_loss : a name of BLOCK_LOSSES, or of LOSSES, summed over the numbers of a block.
    blocks : alpha^0; alpha_star : alpha*, where it is not found by solving.
    """

    b: tuple[Any, ...]
    block_loss: str
    A: tuple[Any, ...] | None = None
    K: int | None = None
    blocks: tuple[Any, ...] | None = None
    alpha_star: tuple[Any, ...] | None = None

    def plain(self) -> dict[str, Any]:
        """The shape first."""
        values = super().plain()
        return {name: values[name] for name in ("A", "K", "b", "block_loss", "blocks", "alpha_star") if name in values}
