"""Format an upper bound as a short decimal that is not below it."""

from decimal import ROUND_CEILING, Context, Decimal


def shown_bound(bound: float, digits: int = 3) -> str:
    """The smallest decimal with that many digits that is at least the bound.

    >>> shown_bound(0.12345), f"{0.12345:.3g}", shown_bound(float("inf"))
    ('0.124', '0.123', 'inf')
    """
    up = Context(prec=digits, rounding=ROUND_CEILING, traps=[]).create_decimal(bound)
    text = f"{float(up):.{digits}g}"
    return text if Decimal(text) == up or up.is_nan() else f"{up:g}"  # beyond the doubles, or next to 0
