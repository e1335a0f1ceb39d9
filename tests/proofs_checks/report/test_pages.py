"""The page of solve says what the facts say, and charts show the points that they can."""

import math
import re

import pytest

from dualgap.proofs_checks.report import charts, templating
from dualgap.proofs_checks.report.charts import Chart, Curve

pytestmark = pytest.mark.needs(*templating.MAKERS)


def test_page_says_what_the_facts_say(written_pages):
    text = written_pages["solve"].read_text(encoding="utf-8")
    assert "sdca reached a certified gap of 3e-09 in 11 passes" in text and "The certified gap over 11 passes" in text
    assert "P(w) − min P ≤ 3e-09" in text and "dualgap solve breast_cancer" in text and "asked for" in text


def test_no_page_looks_elsewhere(written_pages):
    for file in written_pages.values():
        assert "http:" not in (text := file.read_text(encoding="utf-8").replace("http://www.w3.org", ""))
        assert "https:" not in text


def test_no_two_regions_of_a_page_have_one_name(written_pages):
    for name, path in written_pages.items():
        text = path.read_text(encoding="utf-8")
        names = re.findall(r'role="region" aria-label="([^"]*)"', text) + re.findall(r'<h2 id="[^"]*">([^<]*)', text)
        assert names and len(names) == len(set(names)), (name, names)


def painted(x, y, label="it", **options):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    charts.paint(axes, Chart("title", "x", "y", [Curve(label, x, y)], **options))
    return axes


@pytest.mark.parametrize(
    ("y", "log", "shown"),
    [
        ([1e-6, 0.0, math.inf, 1.0], True, [1e-6, 1.0]),
        ([1.0, 0.0, math.nan, -1.0], False, [1.0, 0.0, -1.0]),
        ([], True, []),
        ([0.0, math.nan], True, []),
        ([10**80, 2.0], False, [1e80, 2.0]),
    ],
)
def test_a_curve_shows_the_points_that_its_axes_have(y, log, shown):
    (line,) = painted(range(len(y)), y, log_y=log).lines
    assert list(line.get_ydata()) == shown


def test_a_long_curve_keeps_its_ends_and_few_points():
    (line,) = painted(range(10_000), range(10_000)).lines
    assert len(line.get_xdata()) <= charts.MOST_POINTS + 1 and [*line.get_xdata()][:: len(line.get_xdata()) - 1] == [
        0,
        9999,
    ]


@pytest.mark.parametrize("values", [(8, 9, 8), (8, 8, 8), (3, 40, 200), (2e-9, 3e-9), (9e-9, 8e-6, 1e-9), (5, 5)])
def test_a_logarithmic_axis_has_at_least_two_ticks(values):
    axes = painted(range(len(values)), values, log_y=True)
    low, high = axes.get_ylim()
    shown = {axes.yaxis.get_major_formatter()(tick) for tick in axes.get_yticks() if low <= tick <= high}
    assert len(shown) >= 2 and low < min(values) and max(values) < high


def test_a_label_of_another_program_is_no_formula():
    chart = Chart("title", "x", "y", [Curve(label, [1], [1]) for label in (r"$\frac$", "a\x1b[2K")])
    assert "$\\frac$" in charts.draw(chart) and "\x1b" not in charts.draw(chart)


def test_formulas_become_mathml_and_words_are_escaped():
    text = str(templating.typeset(r"a < b: $x^2 < \lambda$ & c"))
    assert text.startswith("a &lt; b: <math>")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in text
    assert text.endswith("</math> &amp; c")
    assert "λ" in text
