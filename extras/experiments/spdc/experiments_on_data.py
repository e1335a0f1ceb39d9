"""SPDC's Figures 2 and 3: the smoothed hinge on data sets, SPDC compared with two batch methods and with three
stochastic ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dualgap.extras.experiments import reading
from dualgap.extras.experiments.reading import OPTIMUM, Curve, Curves, at_lams
from dualgap.extras.experiments.spdc.experiments import SUBSTANTIAL, Compared, condition, method_of
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import optima, runs, seed

BATCH, STOCHASTIC = ("spdc", "afg", "l-bfgs"), ("spdc", "sag", "sdca", "asdca")
ONCE = ("afg", "l-bfgs")  # they draw nothing
LARGE, SMALL = 1e-5, 1e-6  # "relatively large" from the one on, "small" up to the other
COMPARABLE = 2.0  # at most this many times the passes
FLOOR = 1e-12  # below it the width of the bracket of min P is seen
ASDCA = 10  # the paper runs ASDCA where lam <= R^2/(10 n gamma)
AHEAD = {"covtype": False, "rcv1": True, "news20": True}  # the paper's sets, and whether SPDC is ahead of ASDCA there

# -- cells ----------------------------------------------------------------------------------------------------


def setting(data: str, lam: float, options: ex.Options) -> optima.Setting:
    """Section 7.2: the smoothed hinge with gamma = 1, no bias."""
    return optima.Setting(data, lam, positive=options["positive"], bias=False, unit_rows=options["unit_rows"])


def cells(methods: Sequence[str], options: ex.Options) -> list[ex.Cell]:
    reading.require(options, setting, passes=1, repetitions=1)
    axes = {"data": options["data"], "lam": options["lams"]}
    repeated = reading.grid(**axes, method=methods, repetition=range(options["repetitions"]))
    return reading.optimal(options) + [cell for cell in repeated if not (cell["method"] in ONCE and cell["repetition"])]


def run(cell: ex.Cell, options: ex.Options) -> Json:
    where = setting(cell["data"], cell["lam"], options)
    found, problem = optima.optimum(where), where.problem()
    if cell["method"] == OPTIMUM:
        return {**found, "condition": condition(problem)}
    method, draws = method_of(cell["method"], problem), seed("spdc-data", cell["repetition"])
    return runs.curve(problem, method, options["passes"], draws, reading.above(problem, found["dual"]))


# -- how they are read ----------------------------------------------------------------------------------------


class Read(Compared):
    """The curves of one data set: a verdict on one is none on another."""

    def __init__(self, data: str, results: ex.Results, options: ex.Options) -> None:
        mine = [(cell, result) for cell, result in results if cell["data"] == data]
        curves = Curves(mine, options, axes=("lam",))
        super().__init__({lam: lines for (lam,), lines in curves.lines.items()}, FLOOR, data)
        self.data, self.found = data, {lam: found for (lam,), found in curves.found.items()}
        self.conditions = {cell["lam"]: result["condition"] for cell, result in mine if cell["method"] == OPTIMUM}

    def asdca(self) -> list[float]:
        """Return the settings in which the paper runs ASDCA."""
        return [lam for lam in self.curves if self.conditions[lam] >= ASDCA]


def batch(read: Read) -> list[ex.Finding]:
    """Figure 2."""
    least = read.lams()[-1]
    found = [
        read.finding(
            f"Section 7.2, Figure 2: SPDC is substantially faster than {name.upper()} for relatively large lam (here:"
            f" lam >= {LARGE:g}, by more than {SUBSTANTIAL:g} times)",
            read.lams(LARGE),
            [name],
            SUBSTANTIAL,
        )
        for name in BATCH[1:]
    ]
    near = read.finding(
        "Section 7.2: as lam decreases the batch methods, above all L-BFGS, become comparable to SPDC (here: L-BFGS at"
        f" the least lam, at most {COMPARABLE:g} times its passes)",
        [least],
        ["l-bfgs"],
        1.0,
    )
    near = replace(near, verdict=runs.verdict([read.ratio(least, "l-bfgs") <= COMPARABLE]))
    return [*found, near, always(read, BATCH[1:])]


def always(read: Read, rivals: Sequence[str]) -> ex.Finding:
    """The summary of both figures, for the methods of one."""
    paper = (
        f"Section 7.2: SPDC is always comparable to or better than the other methods (here: at most {COMPARABLE:g}"
        " times their passes)"
    )
    return read.finding(paper, read.lams(), rivals, 1 / COMPARABLE)


def stochastic(read: Read) -> list[ex.Finding]:
    """Figure 3."""
    small = [lam for lam in read.lams() if lam <= SMALL]
    return [
        *(
            read.finding(
                f"Figure 3: SPDC is faster than {name.upper()} when lam is small (here: <= {SMALL:g})",
                small,
                [name],
                1.0,
            )
            for name in ("sag", "sdca")
        ),
        inner(read),
        level(read),
        *straight(read),
        always(read, STOCHASTIC[1:]),
    ]


def inner(read: Read) -> ex.Finding:
    """Compare SPDC with ASDCA; the paper's statement differs from set to set."""
    found = read.finding(
        "Figure 3: SPDC is faster than ASDCA on RCV1 and News20, ASDCA faster than SPDC on Covtype",
        lams := read.asdca(),
        ["asdca"],
        1.0,
    )
    expected = [ahead for name, ahead in AHEAD.items() if runs.stem(read.data) in (name, f"{name}-like")]
    if not expected:
        return replace(found, verdict=f"{ex.CANNOT}: the paper says nothing about this set")
    return replace(found, verdict=runs.verdict([(read.ratio(lam, "asdca") > 1) == expected[0] for lam in lams]))


