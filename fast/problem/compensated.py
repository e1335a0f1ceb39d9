"""Inner products and sums over the rows as if computed in twice the precision, then rounded once.

Algorithm Dot2 of Ogita, Rump and Oishi (Accurate Sum and Dot Product, SIAM J. Sci. Comput. 26, 2005, Proposition 5.5):
with ``two_sum`` (Knuth) and ``two_product`` (Dekker, Veltkamp), which give a sum or a product and its rounding error
exactly, the result of a sum of k products is off by at most

    u |x^T y| + g^2 |x|^T |y|,      g = k u/(1 - k u),   u = 2^-53,

where nothing under- or overflows. An underflow adds at most 5 k 2^-1074; factors above 2^996 overflow in ``split`` and
give NaN, which the caller must look for. About four times the time of a certificate in plain sums: for the certificates
that need it.
"""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.rows import bounds, column, value

SPLITTER = 134217729.0  # 2^27 + 1


@kernel(inline=True)
def two_sum(a, b):
    """s = fl(a + b) and e with s + e = a + b."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@kernel(inline=True)
def split(a):
    """high + low = a, with 26 bits each."""
    c = SPLITTER * a
    high = c - (c - a)
    return high, a - high


@kernel(inline=True)
def two_product(a, b):
    """p = fl(a b) and e with p + e = a b."""
    p = a * b
    a_high, a_low = split(a)
    b_high, b_low = split(b)
    return p, a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)


@kernel(inline=True)
def add_product(high, low, a, b):
    """(high, low) + a b."""
    p, p_error = two_product(a, b)
    s, s_error = two_sum(high, p)
    return s, low + (s_error + p_error)


@kernel
def products(rows, w, out, shift=0.0):
    """x_i^T w + shift for every row, shape (n,)."""
    for i in range(out.size):
        high, low = shift, 0.0
        first, end = bounds(rows, i)
        for place in range(first, end):
            high, low = add_product(high, low, value(rows, i, place), w[column(rows, place)])
        out[i] = high + low


@kernel
def combine(rows, alpha, high, low):
    """sum_i alpha_i x_i, added to high + low, shape (d,) each."""
    for i in range(alpha.size):
        first, end = bounds(rows, i)
        for place in range(first, end):
            j = column(rows, place)
            high[j], low[j] = add_product(high[j], low[j], alpha[i], value(rows, i, place))
