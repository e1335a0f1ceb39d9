"""Sums over the rows for P, D and the gap, each in the order of the rows, as in the reference.

The terms of ``BLOCK`` rows are computed first, in a loop that becomes vector code, and then added up in that order.
"""

import math

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.losses import LOGISTIC, SMOOTHED_HINGE, derivative, logistic, logistic_terms, terms
from dualgap.fast.problem.losses import value as value_of
from dualgap.fast.problem.rows import DENSE, bounds, column, combine, part, products, value

BLOCK = 128
NO_WEIGHTS = np.empty(0)
NEAR = 64  # dense rows, a multiple of 8 and of 4


@kernel(inline=True)
def weight_of(weights, i):
    """s_i; ``weights`` is empty where all are 1."""
    return weights[i] if weights.size > 0 else 1.0


@kernel
def weighted(weights, x):
    """s_i x_i for every row."""
    return weights * x if weights.size > 0 else x


@kernel
def row_sums(code, gamma, weights, z, alpha, y, before):
    """The three sums of ``objective.Sums``, each term times the weight of its row, after those of earlier rows. The
    arrays made here overlap with no other, as vector code needs to know.
    """
    values, conjugates, residuals = before
    phis, stars, excesses = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, z.size, BLOCK):
        z_of, alpha_of, y_of = z[start : start + BLOCK], alpha[start : start + BLOCK], y[start : start + BLOCK]
        terms_of_rows(code, gamma, z_of, alpha_of, y_of, phis, stars, excesses)
        for i in range(z_of.size):
            one = weight_of(weights, start + i)
            values, conjugates = values + one * phis[i], conjugates + one * stars[i]
            residuals = residuals + one * excesses[i]
    return values, conjugates, residuals


@kernel
def terms_of_rows(code, gamma, z, alpha, y, phis, stars, excesses):
    """``terms`` of every row."""
    if code == LOGISTIC:
        for i in range(z.size):  # from 0 on: an index that might be negative is no vector code
            phis[i], stars[i], excesses[i] = logistic_terms(y[i] * z[i], -y[i] * alpha[i])
    elif code == SMOOTHED_HINGE:  # as a constant: else LLVM leaves it in the loop, four times as slow
        for i in range(z.size):
            phis[i], stars[i], excesses[i] = terms(SMOOTHED_HINGE, gamma, z[i], alpha[i], y[i])
    else:
        for i in range(z.size):
            phis[i], stars[i], excesses[i] = terms(code, gamma, z[i], alpha[i], y[i])


@kernel
def derivatives(code, gamma, z, y, out):
    """phi_i'(z_i) for every row."""
    if code == LOGISTIC:
        for i in range(z.size):
            out[i] = -y[i] * logistic(-(y[i] * z[i]))
        return
    for i in range(z.size):
        out[i] = derivative(code, gamma, z[i], y[i])


@kernel
def values(code, gamma, weights, z, y):
    """The first sum of ``row_sums``."""
    total = 0.0
    if code == LOGISTIC:
        phi = np.empty(BLOCK)
        for start in range(0, z.size, BLOCK):
            z_of, y_of = z[start : start + BLOCK], y[start : start + BLOCK]
            for i in range(z_of.size):
                phi[i] = logistic_terms(y_of[i] * z_of[i], 0.0)[0]
            for i in range(z_of.size):
                total = total + weight_of(weights, start + i) * phi[i]
        return total
    for i in range(z.size):
        total = total + weight_of(weights, i) * value_of(code, gamma, z[i], y[i])
    return total


@kernel
def sums_at_zero(code, gamma, weights, y):
    """``row_sums`` at z = alpha = 0: the terms of the labels -1 and 1 are computed once, the sums made term by term."""
    values = conjugates = residuals = 0.0
    minus, plus = terms_at_zero(code, gamma, -1.0), terms_at_zero(code, gamma, 1.0)
    known = plus == minus  # as for a function of y z: then no branch depends on the label
    for i in range(y.size):
        phi, star, excess = plus if known and abs(y[i]) == 1.0 else terms_at_zero(code, gamma, y[i])
        one = weight_of(weights, i)
        values, conjugates, residuals = values + one * phi, conjugates + one * star, residuals + one * excess
    return values, conjugates, residuals


@kernel
def terms_at_zero(code, gamma, y):
    """``terms`` at z = alpha = 0."""
    return terms(code, gamma, 0.0, 0.0, y)


@kernel(inline=True)
def sizes_of_row(gamma, z, alpha, y, norm2):
    """|y alpha| + gamma alpha^2 + |alpha z| + |z|, and |alpha| ||x_i||."""
    size = abs(alpha)
    return size * (abs(y) + gamma * size + abs(z)) + abs(z), size * math.sqrt(norm2)


@kernel
def products_and_shares(rows, w, alpha, z, total):
    """z <- X w, and sum_i alpha_i x_i, added to total, with each row read once: for sparse rows."""
    for i in range(z.size):
        z_i, share, (first, end) = 0.0, alpha[i], bounds(rows, i)
        for place in range(first, end):
            j, x = column(rows, place), value(rows, i, place)
            z_i, total[j] = z_i + x * w[j], total[j] + share * x
        z[i] = z_i


