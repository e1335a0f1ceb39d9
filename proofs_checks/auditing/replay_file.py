"""Files that ``dualgap replay`` reads: one record each, written whole or not at all, and read within bounds.

JSON with ``schema`` 1 and a ``kind``: ``counterexamples`` (no kind), a property test's (``properties.files``) or an
estimator's (``extras``, released solvers). Numbers are exact, bit-identical to the nearest float beside them.
"""

import pathlib
import struct
from typing import Any

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.proofs_checks.claims.strict_json import Json, json_text, read_json

PROPERTY = "property"


def write(path: pathlib.Path, record: Json) -> pathlib.Path:
    """Put the record instead of what the file held, and return the path. Raises OSError, and then the file is as
    it was.
    """
    write_bytes(path, text_of(record).encode())
    return path


def text_of(record: Json) -> str:
    """The content of a record's file."""
    return json_text(record)


def kind(path: str | pathlib.Path) -> str | None:
    """The kind of a file; None for a counterexample, and for what cannot be read, which its reader will say."""
    try:
        record = read_json(path)
    except ValueError:
        return None
    found = record.get("kind") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None


def number_to_json(value: Any) -> Json:
    """A number as {"exact": "p/q", "bits": 16 hex digits of the nearest double, "decimal": its decimal}.

    An interval has its two decimal ends as "exact" and no nearest double; nor has a number beyond the floats.
    """
    try:
        nearest = float(value)
    except (OverflowError, TypeError):
        return {"exact": str(value), "bits": None, "decimal": None}
    return {"exact": str(value), "bits": struct.pack(">d", nearest).hex(), "decimal": repr(nearest)}
