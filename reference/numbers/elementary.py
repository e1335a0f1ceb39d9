"""exp, 1 - e^-x, log and log1p of doubles, by ``+ - * /`` alone: bit-identical on every machine, and errors that are
proved.

The C library's functions differ by a unit in the last place from machine to machine, and promise no bound. These are
the textbook's:

    exp      x = k ln 2 + r, |r| <= (ln 2)/2:     e^x = 2^k (1 + q),     1 - e^x = (1 - 2^k) - 2^k q,     q = r + r^2/2! + ... + r^13/13!
    log      x = 2^k (1 + f), |f| < 0.42, s = f/(2 + f):     ln x = k ln 2 + 2 s + 2 s^3 R(s^2),     R(z) = 1/3 + z/5 + z^2/7 + ...
    log1p    1 + x = u + c, u the double next to it:     ln(1 + x) = ln u + c/u, up to (c/u)^2/2

ln 2 is ``LN2_HIGH + LN2_LOW``: k LN2_HIGH is exact, because LN2_HIGH has 41 bits. 2 s is f - f^2/2 + s f^2/2, where f
is exact. Sums are in pairs, so that a processor can add side by side; each pair is a line's or a bracket's own.

With u = 2^-53 exp and log are off by at most 9/4 u of themselves (exp below 2^-1022 by 2^-1074 more), 1 - e^-x by 3u,
log1p by 4u. The claim ``certificate.elementary`` proves it: it evaluates ``power_series`` and ``log_near_1`` below with
a bound of their roundings.
"""  # noqa: E501

import math
from typing import Any

Number = Any  # float; the proof of the bounds has its own type

LN2_HIGH = float.fromhex("0x1.62e42fefa3p-1")
LN2_LOW = float.fromhex("0x1.3de6af278ece6p-42")
PER_LN2 = float.fromhex("0x1.71547652b82fep+0")  # 1/ln 2
TO_INTEGER = 1.5 * 2.0**52  # added and subtracted, it rounds to the nearest integer
LEAST = -746.0  # e^-746 is closer to 0 than to the least double
LARGE = 40.0  # 1 - e^-40 is 1 in doubles
ROOT_HALF = float.fromhex("0x1.6a09e667f3bcdp-1")  # the double next to 1/sqrt(2)


def exp(x: float) -> float:
    """e^x, |error| <= 9/4 u e^x + 2^-1074, for x <= 0: nothing is proved of x > 0, which no caller has. NaN for NaN.

    2^k is two factors, both normal numbers, which every C library's ldexp gives exactly. Of their products only the
    second can round, once, below 2^-1022: a single ldexp into the subnormal numbers rounds on one C library and cuts
    off on another.

    >>> exp(0.0), exp(-1.0), exp(-746.0)
    (1.0, 0.36787944117144233, 0.0)
    """
    if math.isnan(x):
        return x
    k, r = reduced(LEAST if x < LEAST else x)
    half = (k * 0.5 + TO_INTEGER) - TO_INTEGER
    found: float = (1 + power_series(r)) * math.ldexp(1.0, int(half)) * math.ldexp(1.0, int(k - half))
    return found


def one_minus_exp(x: float) -> float:
    """1 - e^-x, |error| <= 3u (1 - e^-x), for x >= 0. NaN for NaN.

    >>> one_minus_exp(0.0), one_minus_exp(1e-300), one_minus_exp(1.0), one_minus_exp(1e9)
    (0.0, 1e-300, 0.6321205588285577, 1.0)
    """
    if math.isnan(x):
        return x
    k, r = reduced(-(LARGE if x > LARGE else x))
    power = math.ldexp(1.0, int(k))
    found: float = (1 - power) - power * power_series(r)
    return found


def reduced(x: float) -> tuple[float, float]:
    """The integer k and r, |r| < 0.347, with x = k ln 2 + r."""
    k = (x * PER_LN2 + TO_INTEGER) - TO_INTEGER
    return k, (x - k * LN2_HIGH) - k * LN2_LOW


