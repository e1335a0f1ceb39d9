"""Charts as data: curves over two axes, reduced to the points of a small SVG that ``templates/macros.html`` draws.

Nothing is drawn here. Colours are the page's own (its style sheet, light and dark), and a page of a hundred charts
stays small: coordinates are tenths of a pixel, and a curve has at most ``MOST_POINTS`` points.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 520, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 12, 44
MOST_POINTS = 90
# how a curve is drawn; stated and sharp bounds differ in colour and in dashes
ROLES = ("measured", "stated", "sharp", "other")


@dataclass(frozen=True)
class Curve:
    """One curve, or one row of bars.

    Attributes
    ----------
    label : in the legend.
    x, y : of one length; points that are not finite, or not positive on a logarithmic axis, are left out.
    role : one of ROLES.
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
    shaded : an interval of x, and the words for it.
    bars : the curves are bars at whole x.
    floor : the least y that is shown, at least.
    names : of x = 0, 1, ..., instead of numbers.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    shaded: tuple[float, float, str] | None = None
    bars: bool = False
    floor: float | None = None
    names: Sequence[str] = ()


@dataclass(frozen=True)
class Tick:
    """A mark of an axis: where, in pixels, and what it says."""

    at: float
    text: str


@dataclass(frozen=True)
class Line:
    """A curve in pixels. path: of the SVG. dots: centres."""

    label: str
    style: str
    path: str
    dots: list[tuple[float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Drawing:
    """A chart in pixels."""

    chart: Chart
    lines: list[Line]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    shade: tuple[float, float] | None
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True)
class Axis:
    """Numbers to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def shown(self, value: float) -> bool:
        """Return whether it has a place on the axis."""
        return math.isfinite(value) and (value > 0 or not self.log)

    def __call__(self, value: float) -> float:
        """Its place in pixels."""
        low, high = self._scaled(self.low), self._scaled(self.high)
        return round(self.start + (self._scaled(value) - low) / ((high - low) or 1) * (self.end - self.start), 1)

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def ticks(self, most: int = 6) -> list[Tick]:
        """Round numbers, at most so many."""
        values = _decades(self.low, self.high, most) if self.log else _steps(self.low, self.high, most)
        return [Tick(self(value), spelled(value)) for value in values]


def draw(chart: Chart) -> Drawing:
    """The chart in pixels.

    >>> draw(Chart("a line", "x", "y", [Curve("it", [0, 1], [0, 2])])).lines[0].path
    'M58 216L508 12'
    """
    x = _axis(
        (value for curve in chart.curves for value in curve.x),
        LEFT,
        WIDTH - RIGHT,
        chart.log_x,
        pad=0.6 if chart.bars else 0,
    )
    values = [value for curve in chart.curves for value in curve.y] + ([] if chart.floor is None else [chart.floor])
    y = _axis([*values, 0] if chart.bars else values, HEIGHT - BOTTOM, TOP, chart.log_y)
    shade = None if chart.shaded is None else (x(chart.shaded[0]), x(chart.shaded[1]))
    x_ticks = [Tick(x(k), name) for k, name in enumerate(chart.names)] or x.ticks(9)
    return Drawing(chart, [_line(curve, x, y, chart) for curve in chart.curves], x_ticks, y.ticks(), shade)


def _axis(values: Iterable[float], start: float, end: float, log: bool, pad: float = 0) -> Axis:
    found = [value for value in values if math.isfinite(value) and (value > 0 or not log)] or [1.0]
    low, high = min(found) - pad, max(found) + pad
    if low == high:
        low, high = (low / 2, high * 2) if log else (low - 0.5, high + 0.5)
    return Axis(low, high, start, end, log)


def _line(curve: Curve, x: Axis, y: Axis, chart: Chart) -> Line:
    points = [(x(a), y(b)) for a, b in zip(curve.x, curve.y) if x.shown(a) and y.shown(b)]
    if chart.bars:
        return Line(curve.label, curve.role, "".join(f"M{_pixels(a)} {_pixels(y(0))}V{_pixels(b)}" for a, b in points))
    kept = thinned(points, MOST_POINTS)
    return Line(
        curve.label,
        curve.role,
        "M" + "L".join(f"{_pixels(a)} {_pixels(b)}" for a, b in kept) if kept else "",
        kept if curve.marked else [],
    )


def thinned(points: list[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """Every k-th point, and the last one.

    >>> thinned([(0, 0), (1, 1), (2, 4), (3, 9)], 2)
    [(0, 0), (2, 4), (3, 9)]
    """
    step = -(-len(points) // most) or 1
    kept = points[::step]
    return kept if not points or kept[-1] == points[-1] else [*kept, points[-1]]


def _pixels(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _steps(low: float, high: float, most: int) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten in [low, high]."""
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw * (1 - 1e-9))
    return [float(f"{k * step:.12g}") for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _decades(low: float, high: float, most: int) -> list[float]:
    """Powers of ten in [low, high]; if there are few, also 2 and 5 times these, or else round steps or the ends."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, -(-(last - first + 1) // most))
    powers = [10.0**k for k in range(first, last + 1, step)]
    if len(powers) > 2:
        return powers
    between = [k * 10.0**exponent for exponent in range(first - 1, last + 2) for k in (1, 2, 5)]
    inside = [value for value in between if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
    if len(inside) < 2:
        inside = _steps(low, high, most)
    return inside if len(inside) > 1 else [low, high]


def spelled(value: float) -> str:
    """A number as an axis has it.

    >>> spelled(0.001), spelled(1e-9), spelled(20.0), spelled(-0.5)
    ('0.001', '10⁻⁹', '20', '−0.5')
    """
    exponent = math.log10(abs(value)) if value else 0.0
    if value > 0 and abs(exponent) >= 4 and abs(exponent - round(exponent)) < 1e-9:
        return "10" + str(round(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{value:.3g}".replace("-", "−")
