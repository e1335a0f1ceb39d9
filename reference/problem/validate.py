"""Validation of matrices: rows of pairs (j, x_ij) from any container. Input is checked and never repaired.

Accepted for X: a dense 2-D numpy array (also memory-mapped), a scipy CSR matrix or array, a list of dense
rows, or a list of sparse rows given as pairs (j, value). CSR columns may be unsorted, their order is the
order of summation; a duplicated column is refused, because ||x_i||^2 would be wrong.
"""

import math
import operator
from collections.abc import Callable, Collection, Iterable
from itertools import chain
from typing import Any

from dualgap.reference.numbers.arithmetic import Number, NumberType, convert, not_held

Row = list[tuple[int, Number]]
LONG = 10_000  # entries of a list that is worth an array
HELD = {f"{kind}{bits}" for kind in ("float", "int", "uint") for bits in (8, 16, 32, 64)}  # numpy's names
LONGEST = 24  # characters of a rational that a message spells out


class NotWritten(UserWarning):
    """A file could not be written or used, and the work went on without it."""


class FileNotWritten(NotWritten):
    """A requested file could not be written. The result is still printed, and the command fails."""


class InputChanged(ValueError):
    """Data that are read during a run have changed since they were checked."""


def spelled(number: Number, given: object) -> str:
    """A number for a message; a long rational as the float that was given.

    >>> from fractions import Fraction
    >>> spelled(Fraction(0.1), 0.1), spelled(Fraction(1, 3), Fraction(1, 3))
    ('0.1', '1/3')
    """
    shown = str(number)
    return repr(float(given)) if len(shown) > LONGEST and isinstance(given, float) else shown


def is_sparse(X: object) -> bool:
    """Return whether X is a scipy sparse container (recognised without importing scipy)."""
    return hasattr(X, "indptr") or hasattr(X, "tocsr")


def shape(X: Any, d: int | None = None) -> tuple[int, int]:
    """(n, d) of any accepted X. Raises ValueError when X is empty, ragged or not a matrix."""
    if d is not None:
        require_integer("d", d, 1, "the number of columns")
    if is_sparse(X) and getattr(X, "format", None) != "csr":
        raise ValueError(f"X must be CSR among the sparse formats (got {getattr(X, 'format', '?')}); call X.tocsr()")
    if hasattr(X, "ndim"):
        if X.ndim != 2:
            raise ValueError(f"X must have 2 dimensions, rows and columns (got {X.ndim})")
        if not (is_sparse(X) or hasattr(X, "tolist")):
            raise ValueError(
                f"X must be an array, a CSR matrix or a list of rows (got {type(X).__name__}); call X.to_numpy()"
            )
        n, width = int(X.shape[0]), int(X.shape[1])
    else:
        n, width = _count(X, "X"), _width(X) if d is None else d
    if d is not None and d != width:
        raise ValueError(f"d must be the number of columns of X, {width} (got {d})")
    if n < 1 or width < 1:
        raise ValueError(f"X must have at least one row and one column (got {n} x {width})")
    return n, width


def _count(values: Any, name: str) -> int:
    if not hasattr(values, "__len__") or isinstance(values, (str, bytes)):
        raise ValueError(f"{name} must be a sequence (got {values!r})")
    return len(values)


def as_array(X: Any) -> Any:
    """A long list of dense rows of floats and ints, of Python or numpy, as an array, and any other X itself.

    The rows are those of the list: entries of other types, rows of several lengths and ints beyond 2^53 stay in the
    list, and ``rows`` treats them one by one.

    >>> import numpy as np
    >>> [type(as_array([row] * LONG)).__name__ for row in ([1, 0.5], np.ones(2), [np.float32(1)], [True], [2**53 + 1])]
    ['ndarray', 'ndarray', 'ndarray', 'list', 'list']
    """
    if not isinstance(X, (list, tuple)) or len(X) == 0 or not hasattr(X[0], "__len__"):
        return X
    if hasattr(X[0], "dtype"):
        return _of_arrays(X)
    if not set(map(type, X)) <= {list, tuple}:
        return X
    lengths = set(map(len, X))
    if len(lengths) != 1 or len(X) * max(lengths) < LONG:
        return X
    if not are_doubles(lambda: chain.from_iterable(X)):
        return X
    import numpy as np

    return np.array(X, dtype=np.float64)


