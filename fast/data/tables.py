"""Readers of everything but LIBSVM text: CSV and TSV with a header, Parquet and Arrow, ``.npy`` and the ``.npz`` of
scipy.sparse.

A table has named columns, one of which is the target. An array has none: its labels are in a separate ``.npy`` file.
A column holds finite numbers. A column of text becomes one column of 0 and 1 for each word if ``one_hot`` names it.
Missing values, duplicate names and everything else are refused with the name of the column.
"""

import csv
import itertools
import json
import os
import re
import zipfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.bounded_file import npy_array, open_regular, require_npy_size
from dualgap.fast.data.libsvm import ALWAYS_READ, LARGEST_GROWTH, LARGEST_INDEX, finite_number, lost_digits
from dualgap.reference.problem.validate import require_held

Floats = NDArray[np.float64]
Column = Floats | list[str]  # numbers, or text


class Asked(NamedTuple):
    """The options for reading a table or an array.

    target : the column of the labels, or of an array the ``.npy`` file of the labels; None if there are none
    one_hot : columns of text that become columns of 0 and 1
    known : of a model: its columns in their order, each with its words, none for a model of other formats. Other
        columns are refused, and labels are not read
    """

    target: str | None = None
    one_hot: tuple[str, ...] = ()
    known: Mapping[str, tuple[str, ...]] | None = None

    def sought(self) -> str:
        """Name the model or the option that needs names of columns."""
        return "the model" if self.known else "--one-hot" if self.target is None else f"--target {self.target}"

    def read(self, names: Sequence[str]) -> list[str]:
        """The columns that are read: of a model, not the target."""
        return [name for name in names if self.known is None or name != self.target]

    def encode(self, name: str) -> str:
        """Return the advice for a column of text."""
        return "" if self.known is not None else f"; text is encoded by --one-hot {name}"


class Read(NamedTuple):
    """Rows with their labels: None for a model, which does not need them."""

    X: Any
    y: Floats | None
    columns: dict[str, tuple[str, ...]]  # names of a table's columns, each with its words
    classes: tuple[str, ...]  # of text labels, whose places are y
    notes: tuple[str, ...] = ()  # sentences on what was read: columns left out, names that are numbers


