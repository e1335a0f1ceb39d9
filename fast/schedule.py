"""When ``solve`` makes the next certificate.

A certificate costs about a pass over the data, so they are spaced. The first is made at the start, the second after two passes.
From then on there are two ways to tell when the tolerance is met.

By the movement, for methods that keep w = w(alpha) and smooth losses. Near the optimum D is a strictly concave quadratic in
what still moves, and a pass of coordinate steps covers a fixed share of the way that is left, so that

    gap  ~  ratio ||x_p - x_(p-1)||^2,        x = alpha, or v where it is the shorter one,

with a ratio that a certificate measures. It was found to stay within a factor of 2, seldom 13, while the gap fell by seven
orders of magnitude (nine problems of four real sets). Every pass gives such an estimate, at the cost of d or n numbers; the next
certificate comes as soon as it meets the tolerance, but no earlier than after max(1, p/50) passes and no later than after max(8, p/2).
An estimate that was wrong by more than TRUSTED is the last one that is made.

By the rate, else. The rate between the last two certificates predicts when the tolerance is met; after pass p the next
certificate comes then, but no later than after max(2, p/2) passes and no earlier than after max(1, p/50).
Where the gap has not fallen and nothing can be predicted, or where no theorem says that it falls, it comes after max(1, p/5) at
the latest. So at most a third of the passes is made in vain, and 100 passes take some ten certificates.

Nothing here decides whether a run has converged: certificates do.
"""

import math
from collections.abc import Sequence

from dualgap.fast.compiler import kernel
from dualgap.fast.matrix import Array
from dualgap.fast.result import Entry

TRUSTED = 16.0


class Schedule:
    """The number of passes after which the next certificate is due.

    Parameters
    ----------
    max_epochs : the last certificate comes then, at the latest
    checked : whether a theorem says that the gap falls
    moves : whether the movement of a pass tells the gap

    Attributes
    ----------
    due : passes
    ratio : gap over movement at the last certificate; infinite where none has been measured, NaN where none is trusted
    movement : of the last pass
    """

    def __init__(self, max_epochs: int, checked: bool, moves: bool) -> None:
        self.max_epochs, self.checked = max_epochs, checked
        self.due, self.ratio, self.movement = 0, math.inf if moves else math.nan, 0.0

    @property
    def by_movement(self) -> bool:
        """Whether the movement of every pass is to be told."""
        return not math.isnan(self.ratio)

    def passed(self, before: Array, after: Array, epochs: int, earlier: int, target: float) -> None:
        """A pass, the last of ``epochs``, led from ``before`` to ``after``; the last certificate came after ``earlier`` passes."""
        self.movement = squared_distance(before, after)
        if self.ratio * self.movement <= target and epochs >= earlier + nearest(earlier):
            self.due = epochs

    def certified(self, history: Sequence[Entry], epochs: int, finite: bool, target: float) -> None:
        """After ``epochs`` passes there was a certificate, the last of ``history`` if it is finite."""
        gap = history[-1].gap if finite and history else math.inf
        if self.ratio * self.movement <= target and gap > TRUSTED * target:
            self.ratio = math.nan
        elif self.by_movement and self.movement > 0 and math.isfinite(gap):
            self.ratio = gap / self.movement
        left = max(1, self.max_epochs - epochs)
        if math.isfinite(self.ratio):
            self.due = epochs + min(left, max(8, epochs // 2))
        else:
            self.due = epochs + min(left, self.by_rate(history, epochs, finite, target))

    def by_rate(self, history: Sequence[Entry], epochs: int, finite: bool, target: float) -> int:
        """Passes until the next certificate, >= 1, from the last two."""
        blind = max(1, epochs // 5)
        furthest = max(2, epochs // 2) if self.checked else blind  # outside a theorem: enough of them to see a stall
        if len(history) < 2:
            return furthest
        before, now = history[-2:]
        if not (finite and 0 < target < now.gap < before.gap):
            return blind
        rate = math.log(before.gap / now.gap) / (now.epochs - before.epochs)
        predicted = math.ceil(min(furthest, math.log(now.gap / target) / rate))
        return min(furthest, max(nearest(epochs), predicted))


def nearest(epochs: int) -> int:
    """Passes between a certificate after ``epochs`` passes and the next, at least."""
    return max(1, epochs // 50)


@kernel
def squared_distance(before, after):
    """||after - before||^2, in the order of the entries: the same bits on every machine."""
    total = 0.0
    for j in range(before.size):
        step = after[j] - before[j]
        total = total + step * step
    return total
