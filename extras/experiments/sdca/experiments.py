"""The SDCA slides' Figures 2 to 5: smoothed hinge, hinge, the effect of gamma, and SDCA with stochastic gradient
descent.
"""

import math
import statistics

from dualgap.extras.experiments.reading import Curve, Place, band, grid, grouped, words
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Hinge, Problem, SmoothedHinge

HINGE, SGD = "hinge", "gamma = 1, SGD"
GAMMA = 1.0  # of the smoothed hinge in Figures 2 and 5
REACHED = 1e-3  # the gap at which smoothing by different gamma is compared


Gaps = dict[Place, dict[str, Curve]]  # the median of the repetitions, at least the floor


def cells(options: ex.Options) -> list[ex.Cell]:
    if min(options["gammas"]) <= 0 or GAMMA not in options["gammas"] or options["passes"] < 4:
        raise ValueError(
            f"gammas must be > 0, with {GAMMA:g} among them, and passes >= 4 (got {options['gammas']} and"
            f" {options['passes']})"
        )
    cases = [*map(smoothed, options["gammas"]), HINGE, SGD]
    return grid(data=options["data"], lam=options["lams"], case=cases, repetition=range(options["repetitions"]))


def smoothed(gamma: float) -> str:
    """The name of a smoothed hinge."""
    return f"gamma = {gamma:g}"


def problem_of(cell: ex.Cell, options: ex.Options) -> Problem:
    gammas = {**{smoothed(gamma): gamma for gamma in options["gammas"]}, SGD: GAMMA}
    loss = Hinge() if cell["case"] == HINGE else SmoothedHinge(gamma=gammas[cell["case"]])
    return runs.problem_of(cell["data"], loss, cell["lam"], options["unit_rows"], positive=options["positive"])


def run(cell: ex.Cell, options: ex.Options) -> Json:
    """P, D and the gap after 0, 1, ... passes, and the guarantee of a pass where there is a rate."""
    from dualgap.fast.problem.arrays import arrays

    problem, draws = problem_of(cell, options), seed("sdca-smoothing", cell["repetition"])
    others: Json = {"method": "pegasos", "projection": False} if cell["case"] == SGD else {"method": "sdca"}
    running, found = runs.TimedRun(problem, seed=draws, **others), []
    for made in running.looks():
        certificate = running.driver.certificate(problem, running.state)
        found += [certificate] if certificate is not None else []
        if certificate is None or certificate.gap <= options["floor"] or made >= options["passes"]:
            break
    K = problem.n + arrays(problem).R2 / (problem.scale * problem.gamma) * problem.n if problem.gamma > 0 else math.inf
    return {
        "primal": [one.primal for one in found],
        "dual": [one.dual for one in found],
        "gap": [one.gap for one in found],
        "guarantee": math.exp(problem.n * math.log1p(-1 / K)),
    }


# -- what the curves say ----------------------------------------------------------------------------------------


def medians(results: ex.Results, key: str) -> Gaps:
    """The medians; a run that stopped at the floor stays where it stopped."""
    found = grouped(((cell["data"], cell["lam"]), cell["case"], result[key]) for cell, result in results)
    return {place: {case: median(curves) for case, curves in cases.items()} for place, cases in found.items()}


def median(curves: list[Curve]) -> Curve:
    longest = max(map(len, curves))
    return [statistics.median([curve[min(t, len(curve) - 1)] for curve in curves]) for t in range(longest)]


def factor(gaps: Curve) -> float:
    """By what the gap is multiplied in a pass, in the mean over the second half of the passes."""
    half = len(gaps) // 2
    return math.exp(math.log(gaps[-1] / gaps[half]) / (len(gaps) - 1 - half))


