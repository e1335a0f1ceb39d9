"""PASSCoDe's Figures 7 and 8 (slides): Lock and Atomic on real threads, convergence and speed; beside them Wild, of which the slides say nothing."""

import time
from typing import Any

from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import Hinge

PASSCODE = ("passcode-lock", "passcode-atomic", "passcode-wild")


def cells(options: ex.Options) -> list[ex.Cell]:
    """Repetitions outermost: the methods take turns, so that a busy moment hits every one of them."""
    return [
        {"data": data, "method": name, "threads": threads, "repetition": repetition}
        for data in options["data"] for repetition in range(options["repetitions"])
        for threads in options["threads"] for name in PASSCODE
    ]  # fmt: skip


def run(cell: ex.Cell, options: ex.Options) -> dict[str, Any]:
    """Passes and seconds of the passes to a certified relative gap; how many passes the threads worked side by side in."""
    from dualgap.fast.methods.passcode import usable_cores
    from dualgap.fast.solver.backends import backend_of
    from dualgap.reference.methods.sampling import draw

    problem = runs.problem_of(cell["data"], Hinge(), options["lam"], options["unit_rows"], positive=options["positive"])
    cores = usable_cores()
    if cell["threads"] > cores:
        return {"cores": cores, "status": f"{cores} cores"}
    driver = backend_of("fast", cell["method"], {}, cell["threads"])
    driver.implementation.run(problem, [0])  # compiled before the clock runs
    state, seconds, together = driver.init(problem, None), 0.0, 0
    for epoch in range(options["passes"]):
        choices = draw("permuted", problem.n, seed("passcode", cell["repetition"]), epoch)
        started = time.perf_counter()
        driver.advance(problem, state, choices)
        seconds += time.perf_counter() - started
        together += int(cell["threads"] > 1 and driver.implementation.turns.min() >= 2)
        certificate = driver.certificate(problem, state)
        if certificate is not None and certificate.gap <= certificate.target(0.0, options["rtol"]):
            return {"cores": cores, "status": "converged", "passes": epoch + 1, "seconds": seconds, "together": together / (epoch + 1)}
    return {"cores": cores, "status": "not reached", "passes": options["passes"], "seconds": seconds, "together": together / options["passes"]}


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    found: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    for cell, result in results:
        found.setdefault((cell["data"], cell["method"], cell["threads"]), []).append(result)
    cores = results[0][1]["cores"]
    findings = [converges(found, options), *(speedup(found, options, name) for name in PASSCODE[:2])]
    rows = [[runs.short(data), name, str(threads), *told(runs_of)] for (data, name, threads), runs_of in found.items()]
    caption = f"Passes and seconds to a certified relative gap of {options['rtol']:g}, hinge, lam = {options['lam']:g}, medians of {options['repetitions']}"
    notes = [
        f"On {cores} cores, shared with whatever else ran. Seconds are those of the passes, certificates excluded. 'together' is the least "
        "share of passes in which each thread found twice or more that another had worked since its last look (one every 16 steps): below "
        "a half no time is compared. The gap is that of the problem itself, at the better of (w, alpha) and (w(alpha), alpha). The slides' figures have titles alone "
        "and do not say which methods they show; passcode-wild, which the slides do not have, solves a perturbed problem and is shown in the table only."
    ]
    return ex.Summary(findings, [ex.Table(caption, ["data", "method", "threads", "passes", "seconds", "together"], rows)], (), notes)


def converged(found: list[dict[str, Any]]) -> bool:
    return all(one["status"] == "converged" for one in found)


def told(found: list[dict[str, Any]]) -> list[str]:
    """Passes, seconds and the share of passes side by side."""
    if not converged(found):
        return [next(one["status"] for one in found if one["status"] != "converged"), "-", "-"]
    share = f"{min(one['together'] for one in found):.0%}"
    return [f"{runs.median([one['passes'] for one in found]):g}", f"{runs.median([one['seconds'] for one in found]):.3f}", share]


def converges(found: dict[tuple[str, str, int], list[dict[str, Any]]], options: ex.Options) -> ex.Finding:
    """Figure 7."""
    ran = {key: runs_of for key, runs_of in found.items() if "passes" in runs_of[0] and key[1] in PASSCODE[:2]}
    failed = [f"{runs.short(data)}, {name}, {threads} threads" for (data, name, threads), runs_of in ran.items() if not converged(runs_of)]
    return ex.Finding(
        "Figure 7, its title: convergence on news20, covtype, rcv1 (here: of Lock and Atomic)",
        f"a relative gap of {options['rtol']:g} for the problem itself was certified in {len(ran) - len(failed)} of {len(ran)} settings"
        + "".join(f"; not by {one}" for one in failed),
        runs.verdict([converged(runs_of) for runs_of in ran.values()]),
    )


def speedup(found: dict[tuple[str, str, int], list[dict[str, Any]]], options: ex.Options, name: str) -> ex.Finding:
    """Figure 8, for Lock or Atomic."""
    paper = f"Figure 8, its title: speedup on news20, covtype, rcv1, here of {name}: several threads take less time than one"
    by = ex.PAPER if name == "passcode-atomic" else ex.READER  # the slides do not say whose speedup they show
    ratios, reasons = {}, []
    for data in options["data"]:
        for threads in options["threads"]:
            one, many = found.get((data, name, 1)), found[data, name, threads]
            if threads == 1 or one is None or not converged(one):
                continue
            if not converged(many) or min(result["together"] for result in many) <= 0.5:
                reasons.append(f"{runs.short(data)}, {threads} threads: {told(many)[0] if not converged(many) else 'the threads did not work side by side'}")
                continue
            ratios[data, threads] = runs.median([r["seconds"] for r in one]) / runs.median([r["seconds"] for r in many])
    measured = "; ".join([*(f"{runs.short(data)}, {threads} threads: {ratio:.2f} times as fast" for (data, threads), ratio in ratios.items()), *reasons])
    if not ratios:
        return ex.Finding(paper, measured or "no more than one thread was run", f"{ex.CANNOT}: no time on several threads could be compared", by=by)
    return ex.Finding(paper, measured, runs.verdict([ratio > 1 for ratio in ratios.values()]), by=by)


EXPERIMENTS = {
    "passcode-speedup": ex.Experiment(
        "PASSCoDe (slides), Figures 7 and 8: Lock and Atomic on threads, convergence and speed",
        {"data": ["a9a-like", "rcv1-like"], "lam": 1e-4, "rtol": 1e-4, "passes": 200, "threads": [1, 2], "repetitions": 5,
         "unit_rows": True, "positive": ""},
        cells, run, summary,
    ),
}  # fmt: skip
