"""Instances with quadratic losses, and the number that one of their states gives to every symbol of a world.

They tell a proof of exactly the attained rate which inequalities it may use, and on which vectors its forms vanish.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dualgap.extras.sharpen.certificate import Terms
from dualgap.extras.sharpen.symbols import Space, Square, Vec, World
from dualgap.reference.numbers.arithmetic import Number


@dataclass(frozen=True)
class Instance:
    """Rows of one length and the y_i of ``Quadratic``."""

    rows: tuple[tuple[Number, ...], ...]
    slopes: tuple[Number, ...]


def inner(a: Iterable[Fraction], b: Iterable[Fraction]) -> Fraction:
    """a^T b."""
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


class Values:
    """The number of every symbol of a world on an instance, in one state."""

    def __init__(self, world: World, lam: Fraction, instance: Instance, z: Sequence[Fraction]) -> None:
        """z: coordinates as in ``Steps``, the order in which a free state makes its vectors."""
        self.world, self.lam, self.instance, self.of = world, lam, instance, list[list[Fraction]]()
        d, entries, rows = len(instance.rows[0]), iter(z), iter(instance.slopes)
        for space, (kind, *recipe) in zip(world.space, world.recipes):
            if kind != "free":
                self.of.append(getattr(self, f"_{kind}")(*recipe))
            elif space == "W":
                self.of.append([next(entries) for _ in range(d)])
            else:
                self.of.append([next(entries) if next(rows) else Fraction(0)])

    def vec(self, v: Vec) -> list[Fraction]:
        """The entries of a vector."""
        size = len(self.instance.rows[0]) if v.space == "W" else 1
        return [sum((c * self.of[j][k] for j, c in v.terms.items()), Fraction(0)) for k in range(size)]

    def _row(self, i: int, v: Vec) -> list[Fraction]:
        value, row = self.vec(v), self.instance.rows[i]
        return [x * value[0] for x in row] if v.space == i else [inner(row, value)]

    def _smoothness(self, space: Space) -> Fraction:
        """y of the function of a space, whose value is |a|^2/(2 y)."""
        return self.instance.slopes[space] if isinstance(space, int) else 1 / self.lam

    def _slope(self, space: Space, z: Vec) -> list[Fraction]:
        return [self._smoothness(space) * x for x in self.vec(z)]

    def _step(self, space: Space, z: Vec, point: Vec, q: Number) -> list[Fraction]:
        q = q.factor * sum(x * x for x in self.instance.rows[q.row.i]) if isinstance(q, Square) else q
        y = self._smoothness(space)
        return [y * (a + q * b) / (1 + y * q) for a, b in zip(self.vec(z), self.vec(point))]

    def expr(self, terms: Terms) -> Fraction:
        """The number of a quantity."""
        return sum((c * self._key(*key) for key, c in terms.items()), Fraction(0))

    def _key(self, kind: str, *places: int) -> Fraction:
        if kind == "G":
            return inner(self.of[places[0]], self.of[places[1]])
        space, point = self.world.values[places[0]]
        y, value = self._smoothness(space), self.vec(point)
        return inner(value, value) / (2 * y) if y else Fraction(0)
