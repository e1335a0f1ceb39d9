"""Method "auto" in turns: a method whose gap does not fall fast enough makes way for another one, by counted passes and
never by the clock.

A turn ends after its portion of passes, at a certificate, unless the rate at which the bound fell over the second half
of the turn says that the tolerance is met within another portion. The next method starts at the alpha of the best pair,
or at 0 where it takes no alpha; when all have had their turn the first one goes on, and portions double. A method goes
on in the state in which it stopped, where that is more than alpha: momentum and averages are not lost. SDCA has none to
lose, and starts at the best alpha again. The first choice has four times the portion of another (``auto.FAVOUR``), so
that of three methods it has two passes in three. On 212 small problems a run took at most 1.28 times the passes of the
first choice alone, where that converged; nothing is proved. Where none converges, the gap can end up larger than with
one method alone. Nothing but the problem and the certificates decides: the same call takes the same turns again, and so
does a run that continues from a checkpoint.
"""

import math
from collections.abc import Sequence

from dualgap.fast.solver.result import Entry

LARGEST = 200  # turns that a checkpoint can tell of
TINY = 1e-300  # a bound that no tolerance requires


class Turns:
    """Whose turn it is.

    Parameters
    ----------
    portions : passes of the first turn of each method, infinite where there is one method

    Attributes
    ----------
    turn, base, until : the number of this turn, and the passes after which it began and after which it may end

    >>> turns = Turns((40, 10))
    >>> [(turns.next(50 * k), turns.until) for k in range(1, 4)]
    [(1, 60.0), (0, 180.0), (1, 170.0)]
    """

    def __init__(self, portions: Sequence[float]) -> None:
        self.portions = portions
        self.turn, self.base, self.until = 0, 0, portions[0]

    @property
    def which(self) -> int:
        """The number of the method whose turn it is."""
        return self.turn % len(self.portions)

    def portion(self) -> float:
        """Passes of this turn."""
        return self.portions[self.which] * float(2 ** (self.turn // len(self.portions)))

    def next(self, epochs: int) -> int:
        """The next turn begins after so many passes; the number of its method."""
        self.turn, self.base = self.turn + 1, epochs
        self.until = epochs + self.portion()  # infinite: this one stays
        return self.which

    def over(self, history: Sequence[Entry], status: str | None, goal: float) -> bool:
        """Return whether this turn ends at the last certificate; status of the run, goal: the bound that ends it."""
        if (
            len(self.portions) == 1
            or status is not None
            and (status not in ("diverged", "stalled") or self.turn + 1 >= len(self.portions))
        ):
            return False
        if status is not None:
            return True
        epochs = history[-1].epochs
        if epochs < self.until:
            return False
        left = passes_left(history, self.base, goal)
        if left > self.portion():
            return True
        self.until = epochs + max(1, math.ceil(left))
        return False


def passes_left(history: Sequence[Entry], base: int, goal: float) -> float:
    """Passes until the bound is goal at the rate of the second half of those after base; infinite if it does not
    fall.

    >>> entries = [Entry(k, 0.0, 1.0, 0.0, 10.0**-k, 10.0**-k) for k in range(5)]
    >>> round(passes_left(entries, 0, 1e-7), 9), passes_left(entries[::-1], 0, 1e-7)
    (3.0, inf)
    """
    now, goal = history[-1], max(goal, TINY)
    earlier = [entry for entry in history if base < entry.epochs < now.epochs or entry.epochs == base == 0]
    if not earlier:
        return math.inf
    halfway = [entry for entry in earlier if 2 * (entry.epochs - base) <= now.epochs - base]
    before = halfway[-1] if halfway else earlier[0]
    if now.gap_bound <= goal:
        return 0.0
    if not now.gap_bound < before.gap_bound < math.inf:
        return math.inf
    return math.log(now.gap_bound / goal) / math.log(before.gap_bound / now.gap_bound) * (now.epochs - before.epochs)
