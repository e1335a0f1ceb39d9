"""A strict reader of LIBSVM text, which never drops, merges or repairs a row.

The format, one row of the matrix per line::

    LABEL INDEX:VALUE INDEX:VALUE ...      # comment

==========  ==========================================================================================
LABEL       one finite decimal number; it is kept as it stands (``2`` stays 2, it never becomes -1)
INDEX       a whole number, 1 to 2147483647, strictly increasing along the line; column INDEX - 1. With
            ``zero_based`` one less: from 0, and column INDEX
VALUE       one finite decimal number, rounded to the nearest float64; an explicit 0 stays stored
separators  spaces or tabs; lines end in LF or CRLF; other control characters of white space (CR, VT, FF) are refused
comment     ``#`` and what follows it on the line; a line that holds only a comment is not a row
blank line  allowed after the last row; refused before a row, since it could be a row without its label
no pairs    a label alone is a zero row
line        at most 134217728 bytes (2^27); a compressed file holds at most a thousand times its own size, or 64 MiB;
            from a pipe 1 GiB
==========  ==========================================================================================

Everything else is refused: another format by its name (``formats``), a line with the file, the line, the token and what
to do. The reason for so much care: a reader that knows the labels +1, 1, -1 and 0 only, meets a row with label 2, drops
the label and appends the features of that row to the row before, turns a two-class file into a one-class problem
without a word.
"""

import bz2
import gzip
import io
import lzma
import math
import os
import re
import zlib
from array import array
from collections.abc import Callable, Iterator
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.dataset import sparse_rows
from dualgap.fast.data.formats import KINDS, READS, format_of, other_format, strange_character
from dualgap.reference.problem.validate import EXACT

LARGEST_INDEX = 2**31 - 1  # an index is a C int in LIBSVM itself
# A file that holds no lines (a device, zeros that were compressed) must not fill the memory before that is noticed.
LONGEST_LINE = 1 << 27
LARGEST_GROWTH = 1000  # of a compressed file, once the text is longer than ``ALWAYS_READ``; data grow 3 to 10 times
ALWAYS_READ = 1 << 26
WHOLE = re.compile(rb"([+-]?[0-9]{16,308})(?:\.0*)?")  # long enough to lose digits, and within the range of a float64
FROM_PIPE = 1 << 30  # bytes of text, of compressed data that come through a pipe, whose size is not known
OTHER_SPACES = {b"\r": "a carriage return (CR)", b"\v": "a vertical tab (VT)", b"\f": "a form feed (FF)"}
# The bytes with which a compressed file begins. No LIBSVM line begins so: none of them starts a number.
_DECOMPRESSORS: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}


def read_libsvm(path: str | PathLike[str], zero_based: bool = False) -> tuple[Any, NDArray[np.float64]]:
    """Read a LIBSVM file, plain or compressed by gzip, bzip2 or xz.

    Compression is recognised by the first bytes of the file, not by its name.

    Parameters
    ----------
    path : path of the file
    zero_based : indices count from 0, as scikit-learn's ``dump_svmlight_file`` writes them unless told otherwise

    Returns
    -------
    X : scipy.sparse.csr_array, shape (n, d), float64
        n rows in the order of the file; d is the largest index; columns sorted and unique in each row.
    y : ndarray, shape (n,), float64
        The labels as they are in the file.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file cannot be read, is damaged, is empty, has no feature at all, or a line breaks the format;
        the message names file, line and token. The file has another format; the message names it and converts it.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "two.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("+1 1:0.5 3:2\\n-1\\n")
    >>> X, y = read_libsvm(path)
    >>> X.toarray().tolist(), y.tolist()
    ([[0.5, 0.0, 2.0], [0.0, 0.0, 0.0]], [1.0, -1.0])
    """
    name = fspath(path)
    rows = next(read_chunks(name, zero_based=zero_based))
    return rows.matrix(), rows.labels


