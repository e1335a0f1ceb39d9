"""SPDC's Figure 1: ridge regression on synthetic data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dualgap.extras.experiments.reading import Curve, Curves, at_lams, grid
from dualgap.fast.problem.arrays import arrays
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Problem, Squared

NAMES = {
    "spdc": "spdc",
    "spdc nonuniform": "spdc-nonuniform",
    "sdca": "sdca",
    "sag": "sag",
    "asdca": "asdca",
    "afg": "afg",
    "l-bfgs": "lbfgs",
}
STOCHASTIC, BATCH = ("sag", "sdca", "asdca", "spdc"), ("afg", "l-bfgs")
WELL = 1e-2  # from here on lam is "relatively large"; below, the condition number is above n
SUBSTANTIAL = 1.5  # times the passes
ROUNDING = 1e-16  # of P - min P: below it curves are not compared


def ridge(options: ex.Options, lam: float, repetition: int) -> Problem:
    """Section 7.1: a ~ N(0, Sigma), Sigma_jj = j^-2, y = <a, 1> + N(0, 1)."""
    data = f"spdc-synthetic:n={options['n']},d={options['d']},seed={repetition}"
    return runs.problem_of(data, Squared(), lam, unit_rows=options["unit_rows"])


def condition(problem: Problem) -> float:
    """(2) over n: R^2/(lam gamma n)."""
    return float(arrays(problem).R2 / (problem.gamma * problem.n * problem.regularizer.lam))


def method_of(name: str, problem: Problem) -> str:
    """The method to run; SDCA for ASDCA where its kappa = R^2/(gamma n) - lam is not positive, as its authors say."""
    return "sdca" if name == "asdca" and condition(problem) <= 1 else NAMES[name]


def cells(options: ex.Options) -> list[ex.Cell]:
    return grid(lam=options["lams"], method=NAMES, repetition=range(options["repetitions"]))


def run(cell: ex.Cell, options: ex.Options) -> Json:
    problem = ridge(options, cell["lam"], cell["repetition"])
    draws = seed("spdc-fig1", cell["repetition"])  # the same rows for every method that draws one row a step
    found = runs.curve(
        problem, method_of(cell["method"], problem), options["passes"], draws, runs.ridge_suboptimality(problem)
    )
    return {**found, "condition": condition(problem)}


class Compared:
    """The median curves of every lam on one data set, and how methods are compared on them: by the passes that each
    takes to the least value that both reach, ``floor`` at the least.
    """

    def __init__(self, curves: Mapping[float, Mapping[str, Curve]], floor: float, data: str = "") -> None:
        self.curves, self.floor, self.told = curves, floor, f"{runs.short(data)}: " if data else ""

    def lams(self, least: float = 0.0, below: float = math.inf) -> list[float]:
        return [lam for lam in self.curves if least <= lam < below]

    def ratio(self, lam: float, rival: str, own: str = "spdc") -> float:
        """Passes of the rival over those of the other."""
        return runs.sooner(self.curves[lam][rival], self.curves[lam][own], self.floor)

    def finding(
        self, paper: str, lams: Sequence[float], rivals: Sequence[str], least: float, owns: Sequence[str] = ("spdc",)
    ) -> ex.Finding:
        """Return whether each rival takes more than ``least`` times the passes of each of ``owns`` for each of these
        lam."""
        ratios = {(rival, own): {lam: self.ratio(lam, rival, own) for lam in lams} for own in owns for rival in rivals}
        told = "; ".join(f"of {rival} over those of {own}: {at_lams(found)}" for (rival, own), found in ratios.items())
        holds = [ratio > least for found in ratios.values() for ratio in found.values()]
        measured = f"passes {told}" if lams else "no such lam was run"
        return ex.Finding(paper, self.told + measured, runs.verdict(holds))


ILL = "for condition numbers above n SPDC"
TIMES = f"(here: its rival takes more than {SUBSTANTIAL:g} times the passes)"
SMALL = {  # for small lam: rival, what the paper says, and how many times the passes that is
    "sag": (f"Section 7.1, Figure 1: {ILL} converges substantially faster than SAG {TIMES}", SUBSTANTIAL),
    "sdca": (f"Section 7.1, Figure 1: {ILL} converges substantially faster than SDCA {TIMES}", SUBSTANTIAL),
    "l-bfgs": (f"Section 7.1, Figure 1: {ILL} is notably faster than L-BFGS {TIMES}", SUBSTANTIAL),
    "afg": (f"Section 7.1, Figure 1: {ILL} is faster than AFG", 1.0),
    "asdca": (f"Section 7.1, Figure 1: SPDC is substantially faster than ASDCA for small lam {TIMES}", SUBSTANTIAL),
}
LARGE = "Section 7.1: for relatively large lam SAG, SDCA, ASDCA and SPDC are substantially faster than"
WEIGHTED = "Abstract, section 4: weighted sampling is better than uniform sampling on unnormalized data"


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    curves = Curves(results, options, axes=("lam",))
    compared = Compared({lam: lines for (lam,), lines in curves.lines.items()}, ROUNDING)
    findings = [
        *(compared.finding(said, compared.lams(below=WELL), [rival], least) for rival, (said, least) in SMALL.items()),
        *(
            compared.finding(f"{LARGE} {rival.upper()} {TIMES}", compared.lams(WELL), [rival], SUBSTANTIAL, STOCHASTIC)
            for rival in BATCH
        ),
    ]
    if options["unit_rows"]:  # the paper does not scale its rows
        findings = [
            replace(one, paper=one.paper.replace(": ", ": on rows of norm 1, ", 1), by=ex.READER) for one in findings
        ]
    else:
        findings.append(compared.finding(WEIGHTED, options["lams"], ["spdc"], 1.0, ["spdc nonuniform"]))
    caption = f"log10 of P - min P after {options['passes']} passes, median of {options['repetitions']}"
    table = curves.table(caption, lambda found, line: runs.log10(line[-1]))
    return ex.Summary(findings, [table], curves.pictures(bands=False))


EXPERIMENTS = {
    "spdc-fig1": ex.Experiment(
        "SPDC, Figure 1: ridge regression on synthetic data (n = d = 500), P - min P against passes",
        {
            "n": 500,
            "d": 500,
            "lams": [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6],
            "passes": 100,
            "repetitions": 10,
            "unit_rows": False,
        },
        cells,
        run,
        summary,
    )
}
