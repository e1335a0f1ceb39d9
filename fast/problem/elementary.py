"""exp, 1 - e^-x, log and log1p, compiled: the counterparts of ``dualgap.reference.numbers.elementary``, the same bits,
without a branch.

What the reference asks first (NaN, x <= 0) is not asked here: exp takes x <= 0, one_minus_exp x >= 0, and both give NaN
for NaN; log takes 0 < x < infinity, log1p 0 <= x < 2^1023, and both give some double for anything else. A loop of them
becomes vector code.
"""

from dualgap.fast.compiler.doubles import power_of_two, quotient, split
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.select import select

LN2_HIGH = float.fromhex("0x1.62e42fefa3p-1")  # as in the reference; here, so that an edit compiles the kernels again
LN2_LOW = float.fromhex("0x1.3de6af278ece6p-42")
PER_LN2 = float.fromhex("0x1.71547652b82fep+0")
TO_INTEGER = 1.5 * 2.0**52
LEAST = -746.0
LARGE = 40.0
LEAST_NORMAL = 2.0**-1022


@kernel
def exp(x):
    """e^x (reference: elementary.exp)."""
    k, r = reduced(select(x < LEAST, LEAST, x))
    half = (k * 0.5 + TO_INTEGER) - TO_INTEGER
    return (1.0 + power_series(r)) * power_of_two(half) * power_of_two(k - half)


@kernel
def one_minus_exp(x):
    """1 - e^-x (reference: elementary.one_minus_exp)."""
    k, r = reduced(-select(x > LARGE, LARGE, x))
    power = power_of_two(k)
    return (1.0 - power) - power * power_series(r)


@kernel
def reduced(x):
    """The integer k and r with x = k ln 2 + r."""
    k = (x * PER_LN2 + TO_INTEGER) - TO_INTEGER
    return k, (x - k * LN2_HIGH) - k * LN2_LOW


@kernel
def power_series(r):
    """r + r^2/2! + ... + r^13/13!."""
    r2 = r * r
    r4 = r2 * r2
    r6 = r2 * r4
    first = (1.0 / 2.0 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0))
    second = (1.0 / 720.0 + r * (1.0 / 5040.0)) + r2 * (1.0 / 40320.0 + r * (1.0 / 362880.0))
    third = (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) + r2 * (1.0 / 479001600.0 + r * (1.0 / 6227020800.0))
    return (r + r2 * first) + (r6 * second + (r6 * r4) * third)


@kernel
def log(x):
    """ln x (reference: elementary.log)."""
    small = x < LEAST_NORMAL  # which ``split`` does not take
    m, k = split(select(small, x * 2.0**54, x))
    k = select(small, k - 54.0, k)
    return log_near_1(m - 1.0, k, k * LN2_LOW)


@kernel
def log1p(x):
    """ln(1 + x) (reference: elementary.log1p)."""
    u = 1.0 + x
    lost = select(x < 1.0, x - (u - 1.0), 1.0 - (u - x))
    m, k = split(u)
    return log_near_1(m - 1.0, k, k * LN2_LOW + quotient(lost, u))


@kernel
def log_near_1(f, k, rest):
    """k LN2_HIGH + ln(1 + f) + rest."""
    s = quotient(f, 2.0 + f)
    z, half = s * s, f * f * (1.0 / 2.0)
    return k * LN2_HIGH + (f - (half - (s * (half + 2.0 * z * odd_part(z)) + rest)))


@kernel
def odd_part(z):
    """R(z) = 1/3 + z/5 + z^2/7 + ... + z^9/21."""
    z2 = z * z
    z4 = z2 * z2
    first = (1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (1.0 / 7.0 + z * (1.0 / 9.0))
    second = (1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (1.0 / 15.0 + z * (1.0 / 17.0))
    return first + z4 * (second + z4 * (1.0 / 19.0 + z * (1.0 / 21.0)))


@kernel
def bregman(b, p, log_b, log_p, delta):
    """b ln(b/p) - b + p for delta = b - p (reference: elementary.bregman); log_b is ln b, of use where b > 0."""
    s = quotient(delta, b + p)
    near = s * delta * (1.0 + (1.0 + s) * (s * odd_part(s * s)))
    far = select(b > 0.0, b * (log_b - log_p), 0.0) - delta
    return select(4.0 * abs(delta) < p, near, far)
