"""SPDC's Figures 1 to 3: ridge regression on synthetic data, and the smoothed hinge on three data sets."""

from functools import partial
from typing import Any

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Problem, SmoothedHinge, Squared

NAMES = {
    "spdc": ("spdc", {}), "spdc sharp": ("spdc", {"theta": "sharp"}), "spdc nonuniform": ("spdc-nonuniform", {}),
    "sdca": ("sdca", {}), "asdca": ("asdca", {}), "aspdc-i": ("aspdc-i", {}), "sag": ("sag", {}), "afg": ("afg", {}),
    "l-bfgs": ("lbfgs", {}),
}  # fmt: skip
SDCA = "is SDCA"
COMPARED = ("spdc", "spdc nonuniform", "sdca", "asdca", "aspdc-i", "sag")
ROWS = "every row has norm 1 (option unit_rows)"


# -- Figure 1 -------------------------------------------------------------------------------------------------


def ridge(options: ex.Options, lam: float, repetition: int) -> Problem:
    """Section 7.1: a ~ N(0, Sigma), Sigma_jj = j^-2, y = <a, 1> + N(0, 1)."""
    data = f"spdc-synthetic:n={options['n']},d={options['d']},seed={repetition}"
    return runs.problem_of(data, Squared(), lam, unit_rows=options["unit_rows"])


def cells_1(options: ex.Options) -> list[ex.Cell]:
    return [
        {"method": name, "lam": lam, "repetition": repetition}
        for lam in options["lams"] for name in NAMES for repetition in range(options["repetitions"])
    ]  # fmt: skip


def run_1(cell: ex.Cell, options: ex.Options) -> dict[str, Any]:
    problem = ridge(options, cell["lam"], cell["repetition"])
    suboptimality = runs.ridge_suboptimality(problem)
    method, others = NAMES[cell["method"]]
    draws = seed("spdc-fig1", cell["repetition"])  # the same rows for every method that draws one row a step
    return runs.curve(problem, method, options["passes"], draws, suboptimality, **others)


def medians(results: ex.Results, options: ex.Options, **fixed: Any) -> dict[str, list[float]]:
    """Method to the median curve over the repetitions, for the cells that agree with ``fixed``."""
    found: dict[str, list[list[float]]] = {}
    for cell, result in results:
        if all(cell[name] == value for name, value in fixed.items()):
            found.setdefault(cell["method"], []).append(result["suboptimality"])
    return {
        name: [runs.median([runs.at_pass(values, t) for values in curves]) for t in range(options["passes"] + 1)]
        for name, curves in found.items()
    }  # fmt: skip


def summary_1(results: ex.Results, options: ex.Options) -> ex.Summary:
    curves = {lam: medians(results, options, lam=lam) for lam in options["lams"]}
    last = {lam: {name: values[-1] for name, values in found.items()} for lam, found in curves.items()}
    ill = [lam for lam in options["lams"] if lam <= 1e-4]
    settings = f"after {options['passes']} passes, log10 of the median of P - min P"

    def beside(name: str, lams: list[float]) -> str:
        return f"{settings}: " + "; ".join(f"lam = {lam:g}: {runs.log10(last[lam]['spdc'])} against {runs.log10(last[lam][name])}" for lam in lams)

    def ahead(name: str, lams: list[float]) -> str:
        return runs.verdict([last[lam]["spdc"] < last[lam][name] for lam in lams])

    weighted = [last[lam]["spdc nonuniform"] < last[lam]["spdc"] for lam in options["lams"]]
    expected = "helps where the norms differ, hurts where they are equal"
    findings = [
        ex.Finding("Figure 1: for condition numbers above n (lam <= 1e-4) SPDC is faster than SDCA", beside("sdca", ill), ahead("sdca", ill)),
        ex.Finding("Figure 1: and faster than SAG (step 1/L, L = R^2/gamma + lam)", beside("sag", ill), ahead("sag", ill)),
        ex.Finding("Figure 1: and notably faster than L-BFGS (memory 30, one pass an evaluation)", beside("l-bfgs", ill), ahead("l-bfgs", ill)),
        ex.Finding("Figure 1: and faster than AFG (two passes for each trial of its line search)", beside("afg", ill), ahead("afg", ill)),
        ex.Finding(
            f"Section 4: weighted sampling {expected}",
            f"it was ahead of uniform sampling at {sum(weighted)} of {len(weighted)} lam; {ROWS if options['unit_rows'] else 'rows as generated'}",
            runs.verdict([won != options["unit_rows"] for won in weighted]),
        ),
    ]  # fmt: skip
    rows = [[f"{lam:g}", *(runs.log10(values[-1]) for values in found.values())] for lam, found in curves.items()]
    names = list(next(iter(curves.values())))
    table = ex.Table(f"log10 of P - min P after {options['passes']} passes, median of {options['repetitions']}", ["lam", *names], rows)
    pictures = [
        ex.Picture(f"lam-{lam:g}", f"lam = {lam:g}", partial(runs.draw_curves, curves=found, title=f"λ = {lam:g}"))
        for lam, found in curves.items()
    ]  # fmt: skip
    notes = ["P - min P is computed as (1/2n)||X(w - w*)||^2 + (lam/2)||w - w*||^2, w* from the normal equations: no cancellation. "
             "SPDC sharp has R in the place of 2R in theta: Theorem 1 holds with it too (spdc.theorem-1.sharp)."]  # fmt: skip
    return ex.Summary(findings, [table], pictures, notes)


