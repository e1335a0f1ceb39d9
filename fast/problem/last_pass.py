"""The products of the last pass that a method made at a point, so that the certificate of that pair reads no row again.

They are those that a certificate would make: ``Objective.gradient_pass`` alone makes and keeps them, in the same order
with bit-identical results, and they are taken only for a pair whose numbers all are bit-identical to the pair that was
kept, as a copy.
"""

from typing import NamedTuple

import numpy as np

from dualgap.fast.problem.arrays import Array


class Pass(NamedTuple):
    """A pair and its products."""

    w: Array  # (d,)
    alpha: Array  # (n,)
    z: Array  # (n,) Xw
    minus_u: Array  # (d,) -X^T alpha/n


class LastPass:
    """Of the rows of a Problem; shared by its copies with other regularizers, on which no product depends.

    >>> last, ones = LastPass(), np.ones(1)
    >>> last.keep(Pass(ones, ones, 2 * ones, -2 * ones))
    >>> last.at(np.array([1.0]), ones).z.tolist(), last.at(ones, 3 * ones)
    ([2.0], None)
    """

    def __init__(self) -> None:
        self._made: Pass | None = None

    def keep(self, made: Pass) -> None:
        """Keep it instead of what was kept: z, which nobody else may hold, and copies of the others."""
        self._made = Pass(made.w.copy(), made.alpha.copy(), made.z, made.minus_u.copy())

    def at(self, w: Array, alpha: Array) -> Pass | None:
        """The pass at that pair, if it is the one that was kept; not to be written to."""
        made = self._made  # once: another thread may keep one of its own
        return made if made is not None and same(made.w, w) and same(made.alpha, alpha) else None


def same(one: Array, other: Array) -> bool:
    """Whether two arrays of doubles are bit-identical, the sign of a zero included."""
    return one.shape == other.shape and np.array_equal(one.view(np.uint64), other.view(np.uint64))
