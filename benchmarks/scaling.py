"""What size costs: a pass and a certificate over mapped data of 1e5 nonzeros and more.

    python benchmarks/scaling.py [--sizes 1e5,1e7,5e8] [--folder DIR] [--json] [--out DIR]

Rows of 100 nonzeros in 20,000 columns, smoothed hinge, in files of 12 bytes a nonzero that stay in --folder for the
next time. Each size runs in a separate process: nanoseconds of CPU time per nonzero of a pass in each order, the least
of several, and of a certificate; memory beyond the files at its peak, over 6 vectors of n and 4 of d. Limits: order
blocks at the largest size takes at most 2.5 times as long per nonzero as at the smallest, and no more than that memory.
"""

import argparse
import json
import pathlib
import shutil
import sys
import tracemalloc
from functools import partial

import common

ORDERS = ("blocks", "permuted", "uniform")
METHODS = ("sdca", "aspdc")
SLOWER = 2.5  # limit
ROW, COLUMNS, CHUNK = 100, 20_000, 10_000  # nonzeros of a row, columns, rows made at a time


def make(folder: pathlib.Path, nonzeros: int) -> None:
    """Write the memory-mapped data set, unless it is there."""
    import numpy as np
    from scipy.sparse import csr_array

    from dualgap.fast.data.memory_mapped import HEAD, Writer

    if (folder / HEAD).exists():
        return
    if shutil.disk_usage(folder.parent).free < 14 * nonzeros:
        raise SystemExit(
            f"{folder.parent}: {14 * nonzeros / 1e9:.1f} GB are needed; give another --folder or smaller --sizes"
        )
    rng = np.random.default_rng(0)
    truth, width, left = rng.standard_normal(COLUMNS), COLUMNS // ROW, nonzeros // ROW
    with Writer(folder) as writer:
        while left:
            rows = min(CHUNK, left)
            columns = (rng.integers(width, size=(rows, ROW)) + np.arange(ROW) * width).astype(np.int32)
            values = rng.standard_normal(columns.shape) / np.sqrt(ROW)
            margins = (values * truth[columns]).sum(axis=1) + rng.standard_normal(rows)
            entries = (values.ravel(), columns.ravel(), np.arange(rows + 1) * ROW)
            writer.append(csr_array(entries, shape=(rows, COLUMNS)), np.where(margins > 0, 1.0, -1.0))
            left -= rows
        writer.columns = COLUMNS


def problem_of(folder: str) -> "common.Problem":
    from dualgap.fast.data.memory_mapped import open_mapped
    from dualgap.reference import L2, Problem, SmoothedHinge

    mapped = open_mapped(folder)
    return Problem(mapped.X, mapped.y, SmoothedHinge(), L2(1e-2))


def in_memory(folder: str) -> common.Record:
    """One row, measured in a separate process."""
    from dualgap.fast import kernels, solve
    from dualgap.fast.solver.backends import backend_of

    problem = problem_of(folder)
    nonzeros, times = problem.X.nnz, {}
    repetitions = max(2, min(20, int(1e8 / nonzeros)))
    for name in METHODS:
        method = kernels()[name]()
        for order in ORDERS:
            state = method.init(problem)
            drawn = [method.draw(problem, order, 0, epoch) for epoch in range(2)]
            method.advance(problem, state, drawn[0])  # compiles, and brings the files into memory
            again = partial(method.advance, problem, state, drawn[1])
            times[f"{name}, {order}"] = min(common.cpu_seconds(again) for _ in range(repetitions))
    driver = backend_of("fast", "sdca", {})
    times["certificate"] = min(
        common.cpu_seconds(lambda: driver.certificate(problem, state)) for _ in range(repetitions)
    )
    tracemalloc.start()
    solve(problem_of(folder), "sdca", order="blocks", tol=0, max_epochs=2)
    memory = tracemalloc.get_traced_memory()[1] / 8 / (6 * problem.n + 4 * problem.d)
    return {
        "nonzeros": nonzeros,
        **{f"{name} (ns)": 1e9 * seconds / nonzeros for name, seconds in times.items()},
        "memory": memory,
    }


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument(
        "--sizes", default="1e5,1e7,5e8", metavar="N,N", help="nonzeros, ascending (default 1e5,1e7,5e8)"
    )
    parser.add_argument(
        "--folder", default="dualgap-scaling", metavar="DIR", help="where the data are (default dualgap-scaling)"
    )
    parser.add_argument("--in-memory", metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.in_memory:
        print(json.dumps(in_memory(given.in_memory)))
        return 0
    pathlib.Path(given.folder).mkdir(parents=True, exist_ok=True)
    rows = []
    for size in given.sizes.split(","):
        folder = pathlib.Path(given.folder) / size
        make(folder, int(float(size)))
        rows += common.in_processes(1, "--in-memory", str(folder))
    first, last = rows[0], rows[-1]
    slower = max(last[f"{name}, blocks (ns)"] / first[f"{name}, blocks (ns)"] for name in METHODS)
    limits = (("order blocks, largest over smallest", slower, SLOWER), ("memory over 6n + 4d", last["memory"], 1.0))
    judged = [{"what": what, "value": value, "limit": limit, "within": value <= limit} for what, value, limit in limits]
    return common.report(given, "scaling", {"rows": rows, "limits": judged}, all(found["within"] for found in judged))


if __name__ == "__main__":
    sys.exit(main())
