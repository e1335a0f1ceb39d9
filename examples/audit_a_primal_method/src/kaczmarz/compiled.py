"""Randomized Kaczmarz, compiled: the operations of ``method`` in the same order, so that every bit is the same."""

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.rows import NO_LIMITS, inner, update
from kaczmarz.method import Iterate


@kernel
def kaczmarz_steps(rows, b, norms2, x, choices):
    """Make one step for each choice; ``rows`` may have any storage."""
    for i in choices:
        update(rows, i, (inner(rows, i, x, NO_LIMITS) - b[i]) / norms2[i], x)


class FastIterate(FastState, Iterate):
    """x as an array."""

    __slots__ = ()


class _Fast(FastMethod[FastIterate]):
    def init(self, system, x=None):
        return FastIterate(x=np.zeros(system.d) if x is None else np.array(x, dtype=np.float64))

    def steps(self, system, state, choices):
        data = arrays(system)
        kaczmarz_steps(data.matrix, data.y, data.norms2, state.x, choices)

    def view(self, system, state):
        return state.x.copy(), None


@register_compiled_method
class FastKaczmarz(_Fast):
    """The kernel above."""

    name = "kaczmarz"


@register_compiled_method
class FastUniformKaczmarz(_Fast):
    """The same steps: what is drawn is the reference's."""

    name = "kaczmarz-uniform"
