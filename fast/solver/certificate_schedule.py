"""When ``solve`` makes the next certificate.

A certificate costs about a pass over the data, so they are spaced. The first is made at the start. From then on there
are three ways to tell when the tolerance is met.

By the movement, for methods that keep w = w(alpha), smooth losses, and where a theorem says that the gap falls. Near
the optimum D is a strictly concave quadratic in what still moves, and a pass of coordinate steps covers a fixed share
of the way that is left. So the gap after pass p is about

    ratio m_p,    m_p = ||x_p - x_(p-1)||^2,    x = alpha, or v where it is the shorter one,

with a ratio that a certificate measures: gap_p/m_p. Until there is one, the gap at the start over m_1 takes its place,
which is the ratio before a pass, times m_p/m_(p-1), by which a pass lessens the gap. On nine problems of four real sets
the measured ratio stayed within a factor of 2, seldom 13, while the gap fell by seven orders of magnitude. An estimate
costs d or n numbers; the next certificate comes as soon as it meets the tolerance, but no earlier than after max(1,
p/50) passes and no later than after max(16, p/2). A measured ratio that was wrong by more than TRUSTED is the last one.

By what the steps tell, for methods that know about their gap (``Method.expected_gap``): the next certificate
comes as soon as that meets the tolerance at the P of the last certificate and, where the steps tell it
(``Method.own_primal``), at their own P; no earlier and no later than by the movement.

By the rate, else. The second certificate comes after two passes. The rate between the last two predicts when the
tolerance is met; after pass p the next certificate comes then, but no later than after max(2, p/2) passes and no
earlier than after max(1, p/50). Where the gap has not fallen and nothing can be predicted, or where no theorem says
that it falls, it comes after max(1, p/5) at the latest. So at most a third of the passes is made in vain, and 100
passes take some ten certificates.

Nothing here decides whether a run has converged: certificates do.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import Array
from dualgap.fast.solver.result import Entry

TRUSTED = 16.0
FURTHEST = 16  # passes after the start, before which a certificate comes where the steps or their movement tell


class Snapshot(NamedTuple):
    """All that a schedule remembers.

    Attributes
    ----------
    due : passes, after which the next certificate is made
    ratio : gap over movement at the last certificate; infinite if none has been measured, NaN where none is trusted
    start : the gap at the start over the movement of the first pass
    movement : of the last pass; 0 at the start
    """

    due: int
    ratio: float
    start: float
    movement: float


class Schedule:
    """The number of passes after which the next certificate is due.

    Parameters
    ----------
    max_epochs : the last certificate comes then, at the latest
    checked : whether a theorem says that the gap falls
    moves : whether the movement of a pass tells the gap
    tells : whether the steps themselves do
    begun : passes made by other methods, with a certificate at their end; p above is counted from there

    Attributes
    ----------
    due, ratio, start, movement : see ``Snapshot``
    """

    def __init__(self, max_epochs: int, checked: bool, moves: bool, tells: bool = False, begun: int = 0) -> None:
        self.max_epochs, self.checked, self.tells, self.begun = max_epochs, checked, tells, begun
        self.ratio = math.inf if moves else math.nan
        self.due = min(max_epochs, begun + (FURTHEST if moves or tells else 2)) if begun else 0
        self.start, self.movement = math.inf, 0.0

    def snapshot(self) -> Snapshot:
        """Return the state from which ``restore`` continues."""
        return Snapshot(self.due, self.ratio, self.start, self.movement)

    def restore(self, snapshot: Snapshot, epochs: int) -> None:
        """Continue from a snapshot that was taken after ``epochs`` passes, perhaps with another max_epochs.

        Where the movement does not tell the gap, no ratio is trusted, whatever the snapshot says.
        """
        ratio = snapshot.ratio if self.by_movement else math.nan
        due = min(snapshot.due, self.max_epochs) if epochs < self.max_epochs else snapshot.due
        self.due, self.ratio, self.start, self.movement = snapshot._replace(due=due, ratio=ratio)

    @property
    def by_movement(self) -> bool:
        """Return whether the movement of every pass is to be told."""
        return not math.isnan(self.ratio)

    def estimate(self, movement: float) -> float:
        """Estimate the gap after a pass with that movement; ``self.movement`` is that of the pass before."""
        if movement == 0:
            return 0.0
        if math.isfinite(self.ratio):
            return self.ratio * movement
        return self.start * movement * (movement / self.movement) if self.movement > 0 else math.inf

    def passed(self, before: Array, after: Array, epochs: int, last: Entry, target: float) -> None:
        """A pass, which made them ``epochs``, led from ``before`` to ``after``; ``last`` is the certificate
        before it.
        """
        movement = squared_distance(before, after)
        estimate = self.estimate(movement)
        if self.movement == 0 and movement > 0:
            self.start = last.gap / movement
        self.movement = movement
        self.expect(estimate, epochs, last, target)

    def told(self, gap: float, epochs: int, last: Entry, target: float) -> None:
        """After ``epochs`` passes the steps themselves tell that gap; ``last`` is the certificate before."""
        self.expect(gap, epochs, last, target)

    def expect(self, gap: float, epochs: int, last: Entry, target: float) -> None:
        """A certificate is due where such a gap meets the target, unless the last one was just made."""
        if gap <= target and epochs >= last.epochs + nearest(last.epochs - self.begun):
            self.due = epochs

    def certified(self, history: Sequence[Entry], epochs: int, finite: bool, target: float) -> None:
        """After ``epochs`` passes there was a certificate, the last of ``history`` if it is finite."""
        gap = history[-1].gap if finite and history else math.inf
        if math.isfinite(self.ratio) and self.ratio * self.movement <= target and gap > TRUSTED * target:
            self.ratio = math.nan
        elif self.by_movement and self.movement > 0 and math.isfinite(gap):
            self.ratio = gap / self.movement
        left = max(1, self.max_epochs - epochs)
        furthest = (
            max(FURTHEST, (epochs - self.begun) // 2)
            if self.by_movement or self.tells
            else self.by_rate(history, epochs - self.begun, finite, target)
        )
        self.due = epochs + min(left, furthest)

    def by_rate(self, history: Sequence[Entry], epochs: int, finite: bool, target: float) -> int:
        """Passes until the next certificate, >= 1, from the last two; epochs: since ``begun``."""
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
    """||after - before||^2, summed in the order of the entries, so bit-identical on every machine."""
    total = 0.0
    for j in range(before.size):
        step = after[j] - before[j]
        total = total + step * step
    return total
