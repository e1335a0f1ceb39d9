"""Convert any data set to a mapped folder; it is prepared in chunks, so little memory is needed.

The folder holds the bits, and tells the sentences, of ``data.prepare`` on the whole data set.
"""

import contextlib
import heapq
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dualgap.fast.data.dataset import row_norms
from dualgap.fast.data.dataset import unit_rows as unit_rows_of
from dualgap.fast.data.formats import KINDS
from dualgap.fast.data.generators import GENERATORS
from dualgap.fast.data.libsvm import format_of_file, read_chunks
from dualgap.fast.data.load import (
    BIAS_SENTENCE,
    EMBEDDED,
    ZERO_BASED_SENTENCE,
    bias_first,
    chosen_rows,
    load,
    positive_sentence,
    prepare,
    refuse_standardize,
    unit_rows_sentence,
)
from dualgap.fast.data.mapped_rows import DTYPES
from dualgap.fast.data.memory_mapped import Mapped, Progress, Writer, is_mapped, open_mapped
from dualgap.reference.numbers.own_context import in_own_context

MOST_PARTS, OTHER_FILES = 1 << 12, 64  # parts at most; files that a process has open besides
ENTRIES = 1 << 20  # of a chunk: 12 MiB, and about four times as much while it is prepared


@in_own_context
def map_data(
    name_or_path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    positive: str | None = None,
    standardize: bool = False,
    bias: bool = False,
    unit_rows: bool = False,
    progress: Progress = lambda rows, entries: None,
    zero_based: bool = False,
) -> Mapped:
    """Write a data set to a folder and map it.

    Parameters
    ----------
    name_or_path : as in ``data.load``; a LIBSVM file is read piece by piece, everything else as a whole
    folder : one that does not exist, or is empty
    positive, standardize, bias, unit_rows : as in ``data.prepare``
    progress : called with the rows and entries written so far
    zero_based : as in ``data.load``

    Raises
    ------
    ValueError, FileNotFoundError
        As ``data.load`` and ``data.prepare``; the folder is not empty; the data set is in such a folder already.

    Examples
    --------
    >>> import tempfile
    >>> map_data("orthonormal:n=3", tempfile.mkdtemp(), unit_rows=True).facts["nnz"]
    3
    """
    text = os.fspath(name_or_path)
    chunks, sentences = _chunks(text, positive, standardize, bias, unit_rows, zero_based)
    with Writer(folder) as writer:
        for X, y in chunks:
            writer.append(X, y)
            progress(writer.facts.n, writer.facts.stored)
        writer.preparation = sentences()
    return open_mapped(folder)


@in_own_context
def map_parts(
    name_or_path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    parts: int,
    seed: int = 0,
    positive: str | None = None,
    standardize: bool = False,
    bias: bool = False,
    unit_rows: bool = False,
    progress: Progress = lambda rows, entries: None,
    zero_based: bool = False,
) -> list[Mapped]:
    """Write a data set to the folders part-0, part-1, .. of a folder while it is read: for rows in partitions.

    The rows of each chunk are shuffled, and each goes to the part with the fewest entries so far: the parts differ by a
    row's entries.

    Parameters
    ----------
    folder : one that does not exist, or is empty
    parts : >= 1, at most the number of rows, 4096, and a quarter of the files that a process may have open
    seed : >= 0, of the shuffling
    others : as in ``map_data``

    Raises
    ------
    ValueError, FileNotFoundError
        As ``map_data``; fewer rows than parts.

    Examples
    --------
    >>> import tempfile
    >>> [part.X.shape for part in map_parts("orthonormal:n=5", tempfile.mkdtemp(), 2)]
    [(3, 5), (2, 5)]
    """
    if parts < 1 or seed < 0:
        raise ValueError(f"parts must be >= 1 and seed >= 0 (got {parts} and {seed})")
    if parts > (most := _most_parts()):
        raise ValueError(
            f"parts must be at most {most} (got {parts}): {len(DTYPES)} files of each are open at a time; take fewer,"
            " or raise the limit (ulimit -n)"
        )
    home, width = Path(folder), len(str(parts - 1))
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise ValueError(f"{home} exists and is not an empty folder; give another name, or remove it first")
    chunks, sentences = _chunks(os.fspath(name_or_path), positive, standardize, bias, unit_rows, zero_based)
    writers: dict[int, Writer] = {}  # one for each part that has rows
    with contextlib.ExitStack() as stack:
        stack.push(lambda kind, *_: _remove(writers) if kind else None)  # called after all writers are closed
        for number, (X, y) in enumerate(chunks):
            stored = [writers[k].facts.stored if k in writers else 0 for k in range(parts)]
            for k, rows in enumerate(_shared_out(stored, np.diff(X.indptr), seed, number)):
                if rows.size:
                    writers[k] = writers.get(k) or stack.enter_context(Writer(home / f"part-{k:0{width}d}"))
                    writers[k].append(X[rows], y[rows])
            progress(sum(w.facts.n for w in writers.values()), sum(w.facts.stored for w in writers.values()))
        if len(writers) < parts:
            raise ValueError(
                f"{name_or_path} has {sum(w.facts.n for w in writers.values())} rows, too few for {parts} parts"
            )
        for writer in writers.values():
            writer.columns, writer.preparation = max(w.facts.d for w in writers.values()), sentences()
    return [open_mapped(writers[k].folder) for k in range(parts)]


