"""Columns of a data frame of pandas or polars that an estimator refuses, by name."""

from typing import Any

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
    """What is wrong with the first column that has a missing value, or None.

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
