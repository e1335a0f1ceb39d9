"""The tiny problems that every solver gets (at most 8 rows and 4 columns, all numbers multiples of 1/4 or 1/64), and
how to shrink one.

>>> from itertools import islice
>>> [len(draft.rows) for draft in islice(drafts(seed=1), 5)]
[3, 5, 6, 3, 5]
"""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from dualgap.proofs_checks.claims.instance import Instance, Q

Rows = tuple[tuple[Fraction, ...], ...]
Vector = tuple[Fraction, ...]
COUNT = 300
SEED = 20261121


class Draft(NamedTuple):
    """A problem before a solver gives it its scale: rows, labels or targets, strength."""

    rows: Rows
    y: Vector
    strength: Fraction

    def instance(self, loss: str, net: bool) -> Instance:
        """lam = strength/n, or lam = l1 = strength/2 for the elastic net, each as the nearest double; gamma = 1."""
        lam, l1 = (self.strength / 2, self.strength / 2) if net else (self.strength / len(self.rows), Q(0))
        gamma = Q(1) if loss == "squared" else None
        return Instance(
            rows=self.rows,
            y=self.y,
            alpha=(Q(0),) * len(self.y),
            lam=Q(float(lam)),
            l1=Q(float(l1)),
            loss=loss,
            gamma=gamma,
        )


def drafts(count: int = COUNT, seed: int = SEED, margin: bool = True) -> Iterator[Draft]:
    """n <= 8 rows of d <= 4 quarters, both labels, strengths 2^-8 to 2^3; some rows zero, equal, large or small."""
    draw = random.Random(seed)
    for _ in range(count):
        n, d = draw.randrange(2, 9), draw.randrange(1, 5)
        rows = [tuple(Q(draw.randrange(-8, 9), 4) for _ in range(d)) for _ in range(n)]
        spoil = draw.randrange(6)
        if spoil == 0:
            rows[-1] = (Q(0),) * d
        if spoil == 1:
            rows[-1] = rows[0]
        if spoil in (2, 3):
            rows[-1] = tuple(x * (16 if spoil == 2 else Q(1, 16)) for x in rows[-1])
        signs = [Q(1), Q(-1), *(Q(draw.choice((-1, 1))) for _ in range(n - 2))]
        y = signs if margin else [Q(draw.randrange(-8, 9), 4) for _ in range(n)]
        yield Draft(tuple(rows), tuple(y), Q(2) ** draw.randrange(-8, 4))


def size_of(draft: Draft) -> tuple[int, int, int]:
    """What "smallest" means: entries, then rows, then characters of all numbers."""
    numbers = [*(x for row in draft.rows for x in row), *draft.y, draft.strength]
    return len(draft.rows) * len(draft.rows[0]), len(draft.rows), len("".join(map(str, numbers)))


def smaller(draft: Draft, margin: bool) -> Iterator[Draft]:
    """With a row less, a column less, or one number that is simpler; both labels are kept."""
    rows, y, strength = draft
    for i in range(len(rows)) if len(rows) > 1 else ():
        if not margin or len({*y[:i], *y[i + 1 :]}) == 2:
            yield Draft(rows[:i] + rows[i + 1 :], y[:i] + y[i + 1 :], strength)
    for j in range(len(rows[0])) if len(rows[0]) > 1 else ():
        yield Draft(tuple(row[:j] + row[j + 1 :] for row in rows), y, strength)
    for simple in simpler(strength):
        if simple > 0:
            yield Draft(rows, y, simple)
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            for simple in simpler(x):
                yield Draft(rows[:i] + ((*row[:j], simple, *row[j + 1 :]),) + rows[i + 1 :], y, strength)
        for simple in () if margin else simpler(y[i]):
            yield Draft(rows, (*y[:i], simple, *y[i + 1 :]), strength)


def simpler(x: Fraction) -> list[Fraction]:
    """0, 1 or -1, and the nearest integer and half, where they are spelled with fewer characters.

    >>> simpler(Fraction(7, 4))
    [Fraction(0, 1), Fraction(1, 1), Fraction(2, 1)]
    """
    found = [Q(0), Q(1 if x > 0 else -1), Q(round(x)), Q(round(2 * x), 2)]
    return [s for k, s in enumerate(found) if len(str(s)) < len(str(x)) and s not in found[:k]]
