"""The figures of the report, as SVG text to be put into the page: what is measured beside what is claimed.

matplotlib is imported when a figure is drawn; ``available`` says whether it can be.
"""

import importlib.util
import io
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, MEASURED, STRONG, BOUND, SHARP, SHADE = "#333a42", "#8fa8c2", "#2b4c73", "#b5482f", "#b98a1d", "#efe9dd"
LEAST_FOR_HISTOGRAM = 5
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8, "axes.edgecolor": "#9aa3ab",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6, "axes.spines.top": False, "axes.spines.right": False, "text.color": INK, "xtick.color": INK,
    "ytick.color": INK, "xtick.major.width": 0.6, "ytick.major.width": 0.6, "lines.linewidth": 1.4,
    "legend.frameon": False,
}


def available() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(name: str, paint: Callable[["Axes"], None], width: float, height: float) -> str:
    """One figure as an <svg> element, of width x height inches; the same name and data give the same text."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):  # the salt keeps ids of two figures apart
        figure = Figure(figsize=(width, height), layout="constrained")
        paint(figure.subplots())
        buffer = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    text = buffer.getvalue()
    text = text[text.index("<svg"):].strip()
    used = set(re.findall(r"#(\w+)", text))
    # The other ids repeat in every figure, and an id must occur once in a page.
    return re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used else "", text)


def of_row(row: dict[str, Any]) -> list[tuple[str, str]]:
    """All figures of one claim but the histogram: pairs (caption, svg)."""
    return [
        (
            ", ".join(part for part in (f"{row['id']}: {words}", series.get("title", "")) if part),
            draw(f"{row['id']}/{key}/{mark}", partial(paint, series=series), 5.2, 2.7),
        )
        for key, series in row["series"].items()
        for mark, paint, words in PAINTERS
        if isinstance(series, dict) and mark in series
    ]


def histogram(row: dict[str, Any]) -> str:
    """Tightness left/right of a claim's inequalities; "" where there are too few."""
    values = row["tightness"]
    return "" if len(values) < LEAST_FOR_HISTOGRAM else draw(row["id"], lambda axes: tightness(axes, values), 2.9, 1.55)


def tightness(axes: "Axes", values: Sequence[float]) -> None:
    """left/right where right > 0: below 0 and above 1 in one bar each, equality (to 6 digits) in one of its own."""
    width, total = 0.05, len(values)
    bars = [0] * 20
    below = equal = above = 0
    for value in values:
        if value < 0:
            below += 1
        elif value < 1:
            bars[min(int(value / width), 19)] += 1
        elif value == 1:
            equal += 1
        else:
            above += 1
    axes.bar([(k + 0.5) * width for k in range(20)], [100 * b / total for b in bars], width * 0.92, color=MEASURED)
    axes.bar([-0.14], [100 * below / total], width * 1.6, color="#c9d3dd")
    axes.bar([1.12], [100 * equal / total], width * 1.6, color=STRONG)
    axes.bar([1.27], [100 * above / total], width * 1.6, color=BOUND)
    axes.axvline(1, color=BOUND, linewidth=1)
    axes.set_xticks([-0.14, 0, 0.5, 1.12, 1.27], ["< 0", "0", "½", "= 1", "> 1"])
    axes.set_xlim(-0.2, 1.33)
    axes.yaxis.set_major_locator(_ticks(4))


def trajectory(axes: "Axes", series: dict[str, Any]) -> None:
    """E gap_t, exactly, under the stated and the sharp bound; where the stated bound says nothing, shaded."""
    _curve(axes, series["t"], series["expected"], STRONG, "exact expectation")
    _bounds(axes, series["t"], series["expected"][0], series)
    axes.set_xlabel("steps t")


def e_process(axes: "Axes", series: dict[str, Any]) -> None:
    """log10 of the wealth of the bets against the claim, and the line at which it is refuted."""
    axes.plot(range(len(series["log10"])), series["log10"], color=STRONG, label="evidence against the claim")
    axes.axhline(series["threshold"], color=BOUND, linestyle="--", linewidth=1, label="refuted from here on")
    axes.set_xlabel("looks, in order")
    axes.xaxis.set_major_locator(_ticks())
    axes.set_ylabel("log10 of the e-value")
    axes.legend(fontsize=7)


def gaps(axes: "Axes", series: dict[str, Any]) -> None:
    """The certified gap of a run against passes, under the bounds on its expectation."""
    _curve(axes, series["passes"], series["gap"], STRONG, "certified gap of one run", marker=".")
    _bounds(axes, series["passes"], series["gap"][0], series)
    axes.set_xlabel("passes over the data")


def monitor(axes: "Axes", series: dict[str, Any]) -> None:
    """n E[increase of D]/gap along a run, against the floor that the theorem gives."""
    values, floor = series["monitor"], series["floor"]
    passes = series["passes"][: len(values)]
    axes.plot(passes, values, color=STRONG, marker=".", label="n E[increase]/gap")
    _curve(axes, passes, floor if isinstance(floor, list) else [floor] * len(passes), BOUND, "floor", "--")
    axes.set_ylim(0, 1.2 * max(values))
    axes.set_xlabel("passes over the data")
    axes.xaxis.set_major_locator(_ticks())
    axes.legend(fontsize=7)


def _bounds(axes: "Axes", x: Sequence[float], start: float, series: dict[str, Any]) -> None:
    """The bounds on an expectation that starts at ``start``, log-scale; where the stated one exceeds it, shaded."""
    stated = series.get("bound", series.get("lemma-2"))
    _curve(axes, x, stated, BOUND, "stated bound", "--")
    _curve(axes, x, series.get("sharp"), SHARP, "sharp bound", "-.")
    end = series.get("vacuous_until") or max((t for t, value in zip(x, stated or ()) if value >= start), default=None)
    if end is not None:
        axes.axvspan(x[0], end, color=SHADE, zorder=0, label="the stated bound says nothing")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(_ticks())
    axes.legend(fontsize=7)


def _ticks(most: int = 6) -> Any:
    """At most so many ticks, at whole numbers."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(most, integer=True)


def _curve(axes: "Axes", x: Sequence[float], y: Any, color: str, label: str, line: str = "-", marker: str = "") -> None:
    """A curve; nothing where the series has none."""
    if y is not None:
        axes.plot(x[: len(y)], y, line, color=color, label=label, marker=marker)


# A series is drawn by the painters whose key it has.
PAINTERS = (
    ("expected", trajectory, "expected gap along all paths"),
    ("log10", e_process, "e-process"),
    ("gap", gaps, "certified gap along the run"),
    ("monitor", monitor, "expected progress along the run"),
)
