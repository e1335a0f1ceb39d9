"""ASPDC, Algorithm 1, compiled: the counterpart of ``dualgap.reference.methods.aspdc``, same steps, same bits.

Per step O(nnz of the row). alpha_i is always written; only the loop over the row may be left out where Delta is zero,
which no bit shows (``rows.update_unconditionally``).
"""

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.specialized.compact import CompactDualMethod, fetch_compact, inner_compact, update_compact
from dualgap.fast.problem.losses import derivative
from dualgap.fast.problem.prefetch import DISTANCE, fetch_numbers, inner_fetching
from dualgap.fast.problem.rows import inner_dense, update_dense, update_sparse, update_unconditionally


@kernel
def aspdc_sparse(indptr, indices, data, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 4 to 7 for every choice, X in CSR."""
    moved = 0
    for t in range(choices.size):
        fetch_numbers(choices, t, choices.size - 1, indptr, y, alpha)
        ahead = np.uint64(choices[min(t + DISTANCE, choices.size - 1)])
        i = choices[t]                                                                      # ASPDC line 4
        z = inner_fetching(indptr, indices, data, i, v, threshold, ahead)
        alpha_i = derivative(code, gamma, z, y[i])                                          # ASPDC line 5, eq. (4)
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # ASPDC line 6
        if update_unconditionally(indptr, t, moved) or delta != 0.0:
            update_sparse(indptr, indices, data, i, delta / scale, v)                       # ASPDC line 7
        moved += delta != 0.0


@kernel
def aspdc_dense(X, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 4 to 7 for every choice, X dense."""
    for t in range(choices.size):
        i = choices[t]                                                                      # ASPDC line 4
        z = inner_dense(X, i, v, threshold)
        alpha_i = derivative(code, gamma, z, y[i])                                          # ASPDC line 5, eq. (4)
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # ASPDC line 6
        if delta != 0.0:
            update_dense(X, i, delta / scale, v)                                            # ASPDC line 7


@kernel
def aspdc_compact(indptr, indices, values, scales, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 4 to 7 for every choice, on the rows and in the arithmetic of ``compact``."""
    inverse, moved = 1.0 / scale, 0
    for t in range(choices.size):
        fetch_compact(choices, t, indptr, indices, values, scales, y, norms2, alpha)
        i = np.uint64(choices[t])                                                           # ASPDC line 4
        z = scales[i] * inner_compact(indptr, indices, values, i, v, threshold)
        alpha_i = derivative(code, gamma, z, y[i])                                          # ASPDC line 5, eq. (4)
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # ASPDC line 6
        if update_unconditionally(indptr, t, moved) or delta != 0.0:
            update_compact(indptr, indices, values, i, delta * (scales[i] * inverse), v)    # ASPDC line 7
        moved += delta != 0.0


@register_compiled_method
class FastASPDC(CompactDualMethod):
    """Algorithm 1.

    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
    >>> state = FastASPDC().run(problem, [0, 1])
    >>> FastASPDC().view(problem, state)[0].tolist()
    [0.25, -0.25]
    """

    name = "aspdc"
    kernels = (aspdc_sparse, aspdc_dense)
    compact = aspdc_compact