def power_series(r: Number) -> Number:
    """r + r^2/2! + ... + r^13/13! for |r| < 0.347: e^r - 1."""
    r2 = r * r
    r4 = r2 * r2
    r6 = r2 * r4
    first = (1 / 2 + r * (1 / 6)) + r2 * (1 / 24 + r * (1 / 120))
    second = (1 / 720 + r * (1 / 5040)) + r2 * (1 / 40320 + r * (1 / 362880))
    third = (1 / 3628800 + r * (1 / 39916800)) + r2 * (1 / 479001600 + r * (1 / 6227020800))
    return (r + r2 * first) + (r6 * second + (r6 * r4) * third)


def log(x: float) -> float:
    """ln x for x > 0, |error| <= 9/4 u |ln x|; NaN and infinity are returned as they are. Raises ValueError for x <= 0.

    >>> log(1.0), log(0.5), log(5e-324)
    (0.0, -0.6931471805599453, -744.4400719213812)
    """
    if x <= 0:
        raise ValueError(f"log is for x > 0 (got {x!r})")
    if not x < math.inf:
        return x
    m, k = split(x)
    found: float = log_near_1(m - 1, k, k * LN2_LOW)
    return found


def log1p(x: float) -> float:
    """ln(1 + x) for x >= 0, |error| <= 4u ln(1 + x); NaN and infinity are returned as they are. Raises ValueError for x
    < 0.

    >>> log1p(0.0), log1p(1e-300), log1p(1.0)
    (0.0, 1e-300, 0.6931471805599453)
    """
    if x < 0:
        raise ValueError(f"log1p is for x >= 0 (got {x!r})")
    if not x < math.inf:
        return x
    u = 1 + x
    lost = x - (u - 1) if x < 1 else 1 - (u - x)
    m, k = split(u)
    found: float = log_near_1(m - 1, k, k * LN2_LOW + lost / u)
    return found


def split(x: float) -> tuple[float, int]:
    """m and k with x = m 2^k and ROOT_HALF <= m < 2 ROOT_HALF, for 0 < x < infinity."""
    m, k = math.frexp(x)
    return (m, k) if m >= ROOT_HALF else (2 * m, k - 1)


def log_near_1(f: Number, k: Number, rest: Number) -> Number:
    """k LN2_HIGH + ln(1 + f) + rest, for -0.293 <= f <= 0.415 and a small rest."""
    s = f / (2 + f)
    z, half = s * s, f * f * (1 / 2)
    return k * LN2_HIGH + (f - (half - (s * (half + 2 * z * odd_part(z)) + rest)))


def odd_part(z: Number) -> Number:
    """R(z) = 1/3 + z/5 + z^2/7 + ... + z^9/21, with which artanh s = s + s^3 R(s^2), for 0 <= z <= 0.03."""
    z2 = z * z
    z4 = z2 * z2
    first = (1 / 3 + z * (1 / 5)) + z2 * (1 / 7 + z * (1 / 9))
    second = (1 / 11 + z * (1 / 13)) + z2 * (1 / 15 + z * (1 / 17))
    return first + z4 * (second + z4 * (1 / 19 + z * (1 / 21)))


def bregman(b: float, p: float, log_p: float, delta: float) -> float:
    """b ln(b/p) - b + p for delta = b - p, written for delta small against p and for p that underflowed.

    With s = delta/(b + p), ln(b/p) = 2 artanh s and b = (b + p)(1 + s)/2: it is s delta (1 + (1 + s) s R(s^2)), the
    last bracket within 0.05 of 1. Beyond |delta| = p/4 it is at least 0.023 max(b, p), and the logarithms may be
    subtracted.
    """
    if 4 * abs(delta) < p:
        s = delta / (b + p)
        near: float = s * delta * (1 + (1 + s) * (s * odd_part(s * s)))
        return near
    return (b * (log(b) - log_p) if b > 0 else 0.0) - delta
