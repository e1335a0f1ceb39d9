"""scikit-learn's small data sets: two of them from their files, without the second that importing scikit-learn
takes.
"""

import gzip
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = tuple[NDArray[np.float64], NDArray[Any]]


class Table(NamedTuple):
    """A file of comma-separated numbers, the label last: its name, the lines above the numbers, rows and columns."""

    file: str
    above: int
    shape: tuple[int, int]


TABLES = {
    "load_breast_cancer": Table("breast_cancer.csv", 1, (569, 31)),
    "load_digits": Table("digits.csv.gz", 0, (1797, 65)),
}


def bundled(function: str) -> Rows:
    """(X, y) as ``sklearn.datasets.FUNCTION(return_X_y=True)`` gives them, bit for bit. Raises ImportError without
    scikit-learn.
    """
    found = read(TABLES[function]) if function in TABLES else None
    return getattr(import_module("sklearn.datasets"), function)(return_X_y=True) if found is None else found


def read(table: Table) -> Rows | None:
    """(X, y) of the file that the installed scikit-learn has; None if it has no such file, or another one."""
    package = find_spec("sklearn")
    for folder in (package.submodule_search_locations or ()) if package else ():
        path = Path(folder, "datasets", "data", table.file)
        try:
            with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
                numbers = np.loadtxt(file, delimiter=",", skiprows=table.above, ndmin=2)
        except (OSError, ValueError):
            continue
        if numbers.shape == table.shape:
            return numbers[:, :-1], numbers[:, -1].astype(int)
    return None
