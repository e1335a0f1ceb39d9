"""The search for a counterexample among matrices by gradients, which finds what draws and changes of them do not.

A check about the instances of ``strategies.numbers.matrices`` also runs in floats. Each inequality left <= right then
has an excess, (left - right)/sqrt(left^2 + right^2). Where a side is the number 0, that would be a sign without a
gradient, and the divisor is a power of the size of the matrices instead. L-BFGS climbs the excess from many starts,
with differences as gradients. Most of the starts have a structure: orbits of a rotation or a permutation, matrices of
rank one, simplex frames, matrices near a multiple of the identity. A norm on the left side is climbed as each of the
two eigenvalues of which it can be one, because the larger of them hides a maximum of the other. Where the excess ends
above 0, the arrays are rounded to rationals, small denominators first, and the check decides in exact arithmetic.
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

import numpy as np
from scipy.linalg import block_diag
from scipy.optimize import minimize

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import Repeated, Trail
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.claims.time_limit import reached
from dualgap.proofs_checks.engines import between

Array: TypeAlias = Any  # of numpy
Aim = tuple[int, int | None]  # the number of a relation, and of the eigenvalue of the norm on its left side

STARTS = {"quick": 20, "default": 500, "full": 5000}  # climbs, by the size of the audit
SECONDS = 400.0  # of the processor, after which no further climb begins; a hunt has its own seconds
ITERATIONS = 300  # of a climb
STEP = 1e-7  # of a difference: about the square root of the rounding of floats
FAILED = 4  # starts that are left out before the climbs end, or as many as were climbed
CLEAR = 1e-11  # an excess above it is worth an exact check
NEAR = -0.05  # an excess from which a climb goes on
EQUAL = 1e-6  # an excess up to it is one of equality
SILENT = -1e3  # the excess where the check says nothing, below all others


@dataclass(frozen=True)
class Start:
    """Where a climb begins: ``point`` = ``tied`` @ numbers, as long as the climb keeps the structure."""

    point: Array
    tied: Array


class NotInFloats(Exception):
    """The check ends with an exception in floats; it may be right in exact numbers."""


@dataclass
class Climbs:
    """The climbs for one claim.

    Attributes
    ----------
    claim, strategy : the check, and what draws its instances. ``strategy.space`` says which arrays they are.
    random : where all starts come from.
    made : how many climbs were made.
    stopped, failed : why starts were left out, where the check does not run in floats, and how many.
    highest : the largest excess that one of them has reached.
    spent : the climbs with each aim; one that ended at equality counts thrice, because others will, too.
    """

    claim: Claim
    strategy: Any
    random: Random
    made: int = 0
    stopped: str = ""
    failed: int = 0
    highest: float = -math.inf
    spent: Counter[Aim] = field(default_factory=Counter)
    at_once: bool | None = None  # whether the check takes many points at once, as arrays (k, points, n, n)
    degree: int | None = None  # of the relation that is climbed, where one of its sides is 0

    def found(self, false: Callable[[Any], bool], starts: float, seconds: float) -> tuple[Any, Trail] | None:
        """A counterexample and its trail, confirmed by ``false``; None if so many climbs, or seconds, find none."""
        clock, longest = (time.process_time, SECONDS) if math.isinf(seconds) else (time.monotonic, seconds)
        end, space = clock() + longest, self.strategy.space
        generator = np.random.default_rng(self.random.getrandbits(64))
        while self.made < starts and clock() < end:
            reached(f"climb {self.made + 1}")
            size = space.sizes[self.made % len(space.sizes)]
            start = start_of(generator, space, size)
            try:
                with np.errstate(all="ignore"):
                    aims = self.aims(start.point, size)
                    aim = min(aims, key=lambda aim: self.spent[aim], default=(0, None))
                    self.degree = self.degree_of(start.point, size, aim)
                    excess, top = self.climbed(start, size, aim)
            except NotInFloats as error:
                self.stopped, self.failed = str(error), self.failed + 1
                if self.failed > max(self.made, FAILED):
                    return None
                continue
            self.made += 1
            self.spent[aim] += 1 if abs(excess) > EQUAL else 3
            self.highest = max(self.highest, excess if excess > SILENT else -math.inf)
            if excess > CLEAR and (found := self.confirmed(space.arrays(top, size), false)) is not None:
                return found
        return None

    def confirmed(self, arrays: tuple[Array, Array], false: Callable[[Any], bool]) -> tuple[Any, Trail] | None:
        """The rational neighbour of floats with the smallest denominator on which the check is false."""
        for denominator in sorted(set(self.strategy.space.denominators)):
            numbers = Repeated(self.strategy.space.trail(*arrays, denominator))
            instance = numbers.draw(self.strategy)
            if false(instance):
                return instance, tuple(numbers.trail)
        return None

    def climbed(self, start: Start, size: int, aim: Aim) -> tuple[float, Array]:
        """The excess at the end of a climb, and the point; one that comes near 0 goes on without its structure."""
        excess, top = self.along(start.point, start.tied, size, aim)
        if NEAR < excess <= CLEAR and len(start.tied) != start.tied.shape[1]:
            return self.along(top, np.eye(len(top)), size, aim)
        return excess, top

    def along(self, start: Array, tied: Array, size: int, aim: Aim) -> tuple[float, Array]:
        """The same in the points start + tied @ numbers."""

        def descent(numbers: Array) -> tuple[float, Array]:
            point = start + tied @ numbers
            values = self.values(np.vstack([point, point + STEP * tied.T]), size, aim)
            return -values[0], -np.nan_to_num((values[1:] - values[0]) / STEP)

        options = {"maxiter": ITERATIONS}
        top = minimize(descent, np.zeros(tied.shape[1]), jac=True, method="L-BFGS-B", options=options)
        return -float(top.fun), start + tied @ top.x

    def values(self, points: Array, size: int, aim: Aim) -> Array:
        """The excess at each of the points, shape (points, numbers)."""
        if self.at_once is None:
            one_by_one = [self.excess(point, size, aim) for point in points[:2]]
            try:
                self.at_once = np.allclose(self.excess(points[:2], size, aim), one_by_one, rtol=1e-6, atol=1e-9)
            except Exception:  # the check takes one matrix at a time
                self.at_once = False
        if self.at_once:
            return np.broadcast_to(self.excess(points, size, aim), len(points))
        return np.array([self.excess(point, size, aim) for point in points])

    def relations(self, points: Array, size: int, times: float = 1.0) -> tuple[Any, ...]:
        """The check's relations in floats, of all arrays times a number."""
        between.norms_seen.clear()
        given = self.strategy.space.instance(*(times * one for one in self.strategy.space.arrays(points, size)))
        try:
            return tuple(self.claim.check(Context(given, number=float)))
        except Exception as error:
            raise NotInFloats(f"the check does not run in floats: {type(error).__name__}: {error}") from error

    def told(self) -> str:
        """The climbs, for the report: "20 climbs to at most 0.01"."""
        if not math.isfinite(self.highest):
            return f"{self.made} climbs ({self.stopped or 'the check said nothing'})"
        return f"{self.made} climbs to at most {self.highest:.2g}"

    def excess(self, points: Array, size: int, aim: Aim) -> Array:
        """The excess of one relation; for several points at once shape (points,)."""
        relations, (number, which) = self.relations(points, size), aim
        if number >= len(relations):
            return SILENT
        left, right, sign = relations[number].left, relations[number].right, relations[number].sign
        if which is not None:
            left = next((ends[which] for value, ends in between.norms_seen if value is left), left)
        left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
        found = (left - right) / (np.hypot(left, right) if self.degree is None else self.scale(points, size))
        return np.nan_to_num(np.abs(found) if sign == "==" else found, nan=SILENT)

    def degree_of(self, point: Array, size: int, aim: Aim) -> int | None:
        """None for a relation whose sides are not 0; else as which power of the arrays it grows, 0 for none."""
        pairs = [
            (one.left, one.right) for times in (1.0, 2.0) for one in self.relations(point, size, times)[aim[0] :][:1]
        ]
        if len(pairs) < 2 or all(side != 0 for side in pairs[0]):
            return None
        once, twice = (float(left - right) for left, right in pairs)
        power = math.log2(twice / once) if 0 < once * twice < math.inf else 0.0
        return round(power) if abs(power - round(power)) < EQUAL else 0

    def scale(self, points: Array, size: int) -> Array:
        """The size of the arrays to the power ``degree``, shape (points,) or a number."""
        A, x = self.strategy.space.arrays(points, size)
        return ((A**2).sum((0, -2, -1)) + (x**2).sum((0, -1))) ** ((self.degree or 0) / 2)

    def aims(self, point: Array, size: int) -> list[Aim]:
        """What can be climbed at a point."""
        relations = self.relations(point, size)
        norms = [value for value, _ in between.norms_seen]
        return [
            (number, which)
            for number, relation in enumerate(relations)
            for which in (
                (0, 1) if relation.sign != "==" and any(value is relation.left for value in norms) else (None,)
            )
        ]


