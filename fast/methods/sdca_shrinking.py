"""SDCA with shrinking, compiled: the counterpart of ``dualgap.reference.methods.sdca_shrinking``, same steps, same
bits.

The rows to come are known as far ahead as there are choices: in a pass place s is drawn from the places s and behind,
which the steps before do not touch. So the shuffle comes before the steps, and rows are prefetched in time.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import prefetch
from dualgap.fast.compiler.select import select
from dualgap.fast.methods.base import DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import LOGISTIC, SQUARED, dual_step
from dualgap.fast.problem.prefetch import DISTANCE, fetch_numbers, inner_fetching
from dualgap.fast.problem.registered_losses import kinked
from dualgap.fast.problem.rows import update, update_unconditionally
from dualgap.reference.methods.sdca_shrinking import ShrinkingState
from dualgap.reference.problem.problem import Problem

SOLVED = 100.0  # reference: sdca_shrinking.SOLVED


@kernel
def shuffle(active, s, stop, size, choices, n):
    """Draw the places s to stop - 1 of a pass over active[:size]."""
    for k in range(stop - s):
        here = np.uint64(s + k)
        place = here + np.uint64(choices[k]) * np.uint64(size - s - k) // np.uint64(n)
        active[here], active[place] = active[place], active[here]


@kernel(inline=True)
def slope_of(code, gamma, z, alpha_i, y_i):
    """|G_i| (reference: ShrinkingSDCA.slope)."""
    if code == SQUARED or code == LOGISTIC or not kinked(code):
        return 0.0
    return abs(y_i + gamma * alpha_i - z)


@kernel(inline=True)
def sort_in(active, s, kept, stays):
    """Put the row in place s among those that stay, if it does; how many these are. Whether it does is a toss-up."""
    i, other = active[s], active[kept]
    active[s] = select(stays, other, i)
    active[kept] = select(stays, i, other)
    return kept + np.int64(stays)


@kernel
def end_pass(n, size, kept, violation, tolerance):
    """Size, threshold and tolerance of the next pass (reference: ShrinkingSDCA.end_pass)."""
    if size == n:
        tolerance = violation / SOLVED
    if violation <= tolerance:
        return n, 0.0, tolerance
    return kept, violation, tolerance


@kernel
def shrinking_steps(rows, run, state, active, places, bounds, choices):
    """A step for every choice; places and bounds are the whole and the real numbers of the state."""
    n, (size, begin, kept), (threshold, violation, tolerance) = active.size, places, bounds
    made = 0
    while made < choices.size:
        stop, moved = min(size, begin + choices.size - made), 0
        shuffle(active, begin, stop, size, choices[made:], n)
        for s in range(begin, stop):
            prefetch(run.norms2, fetch_numbers(rows, active, s, stop - 1, run.y, state.alpha))
            ahead = np.uint64(active[min(s + DISTANCE, stop - 1)])
            i = np.uint64(active[s])
            z = inner_fetching(rows, i, state.v, run.threshold, ahead)
            slope = slope_of(run.code, run.gamma, z, state.alpha[i], run.y[i])
            # SDCA line 4
            alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale)
            delta = alpha_i - state.alpha[i]
            state.alpha[i] = alpha_i  # SDCA line 5
            moves = delta != 0.0
            violation = select(moves and slope > violation, slope, violation)
            kept = sort_in(active, s, kept, moves or threshold == 0.0 or slope <= threshold)
            if update_unconditionally(rows, s - begin, moved) or moves:
                update(rows, i, delta / run.scale, state.v)  # SDCA line 6
            moved += moves
        made, begin = made + stop - begin, stop
        if begin == size:
            size, threshold, tolerance = end_pass(n, size, kept, violation, tolerance)
            begin, kept, violation = 0, 0, 0.0
    return (size, begin, kept), (threshold, violation, tolerance)


class FastShrinkingState(FastDualState, ShrinkingState):
    """The fields of the reference's ShrinkingState, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastShrinkingSDCA(FastDualMethod):
    """SDCA-Perm over the active rows.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> FastShrinkingSDCA().run(problem, [0, 1]).alpha.tolist()
    [-1.0, 1.0]
    """

    name = "sdca-shrinking"
    kernel = shrinking_steps

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastDualState:
        start = super().init(problem, alpha)
        return FastShrinkingState(
            v=start.v,
            alpha=start.alpha,
            active=np.arange(problem.n),
            size=problem.n,
            position=0,
            kept=0,
            threshold=0.0,
            violation=0.0,
            tolerance=0.0,
        )

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective, vectors = self.native(problem), DualVectors(state.v, state.alpha)
        whole, real = (state.size, state.position, state.kept), (state.threshold, state.violation, state.tolerance)
        places, bounds = shrinking_steps(
            objective.arrays.matrix, step_numbers(objective), vectors, state.active, whole, real, choices
        )
        state.size, state.position, state.kept = places
        state.threshold, state.violation, state.tolerance = bounds
