"""From any data set to a folder that is mapped: prepared on the way, in the memory of a few chunks.

The folder holds the bits, and tells the sentences, of ``data.prepare`` on the whole data set.
"""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dualgap.fast.data.dataset import row_norms
from dualgap.fast.data.dataset import unit_rows as unit_rows_of
from dualgap.fast.data.generators import GENERATORS
from dualgap.fast.data.libsvm import read_chunks
from dualgap.fast.data.load import (
    BIAS_SENTENCE,
    EMBEDDED,
    bias_first,
    chosen_rows,
    load,
    positive_sentence,
    prepare,
    refuse_standardize,
    unit_rows_sentence,
)
from dualgap.fast.data.memory_mapped import Mapped, Progress, Writer, is_mapped, open_mapped

ENTRIES = 1 << 20  # of a chunk: 12 MiB, and about four times as much while it is prepared


def map_data(
    name_or_path: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    positive: str | None = None,
    standardize: bool = False,
    bias: bool = False,
    unit_rows: bool = False,
    progress: Progress = lambda rows, entries: None,
) -> Mapped:
    """Write a data set to a folder and map it.

    Parameters
    ----------
    name_or_path : as in ``data.load``; a LIBSVM file is read piece by piece, everything else as a whole
    folder : one that does not exist, or is empty
    positive, standardize, bias, unit_rows : as in ``data.prepare``
    progress : called with the rows and entries written so far

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
    if is_mapped(text):
        raise ValueError(f"{text} is a folder, not a LIBSVM file, data set or generator: what could be mapped is mapped already")
    known = text.partition(":")[0] in (*EMBEDDED, *GENERATORS) or not os.path.exists(text)  # load says what is wrong
    if known:
        dataset = prepare(load(text), positive, standardize, bias, unit_rows)
        with Writer(folder) as writer:
            writer.append(csr_array(dataset.X), dataset.y)
            writer.preparation = dataset.preparation
        return open_mapped(folder)
    if standardize:
        refuse_standardize(text, "these sparse data")
    prepared = _Preparation(text, positive, bias, unit_rows)
    with Writer(folder) as writer:
        for X, y in prepared.chunks():
            writer.append(X, y)
            progress(writer.facts.n, writer.facts.stored)
        writer.preparation = prepared.sentences()
    return open_mapped(folder)


class _Preparation:
    """The chunks of a LIBSVM file, prepared, and what was done to them all."""

    def __init__(self, name: str, positive: str | None, bias: bool, unit_rows: bool) -> None:
        self.name, self.positive, self.bias, self.unit_rows = name, positive, bias, unit_rows
        self.labels = [np.empty(0), np.empty(0)]  # the different ones that positive names, and the others
        self.rows = [0, 0]
        self.zeros = 0

    def chunks(self) -> Iterator[tuple[Any, NDArray[np.float64]]]:
        """(X, y) of one chunk after the other."""
        for chunk in read_chunks(self.name, ENTRIES):
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
        """Those of ``data.prepare``, in its order."""
        told = []
        if self.positive is not None:
            (chosen, others), (count, rest) = self.labels, self.rows
            told.append(positive_sentence(self.name, self.positive, chosen, others, (count, rest)))
        told += [BIAS_SENTENCE] if self.bias else []
        told += [unit_rows_sentence(self.zeros)] if self.unit_rows else []
        return tuple(told)
