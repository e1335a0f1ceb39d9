"""What a step does with one row, and a pass with all of them, for CSR and for dense storage.

Sums run over the stored entries from the left, as in the reference; a dense row also adds its zeros, which changes
no bit of a finite sum. A CSR row i holds its entries in places ``indptr[i]`` to ``indptr[i + 1]``; columns come as
unsigned integers and places are made so, which spares the test for a negative index at each entry (a third of the
time of a pass). Multiplication and addition stay two roundings: nothing is fused, vectorised or reordered.
"""

import numpy as np

from dualgap.fast.compiler.kernel import kernel

ONE = np.uint64(1)


@kernel
def soft(v, threshold):
    """sign(v) max(|v| - threshold, 0) (reference: regularizers.soft).

    v minus v limited to [-threshold, threshold]: the same three differences as in the reference, without a branch
    that the processor could mispredict at every entry.
    """
    limited = v if v < threshold else threshold
    limited = limited if limited > -threshold else -threshold
    return v - limited


SHORT = 32  # entries


@kernel(inline=True)
def update_unconditionally(indptr, t, moved):
    """Whether to update v by the row of step t before it is known that Delta is not 0: rows are short, and ``moved`` of t did move.

    An increment of zero changes no bit, for v never holds a negative zero. To be wrong about whether an alpha_i stays at
    an end of its domain costs a processor more than the update of a short row (a tenth of the time of a pass with 14 entries).
    """
    return 2 * moved > t and np.int64(indptr[indptr.size - 1]) < SHORT * (indptr.size - 1)


# -- one row ----------------------------------------------------------------------------------------------
# L2 is threshold = 0: there soft(v_j, 0) is v_j, for v never holds a negative zero (objective.dual_point). LLVM makes two
# loops of the branch at an entry (a tenth faster on rows of 14); with two loops in the source numba counts references to
# the arrays at every row (a tenth slower).


@kernel(inline=True)
def inner_sparse(indptr, indices, data, i, v, threshold):
    """x_i^T soft(v, threshold) (reference: Problem.inner)."""
    row, z = np.uint64(i), 0.0
    for place in range(np.uint64(indptr[row]), np.uint64(indptr[row + ONE])):
        w_j = v[indices[place]]
        if threshold != 0.0:
            w_j = soft(w_j, threshold)
        z = z + data[place] * w_j
    return z


@kernel(inline=True)
def update_sparse(indptr, indices, data, i, c, v):
    """v <- v - c x_i (reference: Problem.update)."""
    row = np.uint64(i)
    for place in range(np.uint64(indptr[row]), np.uint64(indptr[row + ONE])):
        j = indices[place]
        v[j] = v[j] - c * data[place]


@kernel(inline=True)
def inner_dense(X, i, v, threshold):
    """x_i^T soft(v, threshold) (reference: Problem.inner)."""
    x = X[i]
    z = 0.0
    for j in range(x.size):
        z = z + x[j] * soft(v[j], threshold)
    return z


@kernel(inline=True)
def update_dense(X, i, c, v):
    """v <- v - c x_i (reference: Problem.update)."""
    x = X[i]
    for j in range(x.size):
        v[j] = v[j] - c * x[j]


@kernel
def gather(X, i, columns, values):
    """The entries of a dense row that are not 0, in order; how many."""
    count = 0
    for j in range(X.shape[1]):
        if X[i, j] != 0.0:
            columns[count], values[count] = j, X[i, j]
            count += 1
    return count


# -- all rows ---------------------------------------------------------------------------------------------


@kernel
def summed(x):
    """sum_j x_j, in the order of the entries: the same bits on every machine."""
    total = 0.0
    for j in range(x.size):
        total = total + x[j]
    return total


@kernel
def longest_row(indptr):
    """Stored entries of the longest row."""
    longest = np.int64(0)
    for i in range(indptr.size - 1):
        entries = np.int64(indptr[i + 1]) - np.int64(indptr[i])
        longest = entries if entries > longest else longest
    return longest


@kernel
def squared_length(x):
    """||x||^2, likewise."""
    total = 0.0
    for j in range(x.size):
        total = total + x[j] * x[j]
    return total


@kernel
def norms2_sparse(indptr, indices, data, out):
    """||x_i||^2 for every row, shape (n,) (reference: Problem.norms2)."""
    for i in range(out.size):
        total = 0.0
        for place in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            total = total + data[place] * data[place]
        out[i] = total


@kernel
def norms2_dense(X, out):
    """||x_i||^2 for every row, shape (n,) (reference: Problem.norms2)."""
    for i in range(out.size):
        x, total = X[i], 0.0
        for j in range(x.size):
            total = total + x[j] * x[j]
        out[i] = total


@kernel
def products_sparse(indptr, indices, data, w, out):
    """x_i^T w for every row, shape (n,) (reference: Problem.dot)."""
    for i in range(out.size):
        out[i] = inner_sparse(indptr, indices, data, i, w, 0.0)


@kernel
def products_dense(X, w, out):
    """x_i^T w for every row, shape (n,) (reference: Problem.dot)."""
    for i in range(out.size):
        out[i] = inner_dense(X, i, w, 0.0)


@kernel
def combine_sparse(indptr, indices, data, alpha, out):
    """sum_i alpha_i x_i, added to out, shape (d,) (reference: Problem.s)."""
    for i in range(alpha.size):
        alpha_i = alpha[i]
        for place in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            j = indices[place]
            out[j] = out[j] + alpha_i * data[place]


@kernel
def combine_dense(X, alpha, out):
    """sum_i alpha_i x_i, added to out, shape (d,) (reference: Problem.s)."""
    for i in range(alpha.size):
        x, alpha_i = X[i], alpha[i]
        for j in range(x.size):
            out[j] = out[j] + alpha_i * x[j]


NORMS2 = (norms2_sparse, norms2_dense)
PRODUCTS = (products_sparse, products_dense)
COMBINE = (combine_sparse, combine_dense)
