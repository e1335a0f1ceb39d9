"""Input that an estimator refuses by name before scikit-learn converts it: columns of a data frame of pandas or polars,
and all that ``Problem`` refuses and a conversion to float64 would hide.
"""

import datetime
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.validate import is_sparse, require_held, require_unmasked

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
NO_NUMBERS = ", not numbers: give numbers in a unit that you choose, for example the days since a date"
WHOLE = (int, np.integer, np.longdouble, Decimal, Fraction)  # what may be a whole number that no float64 holds
TEXT = ("str", "string", "utf8", "category", "categorical", "enum")


def column_of(frame: Any, k: int) -> Any:
    """The k-th column. Names of pandas may repeat."""
    return frame.iloc[:, k] if hasattr(frame, "iloc") else frame[frame.columns[k]]


def is_frame(X: object) -> bool:
    return hasattr(X, "columns") and hasattr(X, "dtypes") and getattr(X, "ndim", 2) == 2


def refuse_categories(X: Any) -> None:
    """Raise ValueError for the first column of categories or text: codes are no quantities."""
    for k, dtype in enumerate(X.dtypes) if is_frame(X) else ():
        name = str(dtype).lower().partition("(")[0]
        text = name == "object" and any(isinstance(cell, str) for cell in column_of(X, k))
        if text or name in TEXT:
            kind = "text" if text or name in TEXT[:3] else "categorical"
            raise ValueError(
                f"the column {X.columns[k]!r} is {kind}, not numbers: encode it, for example by OneHotEncoder, or leave"
                " it out"
            )


def missing_column(X: Any) -> str | None:
    """Return an error about the first column that has a missing value, or None.

    >>> missing_column([[float("nan")]]) is None
    True
    """
    for k in range(len(X.columns) if is_frame(X) else 0):
        column = column_of(X, k)
        if hasattr(column, "isna"):
            missing = int(column.isna().sum())
        else:  # polars, where null and NaN differ
            floats = str(column.dtype).startswith("Float")
            missing = int(column.null_count() + (column.is_nan().sum() if floats else 0))
        if missing:
            return (
                f"the column {X.columns[k]!r} has {missing} missing value{'s' * (missing > 1)} (NaN): fill them in, for"
                " example by SimpleImputer, or leave the rows out"
            )
    return None


def require_kept(values: Any, name: str) -> None:
    """Raise ValueError if a conversion to float64 would change what is given: masked arrays, dates, whole numbers
    and long doubles that no float64 holds. What is no number at all is left to scikit-learn.
    """
    if values is None or values.__class__ is np.ndarray and values.dtype == np.float64:  # nothing to convert
        return
    require_unmasked(values, name)
    if is_sparse(values):
        require_held(values.tocsr(), name)
        return
    for i, row in enumerate(values if isinstance(values, list | tuple) else ()):
        require_unmasked(row, f"{name}[{i}]")
    for where, part in _parts(values, name):
        if part.dtype.kind in "mM":
            raise ValueError(f"{where} holds dates or times (dtype {part.dtype}){NO_NUMBERS}")
        if part.dtype.kind not in "OUS":
            require_held(part, where)
        for at, value in np.ndenumerate(part) if part.dtype.kind in "OUS" else ():
            if type(value) is float:
                continue
            if isinstance(value, DATES) or type(value).__name__ in ("Period", "Interval"):  # the last two of pandas
                raise ValueError(
                    f"{where}[{', '.join(map(str, at))}] is {value} (a {type(value).__name__}){NO_NUMBERS}"
                )
            if isinstance(value, WHOLE) or isinstance(value, str) and value.strip().lstrip("+-").isdigit():  # pyright: ignore[reportArgumentType]
                convert(value, float, f"{where}[{', '.join(map(str, at))}]")


def _parts(values: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The columns of a frame with their names; else one array. Python's numbers in lists stay as they are."""
    if is_frame(values):
        for k in range(len(values.columns)):
            yield f"{name}, column {values.columns[k]!r}", np.asarray(column_of(values, k))
    elif hasattr(values, "dtype") or hasattr(values, "__array__"):
        yield name, np.asarray(values)
    else:
        yield name, np.array(values, dtype=object)
