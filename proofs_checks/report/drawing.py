"""Figures painted with matplotlib, as SVG text for a file or a page: their painters are given matplotlib axes.

matplotlib is imported when a figure is drawn; ``available`` says whether it can be.
"""

import importlib.util
import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.report.screen import line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

INK, BOUND = "#333a42", "#b5482f"
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.edgecolor": "#9aa3ab",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.4,
    "legend.frameon": False,
}


def available() -> bool:
    """Return whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def plain(text: object) -> str:
    """The text on one line, without formulas: a dollar would begin one."""
    return line(str(text)).replace("$", r"\$")


def plain_ticks(axis: "Axis") -> None:
    """Give a logarithmic axis labels such as 1e-05, and ordinary ticks where it has less than two powers of ten."""
    from matplotlib.ticker import FormatStrFormatter, MaxNLocator, NullLocator

    if axis.get_scale() == "log":
        low, high = axis.get_view_interval()
        if sum(low <= tick <= high for tick in axis.get_majorticklocs()) < 2:
            axis.set_major_locator(MaxNLocator(4))
        axis.set_major_formatter(FormatStrFormatter("%.3g"))  # formulas would take most of the time of a figure
        axis.set_minor_locator(NullLocator())


def draw(name: str, paint: Callable[["Axes"], None], width: float, height: float, constrained: bool = True) -> str:
    """Draw one figure as an <svg> element of width x height inches; the same name and data give the same text.

    constrained : compute the place of the axes, which takes most of the time; else ``paint`` places them.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "svg.hashsalt": plain(name)}):  # the salt keeps ids of two figures apart
        figure = Figure(figsize=(width, height), layout="constrained" if constrained else None)
        paint(figure.subplots())
        buffer = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(buffer, format="svg", transparent=True, metadata=nothing)
    text = buffer.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")
    text = text[text.index("<svg") :].strip()
    used = set(re.findall(r"#(\w+)", text))
    # The other ids repeat in every figure, and an id must occur once in a page.
    return re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used else "", text)