def are_doubles(entries: Callable[[], Iterable[Any]]) -> bool:
    """Return whether all are floats, or ints up to 2^53 in size, of Python or numpy; entries: gives a new iterator.

    >>> [are_doubles(lambda: given) for given in ([1, 0.5], [2**53 + 1], [True], ["1"])]
    [True, False, False, False]
    """
    kinds = set(map(type, entries()))
    if not all(kind in (float, int) or kind.__module__ == "numpy" and kind.__name__ in HELD for kind in kinds):
        return False
    return not any("int" in kind.__name__ for kind in kinds) or (min(entries()) >= -EXACT and max(entries()) <= EXACT)


def _of_arrays(X: Any) -> Any:
    """A list of arrays of one length and one type of numbers as an array, and any other X itself."""
    import numpy as np

    if set(map(type, X)) != {np.ndarray} or len(X) * X[0].size < LONG or X[0].dtype.kind not in "fiu":
        return X
    same = all(len(set(map(operator.attrgetter(name), X))) == 1 for name in ("dtype", "shape"))
    return np.array(X) if same and X[0].ndim == 1 else X


def _width(X: Any) -> int:
    widths = set()
    for i, row in enumerate(X):
        widths.add(_count(row, f"row {i} of X"))
        if len(row) and isinstance(row[0], tuple):
            raise ValueError("X is given as rows of pairs (j, value): pass d, the number of columns, too")
    if len(widths) > 1:
        raise ValueError(f"all dense rows must have the same length (got lengths {sorted(widths)})")
    return int(widths.pop()) if widths else 0


EXACT = 2**53  # a float64 holds every whole number up to this one
FEW_COLUMNS = 1 << 17  # for which there is always memory for one number each
BLOCK = 1 << 17  # stored values in a block of rows, at least: 1 MiB of them


def block_ends(X: Any, d: int, times: int = 1) -> list[int]:
    """Return the end of each block of consecutive rows; a block is the shortest that stores times ``BLOCK`` values.

    What is left over at the end belongs to the last block. X: CSR, dense, or a list of rows of pairs.

    >>> long = [(0, 1.0)] * BLOCK
    >>> block_ends([long, [(0, 1.0)], long, long], 1), block_ends([long, long[1:]], 1)
    ([1, 3, 4], [2])
    """
    least = times * BLOCK
    if hasattr(X, "shape") and not is_sparse(X) and len(X) * d < 2 * least:
        return [len(X)]
    import numpy as np

    if is_sparse(X):
        starts = X.indptr
    else:
        starts = np.arange(len(X) + 1) * d if hasattr(X, "shape") else np.cumsum([0, *map(len, X)])
    n, total = len(starts) - 1, int(starts[-1])
    ends = [0]
    while total - int(starts[ends[-1]]) >= 2 * least:
        end = int(np.searchsorted(starts, int(starts[ends[-1]]) + least))
        if total - int(starts[end]) < least:
            break
        ends.append(end)
    return [*ends[1:], n]


def check(X: Any) -> None:
    """Refuse non-finite values and, in CSR, duplicated or out-of-range columns, naming row and column.

    Block by block, so that a matrix mapped from a file need not fit into memory.
    """
    if not hasattr(X, "shape"):
        return  # lists are checked value by value in ``rows``
    require_unmasked(X, "X")
    if sparse := is_sparse(X):
        _check_pointers(X)
    dtype = X.data.dtype if sparse else X.dtype
    if dtype.kind not in "fiu" or dtype.itemsize > 8:
        raise ValueError(
            f"X must hold real numbers of at most 64 bits (got dtype {dtype}); convert it, e.g. X.astype(float)"
        )
    ends = block_ends(X, int(X.shape[1]), 1 if sparse else 4)
    for first, end in zip([0, *ends], ends):
        if sparse:
            _check_columns(X, first, end)
        if dtype.kind == "f":
            _check_finite(X, first, end)


