"""The figures of an audit: charts of measured and claimed values, from the series of a claim's result.

A series is a dictionary of lists; its keys decide which charts show it.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

from dualgap.proofs_checks.claims.result import Series, SeriesValue
from dualgap.proofs_checks.report.charts import Chart, Curve

BINS = 20  # of left/right in [0, 1)
LEAST_FOR_STRIP = 5  # inequalities, for a strip of how tight they are


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


def wealth(series: Series, name: str) -> Chart:
    """log10 of the wealth of the bets against the claim, and the line at which it is refuted."""
    log10, threshold = numbers(series, "log10"), number(series, "threshold")
    looks = range(len(log10))
    refuted = max(log10) >= threshold
    said = (
        "reaches the line at which the claim is refuted"
        if refuted
        else "stays below the line at which the claim would be refuted"
    )
    return Chart(
        f"The evidence against the claim {said} ({name})",
        "looks at the data, in order",
        "log₁₀ of the e-value",
        [
            Curve("evidence against the claim", looks, log10),
            Curve("refuted from here on", looks, [threshold] * len(looks), "stated"),
        ],
    )


def progress(series: Series, name: str) -> Chart:
    """n E[increase of D]/gap along a run, against the floor that the theorem gives."""
    values = numbers(series, "monitor")
    floor = numbers(series, "floor") if isinstance(series["floor"], list) else [number(series, "floor")] * len(values)
    passes = numbers(series, "passes")[: len(values)]
    curves = [
        Curve("n E[increase of D] / gap", passes, values, marked=True),
        Curve("floor that the theorem gives", passes, floor, "stated"),
    ]
    kept = all(value >= least for value, least in zip(values, curves[1].y))
    said = "Every pass begins with a step that gains" if kept else "Not every pass begins with a step that gains"
    return Chart(
        f"{said} at least what the theorem promises ({name})",
        "passes over the data",
        "expected gain / gap",
        curves,
        floor=0,
    )


def epochs(series: Series, name: str) -> Chart:
    """One curve for each number of inner steps, over the epochs."""
    found = {key: numbers(series, key) for key in series if key.startswith("m = ")}
    curves = [Curve(key, range(len(values)), values, "") for key, values in found.items()]
    return Chart(f"The mean square error over the epochs ({name})", "epochs", "E‖w − w*‖²", curves, log_y=True)


MAKERS: Sequence[tuple[str, Callable[[Series, str], Chart]]] = (
    ("expected", expectation),
    ("log10", wealth),
    ("gap", gaps),
    ("monitor", progress),
    ("m = 1", epochs),
)


def _along(measured: Sequence[float], bounds: Sequence[Curve]) -> str:
    """Compare a falling quantity with its bounds: near the last one (factor 2), below all, or above one."""
    if any(value > limit * (1 + 1e-9) for bound in bounds for value, limit in zip(measured, bound.y)):
        return "rises above a bound"
    if bounds and all(2 * value >= limit for value, limit in zip(measured, bounds[-1].y)):
        return f"falls along the {bounds[-1].label}"
    return "stays below the bounds" if len(bounds) > 1 else f"stays below the {bounds[0].label}" if bounds else "falls"


# -- how tight ----------------------------------------------------------------------------------------------------


def strip(values: Sequence[float]) -> list[int]:
    """Count the values of left/right that are below 0, in each of BINS parts of [0, 1), equal to 1 (to six digits), and
    above.

    >>> strip([-1, 0.0, 0.999, 1.0, 2.0])[:2], strip([-1, 0.0, 0.999, 1.0, 2.0])[-3:]
    ([1, 1], [1, 1, 1])
    """
    counts = Counter(_bin(value) for value in values)
    return [counts[k] for k in range(-1, BINS + 2)]


def _bin(value: float) -> int:
    if value < 0:
        return -1
    if value < 1:
        return min(int(value * BINS), BINS - 1)
    return BINS if value == 1 else BINS + 1


def heights(values: Sequence[float]) -> list[float]:
    """The shares of ``strip`` as heights between 0 and 1: their square roots, so that small shares stay visible."""
    counts = strip(values)
    return [round(math.sqrt(count / len(values)), 2) for count in counts] if values else []
