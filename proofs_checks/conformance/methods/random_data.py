"""The data of the vectors: small problems and states, drawn by a generator of our own, the same in every Python.

Two kinds: ``dyadic`` data, few bits wide, for class E; ``decimal`` data, with the full 53 bits, for classes R and T.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import TypeVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.hex_floats import spell_given
from dualgap.reference import LOSSES
from dualgap.reference.problem.losses import losses

T = TypeVar("T")
GAMMA = {name: float(LOSSES[name].default_gamma) for name in losses() if not LOSSES[name].adjustable}
REGRESSION = tuple(name for name, loss in LOSSES.items() if not loss.margin)
SHAPES: dict[str, list[list[int]]] = {  # the columns of every row, in stored order
    "unsorted-and-empty": [[2, 0], [], [1], [0, 1, 2]],
    "two-rows": [[1, 0], [1]],
    "one-row": [[0, 1]],
    "late-columns": [[2], [1, 2], [2, 1], [0]],
    "alike": [[0, 1], [0, 1]],
    "odd": [[1], [0, 2], [], [2, 1, 0], [1, 2]],
}


class Draw:
    """splitmix64 (Steele, Lea and Flood 2014), seeded by a text."""

    def __init__(self, seed: str) -> None:
        self.state = int.from_bytes(seed.encode(), "big") % 2**64

    def below(self, n: int) -> int:
        """An integer in 0..n-1."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return (z ^ (z >> 31)) % n

    def pick(self, values: Sequence[T]) -> T:
        """Draw one of them."""
        return values[self.below(len(values))]

    def some(self, n: int, m: int) -> list[int]:
        """m different indices of 0..n-1, in any order."""
        left = list(range(n))
        return [left.pop(self.below(len(left))) for _ in range(m)]


class Kind:
    """The source of the numbers of one kind."""

    def __init__(
        self,
        name: str,
        coordinates: list[float],
        inside: list[float],
        targets: list[float],
        shapes: list[str],
        **constants: list[float],
    ) -> None:
        self.name, self.coordinates, self.inside, self.targets, self.shapes = name, coordinates, inside, targets, shapes
        self.constants = constants


DYADIC = Kind(
    "dyadic",
    [1.0, -1.0, 0.5, -0.5, 2.0, -1.5],
    [0.0, 0.25, 0.5, 0.75, 1.0],
    [0.0, 1.0, -1.5, 0.5, 3.0],
    ["unsorted-and-empty", "two-rows", "one-row", "late-columns", "alike"],
    lam=[0.25, 0.5, 1.0, 2.0],
    l1=[0.25, 0.5],
    gamma=[0.5, 0.25, 2.0],
    tau=[0.5, 1.0, 2.0, 0.25],
    sigma=[0.5, 1.0, 2.0, 4.0],
    theta=[0.5, 0.75, 0.25],
    delta=[0.5, 0.25, 1.0],
    weight=[0.5, 1.0, 1.5, 2.0],
    kappa=[0.0, 1.0, 3.0],
    c=[0.5, 1.0, 2.0],
)
DECIMAL = Kind(
    "decimal",
    [0.1, -0.3, 0.7, -1.1, 1.9, 0.55, -0.85],
    [0.1, 0.35, 0.6, 0.9],
    [0.3, -1.2, 2.7, 0.9],
    list(SHAPES),
    lam=[0.1, 0.3, 0.7, 1.3],
    l1=[0.05, 0.2],
    gamma=[0.3, 0.7, 1.4],
    tau=[0.15, 0.6, 1.1],
    sigma=[0.3, 0.9, 1.7],
    theta=[0.55, 0.8, 0.93],
    delta=[0.1, 0.4],
    weight=[0.6, 0.8, 1.1, 1.4],
    kappa=[0.45, 1.1],
    c=[0.4, 1.3],
)


def vector(values: Sequence[float]) -> list[str]:
    """Given numbers with their decimals; no negative zero."""
    return [spell_given(float(value) + 0.0) for value in values]


def problem(draw: Draw, kind: Kind, loss: str, with_l1: bool, shape: str) -> Json:
    """A problem of that shape, in the form of a vector file."""
    rows = SHAPES[shape]
    columns = [j for row in rows for j in row]
    starts = list(accumulate(map(len, rows), initial=0))
    targets = kind.targets if loss in REGRESSION else [1.0, -1.0]
    gamma = GAMMA[loss] if loss in GAMMA else draw.pick(kind.constants["gamma"])
    values = [draw.pick(kind.coordinates) for _ in columns]
    if shape == "alike":
        values[2:] = values[:2]
    return {
        "n": len(rows),
        "d": max(columns) + 1,
        "starts": starts,
        "columns": columns,
        "values": vector(values),
        "y": vector([draw.pick(targets) for _ in rows]),
        "loss": loss,
        "gamma": spell_given(gamma),
        "lam": spell_given(draw.pick(kind.constants["lam"])),
        "l1": spell_given(draw.pick(kind.constants["l1"]) if with_l1 else 0.0),
    }


def alpha(draw: Draw, kind: Kind, p: Json) -> list[float]:
    """alpha in the domain of phi*."""
    if LOSSES[p["loss"]].ends == (None, None):
        return [draw.pick(kind.targets) for _ in p["y"]]
    if p["loss"] in REGRESSION:
        return [draw.pick([1, -1]) * draw.pick(kind.inside) for _ in p["y"]]
    return [-float(y.split()[1]) * draw.pick(kind.inside) for y in p["y"]]