def _check_finite(X: Any, first: int, end: int) -> None:
    """The values of the rows first .. end - 1."""
    import numpy as np

    offset = int(X.indptr[first]) if is_sparse(X) else 0
    values = X.data[offset : int(X.indptr[end])] if is_sparse(X) else np.asarray(X[first:end])
    if not all_finite(values):
        place = np.argwhere(~np.isfinite(values))[0]
        row, column = _row_and_column(X, offset + int(place[0])) if is_sparse(X) else (first + place[0], place[1])
        raise ValueError(
            f"X[{row}, {column}] is {values[tuple(place)]}: every entry must be finite; remove or impute it first"
        )


def all_finite(values: Any) -> bool:
    """Return whether every entry of an array of floats is finite.

    Every entry is a factor in the inner product of the array's two halves, and 0 times infinity is no number: if the
    product is finite, all entries are. Memory answers both requests at once. Otherwise each entry is looked at.

    >>> import numpy as np
    >>> [all_finite(np.array(given)) for given in ([1e200, 1e200, 1.0], [0.0, float("inf")], [float("nan")])]
    [True, False, False]
    """
    import numpy as np

    flat = values.ravel("K")
    half = (flat.size + 1) // 2
    return math.isfinite(np.vdot(flat[:half], flat[flat.size - half :])) or bool(np.isfinite(values).all())


def _row_and_column(X: Any, k: int) -> tuple[int, int]:
    """Return the row and column of the k-th stored entry of a CSR matrix."""
    return int(X.indptr.searchsorted(k, side="right")) - 1, int(X.indices[k])


def require_held(values: Any, name: str) -> None:
    """Raise ValueError for the first number of an array or a CSR matrix that no float64 holds: an integer beyond 2^53,
    or a long double. To round it would change the data, and a certificate would be about other data.

    >>> import numpy as np
    >>> require_held(np.array([2**53, 2**53 + 2]), "y")
    >>> require_held(np.array([1, 2**53 + 1]), "y")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: y[1] is 9007199254740993, which no float64 holds (the nearest is 9007199254740992.0): ...
    """
    stored = values.data if is_sparse(values) else values
    kind, size = stored.dtype.kind, stored.dtype.itemsize
    if not (kind in "iu" and size == 8 or kind == "f" and size > 8) or not stored.size:
        return
    if kind in "iu" and -EXACT <= int(stored.min()) and int(stored.max()) <= EXACT:
        return
    flat = stored.reshape(-1)
    beyond = ((flat > EXACT) | (flat < -EXACT if kind == "i" else False)) if kind in "iu" else flat == flat
    for k in beyond.nonzero()[0].tolist():
        value = flat[k].item()
        nearest = float(value)
        if value != nearest:
            at = _row_and_column(values, k) if is_sparse(values) else _place(stored.shape, k)
            raise ValueError(not_held(f"{name}[{', '.join(map(str, at))}]", value, nearest))


def _place(shape: tuple[int, ...], k: int) -> tuple[int, ...]:
    """Return the position of the k-th entry of an array in C order."""
    place: list[int] = []
    for length in reversed(shape):
        k, at = divmod(k, length)
        place.insert(0, at)
    return tuple(place)


def require_unmasked(values: object, name: str) -> None:
    """Raise ValueError for a masked array of numpy: what lies under the mask would be read."""
    if hasattr(values, "filled") and hasattr(values, "mask"):
        raise ValueError(
            f"{name} must not be a masked array (got {type(values).__name__}); fill it in first, e.g. {name}.filled(0)"
        )


