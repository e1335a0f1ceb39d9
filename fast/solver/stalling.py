"""Whether the gap of a run still falls: questions about its certificates so far."""

import math
from collections.abc import Sequence

from dualgap.fast.problem.gap_bound import UNIT
from dualgap.fast.solver.result import Entry

PATIENCE = 200  # passes before a run can be called stalled
STANDSTILL = 64  # the same of Newton's method, which by then has halved a step as often as bits have room for


def beyond_doubles(history: Sequence[Entry], target: float) -> bool:
    """Return whether the gap met the target twice in a row, gap_bound did not, and gap_bound no longer improves."""
    if len(history) < 2:
        return False
    before, last = history[-2:]
    return max(before.gap, last.gap) <= target and last.gap_bound > before.gap_bound / 2


def no_longer_falls(history: Sequence[Entry], base: int, rounding: float, checked: bool, descends: bool) -> bool:
    """Return whether the second half of the passes of a turn has no smaller gap than the quarter before it.

    If a theorem holds, the gap of the method falls to the level of rounding, if only in the mean and however slowly.
    Then the test applies only to gaps at that level, or of a P that no longer falls if each point of the method
    lowers P or the gap.

    Parameters
    ----------
    base : the passes after which the turn began.
    rounding : the level of rounding of the last gap.
    checked : whether the problem satisfies the hypotheses of the method's theorem.
    descends : whether each point of the method lowers P or the gap.
    """
    last = history[-1]
    made = last.epochs - base
    if made < (STANDSTILL if descends else PATIENCE) or (checked and last.gap > rounding and not descends):
        return False
    later = [e for e in history if 2 * (e.epochs - base) > made]
    earlier = [e for e in history if 4 * (e.epochs - base) > made >= 2 * (e.epochs - base)]
    least = min((e.gap for e in earlier), default=math.inf)
    # Newton's method halves the gap, or lowers P
    if min(e.gap for e in later) < (least / 2 if descends and math.isfinite(least) else least):
        return False
    fall = min((e.primal for e in earlier), default=math.inf) - min(e.primal for e in later)
    return last.gap <= rounding or not checked or fall <= 4 * UNIT * abs(last.primal)
