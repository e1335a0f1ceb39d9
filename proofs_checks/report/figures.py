"""The figures of an audit: charts of measured and claimed values, from the series of a claim's result.

A series is a dictionary of lists; its keys decide which charts show it.
"""

import math
from collections.abc import Callable, Sequence

from dualgap.proofs_checks.claims.result import Series, SeriesValue
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
    return _floats(series[key])


def _floats(value: SeriesValue) -> list[float]:
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
    """E gap_t, exactly, under the stated and the sharp bound."""
    words = "The expected gap", "exact expectation", "steps t", "expected gap / gap at the start"
    return _under_bounds(series, name, "t", "expected", *words)


def gaps(series: Series, name: str) -> Chart:
    """The certified gap of a run against passes, under the bounds on its expectation."""
    words = "The certified gap of a run", "certified gap of one run", "passes over the data", "P(w) − D(α)"
    return _under_bounds(series, name, "passes", "gap", *words)


def _under_bounds(series: Series, name: str, at: str, of: str, title: str, label: str, x: str, y: str) -> Chart:
    """A quantity that falls, under its bounds; where the stated bound says nothing, shaded."""
    steps, values, bounds = numbers(series, at), numbers(series, of), []
    stated = series.get("bound", series.get("lemma-2"))
    for bound, role in ((stated, "stated"), (series.get("sharp"), "sharp")):
        if bound is not None:
            bounds.append(Curve(f"{role} bound", steps, _floats(bound), role))
    loose = [t for t, value in zip(steps, _floats(stated or [])) if value >= values[0]]
    end = number(series, "vacuous_until") if series.get("vacuous_until") else max(loose, default=None)
    shaded = None if end is None else (steps[0], end, "the stated bound says nothing")
    curves = [Curve(label, steps, values, marked=of == "gap"), *bounds]
    return Chart(f"{title} {_along(values, bounds)} ({name})", x, y, curves, log_y=True, shaded=shaded)


MAKERS: Sequence[tuple[str, Callable[[Series, str], Chart]]] = (("expected", expectation), ("gap", gaps))


def _along(measured: Sequence[float], bounds: Sequence[Curve]) -> str:
    """Compare a falling quantity with its bounds: near the last one (factor 2), below all, or above one."""
    if any(value > limit * (1 + 1e-9) for bound in bounds for value, limit in zip(measured, bound.y)):
        return "rises above a bound"
    if bounds and all(2 * value >= limit for value, limit in zip(measured, bounds[-1].y)):
        return f"falls along the {bounds[-1].label}"
    return "stays below the bounds" if len(bounds) > 1 else f"stays below the {bounds[0].label}" if bounds else "falls"
