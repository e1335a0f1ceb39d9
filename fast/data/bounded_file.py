"""Files that another user may have made: only regular ones are opened, and nothing is allocated before its size is
checked.

Opening a pipe without a writer would wait for ever, and a device has no end.
"""

import errno
import io
import math
import os
import re
import stat
from typing import Any, BinaryIO

import numpy as np

BINARY, AT_ONCE = getattr(os, "O_BINARY", 0), getattr(os, "O_NONBLOCK", 0)
PIECE = 1 << 20  # bytes read at a time
LONGEST_HEADER = 10_000  # bytes of an .npy file's header; numpy writes 128
HEADER = re.compile(
    rb"\{\s*'descr':\s*'([<>|=]?[fiu][1248])',\s*'fortran_order':\s*(True|False),\s*'shape':\s*\(([\d,\s]*)\),?\s*\}\s*"
)


def open_regular(path: str | os.PathLike[str], most: float = math.inf, pipe: bool = False) -> BinaryIO:
    """Open a file for reading.

    Parameters
    ----------
    most : bytes that it may have
    pipe : allow a pipe, which has no size: read at most so many bytes of it

    Raises
    ------
    OSError
        It cannot be opened, or is a folder, a pipe or a device. The error names the file.
    ValueError
        It is larger.
    """
    file = open(os.open(path, os.O_RDONLY | AT_ONCE | BINARY), "rb")
    try:
        found = os.fstat(file.fileno())
        if stat.S_ISDIR(found.st_mode):
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(found.st_mode) and not (pipe and stat.S_ISFIFO(found.st_mode)):
            raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
        if found.st_size > most:
            raise ValueError(
                f"{os.fspath(path)} has {found.st_size} bytes, more than the {most} that such a file may have"
            )
        if AT_ONCE:
            os.set_blocking(file.fileno(), True)
    except BaseException:
        file.close()
        raise
    return file


def read_bytes(path: str | os.PathLike[str], most: int, pipe: bool = False) -> bytes:
    """The content of a file. Raises what ``open_regular`` raises, and ValueError for a pipe with more than ``most``
    bytes.
    """
    raw = bytearray()
    with open_regular(path, most, pipe) as file:
        # to ask for all at once would allocate all
        while len(raw) <= most and (piece := os.read(file.fileno(), PIECE)):
            raw += piece
    if len(raw) > most:
        raise ValueError(f"{os.fspath(path)} has more than {most} bytes")
    return bytes(raw)


def npy_header(file: BinaryIO) -> tuple[Any, tuple[int, ...], bool]:
    """Dtype, shape and whether columns come first, of an .npy file of real numbers; the file stands at its first number
    then.

    Raises
    ------
    ValueError
        The file begins in another way, or holds other things than numbers of at most 64 bits.
    """
    begin = file.read(8)
    if begin[:6] != b"\x93NUMPY" or begin[6:7] not in (b"\1", b"\2", b"\3"):
        raise ValueError("it does not begin as an .npy file does")
    length = int.from_bytes(file.read(2 if begin[6:7] == b"\1" else 4), "little")
    found = HEADER.fullmatch(file.read(length)) if length <= LONGEST_HEADER else None
    shape = () if found is None else tuple(int(word[:20]) for word in re.findall(rb"\d+", found[3]))
    if found is None or any(length >= 2**63 for length in shape):
        raise ValueError("its header is damaged, or not that of an array of real numbers (not bool) of at most 64 bits")
    return np.dtype(found[1].decode()), shape, found[2] == b"True"


def require_npy_size(file: BinaryIO, size: int) -> tuple[Any, tuple[int, ...], bool]:
    """``npy_header`` of an .npy file that has that many bytes. Raises ValueError if its header says another size."""
    dtype, shape, by_columns = npy_header(file)
    due = file.tell() + dtype.itemsize * math.prod(shape)
    if due != size:
        raise ValueError(f"the array of shape {shape} needs {due} bytes, but the file has {size}")
    return dtype, shape, by_columns


def npy_array(file: BinaryIO, size: int | None = None, mapped: bool = False) -> Any:
    """The array of an .npy file, of which nothing is read before its size is checked; size: by default, of a file on
    disk. If it is ``mapped``, its numbers are read when they are used.
    """
    size = os.fstat(file.fileno()).st_size if size is None else size
    dtype, shape, by_columns = require_npy_size(file, size)
    count = math.prod(shape)
    if mapped and count:
        return np.memmap(file, dtype, "r", file.tell(), shape, "F" if by_columns else "C")
    in_memory = isinstance(file, io.BytesIO)
    found = np.frombuffer(bytearray(file.read()), dtype) if in_memory else np.fromfile(file, dtype, count)
    return found.reshape(shape, order="F" if by_columns else "C")


def array_of(raw: bytes) -> Any:
    """The array of an .npy file with that content. Raises ValueError if it is longer or shorter than its header
    says.
    """
    return npy_array(io.BytesIO(raw), len(raw))
