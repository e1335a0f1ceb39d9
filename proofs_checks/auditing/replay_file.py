"""Files that ``dualgap replay`` reads. Each holds one record, and a write replaces the whole file or nothing.

A record is JSON with ``schema`` 1. Its ``kind`` says what wrote it: a property test (``properties.files``) or
``dualgap sharpen`` (``extras``). A counterexample of an audit (``counterexamples``) has no kind. Each number
is written exactly, with the bits and the decimal of the nearest float.
"""

import pathlib
import struct

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.relations import MOST_BITS, bits, show
from dualgap.proofs_checks.claims.strict_json import Json, json_text, read_json
from dualgap.reference.numbers.arithmetic import Number

PROPERTY = "property"
# what a claim can raise on the values of a file
FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    TypeError,
    ValueError,
    RecursionError,
)


def write(path: pathlib.Path, record: Json) -> pathlib.Path:
    """Replace the content of the file by the record, and return the path.

    Raises OSError if the file cannot be written. The file is then unchanged.
    """
    write_bytes(path, text_of(record).encode())
    return path


def text_of(record: Json) -> str:
    """The content of a record's file."""
    return json_text(record)


def kind(path: str | pathlib.Path) -> str | None:
    """The kind of a file; None for a counterexample, and for a file that cannot be read: its reader reports why."""
    try:
        record = read_json(path)
    except ValueError:
        return None
    found = record.get("kind") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None


def number_to_json(value: Number) -> Json:
    """A number as {"exact": "p/q", "bits": 16 hex digits of the nearest double, "decimal": its decimal}.

    An interval has its two decimal ends as "exact" and no nearest double; nor has a number beyond the floats. For a
    rational of more digits than Python writes, "exact" is its length.
    """
    exact = show(value) if bits(value) > MOST_BITS else str(value)
    try:
        nearest = float(value)
    except (OverflowError, TypeError):
        return {"exact": exact, "bits": None, "decimal": None}
    return {"exact": exact, "bits": struct.pack(">d", nearest).hex(), "decimal": repr(nearest)}
