"""Pictures of the tables of pages: curves along a setting, a mark for each method, a band between the quartiles."""

import io
import math
import re
import textwrap
from typing import NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure

# columns that say which setting a row is
KEYS = ("solver", "data", "method", "lam", "gap", "threads", "d", "f", "I", "m", "K")
WORDS = {"lam": "λ = {}", "gap": "gap {}", "d": "d = {}", "f": "factor {}", "I": "index {}", "m": "m = {}"}
INK = "#333a42"
COLOURS = (
    "#4878a8",
    "#d0643f",
    "#c99420",
    "#3d8a64",
    "#8d69a6",
    "#3f9aa8",
    "#94784f",
    "#c2577e",
    "#7f9130",
    "#7a7f85",
    "#5566cc",
)
MARKS = "osD^vPX<>*hp"
# what a setting is called on an axis, where it is a number
AXES = {
    "lam": "λ",
    "gap": "gap to reach",
    "d": "d",
    "f": "factor of the scaled row",
    "m": "rows m",
    "K": "K = R²/(nλγ)",
}


class Claim(NamedTuple):
    """What the paper claims of a method: its value is that of ``column``, moved by ``factor``, or lower."""

    column: str
    factor: float
    words: str


# by the beginning of the page's name
CLAIMS = {
    "adaspdc-fig1": Claim("spdc", 0.01, "claimed for AdaSPDC at λ = 1e-6: SPDC/100"),
    "aspdc-fig1": Claim("spdc", 0.01, "claimed for ASPDC: SPDC/100"),
    "aspdc-fig2": Claim("asdca", 0.1, "claimed for ASPDC-i: below ASDCA/10"),
    "aspdc-fig3": Claim("svrg", 1, "claimed for ASPDC-i: below SVRG"),
    "aspdc-large": Claim("sdca", 2, "claimed for ASPDC at large λ: below 2 SDCA"),
    "aspdc-small": Claim("spdc", 0.5, "claimed for ASPDC-i at small λ: below SPDC/2"),
}
NUMBER = re.compile(r"<?([-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)")
STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
}


class Table(NamedTuple):
    """A table of a page, under its caption."""

    caption: str
    columns: list[str]
    rows: list[list[str]]


class Value(NamedTuple):
    """The lower quartile, the median and the upper quartile; all three the median where only that is given; infinite:
    not reached.
    """

    low: float
    middle: float
    high: float


def number(text: str) -> float:
    """The number with which a text begins; infinite for one that begins otherwise ("cap", "not within")."""
    found = NUMBER.match(text)
    return float(found[1].replace(",", "")) if found else math.inf


def value(cell: str) -> Value | None:
    """What a cell of a table says; None where its median says that nothing was reached.

    >>> value("8 [7, 9] (0.031 s)"), value("<-13.00")
    (Value(low=7.0, middle=8.0, high=9.0), Value(low=-13.0, middle=-13.0, high=-13.0))
    >>> value("14,050 [3,500, cap], 36 % never"), value("cap [3,500, cap], 99 % never")
    (Value(low=3500.0, middle=14050.0, high=inf), None)
    >>> value("-14.06 -13.68 -13.03"), value("22 / 11,000")
    (Value(low=-14.06, middle=-13.68, high=-13.03), Value(low=22.0, middle=22.0, high=22.0))
    """
    words = cell.split()
    if len(words) == 3 and all(map(NUMBER.fullmatch, words)):
        found = Value(*map(number, words))
    elif brackets := re.search(r"\[(.*?), (.*?)\]", cell):
        found = Value(number(brackets[1]), number(cell), number(brackets[2]))
    else:
        found = Value(number(cell), number(cell), number(cell))
    return None if math.isinf(found.middle) else found


def first_table(text: str, caption: str = "") -> Table:
    r"""The first table of a Markdown text. Its caption is the line in asterisks above it, or the one that is given.

    >>> first_table("words\n\n*Passes to 1e-6*\n\n| lam | sdca |\n| --- | --- |\n| 0.1 | a \\| b |\n\n| no |")
    Table(caption='Passes to 1e-6', columns=['lam', 'sdca'], rows=[['0.1', 'a | b']])
    """
    before, _, rest = text.partition("\n| ")
    lines = f"| {rest}".partition("\n\n")[0].strip().splitlines()
    columns, _, *rows = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines
    ]
    return Table(caption or before.strip().splitlines()[-1].strip("*"), columns, rows)


def of_table(name: str, table: Table) -> str:
    """The table as a <figure> of curves; nothing where no setting takes three values or more."""
    columns = table.columns
    keys, rows = [column for column in columns if column in KEYS], [dict(zip(columns, row)) for row in table.rows]
    along = axis_of(rows, keys)
    if not along:
        return ""
    series = {column: [value(row[column]) for row in rows] for column in columns if column not in KEYS}
    others = [key for key in keys if key not in (along, "I")]
    with rc_context({**STYLE, "svg.hashsalt": name}):
        return as_figure(curves(rows, others, along, series, name, table.caption), name, table.caption)


