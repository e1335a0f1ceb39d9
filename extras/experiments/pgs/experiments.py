"""PGS's Figure 9: rounds until the direction of w is found on two Gaussians, against the number of samples m.

A run that never hits counts as infinite, above every other, and is shown as "cap".
"""

import math
import time
from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np

from dualgap.extras.experiments.reading import grid
from dualgap.fast.data.generators import pgs_toy_direction
from dualgap.fast.methods.pgs import FastPGS
from dualgap.fast.problem.arrays import Array
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.proofs_checks.experiments.runs import quartiles
from dualgap.reference import Logistic, Problem

Groups = dict[str, dict[int, list[Json]]]  # name of a line, m, the results of its repetitions
FLAT = 1.5

# -- runs to a first hit --------------------------------------------------------------------------------------


def sample(rows: int, m: int, cap: int, seed: int) -> tuple[int, Array]:
    """A window of m rows and the choices of cap rounds in it, k = 1: the place of its first row, and (cap, 1)."""
    rng = np.random.default_rng(seed)
    start = int(rng.integers(rows - m + 1))
    return start, start + rng.integers(m, size=(cap, 1))


def first_hit(
    problem: Problem, choices: Array, error: Callable[[Array], float], target: float, every: int, fixed: int
) -> dict[str, object]:
    """PGS, last iterate, until error(w) <= target, looked at after every ``every`` rounds, and for ``fixed`` rounds at
    least.

    Returns
    -------
    hit : the rounds made at the first hit, None where there is none; error : after ``fixed`` rounds; seconds : those of
    a second run on the same choices that is not looked at, up to the hit.
    """
    pgs = FastPGS(output="last")
    state, hit, at_fixed = pgs.init(problem), None, math.nan
    for done in range(every, len(choices) + 1, every):
        pgs.advance(problem, state, choices[done - every : done])
        found = error(pgs.w_of(problem, state)) if done >= fixed or hit is None else math.nan
        hit = done if hit is None and found <= target else hit
        at_fixed = found if done == fixed else at_fixed
        if hit is not None and done >= fixed:
            break
    state, started = pgs.init(problem), time.perf_counter()
    pgs.advance(problem, state, choices[:hit])
    return {"hit": hit, "error": at_fixed, "seconds": time.perf_counter() - started}


def require_rounds(cap: int, fixed: int, every: int) -> None:
    """The cap and the fixed number of rounds are looked at."""
    if not (1 <= every <= fixed <= cap and fixed % every == 0 and cap % every == 0):
        raise ValueError(
            f"rounds: 1 <= every <= fixed <= cap, both multiples of every (got every = {every}, fixed = {fixed}, cap ="
            f" {cap})"
        )


# -- how they are read ----------------------------------------------------------------------------------------


def of(results: list[Json], key: str) -> ex.Quartiles:
    """The quartiles of a result; of "hit" and "seconds" with infinity for the runs that never hit."""
    return quartiles([math.inf if key != "error" and result["hit"] is None else result[key] for result in results])


def shown(found: ex.Quartiles, unit: float, digits: str) -> str:
    """Median [quartiles]."""
    low, middle, high = ("cap" if math.isinf(value) else format(value / unit, digits) for value in found)
    return f"{middle} [{low}, {high}]"


def never(results: list[dict[str, object]]) -> str:
    """The share of runs that never hit, in words; nothing if all do."""
    count = sum(result["hit"] is None for result in results)
    return f", {100 * count / len(results):.0f} % never" if count else ""


def table(caption: str, groups: Groups, key: str, unit: float = 1.0, digits: str = ",.0f") -> ex.Table:
    """A row for every m, a column for every line."""
    ms = list(next(iter(groups.values())))
    rows = [
        [
            f"{m:,}",
            *(shown(of(line[m], key), unit, digits) + never(line[m]) * (key == "hit") for line in groups.values()),
        ]
        for m in ms
    ]
    return ex.Table(caption, ["m", *groups], rows)


def tables(groups: Groups, where: str, fixed: int, error: str, digits: str) -> list[ex.Table]:
    """Rounds and time to the first hit, and the error after a fixed number of rounds."""
    return [
        table(f"{where}: rounds to the first hit, median [quartiles], share of runs that never hit", groups, "hit"),
        table(f"{where}: milliseconds to the first hit, median [quartiles]", groups, "seconds", 1e-3, ",.2f"),
        table(f"{where}: {error} after {fixed:,} rounds, median [quartiles]", groups, "error", 1.0, digits),
    ]


def falls(line: Mapping[int, list[dict[str, object]]]) -> bool | None:
    """Return whether the median falls from the smallest m to the largest; None if it is not reached at the largest."""
    medians = [of(results, "hit").middle for results in line.values()]
    return None if math.isinf(medians[-1]) else medians[0] > medians[-1]


def plateau(line: Mapping[int, list[dict[str, object]]]) -> int:
    """The smallest m from which on no median is above FLAT times the one at the largest m.

    Rounds like 1/m would be twice as many at half of the largest m, and no smaller m than the largest were flat.
    """
    flat = max(line)
    for m in sorted(line, reverse=True):
        if of(line[m], "hit").middle > FLAT * of(line[max(line)], "hit").middle:
            break
        flat = m
    return flat