class Chunk(NamedTuple):
    """Consecutive rows of a file."""

    labels: NDArray[np.float64]  # (rows,)
    columns: NDArray[np.intc]  # (entries,)
    values: NDArray[np.float64]  # (entries,)
    offsets: NDArray[np.int64]  # (rows + 1,), from 0

    def matrix(self) -> Any:
        """The rows as CSR, with as many columns as they need, at least one."""
        d = int(self.columns.max(initial=0)) + 1
        return sparse_rows(self.values, self.columns, self.offsets, (len(self.labels), d))


def read_chunks(path: str | PathLike[str], entries: float = math.inf, zero_based: bool = False) -> Iterator[Chunk]:
    """Read a LIBSVM file piece by piece: every chunk but the last has ``entries`` pairs or a few more.

    Raises what ``read_libsvm`` raises, where the reading has come so far.
    """
    name, rows, pairs = fspath(path), 0, 0
    labels, indices, values, offsets = _empty()
    for number, tokens in _rows(name):
        try:
            labels.append(_label(tokens[0]))
            _append_pairs(tokens, indices, values, int(zero_based))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
        offsets.append(len(indices))
        rows += 1
        if len(indices) >= entries:
            pairs += len(indices)
            yield Chunk(np.array(labels), np.array(indices) - 1, np.array(values), np.array(offsets))
            labels, indices, values, offsets = _empty()
    if not rows:
        raise ValueError(f"{name}: the file holds no row; expected lines of the form LABEL INDEX:VALUE ...")
    if not pairs + len(indices):
        raise ValueError(
            f"{name}: none of the {rows} rows has a feature, so the matrix has no column; "
            "expected lines of the form LABEL INDEX:VALUE ..."
        )
    if labels:
        yield Chunk(np.array(labels), np.array(indices) - 1, np.array(values), np.array(offsets))


def _empty() -> tuple["array[float]", "array[int]", "array[float]", "array[int]"]:
    """No labels, no indices, no values, and the first offset; 12 bytes a pair."""
    return array("d"), array("i"), array("d"), array("q", [0])


def finite_number(token: bytes) -> float:
    """Read a finite decimal number; raise ValueError for anything else.

    ``float`` alone would also take ``nan``, ``inf`` and ``1_000``.
    """
    number = float(token)
    if number - number != 0.0 or b"_" in token:  # inf - inf and nan - nan are nan
        raise ValueError(f"{_show(token)} is not a finite decimal number")
    if abs(number) >= EXACT and (reason := lost_digits(token)):
        raise ValueError(f"{_show(token)} {reason}")
    return number


def lost_digits(token: bytes) -> str:
    """Return an error about a whole number, written in digits, that no float64 holds; "" for every other token."""
    found = WHOLE.fullmatch(token.strip())
    if found is None or int(found[1]) == (nearest := float(found[1])):
        return ""
    return (
        f"is a whole number that no float64 holds, the nearest is {nearest:.0f}: give a label as text, leave out a"
        f" number that only names something, or write {nearest!r} if the rounded number is meant"
    )


def _rows(name: str) -> Iterator[tuple[int, list[bytes]]]:
    """Yield (line number from 1, tokens) for every line that is a row."""
    blank = 0  # number of the last blank line; 0 when there was none
    for number, line in enumerate(text_lines(name), start=1):
        text, hash_sign, _ = line.partition(b"#")
        if b"\r" in text or b"\v" in text or b"\f" in text:
            text = _without_line_end(name, number, text)
        tokens = text.split()
        if tokens and blank:
            raise ValueError(
                f"{name}, line {blank}: missing label: the line is blank and yet line {number} holds a row; "
                "write the label of the row, or delete the line if no row is meant"
            )
        if tokens:
            yield number, tokens
        elif not hash_sign:
            blank = number


