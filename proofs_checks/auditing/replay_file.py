"""Files that ``dualgap replay`` reads. Each holds one record, and a write replaces the whole file or nothing.

A record is JSON with ``schema`` 1. Its ``kind`` says what wrote it: a property test (``properties.files``) or
``dualgap sharpen`` (``extras``). A counterexample of an audit (``counterexamples``) has no kind. Each number
is written exactly, with the bits and the decimal of the nearest float.
"""

import os
import pathlib
import struct
import subprocess
import sys
from collections.abc import Iterable

from dualgap.fast.data.atomic_file import write_bytes
from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.plugins import loaded
from dualgap.proofs_checks.claims.relations import MOST_BITS, bits, show
from dualgap.proofs_checks.claims.strict_json import Json, json_text, read_json
from dualgap.proofs_checks.engines.purity import Unrepeatable
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


USAGE = 2  # exit status of ``dualgap replay`` for what it cannot evaluate
WHY = "a check and a method must depend on the instance and the state alone, not on earlier calls or chance"
INSIDE = "DUALGAP_REPEATS"  # set in the fresh process, which starts no other one


def require_repeated(text: str, modules: Iterable[str]) -> None:
    """Raise Unrepeatable if ``dualgap replay`` refuses a file of this text in a fresh process that imports the modules.

    A script is imported where it asks for its own name, as in ``if __name__ == "__main__":``. What another process
    cannot import, such as a notebook's code, is not repeated; nor is what this package found alone, without modules.
    """
    plugins, script = loaded(), pathlib.Path(getattr(sys.modules["__main__"], "__file__", None) or "-")
    if "__main__" in modules and script.suffix == ".py" and "__name__" in script.read_text(encoding="utf-8"):
        plugins, modules = (*plugins, str(script.resolve())), {*modules, script.stem} - {"__main__"}
        text = text.replace('"__main__', f'"{script.stem}')
    known = {pathlib.Path(name).stem if name.endswith(".py") else name for name in plugins}
    if not known.issuperset(modules) or INSIDE in os.environ:
        return
    with temporary_folder() as folder:
        path = folder / "counterexample.json"
        path.write_text(text, encoding="utf-8")
        words = ["replay", str(path), *(word for name in plugins for word in ("--import", name))]
        environment = {**os.environ, INSIDE: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, "-m", "dualgap", *words]
        done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode not in (0, USAGE):  # USAGE: that process does not know the claim
        lines = [line for line in (done.stdout or done.stderr).splitlines() if line.strip()]
        raise Unrepeatable(f"the result does not reproduce in a fresh process ({(lines or [''])[-1]}): {WHY}")