# -- Figures 2 and 3, and the passes that a certified gap takes ------------------------------------------------


def cells_2(options: ex.Options) -> list[ex.Cell]:
    return [
        {"data": data, "lam": lam, "method": name}
        for data in options["data"] for lam in options["lams"] for name in COMPARED
    ]  # fmt: skip


def loss_of(data: str) -> Any:
    """Ridge on the regression data, the smoothed hinge elsewhere."""
    return Squared() if data.startswith("spdc-synthetic") else SmoothedHinge()


def run_2(cell: ex.Cell, options: ex.Options) -> dict[str, Any]:
    problem = runs.problem_of(cell["data"], loss_of(cell["data"]), cell["lam"], options["unit_rows"], positive=options["positive"])
    method, others = NAMES[cell["method"]]
    if method == "asdca" and not kappa(problem) > 0:
        return {"status": SDCA, "passes": 0, "seconds": 0.0}
    return runs.certified(problem, method, options["tol"], options["max_seconds"], seed("spdc-gap"), **others)


def kappa(problem: Problem) -> float:
    """ASDCA's kappa = R^2/(gamma n) - lam: where it is not positive, its authors say to run SDCA."""
    from dualgap.fast.problem.arrays import arrays

    return float(arrays(problem).R2 / (problem.gamma * problem.n) - problem.regularizer.lam)


def reached(result: dict[str, Any]) -> str:
    """Passes and seconds, or the gap that was reached."""
    if result["status"] == SDCA:
        return SDCA
    if result["status"] == "converged":
        return f"{result['passes']} ({result['seconds']:.1f} s)"
    return f"{result['status']}: gap {result['gap']:.1e} after {result['passes']} ({result['seconds']:.0f} s)"


def summary_2(results: ex.Results, options: ex.Options) -> ex.Summary:
    found = {(cell["data"], cell["lam"], cell["method"]): result for cell, result in results}
    names = COMPARED
    rows = [
        [runs.short(data), f"{lam:g}", *(reached(found[data, lam, name]) for name in names)]
        for data in options["data"] for lam in options["lams"]
    ]  # fmt: skip
    passes = {key: result["passes"] if result["status"] == "converged" else float("inf") for key, result in found.items()}
    small = [(data, lam) for data in options["data"] for lam in options["lams"] if lam <= 1e-6]
    large = [(data, lam) for data in options["data"] for lam in options["lams"] if lam >= 1e-4]

    def said(places: list[tuple[str, float]], ahead: str, behind: str) -> tuple[str, str]:
        if not places:
            return "no such lam was run", f"{ex.CANNOT}: no such lam was run"
        told = [place for place in places if min(passes[(*place, name)] for name in (ahead, behind)) < float("inf")]
        holds = [passes[(*place, ahead)] < passes[(*place, behind)] for place in told]  # where neither arrived nothing is told
        counts = {key: f"{count:g}" if count < float("inf") else "not within the time" for key, count in passes.items()}
        words = "; ".join(f"{runs.short(d)}, lam = {lam:g}: {counts[d, lam, ahead]} against {counts[d, lam, behind]}" for d, lam in places)
        return f"passes: {words}", runs.verdict(holds)

    findings = [
        ex.Finding("Figures 2 and 3: at small lam SPDC is ahead of SDCA", *said(small, "spdc", "sdca")),
        ex.Finding("Figure 2: at large lam the stochastic methods are close to each other (SPDC not behind SDCA)", *said(large, "spdc", "sdca")),
        ex.Finding("Figure 3: SPDC and ASDCA lead at small lam (here ASDCA beside SDCA)", *said(small, "asdca", "sdca")),
        ex.Finding("Figure 3: and SPDC is not behind ASDCA", *said(small, "spdc", "asdca")),
    ]
    caption = f"Passes (time) to a certified gap of {options['tol']:g}, at most {options['max_seconds']:g} s each"
    notes = ["The gap is P(w) - D(alpha), recomputed from the returned pair; time without reading the data, certificates included. "
             f"Uniform sampling, one seed. {'Every row has norm 1.' if options['unit_rows'] else 'Rows as they come.'}"]  # fmt: skip
    return ex.Summary(findings, [ex.Table(caption, ["data", "lam", *names], rows)], (), notes)


STAND_INS = ["a9a-like", "rcv1-like", "sector-like"]
EXPERIMENTS = {
    "spdc-fig1": ex.Experiment(
        "SPDC, Figure 1: ridge regression on synthetic data (n = d = 500), P - min P against passes",
        {"n": 500, "d": 500, "lams": [1e-3, 1e-4, 1e-5, 1e-6], "passes": 100, "repetitions": 10, "unit_rows": False},
        cells_1, run_1, summary_1,
    ),
    "spdc-fig2": ex.Experiment(
        "SPDC, Figure 2: smoothed hinge, large lam; passes to a certified gap (data: files or stand-ins)",
        {"data": STAND_INS, "lams": [1e-4, 1e-5, 1e-6], "tol": 1e-6, "max_seconds": 60.0, "unit_rows": True, "positive": ""},
        cells_2, run_2, summary_2,
    ),
    "spdc-fig3": ex.Experiment(
        "SPDC, Figure 3: smoothed hinge, small lam; passes to a certified gap (data: files or stand-ins)",
        {"data": STAND_INS, "lams": [1e-7, 1e-8], "tol": 1e-6, "max_seconds": 120.0, "unit_rows": True, "positive": ""},
        cells_2, run_2, summary_2,
    ),
}  # fmt: skip
