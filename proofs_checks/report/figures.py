"""The figure of a claim's result: the expected gap under its bounds.

A series is a dictionary of lists. One with "expected" has a figure; the others are only in report.json.
"""

import math
from collections.abc import Mapping

from dualgap.proofs_checks.claims.result import Series
from dualgap.proofs_checks.report.charts import Chart, Curve


def of_series(named: Mapping[str, Series]) -> list[Chart]:
    """All figures of one claim. A claim of a plugin may have other series, and what is no series."""
    return [
        expectation(series, str(series.get("title", "") or name))
        for name, series in named.items()
        if isinstance(series, dict) and "expected" in series
    ]


def numbers(series: Series, key: str) -> list[float]:
    """The list of that key; what a report has as null was not finite. Raises TypeError if it is no list."""
    value = series[key]
    if not isinstance(value, list):
        raise TypeError(f"a series must be a list of numbers (got {value!r:.60})")
    return [math.nan if item is None else item for item in value]


def expectation(series: Series, name: str) -> Chart:
    """E gap_t, exactly, under the stated and the sharp bound."""
    steps = numbers(series, "t")
    curves = [Curve("exact expectation", steps, numbers(series, "expected"))]
    for role, key in (("stated", "bound"), ("sharp", "sharp")):
        if series.get(key) is not None:
            curves.append(Curve(f"{role} bound", steps, numbers(series, key), role))
    words = "steps t", "expected gap / gap at the start"
    return Chart(f"The expected gap and its bounds ({name})", *words, curves, log_y=True)