def _without_line_end(name: str, number: int, text: bytes) -> bytes:
    """The text of a line that ends in CRLF. Raise ValueError for other white space that is neither space nor tab."""
    text = text.removesuffix(b"\r\n")
    for space, words in OTHER_SPACES.items():
        if space in text:
            raise ValueError(
                f"{name}, line {number}: {words} within the line, byte {text.index(space) + 1}; numbers are separated"
                " by spaces or tabs, and lines end in LF or CRLF; convert the file"
            )
    return text


def text_lines(name: str, format: str = "libsvm") -> Iterator[bytes]:
    """Yield the lines of the file, decompressed; turn every failure to read it into one sentence."""
    try:
        with open(name, "rb") as file:
            first_bytes = file.peek(6)
            for mark, opener in _DECOMPRESSORS.items():
                if first_bytes.startswith(mark):
                    size = os.fstat(file.fileno()).st_size  # 0 of a pipe
                    # The decompressors look for line ends in Python; BufferedReader does it in C.
                    with io.BufferedReader(opener(file)) as text:
                        _require_format(name, text, format)
                        yield from _limited(name, text, max(ALWAYS_READ, LARGEST_GROWTH * size) if size else FROM_PIPE)
                    return
            _require_format(name, file, format)
            yield from _limited(name, file, math.inf)
    except FileNotFoundError:
        raise FileNotFoundError(f"{name}: there is no such file") from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(
            f"{name}: the file cannot be read to its end ({reason}); give a file, plain or compressed "
            "by gzip, bzip2 or xz, and get it again if it is damaged or cut short"
        ) from None


def format_of_file(name: str) -> str:
    """The format of a regular file, decompressed, as ``format_of`` names it; "libsvm" of everything else, whose reader
    says what is wrong.
    """
    try:
        if not os.path.isfile(name):
            return "libsvm"
        with open(name, "rb") as file:
            first_bytes = file.peek(6)
            opener = next((opener for mark, opener in _DECOMPRESSORS.items() if first_bytes.startswith(mark)), None)
            if opener is None:
                return format_of(file.peek(io.DEFAULT_BUFFER_SIZE))
            with io.BufferedReader(opener(file)) as text:
                found = format_of(text.peek(io.DEFAULT_BUFFER_SIZE))
            return found if found == "table" else "libsvm"
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return "libsvm"


def _require_format(name: str, file: io.BufferedReader, format: str) -> None:
    """Raise ValueError for a file that begins as another format does."""
    head = file.peek(io.DEFAULT_BUFFER_SIZE)
    found = format_of(head)
    if found == format == "table":
        return
    if other := other_format(head):
        raise ValueError(f"{name}: {other.replace('FILE', name)}")
    if found != format:
        raise ValueError(
            f"{name}: the file is {KINDS[found]}, not plain LIBSVM text; it is read from a regular file that is not"
            " compressed, by what reads all formats (load, dualgap solve)"
        )


def _limited(name: str, file: Any, most: float) -> Iterator[bytes]:
    """Yield the lines of a file as long as they, and all of them together, are not longer than allowed."""
    number = read = 0
    while line := file.readline(LONGEST_LINE + 1):
        number, read = number + 1, read + len(line)
        if len(line) > LONGEST_LINE:
            raise ValueError(
                f"{name}, line {number}: the line is longer than {LONGEST_LINE} bytes; give LIBSVM text, one row a line"
            )
        if read > most:
            raise ValueError(
                f"{name}, line {number}: the file has grown to {read} bytes, more than {LARGEST_GROWTH} times what it"
                f" has compressed (or {FROM_PIPE} bytes from a pipe): decompress it yourself if it is meant"
            )
        yield line


