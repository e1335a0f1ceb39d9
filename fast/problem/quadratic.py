"""The kernels of a quadratic regularizer: from u to w, its value, conjugate and residual, each the counterpart of one
of ``Regularizer``.
"""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.rows import soft


@kernel
def soft_all(v, threshold, out):
    """soft(v_j, threshold) for every j."""
    for j in range(v.size):
        out[j] = soft(v[j], threshold)


@kernel(inline=True)
def point_of(minus_u, kappa, centre, mu):
    """(-u_j + kappa centre_j)/mu; + 0 turns the negative zero of an underflow into 0."""
    return (minus_u + kappa * centre) / mu + 0.0


@kernel
def dual_point(minus_u, kappa, centre, mu, out):
    """``point_of`` for every j."""
    for j in range(minus_u.size):
        out[j] = point_of(minus_u[j], kappa, centre[j], mu)


@kernel
def regularizer_value(w, mu, l1, kappa, centre):
    """g(w), without the constant (kappa/2)||centre||^2 (reference: Regularizer.value)."""
    squares = ones = cross = 0.0
    for j in range(w.size):
        squares = squares + w[j] * w[j]
        if l1 > 0.0:
            ones = ones + (w[j] if w[j] >= 0.0 else -w[j])
        cross = cross + w[j] * centre[j]
    return mu * squares / 2.0 + l1 * ones - kappa * cross


@kernel
def regularizer_conjugate(minus_u, kappa, centre, mu, threshold):
    """g*(-u) = (mu/2)||grad g*(-u)||^2 (reference: Regularizer.conjugate)."""
    total = 0.0
    for j in range(minus_u.size):
        w_j = soft(point_of(minus_u[j], kappa, centre[j], mu), threshold)
        total = total + w_j * w_j
    return mu * total / 2.0


@kernel
def regularizer_residual(w, minus_u, kappa, centre, mu, threshold, l1):
    """g(w) + g*(-u) + u^T w (reference: Regularizer.residual)."""
    total = 0.0
    for j in range(w.size):
        v_j = point_of(minus_u[j], kappa, centre[j], mu)
        best = soft(v_j, threshold)
        total = total + mu * ((w[j] - best) * (w[j] - best)) / 2.0
        if l1 > 0.0:
            r = threshold if v_j > threshold else -threshold if v_j < -threshold else v_j
            total = total + mu * (w[j] * (threshold - r) if w[j] >= 0.0 else -w[j] * (threshold + r))
    return total


@kernel
def regularizer_sizes(w, minus_u, kappa, centre, mu, threshold, l1):
    """||w||^2, and mu (||w||^2 + ||grad g*(-u)||^2) + l1 ||w||_1 + kappa sum_j |w_j centre_j|."""
    squares = best = ones = cross = 0.0
    for j in range(w.size):
        w_j = soft(point_of(minus_u[j], kappa, centre[j], mu), threshold)
        squares, best = squares + w[j] * w[j], best + w_j * w_j
        ones, cross = ones + abs(w[j]), cross + abs(w[j] * centre[j])
    return squares, mu * (squares + best) + l1 * ones + kappa * cross
