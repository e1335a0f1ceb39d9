"""Data sets that stay on disk: a folder of arrays, mapped into memory. The system keeps the parts in use.

    indptr.npy   (n + 1,)  int64    where each row begins: offsets beyond 2^31 entries
    indices.npy  (nnz,)    int32    columns, ascending in each row
    data.npy     (nnz,)    float64  values
    y.npy        (n,)      float64  labels
    dualgap.json           shape, what was done to the data, facts, a SHA-256 of the numbers of each array, and its own

The JSON is written last: a folder without it is not whole. ``open_mapped`` looks at the sizes and at the JSON's
checksum, ``Problem`` at every row pointer, column and value, ``verify`` at the checksums, a run at size and time of
change of every file before and after each pass (``mapped_rows``). 12 bytes an entry, and nothing is copied. The files
are written read-only.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from dualgap.fast.data.atomic_file import replacing, write_bytes
from dualgap.fast.data.bounded_file import read_bytes
from dualgap.fast.data.dataset import MOST_LABELS_LISTED, Dataset, row_norms
from dualgap.fast.data.mapped_rows import DTYPES, MappedRows, map_array

HEAD = "dualgap.json"
SCHEMA = 2
LONGEST_HEAD = 1 << 24  # bytes of the JSON: it lists at most ``MOST_LABELS_LISTED`` labels
UNSEALED = "0" * 64  # instead of the JSON's own checksum while it is computed
BYTES_READ_AT_ONCE = 1 << 24


@dataclass(frozen=True, eq=False)
class Mapped(Dataset):
    """A data set in such a folder; ``facts`` are those of ``dataset.describe``, except for what needs all rows at once
    (None).
    """

    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """The folder was checked when it was opened, and ``Problem`` checks the entries."""

    def __reduce__(self) -> tuple[object, ...]:
        return open_mapped, (self.name,)


def is_mapped(path: str | os.PathLike[str]) -> bool:
    """Return whether there is a folder of that name; ``open_mapped`` says whether it is one of ours."""
    return os.path.isdir(path)


def open_mapped(path: str | os.PathLike[str]) -> Mapped:
    """Map the data set in a folder.

    Raises
    ------
    ValueError
        The folder was not written by ``Writer``, or not to the end, or a file of it is missing or has another size.
    """
    name = os.fspath(path)
    head = _head(name)
    n, d = head["shape"]
    rows, y, stored = MappedRows(name, (n, d)), map_array(name, "y"), head["facts"]["stored"]
    for array, found, length in (
        ("indptr", rows.indptr, n + 1),
        ("indices", rows.indices, stored),
        ("data", rows.data, stored),
        ("y", y, n),
    ):
        if found.shape != (length,):
            raise ValueError(
                f"{name}/{array}.npy is damaged: it holds {found.size} numbers, not {length}; write the folder again"
            )
    facts = {"name": name, "n": n, "d": d, "storage": "mapped", **head["facts"], "preparation": head["preparation"]}
    return Mapped(name, rows, y, tuple(head["preparation"]), facts=facts)


def verify(path: str | os.PathLike[str]) -> None:
    """Read all arrays of a folder and raise ValueError if one does not have the checksum that it was written
    with.
    """
    name = os.fspath(path)
    for array, expected in _head(name)["sha256"].items():
        digest, numbers = hashlib.sha256(), memoryview(map_array(name, array)).cast("B")
        for begin in range(0, len(numbers), BYTES_READ_AT_ONCE):
            digest.update(numbers[begin : begin + BYTES_READ_AT_ONCE])
        if digest.hexdigest() != expected:
            raise ValueError(
                f"{name}/{array}.npy has changed since it was written (its SHA-256 differs); write the folder again"
            )


def _head(folder: str) -> dict[str, Any]:
    """The JSON of a folder, whose checksum, kinds and ranges are right."""
    path = Path(folder, HEAD)
    try:
        text = read_bytes(path, LONGEST_HEAD)
        head: Any = json.loads(text)
    except FileNotFoundError:
        raise ValueError(
            f"{folder}: this folder has no {HEAD}, so it is not a data set; write one with: dualgap new data FILE"
            f" --map DIR"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path} is damaged ({error}); write the folder again") from None
    if not isinstance(head, dict) or type(head.get("schema")) is int and head["schema"] != SCHEMA:
        raise ValueError(f"{path} was written by another version of dualgap; write the folder again")
    seal = head.get("sha256 of this file")
    if (
        not isinstance(seal, str)
        or len(seal) != 64
        or _seal(text.replace(seal.encode(), UNSEALED.encode(), 1)) != seal
        or not _is_head(head)
    ):
        raise ValueError(f"{path} is damaged (it is not what was written); write the folder again")
    return head


def _seal(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _is_head(head: dict[str, object]) -> bool:
    """Return whether the JSON has the fields that ``Writer`` writes, each of its type."""
    shape, sums, facts, sentences = (head.get(name) for name in ("shape", "sha256", "facts", "preparation"))
    if not (
        isinstance(shape, list)
        and len(shape) == 2
        and all(type(length) is int and 1 <= length < 2**63 for length in shape)
    ):
        return False
    if not (
        isinstance(sums, dict)
        and sums.keys() == DTYPES.keys()
        and isinstance(facts, dict)
        and facts.keys() == _Facts().told().keys()
    ):
        return False
    counts = all(
        type(facts[name]) is int and facts[name] >= 0 for name in ("stored", "nnz", "explicit_zeros", "zero_rows")
    )
    return counts and isinstance(sentences, list) and all(isinstance(sentence, str) for sentence in sentences)


# -- writing -----------------------------------------------------------------------------------------------------------


class Writer:
    """Writes such a folder from chunks of rows, in the memory of one chunk.

    Leaving the block writes the JSON. If an error ends it, the files are removed, and the folder if it did not exist
    before.

    Parameters
    ----------
    folder : one that does not exist, or is empty

    Attributes
    ----------
    preparation : sentences about what was done to the data; may be set until the block is left
    columns : d at least, where rows that are written elsewhere have more columns; may be set until the block is left

    Examples
    --------
    >>> import tempfile
    >>> from scipy.sparse import csr_array
    >>> folder = tempfile.mkdtemp()
    >>> with Writer(folder) as writer:
    ...     writer.append(csr_array([[3.0, 0.0]]), np.array([1.0]))
    ...     writer.append(csr_array([[0.0, 4.0]]), np.array([-1.0]))
    >>> open_mapped(folder).X.indices.tolist(), open_mapped(folder).facts["R2"]
    ([0, 1], 16.0)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.preparation: tuple[str, ...] = ()
        self.columns = 0
        if self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise ValueError(f"{self.folder} exists and is not an empty folder; give another name, or remove it first")
        self.made = [place for place in (self.folder, *self.folder.parents) if not place.exists()]
        self.files = contextlib.ExitStack()
        with contextlib.ExitStack() as opening:
            opening.callback(self.remove)
            opening.push(self.files)
            self.folder.mkdir(parents=True, exist_ok=True)
            paths = {name: os.fspath(self.folder / f"{name}.npy") for name in DTYPES}
            self.arrays = {
                name: _Array(self.files.enter_context(replacing(path)), path, DTYPES[name])
                for name, path in paths.items()
            }
            self.arrays["indptr"].append(np.zeros(1))
            opening.pop_all()
        self.facts = _Facts()

    def append(self, X: Any, y: NDArray[np.float64]) -> None:
        """Add rows: CSR with sorted columns, and their labels."""
        self.arrays["indptr"].append(X.indptr[1:].astype(np.int64) + self.facts.stored)
        for name, values in (("indices", X.indices), ("data", X.data), ("y", y)):
            self.arrays[name].append(values)
        self.facts.add(X, y)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self.files:
                if error is not None:
                    raise error
                sums = {name: array.finish() for name, array in self.arrays.items()}
            self._write_head(sums)
        except BaseException:
            self.remove()
            if error is None:
                raise

    def remove(self) -> None:
        """Remove what was written, and the folders that were made for it."""
        with contextlib.suppress(OSError):
            for name in (HEAD, *(f"{array}.npy" for array in DTYPES)):
                (self.folder / name).unlink(missing_ok=True)
            for place in self.made:
                place.rmdir()

    def _write_head(self, sums: dict[str, str]) -> None:
        shape = (self.facts.n, max(self.facts.d, self.columns))
        head = {
            "schema": SCHEMA,
            "sha256 of this file": UNSEALED,
            "shape": shape,
            "preparation": self.preparation,
            "sha256": sums,
            "facts": self.facts.told(),
        }
        text = (json.dumps(head, indent=1, allow_nan=False) + "\n").encode()
        write_bytes(self.folder / HEAD, text.replace(UNSEALED.encode(), _seal(text).encode(), 1))
        for name in (HEAD, *(f"{array}.npy" for array in DTYPES)):
            (self.folder / name).chmod(0o444)


