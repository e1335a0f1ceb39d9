"""A data set: n rows x_i, their labels y_i, and what was done to them.

Row norms, wherever the package prepares or describes data, are computed in one way that neither overflows nor
underflows: with s_i the power of two for which max_j |x_ij| / s_i lies in [1/2, 1), ||x_i|| = s_i N_i where
N_i = sqrt(sum_j (x_ij / s_i)^2), summed in the stored order of the row. Dense and sparse storage of the same
row give the same bits: the zeros that only one of them stores add nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from dualgap.reference.numbers.own_context import in_own_context

MOST_LABELS_LISTED = 200  # beyond this y is rather a target than a class, and ``describe`` gives its range only


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows, labels, and a record in plain words of how they came to be.

    Parameters
    ----------
    name : what the user gave
    X : ndarray (n, d) or scipy.sparse CSR (n, d), float64, finite, n >= 1, d >= 1
    y : ndarray (n,), float64, finite
    preparation : one sentence for each thing that was done to the data, in order
    columns : of a table, the names of its columns, each with the words that became columns of 0 and 1 (``tables``)
    classes : of labels that were text: y holds their places
    labels : of labels that became -1 and +1, or 0 to K-1 for a multinomial model, what they were
    standard : of standardized columns, shape (4, d): ``load.standardized`` applies it to other rows

    Raises
    ------
    ValueError
        A shape, type or entry is not as stated.

    Examples
    --------
    >>> Dataset("one row", np.array([[3.0, 4.0]]), np.array([1.0])).n
    1
    """

    name: str
    X: Any
    y: NDArray[np.float64]
    preparation: tuple[str, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    labels: tuple[str, ...] | None = None
    standard: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        X, y = self.X, self.y
        if not (isinstance(X, np.ndarray) or issparse(X) and X.format == "csr"):
            raise ValueError(f"{self.name}: X must be a numpy array or a scipy CSR matrix (got {type(X).__name__})")
        if X.dtype != np.float64 or np.asarray(y).dtype != np.float64:
            raise ValueError(f"{self.name}: X and y must hold float64 (got {X.dtype} and {np.asarray(y).dtype})")
        if X.ndim != 2 or min(X.shape) < 1:
            raise ValueError(f"{self.name}: X must have at least one row and one column (got shape {X.shape})")
        if y.shape != (X.shape[0],):
            raise ValueError(f"{self.name}: y must have shape ({X.shape[0]},), one label a row (got {y.shape})")
        for labels in (self.classes, self.labels or ()):
            require_distinct(labels, self.name)
        stored = X.data if issparse(X) else X
        if not (np.isfinite(stored).all() and np.isfinite(y).all()):
            raise ValueError(f"{self.name}: X and y must be finite, yet there is a NaN or an infinity in them")

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])


def label_name(value: float) -> str:
    """A label that is a number, as text that is that number.

    >>> label_name(2.0), label_name(1234567.0), label_name(0.1 + 0.2), label_name(1e20)
    ('2', '1234567', '0.30000000000000004', '1e+20')
    """
    short = f"{value:g}"
    if float(short) == value:
        return short
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(float(value))


def require_distinct(labels: Sequence[str], name: str) -> None:
    """Raise ValueError if two labels are the same text, or the same number for a reader of numbers.

    >>> require_distinct(("no", "1", "+1"), "file")
    Traceback (most recent call last):
        ...
    ValueError: file: the labels '1' and '+1' are one number: write both in one way, or rename one of them
    """
    known: dict[object, str] = {}
    for label in labels:
        try:
            key: object = float(label)
        except ValueError:
            key = label
        key = key if key == key else label
        if key in known:
            raise ValueError(
                f"{name}: the labels {known[key]!r} and {label!r} are one number: write both in one way, or rename"
                " one of them"
            )
        known[key] = label


def sparse_rows(values: Any, columns: Any, offsets: object, shape: tuple[int, int]) -> Any:
    """Make a CSR array; the order of the entries is kept, and 32-bit integers are used where they suffice.

    (scipy keeps whatever it is given: 64-bit columns cost a pass over the data a third more memory traffic.)

    Examples
    --------
    >>> sparse_rows([1.0, 2.0], [1, 0], [0, 2, 2], (2, 2)).toarray().tolist()
    [[2.0, 1.0], [0.0, 0.0]]
    """
    integer = np.int32 if max(len(values), *shape) < 2**31 else np.int64
    return csr_array((values, np.asarray(columns, integer), np.asarray(offsets, integer)), shape=shape)


def row_norms(X: object) -> NDArray[np.float64]:
    """Return ||x_i|| for every row, shape (n,), by the formula at the head of this file.

    Examples
    --------
    >>> row_norms(np.array([[3e-200, 4e-200], [0.0, 0.0]])).tolist()
    [5e-200, 0.0]
    """
    _, _, squares, exponents = _scaled(X)
    with np.errstate(over="ignore"):  # a norm beyond float64 is inf
        norms: NDArray[np.float64] = np.ldexp(np.sqrt(squares), exponents)
    return norms


