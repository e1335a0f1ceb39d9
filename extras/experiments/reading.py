"""Code that the papers' experiments share: their cells, the curves of every setting, and the findings."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from statistics import median
from typing import Any

import numpy as np

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.experiments import optima, runs
from dualgap.reference import Problem

OPTIMUM = "optimum"  # the method of a cell that brackets min P
Place = tuple[Any, ...]  # the values of the axes, such as a data set and lam
Curve = list[float]
LETTERS = {"factor": "f"}
# -- cells ----------------------------------------------------------------------------------------------------


def grid(**axes: Iterable[object]) -> list[ex.Cell]:
    """A cell for each combination of the values; the last axis varies fastest."""
    return [dict(zip(axes, values)) for values in product(*axes.values())]


def places(options: ex.Options) -> list[Place]:
    """Every data set with every lam."""
    return list(product(options["data"], options["lams"]))


def optimal(options: ex.Options) -> list[ex.Cell]:
    """The cells that bracket min P."""
    return grid(data=options["data"], lam=options["lams"], method=[OPTIMUM])


def require(
    options: ex.Options, setting: Callable[[str, float, ex.Options], optima.Setting] | None = None, **least: int
) -> None:
    """Raise ValueError if an option is below its least value, or if the loss of ``setting`` rejects a data set."""
    for name, value in least.items():
        if name in options and options[name] < value:
            raise ValueError(f"{name} must be >= {value} (got {options[name]})")
    if setting is not None:
        for data in options["data"]:
            setting(data, options["lams"][0], options).problem()


def above(problem: Problem, lower: float) -> Callable[[Array], float]:
    """P(w) - lower, an upper bound of P(w) - min P."""
    objective = Objective(problem)
    return lambda w: objective.P(np.asarray(w)) - lower


def grouped(triples: Iterable[tuple[object, str, object]]) -> dict[Any, dict[str, list[Any]]]:
    """(outer, inner, value) to outer, to inner, to the values, all in the order in which they come.

    >>> grouped([("a9a", "sdca", 1), ("a9a", "spdc", 2), ("a9a", "sdca", 3)])
    {'a9a': {'sdca': [1, 3], 'spdc': [2]}}
    """
    found: dict[Any, dict[str, list[Any]]] = {}
    for outer, inner, value in triples:
        found.setdefault(outer, {}).setdefault(inner, []).append(value)
    return found


# -- words ----------------------------------------------------------------------------------------------------


def words(place: Place, axes: Sequence[str] = ("data", "lam")) -> str:
    """A setting as one reads it.

    >>> words(("folder/a9a", 0.01)), words((30, 5.0), ("d", "factor"))
    ('a9a, lam = 0.01', 'd = 30, f = 5')
    """
    return ", ".join(
        runs.short(value) if axis == "data" else f"{LETTERS.get(axis, axis)} = {value:g}"
        for axis, value in zip(axes, place)
    )


def told(values: Mapping[Place, float], show: Callable[[float], str] = runs.factor) -> str:
    """A value for each data set and lam, in words."""
    return "; ".join(f"{words(place)}: {show(value)}" for place, value in values.items())


def at_lams(values: Mapping[float, float], show: Callable[[float], str] = runs.factor) -> str:
    """A value for each lam, in words.

    >>> at_lams({0.1: 2.0, 0.01: 3.0})
    '2 (lam = 0.1), 3 (lam = 0.01)'
    """
    return ", ".join(f"{show(value)} (lam = {lam:g})" for lam, value in values.items())


def file_name(text: str) -> str:
    """A data set's name, and what else, as a part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", runs.short(text))


# -- curves ---------------------------------------------------------------------------------------------------


def mean(values: Sequence[float]) -> float:
    """The mean, which the AdaSPDC paper takes over its runs."""
    return sum(values) / len(values)


class Curves:
    """The curves of an experiment.

    Attributes
    ----------
    found : place to method to the curves of its repetitions
    lines : place to method to their average after 0, 1, ... passes; infinite if a run that counts has diverged
    """

    def __init__(
        self,
        results: ex.Results,
        options: ex.Options,
        key: str = "suboptimality",
        axes: Sequence[str] = ("data", "lam"),
        average: Callable[[Sequence[float]], float] = median,
        but: Collection[str] = (OPTIMUM,),
    ) -> None:
        self.key, self.axes, self.passes = key, axes, options["passes"]
        self.found: dict[Place, dict[str, list[Curve]]] = grouped(
            (tuple(cell[axis] for axis in axes), cell["method"], result[key])
            for cell, result in results
            if cell["method"] not in but
        )
        self.lines = {
            place: {
                name: [average([runs.at_pass(values, t) for values in curves]) for t in range(self.passes + 1)]
                for name, curves in methods.items()
            }
            for place, methods in self.found.items()
        }

    def table(self, caption: str, show: Callable[[list[Curve], Curve], str]) -> ex.Table:
        """A row for each place: what ``show`` makes of a method's curves and their average."""
        rows = [
            [
                *(runs.short(value) if isinstance(value, str) else f"{value:g}" for value in place),
                *(show(curves, self.lines[place][name]) for name, curves in methods.items()),
            ]
            for place, methods in self.found.items()
        ]
        axes = [LETTERS.get(axis, axis) for axis in self.axes]
        return ex.Table(caption, [*axes, *next(iter(self.found.values()))], rows)

    def pictures(
        self, bands: bool = True, beside: Mapping[Place, dict[str, list[Curve]]] | None = None, **options: Any
    ) -> list[ex.Picture]:
        """A picture for each place: medians and quartiles, or averages. ``beside`` maps a place to further curves."""
        pictures = []
        for place, found in self.found.items():
            curves = found if bands else {name: [line] for name, line in self.lines[place].items()}
            lines = {name: band(line) for name, line in {**curves, **(beside or {}).get(place, {})}.items()}
            caption = words(place, self.axes)
            name = file_name(re.sub(", | = ", "-", caption))
            pictures.append(ex.Picture(name, caption + ": median and quartiles" * bands, lines, **options))
        return pictures


def band(repetitions: Sequence[Curve]) -> dict[float, ex.Quartiles]:
    """The quartiles of curves after 0, 1, ... passes."""
    passes = range(max(map(len, repetitions)))
    return {t: runs.quartiles([runs.at_pass(values, t) for values in repetitions]) for t in passes}


def certified(results: ex.Results) -> ex.Table:
    """The brackets of min P."""
    return optima.table([result for cell, result in results if cell["method"] == OPTIMUM])