class _Array:
    """One .npy file that grows. Its header holds the length and is rewritten in place at the end."""

    def __init__(self, file: BinaryIO, path: str, dtype: str) -> None:
        self.file, self.path, self.dtype, self.length, self.digest = file, path, np.dtype(dtype), 0, hashlib.sha256()
        self._write_header()

    def _write_header(self) -> None:
        npy.write_array_header_1_0(
            self.file, {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
        )
        self.begin = self.file.tell()

    def append(self, values: object) -> None:
        numbers = np.ascontiguousarray(values, self.dtype)
        raw: Any = numbers.reshape(-1).view(np.uint8)
        try:
            self.file.write(raw)
        except OSError as error:  # several such files are open: say which one
            error.filename = error.filename or self.path
            raise
        self.digest.update(raw)
        self.length += numbers.size

    def finish(self) -> str:
        """Write the length, and return the checksum of the numbers."""
        begin = self.begin
        self.file.seek(0)
        self._write_header()
        if self.begin != begin:  # numpy leaves room for any length; without it the numbers would be shifted
            raise RuntimeError(f"{self.path}: the header of the .npy file does not have the length that was reserved")
        return self.digest.hexdigest()


class _Facts:
    """Return those facts of ``dataset.describe`` that can be computed chunk by chunk."""

    def __init__(self) -> None:
        self.n = self.d = self.stored = self.nnz = self.zero_rows = 0
        self.least, self.largest = np.inf, 0.0
        self.bounds = (np.inf, -np.inf)
        self.labels: dict[float, int] | None = {}  # None: too many to be classes

    def add(self, X: Any, y: NDArray[np.float64]) -> None:
        norms = row_norms(X)
        with np.errstate(over="ignore"):
            beyond = np.flatnonzero(~np.isfinite(norms * norms))
        if beyond.size:
            raise ValueError(
                f"row {self.n + beyond[0]}: ||x||^2 is beyond the range of a float (||x|| = {norms[beyond[0]]:.3g});"
                " scale the data, or take --unit-rows"
            )
        self.n, self.d, self.stored = self.n + X.shape[0], max(self.d, X.shape[1]), self.stored + X.nnz
        self.nnz += int(np.count_nonzero(X.data))
        self.zero_rows += int(np.count_nonzero(norms == 0.0))
        self.least, self.largest = min(self.least, float(norms.min())), max(self.largest, float(norms.max()))
        self.bounds = min(self.bounds[0], float(y.min())), max(self.bounds[1], float(y.max()))
        if self.labels is not None:
            for label, count in zip(*(found.tolist() for found in np.unique(y, return_counts=True)), strict=True):
                self.labels[label] = self.labels.get(label, 0) + count
            self.labels = self.labels if len(self.labels) <= MOST_LABELS_LISTED else None

    def told(self) -> dict[str, Any]:
        """Ready for JSON; R2 is the square of the largest norm, within 4 units in the last place of ``describe``'s."""
        pairs = None if self.labels is None else [[label, count] for label, count in sorted(self.labels.items())]
        return {
            "stored": self.stored,
            "nnz": self.nnz,
            "explicit_zeros": self.stored - self.nnz,
            "zero_rows": self.zero_rows,
            "duplicate_rows": None,
            "contradictory_rows": None,
            "row_norm_min": self.least,
            "row_norm_median": None,
            "row_norm_max": self.largest,
            "R2": self.largest * self.largest,
            "labels": None if pairs is None else len(pairs),
            "label_min": self.bounds[0],
            "label_max": self.bounds[1],
            "label_counts": pairs,
        }


Progress = Callable[[int, int], object]  # rows and entries written so far
