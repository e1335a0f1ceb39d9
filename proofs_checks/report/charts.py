"""Charts as data: curves over two axes, which matplotlib paints as SVG text for a page (``drawing``)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.report import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_POINTS = 90  # of a curve: a page of a hundred charts stays small
ROLES: dict[str, dict[str, Any]] = {  # stated and sharp bounds differ in colour and in dashes
    "measured": {"color": "#2f6db5", "linestyle": "-"},
    "stated": {"color": drawing.BOUND, "linestyle": "--"},
    "sharp": {"color": "#3f8f5f", "linestyle": ":"},
    "other": {"color": "#8a7a3a", "linestyle": "-."},
}


@dataclass(frozen=True)
class Curve:
    """One curve.

    Attributes
    ----------
    label : in the legend.
    x, y : of one length; points that are not finite, or not positive on a logarithmic axis, are left out.
    role : one of ROLES; "" takes the next colour.
    marked : a dot at every point.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    role: str = "measured"
    marked: bool = False


@dataclass(frozen=True)
class Chart:
    """A figure of a page.

    Attributes
    ----------
    title : what is seen, as a sentence.
    x_label, y_label : words, with the unit.
    log_x, log_y : logarithmic axes.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False


def draw(chart: Chart, name: str = "") -> str:
    """The chart as an <svg> element; name: where it stands, so that no id occurs twice in a page.

    >>> draw(Chart("a line", "x", "y", [Curve("it", [0, 1], [0, 2])])).startswith("<svg")
    True
    """
    return drawing.draw(f"{chart.title} {name}", partial(paint, chart=chart), 5.2, 2.6, constrained=False)


def paint(axes: "Axes", chart: Chart) -> None:
    """The chart on matplotlib's axes."""
    axes.set_position((0.14, 0.18, 0.84, 0.78))
    shown = [points(curve, chart) for curve in chart.curves]
    for curve, (x, y) in zip(chart.curves, shown):
        style, label = ROLES.get(curve.role, {}), drawing.plain(curve.label)
        axes.plot(x, y, marker="." if curve.marked else "", label=label, **style)
    axes.set(xlabel=drawing.plain(chart.x_label), ylabel=drawing.plain(chart.y_label))
    if any(x for x, _ in shown):
        axes.set(xscale="log" if chart.log_x else "linear", yscale="log" if chart.log_y else "linear")
    for axis in (axes.xaxis, axes.yaxis):
        drawing.plain_ticks(axis)
    if len(chart.curves) > 1:
        axes.legend()


def points(curve: Curve, chart: Chart) -> tuple[list[float], list[float]]:
    """The points of a curve that its chart shows: at most MOST_POINTS and the last one."""
    shown = [
        (float(x), float(y))
        for x, y in zip(curve.x, curve.y)
        if math.isfinite(x) and math.isfinite(y) and (x > 0 or not chart.log_x) and (y > 0 or not chart.log_y)
    ]
    step = -(-len(shown) // MOST_POINTS) or 1
    kept = shown[:-1:step] + shown[-1:]
    return [x for x, _ in kept], [y for _, y in kept]
