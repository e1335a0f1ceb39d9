"""What size costs: a pass and a certificate over mapped data of 1e5 nonzeros and more, in memory and mostly on disk.

    python benchmarks/scaling.py [--sizes 1e5,1e7,5e8] [--folder DIR] [--json] [--out DIR]

Rows of 100 nonzeros in 20,000 columns, smoothed hinge, in files of 12 bytes a nonzero that stay in --folder for the
next time. Each size runs in a separate process: nanoseconds of CPU time per nonzero of a pass in each order, the least
of several, and of a certificate; memory beyond the files at its peak, over 6 vectors of n and 4 of d. Limits: order
blocks at the largest size takes at most 2.5 times as long per nonzero as at the smallest, and no more than that memory.

The largest size is then run from the disk: one pass in order blocks and one certificate, with at most a quarter of the
files in memory at any time. Limit: a pass takes at most 4 times as long as reading the files once (wall time, cold).
The script limits the memory itself, because a limit by the system needs control groups: it drops the least recently
used blocks (madvise, posix_fadvise), and mincore tells how much is in memory. A pass visits every block once, so
whichever quarter a system keeps, it must read at least three quarters of the files again. Here it reads all of them.

Last, ``sweep`` over two seeds on one job and on two, on the data of 1e7 nonzeros or the largest below: the ratio of the
wall times, and the ratio that two independent processes reach at the same time on this machine. Limit: 1.7 if those
reach 2, in proportion if the machine is busy.
"""

import argparse
import ctypes
import json
import mmap
import os
import pathlib
import shutil
import subprocess
import sys
import time
import tracemalloc
from functools import partial
from typing import Any

import common

ORDERS = ("blocks", "permuted", "uniform")
METHODS = ("sdca", "aspdc")
SLOWER, READINGS, SHARE, FASTER = 2.5, 4.0, 0.25, 1.7  # limits


def make(folder: pathlib.Path, nonzeros: int) -> None:
    """Write the data set, unless it is there."""
    import numpy as np

    if not folder.exists() and shutil.disk_usage(folder.parent).free < 14 * nonzeros:
        raise SystemExit(
            f"{folder.parent}: {14 * nonzeros / 1e9:.1f} GB are needed; give another --folder or smaller --sizes"
        )
    rng = np.random.default_rng(0)
    truth = rng.standard_normal(common.COLUMNS)

    def fill(columns: "common.Array") -> "tuple[common.Array, common.Array]":
        values = rng.standard_normal(columns.shape) / np.sqrt(common.ROW)
        margins = (values * truth[columns]).sum(axis=1)
        return values, np.where(margins + rng.standard_normal(len(columns)) > 0, 1.0, -1.0)

    common.make_mapped(folder, nonzeros, rng, fill)


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


# -- from the disk ----------------------------------------------------------------------------------------------


