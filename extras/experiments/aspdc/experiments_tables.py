"""ASPDC's Tables 3 to 6: passes and seconds to a certified gap, and seconds for a pass; smoothed hinge, rows of norm 1.

The captions give lam = 0.01 and the gap 1e-6 for Table 3, lam = 1e-6 and the gap 1e-4 for Table 5; other lam and gaps
are ours. In words, more and less: the other of the two methods was not within the limits.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import starmap
from statistics import median
from typing import NamedTuple

from dualgap.extras.experiments.aspdc.experiments_figures import ASPDC_I, repeated, require, setting, thresholds
from dualgap.extras.experiments.reading import Place, file_name, grouped, places, told, words
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed

METHODS_3, METHODS_5 = ("aspdc", "sdca", "spdc"), (ASPDC_I, "asdca", "sdca", "spdc", "svrg", "aspdc-i-momentum")
PASSES, SECONDS = 0, 1  # of a hit

# -- Tables 3 and 5: to a gap ---------------------------------------------------------------------------------


def cells(methods: Sequence[str], options: ex.Options) -> list[ex.Cell]:
    require(options)
    tols = options.get("tols", [])
    if tols and (sorted(tols, reverse=True) != tols or min(tols) <= 0):
        raise ValueError(f"tols must be > 0 and fall (got {', '.join(map(str, tols))})")
    return repeated(methods, options)


def run_hits(cell: ex.Cell, options: ex.Options) -> dict[str, object]:
    problem = setting(cell["data"], cell["lam"], options).problem()
    limits = (options["max_passes"], options["max_seconds"])
    return runs.hits(problem, cell["method"], options["tols"], *limits, seed("aspdc-tables", cell["repetition"]))


class Hits:
    """The results of all cells, read by place, tolerance and method."""

    def __init__(self, results: ex.Results, options: ex.Options) -> None:
        self.options, self.tols = options, options["tols"]
        self.found: dict[tuple[Place, str], list[Json]] = {}
        for cell, result in results:
            self.found.setdefault(((cell["data"], cell["lam"]), cell["method"]), []).append(result)

    def of(self, place: Place, tol: float, method: str, part: int = PASSES) -> ex.Quartiles:
        """Quartiles of the passes or seconds; infinite for runs that were not within the limits."""
        k = self.tols.index(tol)
        hits = [result["hits"][k] for result in self.found[place, method]]
        return runs.quartiles([hit[part] if hit else math.inf for hit in hits])

    def shown(self, place: Place, tol: float, method: str) -> str:
        """Passes [quartiles] (seconds), or what was reached instead."""
        passes = self.of(place, tol, method)
        if passes.middle == math.inf:
            found = self.found[place, method]
            made, gap = (median([result[name] for result in found]) for name in ("passes", "gap"))
            return f"not within {made:,.0f} passes: gap {gap:.1e}"
        low, middle, high = (f"{value:,.0f}" if value < math.inf else "not within" for value in passes)
        return f"{middle} [{low}, {high}] ({self.of(place, tol, method, SECONDS).middle:.2g} s)"

    def table(self, methods: Sequence[str]) -> ex.Table:
        """A row for each place and tolerance."""
        rows = [
            [runs.short(place[0]), f"{place[1]:g}", f"{tol:g}", *(self.shown(place, tol, method) for method in methods)]
            for place in places(self.options)
            for tol in self.tols
        ]
        caption = (
            f"Passes to a certified gap, median [quartiles] of {self.options['repetitions']} runs (median seconds of"
            f" the steps); not within: of {self.options['max_passes']:,} passes and {self.options['max_seconds']:g} s"
            " for a run"
        )
        return ex.Table(caption, ["data", "lam", "gap", *methods], rows)

    def compare(
        self, method: str, rival: str, part: int = PASSES, least: float = 1.0, at: Sequence[Place] | None = None
    ) -> tuple[str, str]:
        """The rival's cost over the method's, in words; whether it is more than ``least``, where one is known."""
        text, holds = [], []
        for place in places(self.options) if at is None else at:
            pairs = [[self.of(place, tol, name, part).middle for name in (method, rival)] for tol in self.tols]
            known = [pair for pair in pairs if min(pair) < math.inf]
            holds += [other > least * own for own, other in known]
            text.append(f"{words(place)}: {', '.join(starmap(times, known)) or 'neither was within'}")
        gaps, unit = ", ".join(f"{tol:g}" for tol in self.tols), ("passes", "seconds")[part]
        return (
            f"{unit} of {rival} over those of {method}, to the gaps {gaps}: {'; '.join(text) or 'no such lam was run'}",
            runs.verdict(holds) if holds or not text else f"{ex.CANNOT} within these limits",
        )

    def pictures(self, methods: Sequence[str]) -> list[ex.Picture]:
        """Passes to the middle tolerance against lam, for each data set."""
        tol, lams = self.tols[len(self.tols) // 2], sorted(self.options["lams"])
        return [
            ex.Picture(
                f"passes-{file_name(data)}",
                f"{runs.short(data)}: passes to a certified gap of {tol:g}, median and quartiles; a cross: most runs"
                " were not within the limits",
                {m: {lam: self.of((data, lam), tol, m) for lam in lams} for m in methods},
                x="λ",
                y="passes",
                cap=self.options["max_passes"],
            )
            for data in self.options["data"]
        ]


def times(own: float, other: float) -> str:
    """other/own in words; at most one of them is infinite."""
    if max(own, other) == math.inf:
        return "more" if own < other else "less"
    return runs.factor(other / own) if own > 0 else f"{other:g} to 0"


# -- what the paper says, and what a reader might expect ------------------------------------------------------


def anywhere(place: Place, options: ex.Options) -> bool:
    return True


def large(place: Place, options: ex.Options) -> bool:
    """lam is at least 4R^2/(n gamma)."""
    return bool(place[1] >= thresholds(place, options)[0])


def small(place: Place, options: ex.Options) -> bool:
    """lam is below 4R^2/(n gamma)."""
    return not large(place, options)


def ill(place: Place, options: ex.Options) -> bool:
    """lam is at most R^2/(10 n gamma)."""
    return bool(place[1] <= thresholds(place, options)[1] / 10)


class Saying(NamedTuple):
    """A method needs more than ``least`` times fewer passes or seconds than its rival, ``where`` the paper says so."""

    paper: str
    method: str
    rival: str
    part: int = PASSES
    least: float = 1.0
    where: Callable[[Place, ex.Options], bool] = anywhere
    by: str = ex.READER

    def judged(self, hits: Hits) -> ex.Finding:
        at = [place for place in places(hits.options) if self.where(place, hits.options)]
        return ex.Finding(self.paper, *hits.compare(self.method, self.rival, self.part, self.least, at), by=self.by)


FEWER = "takes fewer seconds than"
TABLE_3 = (
    Saying("Table 3: ASPDC is faster than SPDC in passes, too", "aspdc", "spdc"),
    Saying(f"Table 3: ASPDC {FEWER} SPDC", "aspdc", "spdc", SECONDS, by=ex.PAPER),
    Saying(f"Table 3: SDCA {FEWER} SPDC", "sdca", "spdc", SECONDS, by=ex.PAPER),
    Saying(f"Table 3: SDCA {FEWER} ASPDC", "sdca", "aspdc", SECONDS, by=ex.PAPER),
)
TABLE_5 = (
    Saying("Table 5: ASPDC-i is faster than SPDC in passes, too", ASPDC_I, "spdc"),
    Saying(f"Table 5: ASPDC-i {FEWER} SPDC", ASPDC_I, "spdc", SECONDS, by=ex.PAPER),
    Saying(
        f"Table 5: ASDCA {FEWER} ASPDC-i (the prose has it the other way round)", "asdca", ASPDC_I, SECONDS, by=ex.PAPER
    ),
)
AT = "lam >= 4R^2/(n gamma)"
LARGE = (
    Saying(f"Beyond Table 3: ASPDC is faster than SPDC ({AT}), in passes", "aspdc", "spdc", where=large),
    Saying(f"Beyond Table 3: ASPDC {FEWER} SPDC ({AT})", "aspdc", "spdc", SECONDS, where=large),
    Saying(f"Beyond Table 3: SDCA {FEWER} ASPDC ({AT})", "sdca", "aspdc", SECONDS, where=large),
)
ILL = "Section 6: where the condition number"
SMALL = (
    *(
        Saying(
            f"Section 6: ASPDC-i needs far fewer epochs than {rival.upper()} (here: less than half; {text})",
            ASPDC_I,
            rival,
            least=2.0,
            where=where,
            by=ex.PAPER,
        )
        for rival, text, where in (
            ("spdc", "lam < 4R^2/(n gamma): above, ASPDC-i is ASPDC", small),
            ("svrg", "lam < 4R^2/(n gamma)", small),
            ("asdca", "lam <= R^2/(10 n gamma), which ASDCA asks for", ill),
        )
    ),
    Saying(f"{ILL} is large (R^2/(lam gamma) >= 10n), ASPDC-i beats SDCA", ASPDC_I, "sdca", where=ill, by=ex.PAPER),
    Saying(f"{ILL} is large, ASPDC-i beats SDCA, in seconds", ASPDC_I, "sdca", SECONDS, where=ill, by=ex.PAPER),
    Saying(f"Beyond Table 5: ASDCA {FEWER} ASPDC-i (lam <= R^2/(10 n gamma))", "asdca", ASPDC_I, SECONDS, where=ill),
)


Further = Callable[[Hits], list[ex.Finding]]


def summary(
    sayings: Sequence[Saying], before: Further, methods: Sequence[str], results: ex.Results, options: ex.Options
) -> ex.Summary:
    """The sayings judged, after further findings."""
    hits = Hits(results, options)
    findings = [*before(hits), *(saying.judged(hits) for saying in sayings)]
    return ex.Summary(findings, [hits.table(methods)], hits.pictures(methods))


def nothing(hits: Hits) -> list[ex.Finding]:
    return []


def alike(hits: Hits) -> list[ex.Finding]:
    """ASPDC needs about as many epochs as SDCA, and converges under the condition of Lemma 2."""
    inside = [place for place in places(hits.options) if large(place, hits.options)]
    text, verdict = hits.compare("aspdc", "sdca", PASSES, 0.5, inside)
    if not verdict.startswith(ex.CANNOT):
        both = {verdict, hits.compare("sdca", "aspdc", PASSES, 0.5, inside)[1]}
        verdict = ex.REPRODUCED if both == {ex.REPRODUCED} else ex.NOT_REPRODUCED
    paper = f"Section 6: ASPDC needs about as many epochs as SDCA ({AT}; here: within a factor of 2)"
    return [ex.Finding(paper, text, verdict), lemma_2(hits)]


def lemma_2(hits: Hits) -> ex.Finding:
    """Convergence under its condition, and what happens below it."""
    text, holds, tol = [], [], hits.tols[-1]
    for place in places(hits.options):
        least, sharp = thresholds(place, hits.options)
        reached = hits.of(place, tol, "aspdc").middle < math.inf
        side = "above 4" if place[1] >= least else "between 1 and 4" if place[1] > sharp else "below 1"
        text.append(f"{words(place)}, {side} times R^2/(n gamma): {'' if reached else 'not '}reached")
        holds += [reached] if place[1] >= least else []
    return ex.Finding(f"Lemma 2: ASPDC converges for {AT}", f"the gap {tol:g}: {'; '.join(text)}", runs.verdict(holds))


# -- Tables 4 and 6: seconds for a pass -----------------------------------------------------------------------


def run_timed(cell: ex.Cell, options: ex.Options) -> dict[str, object]:
    problem = setting(cell["data"], cell["lam"], options).problem()
    return runs.timed(problem, cell["method"], options["passes"], seed("aspdc-tables", cell["repetition"]))


def summary_timed(paper: str, method: str, results: ex.Results, options: ex.Options) -> ex.Summary:
    """Milliseconds for a pass; the paper says that one of ``method`` takes less time than one of SPDC."""
    values = grouped(
        ((cell["data"], cell["lam"]), cell["method"], 1e3 * result["seconds"] / result["passes"])
        for cell, result in results
    )
    found = {place: {m: runs.quartiles(line) for m, line in lines.items()} for place, lines in values.items()}
    ratios = {place: line["spdc"].middle / line[method].middle for place, line in found.items()}
    saying = ex.Finding(
        f"Abstract, {paper} has a low complexity per iteration: a pass takes less time than one of SPDC (by the"
        " published numbers, without reading, a half to a seventh)",
        f"seconds for a pass of spdc over those of {method}: {told(ratios)}",
        runs.verdict([ratio > 1 for ratio in ratios.values()]),
    )
    rows = [
        [runs.short(data), f"{lam:g}", *("{1:.2f} [{0:.2f}, {2:.2f}]".format(*one) for one in line.values())]
        for (data, lam), line in found.items()
    ]
    caption = (
        f"Milliseconds for a pass, median [quartiles] of {options['repetitions']} runs of {options['passes']} passes"
    )
    return ex.Summary([saying], [ex.Table(caption, ["data", "lam", *next(iter(found.values()))], rows)])


# -- the experiments ------------------------------------------------------------------------------------------

A_PASS: ex.Options = {
    "data": ["a9a-like", "rcv1-like"],
    "positive": "",
    "lams": [1e-2],
    "passes": 20,
    "repetitions": 10,
}
TO_A_GAP: ex.Options = {
    "data": ["a9a-like"],
    "positive": "",
    "lams": [1e-2, 1e-4, 1e-6],
    "tols": [1e-4, 1e-6, 1e-8],
    "repetitions": 5,
    "max_passes": 500,
    "max_seconds": 20.0,
}


def to_a_gap(
    title: str, methods: Sequence[str], sayings: Sequence[Saying], before: Further = nothing, **changes: object
) -> ex.Experiment:
    """Passes and seconds of the methods to a certified gap, and the sayings about them."""
    options = {**TO_A_GAP, **changes}
    return ex.Experiment(title, options, partial(cells, methods), run_hits, partial(summary, sayings, before, methods))


def of_a_pass(title: str, methods: Sequence[str], paper: str, method: str, **changes: object) -> ex.Experiment:
    """Seconds for a pass of the methods."""
    options = {**A_PASS, **changes}
    return ex.Experiment(title, options, partial(cells, methods), run_timed, partial(summary_timed, paper, method))


EXPERIMENTS = {
    "aspdc-table3": to_a_gap(
        "ASPDC, Table 3: passes and seconds of ASPDC, SDCA and SPDC to the gap 1e-6 at lam = 0.01",
        METHODS_3,
        TABLE_3,
        lams=[1e-2],
        tols=[1e-6],
    ),
    "aspdc-large-lam": to_a_gap(
        "ASPDC, beyond Table 3: passes and seconds of ASPDC, SDCA and SPDC to a certified gap", METHODS_3, LARGE, alike
    ),
    "aspdc-table5": to_a_gap(
        "ASPDC, Table 5: passes and seconds of ASPDC-i, ASDCA, SDCA, SPDC and SVRG to the gap 1e-4 at lam = 1e-6",
        METHODS_5,
        TABLE_5,
        lams=[1e-6],
        tols=[1e-4],
    ),
    "aspdc-small-lam": to_a_gap(
        "ASPDC, beyond Table 5: passes and seconds of ASPDC-i, ASDCA, SDCA, SPDC and SVRG to a certified gap",
        METHODS_5,
        SMALL,
        data=["a9a-like", "sector-like"],
        repetitions=3,
    ),
    "aspdc-table4": of_a_pass(
        "ASPDC, Table 4: seconds for a pass of ASPDC, SDCA and SPDC", METHODS_3, "Table 4: ASPDC", "aspdc"
    ),
    "aspdc-table6": of_a_pass(
        "ASPDC, Table 6: seconds for a pass of ASPDC-i, ASDCA, SDCA, SPDC and SVRG",
        METHODS_5[:5],
        "Table 6: ASPDC-i",
        ASPDC_I,
        lams=[1e-6],
        passes=40,
    ),
}