def unit_rows(X: Any) -> Any:
    """Return a copy of X with every row scaled to Euclidean norm 1; a zero row stays zero.

    x_ij becomes (x_ij / s_i) / N_i, with s_i and N_i as at the head of this file. The division by s_i is exact
    (except for an entry 2^1000 times smaller than the largest of its row). Then, to first order in the unit
    roundoff u = 2^-53, a row with k entries has the squared norm 1 within (k + 4) u: the k products and k - 1
    sums put at most k u into N_i^2, the root and the division 2 u each.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    rows, values, squares, _ = _scaled(X)
    divisors = np.where(squares == 0.0, 1.0, np.sqrt(squares))
    values = values / divisors[rows]
    if issparse(X):
        return sparse_rows(values, X.indices.copy(), X.indptr.copy(), X.shape)
    return values.reshape(X.shape)


@in_own_context
def describe(dataset: Dataset) -> dict[str, object]:
    """Return the facts about a data set that a user wants to see before solving, ready for JSON.

    Returns
    -------
    dict with the keys ``name``; ``n``; ``d``; ``storage`` ("sparse" or "dense"); ``nnz`` (entries other than
    zero); ``explicit_zeros`` (zeros that sparse storage holds all the same, else 0); ``zero_rows``;
    ``duplicate_rows`` (rows that repeat an earlier row and its label); ``contradictory_rows`` (different rows
    that occur with more than one label); ``row_norm_min``, ``row_norm_median``, ``row_norm_max``; ``R2`` (the
    largest ||x_i||^2, inf beyond float64); ``labels`` (number of different labels); ``label_min``,
    ``label_max``; ``label_counts`` (list of [label, rows], None beyond 200 labels); ``preparation`` (list of
    sentences).

    Examples
    --------
    >>> facts = describe(Dataset("twice", np.ones((2, 1)), np.array([1.0, -1.0])))
    >>> facts["R2"], facts["contradictory_rows"], facts["label_counts"]
    (1.0, 1, [[-1.0, 1], [1.0, 1]])
    """
    X, y = dataset.X, dataset.y
    norms = row_norms(X)
    _, _, squares, exponents = _scaled(X)
    with np.errstate(over="ignore"):
        largest_square = float(np.ldexp(squares, 2 * exponents).max())
    stored = X.data if issparse(X) else X
    nnz = int(np.count_nonzero(stored))
    duplicate_rows, contradictory_rows = _repetitions(X, y)
    labels, counts = np.unique(y, return_counts=True)
    pairs = [[float(label), int(count)] for label, count in zip(labels, counts, strict=True)]
    return {
        "name": dataset.name,
        "n": dataset.n,
        "d": dataset.d,
        "storage": "sparse" if issparse(X) else "dense",
        "nnz": nnz,
        "explicit_zeros": stored.size - nnz if issparse(X) else 0,
        "zero_rows": int(np.count_nonzero(norms == 0.0)),
        "duplicate_rows": duplicate_rows,
        "contradictory_rows": contradictory_rows,
        "row_norm_min": float(norms.min()),
        "row_norm_median": float(np.median(norms)),
        "row_norm_max": float(norms.max()),
        "R2": largest_square,
        "labels": len(pairs),
        "label_min": pairs[0][0],
        "label_max": pairs[-1][0],
        "label_counts": pairs if len(pairs) <= MOST_LABELS_LISTED else None,
        "preparation": list(dataset.preparation),
    }


def _scaled(X: Any) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64], Any]:
    """Return what the formula at the head of this file is made of.

    For every stored entry, in stored order, its row i and x_ij / s_i, shape (nnz,) each; for every row
    N_i^2 and the exponent of s_i, shape (n,) each; a zero row has N_i = 0 and s_i = 1.
    """
    n, d = X.shape
    rows = np.repeat(np.arange(n), np.diff(X.indptr) if issparse(X) else d)
    values = X.data if issparse(X) else X.ravel()
    largest = np.zeros(n)
    np.maximum.at(largest, rows, np.abs(values))
    exponents = np.frexp(largest)[1]
    scaled = np.ldexp(values, -exponents[rows])
    squares = np.bincount(rows, weights=scaled * scaled, minlength=n)  # adds in the order of the entries
    return rows, scaled, squares.astype(np.float64), exponents


def _repetitions(X: object, y: NDArray[np.float64]) -> tuple[int, int]:
    """Count the rows that repeat an earlier row and its label, and the different rows with several labels."""
    A = csr_array(X, copy=True)
    A.eliminate_zeros()
    A.sort_indices()
    labels_of_row: dict[tuple[bytes, bytes], set[float]] = {}
    for i, label in enumerate(y.tolist()):
        entries = slice(A.indptr[i], A.indptr[i + 1])
        row = (A.indices[entries].tobytes(), A.data[entries].tobytes())
        labels_of_row.setdefault(row, set()).add(label)
    different = sum(len(labels) for labels in labels_of_row.values())
    return len(y) - different, sum(len(labels) > 1 for labels in labels_of_row.values())