def reading(name: str, line: Mapping[int, list[dict[str, object]]]) -> str:
    """Describe the change from the smallest m to the largest, and the range in which it is flat."""
    first, last = (of(line[m], "hit").middle for m in (min(line), max(line)))
    if math.isinf(last):
        return f"{name}: most runs never hit"
    return (
        f"{name}: {'cap' if math.isinf(first) else format(first, ',.0f')} to {last:,.0f} rounds, flat from m ="
        f" {plateau(line):,}"
    )


def findings_on(groups: Groups, paper: str) -> list[ex.Finding]:
    """Return whether the rounds fall with m, and whether they do so down to a plateau, as Theorem 2 has it."""
    told = "; ".join(reading(name, line) for name, line in groups.items())
    reached = {name: line for name, line in groups.items() if falls(line) is not None}
    verdicts = [runs.verdict([bool(falls(line)) for line in reached.values()])]
    verdicts.append(runs.verdict([bool(falls(line)) and plateau(line) < max(line) for line in reached.values()]))
    if not reached:
        verdicts = [f"{ex.CANNOT}: no median run hit at the largest m"] * 2
    elif len(reached) < len(groups):
        verdicts = [f"{verdict} ({', '.join(reached)}; no other hits)" for verdict in verdicts]
    return [
        ex.Finding(f"{paper} fall as m grows", told, verdicts[0]),
        ex.Finding(
            f"{paper} fall to a plateau, flat from a smaller m than the largest (like the bound (12), a constant over"
            " another less O(1/m))",
            told,
            verdicts[1],
        ),
    ]


def picture(
    name: str, caption: str, groups: Groups, cap: float, key: str = "hit", label: str = "rounds to the first hit"
) -> ex.Picture:
    """Medians and quartiles against m; a median that is never reached is a cross at the cap or above."""
    lines = {line: {float(m): of(found, key) for m, found in of_m.items()} for line, of_m in groups.items()}
    return ex.Picture(name, f"{caption}; a cross: most runs never hit", lines, x="samples m", y=label, cap=cap)


# -- Figure 9 -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def toy(rows: int, d: int, spread: int, lam: float) -> Problem:
    """Logistic loss and L2 on the set ``pgs-toy``."""
    return runs.problem_of(f"pgs-toy:n={rows},d={d},spread={spread}", Logistic(), lam)


def cells(options: ex.Options) -> list[ex.Cell]:
    rows, ms, spreads, lams = options["rows"], options["ms"], options["spreads"], options["lams"]
    require_rounds(options["cap"], options["fixed"], options["every"])
    if not 1 <= min(ms) <= max(ms) <= rows:
        raise ValueError(f"every m must lie in 1..rows = {rows} (got {min(ms)}..{max(ms)})")
    if len(lams) != len(spreads):
        raise ValueError(f"lams must have one entry for each of the {len(spreads)} spreads (got {len(lams)})")
    axes = {"d": options["ds"], "m": sorted(ms), "repetition": range(options["repetitions"])}
    return [{"spread": spread, "lam": lam, **cell} for spread, lam in zip(spreads, lams) for cell in grid(**axes)]


def run(cell: ex.Cell, options: ex.Options) -> Json:
    d, spread = cell["d"], cell["spread"]
    problem, direction = toy(options["rows"], d, spread, cell["lam"]), pgs_toy_direction(d)
    _, choices = sample(
        options["rows"], cell["m"], options["cap"], seed("pgs-toy", d, spread, cell["m"], cell["repetition"])
    )

    def distance(w: Array) -> float:
        length = np.linalg.norm(w)
        return float(np.linalg.norm(w / length - direction)) if length > 0 else math.inf

    return first_hit(problem, choices, distance, options["target"], options["every"], options["fixed"])


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    found: dict[tuple[int, float], Groups] = {}
    for cell, result in results:
        line = found.setdefault((cell["spread"], cell["lam"]), {}).setdefault(f"d = {cell['d']}", {})
        line.setdefault(cell["m"], []).append(result)
    findings, shown_tables, pictures = [], [], []
    for (spread, lam), groups in found.items():
        where = f"toy sets with spread {spread} of the standard deviations, sigma = {lam:g}"
        rounds = f"Figure 9, l2-logistic, {where}: the rounds until ||w/||w|| - w*|| <= {options['target']:g}"
        findings += findings_on(groups, rounds)
        shown_tables += tables(
            groups, where[0].upper() + where[1:], options["fixed"], "the distance ||w/||w|| - w*||", ".3f"
        )
        pictures.append(picture(f"toy-spread-{spread}", where, groups, options["cap"]))
    return ex.Summary(findings, shown_tables, pictures)


EXPERIMENTS = {
    "pgs-fig9": ex.Experiment(
        "PGS, Figure 9: rounds until the direction of w is found on two Gaussians, against the number of samples",
        {
            "rows": 200_000,
            "ds": [10, 20, 40],
            "spreads": [1, 2],
            "lams": [1.0, 0.01],
            "repetitions": 150,
            "ms": [3000, 6000, 12_500, 25_000, 50_000, 100_000, 200_000],
            "target": 0.05,
            "cap": 120_000,
            "fixed": 10_000,
            "every": 50,
        },
        cells,
        run,
        summary,
    )
}