def as_figure(figure: Figure, name: str, caption: str) -> str:
    """A <figure> with unique ids, because a page can have several pictures."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return in_page(re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", buffer.getvalue()), caption)


def axis_of(rows: list[dict[str, str]], keys: list[str]) -> str:
    """The setting along which curves are drawn: the last one that takes three values or more, all of them numbers.

    >>> axis_of([{"data": "a", "lam": text} for text in ("0.1", "0.01", "1e-3")], ["data", "lam"])
    'lam'
    >>> axis_of([{"data": "a", "lam": text} for text in ("0.1", "0.01")], ["data", "lam"])
    ''
    """
    for key in reversed(keys):
        values = {row[key] for row in rows}
        if key in AXES and len(values) >= 3 and not any(math.isinf(number(text)) for text in values):
            return key
    return ""


def curves(
    rows: list[dict[str, str]],
    others: list[str],
    along: str,
    series: dict[str, list[Value | None]],
    name: str,
    words: str,
) -> Figure:
    """A panel for each choice of the other settings, a curve for each method, and the paper's claim as a dashed line.

    A value that was not reached has no mark. The band is between the quartiles.
    """
    panels: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(rows):
        panels.setdefault(tuple(row[key] for key in others), []).append(place)
    claim = next((claim for page, claim in CLAIMS.items() if name.rpartition("/")[2].startswith(page)), None)
    across = min(len(panels), 3)
    down = -(-len(panels) // across)
    figure = Figure(figsize=(7.2, 0.9 + 2.4 * down), layout="constrained")
    all_axes = figure.subplots(down, across, squeeze=False, sharey=True).flat
    known = [found.middle for values in series.values() for found in values if found]
    for axes, (setting, places) in zip(all_axes, panels.items()):
        places.sort(key=lambda place: number(rows[place][along]))
        x = [number(rows[place][along]) for place in places]
        for k, (column, values) in enumerate(series.items()):
            colour, found = COLOURS[k % len(COLOURS)], [values[place] for place in places]
            low, middle, high = zip(*(value or Value(math.nan, math.nan, math.nan) for value in found))
            axes.plot(x, middle, MARKS[k % len(MARKS)] + "-", color=colour, markersize=4, linewidth=1.2, label=column)
            axes.fill_between(x, low, [math.nan if math.isinf(y) else y for y in high], color=colour, alpha=0.15)
            if claim and column == claim.column:
                moved = [
                    y + math.log10(claim.factor) if words.startswith("log10") else y * claim.factor for y in middle
                ]
                axes.plot(x, moved, "--", color=INK, linewidth=1.2, label=claim.words)
        if x[-1] > 20 * x[0] > 0:
            axes.set_xscale("log")
        if min(known) > 0 and max(known) > 20 * min(known):
            axes.set_yscale("log")
        axes.set_xlabel(AXES[along])
        title = "  ".join(WORDS.get(key, "{}").format(text) for key, text in zip(others, setting))
        axes.set_title(title.replace(".xz", "").replace(".scale", ""), fontsize=9)
    for axes in list(all_axes)[len(panels) :]:
        axes.remove()
    figure.supylabel(textwrap.fill(quantity(words), 30), fontsize=8)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=min(len(labels), 4), columnspacing=1.2)
    return figure


def quantity(caption: str) -> str:
    """What the numbers of a table are, without where and how they were measured. Of two numbers in a cell the picture
    shows the first, the passes.

    >>> quantity("Toy sets with spread 1, sigma = 1: rounds to the first hit, median [quartiles], share of never")
    'rounds to the first hit'
    >>> quantity("Passes and seconds to a relative gap of 0.0001, hinge, medians of 5")
    'Passes to a relative gap of 0.0001, hinge'
    >>> quantity("Passes / steps until P - min P is 1e-06 of its start, median of 5")
    'Passes until P - min P is 1e-06 of its start'
    """
    named = re.split(r", medians?\b|: lower quartile", caption)[0].rpartition(": ")[2]
    return re.sub(" and seconds| / steps", "", named)


def in_page(svg: str, words: str) -> str:
    """The picture without the header of a standalone file, drawn in the colour of the page's text."""
    svg = svg[svg.index("<svg") :].strip().replace(INK, "currentColor")
    svg = re.sub(
        r'(<svg[^>]*?) width="[^"]*"', r"\1", re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1), count=1
    )
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{words.replace(chr(34), "")}"', 1)
    return f'<figure class="picture">\n{svg}\n</figure>\n'