def _label(token: bytes) -> float:
    if not token.isascii() and (strange := strange_character(token)):
        raise ValueError(f"the label {_show(token)} holds {strange}")
    if b":" in token:
        raise ValueError(
            f"missing label: the line begins with {_show(token)}; it must begin with one finite number, "
            "the label of the row"
        )
    try:
        return finite_number(token)
    except ValueError:
        if reason := lost_digits(token):
            raise ValueError(f"the label {_show(token)} {reason}") from None
        raise ValueError(
            f"the label {_show(token)} is not one finite decimal number (allowed: 1, -1, 2.5, 1e-3, ...); "
            f"correct it or map the labels to numbers (dualgap reads {READS})"
        ) from None


def _append_pairs(tokens: list[bytes], indices: "array[int]", values: "array[float]", more: int) -> None:
    """Check tokens[1:], the INDEX:VALUE pairs of one row, and append them to the two arrays, ``more`` added to each
    index.
    """
    start = len(indices)
    previous = 0
    for token in tokens[1:]:
        digits, colon, value = token.partition(b":")
        if not (colon and digits.isdigit()):
            raise ValueError(_why_no_index(token))
        index = int(digits) + more if len(digits) < 19 else LARGEST_INDEX + 1  # int() refuses very long strings
        if not previous < index <= LARGEST_INDEX:
            raise ValueError(_why_wrong_index(token, index, previous, index in indices[start:], more))
        try:
            values.append(finite_number(value))
        except ValueError:
            raise ValueError(_why_no_value(token)) from None
        indices.append(index)
        previous = index


def _why_no_index(token: bytes) -> str:
    """Say what is wrong with a token that does not begin with the digits of an index."""
    head, colon, _ = token.partition(b":")
    if strange := strange_character(token):
        return f"the token {_show(token)} holds {strange}"
    if not colon:
        return f"the token {_show(token)} is not INDEX:VALUE (as in 3:0.5); correct or delete it"
    if head.lower() == b"qid":
        return (
            f"the token {_show(token)} is a query id; it marks data for ranking, which have no place here; "
            "delete the qid tokens"
        )
    if head[:1] == b"-" and head[1:].isdigit():
        return f"negative index in {_show(token)}; indices are the whole numbers 1, 2, 3, ...; correct the index"
    return (
        f"the index in {_show(token)} is not a whole number; indices are 1, 2, 3, ..., in digits alone; "
        "correct or delete the token"
    )


def _why_wrong_index(token: bytes, index: int, previous: int, seen: bool, more: int) -> str:
    """Say what is wrong with an index that is a whole number but not an allowed one."""
    if index == 0:
        return (
            f"index 0 in {_show(token)}; indices start at 1; if the file counts from 0, as scikit-learn's"
            " dump_svmlight_file does unless told otherwise, give --zero-based (in Python zero_based=True)"
        )
    if index > LARGEST_INDEX:
        return f"the index in {_show(token)} is too large; allowed are {1 - more} to {LARGEST_INDEX - more}; correct it"
    if seen:
        return (
            f"duplicate index {index - more} in {_show(token)}; every index may stand once in a line; "
            "delete one of the two, or add them up if that is what is meant"
        )
    return (
        f"unsorted index {index - more} in {_show(token)}, after index {previous - more}; indices must increase along"
        " the line; sort the pairs of the line by index"
    )


def _why_no_value(token: bytes) -> str:
    """Say what is wrong with the value of a token whose index is in order."""
    value = token.partition(b":")[2]
    if strange := strange_character(value):
        return f"the value in {_show(token)} holds {strange}"
    if reason := lost_digits(value):
        return f"the value in {_show(token)} {reason}"
    if value.lower().lstrip(b"+-") in (b"nan", b"inf", b"infinity"):
        return f"the value in {_show(token)} is not finite; allowed are finite decimal numbers; correct it"
    return f"the value in {_show(token)} is not a decimal number that fits in a float64 (as 0.5, -2, 1e-3); correct it"


def _show(token: bytes) -> str:
    """Quote a token for a message, shortened when it is long, whatever bytes it holds."""
    return repr(token if len(token) <= 40 else token[:37] + b"...")[1:]  # without the b of b'...'
