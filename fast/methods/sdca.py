"""SDCA, compiled: the counterpart of ``dualgap.reference.methods.sdca``, same steps, bit-identical results, for rows
with and without weights. See ``aspdc`` for the skipped loop.
"""

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import prefetch
from dualgap.fast.methods.base import FastDualMethod
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.prefetch import DISTANCE, fetch_numbers, inner_fetching
from dualgap.fast.problem.row_sums import weight_of
from dualgap.fast.problem.rows import update, update_unconditionally


@kernel
def sdca_steps(rows, run, state, choices):
    """Lines 3 to 6 for every choice."""
    moved = 0
    for t in range(choices.size):
        prefetch(run.norms2, fetch_numbers(rows, choices, t, choices.size - 1, run.y, state.alpha))
        ahead = np.uint64(choices[min(t + DISTANCE, choices.size - 1)])
        i = choices[t]  # SDCA line 3
        z = inner_fetching(rows, i, state.v, run.threshold, ahead)
        alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale)  # SDCA line 4
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i  # SDCA line 5
        if update_unconditionally(rows, t, moved) or delta != 0.0:
            update(rows, i, weight_of(run.weights, i) * delta / run.scale, state.v)  # SDCA line 6
        moved += delta != 0.0


@register_compiled_method
class FastSDCA(FastDualMethod):
    """Procedure SDCA; a permuted pass is SDCA-Perm.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> FastSDCA().run(problem, [0, 1]).alpha.tolist()
    [-1.0, 1.0]
    """

    name, weighted = "sdca", True
    kernel = sdca_steps
