"""The weights of an epoch of ASPDC-i: E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0, see ``papers.aspdc_i.algorithm_3``."""

from fractions import Fraction


def weights(
    n: int, K: Fraction, x: Fraction, y: Fraction, m: int, noise: Fraction = Fraction(1)
) -> tuple[Fraction, Fraction]:
    """(x_m, y_m) from (x_0, y_0) = (x, y); ``noise`` scales the coefficient K/n that carries d into e.

    >>> sum(weights(1, Fraction(1, 4), Fraction(1, 4), Fraction(41, 12), 2)) / Fraction(1, 4)
    Fraction(11, 12)
    """
    for _ in range(m):
        x, y = (
            (1 - (1 - K) / n) * x + noise * (K / n) * y,
            max(Fraction(0), (1 - (2 - K) / n) * y - ((1 - K) / n) * x),
        )
    return x, y


def closed_form(n: int, K: Fraction, x: Fraction, y: Fraction, k: int) -> tuple[Fraction, Fraction, bool]:
    """(x_k, y_k) without the max, from the two modes, and whether the max is inactive at k; 0 < K < 1/2, n >= 2."""
    fast, slow = 1 - 2 * (1 - K) / n, 1 - Fraction(1, n)
    b = -K * (x + y) / (1 - 2 * K)  # (x, y) = a (1, -1) + b (1, -(1-K)/K)
    a = x - b
    tau = ((1 - K) * x + K * y) / ((1 - K) * (x + y))
    inactive = (Fraction(n) - 2 * (1 - K)) ** k >= tau * Fraction(n - 1) ** k
    return a * slow**k + b * fast**k, -a * slow**k - b * (1 - K) / K * fast**k, inactive


def exp_below(x: Fraction, terms: int = 12) -> Fraction:
    """A rational lower bound of e^x for x >= 0: the first terms of its series."""
    total = term = Fraction(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return total


def exp_above(x: Fraction) -> Fraction:
    """A rational upper bound of e^x for x <= 0, and for 0 < x < 1 by 1/(1 - x + x^2/2 - x^3/6) >= e^x."""
    if x <= 0:
        return 1 / exp_below(-x)
    return 1 / (1 - x + x * x / 2 - x * x * x / 6)
