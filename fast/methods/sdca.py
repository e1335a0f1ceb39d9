"""SDCA, compiled: the counterpart of ``dualgap.reference.methods.sdca``, same steps, same bits. See ``aspdc`` for the skipped loop."""

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.specialized.compact import CompactDualMethod, fetch_compact, inner_compact, update_compact
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.prefetch import DISTANCE, fetch_numbers, inner_fetching, prefetch
from dualgap.fast.problem.rows import inner_dense, update_dense, update_sparse, update_unconditionally


@kernel
def sdca_sparse(indptr, indices, data, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 3 to 6 for every choice, X in CSR."""
    moved = 0
    for t in range(choices.size):
        prefetch(norms2, fetch_numbers(choices, t, choices.size - 1, indptr, y, alpha))
        ahead = np.uint64(choices[min(t + DISTANCE, choices.size - 1)])
        i = choices[t]                                                                      # SDCA line 3
        z = inner_fetching(indptr, indices, data, i, v, threshold, ahead)
        alpha_i = dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale)              # SDCA line 4
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # SDCA line 5
        if update_unconditionally(indptr, t, moved) or delta != 0.0:
            update_sparse(indptr, indices, data, i, delta / scale, v)                       # SDCA line 6
        moved += delta != 0.0


@kernel
def sdca_dense(X, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 3 to 6 for every choice, X dense."""
    for t in range(choices.size):
        i = choices[t]                                                                      # SDCA line 3
        z = inner_dense(X, i, v, threshold)
        alpha_i = dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale)              # SDCA line 4
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # SDCA line 5
        if delta != 0.0:
            update_dense(X, i, delta / scale, v)                                            # SDCA line 6


@kernel
def sdca_compact(indptr, indices, values, scales, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """Lines 3 to 6 for every choice, on the rows and in the arithmetic of ``compact``."""
    inverse, moved = 1.0 / scale, 0
    for t in range(choices.size):
        fetch_compact(choices, t, indptr, indices, values, scales, y, norms2, alpha)
        i = np.uint64(choices[t])                                                           # SDCA line 3
        z = scales[i] * inner_compact(indptr, indices, values, i, v, threshold)
        alpha_i = dual_step(code, gamma, z, alpha[i], y[i], norms2[i] * inverse)            # SDCA line 4
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # SDCA line 5
        if update_unconditionally(indptr, t, moved) or delta != 0.0:
            update_compact(indptr, indices, values, i, delta * (scales[i] * inverse), v)    # SDCA line 6
        moved += delta != 0.0


@register_compiled_method
class FastSDCA(CompactDualMethod):
    """Procedure SDCA; a permuted pass is SDCA-Perm.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> FastSDCA().run(problem, [0, 1]).alpha.tolist()
    [-1.0, 1.0]
    """

    name = "sdca"
    kernels = (sdca_sparse, sdca_dense)
    compact = sdca_compact