# -- starts ------------------------------------------------------------------------------------------------------------


def start_of(generator: Any, space: Any, size: int) -> Start:
    """A start; three of eight have no structure, and as many are orbits, which the climb keeps at first."""
    k, kind, rank = space.k, generator.integers(8), generator.integers(1, max(size, 2))
    first = generator.normal(size=(k, size, size)) * generator.choice([0.3, 1.0, 2.0])
    first = first + np.swapaxes(first, 1, 2)
    x, shift = generator.normal(size=space.vectors * size), np.eye(size) * generator.normal()
    if kind >= 5:
        turn = _rotation(generator, size, k) if kind == 5 else _permutation(generator, size)
        units = np.eye(size * size).reshape(-1, size, size)
        columns = np.array([space.flat(_orbit(turn, unit, k, space.only), rank) for unit in units]).T
        tied = block_diag(columns[:, columns.any(0)], np.eye(len(x)))
        return Start(tied @ np.concatenate([first.ravel()[: columns.any(0).sum()], x]), tied)
    if kind == 3:
        frame = (np.eye(k) - 1 / k) @ _orthogonal(generator, max(k, size))[:k, :size]
        vectors = frame if generator.integers(2) else generator.normal(size=(k, size))
        first = vectors[:, :, None] * vectors[:, None, :] + shift
    elif kind == 4:
        first = shift + first / 10
    point = np.concatenate([space.flat(first, rank), x])
    return Start(point, np.eye(len(point)))


def _orbit(turn: Array, matrix: Array, k: int, spans: bool) -> Array:
    """Matrix, turn matrix turn^T, ...: k of them, made symmetric; without turn^T where the columns only span."""
    powers = [np.linalg.matrix_power(turn, number) for number in range(k)]
    return np.array([power @ matrix if spans else power @ (matrix + matrix.T) @ power.T for power in powers])


def _orthogonal(generator: Any, size: int) -> Array:
    return np.linalg.qr(generator.normal(size=(size, size)))[0]


def _rotation(generator: Any, size: int, order: int) -> Array:
    """An orthogonal matrix whose power of this order is the identity."""
    turn = np.eye(size)
    for j in range(0, size - 1, 2):
        angle = 2 * np.pi * generator.integers(order) / order
        turn[j : j + 2, j : j + 2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return turn


def _permutation(generator: Any, size: int) -> Array:
    """The matrix of a permutation, mostly of the cycle of all places."""
    order = np.roll(np.arange(size), 1) if generator.integers(4) else generator.permutation(size)
    return np.eye(size)[order]
