"""What a pass costs, in units of the two products that any pass must make: ``X @ w`` and ``X.T @ a`` of scipy.

    python benchmarks/pass_cost.py [--json]

For every kernel and loss: CPU time of the second pass of a run (n random rows; later passes get cheaper, where fewer
and fewer alpha_i move), the best of 20, divided by the best of 20 of the two products; all of them take turns, so
that a busy moment hits everyone. The data are generated: unit rows like those of sector.scale (163 nonzeros a row)
and like those of a9a (14 a row, 123 columns). A ratio above its limit is marked and makes the exit status 1. The
logistic step of SDCA and SPDC, a scalar equation solved at every row, has limits of its own, and so has SPDC, whose
lazy iteration reads and writes four numbers for every nonzero where the others have one. Beside it, how much faster the
compiled kernel is than the reference on the same steps.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dualgap.fast import kernels
from dualgap.fast.compiler import environment
from dualgap.fast.data import load, prepare
from dualgap.reference import L2, LOSSES, Problem, twin

REPETITIONS = 20
REFERENCE_STEPS = 300
LAM = 1e-2
# data set: limits for a closed dual step and for a logistic one that is solved, of SPDC and of the others
LIMITS = {
    "sector-like": {"spdc": (4.0, 5.0), "others": (2.1, 2.6)},
    "a9a-like": {"spdc": (8.0, 16.0), "others": (4.3, 7.5)},
}
METHODS = ("aspdc", "sdca", "aspdc-i-fixed", "spdc")


def cpu_seconds(task: Callable[[Any], object], argument: Any) -> float:
    started = time.process_time()
    task(argument)
    return time.process_time() - started


def best_of(tasks: dict[Any, tuple[Any, Callable[[Any], object]]]) -> dict[Any, float]:
    """The least CPU time of each task on a fresh copy of its state, over all repetitions; the tasks take turns."""
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(REPETITIONS):
        for name, (state, task) in tasks.items():
            best[name] = min(best[name], cpu_seconds(task, state.copy()))
    return best


def reference_speed(name: str, problem: Problem, choices: Any) -> float:
    """Seconds that a step of the reference takes, over a prefix of the choices."""
    plain = twin(name)
    state = plain.init(problem)
    prefix = choices[:REFERENCE_STEPS].tolist()

    def steps(state: Any) -> None:
        for choice in prefix:
            plain.advance(problem, state, choice)

    return min(cpu_seconds(steps, state) for _ in range(3)) / len(prefix)


def measure(data: str) -> list[dict[str, Any]]:
    """One row for every method and loss on one data set."""
    dataset = prepare(load(data), unit_rows=True)
    X, (n, d) = dataset.X, dataset.X.shape
    rng = np.random.default_rng(0)
    a, XT = rng.standard_normal(n), X.T
    first, choices = rng.integers(n, size=(2, n))
    tasks: dict[Any, tuple[Any, Callable[[Any], object]]] = {}
    tasks["products"] = rng.standard_normal(d), lambda w: (X @ w, XT @ a)
    problems = {}
    for name in METHODS:
        for loss in LOSSES:
            if name != "sdca" and not LOSSES[loss]().gamma > 0:
                continue  # outside Assumption 1
            problem = problems.setdefault(loss, Problem(X, dataset.y, LOSSES[loss](), L2(LAM)))
            fast = kernels()[name]()
            after_one = fast.run(problem, first)
            tasks[name, loss] = after_one, lambda state, fast=fast, problem=problem: fast.advance(problem, state, choices)
    best = best_of(tasks)
    rows = []
    for (name, loss), seconds in ((key, value) for key, value in best.items() if key != "products"):
        ratio = seconds / best["products"]
        solved = loss == "logistic" and name in ("sdca", "spdc")
        limit = LIMITS[data].get(name, LIMITS[data]["others"])[solved]
        speedup = reference_speed(name, problems[loss], choices) / (seconds / n) if loss == "smoothed-hinge" else None
        rows.append(
            {"data": data, "method": name, "loss": loss, "ns_per_nonzero": 1e9 * seconds / X.nnz, "ratio": ratio,
             "limit": limit, "within": ratio <= limit, "reference_over_fast": speedup}
        )  # fmt: skip
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")
    given = parser.parse_args()
    rows = [row for data in LIMITS for row in measure(data)]
    within = all(row["within"] for row in rows)
    if given.json:
        print(json.dumps({"within": within, "repetitions": REPETITIONS, "environment": environment(), "passes": rows}))
        return 0 if within else 1
    print("data         method         loss             ns/nonzero  of X@w + X.T@a  limit  faster than the reference")
    for row in sorted(rows, key=lambda row: (row["data"], row["limit"])):
        speedup = row["reference_over_fast"]
        print(
            f"{row['data']:12} {row['method']:14} {row['loss']:16} {row['ns_per_nonzero']:10.2f}  {row['ratio']:14.2f}"
            f"  {row['limit']:5.1f}{'' if row['within'] else ' OVER'}{'' if speedup is None else f'  {speedup:.0f} times'}"
        )
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
