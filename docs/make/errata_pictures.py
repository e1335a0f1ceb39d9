"""Pictures of counterexamples of ``extras/errata``, of the numbers that a statement's own program computes."""

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from fractions import Fraction
from itertools import accumulate
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pictures import COLOURS, INK, STYLE, as_figure

Names = dict[str, Any]  # of a program that has run, with their values
TRAIL: dict[str, Any] = {"color": COLOURS[0], "marker": "o", "markersize": 3.5, "linewidth": 1.1}
GOAL = COLOURS[1]


def cycle_of_three(axes: Axes, names: Names) -> str:
    points = names["x"][:-2] * 5
    axes.plot(range(15), points, **TRAIL)
    minimum(axes)
    axes.set(xlabel="step t", ylabel="$x_t$")
    return "The heavy ball repeats three points. The minimum is 0."


def cycle_of_eight(axes: Axes, names: Names) -> str:
    for key, words, style in (
        ("x", "points of the heavy ball", TRAIL),
        ("p", "polygon of the function", {"color": GOAL}),
    ):
        axes.plot(*zip(*names[key], names[key][0]), label=words, **style)
    axes.plot(0, 0, "*", color=INK, label="minimum")
    axes.set_aspect("equal")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return "The heavy ball goes around eight points. The minimum is in their middle."


def growing_error(axes: Axes, names: Names) -> str:
    states = [[Fraction(1)] * 3 + [Fraction(0)] * 3]
    for _ in range(100):
        states.append(names["step"](states[-1][:3], states[-1][3:]))
    axes.semilogy([float(sum(v * v for v in state[:3])) ** 0.5 for state in states], color=COLOURS[0])
    axes.set_yticks([], minor=True)
    axes.set_yticks([1, 2, 5, 10, 20], labels=["1", "2", "5", "10", "20"])
    axes.set(xlabel="step t", ylabel="distance to the solution")
    return "The distance of ADMM with three blocks to the solution grows from the start (1, 1, 1)."


def regret(axes: Axes, names: Names) -> str:
    x, v, b, losses = Fraction(1), Fraction(0), names["b"], [Fraction(0)]
    for t, g in enumerate(names["cycle"], 1):
        losses.append(g * x + g)  # beside the point -1
        v = b * v + (1 - b) * g * g
        x = max(-1, min(1, x - g / names["root"](t * v / (1 - b**t), 0) / 2))
    axes.plot([float(value) for value in accumulate(losses)], color=COLOURS[0])
    axes.axhline(236, color=GOAL, linestyle="--")
    axes.text(0, 236, "bound of the theorem for T = 90", color=GOAL, va="bottom")
    axes.set(xlabel="T", ylabel="regret of Adam")
    return "The regret of Adam exceeds the bound of the theorem, 236, after 90 losses."


def spiral(axes: Axes, names: Names) -> str:
    plane(axes, lambda x, y: (x - names["eta"] * y, y + names["eta"] * x), 24, "-")
    return "Gradient descent ascent moves away from the equilibrium: 24 steps from (1, 1)."


def ellipse(axes: Axes, names: Names) -> str:
    plane(axes, names["step"], 40, "")
    return "The method of Arrow and Hurwicz stays on an ellipse: 40 steps from (1, 1)."


def four_ends(axes: Axes, names: Names) -> str:
    for number, (x, y) in enumerate(names["ends"]):
        axes.plot(x, y, "o", color=COLOURS[0], label=None if number else "after a step, 1/4 each")
    turns = [Fraction(k - 10, 40) for k in range(21)]
    circle = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in turns]
    axes.plot(*zip(*circle), "--", color=GOAL, label="distance 1")
    axes.plot(1, 0, "s", color=INK, label="start")
    axes.set(xlim=(0.8, 1.1), aspect="equal")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return "From (1, 0) the four possible steps have a mean squared distance of 413/400, more than 1."


def plane(axes: Axes, step: Callable[[Any, Any], tuple[Any, Any]], steps: int, line: str) -> None:
    """The steps from (1, 1), and the equilibrium (0, 0)."""
    points = [(Fraction(1), Fraction(1))]
    for _ in range(steps):
        points.append(step(*points[-1]))
    axes.plot(*zip(*points), **TRAIL, linestyle=line)
    axes.plot(0, 0, "*", color=GOAL)
    for words, at, colour in (("equilibrium", (0, 0), GOAL), ("start", (1, 1), INK)):
        axes.annotate(words, at, (4, 4), textcoords="offset points", color=colour)
    axes.set(xlabel="x", ylabel="y", aspect="equal")


def minimum(axes: Axes) -> None:
    axes.axhline(0, color=GOAL, linestyle="--")
    axes.text(14, 0, "minimum", color=GOAL, ha="right", va="bottom")


DRAWN: dict[str, Callable[[Axes, Names], str]] = {
    **{"lessard_2016": cycle_of_three, "goujaud_2023": cycle_of_eight, "chen_2016": growing_error},
    **{"kingma_2015": regret, "daskalakis_2018": spiral, "he_2014": ellipse, "mishchenko_2020": four_ends},
}


def picture(name: str, program: str) -> str:
    """A <figure> with the numbers of a statement's program; nothing for a statement without a picture."""
    if name not in DRAWN:
        return ""
    names: Names = {}
    with redirect_stdout(io.StringIO()):
        exec(program, names)
    with rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(4.8, 2.9), layout="constrained")
        words = DRAWN[name](figure.subplots(), names)
        found = as_figure(figure, name, words)
    return found.replace('class="picture"', 'class="picture small"').replace(
        "</svg>", f"</svg>\n<figcaption>{words}</figcaption>"
    )