def straightness(gaps: Curve) -> float:
    """log(g(T)/g(T/2)) / log(g(T/2)/g(T/4)): 1 for a power of the number of passes, 2 for a linear rate."""
    T = len(gaps) - 1
    later, earlier = math.log(gaps[T] / gaps[T // 2]), math.log(gaps[T // 2] / gaps[T // 4])
    return later / earlier if earlier < 0 else math.inf if later < 0 else 0.0


def passes_to(gaps: Curve, target: float) -> float:
    """The first pass with such a gap, or infinity."""
    return next((float(t) for t, gap in enumerate(gaps) if gap <= target), math.inf)


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    gaps = {
        place: {case: [max(options["floor"], gap) for gap in line] for case, line in cases.items()}
        for place, cases in medians(results, "gap").items()
    }
    findings = [linear(results, gaps), hinge(gaps), smoothing(gaps, options), descent(results)]
    rows = [
        [runs.short(data), f"{lam:g}", *(f"{line[-1]:.1e} ({len(line) - 1})" for line in lines.values())]
        for (data, lam), lines in gaps.items()
    ]
    table = ex.Table(
        f"Certified gap after at most {options['passes']} passes (stopped at {options['floor']:g}), median",
        ["data", "lam", *next(iter(gaps.values()))],
        rows,
    )
    pictures = [
        ex.Picture(
            f"{runs.short(data).split(':')[0]}-lam-{lam:g}",
            words((data, lam)),
            {case: band([line]) for case, line in lines.items()},
            y="gap P(w) − D(α)",
        )
        for (data, lam), lines in gaps.items()
    ]
    return ex.Summary(findings, [table], pictures)


def linear(results: ex.Results, gaps: Gaps) -> ex.Finding:
    """Figure 2."""
    name = smoothed(GAMMA)
    guaranteed = {(cell["data"], cell["lam"]): result["guarantee"] for cell, result in results if cell["case"] == name}
    rates = {place: factor(found[name]) for place, found in gaps.items()}
    text = "; ".join(
        f"{words(place)}: {rate:.3f} a pass (guaranteed {guaranteed[place]:.3f})" for place, rate in rates.items()
    )
    return ex.Finding(
        f"Figure 2, its title: for the smoothed hinge ({name}) SDCA converges linearly",
        f"the gap is multiplied, over the second half of the passes, by {text}",
        runs.verdict([rate <= guaranteed[place] for place, rate in rates.items()]),
    )


def hinge(gaps: Gaps) -> ex.Finding:
    """Figure 3."""
    falls = {place: found[HINGE][-1] / found[HINGE][0] for place, found in gaps.items()}
    text = "; ".join(
        f"{words(place)}: {fall:.2g}, {straightness(gaps[place][HINGE]):.2f}" for place, fall in falls.items()
    )
    return ex.Finding(
        "Figure 3, its title: SDCA converges for the hinge (here: the last gap is less than a hundredth of the first)",
        "the last gap over the first, and log(g(T)/g(T/2)) / log(g(T/2)/g(T/4)), which is 1 for a power of the passes"
        f" and 2 for a linear rate: {text}",
        runs.verdict([fall < 0.01 for fall in falls.values()]),
    )


def smoothing(gaps: Gaps, options: ex.Options) -> ex.Finding:
    """Figure 4."""
    gammas = sorted(options["gammas"], reverse=True)
    counts = {place: [passes_to(found[smoothed(gamma)], REACHED) for gamma in gammas] for place, found in gaps.items()}
    text = "; ".join(
        f"{words(place)}: {', '.join('not reached' if c == math.inf else f'{c:g}' for c in found)}"
        for place, found in counts.items()
    )
    ordered = [found == sorted(found) for found in counts.values() if found[0] < math.inf]
    return ex.Finding(
        "Figure 4 shows the effect of gamma and says nothing of it: the smaller gamma, the slower SDCA",
        f"passes to a gap of {REACHED:g} for gamma = {', '.join(f'{gamma:g}' for gamma in gammas)}: {text}",
        runs.verdict(ordered) if len(gammas) > 1 else f"{ex.CANNOT} with one gamma",
        by=ex.READER,
    )


def descent(results: ex.Results) -> ex.Finding:
    """Figure 5."""
    text, beaten, ours = [], [], smoothed(GAMMA)
    for place, primal in medians(results, "primal").items():
        best = max(max(r["dual"]) for c, r in results if (c["data"], c["lam"]) == place and c["case"] in (ours, SGD))
        pairs = [(a - best, b - best) for a, b in zip(primal[ours][1:], primal[SGD][1:])]
        last = max((t for t, (own, theirs) in enumerate(pairs, 1) if own > theirs), default=0)
        ahead = (
            f"SDCA for good from pass {last + 1} on" if last < len(pairs) else f"SGD still ahead after {last} passes"
        )
        text.append(f"{words(place)}: {ahead}")
        beaten.append(last < min(10, len(pairs)))
    paper = (
        "Figure 5 compares SDCA and SGD, smoothed hinge, gamma = 1, and says nothing of it: SDCA beats SGD after a few"
        " passes (here: 10 at the most)"
    )
    return ex.Finding(paper, "; ".join(text), runs.verdict(beaten), by=ex.READER)


EXPERIMENTS = {
    "sdca-smoothing": ex.Experiment(
        "SDCA (slides), Figures 2 to 5: smoothed hinge, hinge, the effect of gamma, and stochastic gradient descent",
        {
            "data": ["a9a-like", "rcv1-like:n=4000,d=5000"],
            "lams": [1e-3, 1e-4, 1e-5],
            "gammas": [1.0, 0.1, 0.01],
            "passes": 60,
            "floor": 1e-12,
            "repetitions": 3,
            "unit_rows": True,
            "positive": "",
        },
        cells,
        run,
        summary,
    )
}
