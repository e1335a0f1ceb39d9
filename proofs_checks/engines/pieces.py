"""Convex functions of one number whose second derivative is constant between kinks, in any arithmetic."""

from collections.abc import Sequence

from dualgap.reference.numbers.arithmetic import Number


def by_pieces(x: Number, kinks: Sequence[Number], slopes: Sequence[Number]) -> tuple[Number, Number]:
    """f(x) and f'(x) of the function with f(0) = f'(0) = 0 and f'' = slopes[k] between kinks[k - 1] and kinks[k].

    Parameters
    ----------
    x : any number.
    kinks : in rising order, of any sign; beyond the first and the last f'' goes on.
    slopes : one more than kinks.

    Raises
    ------
    ValueError
        The numbers of kinks and slopes do not fit, or the kinks do not rise.

    >>> from fractions import Fraction
    >>> by_pieces(Fraction(2), [-1, 1], [4, 1, 3])
    (Fraction(3, 1), Fraction(4, 1))
    """
    if len(slopes) != len(kinks) + 1 or any(low > high for low, high in zip(kinks, kinks[1:])):
        raise ValueError(f"by_pieces needs rising kinks and one slope more (got kinks {kinks} and slopes {slopes})")
    value = first = 0 * x
    for k, slope in enumerate(slopes):
        start, end = (_between(at, kinks[max(k - 1, 0) : k], kinks[k : k + 1]) for at in (0 * x, x))
        first = first + slope * (end - start)
        value = value + slope * ((x - start) ** 2 - (x - end) ** 2) / 2
    return value, first


def _between(at: Number, low: Sequence[Number], high: Sequence[Number]) -> Number:
    """The nearest number to ``at`` that is not below the first of ``low`` and not above that of ``high``, if any."""
    return min([max([at, *low]), *high])


__all__ = ["by_pieces"]