def _check_pointers(X: Any) -> None:
    """The arrays of a CSR matrix, and its row pointers; they are trusted by the loops, in compiled code without
    a net.
    """
    for name, kinds, allowed in (
        ("indptr", "iu", "integers"),
        ("indices", "iu", "integers"),
        ("data", "fiu", "real numbers"),
    ):
        array = getattr(X, name)
        if getattr(array, "ndim", None) != 1 or array.dtype.kind not in kinds:
            got = f"dtype {array.dtype}, {array.ndim} dimensions" if hasattr(array, "dtype") else type(array).__name__
            raise ValueError(
                f"X.{name} must be a one-dimensional array of {allowed} (got {got}); rebuild the CSR matrix, e.g. from"
                " X.toarray()"
            )
    n, starts = X.shape[0], X.indptr
    entries = {len(X.indices[: X.nnz]), len(X.data[: X.nnz])} if len(starts) else set()
    if len(starts) != n + 1 or starts[0] != 0 or (starts[1:] < starts[:-1]).any() or entries != {int(starts[-1])}:
        raise ValueError(
            "the row pointers of the CSR matrix are not consistent with its entries; rebuild it, e.g. from X.tocoo()"
        )


def _check_columns(X: Any, first: int, end: int) -> None:
    """The columns of the rows first .. end - 1: in range, and none of them twice in a row."""
    import numpy as np

    d, starts = X.shape[1], X.indptr[first : end + 1]
    columns, starts = X.indices[int(starts[0]) : int(starts[-1])], starts - starts[0]
    if not len(columns):
        return
    if int(columns.min()) < 0 or int(columns.max()) >= d:
        raise ValueError(
            f"CSR column indices must lie in 0..{d - 1} (found {int(columns.min())}..{int(columns.max())})"
        )
    if _ascending(columns, starts):
        return  # sorted and unique
    if d <= FEW_COLUMNS + len(columns):  # the rows of every column, by a count: four times as fast as sorting
        from scipy.sparse import csr_array

        marks = np.ones(len(columns), np.int8)
        by_column = csr_array((marks, columns, starts), shape=(end - first, d)).tocsc()
        if _ascending(by_column.indices, by_column.indptr):
            return
    rows = np.repeat(np.arange(first, end), np.diff(starts))
    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    twice = np.flatnonzero((rows[1:] == rows[:-1]) & (columns[1:] == columns[:-1]))
    if twice.size:
        raise ValueError(
            f"row {rows[twice[0]]} stores column {columns[twice[0]]} more than once; call X.sum_duplicates() if their"
            " sum is meant"
        )


def _ascending(columns: Any, starts: Any) -> bool:
    """Return whether the columns ascend in each row, so that none is there twice."""
    ascending = columns[1:] > columns[:-1]  # no difference: it wraps around in unsigned indices
    ends = starts[1:-1]  # between two rows anything may follow anything
    ascending[ends[(0 < ends) & (ends < len(columns))] - 1] = True
    return bool(ascending.all())


def rows(X: Any, d: int, number: NumberType) -> list[Row]:
    """X as a list of rows of pairs (j, x_ij) in ``number``, in stored order; dense zeros are left out.

    >>> rows([[0, 3], [2, 0]], 2, float)
    [[(1, 3.0)], [(0, 2.0)]]
    """
    if is_sparse(X):
        starts, columns, values = X.indptr.tolist(), X.indices.tolist(), X.data.tolist()
        table = [list(zip(columns[a:b], values[a:b])) for a, b in zip(starts, starts[1:])]
    else:
        table = [_row_of_pairs(row, i, d) for i, row in enumerate(X.tolist() if hasattr(X, "tolist") else X)]
    try:
        return [[(j, convert(x, number)) for j, x in row] for row in table]
    except ValueError:  # a name is made only for a message
        return [[(j, convert(x, number, f"X[{i}, {j}]")) for j, x in row] for i, row in enumerate(table)]


def _row_of_pairs(row: Any, i: int, d: int) -> list[tuple[int, Any]]:
    require_unmasked(row, f"row {i} of X")
    if not (_count(row, f"row {i} of X") and isinstance(row[0], tuple)):
        if len(row) not in (0, d):
            raise ValueError(f"row {i} has {len(row)} entries, expected {d}")
        return [(j, x) for j, x in enumerate(row) if not x == 0]  # a masked number is not 0 and not different from it
    seen = set()
    for pair in row:
        if not (isinstance(pair, tuple) and len(pair) == 2 and type(pair[0]) is int):
            raise ValueError(f"row {i} must hold pairs (j, value) with an integer column j (got {pair!r})")
        if not 0 <= pair[0] < d:
            raise ValueError(f"row {i} names column {pair[0]}, allowed are 0..{d - 1}")
        if pair[0] in seen:
            raise ValueError(
                f"row {i} stores column {pair[0]} more than once; add the two values if their sum is meant"
            )
        seen.add(pair[0])
    return list(row)