@kernel
def rows_near(rows, n):
    """Return how many rows of n a cache holds, a multiple of 8: 2^15 entries at most, where rows are not long."""
    entries = rows.X.size if len(rows) == DENSE else rows.data.size
    return max(8, min(8 * BLOCK, 32768 * n // (entries + 1))) // 8 * 8


@kernel
def products_and_slopes(rows, losses, weights, p, shift, t, start, steps, z, alpha, total):
    """steps_i <- x_i^T p + shift, z <- start + t steps, alpha_i <- phi_i'(z_i); total <- total + sum_i s_i alpha_i x_i.

    For dense or sparse rows; weights is empty where all s_i are 1. A row is read again while it is near.
    """
    code, gamma, y, _ = losses
    size = rows_near(rows, z.size)
    for first in range(0, z.size, size):
        stop = min(first + size, z.size)
        block, z_of, alpha_of = part(rows, first, stop), z[first:stop], alpha[first:stop]
        products(block, p, steps[first:stop])
        for i in range(first, stop):
            steps[i] = steps[i] + shift
            z[i] = start[i] + t * steps[i]
        derivatives(code, gamma, z_of, y[first:stop], alpha_of)
        combine(block, weighted(weights[first:stop], alpha_of), total)


@kernel
def evaluate(rows, losses, weights, w, alpha, total, room):
    """``row_sums`` and ``magnitudes`` at z = Xw, and sum_i s_i alpha_i x_i, added to total, with each row read once. If
    room is not empty, phi_i'(z_i) is written to it and takes the place of alpha_i.
    """
    sums, sizes = (0.0, 0.0, 0.0), (0.0, 0.0)
    code, gamma, y, norms2 = losses
    z_of, a_of, near, slopes = np.empty(8 * BLOCK), np.empty(8 * BLOCK), rows_near(rows, y.size), room.size > 0
    for start in range(0, y.size, z_of.size):
        stop = min(start + z_of.size, y.size)
        z, a, y_of, of = z_of[: stop - start], a_of[: stop - start], y[start:stop], weights[start:stop]
        if not slopes:
            a[:] = alpha[start:stop]
        if slopes or len(rows) == DENSE:  # a row is read again while it is near
            for first in range(0, z.size, near):
                here = slice(first, min(first + near, z.size))
                block = part(rows, start + here.start, start + here.stop)
                products(block, w, z[here])
                if slopes:
                    derivatives(code, gamma, z[here], y_of[here], a[here])
                    room[start + here.start : start + here.stop] = a[here]
                combine(block, weighted(of[here], a[here]), total)
        else:
            products_and_shares(part(rows, start, stop), w, weighted(of, a), z, total)
        sums, sizes = sums_and_sizes(code, gamma, of, z, a, y_of, norms2[start:stop], sums, sizes)
    return sums, sizes


@kernel
def sums_and_sizes(code, gamma, weights, z, alpha, y, norms2, sums, sizes):
    """``row_sums`` and ``magnitudes`` after those of earlier rows. No sum waits for another one."""
    (values, conjugates, residuals), (rows, lengths) = sums, sizes
    phis, stars, excesses = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    of_rows, of_lengths = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, z.size, BLOCK):
        stop = min(start + BLOCK, z.size)
        z_of, alpha_of, y_of, of = z[start:stop], alpha[start:stop], y[start:stop], norms2[start:stop]
        terms_of_rows(code, gamma, z_of, alpha_of, y_of, phis, stars, excesses)
        sizes_of_rows(gamma, weights[start:stop], z_of, alpha_of, y_of, of, of_rows, of_lengths)
        for i in range(z_of.size):
            one = weight_of(weights, start + i)
            values, conjugates = values + one * phis[i], conjugates + one * stars[i]
            residuals = residuals + one * excesses[i]
            rows, lengths = rows + one * of_rows[i], lengths + one * of_lengths[i]
    return (values, conjugates, residuals), (rows, lengths)


@kernel
def sizes_of_rows(gamma, weights, z, alpha, y, norms2, rows, lengths):
    """``sizes_of_row`` of every row; norms2 is s_i ||x_i||^2."""
    if weights.size > 0:
        norms2 = norms2 / weights
    for i in range(z.size):
        rows[i], lengths[i] = sizes_of_row(gamma, z[i], alpha[i], y[i], norms2[i])


@kernel
def magnitudes(gamma, weights, z, alpha, y, norms2):
    """Sums over the rows of ``sizes_of_row``, each times its weight."""
    of_rows, of_lengths, rows, lengths = np.empty(z.size), np.empty(z.size), 0.0, 0.0
    sizes_of_rows(gamma, weights, z, alpha, y, norms2, of_rows, of_lengths)
    for i in range(z.size):
        one = weight_of(weights, i)
        rows, lengths = rows + one * of_rows[i], lengths + one * of_lengths[i]
    return rows, lengths
