"""Data sets by name or by file, and their preparation, which is recorded. Nothing is done that was not requested.

Names
-----
``breast_cancer``, ``digits``, ``diabetes`` (bundled with scikit-learn, features as they come), the generators of
``dualgap.fast.data.generators`` with their options (``rcv1-like:seed=3``), or else the path of a file or of a
folder that ``dualgap.fast.data.memory_mapped`` has written. A file that bears one of these names is reached as
``./digits``.
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from os import PathLike, fspath
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from dualgap.fast.data.dataset import Dataset, describe, label_name, require_distinct, row_norms, sparse_rows
from dualgap.fast.data.dataset import unit_rows as unit_rows_of
from dualgap.fast.data.formats import KINDS, READS
from dualgap.fast.data.generators import EMBEDDED, GENERATORS, Labels, generate
from dualgap.fast.data.libsvm import finite_number, format_of_file, read_libsvm, text_lines
from dualgap.fast.data.memory_mapped import Mapped, is_mapped, open_mapped
from dualgap.fast.data.tables import READERS, Asked, Read, listed, read_csv
from dualgap.reference.numbers.own_context import in_own_context

__all__ = ["EMBEDDED", "Dataset", "describe", "load", "prepare"]
ZERO_BASED_SENTENCE = "the file's indices counted from 0"


@in_own_context
def load(
    name_or_path: str | PathLike[str], zero_based: bool = False, target: str | None = None, one_hot: Sequence[str] = ()
) -> Dataset:
    """Load an embedded data set, run a generator, read a file, or map a folder.

    A file is LIBSVM text, CSV or TSV with a header (these plain or compressed by gzip, bzip2 or xz), Parquet or Arrow
    (with pyarrow), ``.npy`` or the ``.npz`` of scipy.sparse. Its content says which, not its name.

    Parameters
    ----------
    name_or_path : see the head of this file
    zero_based : the indices of a LIBSVM file count from 0
    target : of a table, the name of the column of the labels; of ``.npy`` and ``.npz``, the ``.npy`` file of the labels
    one_hot : names of a table's columns of text, each of which becomes one column of 0 and 1 for each of its words

    Raises
    ------
    FileNotFoundError
        It is neither a name nor a file; the message lists the names.
    ValueError
        The options of a generator, or the contents of the file, are refused; ``zero_based`` without a LIBSVM file.
    ImportError
        The data set is embedded in scikit-learn, which is not installed.

    Examples
    --------
    >>> load("orthonormal:n=3").y.tolist()
    [1.0, -1.0, 1.0]
    """
    text = fspath(name_or_path)
    base, colon, _ = text.partition(":")
    if base in EMBEDDED and colon:
        raise ValueError(f"{text}: {base} has no options; write {base}")
    if zero_based and (base in EMBEDDED or base in GENERATORS or is_mapped(text)):
        raise ValueError(
            f"{text}: --zero-based applies only to LIBSVM files, and this is not one; leave the option out"
        )
    if (target is not None or one_hot) and (base in EMBEDDED or base in GENERATORS or is_mapped(text)):
        raise ValueError(f"{text}: it has no named columns; leave out --target and --one-hot")
    if base in EMBEDDED:
        return _load_embedded(text)
    if base in GENERATORS:
        return generate(text)
    if is_mapped(text):
        return open_mapped(text)
    asked = Asked(target, tuple(one_hot))
    try:
        if (found := read_rows(text, zero_based, asked)).y is None:
            raise ValueError(f"{text}: there are no labels in it")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{text}: there is no such file; give the path of a file ({READS}), a data set "
            f"({', '.join(EMBEDDED)}) or a generator ({', '.join(GENERATORS)})"
        ) from None
    told: tuple[str, ...] = (*((ZERO_BASED_SENTENCE,) if zero_based else ()), *found.notes)
    told += tuple(
        f"{name}: a column of 0 and 1 for each of {', '.join(words)}" for name, words in found.columns.items() if words
    )
    if found.classes:
        told += (f"the labels {listed(found.classes)} became 0 to {len(found.classes) - 1}",)
    return Dataset(text, found.X, found.y, told, found.columns, found.classes)


def read_rows(path: str, zero_based: bool, asked: Asked) -> Read:
    """The rows and labels of a file. Raises ValueError, which names the file, and FileNotFoundError."""
    format = format_of_file(path)
    if format == "libsvm" and (asked.known or asked.known is None and (asked.target is not None or asked.one_hot)):
        first = next(text_lines(path), None)  # refuses what is damaged
        raise ValueError(
            f"{path}: "
            + (
                "the file is empty"
                if first is None
                else f"its first line is {ascii(first[:40])[1:]}, which is no header"
            )
            + f": {asked.sought()} needs a table, whose first line has two or more names separated by commas,"
            " semicolons or tabs"
        )
    if (
        asked.known is not None
        and format != "libsvm"
        and (format in ("table", "parquet", "arrow")) != bool(asked.known)
    ):
        has = f"the columns {listed(tuple(asked.known))}" if asked.known else "no names for its columns"
        raise ValueError(
            f"{path}: the file is {KINDS[format]}, and the model has {has}: give rows in a format like that of the"
            " training data (docs/models.md)"
        )
    if format == "libsvm":
        return Read(*read_libsvm(path, zero_based), {}, ())
    if zero_based:
        raise ValueError(f"{path}: --zero-based is for LIBSVM text, and the file is {KINDS[format]}; leave it out")
    try:
        if format == "table":
            return read_csv(text_lines(path, "table"), asked)
        return READERS[format](path, asked, format)
    except (ValueError, OSError) as error:
        said = str(getattr(error, "strerror", None) or error)
        raise ValueError(said if said.startswith(path) else f"{path}, {KINDS[format]}: {said}") from None


@in_own_context
def prepare(
    dataset: Dataset,
    positive: str | None = None,
    standardize: bool = False,
    bias: bool = False,
    unit_rows: bool = False,
) -> Dataset:
    """Return the data set with the requested preparation, always in the order of the parameters.

    The given data set is not changed, and the columns of a sparse row stay in their order. Each thing done adds
    its sentence to ``preparation``.

    Parameters
    ----------
    positive : labels that become +1, all others become -1; numbers and ranges a..b with both ends included,
        separated by commas: "1", "53..105", "1,3,7..9"
    standardize : shift and scale every column to mean 0 and standard deviation 1 (the form with 1/n); dense X
        only. A constant column becomes 0, and the sentence counts such columns.
    bias : put a constant 1 before the first column
    unit_rows : scale every row to Euclidean norm 1, so that R^2 = 1 up to rounding (``dataset.unit_rows``). A
        zero row stays zero, and the sentence counts such rows.

    Raises
    ------
    ValueError
        ``positive`` cannot be read or matches no row or every row; ``standardize`` with sparse X.

    Examples
    --------
    >>> raw = Dataset("two rows", np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([1.0, 2.0]))
    >>> ready = prepare(raw, positive="2", unit_rows=True)
    >>> ready.X.tolist(), ready.y.tolist()
    ([[0.6, 0.8], [0.0, 0.0]], [-1.0, 1.0])
    >>> ready.preparation[1]
    'rows scaled to Euclidean norm 1; 1 zero row stays zero'
    """
    if isinstance(dataset, Mapped) and (positive is not None or standardize or bias or unit_rows):
        raise ValueError(
            f"{dataset.name} was prepared when it was written; give the options of the preparation to dualgap new"
            f" data FILE"
            " --map DIR"
        )
    if positive is not None:
        dataset = _with_positive(dataset, positive)
    if standardize:
        dataset = _standardized(dataset)
    if bias:
        dataset = _done(dataset, bias_first(dataset.X), BIAS_SENTENCE)
    if unit_rows:
        zeros = int(np.count_nonzero(row_norms(dataset.X) == 0.0))
        dataset = _done(dataset, unit_rows_of(dataset.X), unit_rows_sentence(zeros))
    return dataset


def _load_embedded(name: str) -> Dataset:
    """Load a data set that is bundled with scikit-learn."""
    function, ours, words = EMBEDDED[name]
    try:
        X, y = getattr(import_module("sklearn.datasets"), function)(return_X_y=True)
    except ImportError:
        raise ImportError(
            f"the data set {name} is bundled with scikit-learn, which is not installed; "
            'install it with: pip install "dualgap[cli]"'
        ) from None
    return Dataset(name, np.ascontiguousarray(X, np.float64), ours(y).astype(np.float64), words)


def _done(dataset: Dataset, X: object, sentence: str) -> Dataset:
    """Return the data set with new rows and one more sentence about them."""
    return replace(dataset, X=X, preparation=(*dataset.preparation, sentence))


def _with_positive(dataset: Dataset, positive: str) -> Dataset:
    """Turn the labels that ``positive`` names into +1 and the others into -1."""
    y = dataset.y
    chosen = chosen_rows(y, positive, dataset.classes, dataset.name)
    counts = int(np.count_nonzero(chosen)), int(np.count_nonzero(~chosen))
    sentence = positive_sentence(dataset.name, positive, y[chosen], y[~chosen], counts, dataset.classes)
    names = [
        [dataset.classes[int(k)] if dataset.classes else label_name(k) for k in np.unique(y[rows]).tolist()]
        for rows in (~chosen, chosen)
    ]
    told = (*dataset.preparation, sentence)
    labels = names_of_sides(names[0], names[1])
    return replace(dataset, y=np.where(chosen, 1.0, -1.0), preparation=told, labels=labels, classes=())


def names_of_sides(minus: Sequence[str], plus: Sequence[str]) -> tuple[str, str]:
    """The names of the two sides: a label that is alone on its side, else the sign. Both have their signs where the
    sign of one is the number of the other.

    >>> names_of_sides(["0"], ["1", "2"]), names_of_sides(["1"], ["2", "3"])
    (('0', '+1'), ('-1', '+1'))
    """
    names = minus[0] if len(minus) == 1 else "-1", plus[0] if len(plus) == 1 else "+1"
    try:
        require_distinct(names, "")
    except ValueError:
        return "-1", "+1"
    return names


def chosen_rows(y: Labels, positive: str, classes: Sequence[str] = (), name: str = "") -> NDArray[np.bool_]:
    """Return a mask of the rows whose labels ``positive`` names, shape (n,). classes : the labels if they were text; y
    then holds their positions."""
    chosen = np.zeros(y.shape, dtype=bool)
    if classes:
        words = positive.split(",")
        if unknown := [word for word in words if word not in classes]:
            raise ValueError(f"{name}: --positive {positive}: no label is {unknown[0]!r}; they are {listed(classes)}")
        return np.isin(y, [classes.index(word) for word in words])
    for low, high in _label_ranges(positive):
        chosen |= (low <= y) & (y <= high)
    return chosen


def positive_sentence(
    name: str, positive: str, chosen: Labels, others: Labels, counts: tuple[int, int], classes: Sequence[str] = ()
) -> str:
    """Describe how labels were mapped; ``counts`` are the rows that were chosen and not chosen. Raises ValueError if
    one of the two is 0."""
    if not all(counts):
        raise ValueError(
            f"{name}: --positive {positive} matches {'every' if counts[0] else 'no'} row; labels found: "
            f"{_list_of_labels(np.concatenate([chosen, others]), classes)}; name some of them but not all"
        )
    return (
        f"labels {_list_of_labels(chosen, classes)} became +1 ({counts[0]} rows), "
        f"labels {_list_of_labels(others, classes)} became -1 ({counts[1]} rows)"
    )


def _label_ranges(positive: str) -> list[tuple[float, float]]:
    """Read "1,3,7..9" as [(1, 1), (3, 3), (7, 9)]."""
    ranges = []
    for item in positive.split(","):
        first, dots, last = item.partition("..")
        try:
            low = finite_number(first.encode())
            high = finite_number(last.encode()) if dots else low
        except ValueError as error:
            if "float64" in str(error):
                raise ValueError(f"--positive {positive}: {error}") from None
            raise ValueError(
                f"--positive {positive}: {item!r} is neither a number nor a range a..b; write for example 1 or 53..105 "
                "or 1,3,7..9"
            ) from None
        if low > high:
            raise ValueError(f"--positive {positive}: the range {item} is empty; write the smaller label first")
        ranges.append((low, high))
    return ranges


def _list_of_labels(y: Labels, classes: Sequence[str] = ()) -> str:
    """Write the different labels, the middle ones left out when there are more than ten."""
    if classes:
        return listed([classes[int(k)] for k in np.unique(y)])
    labels = [label_name(label) for label in np.unique(y).tolist()]
    if len(labels) <= 10:
        return ", ".join(labels)
    return f"{', '.join(labels[:3])}, ..., {labels[-1]} ({len(labels)} different)"


def refuse_standardize(name: str, data: str) -> NoReturn:
    """Raise ValueError."""
    raise ValueError(
        f"{name}: --standardize shifts every column, which would fill the zeros of {data}; use --unit-rows instead, or "
        "pass X.toarray() from Python if it fits"
    )


def _standardized(dataset: Dataset) -> Dataset:
    """Shift and scale the columns of a dense X to mean 0 and standard deviation 1."""
    X = dataset.X
    if issparse(X):
        refuse_standardize(dataset.name, f"these sparse data ({dataset.n} x {dataset.d})")
    # Every column is first scaled by a power of two, which is exact, to entries below 1: nothing can overflow.
    exponents = np.frexp(np.abs(X).max(axis=0))[1]
    Z = np.ldexp(X, -exponents)
    means = [Z.mean(axis=0)]
    Z -= means[0]
    means.append(Z.mean(axis=0))  # the rounding of the first mean
    Z -= means[1]
    constant = X.min(axis=0) == X.max(axis=0)
    Z[:, constant] = 0.0
    # The entries of a column that is not constant differ by 2^-54 or more, so that its deviation is not 0.
    standard = np.array([exponents, *means, np.where(constant, np.inf, np.sqrt(np.mean(Z * Z, axis=0)))])
    dataset = replace(dataset, standard=standard)
    Z = standardized(X, standard)
    constants = _count(int(np.count_nonzero(constant)), "constant column", "became 0", "became 0")
    return _done(dataset, Z, f"columns shifted to mean 0 and scaled to standard deviation 1{constants}")


def standardized(X: Any, standard: NDArray[np.float64]) -> Any:
    """Other rows with the shift and the scale of a data set that was standardized.

    standard : (4, d): exponents of two, two means to subtract, and a deviation, infinite for a column that becomes 0
    """
    exponents, first, second, deviations = standard
    Z = np.ldexp(X, -exponents.astype(np.int32)) - first - second
    Z[:, np.isinf(deviations)] = 0.0
    Z /= np.where(np.isinf(deviations), 1.0, deviations)
    return Z


def bias_first(X: Any) -> Any:
    """Put a column of ones before the columns of X; each row keeps its order of storage."""
    n, d = X.shape
    if not issparse(X):
        return np.hstack((np.ones((n, 1)), X))
    starts = X.indptr[:-1]
    values = np.insert(X.data, starts, 1.0)
    columns = np.insert(X.indices + 1, starts, 0)
    return sparse_rows(values, columns, X.indptr + np.arange(n + 1), (n, d + 1))


BIAS_SENTENCE = "a constant 1 added as the first column"


def unit_rows_sentence(zeros: int) -> str:
    """Describe what was done to the rows, and count the rows that stayed zero."""
    return f"rows scaled to Euclidean norm 1{_count(zeros, 'zero row', 'stays zero', 'stay zero')}"


def _count(number: int, thing: str, one: str, many: str) -> str:
    """Write "; 2 zero rows stay zero", or nothing when there is none."""
    if number == 0:
        return ""
    return f"; 1 {thing} {one}" if number == 1 else f"; {number} {thing}s {many}"
