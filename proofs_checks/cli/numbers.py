"""Parse the numbers of the command line: every option, and every number inside an option.

Python accepts more as a number than a user is likely to mean: ``1_0``, Arabic digits, ``inf``, ``nan``, surrounding
blanks.
"""

import argparse
import math
import re
import secrets

WHOLE = re.compile(r"[+-]?[0-9]+")
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
MOST_DIGITS = 100


class NotANumber(argparse.ArgumentTypeError, ValueError):
    """An error for text that is no number; the message shows an example of one."""


def number(text: str) -> float:
    """A finite decimal.

    >>> number("-1e-3"), number(".5")
    (-0.001, 0.5)
    """
    value = float(text) if DECIMAL.fullmatch(text) else math.nan
    if not math.isfinite(value):
        raise NotANumber(f"must be a decimal such as 0.5 or 1e-3, and finite (got {text[:60]!r})")
    return value


def seconds(text: str) -> float:
    """A time >= 0 in seconds.

    >>> seconds("30s"), seconds("1.5")
    (30.0, 1.5)
    """
    if (value := number(text.removesuffix("s"))) < 0:
        raise NotANumber(f"must be a time in seconds such as 30s, >= 0 (got {text[:60]!r})")
    return value


def whole(text: str) -> int:
    """A whole number.

    >>> whole("12")
    12
    """
    if not WHOLE.fullmatch(text) or len(text) > MOST_DIGITS:
        raise NotANumber(f"must be a whole number such as 12, of at most {MOST_DIGITS} digits (got {text[:60]!r})")
    return int(text)


def entropy_of(given: int | None) -> int:
    """The entropy that was given, or 32 new random bits. Raises ValueError for a negative one."""
    if given is not None and given < 0:
        raise ValueError(f"--entropy must be a whole number >= 0 (got {given})")
    return secrets.randbits(32) if given is None else given
