"""The pages of solve, sweep, conform: what they say is what the facts say."""

import math
import re

import pytest

from dualgap.proofs_checks.report import charts, pages, templating
from dualgap.proofs_checks.report.charts import Chart, Curve

pytestmark = pytest.mark.needs(*templating.MAKERS)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "solve",
            [
                "sdca reached a certified gap of 3e-09 in 11 passes",
                "P(w) − min P ≤ 3e-09",
                "dualgap solve breast_cancer",
                "asked for",
            ],
        ),
        ("sweep", ["4 of 6 runs met their tolerance", '<tr class="first">', "sdca, breast_cancer"]),
        (
            "conform",
            [
                "a-port-with-a-long-name Zig 1: 5 of 6 vectors passed",
                "3/4",
                "0/2",
                "hinge/conjugate/3",
                "the number is -1 times what is due",
                "no good exit",
                "L0 formulas",
            ],
        ),
    ],
)
def test_page_says_what_the_facts_say(written_pages, name, said):
    text = written_pages[name].read_text(encoding="utf-8")
    assert [words for words in said if words not in text] == []


def test_numbers_on_pages_are_written_out_and_singular_where_they_are_one():
    facts = {
        "cells": [{"data": "d", "method": "m", "lam": 1, "epochs": None, "gap_bound": None, "status": ""}],
        "runs": 1,
    }
    assert pages.sweep(facts, (), [], "").numbers == [("1", "data set"), ("1", "method"), ("1", "value of λ")]
    history = [{"epochs": 0, "seconds": 0.0, "gap_bound": 1.0}, {"epochs": 1000, "seconds": 0.5, "gap_bound": 0.1}]
    chart = pages._fall(history, "epochs", "passes over the data", {"tol": 0})
    assert chart.title.endswith("in 1,000 passes")


def test_no_page_looks_elsewhere(written_pages):
    for file in written_pages.values():
        assert "http:" not in (text := file.read_text(encoding="utf-8").replace("http://www.w3.org", ""))
        assert "https:" not in text


def test_no_two_regions_of_a_page_have_one_name(written_pages):
    for name, path in written_pages.items():
        text = path.read_text(encoding="utf-8")
        names = re.findall(r'role="region" aria-label="([^"]*)"', text) + re.findall(r'<h2 id="[^"]*">([^<]*)', text)
        assert names and len(names) == len(set(names)), (name, names)


def test_a_cell_is_crossed_where_anything_failed():
    assert [
        pages._cell(counts)
        for counts in ({}, {"passed": 2}, {"passed": 2, "failed": 1}, {"passed": 1, "skipped": 1}, {"skipped": 3})
    ] == [None, ("holds", "2/2"), ("refuted", "2/3"), ("open", "1/2"), ("skipped", "0/3")]


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
