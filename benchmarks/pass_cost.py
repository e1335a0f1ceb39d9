"""What a pass and a certificate cost, in units of the two products that any pass must make: ``X @ w`` and ``X.T @ a``.

    python benchmarks/pass_cost.py [--data DATA ...] [--methods M,M,...] [--out DIR] [--json]

DATA is a name of ``dualgap new data`` (default: a9a-like, sector-like and rcv1-like) or a LIBSVM file, PATH or
PATH:POSITIVE LABELS (``sector.scale.xz:53..105``); rows are scaled to norm 1. For every method and loss: CPU time of
the second pass of a run (n rows in random order, each once; later passes get cheaper, where fewer and fewer alpha_i
move), and of a certificate at the pair after the first, the best of 20 in turns with the products of scipy, which are
the unit; of three processes, the median. The first call of each kernel, which compiles it or finds it in the cache, has
its own column.

Limits are for data named like a9a, sector and rcv1. They are for closed dual steps; the logistic step of SDCA and SPDC
is a scalar equation solved at every row, and has none. What is above its limit is marked and makes the exit status 1.
"""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import common

PROCESSES, REPETITIONS, LAM = 3, 20, 1e-2
DEFAULT = ("a9a-like", "sector-like", "rcv1-like")
CERTIFICATE = "certificate"
METHODS = ("sdca", "aspdc", "spdc", CERTIFICATE)
LIMITS = {
    "a9a": {"sdca": 1.9, "aspdc": 1.9, "spdc": 4.0, CERTIFICATE: 1.3},
    "sector": {"sdca": 1.6, "aspdc": 1.6, "spdc": 2.5, CERTIFICATE: 1.3},
    "rcv1": {"sdca": 1.8, "aspdc": 1.8, CERTIFICATE: 1.3},
}


def limit_of(data: str, method: str, loss: str) -> float | None:
    """The largest ratio allowed, or None."""
    solved = loss == "logistic" and method.startswith(("sdca", "spdc"))
    limits: dict[str, float] = next((found for name, found in LIMITS.items() if Path(data).name.startswith(name)), {})
    return None if solved else limits.get(method)


def task_of(method: str, problem: "common.Problem", first: "common.Array", second: "common.Array") -> common.Task:
    """The second pass of a method, or a certificate after a pass of SDCA."""
    from dualgap.fast import Certificate, kernels

    if method == CERTIFICATE:
        fast = kernels()["sdca"]()
        pair = fast.view(problem, fast.run(problem, first))
        return lambda: lambda: Certificate(problem, *pair)
    fast = kernels()[method]()

    state = fast.run(problem, first)

    def task() -> Callable[[], object]:
        own = state.copy()
        return lambda: fast.advance(problem, own, second)

    return task


def measure(data: str, methods: list[str]) -> common.Rows:
    """One row for every method and loss on one data set."""
    import numpy as np

    from dualgap.reference import L2, LOSSES, Problem

    dataset = common.data(data)
    rng = np.random.default_rng(0)
    first, second = rng.permutation(dataset.n), rng.permutation(dataset.n)
    rows = []
    for loss, of in LOSSES.items():
        problem = Problem(dataset.X, dataset.y, of(), L2(LAM))
        tasks: dict[str, common.Task] = {"floor": common.floor(dataset.X)}
        first_calls = {}
        for method in methods:
            if problem.gamma > 0 or method.startswith(("sdca", CERTIFICATE)):  # the others are for smooth losses
                began = time.process_time()
                tasks[method] = task_of(method, problem, first, second)
                tasks[method]()()
                first_calls[method] = time.process_time() - began
        best = common.best_of(tasks, REPETITIONS)
        floor = best.pop("floor")
        rows += [
            {
                "data": Path(data).name,
                "method": method,
                "loss": loss,
                "ns_per_nonzero": 1e9 * seconds / dataset.X.nnz,
                "ratio": seconds / floor,
                "limit": limit_of(data, method, loss),
                "first_call_s": first_calls[method],
            }
            for method, seconds in best.items()
        ]
    return sorted(rows, key=lambda row: methods.index(row["method"]))


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("--data", action="append", metavar="DATA", help="a data set (may be given several times)")
    parser.add_argument("--methods", default=",".join(METHODS), help="separated by commas; default: %(default)s")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)  # what the processes are started with
    given = parser.parse_args()
    data, methods = given.data or list(DEFAULT), given.methods.split(",")
    if unknown := sorted(set(methods) - set(METHODS)):
        parser.error(f"unknown methods: {', '.join(unknown)}; known: {', '.join(METHODS)}")
    if given.measure:
        common.fix_threads()
        with contextlib.redirect_stdout(sys.stderr):
            rows = [row for name in data for row in measure(name, methods)]
        print(json.dumps(rows))
        return 0
    asked = ["--measure", "--methods", given.methods, *(word for name in data for word in ("--data", name))]
    rows = common.median_of(common.in_processes(PROCESSES, *asked), "ns_per_nonzero", "ratio", "first_call_s")
    for row in rows:
        row["within"] = row["limit"] is None or row["ratio"] <= row["limit"]
    return common.report(given, "pass_cost", {"passes": rows}, all(row["within"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
