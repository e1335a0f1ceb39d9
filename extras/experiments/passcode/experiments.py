"""PASSCoDe's Figures 7 and 8 (slides): Lock and Atomic on real threads, convergence and speed; also Wild, which is not
in the slides.
"""

import time
from statistics import median

from dualgap.extras.experiments.reading import grid
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Hinge

PASSCODE = ("passcode-lock", "passcode-atomic", "passcode-wild")
FREE = 0.9  # the share of the cores' time that a run must get for its time to say something


def cells(options: ex.Options) -> list[ex.Cell]:
    """Repetitions outermost: the methods take turns, so that a busy moment hits every one of them."""
    repetitions = range(options["repetitions"])
    return grid(data=options["data"], repetition=repetitions, threads=options["threads"], method=PASSCODE)


def run(cell: ex.Cell, options: ex.Options) -> Json:
    """Passes and seconds of the passes to a certified relative gap, and the share of that time for which the threads
    had their cores.

    "together" is the share of passes in which they worked side by side.
    """
    from dualgap.fast.methods.passcode import usable_cores
    from dualgap.fast.solver.backends import backend_of
    from dualgap.reference.methods.sampling import draw

    problem = runs.problem_of(cell["data"], Hinge(), options["lam"], options["unit_rows"], positive=options["positive"])
    cores = usable_cores()
    if cell["threads"] > cores:
        return {"cores": cores, "status": f"{cores} cores"}
    driver = backend_of("fast", cell["method"], {}, cell["threads"])
    driver.implementation.run(problem, [0])  # compiled before the clock runs
    state, seconds, busy, together, status = driver.init(problem, None), 0.0, 0.0, 0, "not reached"
    for epoch in range(options["passes"]):
        choices = draw("permuted", problem.n, seed("passcode", cell["repetition"]), epoch)
        started, worked = time.perf_counter(), time.process_time()
        driver.advance(problem, state, choices)
        seconds, busy = seconds + time.perf_counter() - started, busy + time.process_time() - worked
        together += int(cell["threads"] > 1 and driver.implementation.turns.min() >= 2)
        certificate = driver.certificate(problem, state)
        if certificate is not None and certificate.meets(0.0, options["rtol"]):
            status = "converged"
            break
    share = busy / (seconds * cell["threads"])
    return {
        "cores": cores,
        "status": status,
        "passes": epoch + 1,
        "seconds": seconds,
        "share": share,
        "together": together / (epoch + 1),
    }


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    found: dict[tuple[str, str, int], list[Json]] = {}
    for cell, result in results:
        found.setdefault((cell["data"], cell["method"], cell["threads"]), []).append(result)
    findings = [converges(found, options), *(speedup(found, options, name) for name in PASSCODE[:2])]
    rows = [[runs.short(data), name, str(threads), *told(runs_of)] for (data, name, threads), runs_of in found.items()]
    caption = (
        f"Passes and seconds to a certified relative gap of {options['rtol']:g}, hinge, lam = {options['lam']:g},"
        f" medians of {options['repetitions']}"
    )
    return ex.Summary(
        findings,
        [ex.Table(caption, ["data", "method", "threads", "passes", "seconds", "share of the cores", "together"], rows)],
    )


def converged(found: list[Json]) -> bool:
    return all(one["status"] == "converged" for one in found)


def told(found: list[Json]) -> list[str]:
    """Passes, seconds, and the least shares of the cores' time and of passes side by side."""
    if not converged(found):
        return [next(one["status"] for one in found if one["status"] != "converged"), "-", "-", "-"]
    shares = [f"{min(one[name] for one in found):.0%}" for name in ("share", "together")]
    return [
        f"{median([one['passes'] for one in found]):g}",
        f"{median([one['seconds'] for one in found]):.3f}",
        *shares,
    ]


def converges(found: dict[tuple[str, str, int], list[Json]], options: ex.Options) -> ex.Finding:
    """Figure 7."""
    ran = {key: runs_of for key, runs_of in found.items() if "passes" in runs_of[0] and key[1] in PASSCODE[:2]}
    failed = [
        f"{runs.short(data)}, {name}, {threads} threads"
        for (data, name, threads), runs_of in ran.items()
        if not converged(runs_of)
    ]
    return ex.Finding(
        "Figure 7, its title: convergence on news20, covtype, rcv1 (here: of Lock and Atomic)",
        f"a relative gap of {options['rtol']:g} for the problem itself was certified in {len(ran) - len(failed)} of"
        f" {len(ran)} settings" + "".join(f"; not by {one}" for one in failed),
        runs.verdict([converged(runs_of) for runs_of in ran.values()]),
    )


def unfit(one: list[Json], many: list[Json]) -> str:
    """Why the times of one thread and of several cannot be compared, or nothing."""
    if not converged(many):
        return told(many)[0]
    if min(result["together"] for result in many) <= 0.5:
        return "the threads did not work side by side"
    share = min(result["share"] for result in (*one, *many))
    return f"the machine was busy, a run got {share:.0%} of its cores' time" if share < FREE else ""


def speedup(found: dict[tuple[str, str, int], list[Json]], options: ex.Options, name: str) -> ex.Finding:
    """Figure 8, for Lock or Atomic."""
    paper = (
        f"Figure 8, its title: speedup on news20, covtype, rcv1, here of {name}: several threads take less time"
        " than one"
    )
    by = ex.PAPER if name == "passcode-atomic" else ex.READER  # the slides do not say whose speedup they show
    ratios, reasons = {}, []
    for data in options["data"]:
        for threads in options["threads"]:
            one, many = found.get((data, name, 1)), found[data, name, threads]
            if threads == 1 or one is None or not converged(one):
                continue
            reason = unfit(one, many)
            if reason:
                reasons.append(f"{runs.short(data)}, {threads} threads: {reason}")
                continue
            ratios[data, threads] = median([r["seconds"] for r in one]) / median([r["seconds"] for r in many])
    measured = "; ".join(
        [
            *(
                f"{runs.short(data)}, {threads} threads: {ratio:.2f} times as fast"
                for (data, threads), ratio in ratios.items()
            ),
            *reasons,
        ]
    )
    if not ratios:
        return ex.Finding(
            paper,
            measured or "no more than one thread was run",
            f"{ex.CANNOT}: no time on several threads could be compared",
            by=by,
        )
    return ex.Finding(paper, measured, runs.verdict([ratio > 1 for ratio in ratios.values()]), by=by)


EXPERIMENTS = {
    "passcode-speedup": ex.Experiment(
        "PASSCoDe (slides), Figures 7 and 8: Lock and Atomic on threads, convergence and speed",
        {
            "data": ["a9a-like", "rcv1-like"],
            "lam": 1e-4,
            "rtol": 1e-4,
            "passes": 200,
            "threads": [1, 2],
            "repetitions": 5,
            "unit_rows": True,
            "positive": "",
        },
        cells,
        run,
        summary,
    )
}
