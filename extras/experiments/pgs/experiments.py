"""PGS's Figure 9: rounds until the direction of w is found on two Gaussians, against the number of samples m.

A run that never hits counts as infinite, above every other, and is shown as "cap".
"""

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import product

import numpy as np

from dualgap.extras.experiments.studies import quartiles_shown
from dualgap.fast.data.generators import pgs_toy_direction
from dualgap.fast.methods.pgs import FastPGS
from dualgap.fast.problem.arrays import Array
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Logistic, Problem

Line = Mapping[int, ex.Quartiles]  # m to the quartiles of the rounds
FLAT = 1.5


@lru_cache(maxsize=2)
def toy(rows: int, d: int, spread: int, lam: float) -> Problem:
    """Logistic loss and L2 on the set ``pgs-toy``."""
    return runs.problem_of(f"pgs-toy:n={rows},d={d},spread={spread}", Logistic(), lam)


def cells(options: ex.Options) -> list[ex.Cell]:
    rows, ms, spreads, lams = options["rows"], options["ms"], options["spreads"], options["lams"]
    if options["every"] < 1 or options["cap"] % options["every"]:
        raise ValueError(f"cap must be a multiple of every (got {options['cap']} and {options['every']})")
    if not 1 <= min(ms) <= max(ms) <= rows:
        raise ValueError(f"every m must lie in 1..rows = {rows} (got {min(ms)}..{max(ms)})")
    if len(lams) != len(spreads):
        raise ValueError(f"lams must have one entry for each of the {len(spreads)} spreads (got {len(lams)})")
    every = product(zip(spreads, lams), options["ds"], sorted(ms), range(options["repetitions"]))
    return [dict(spread=spread, lam=lam, d=d, m=m, repetition=r) for (spread, lam), d, m, r in every]


def sample(rows: int, m: int, cap: int, seed: int) -> Array:
    """The choices of cap rounds in a window of m rows, k = 1; shape (cap, 1)."""
    rng = np.random.default_rng(seed)
    start = int(rng.integers(rows - m + 1))
    choices: Array = start + rng.integers(m, size=(cap, 1))
    return choices


def run(cell: ex.Cell, options: ex.Options) -> Json:
    """PGS, last iterate, until the direction of w is close to the true one, looked at after every ``every`` rounds.

    Returns {"hit": the rounds made at the first hit, or None where there is none}.
    """
    d, spread, m, every = cell["d"], cell["spread"], cell["m"], options["every"]
    problem, direction = toy(options["rows"], d, spread, cell["lam"]), pgs_toy_direction(d)
    choices = sample(options["rows"], m, options["cap"], seed("pgs-toy", d, spread, m, cell["repetition"]))
    pgs = FastPGS(output="last")
    state = pgs.init(problem)
    for done in range(every, len(choices) + 1, every):
        pgs.advance(problem, state, choices[done - every : done])
        w = pgs.w_of(problem, state)
        length = np.linalg.norm(w)
        if length > 0 and float(np.linalg.norm(w / length - direction)) <= options["target"]:
            return {"hit": done}
    return {"hit": None}


def plateau(line: Line) -> int:
    """The smallest m from which on no median is above FLAT times the one at the largest m.

    Rounds like 1/m would be twice as many at half of the largest m, and no smaller m than the largest were flat.
    """
    high = [m for m in line if line[m].middle > FLAT * line[max(line)].middle]
    return min(m for m in line if m > max(high, default=0))


def findings(groups: Mapping[str, Line], paper: str) -> list[ex.Finding]:
    """Whether the rounds fall with m, and whether they do so down to a plateau, as Theorem 2 has it."""
    read, falls, flat = [], [], []
    for name, line in groups.items():
        first, last = line[min(line)].middle, line[max(line)].middle
        if math.isinf(last):
            read.append(f"{name}: most runs never hit")
            continue
        begin = "cap" if math.isinf(first) else f"{first:,.0f}"
        read.append(f"{name}: {begin} to {last:,.0f} rounds, flat from m = {plateau(line):,}")
        falls.append(first > last)
        flat.append(first > last and plateau(line) < max(line))
    bound = "flat from a smaller m than the largest (like the bound (12), a constant over another less O(1/m))"
    return [
        ex.Finding(
            f"{paper} {text}", "; ".join(read), runs.verdict(holds) if holds else f"{ex.CANNOT}: no median run hit"
        )
        for text, holds in (("fall as m grows", falls), (f"fall to a plateau, {bound}", flat))
    ]


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    hits: dict[tuple[int, float], dict[str, dict[int, list[float]]]] = {}
    for cell, result in results:
        line = hits.setdefault((cell["spread"], cell["lam"]), {}).setdefault(f"d = {cell['d']}", {})
        line.setdefault(cell["m"], []).append(math.inf if result["hit"] is None else result["hit"])
    found, tables, pictures = list[ex.Finding](), [], []
    for (spread, lam), of_d in hits.items():
        groups = {name: {m: runs.quartiles(rounds) for m, rounds in line.items()} for name, line in of_d.items()}
        where = f"toy sets with spread {spread} of the standard deviations, sigma = {lam:g}"
        found += findings(groups, f"Figure 9, {where}: the rounds until ||w/||w|| - w*|| <= {options['target']:g}")
        rows = [
            [f"{m:,}", *(quartiles_shown(line[m], "cap") for line in groups.values())] for m in sorted(options["ms"])
        ]
        tables.append(ex.Table(f"Rounds to the first hit, median [quartiles]; {where}", ["m", *groups], rows))
        lines = {name: {float(m): band for m, band in line.items()} for name, line in groups.items()}
        caption, cap = f"{where}; a cross: most runs never hit", options["cap"]
        pictures.append(
            ex.Picture(f"toy-spread-{spread}", caption, lines, "samples m", "rounds to the first hit", cap=cap)
        )
    return ex.Summary(found, tables, pictures)


OPTIONS = {
    "rows": 200_000,
    "ds": [10, 20, 40],
    "spreads": [1, 2],
    "lams": [1.0, 0.01],
    "repetitions": 150,
    "ms": [3000, 6000, 12_500, 25_000, 50_000, 100_000, 200_000],
    "target": 0.05,
    "cap": 120_000,
    "every": 50,
}
TITLE = "PGS, Figure 9: rounds until the direction of w is found on two Gaussians, against the number of samples"
EXPERIMENTS = {"pgs-fig9": ex.Experiment(TITLE, OPTIONS, cells, run, summary)}