def features(columns: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The names of the columns of X, such as colour=red for a word."""
    return tuple(f"{name}={word}" if word else name for name, words in columns.items() for word in words or ("",))


# -- tables ------------------------------------------------------------------------------------------------------------


def table_rows(names: Sequence[str], columns: Mapping[str, Column], asked: Asked) -> Read:
    """The rows of a table whose columns were read. Raises ValueError, which names a column."""
    target = asked.target
    words: dict[str, tuple[str, ...]] = {name: () for name in names if name != target}
    if asked.known is not None:
        words = dict(asked.known)
    if not words:
        raise ValueError(f"the table has no column other than the target {target!r}")
    parts = []
    for name in words:
        column = columns[name]
        if isinstance(column, list):
            found = words[name] or tuple(sorted(set(column)))
            if strange := sorted(set(column) - set(found)):
                raise ValueError(
                    f"the column {name!r} holds {strange[0][:40]!r}, which the model does not know: it knows"
                    f" {listed(found)}"
                )
            words[name] = found
            parts += [np.array([cell == word for cell in column], dtype=np.float64) for word in found]
        else:
            parts.append(column)
    if not len(parts[0]):
        raise ValueError("the table has no row below its header")
    labels, classes = columns.get(target or ""), tuple[str, ...]()
    if isinstance(labels, list):
        classes = tuple(sorted(set(labels)))
        places = {word: float(k) for k, word in enumerate(classes)}
        labels = np.array([places[word] for word in labels])
    return Read(np.ascontiguousarray(np.column_stack(parts)), labels, words, classes)


def require_names(names: Sequence[str], asked: Asked) -> None:
    """Raise ValueError for names of columns that cannot be used."""
    counts = Counter(names)
    twice = next((name for name, count in counts.items() if count > 1), None)
    if twice is not None or "" in names:
        what = f"column {names.index('') + 1} has no name" if "" in names else f"two columns have the name {twice!r}"
        raise ValueError(f"{what}: give each column a name of its own (pandas: to_csv(index=False) writes no index)")
    if asked.known is not None:
        for name in sorted({*asked.known} ^ {*asked.read(names)}):
            raise ValueError(
                f"the column {name!r} is {'missing' if name in asked.known else 'not one of the model'}: give the"
                f" columns of the model, in any order: {listed(tuple(asked.known))}"
            )
        return
    if asked.target is None:
        note = names_that_are_numbers(names)
        raise ValueError(
            f"say which column is the target, --target NAME; the columns are {listed(names)}{note and f' ({note})'}"
        )
    if asked.target in asked.one_hot:
        raise ValueError(f"--one-hot {asked.target}: it is the target, whose words are labels: leave it out")
    for name in (*asked.one_hot, asked.target):
        if name not in counts:
            raise ValueError(f"there is no column {name!r}; the columns are {listed(names)}")


def names_that_are_numbers(names: Sequence[str]) -> str:
    """A note on a header that may be a row; "" if no name is a number."""
    numbers = listed([name for name in names if _number(name) is not None])
    return (
        numbers
        and f"the first line names the columns, with the numbers {numbers}: if it is a row, write names above it"
    )


def listed(names: Sequence[str]) -> str:
    """Ten names, and how many there are."""
    return ", ".join(names[:10]) + (f", ... ({len(names)})" if len(names) > 10 else "")


def read_csv(lines: Iterator[bytes], asked: Asked) -> Read:
    """CSV or TSV. The separator is the comma, semicolon or tab that the header and the row below it have equally often
    outside quotes and that makes the target a name, else the one that the header has most of; or the one of a first
    line such as ``sep=;``. A line end within a name is a blank.
    """
    head = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
    if said := re.fullmatch(rb'(?i)"?sep=([,;\t])"?\r?\n?', head):
        head = next(lines, b"")
    header, second = _record(head, lines), _record(next(lines, b""), lines)
    separator = said[1].decode() if said else separator_of(b"".join(header), b"".join(second), asked.target)
    text = TextLines(itertools.chain(header, second if second[0] else [], lines), int(bool(said)))
    try:
        rows = csv.reader(text, delimiter=separator, strict=True)
        names = [re.sub(r"\s*[\r\n]+\s*", " ", name.strip()) for name in next(rows, [])]
        if all(_number(name) is not None for name in names):
            raise ValueError("the first line has numbers alone; put the names of the columns above it")
        require_names(names, asked)
        columns = read_columns(rows, names, asked, text)
    except (csv.Error, UnicodeDecodeError, ValueError) as error:
        encoding = "it is not text in UTF-8; convert it, for example: iconv -f LATIN1 -t UTF-8"
        words = {UnicodeDecodeError: encoding, csv.Error: f"{error}; check its quotes"}.get(type(error), str(error))
        raise ValueError(f"line {max(text.number, 1)}: {words}") from None
    note = "" if asked.known is not None else names_that_are_numbers(names)
    return table_rows(names, columns, asked)._replace(notes=(note,) if note else ())


class TextLines:
    """The lines of a file as text; ``number`` is that of the last one, at first of the one before."""

    def __init__(self, lines: Iterator[bytes], number: int) -> None:
        self.lines, self.number = lines, number

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.number += 1
            if b"\r" in line.removesuffix(b"\n").removesuffix(b"\r"):
                raise ValueError("a carriage return (CR) within the line; lines end in LF or CRLF; convert the file")
            yield line.decode("utf-8")


def read_columns(rows: Iterator[list[str]], names: list[str], asked: Asked, text: TextLines) -> dict[str, Any]:
    """The columns that are asked for, of text or of numbers. ValueError for a row that cannot be read."""
    read, blank = {*asked.read(names)}, 0
    kept: dict[str, Any] = {name: list[str]() if name in asked.one_hot else array("d") for name in read}
    for k, row in enumerate(rows):
        if not row:
            blank = blank or text.number
            continue
        if blank:
            raise ValueError(f"line {blank} above is blank; delete it, or write its row")
        if len(row) != len(names):
            raise ValueError(f"{len(row)} fields, where the header has {len(names)}; correct the line")
        for name, cell in ((name, cell) for name, cell in zip(names, row) if name in read):
            value = None if isinstance(kept[name], list) else _number(cell)
            word = value is None and cell.strip().lower() not in MISSING
            if k == 0 and name == asked.target and word and not lost_digits(cell.encode()):
                kept[name] = list[str]()
            found = cell.strip() if isinstance(kept[name], list) and word else value
            if found is None:
                raise ValueError(_cell(name, cell, asked))
            kept[name].append(found)
    return {name: cells if isinstance(cells, list) else np.array(cells) for name, cells in kept.items()}


def _record(line: bytes, lines: Iterator[bytes]) -> list[bytes]:
    """The lines of the row that begins with that one: a cell in quotes may have line ends, a hundred at most."""
    row = [line]
    while b"".join(row).count(b'"') % 2 and len(row) < 100 and (more := next(lines, b"")):
        row.append(more)
    return row


def separator_of(head: bytes, second: bytes, target: str | None) -> str:
    """The separator of a table with those first two rows and that name of a column."""

    def fits(mark: bytes) -> tuple[bool, bool, int]:
        one, two = (re.sub(rb'"[^"]*"', b"", row).count(mark) for row in (head, second))
        names = [name.strip(b' "\r\n') for name in head.split(mark)]
        return one == two > 0, (target or "").encode() in names, one

    return max((b",", b";", b"\t"), key=fits).decode()


def _number(cell: str) -> float | None:
    try:
        return finite_number(cell.encode())
    except ValueError:
        return None


def _cell(name: str, cell: str, asked: Asked) -> str:
    """Describe the error in a cell that is no number."""
    if cell.strip().lower() in MISSING:
        return f"the value of {name!r} is missing ({cell!r}): fill it in, leave the row out, or write a longer word"
    if reason := lost_digits(cell.encode()):
        return f"the value of {name!r}, {cell.strip()[:40]}, {reason}"
    more = ", as its other labels are" if name == asked.target else remedy(name, cell.strip(), asked)
    return f"the value of {name!r} is {cell[:40]!r}, not a finite number{more}"


def remedy(name: str, cell: str, asked: Asked) -> str:
    """Return advice for a text where a number belongs: how to write the number, or how to encode the text. Encoding a
    column of numbers as words would give a coefficient for each number."""
    return next((f": {words}" for meant, words in WRITINGS if re.fullmatch(meant, cell)), asked.encode(name))


MISSING = frozenset("|na|n/a|#n/a|#na|<na>|n.a.|nan|-nan|nat|null|none|?|-|--|.|*".split("|"))  # written for no value
WRITINGS = (  # of texts with digits that are no words, and what to write instead
    (
        r"(?i)[0-9]{1,4}([-/. ])([0-9]{1,2}|[a-z]{3,9})\1[0-9]{1,4}.*|[0-9]{1,2}:[0-9]{2}.*"
        r"|[a-z]{3,9} [0-9]{1,2},? [0-9]{4}",
        "a date or a time: write a number, for example the days since a date, or leave the column out",
    ),
    (r"[+-]?[0-9][0-9,.' ]*", "write a point before its decimals and no mark between thousands, as 25635.65"),
    (r"(?i)[^a-z]*[0-9].*|[+-]?inf(inity)?", "write it as 1234.5 or 1e-3, within the range of a float64"),
)


def read_arrow(path: str, asked: Asked, format: str) -> Read:
    """Parquet, or an Arrow file (Feather), through pyarrow."""
    try:
        import pyarrow  # pyright: ignore[reportMissingImports]
        import pyarrow.parquet  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ValueError(
            "reading Parquet and Arrow needs pyarrow, which is not installed: pip install pyarrow"
        ) from None
    with open_regular(path) as file:
        most = max(ALWAYS_READ, LARGEST_GROWTH * os.fstat(file.fileno()).st_size)
        try:
            if format == "parquet":
                parquet = pyarrow.parquet.ParquetFile(file)
                _require_size(8 * parquet.metadata.num_rows * parquet.metadata.num_columns, most)
                table = parquet.read()
            else:
                batches, opened = [], pyarrow.ipc.open_file(file)
                for k in range(opened.num_record_batches):
                    batches.append(opened.get_batch(k))
                    _require_size(sum(batch.nbytes for batch in batches), most)
                table = pyarrow.Table.from_batches(batches, opened.schema)
            table.validate(full=True)
        except (pyarrow.ArrowException, OSError) as error:
            raise ValueError(f"the file is damaged ({' '.join(str(error).split())[:200]})") from None
    index = index_columns(table.schema.metadata or {}) - {asked.target, *asked.one_hot, *(asked.known or ())}
    left_out = [name for name in table.column_names if name in index]
    table = table.drop_columns(left_out)
    names = table.column_names
    require_names(names, asked)
    found = table_rows(names, {name: _of_arrow(name, table.column(name), asked) for name in asked.read(names)}, asked)
    return found._replace(notes=tuple(f"{name}: left out, because it is an index of pandas" for name in left_out))


def index_columns(metadata: Mapping[bytes, bytes]) -> set[str | None]:
    """The columns of a file that are an index of pandas, by the file's own metadata: no data. An index that the frame
    had named counts too.
    """
    try:
        told = json.loads(metadata.get(b"pandas", b"{}"))
        return {name for name in told.get("index_columns", ()) if isinstance(name, str)}
    except (ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ValueError(f"the file's record of pandas is damaged ({' '.join(str(error).split())[:200]})") from None


def _of_arrow(name: str, column: Any, asked: Asked) -> Column:
    import pyarrow  # pyright: ignore[reportMissingImports]

    kind = column.type
    if column.null_count:
        first = column.is_null().to_pylist().index(True)
        values = f"{column.null_count} missing value{'s' * (column.null_count > 1)}"
        raise ValueError(f"the column {name!r} has {values}, the first in row {first + 1}")
    if pyarrow.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    text = pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or pyarrow.types.is_string_view(kind)
    if name in asked.one_hot or text and name == asked.target:
        return [str(cell) for cell in column.to_pylist()]
    if text:
        first = next(iter(column.slice(0, 1).to_pylist()), "")
        raise ValueError(
            f"the column {name!r} is text, not numbers (first {first[:40]!r}){remedy(name, first.strip(), asked)}"
        )
    if not (pyarrow.types.is_floating(kind) or pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind)):
        raise ValueError(f"the column {name!r} is of type {kind}, not a number")
    numbers = column.to_numpy()
    require_held(numbers, f"the column {name!r}")
    numbers = np.asarray(numbers, dtype=np.float64)
    if not np.isfinite(numbers).all():
        first = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"the column {name!r} is {numbers[first]} in row {first + 1}: every value must be finite")
    return numbers


def _require_size(size: int, most: int) -> None:
    if size > most:
        raise ValueError(
            f"the data have {size} bytes, more than {most}, the limit for a file of this size; if this is intended,"
            " write them in another format"
        )


# -- arrays ------------------------------------------------------------------------------------------------------------


def read_array(path: str, asked: Asked, format: str) -> Read:
    """``.npy`` or the ``.npz`` of scipy.sparse, with its labels in the ``.npy`` file that the target names."""
    if asked.target is None and asked.known is None or asked.one_hot:
        raise ValueError("say where its labels are, --target y.npy; an array has no columns for --one-hot")
    with open_regular(path) as file:
        X = (_dense if format == "npy" else _sparse)(file)
    y = None if asked.target is None or asked.known is not None else labels(asked.target)
    return Read(X, y, {}, ())


def labels(path: str) -> Floats:
    """A vector in an ``.npy`` file. Raises ValueError, which names the file."""
    try:
        with open_regular(path) as file:
            return _dense(file)
    except (ValueError, OSError) as error:
        raise ValueError(f"the labels {path} cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _dense(file: BinaryIO) -> Floats:
    """The array of an open ``.npy`` file, whose size is that of its header."""
    found = npy_array(file)
    require_held(found, "the array")
    return np.ascontiguousarray(found, dtype=np.float64)


def _sparse(file: BinaryIO) -> Any:
    """The matrix of an open file of ``scipy.sparse.save_npz``, whose sizes are checked before it is decompressed."""
    from scipy.sparse import load_npz

    size = os.fstat(file.fileno()).st_size
    try:
        with zipfile.ZipFile(file) as archive:
            members = archive.infolist()
            _require_size(sum(member.file_size for member in members), max(ALWAYS_READ, LARGEST_GROWTH * size))
            for member in members:
                if member.filename not in ("format.npy", "_is_array.npy"):
                    with archive.open(member) as part:
                        require_npy_size(part, member.file_size)  # type: ignore[arg-type]
                elif member.file_size > 1000:
                    raise ValueError(f"{member.filename} is too long")
        file.seek(0)
        found = load_npz(file)
        stored = sum(member.file_size for member in members)
        if found.shape[0] > stored or found.shape[1] > LARGEST_INDEX:
            raise ValueError(f"the shape {found.shape} does not match {stored} bytes")
        if hasattr(found, "check_format"):
            found.check_format(full_check=True)
        X = found.tocsr()
    except Exception as error:  # a damaged or hostile file can raise anything
        raise ValueError(f"it is no matrix of scipy.sparse.save_npz ({' '.join(str(error).split())[:200]})") from None
    require_held(X, "the matrix")
    X = X.astype(np.float64)
    X.sum_duplicates()
    return X


READERS: dict[str, Callable[[str, Asked, str], Read]] = {
    "npy": read_array,
    "npz": read_array,
    "parquet": read_arrow,
    "arrow": read_arrow,
}