class Pages:
    """The pages of a data set's files."""

    def __init__(self, problem: "common.Problem") -> None:
        X = problem.X
        self.arrays = [X.indptr, X.indices, X.data, problem.labels]
        self.files = [os.path.join(X.folder, f"{name}.npy") for name in ("indptr", "indices", "data", "y")]
        self.bytes = sum(array.nbytes for array in self.arrays)

    def share(self) -> float:
        """The share of them that is in memory."""
        return sum(map(self._resident, self.arrays)) / self.bytes

    @staticmethod
    def _resident(array: "common.Array") -> int:
        import numpy as np

        begin = array.ctypes.data // mmap.PAGESIZE * mmap.PAGESIZE
        length = array.ctypes.data + array.nbytes - begin
        found = np.zeros(-(-length // mmap.PAGESIZE), dtype=np.uint8)
        if ctypes.CDLL(None).mincore(
            ctypes.c_void_p(begin), ctypes.c_size_t(length), found.ctypes.data_as(ctypes.c_void_p)
        ):
            raise OSError("mincore failed")
        return int((found & 1).sum()) * mmap.PAGESIZE

    def let_go(self) -> None:
        """Out of memory, all of them."""
        for array, name in zip(self.arrays, self.files):
            array.base.madvise(mmap.MADV_DONTNEED)
            with open(name, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def let_go_of(self, first: int, end: int) -> None:
        """Out of memory, the whole pages of the entries first .. end - 1."""
        for array, name in zip(self.arrays[1:3], self.files[1:3]):
            begin = -(-(array.offset + first * array.itemsize) // mmap.PAGESIZE) * mmap.PAGESIZE
            length = (array.offset + end * array.itemsize) // mmap.PAGESIZE * mmap.PAGESIZE - begin
            array.base.madvise(mmap.MADV_DONTNEED, begin, length)
            with open(name, "rb") as file:
                os.posix_fadvise(file.fileno(), begin, length, os.POSIX_FADV_DONTNEED)

    def reading(self) -> float:
        """Seconds to read the files once, from the disk."""
        self.let_go()
        buffer, begun = bytearray(1 << 20), time.perf_counter()
        for name in self.files:
            with open(name, "rb", buffering=0) as file:
                while file.readinto(buffer):
                    pass
        return time.perf_counter() - begun


def from_disk(folder: str) -> common.Record:
    """One row, measured in a separate process."""
    from dualgap.fast import kernels
    from dualgap.fast.solver.backends import backend_of

    problem, method = problem_of(folder), kernels()["sdca"]()
    state = method.init(problem)
    method.advance(problem, state, [0])  # compiles
    pages = Pages(problem)
    found: dict[str, list[float]] = {"reading (s)": [], "pass (s)": [], "certificate (s)": [], "largest share": []}
    for epoch in range(3):  # in turn, so that a busy moment of the disk hits all of them
        found["reading (s)"].append(pages.reading())
        pages.let_go()
        seconds, share = pass_from_disk(problem, method, state, pages, epoch)
        found["pass (s)"].append(seconds)
        found["largest share"].append(share)
        pages.let_go()
        begun = time.perf_counter()
        backend_of("fast", "sdca", {}).certificate(problem, state)
        found["certificate (s)"].append(time.perf_counter() - begun)
    return {"bytes": pages.bytes, **{name: (max if "share" in name else min)(values) for name, values in found.items()}}


def pass_from_disk(problem: "common.Problem", method: Any, state: Any, pages: Pages, epoch: int) -> tuple[float, float]:
    """Wall seconds of a pass in order blocks with a quarter of the pages, and the largest share that was ever seen."""
    import numpy as np

    from dualgap.fast.data.mapped_rows import pieces

    starts, ends = problem.X.indptr, np.array(problem.block_ends)
    kept: list[tuple[int, int]] = []  # the entries of the blocks that have been worked on and are in memory
    largest, excluded, begun = 0.0, 0.0, time.perf_counter()
    for number, piece in enumerate(pieces(problem, "blocks", method.draw(problem, "blocks", 0, epoch))):
        method.advance(problem, state, piece)
        for block in np.unique(np.searchsorted(ends, piece, side="right")).tolist():
            kept.append((int(starts[ends[block - 1] if block else 0]), int(starts[ends[block]])))
        while sum(end - first for first, end in kept) > 0.9 * SHARE * problem.X.nnz:  # besides what is being read
            pages.let_go_of(*kept.pop(0))
        if number % 16 == 15:
            look = time.perf_counter()
            largest = max(largest, pages.share())
            excluded += time.perf_counter() - look
    return time.perf_counter() - begun - excluded, largest


# -- two jobs ---------------------------------------------------------------------------------------------------


def two_jobs(folder: str) -> common.Record:
    """One row, measured in a separate process; the best of five, in turn."""
    from dualgap.fast import sweep
    from dualgap.fast.data.memory_mapped import open_mapped
    from dualgap.reference import SmoothedHinge

    data = open_mapped(folder)
    passes = max(1, int(4e8 / data.X.nnz))
    run = partial(sweep, data, SmoothedHinge(), [1e-2], tol=0, max_epochs=passes)
    run(seeds=[0])  # compiles
    strangers = [sys.executable, "-c", "sum(range(3 * 10**7))"]
    ratios, expected = [], []
    for _ in range(5):
        alone = common.wall_seconds(lambda: subprocess.run(strangers, check=True))
        both = common.wall_seconds(
            lambda: [process.wait() for process in [subprocess.Popen(strangers) for _ in range(2)]]
        )
        expected.append(2 * alone / both)
        ratios.append(
            common.wall_seconds(lambda: run(seeds=[0, 1], jobs=1))
            / common.wall_seconds(lambda: run(seeds=[0, 1], jobs=2))
        )
    return {"two jobs": max(ratios), "two processes": max(expected)}


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument(
        "--sizes", default="1e5,1e7,5e8", metavar="N,N", help="nonzeros, ascending (default 1e5,1e7,5e8)"
    )
    parser.add_argument(
        "--folder", default="dualgap-scaling", metavar="DIR", help="where the data are (default dualgap-scaling)"
    )
    parser.add_argument("--in-memory", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--from-disk", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--two-jobs", metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args()
    for measure, folder in ((in_memory, given.in_memory), (from_disk, given.from_disk), (two_jobs, given.two_jobs)):
        if folder:
            print(json.dumps(measure(folder)))
            return 0
    pathlib.Path(given.folder).mkdir(parents=True, exist_ok=True)
    rows, medium = [], ""
    for size in given.sizes.split(","):
        folder = pathlib.Path(given.folder) / size
        make(folder, int(float(size)))
        medium = str(folder) if not medium or float(size) <= 1e7 else medium
        rows += common.in_processes(1, "--in-memory", str(folder))
    disk = common.in_processes(1, "--from-disk", str(folder))[0]
    jobs = common.in_processes(1, "--two-jobs", medium)[0]
    limits = [
        (
            "order blocks, largest over smallest",
            max(rows[-1][f"{name}, blocks (ns)"] / rows[0][f"{name}, blocks (ns)"] for name in METHODS),
            SLOWER,
        ),
        ("memory over 6n + 4d, largest", rows[-1]["memory"], 1.0),
        ("pass from disk over reading", disk["pass (s)"] / disk["reading (s)"], READINGS),
        ("largest share in memory", disk["largest share"], SHARE),
        ("two processes over two jobs", jobs["two processes"] / jobs["two jobs"], 2 / FASTER),
    ]
    judged = [{"what": what, "value": value, "limit": limit, "within": value <= limit} for what, value, limit in limits]
    tables = {"rows": rows, "disk": [disk], "jobs": [jobs], "limits": judged}
    return common.report(given, "scaling", tables, all(found["within"] for found in judged))


if __name__ == "__main__":
    sys.exit(main())
