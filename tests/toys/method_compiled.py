"""Half of every step of SDCA, compiled."""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastDualMethod
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.rows import inner_dense, inner_sparse, update_dense, update_sparse


@kernel
def half_sparse(indptr, indices, data, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """X in CSR."""
    for i in choices:
        z = inner_sparse(indptr, indices, data, i, v, threshold)
        delta = (dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale) - alpha[i]) / 2.0
        alpha[i] = alpha[i] + delta
        if delta != 0.0:
            update_sparse(indptr, indices, data, i, delta / scale, v)


@kernel
def half_dense(X, y, norms2, code, gamma, scale, threshold, v, alpha, choices):
    """X dense."""
    for i in choices:
        z = inner_dense(X, i, v, threshold)
        delta = (dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale) - alpha[i]) / 2.0
        alpha[i] = alpha[i] + delta
        if delta != 0.0:
            update_dense(X, i, delta / scale, v)


@register_compiled_method
class FastHalfSDCA(FastDualMethod):
    """The kernels above."""

    name = "toy-half-sdca"
    kernels = (half_sparse, half_dense)
