"""SPDC, section 2.1: steps and passes of Mini-Batch SPDC against the batch size m, on the ridge regression of section
7.1.
"""

import math
from statistics import median

from dualgap.extras.experiments.reading import grid
from dualgap.extras.experiments.spdc.experiments import ridge
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed


def cells(options: ex.Options) -> list[ex.Cell]:
    sizes = [m for m in options["ms"] if m <= options["n"]]
    return grid(lam=options["lams"], m=sizes, repetition=range(options["repetitions"]))


def run(cell: ex.Cell, options: ex.Options) -> Json:
    """Passes until P - min P has fallen to ``tol`` times its start, None if that takes more than ``max_passes``."""
    problem = ridge(options, cell["lam"], cell["repetition"])
    suboptimality = runs.ridge_suboptimality(problem)
    running = runs.TimedRun(problem, "spdc-minibatch", seed("spdc-batches", cell["repetition"]), m=cell["m"])
    start = math.inf
    for made in running.looks():
        value = suboptimality(running.view()[0])
        start = value if made == 0 else start
        if value <= options["tol"] * start:
            return {"passes": made}
        if made >= options["max_passes"]:
            break
    return {"passes": None}


def medians(results: ex.Results, options: ex.Options) -> dict[float, dict[int, float]]:
    """lam to m to the median of the passes, infinite where there were too many."""
    found: dict[float, dict[int, list[float]]] = {lam: {} for lam in options["lams"]}
    for cell, result in results:
        passes = math.inf if result["passes"] is None else float(result["passes"])
        found[cell["lam"]].setdefault(cell["m"], []).append(passes)
    return {lam: {m: median(values) for m, values in of_m.items()} for lam, of_m in found.items()}


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    n, passes = options["n"], medians(results, options)
    steps = {lam: {m: value * n / m for m, value in of_m.items()} for lam, of_m in passes.items()}

    def told(values: dict[float, dict[int, float]]) -> str:
        return "; ".join(
            f"lam = {lam:g}: " + ", ".join(f"{shown(v)} (m = {m})" for m, v in of_m.items())
            for lam, of_m in values.items()
        )

    def in_order(values: dict[float, dict[int, float]], falls: bool) -> list[bool]:
        """Compare every two neighbouring m of which at least one reaches the target."""
        pairs = [
            pair
            for of_m in values.values()
            for pair in zip(of_m.values(), list(of_m.values())[1:])
            if min(pair) < math.inf
        ]
        return [after < before if falls else before <= after for before, after in pairs]

    first = [of_m[min(of_m)] <= min(of_m.values()) for of_m in passes.values()]
    findings = [
        ex.Finding(f"Section 2.1: {paper}", f"{unit}: {told(values)}", runs.verdict(holds))
        for paper, unit, values, holds in (
            ("a larger batch size leads to fewer iterations", "steps", steps, in_order(steps, True)),
            ("a smaller batch size leads to fewer passes", "passes", passes, in_order(passes, False)),
            ("SPDC with m = 1 is the most efficient one in passes", "passes", passes, first),
        )
    ]
    sizes = list(next(iter(passes.values())))
    rows = [[f"{lam:g}", *(f"{shown(passes[lam][m])} / {shown(steps[lam][m])}" for m in sizes)] for lam in passes]
    caption = f"Passes / steps until P - min P is {options['tol']:g} of its start, median of {options['repetitions']}"
    lines = {
        f"λ = {lam:g}": {float(m): ex.Quartiles(*[v] * 3) for m, v in of_m.items()} for lam, of_m in passes.items()
    }
    caption_of_lines = "passes against m; a cross: most runs took more than the limit"
    picture = ex.Picture("passes", caption_of_lines, lines, x="m", y="passes", cap=options["max_passes"])
    return ex.Summary(findings, [ex.Table(caption, ["lam", *(f"m = {m}" for m in sizes)], rows)], [picture])


def shown(value: float) -> str:
    """A count, or that there was none."""
    return f"{value:,.0f}" if value < math.inf else "too many"


EXPERIMENTS = {
    "spdc-batches": ex.Experiment(
        "SPDC, section 2.1: ridge regression on synthetic data (n = d = 500), steps and passes against the batch size",
        {
            "n": 500,
            "d": 500,
            "lams": [1e-2, 1e-3, 1e-4],
            "ms": [1, 4, 20, 100, 500],
            "tol": 1e-6,
            "max_passes": 20000,
            "repetitions": 5,
            "unit_rows": False,
        },
        cells,
        run,
        summary,
    )
}