def level(read: Read) -> ex.Finding:
    """The stochastic methods among each other where lam is large."""
    ratios = {(lam, rival): read.ratio(lam, rival) for lam in read.lams(LARGE) for rival in ("sag", "sdca")}
    told = ", ".join(f"{runs.factor(ratio)} ({rival}, lam = {lam:g})" for (lam, rival), ratio in ratios.items())
    paper = (
        f"Section 7.2: all stochastic methods are comparable for relatively large lam (here: >= {LARGE:g}, within a"
        f" factor {COMPARABLE:g})"
    )
    measured = f"{read.told}passes over those of spdc: {told or 'no such lam was run'}"
    return ex.Finding(
        paper, measured, runs.verdict([1 / COMPARABLE <= ratio <= COMPARABLE for ratio in ratios.values()])
    )


def straight(read: Read) -> list[ex.Finding]:
    """The shapes of the curves of SPDC and ASDCA: how straight on the logarithmic axis, and how far they rise again."""
    line = {lam: straightness(lines["spdc"]) for lam, lines in read.curves.items()}
    rises = {
        lam: [max(rise(values) for values in read.found[lam][name]) for name in ("spdc", "asdca")]
        for lam in read.asdca()
    }
    told = ", ".join(
        f"{runs.factor(own)} against {runs.factor(other)} (lam = {lam:g})" for lam, (own, other) in rises.items()
    )
    return [
        ex.Finding(
            "Section 7.2: the curve of SPDC is almost linear (here: a line has R^2 >= 0.9)",
            f"{read.told}R^2 of a line through log(P - min P): {at_lams(line, '{:.3f}'.format)}",
            runs.verdict([value >= 0.9 for value in line.values()]),
        ),
        ex.Finding(
            "Section 7.2: SPDC is more stable than ASDCA, whose error oscillates",
            f"{read.told}the largest factor by which P - min P rises above an earlier value, spdc against asdca:"
            f" {told or 'no such lam was run'}",
            runs.verdict([own < other for own, other in rises.values()]),
        ),
    ]


def straightness(values: Curve) -> float:
    """R^2 of the line through the logarithms of a curve, down to ``FLOOR``.

    >>> straightness([1.0, 0.1, 0.01, 0.001]), round(straightness([1.0, 1e-5, 1e-5, 1e-5]), 1)
    (1.0, 0.6)
    """
    end = next((t for t, value in enumerate(values) if value < FLOOR), len(values))
    return float(np.corrcoef(range(end), np.log(values[:end]))[0, 1] ** 2) if end > 2 else 1.0


def rise(values: Sequence[float]) -> float:
    """The largest factor by which a value is above an earlier one, both above ``FLOOR``; at least 1.

    >>> rise([1.0, 0.5, 2.0, 0.1])
    4.0
    """
    least, found = values[0], 1.0
    for value in values:
        if least > FLOOR:
            found = max(found, value / least)
        least = min(least, value)
    return found


# -- what was found -------------------------------------------------------------------------------------------


def summary(findings_on: Callable[[Read], list[ex.Finding]], results: ex.Results, options: ex.Options) -> ex.Summary:
    curves = Curves(results, options)
    caption = f"log10 of P - min P after {options['passes']} passes, median of {options['repetitions']}"
    table = curves.table(caption, lambda found, line: shown(line[-1]))
    findings = [finding for data in options["data"] for finding in findings_on(Read(data, results, options))]
    pictures = curves.pictures(floor=FLOOR)
    return ex.Summary(findings, [table, reading.certified(results)], pictures)


def shown(value: float) -> str:
    """Its logarithm; no more than is known."""
    return f"<{runs.log10(FLOOR)}" if value < FLOOR else runs.log10(value)


def figure(title: str, methods: Sequence[str], findings_on: Callable[[Read], list[ex.Finding]]) -> ex.Experiment:
    """The two figures differ in the methods that SPDC is compared with."""
    options = {
        "data": ["a9a-like", "rcv1-like", "sector-like"],
        "positive": "",
        "lams": [1e-4, 1e-5, 1e-6, 1e-7, 1e-8],
        "passes": 100,
        "repetitions": 3,
        "unit_rows": True,
    }
    return ex.Experiment(title, options, partial(cells, methods), run, partial(summary, findings_on))


EXPERIMENTS = {
    "spdc-fig2": figure("SPDC, Figure 2: smoothed hinge, SPDC, AFG and L-BFGS, P - min P against passes", BATCH, batch),
    "spdc-fig3": figure(
        "SPDC, Figure 3: smoothed hinge, SPDC, SAG, SDCA and ASDCA, P - min P against passes", STOCHASTIC, stochastic
    ),
}
