"""Folds of the rows for cross-validation: drawn by a seed, of one size, with labels in equal shares on request."""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.dataset import Dataset
from dualgap.fast.data.memory_mapped import Mapped


def folds_of(y: NDArray[np.float64], folds: int, seed: int, stratified: bool) -> NDArray[np.int64]:
    """The number of the fold that holds out each row, shape (n,). Sizes differ by at most 1, and stratified also the
    number of rows of each label.

    >>> folds_of(np.array([1.0, 1.0, -1.0, -1.0]), 2, 0, True).tolist()
    [0, 1, 0, 1]
    """
    order = np.random.default_rng(seed).permutation(y.size)
    if stratified:
        order = order[np.argsort(y[order], kind="stable")]
    found = np.empty(y.size, np.int64)
    found[order] = np.arange(y.size) % folds
    return found


def require_folds(dataset: Dataset, folds: object, stratified: bool) -> None:
    """Raise ValueError unless there are two folds or more, and rows for each, if stratified of each label."""
    if not isinstance(folds, Integral) or isinstance(folds, bool) or int(folds) < 2:
        raise ValueError(f"folds must be an integer >= 2 (got {folds!r})")
    if isinstance(dataset, Mapped):
        raise ValueError(f"{dataset.name}: cross-validation needs the rows in memory: give the data file")
    least = int(np.unique(dataset.y, return_counts=True)[1].min()) if stratified else dataset.n
    if int(folds) > least:
        what = "rows of one label" if stratified else "rows"
        raise ValueError(f"{dataset.name}: {folds} folds need as many {what} (got {least}): give fewer folds")
