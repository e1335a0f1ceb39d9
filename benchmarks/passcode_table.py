"""PASSCoDe's table: passes and time to a certified relative gap of 1e-3 and 1e-6, Lock, Atomic and Wild.

    python benchmarks/passcode_table.py FILE [FILE ...] [--positive LABELS] [--loss L] [--lam X] [--json] [...]

FILE is a LIBSVM file; its rows are scaled to norm 1; LABELS, where given, become +1 and all others -1. A relative gap is (P - D)/|P| for the problem itself, computed
anew from the better of the pairs (w, alpha) and (w(alpha), alpha) after every pass; the time is that of the passes
alone, certificates excluded, the median of the repeats. Orders are permuted, seeds fixed, every 2-thread run another.

A 2-thread time is printed only where the threads are proved to have worked side by side in more than half of the
passes up to the tolerance, in every repeat. The proof for a pass: each thread found, at two of its looks or more (one
every 16 steps), that the other had worked since the last one; threads that follow each other find this once. The
share of such passes, the least of the repeats, is ``together``. A Lock that one thread keeps taking back from
under the other's nose is no overlap, and shows here as such.
``drift`` is ||w_hat - w(alpha)||, of what the threads maintained, at the last pass, the largest of the repeats:
rounding for Lock and Atomic, lost writes for Wild.
"""

import argparse
import json
import os
import statistics
import sys
import time
from typing import Any

import numpy as np

from dualgap.fast.backends import backend_of
from dualgap.fast.compiler import environment
from dualgap.fast.data import load, prepare
from dualgap.fast.objective import Objective
from dualgap.reference import L2, LOSSES, Problem
from dualgap.reference.choices import draw

METHODS = ("passcode-lock", "passcode-atomic", "passcode-wild")
TOLERANCES = (1e-3, 1e-6)


def run(problem: Problem, name: str, threads: int, passes: int) -> dict[str, Any]:
    """One run: for each tolerance (passes, seconds, share of passes side by side) or None, and the drift at the end."""
    driver = backend_of("fast", name, {}, threads)
    state = driver.init(problem, None)
    driver.implementation.run(problem, [0])  # compiles, or finds what is compiled
    reached: dict[float, Any] = dict.fromkeys(TOLERANCES)
    seconds, together = 0.0, 0
    for epoch in range(passes):
        choices = draw("permuted", problem.n, 0, epoch)
        started = time.perf_counter()
        driver.advance(problem, state, choices)
        seconds += time.perf_counter() - started
        together += int(driver.implementation.turns.min() >= 2)
        certificate = driver.certificate(problem, state)
        for tolerance in TOLERANCES:
            if reached[tolerance] is None and certificate and certificate.gap <= certificate.target(0.0, tolerance):
                reached[tolerance] = (epoch + 1, seconds, together / (epoch + 1))
        if reached[min(TOLERANCES)]:
            break
    drift = float(np.linalg.norm(state.v - Objective(problem).v(state.alpha)))
    return {"reached": reached, "drift": drift}


def summary(runs: list[dict[str, Any]], threads: int, tolerance: float) -> dict[str, Any]:
    """Passes and seconds of the median run, or how many of the runs did not reach the tolerance."""
    reached = [found["reached"][tolerance] for found in runs]
    missed = sum(found is None for found in reached)
    if missed:
        return {"tolerance": tolerance, "missed": missed, "runs": len(runs)}
    passes, seconds, together = zip(*reached)
    overlap = threads == 1 or min(together) > 0.5
    return {
        "tolerance": tolerance, "missed": 0, "passes": statistics.median(passes),
        "seconds": statistics.median(seconds) if overlap else None, "together": None if threads == 1 else min(together),
    }  # fmt: skip


def measure(path: str, positive: str | None, loss: str, lam: float, passes: int, repeats: int) -> list[dict[str, Any]]:
    """One row for each method and number of threads; the runs take turns, so that a busy moment hits everyone."""
    dataset = prepare(load(path), positive, unit_rows=True)
    problem = Problem(dataset.X, dataset.y, LOSSES[loss](), L2(lam))
    cases = [(name, threads) for name in METHODS for threads in (1, 2)]
    runs: dict[tuple[str, int], list[dict[str, Any]]] = {case: [] for case in cases}
    for _ in range(repeats):
        for name, threads in cases:
            runs[name, threads].append(run(problem, name, threads, passes))
    return [
        {
            "data": os.path.basename(path), "n": problem.n, "d": problem.d, "method": name, "threads": threads,
            "drift": max(found["drift"] for found in runs[name, threads]),
            "gaps": [summary(runs[name, threads], threads, tolerance) for tolerance in TOLERANCES],
        }
        for name, threads in cases
    ]  # fmt: skip


def words(found: dict[str, Any]) -> str:
    """One cell of the table."""
    if found["missed"]:
        return f"{'not reached in ' + str(found['missed']) + ' of ' + str(found['runs']):>29}"
    seconds = f"{found['seconds']:.3f} s" if found["seconds"] is not None else "no overlap"
    return f"{found['passes']:5g} passes {seconds:>10} {'' if found['together'] is None else format(found['together'], '.0%'):>6}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("files", metavar="FILE", nargs="+", help="LIBSVM file: plain, .gz, .bz2 or .xz")
    parser.add_argument("--positive", metavar="LABELS", help="labels that become +1, all others -1")
    parser.add_argument("--loss", choices=list(LOSSES), default="hinge")
    parser.add_argument("--lam", type=float, default=1e-3)
    parser.add_argument("--passes", type=int, default=200, help="at most so many (default 200)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")
    given = parser.parse_args()
    settings = (given.positive, given.loss, given.lam, given.passes, given.repeats)
    rows = [row for path in given.files for row in measure(path, *settings)]
    if given.json:
        print(json.dumps({"loss": given.loss, "lam": given.lam, "environment": environment(), "rows": rows}))
        return 0
    print(f"loss {given.loss}, lam {given.lam:g}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} over the last minute")
    heads = "".join(f"  {'relative gap ' + format(tolerance, 'g') + ': passes, time, together':>42}" for tolerance in TOLERANCES)
    print(f"{'data':16} {'method':16} threads{heads}     drift")
    for row in rows:
        cells = "".join(f"  {words(found):>42}" for found in row["gaps"])
        print(f"{row['data']:16} {row['method']:16} {row['threads']:7d}{cells}  {row['drift']:8.1e}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