def require_square(i: int, norm2: Number) -> None:
    """Raise ValueError where ||x_i||^2 is beyond the range of a float."""
    if isinstance(norm2, float) and norm2 == float("inf"):
        raise ValueError(
            f"||x_{i}||^2 is beyond the range of a float: scale X down (entries below 1e150 are safe; command line:"
            " --unit-rows)"
        )


def vector(values: Any, n: int, number: NumberType, name: str) -> list[Number]:
    """y or alpha, shape (n,), as a list in ``number``; a long double is refused where ``X`` refuses it: by its type."""
    require_unmasked(values, name)
    if getattr(getattr(values, "dtype", None), "kind", "O") in "fc" and values.dtype.itemsize > 8:
        raise ValueError(
            f"{name} must hold real numbers of at most 64 bits (got dtype {values.dtype}); convert it, e.g."
            f" {name}.astype(float)"
        )
    if getattr(values, "ndim", 1) != 1:
        raise ValueError(f"{name} must have one dimension (got {values.ndim})")
    if _count(values, name) != n:
        raise ValueError(f"{name} must have one entry for each of the {n} rows of X (got {len(values)})")
    entries = values.tolist() if hasattr(values, "tolist") else values
    if number is not float and set(map(type, entries)) == {number}:
        return list(entries)
    if number is float and are_doubles(lambda: entries) and all(map(math.isfinite, entries)):
        return list(map(float, entries))
    try:
        return [convert(value, number) for value in entries]
    except ValueError:  # a name is made only for a message
        return [convert(value, number, f"{name}[{i}]") for i, value in enumerate(entries)]


def require_integer(name: str, value: object, least: int, meaning: str = "") -> None:
    """Raise ValueError unless a value is an integer, no boolean, of at least this size."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{name} must be an integer >= {least}{meaning and ', '}{meaning} (got {value!r})")


def require_one_of(name: str, value: object, allowed: Collection[str]) -> None:
    """Raise ValueError unless a value is one of these names."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)} (got {value!r})")


def extremes(values: Any) -> tuple[Any, Any]:
    """The least and the largest value of an array or a list that is not empty."""
    return (values.min(), values.max()) if hasattr(values, "min") else (min(values), max(values))


def require_within(name: str, values: Any, low: object, high: object) -> None:
    """Raise ValueError unless every value of an array or a list, of any length, lies in low..high."""
    if len(values):
        least, largest = extremes(values)
        if not (low <= least and largest <= high):
            raise ValueError(f"{name} must lie in {low}..{high} (got {least}..{largest})")


def labels(values: Any, n: int, number: NumberType, name: str = "y") -> Any:
    """y or weights, shape (n,): a float64 array stays one (a copy, unless it is mapped from a file, read-only), all
    else becomes a list in ``number``.
    """
    if (
        number is float
        and getattr(values, "dtype", None) == "float64"
        and values.shape == (n,)
        and not hasattr(values, "filled")
    ):
        import numpy as np

        if all_finite(values):
            return values if isinstance(values, np.memmap) and not values.flags.writeable else np.array(values)
    return vector(values, n, number, name)


def require_signs(y: Any, name: str) -> None:
    """Raise ValueError unless every label is -1 or +1, as the margin loss of that name needs."""
    if (abs(y) == 1).all() if hasattr(y, "dtype") else set(map(type, y)) == {float} and set(y) <= {-1.0, 1.0}:
        return
    for i, y_i in enumerate(y):
        if not (y_i == 1 or y_i == -1):
            found = list(dict.fromkeys(map(str, y)))
            raise ValueError(
                f"loss {name} needs labels -1 and +1, but y[{i}] = {y_i} (found"
                f" {', '.join(found[:5] + ['...'] * (len(found) > 5))}); map the labels first, e.g. numpy.where(y =="
                " positive, 1, -1) (command line: --positive LABELS)"
            )
