"""Compiled L2, elastic net and NonNegative: the kernels from u to w, and of value, conjugate and residual. Each is the
counterpart of a function of ``Regularizer``."""

import math
from typing import Any

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.rows import NO_LIMITS, Limits, beyond
from dualgap.reference.problem.nonnegative import NonNegative
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer


def require_compiled(regularizer: Regularizer) -> None:
    """Raise ValueError for a regularizer whose formulas are not compiled: a class of one's own, also one that derives
    from a built-in one.
    """
    if type(regularizer) not in (Regularizer, L2, ElasticNet, NonNegative, PNorm):
        raise ValueError(
            "compiled methods and problems of blocks or weights take L2, ElasticNet, NonNegative or PNorm (got"
            f" {regularizer!r}): a regularizer of one's own is a GeneralRegularizer and runs with backend 'reference'"
            " and method sdca, aspdc or pdcp"
        )


def limits_of(regularizer: Any) -> Limits:
    """Return the limits for w_j = beyond(v_j, limits). A regularizer without a soft threshold does not use them."""
    if isinstance(regularizer, NonNegative):
        return Limits(-math.inf, regularizer.l1 / regularizer.lam)
    threshold = regularizer.threshold
    return NO_LIMITS if threshold is None else Limits(-threshold, threshold)


@kernel
def beyond_all(v, limits, out):
    """beyond(v_j, limits) for every j."""
    for j in range(v.size):
        out[j] = beyond(v[j], limits)


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
def regularizer_conjugate(minus_u, kappa, centre, mu, limits):
    """g*(-u) = (mu/2)||grad g*(-u)||^2 (reference: Regularizer.conjugate)."""
    total = 0.0
    for j in range(minus_u.size):
        w_j = beyond(point_of(minus_u[j], kappa, centre[j], mu), limits)
        total = total + w_j * w_j
    return mu * total / 2.0


@kernel
def regularizer_residual(w, minus_u, kappa, centre, mu, limits):
    """g(w) + g*(-u) + u^T w (reference: Regularizer.residual)."""
    total = 0.0
    for j in range(w.size):
        v_j = point_of(minus_u[j], kappa, centre[j], mu)
        best = beyond(v_j, limits)
        total = total + mu * ((w[j] - best) * (w[j] - best)) / 2.0
        if limits.low != 0.0:
            r = limits.high if v_j > limits.high else limits.low if v_j < limits.low else v_j
            total = total + mu * (w[j] * (limits.high - r) if w[j] >= 0.0 else -w[j] * (r - limits.low))
    return total


@kernel
def regularizer_sizes(w, minus_u, kappa, centre, mu, limits, l1):
    """||w||, and mu (||w||^2 + ||grad g*(-u)||^2) + l1 ||w||_1 + kappa sum_j |w_j centre_j|.

    For coefficients >= 0 also mu sum_j |w_j v_j|: a v_j far below 0 belongs to the residual there.
    """
    squares = best = ones = cross = 0.0
    for j in range(w.size):
        v_j = point_of(minus_u[j], kappa, centre[j], mu)
        w_j = beyond(v_j, limits)
        squares, best = squares + w[j] * w[j], best + w_j * w_j
        if limits.low < -limits.high:
            best = best + abs(w[j] * v_j)
        ones, cross = ones + abs(w[j]), cross + abs(w[j] * centre[j])
    return math.sqrt(squares), mu * (squares + best) + l1 * ones + kappa * cross


@kernel
def regularizer_terms(w, minus_u, kappa, centre, mu, limits, l1):
    """What a certificate needs of a pair, in one call (``objective.RegularizerTerms``)."""
    value = regularizer_value(w, mu, l1, kappa, centre)
    conjugate = regularizer_conjugate(minus_u, kappa, centre, mu, limits)
    residual = regularizer_residual(w, minus_u, kappa, centre, mu, limits)
    length, size = regularizer_sizes(w, minus_u, kappa, centre, mu, limits, l1)
    return value, conjugate, residual, length, size
