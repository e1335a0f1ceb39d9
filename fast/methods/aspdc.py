"""ASPDC, Algorithm 1, compiled: the counterpart of ``dualgap.reference.methods.aspdc``, same steps, bit-identical
results.

Per step O(nnz of the row). alpha_i is always written; only the loop over the row may be left out where Delta is zero,
which no bit shows (``rows.update_unconditionally``).
"""

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastDualMethod
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.losses import derivative
from dualgap.fast.problem.prefetch import DISTANCE, fetch_numbers, inner_fetching
from dualgap.fast.problem.rows import update, update_unconditionally


@kernel
def aspdc_steps(rows, run, state, choices):
    """Lines 4 to 7 for every choice."""
    moved = 0
    for t in range(choices.size):
        fetch_numbers(rows, choices, t, choices.size - 1, run.y, state.alpha)
        ahead = np.uint64(choices[min(t + DISTANCE, choices.size - 1)])
        i = choices[t]  # ASPDC line 4
        z = inner_fetching(rows, i, state.v, run.threshold, ahead)
        alpha_i = derivative(run.code, run.gamma, z, run.y[i])  # ASPDC line 5, eq. (4)
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i  # ASPDC line 6
        if update_unconditionally(rows, t, moved) or delta != 0.0:
            update(rows, i, delta / run.scale, state.v)  # ASPDC line 7
        moved += delta != 0.0


@register_compiled_method
class FastASPDC(FastDualMethod):
    """Algorithm 1.

    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
    >>> state = FastASPDC().run(problem, [0, 1])
    >>> FastASPDC().view(problem, state)[0].tolist()
    [0.25, -0.25]
    """

    name = "aspdc"
    kernel = aspdc_steps
