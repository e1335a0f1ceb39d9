"""Write JSON, and read JSON and rationals from untrusted files within bounds. Bad input raises a ValueError of one
line.

The standard parser recurses as deep as its input, reads integers of any length and the words NaN and Infinity, and
``Fraction("1e-10000000")`` is a number of ten million digits: a short file would cost hours, or a traceback.
"""

import json
import math
import pathlib
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from dualgap.fast.data import bounded_file

Json: TypeAlias = dict[str, Any]  # a JSON object

LONGEST_FILE = 16 * 2**20  # bytes; 50 times the largest file that dualgap writes
DEEPEST = 32  # depth of nested objects and lists; dualgap writes at most nine
LARGEST = 2**63 - 1  # of an integer: an index, a count, a seed
MOST_DIGITS = 1000  # of a numerator or denominator: the longest of a double has 767
LARGEST_EXPONENT = 400  # of a decimal: that of a double is at most 324


def json_text(value: object) -> str:
    r"""The text of every JSON file and of every ``--json``: strict, so that numbers that are not finite are null.

    >>> json_text({"gap": float("inf"), "name": "a\x7fb"})
    '{\n "gap": null,\n "name": "a\\u007fb"\n}\n'
    """
    return finite_text(finite(value))


def finite_text(value: object) -> str:
    """``json_text`` of what ``finite`` has made."""
    return json.dumps(value, indent=1, allow_nan=False).replace("\x7f", "\\u007f") + "\n"


def each(value: object, change: Callable[[Any], object]) -> Any:
    """The value with everything in it changed that is no object, list or tuple; tuples become lists.

    >>> each({"a": [1, (2, 3)]}, lambda number: -number)
    {'a': [-1, [-2, -3]]}
    """
    if isinstance(value, dict):
        return {key: each(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [each(item, change) for item in value]
    return change(value)


def finite(value: object) -> Any:
    """The value with None for every number in it that is not finite."""
    return each(value, lambda x: None if isinstance(x, float) and not math.isfinite(x) else x)


def read_bytes(path: str | pathlib.Path, longest: int = LONGEST_FILE) -> bytes:
    """Read a file or a pipe of at most ``longest`` bytes. Raises ValueError for a longer one, and OSError."""
    return bounded_file.read_bytes(path, longest, pipe=True)


def read_json(path: str | pathlib.Path) -> Any:
    """The value of a JSON file. Raises ValueError naming the file if it is unreadable or ``parse_json`` rejects it."""
    try:
        return parse_json(read_bytes(path))
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} cannot be read: it is not a text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} cannot be read: it is not JSON (line {error.lineno}, column {error.colno})") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def parse_json(raw: str | bytes) -> Any:
    """The value of a JSON text.

    Raises
    ------
    ValueError
        It is not JSON in UTF-8, has more than ``DEEPEST`` levels, an integer beyond ``LARGEST``, or a number that is
        not finite.

    >>> parse_json('{"t": 3}')
    {'t': 3}
    """
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8")
        value = json.loads(text, parse_int=_integer, parse_float=_finite, parse_constant=_finite)
    except RecursionError:
        raise ValueError(f"it has more than {DEEPEST} levels of objects and lists") from None
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [item for part in level for item in _parts(part)]
    if level:
        raise ValueError(f"it has more than {DEEPEST} levels of objects and lists")
    return value


def _parts(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _integer(text: str) -> int:
    if len(text) > len(str(-LARGEST)) or abs(int(text)) > LARGEST:
        raise ValueError(f"an integer must lie between -{LARGEST} and {LARGEST} (got one of {len(text)} characters)")
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"a number must be finite (got {text[:24]})")
    return value


def rational(text: str) -> Fraction:
    """The number that "p/q" or a decimal stands for.

    Raises
    ------
    ValueError
        It is no such number, has a part of more than ``MOST_DIGITS`` digits, or an exponent beyond
        ``LARGEST_EXPONENT``.

    >>> rational("-3/4"), rational("1e-3")
    (Fraction(-3, 4), Fraction(1, 1000))
    """
    mantissa, _, exponent = text.lower().partition("e")
    parts = mantissa.split("/")
    if max(map(len, parts)) > MOST_DIGITS + 1:
        raise ValueError(
            f"a rational has at most {MOST_DIGITS} digits on either side (got {text[:24]}..., {len(text)} characters)"
        )
    if len(exponent) > 9 or (exponent.lstrip("+-").isdigit() and abs(int(exponent)) > LARGEST_EXPONENT):
        raise ValueError(
            f"the exponent of a decimal lies between -{LARGEST_EXPONENT} and {LARGEST_EXPONENT} (got {text[:24]!r})"
        )
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"a rational is 'p/q' with q > 0, or a decimal (got {text[:24]!r})") from None
