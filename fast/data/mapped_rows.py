"""The rows of a folder of ``memory_mapped``: arrays that are mapped read-only and prefetched block by block."""

import bisect
import contextlib
import os
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.mapped_file import Stamp, open_array
from dualgap.reference.problem.problem import Problem

DTYPES = {"indptr": "<i8", "indices": "<i4", "data": "<f8", "y": "<f8"}
BLOCKS_AT_ONCE = 8  # of 1.5 MiB each, or a little more: in memory are those worked on and those being read


class MappedRows:
    """A CSR matrix whose arrays are files; what ``Problem`` needs of one. (scipy would copy 32-bit columns next to
    64-bit offsets.)

    A process that is sent one gets the folder's name and maps the files itself.
    """

    format: ClassVar[str] = "csr"
    ndim: ClassVar[int] = 2
    dtype = np.dtype(np.float64)

    def __init__(self, folder: str, shape: tuple[int, int]) -> None:
        self.folder, self.shape = folder, shape
        self.stamps = _stamps(folder)
        self.indptr, self.indices, self.data = (map_array(folder, name) for name in ("indptr", "indices", "data"))

    @property
    def nnz(self) -> int:
        """Stored entries."""
        return len(self.data)

    def __reduce__(self) -> tuple[object, ...]:
        return MappedRows, (self.folder, self.shape)

    def require_unchanged(self) -> None:
        """Raise InputChanged if a file is no longer the one that was mapped."""
        for stamp in self.stamps:
            stamp.require_unchanged()

    def pieces(self, choices: NDArray[np.int64], ends: list[int]) -> Iterator[NDArray[np.int64]]:
        """The choices of one pass in order "blocks", piece by piece; the rows of the next piece are being read
        meanwhile.

        By default the system reads ahead where no row is needed, and waits for the disk at every block: three to
        four times as slow (measured, with a quarter of the data in memory).

        Parameters
        ----------
        choices : (n,) what ``Method.draw`` has drawn: i, or n + i
        ends : where the blocks end (``Problem.block_ends``)
        """
        n, edges = self.shape[0], [0, *ends]
        blocks, starts = [], [0]  # in the order of the pass: the rows of each block, and where its choices begin
        while starts[-1] < len(choices):
            block = bisect.bisect_right(ends, int(choices[starts[-1]]) % n)
            blocks.append((edges[block], edges[block + 1]))
            starts.append(starts[-1] + edges[block + 1] - edges[block])
        with contextlib.ExitStack() as stack:
            files = [
                (stack.enter_context(open(self._path(name), "rb")), getattr(self, name)) for name in ("indices", "data")
            ]
            for k in range(0, len(blocks), BLOCKS_AT_ONCE):
                asked = blocks[k and k + BLOCKS_AT_ONCE : k + 2 * BLOCKS_AT_ONCE]  # before the first piece two of them
                for first, end in asked:
                    self._ask_for(files, int(self.indptr[first]), int(self.indptr[end]))
                yield choices[starts[k] : starts[min(k + BLOCKS_AT_ONCE, len(blocks))]]

    @staticmethod
    def _ask_for(files: list[tuple[Any, Any]], first: int, end: int) -> None:
        """Have the system begin to read the entries first .. end - 1, where it can be told to."""
        if hasattr(os, "posix_fadvise"):
            for file, array in files:
                begin, length = array.offset + first * array.itemsize, (end - first) * array.itemsize
                os.posix_fadvise(file.fileno(), begin, length, os.POSIX_FADV_WILLNEED)

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, f"{name}.npy")


def pieces(problem: Problem, order: str, choices: Any) -> Iterator[Any]:
    """``MappedRows.pieces`` where the rows are mapped and the order is "blocks"; else the choices as they are.

    Raises InputChanged if mapped files change before or during the pass.
    """
    rows = problem.X if isinstance(problem.X, MappedRows) else None
    if rows is not None:
        rows.require_unchanged()
    if rows is not None and order == "blocks":
        yield from rows.pieces(choices, problem.block_ends)
    else:
        yield choices
    if rows is not None:
        rows.require_unchanged()


def map_array(folder: str, array: str) -> Any:
    """Map one of the arrays of a folder, shape (length,)."""
    return open_array(os.path.join(folder, f"{array}.npy"), DTYPES[array])


def _stamps(folder: str) -> tuple[Stamp, ...]:
    """Return the states of the four files before they are mapped."""
    try:
        return tuple(Stamp.of(os.path.join(folder, f"{array}.npy")) for array in DTYPES)
    except OSError as error:
        raise ValueError(f"{error.filename} cannot be mapped ({error.strerror}); write the folder again") from None
