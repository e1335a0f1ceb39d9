"""What the papers' experiments share. An experiment is a ``Study``: data, methods, an axis and statements.

Every statement compares two methods at places, such as a data set with a lam: in passes, in values, or in seconds.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import optima, runs, seed
from dualgap.reference import Problem, Squared

Place = tuple[Any, ...]  # the values of the axes, such as a data set and lam
Curve = list[float]
Measure = Callable[[runs.TimedRun], float]
Setting = Callable[[str, float, ex.Options], optima.Setting]
START = "start"  # in place of a rival: the value before the first pass
PASSES, VALUE, SECONDS, A_PASS, RISE = "passes", "value", "seconds", "seconds for a pass", "rise"
LETTERS = {"factor": "f"}


class Solver(NamedTuple):
    """A method with its options; on a problem of its own, or for fewer passes, where these are given."""

    method: str
    options: Json = {}
    problem: Problem | None = None
    passes: int = 0


Methods = Mapping[str, Solver | Callable[[Problem], Solver]]


class Start(NamedTuple):
    """The problem of a cell, the value that is followed, and the bracket of min P where there is one."""

    problem: Problem
    measure: Measure
    optimum: Json | None = None


@dataclass(frozen=True)
class Saying:
    """A paper says that each of ``methods`` needs more than ``least`` times less than each of ``rivals``.

    Attributes
    ----------
    unit : PASSES to the same value, VALUE after the last pass, SECONDS, A_PASS: seconds for a pass, or RISE: the
        largest factor by which a value is above an earlier one.
    most : the ratio is at most this, for statements that methods are alike.
    where : the places that it speaks of, given the values of the axes and "condition", R^2/(lam gamma n).
    after : the share of the passes after which values are compared.
    """

    paper: str
    methods: Sequence[str]
    rivals: Sequence[str]
    unit: str = PASSES
    least: float = 1.0
    most: float = math.inf
    where: Callable[[Json], bool] = lambda at: True
    after: float = 1.0
    by: str = ex.PAPER

    def judged(self, read: "Read") -> ex.Finding:
        at = [place for place in read.results if self.where(read.facts(place))]
        ratios = {place: read.worst(self, place) for place in at}
        text = "; ".join(f"{read.words(place)}: {runs.factor(ratio)}" for place, ratio in ratios.items())
        end = "the last pass" if self.after == 1 else f"{self.after:.0%} of the passes"
        unit = f"{read.study.value} after {end}" if self.unit == VALUE else self.unit
        measured = f"{unit} of {', '.join(self.rivals)}, over those of {', '.join(self.methods)}: {text}"
        verdict = runs.verdict([self.least < r <= self.most for r in ratios.values() if not math.isnan(r)])
        if at and all(map(math.isnan, ratios.values())):
            verdict = f"{ex.CANNOT} within these limits"
        return ex.Finding(self.paper, measured if at else "no such setting was run", verdict, self.by)


@dataclass(frozen=True)
class Study:
    """An experiment in which methods run at places, to a value or for a number of passes.

    Attributes
    ----------
    title, options : of the experiment; with an option ``tol`` runs end where the value is at most that.
    methods : name to the method, or to what makes it from a problem.
    sayings : the paper's statements; ``further`` gives findings of another form.
    setting : of data sets; or ``start``, given a cell and the options, for problems that are drawn.
    once : the methods that run once, since they draw nothing.
    draws : a name, from which the choices follow; methods that draw a row a step have the same.
    value, floor, average : the value that is followed, below what it is rounding, and how repetitions are averaged.
    """

    title: str
    options: ex.Options
    methods: Methods
    sayings: Sequence[Saying]
    draws: str
    setting: Setting = lambda data, lam, options: optima.Setting(data, lam)
    start: Callable[[ex.Cell, ex.Options], Start] | None = None
    axes: Sequence[str] = ("data", "lam")
    once: Sequence[str] = ()
    value: str = "P - min P"
    floor: float = 1e-12
    average: Callable[[Sequence[float]], float] = median
    further: Callable[["Read"], Sequence[ex.Finding]] = field(default=lambda read: ())

    def experiment(self) -> ex.Experiment:
        return ex.Experiment(self.title, self.options, self.cells, self.run, self.summary)

    def cells(self, options: ex.Options) -> list[ex.Cell]:
        """Methods vary fastest: a machine that slows down slows all of them."""
        for name, least in {"passes": 1, "repetitions": 1, "max_passes": 1, "n": 2}.items():
            if options.get(name, least) < least:
                raise ValueError(f"{name} must be >= {least} (got {options[name]})")
        if options.get("tol", 1) <= 0:
            raise ValueError(f"tol must be > 0 (got {options['tol']})")
        for data in options.get("data", ()):
            self.setting(data, options["lams"][0], options).problem()  # the loss takes its labels
        values = [options[axis if axis in options else f"{axis}s"] for axis in self.axes]
        names = (*self.axes, "repetition", "method")
        every = [dict(zip(names, cell)) for cell in product(*values, range(options["repetitions"]), self.methods)]
        return [cell for cell in every if not (cell["repetition"] and cell["method"] in self.once)]

    def run(self, cell: ex.Cell, options: ex.Options) -> Json:
        if self.start is not None:
            problem, measure, optimum = self.start(cell, options)
        else:
            problem, measure, optimum = on_data(self.value, self.setting(cell["data"], cell["lam"], options))
        made = self.methods[cell["method"]]
        solver = made if isinstance(made, Solver) else made(problem)
        run = runs.TimedRun(
            solver.problem or problem, solver.method, seed(self.draws, cell["repetition"]), **solver.options
        )
        if "tol" in options:
            found = runs.hit(run, measure, options["tol"], options["max_passes"], options["max_seconds"])
        else:
            found = runs.curve(run, solver.passes or options["passes"], measure)
            if solver.passes:
                runs.held(found["values"], options["passes"] + 1)
        return {**found, "condition": condition(problem), "optimum": optimum}

    def summary(self, results: ex.Results, options: ex.Options) -> ex.Summary:
        read = Read(self, results, options)
        brackets = [
            found["optimum"]
            for methods in read.results.values()
            if (found := next(iter(methods.values()))[0])["optimum"]
        ]
        tables = [read.table(), *([optima.table(brackets)] if brackets else [])]
        findings = [*(saying.judged(read) for saying in self.sayings), *self.further(read)]
        return ex.Summary(findings, tables, [] if "tol" in options else list(read.pictures()))


def condition(problem: Problem) -> float:
    """R^2/(lam gamma n); infinite for gamma = 0."""
    scale = problem.gamma * problem.n * problem.regularizer.modulus
    return float(arrays(problem).R2 / scale) if scale else math.inf


def on_data(value: str, where: optima.Setting) -> Start:
    """The certified gap, P(w) - D(alpha), or P(w) less the lower end of the bracket of min P."""
    problem = where.problem()
    if value == "the certified gap":
        return Start(problem, runs.TimedRun.bound)
    objective, optimum = Objective(problem), optima.optimum(where)
    if value == "the gap":
        return Start(problem, lambda run: objective.gap(*run.view()), optimum)
    return Start(problem, lambda run: objective.P(np.asarray(run.view()[0])) - optimum["dual"], optimum)


def ridge(cell: ex.Cell, options: ex.Options) -> Start:
    """Section 7.1 of SPDC: a ~ N(0, Sigma), Sigma_jj = j^-2, y = <a, 1> + N(0, 1)."""
    data = f"spdc-synthetic:n={options['n']},d={options['d']},seed={cell['repetition']}"
    return exact(runs.problem_of(data, Squared(), cell["lam"], unit_rows=options["unit_rows"]))


def exact(problem: Problem) -> Start:
    """P(w) - min P of ridge regression, without cancellation."""
    suboptimality = runs.ridge_suboptimality(problem)
    return Start(problem, lambda run: suboptimality(run.view()[0]))


class Read:
    """The results of a study, read by place and method."""

    def __init__(self, study: Study, results: ex.Results, options: ex.Options) -> None:
        self.study, self.options, self.passes = study, options, options.get("passes", 0)
        self.results: dict[Place, dict[str, list[Json]]] = {}
        for cell, result in results:
            place = self.results.setdefault(tuple(cell[axis] for axis in study.axes), {})
            place.setdefault(cell["method"], []).append(result)

    def facts(self, place: Place) -> Json:
        """The values of the axes and the condition number."""
        return {
            **dict(zip(self.study.axes, place)),
            "condition": next(iter(self.results[place].values()))[0]["condition"],
        }

    def words(self, place: Place) -> str:
        """A place as one reads it: 'a9a, lam = 0.01'."""
        pairs = zip(self.study.axes, place)
        return ", ".join(runs.short(v) if axis == "data" else f"{LETTERS.get(axis, axis)} = {v:g}" for axis, v in pairs)

    def line(self, place: Place, method: str) -> Curve:
        """The averages after 0, 1, ... passes; infinite after a run has diverged."""
        curves = [result["values"] for result in self.results[place][method]]
        return [self.study.average([runs.at_pass(values, t) for values in curves]) for t in range(self.passes + 1)]

    def hits(self, place: Place, method: str, unit: str) -> ex.Quartiles:
        """The quartiles of the passes or seconds to the tolerance, infinite for runs that were not within the limits;
        or of the seconds for a pass.
        """
        found = self.results[place][method]
        if unit == A_PASS:
            return runs.quartiles([result["seconds"] / max(result["passes"], 1) for result in found])
        return runs.quartiles([result["hit"][unit == SECONDS] if result["hit"] else math.inf for result in found])

    def worst(self, saying: Saying, place: Place) -> float:
        """The least ratio of a rival's cost to a method's; NaN where none is known."""
        ratios = [self.ratio(saying, place, rival, own) for rival, own in product(saying.rivals, saying.methods)]
        return min((ratio for ratio in ratios if not math.isnan(ratio)), default=math.nan)

    def ratio(self, saying: Saying, place: Place, rival: str, own: str) -> float:
        """The rival's cost over that of ``own``."""
        if saying.unit == A_PASS or "tol" in self.options:
            theirs, ours = (self.hits(place, name, saying.unit).middle for name in (rival, own))
            return theirs / ours if ours and min(theirs, ours) < math.inf else math.nan
        if saying.unit == RISE:
            return self.rise(place, rival) / self.rise(place, own)
        line = self.line(place, own)
        other = line[:1] * len(line) if rival == START else self.line(place, rival)
        if saying.unit == PASSES:
            return runs.sooner(other, line, self.study.floor)
        end = round(saying.after * self.passes) + 1
        return runs.ahead(other[:end], line[:end], self.study.floor)

    def rise(self, place: Place, method: str) -> float:
        """The largest factor by which a value is above an earlier one, both above the floor."""
        largest = 1.0
        for result in self.results[place][method]:
            least = math.inf
            for value in result["values"]:
                largest = max(largest, value / least) if least > self.study.floor else largest
                least = min(least, value)
        return largest

    def table(self) -> ex.Table:
        """A row for each place: quartiles of passes and seconds to the tolerance, or of the values at the end."""
        to_a_gap, floor = "tol" in self.options, self.study.floor
        caption = (
            f"Passes until {self.study.value} is {self.options['tol']:g}, median [quartiles] (median seconds) of"
            if to_a_gap
            else f"log10 of {self.study.value} after {self.passes} passes: the average of"
        ) + f" {self.options['repetitions']} runs"

        def shown(place: Place, method: str) -> str:
            if to_a_gap:
                passes, seconds = (self.hits(place, method, unit) for unit in (PASSES, SECONDS))
                return f"{quartiles_shown(passes, 'not within')} ({seconds.middle:.2g} s)"
            end = self.line(place, method)[-1]
            return f"<{runs.log10(floor)}" if end < floor else runs.log10(end)

        rows = [
            [
                *(runs.short(v) if isinstance(v, str) else f"{v:g}" for v in place),
                *(shown(place, name) for name in methods),
            ]
            for place, methods in self.results.items()
        ]
        return ex.Table(caption, [*(LETTERS.get(axis, axis) for axis in self.study.axes), *self.study.methods], rows)

    def pictures(self) -> Iterator[ex.Picture]:
        """The quartiles against passes, for each place."""
        for place, methods in self.results.items():
            curves = {name: [result["values"] for result in found] for name, found in methods.items()}
            lines = {name: partial(band, values=values) for name, values in curves.items()}
            drawn = {name: {float(t): line(t) for t in range(self.passes + 1)} for name, line in lines.items()}
            name = re.sub(r"[^\w.-]+", "-", runs.short(self.words(place)))
            yield ex.Picture(
                name, f"{self.words(place)}: median and quartiles", drawn, y=self.study.value, floor=self.study.floor
            )


def quartiles_shown(found: ex.Quartiles, never: str) -> str:
    """Median [quartiles], with a word for what is infinite.

    >>> quartiles_shown(ex.Quartiles(300.0, 1000.0, math.inf), "cap")
    '1,000 [300, cap]'
    """
    low, middle, high = (f"{value:,.0f}" if value < math.inf else never for value in found)
    return f"{middle} [{low}, {high}]"


def band(t: int, values: Sequence[Curve]) -> ex.Quartiles:
    """The quartiles of curves after t passes."""
    return runs.quartiles([runs.at_pass(one, t) for one in values])