def _remove(writers: dict[int, Writer]) -> None:
    """Remove all parts, also complete ones; the first one made the folder around them."""
    for writer in reversed(writers.values()):
        writer.remove()


def _most_parts() -> int:
    """Return how many parts can be written at once; each part has four open files."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST_PARTS
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return (
        MOST_PARTS
        if allowed == resource.RLIM_INFINITY
        else min(MOST_PARTS, max(1, (allowed - OTHER_FILES) // len(DTYPES)))
    )


def _chunks(
    text: str, positive: str | None, standardize: bool, bias: bool, unit_rows: bool, zero_based: bool
) -> tuple[Iterator[Any], Callable[[], tuple[str, ...]]]:
    """(X, y) of one chunk after the other, prepared; and what was done to them all, once they were read."""
    if is_mapped(text):
        raise ValueError(
            f"{text} is a folder, not a LIBSVM file, data set or generator: what could be mapped is mapped already"
        )
    if text.partition(":")[0] in (*EMBEDDED, *GENERATORS) or not os.path.exists(text):
        dataset = prepare(load(text, zero_based), positive, standardize, bias, unit_rows)
        return iter([(csr_array(dataset.X), dataset.y)]), lambda: dataset.preparation
    if (format := format_of_file(text)) != "libsvm":
        raise ValueError(
            f"{text}: a folder is made of LIBSVM text, and this is {KINDS[format]}; solve reads it without --map"
        )
    if standardize:
        refuse_standardize(text, "these sparse data")
    prepared = _Preparation(text, positive, bias, unit_rows, zero_based)
    return prepared.chunks(), prepared.sentences


def _shared_out(stored: list[int], lengths: NDArray[Any], seed: int, chunk: int) -> list[NDArray[np.int64]]:
    """The rows of a chunk for each part: shuffled, then one by one to the part with the fewest entries."""
    parts, rows = [(count, k) for k, count in enumerate(stored)], [list[int]() for _ in stored]
    heapq.heapify(parts)
    for row in np.random.default_rng([seed, chunk]).permutation(len(lengths)).tolist():
        count, k = parts[0]
        rows[k].append(row)
        heapq.heapreplace(parts, (count + int(lengths[row]) + 1, k))  # an empty row counts, too
    return [np.array(own, dtype=np.int64) for own in rows]


@dataclass
class _Preparation:
    """The chunks of a LIBSVM file, prepared, and what was done to them all."""

    name: str
    positive: str | None
    bias: bool
    unit_rows: bool
    zero_based: bool
    zeros: int = 0

    def __post_init__(self) -> None:
        self.labels = [np.empty(0), np.empty(0)]  # the different ones that positive names, and the others
        self.rows = [0, 0]

    def chunks(self) -> Iterator[tuple[Any, NDArray[np.float64]]]:
        """(X, y) of one chunk after the other."""
        for chunk in read_chunks(self.name, ENTRIES, self.zero_based):
            X, y = chunk.matrix(), chunk.labels
            if self.positive is not None:
                y = self._signs(y, chosen_rows(y, self.positive))
            if self.bias:
                X = bias_first(X)
            if self.unit_rows:
                self.zeros += int(np.count_nonzero(row_norms(X) == 0.0))
                X = unit_rows_of(X)
            yield X, y

    def _signs(self, y: NDArray[np.float64], chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        for k, part in enumerate((y[chosen], y[~chosen])):
            self.labels[k] = np.union1d(self.labels[k], part)
            self.rows[k] += part.size
        return np.where(chosen, 1.0, -1.0)

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences of ``data.prepare``, in its order."""
        told = [ZERO_BASED_SENTENCE] if self.zero_based else []
        if self.positive is not None:
            (chosen, others), (count, rest) = self.labels, self.rows
            told.append(positive_sentence(self.name, self.positive, chosen, others, (count, rest)))
        told += [BIAS_SENTENCE] if self.bias else []
        told += [unit_rows_sentence(self.zeros)] if self.unit_rows else []
        return tuple(told)
