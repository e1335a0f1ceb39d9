"""Real numbers as 16 hexadecimal digits: the bits of a double, so that no language needs a parser of decimals.

In a vector file the bits are followed by the value: ``"3fd5555555555555 0.3333333333333333 1/3 +-2.3e-16"`` is the
bits, the decimal, the exact value where it is known, and the tolerance of an answer. The first 16 characters are the
number.
"""

import re
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

NUMBER = re.compile(r"[0-9a-f]{16}(?: |$)")
LONGEST_EXACT = 24  # characters of a "p/q" that is still worth reading
INFINITY = "7ff0000000000000"


class Reading(NamedTuple):
    """A due number: its double, its exact value (None for infinity) and the tolerance of an answer (0: none)."""

    nearest: float
    exact: Fraction | None
    tolerance: Fraction


def encode(value: float) -> str:
    """The 16 digits of a double.

    >>> encode(1.0), encode(-0.5)
    ('3ff0000000000000', 'bfe0000000000000')
    """
    return struct.pack(">d", value).hex()


def decode(text: str) -> float:
    """The double of the first 16 characters.

    >>> decode("3fb999999999999a 0.1")
    0.1
    """
    if not is_number(text):
        raise ValueError(f"a number is 16 hexadecimal digits, lower case (got {text!r})")
    number: float = struct.unpack(">d", bytes.fromhex(text[:16]))[0]
    return number


def is_number(value: object) -> bool:
    """Return whether a JSON value is a number in this form; names of losses, methods and problems are not."""
    return isinstance(value, str) and NUMBER.match(value) is not None


def spell_given(value: float) -> str:
    """A given number with its decimal.

    >>> spell_given(0.1)
    '3fb999999999999a 0.1'
    """
    return f"{encode(value)} {value!r}"


def spell_due(exact: Fraction, tolerance: Fraction | None = None) -> str:
    """A due number; the exact value is left out where it is too long to be read.

    >>> spell_due(Fraction(-3, 4)), spell_due(Fraction(1, 3), Fraction(1, 10**15))
    ('bfe8000000000000 -0.75 -3/4', '3fd5555555555555 0.3333333333333333 1/3 +-1e-15')
    """
    text = spell_given(_nearest(exact))
    if len(str(exact)) <= LONGEST_EXACT:
        text += f" {exact}"
    return f"{text} +-{_rounded_up(tolerance)}" if tolerance else text


def _nearest(exact: Fraction) -> float:
    """The double nearest to a rational of any kind, as ``rational.nearest``, which the Python port does not import."""
    return int(exact.numerator) / int(exact.denominator)


def _rounded_up(tolerance: Fraction) -> str:
    """Two digits, never less than the value."""
    text = f"{_nearest(tolerance):.1e}"
    if Fraction(text) < tolerance:
        digits, exponent = text.split("e")
        text = f"{float(digits) + 0.1:.1f}e{exponent}"
    digits, exponent = text.split("e")
    return f"{digits.removesuffix('.0')}e{int(exponent)}"


def read(text: str) -> Reading:
    """A number of a file, taken apart.

    >>> read("3fd5555555555555 0.3333333333333333 1/3 +-1e-15").exact
    Fraction(1, 3)
    """
    # not at the top: the independent implementation imports this module and must not load the reference
    from dualgap.proofs_checks.claims.strict_json import rational

    nearest, words = decode(text), text.split()[2:]
    tolerance = rational(words.pop()[2:]) if words and words[-1].startswith("+-") else Fraction(0)
    if text.startswith(INFINITY):
        return Reading(nearest, None, tolerance)
    return Reading(nearest, Fraction(words[0]) if words else Fraction(nearest), tolerance)


def ulps(a: float, b: float) -> int:
    """Return the distance of two doubles in units in the last place: 0 for the same number (both zeros are one), 1 for
    neighbours.

    >>> ulps(1.0, 1.0 + 2**-52), ulps(-0.0, 0.0)
    (1, 0)
    """

    def place(x: float) -> int:
        bits: int = struct.unpack(">q", struct.pack(">d", x))[0]
        return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)

    return abs(place(a) - place(b))


def plain(value: object) -> Any:
    """A JSON value with every number cut to its 16 digits: the form in which it goes through the pipe."""
    return mapped(value, lambda text: text[:16])


def rationals(value: object, kind: type[Fraction] = Fraction) -> Any:
    """A JSON value with every number as the rational of that kind that its bits are; +infinity as None."""
    return mapped(value, lambda text: None if text.startswith(INFINITY) else kind(decode(text)))


def mapped(value: Any, change: Callable[[str], object]) -> Any:
    """A JSON value with every number changed."""
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    return change(value) if is_number(value) else value
