"""The pages of solve, sweep, conform: what they say is what the facts say."""

import math
import re

import pytest

from dualgap.proofs_checks.cli.sweep import _paint
from dualgap.proofs_checks.report import charts, pages, templating
from dualgap.proofs_checks.report.charts import Chart, Curve

pytestmark = [pytest.mark.needs("jinja2"), pytest.mark.needs("latex2mathml")]


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


def drawn(x, y, **options):
    return charts.draw(Chart("title", "x", "y", [Curve("it", x, y)], **options))


def test_curve_runs_from_corner_to_corner():
    (line,) = drawn([0, 10], [1, 100], log_y=True).lines
    assert line.path == f"M{charts.LEFT} {charts.HEIGHT - charts.BOTTOM}L{charts.WIDTH - charts.RIGHT} {charts.TOP}"


def test_logarithmic_axis_has_powers_of_ten_and_leaves_out_what_it_cannot_show():
    found = drawn([0, 1, 2, 3], [1e-6, 0.0, math.inf, 1.0], log_y=True)
    assert [tick.text for tick in found.y_ticks][-1] == "1" and found.lines[0].path.count("L") == 1


def test_long_curve_keeps_its_ends_and_few_points():
    (line,) = drawn(range(10_000), [k * k for k in range(10_000)]).lines
    assert line.path.count("L") <= charts.MOST_POINTS
    assert line.path.endswith(f"{charts.WIDTH - charts.RIGHT} {charts.TOP}")


@pytest.mark.parametrize("y", [[], [2.0, 2.0], [math.nan, math.nan], [0.0, 0.0]])
@pytest.mark.parametrize("log", [False, True])
def test_what_hardly_is_a_curve_is_drawn_all_the_same(y, log):
    found = drawn(range(len(y)), y, log_y=log)
    assert "nan" not in found.lines[0].path and found.x_ticks


def test_ticks_lie_on_the_axis():
    found = drawn([0.3, 17.2], [-3, 4e4])
    assert all(charts.LEFT <= tick.at <= charts.WIDTH - charts.RIGHT for tick in found.x_ticks)
    assert 2 <= len(found.x_ticks) <= 10
    assert all(charts.TOP <= tick.at <= charts.HEIGHT - charts.BOTTOM for tick in found.y_ticks)
    assert 2 <= len(found.y_ticks) <= 8


@pytest.mark.parametrize("y", [(9e-7, 3e-7), (8, 9), (2.1e-9, 2.2e-9), (3.1e-13, 3.2e-13), (5, 5), (1e-9, 1e-3)])
def test_a_logarithmic_axis_has_at_least_two_ticks_on_it(y):
    found = drawn([1, 2], y, log_y=True)
    assert 2 <= len({tick.text for tick in found.y_ticks}) <= 8
    assert all(charts.TOP <= tick.at <= charts.HEIGHT - charts.BOTTOM for tick in found.y_ticks)


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("key", ["epochs", "gap_bound"])
@pytest.mark.parametrize("values", [(8, 9, 8), (8, 8, 8), (3, 40, 200), (2e-9, 3e-9, 2.5e-9), (9e-9, 8e-6, 1e-9)])
def test_figures_of_a_sweep_have_at_least_two_ticks(key, values):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    cells = [
        {"data": "d", "method": "m", "status": "converged", "lam": lam, key: value}
        for lam, value in zip((0.1, 0.01, 0.001), values)
    ]
    _paint(axes, cells, key, "label")
    low, high = axes.get_ylim()
    shown = [tick for tick in axes.get_yticks() if low <= tick <= high]
    assert len({axes.yaxis.get_major_formatter()(tick) for tick in shown}) >= 2
    assert low < min(values) and max(values) < high


def test_bars_have_their_names_and_stand_on_zero():
    found = drawn([0, 1], [7, 12], bars=True, names=("allowed", "found"))
    assert [tick.text for tick in found.x_ticks] == ["allowed", "found"]
    assert found.lines[0].path.count(f" {charts.HEIGHT - charts.BOTTOM}V") == 2


def test_formulas_become_mathml_and_words_are_escaped():
    text = str(templating.typeset(r"a < b: $x^2 < \lambda$ & c"))
    assert text.startswith("a &lt; b: <math>")
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in text
    assert text.endswith("</math> &amp; c")
    assert "λ" in text
