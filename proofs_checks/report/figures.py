"""The figures of an audit: charts of measured and claimed values, from the series of a claim's result.

A series is a dictionary of lists; its keys decide which charts show it.
"""

import math
from collections.abc import Callable, Sequence

from dualgap.proofs_checks.claims.result import Series
from dualgap.proofs_checks.report.charts import Chart, Curve


def of_series(named: dict[str, Series]) -> list[Chart]:
    """All figures of one claim."""
    # a claim of a plugin may have others
    dicts = {name: series for name, series in named.items() if isinstance(series, dict)}
    return [
        maker(series, str(series.get("title", "") or name))
        for name, series in dicts.items()
        for mark, maker in MAKERS
        if mark in series
    ]


def numbers(series: Series, key: str) -> list[float]:
    """The list of that key; what a report has as null was not finite. Raises TypeError if it is no list."""
    value = series[key]
    if not isinstance(value, list):
        raise TypeError(f"a series must be a list of numbers (got {value!r:.60})")
    return [math.nan if item is None else item for item in value]


def number(series: Series, key: str) -> float:
    """The number of that key. Raises TypeError if it is none."""
    value = series[key]
    if not isinstance(value, (int, float)):
        raise TypeError(f"{key!r} of a series must be a number (got {value!r:.60})")
    return value


def expectation(series: Series, name: str) -> Chart:
    """E gap_t, exactly, under the stated and the sharp bound; where the stated bound says nothing, shaded."""
    steps, values, bounds = numbers(series, "t"), numbers(series, "expected"), []
    for role in ("bound", "sharp"):
        if series.get(role) is not None:
            role_name = "stated" if role == "bound" else role
            bounds.append(Curve(f"{role_name} bound", steps, numbers(series, role), role_name))
    end = number(series, "vacuous_until") if series.get("vacuous_until") else None
    shaded = None if end is None else (steps[0], end, "the stated bound says nothing")
    title = f"The expected gap {_along(values, bounds)} ({name})"
    curves = [Curve("exact expectation", steps, values), *bounds]
    return Chart(title, "steps t", "expected gap / gap at the start", curves, log_y=True, shaded=shaded)


MAKERS: Sequence[tuple[str, Callable[[Series, str], Chart]]] = (("expected", expectation),)


def _along(measured: Sequence[float], bounds: Sequence[Curve]) -> str:
    """Compare a falling quantity with its bounds: near the last one (factor 2), below all, or above one."""
    if any(value > limit * (1 + 1e-9) for bound in bounds for value, limit in zip(measured, bound.y)):
        return "rises above a bound"
    if bounds and all(2 * value >= limit for value, limit in zip(measured, bounds[-1].y)):
        return f"falls along the {bounds[-1].label}"
    return "stays below the bounds" if len(bounds) > 1 else f"stays below the {bounds[0].label}" if bounds else "falls"
