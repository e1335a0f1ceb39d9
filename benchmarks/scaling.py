"""What size costs: a pass and a certificate over mapped data of 1e5 nonzeros and more, in memory and mostly on disk.

    python benchmarks/scaling.py [--sizes 1e5,1e7,5e8] [--folder DIR] [--json] [--out DIR]

Rows of 100 nonzeros in 20,000 columns, smoothed hinge, in files of 12 bytes a nonzero that stay in --folder for the
next time. Each size in a process of its own: nanoseconds of CPU time per nonzero of a pass in each order, the least of
several, and of a certificate; memory beyond the files at its peak, over 6 vectors of n and 4 of d. Limits: order blocks
at the largest size takes at most 2.5 times as long per nonzero as at the smallest, and no more than that memory.

Of the largest size then, from the disk: one pass in order blocks and one certificate, while no more than a quarter of
the files is ever in memory; limit: a pass takes at most 4 times as long as reading the files once (wall time, cold).
A memory limit of the process would not do: the system counts a file's pages to whoever read them first. So the pages
are let go (madvise, posix_fadvise) whenever a quarter has been worked on, and mincore says how many there were before.
A pass visits every block once, so a system that keeps a quarter by any other rule has to read as much, but for a quarter.
"""

import argparse
import ctypes
import json
import mmap
import os
import pathlib
import shutil
import sys
import time
import tracemalloc
from typing import Any

import common

ROW, COLUMNS, CHUNK = 100, 20_000, 10_000  # nonzeros of a row, columns, rows that are made at a time
ORDERS = ("blocks", "permuted", "uniform")
METHODS = ("sdca", "aspdc")
SLOWER, READINGS, SHARE = 2.5, 4.0, 0.25  # limits


def make(folder: pathlib.Path, nonzeros: int) -> None:
    """Write the data set, unless it is there."""
    import numpy as np
    from scipy.sparse import csr_array

    from dualgap.fast.mapped import HEAD, Writer

    if (folder / HEAD).exists():
        return
    if shutil.disk_usage(folder.parent).free < 14 * nonzeros:
        raise SystemExit(f"{folder.parent}: {14 * nonzeros / 1e9:.1f} GB are needed; give another --folder or smaller --sizes")
    rng, width, left = np.random.default_rng(0), COLUMNS // ROW, nonzeros // ROW
    truth = rng.standard_normal(COLUMNS)
    with Writer(folder) as writer:
        while left:
            rows = min(CHUNK, left)
            columns = (rng.integers(width, size=(rows, ROW)) + np.arange(ROW) * width).astype(np.int32)
            values = rng.standard_normal((rows, ROW)) / np.sqrt(ROW)
            y = np.where((values * truth[columns]).sum(axis=1) + rng.standard_normal(rows) > 0, 1.0, -1.0)
            writer.append(csr_array((values.ravel(), columns.ravel(), np.arange(rows + 1) * ROW), shape=(rows, COLUMNS)), y)
            left -= rows


def problem_of(folder: str) -> Any:
    from dualgap.fast.mapped import open_mapped
    from dualgap.reference import L2, Problem, SmoothedHinge

    mapped = open_mapped(folder)
    return Problem(mapped.X, mapped.y, SmoothedHinge(), L2(1e-2))


def in_memory(folder: str) -> dict[str, Any]:
    """One row: what a process of its own measures."""
    from dualgap.fast import kernels, solve
    from dualgap.fast.backends import backend_of

    problem = problem_of(folder)
    nonzeros, times = problem.X.nnz, {}
    repetitions = max(2, min(20, int(1e8 / nonzeros)))
    for name in METHODS:
        method = kernels()[name]()
        for order in ORDERS:
            state = method.init(problem)
            drawn = [method.draw(problem, order, 0, epoch) for epoch in range(2)]
            method.advance(problem, state, drawn[0])  # compiles, and brings the files into memory
            times[f"{name}, {order}"] = min(
                common.cpu_seconds(lambda: method.advance(problem, state, drawn[1])) for _ in range(repetitions)
            )
    driver = backend_of("fast", "sdca", {})
    times["certificate"] = min(common.cpu_seconds(lambda: driver.certificate(problem, state)) for _ in range(repetitions))
    tracemalloc.start()
    solve(problem_of(folder), "sdca", order="blocks", tol=0, max_epochs=2)
    memory = tracemalloc.get_traced_memory()[1] / 8 / (6 * problem.n + 4 * problem.d)
    return {"nonzeros": nonzeros, **{f"{name} (ns)": 1e9 * seconds / nonzeros for name, seconds in times.items()}, "memory": memory}


# -- from the disk ----------------------------------------------------------------------------------------------


class Pages:
    """The pages of a data set's files."""

    def __init__(self, problem: Any) -> None:
        X = problem.X
        self.arrays = [X.indptr, X.indices, X.data, problem.labels]
        self.files = [os.path.join(X.folder, f"{name}.npy") for name in ("indptr", "indices", "data", "y")]
        self.bytes = sum(array.nbytes for array in self.arrays)

    def share(self) -> float:
        """The share of them that is in memory."""
        return sum(map(self._resident, self.arrays)) / self.bytes

    @staticmethod
    def _resident(array: Any) -> int:
        import numpy as np

        begin = array.ctypes.data // mmap.PAGESIZE * mmap.PAGESIZE
        length = array.ctypes.data + array.nbytes - begin
        found = np.zeros(-(-length // mmap.PAGESIZE), dtype=np.uint8)
        if ctypes.CDLL(None).mincore(ctypes.c_void_p(begin), ctypes.c_size_t(length), found.ctypes.data_as(ctypes.c_void_p)):
            raise OSError("mincore failed")
        return int((found & 1).sum()) * mmap.PAGESIZE

    def let_go(self) -> None:
        """Out of memory, all of them."""
        for array in self.arrays:
            array._mmap.madvise(mmap.MADV_DONTNEED)
        for name in self.files:
            with open(name, "rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def reading(self) -> float:
        """Seconds to read the files once, from the disk."""
        self.let_go()
        buffer, begun = bytearray(1 << 20), time.perf_counter()
        for name in self.files:
            with open(name, "rb", buffering=0) as file:
                while file.readinto(buffer):
                    pass
        return time.perf_counter() - begun


def from_disk(folder: str) -> dict[str, Any]:
    """One row: what a process of its own measures."""
    from dualgap.fast import kernels
    from dualgap.fast.backends import backend_of
    from dualgap.fast.mapped import pieces

    problem, method = problem_of(folder), kernels()["sdca"]()
    state = method.init(problem)
    method.advance(problem, state, [0])  # compiles
    pages = Pages(problem)
    found: dict[str, list[float]] = {"reading (s)": [], "pass (s)": [], "certificate (s)": [], "largest share": []}
    for epoch in range(3):  # in turn, so that a busy moment of the disk hits all of them
        found["reading (s)"].append(pages.reading())
        seconds, largest, rows = 0.0, 0.0, 0
        choices = method.draw(problem, "blocks", 0, epoch)
        pages.let_go()
        begun = time.perf_counter()
        for piece in pieces(problem, "blocks", choices):
            method.advance(problem, state, piece)
            rows += len(piece)
            if rows > 0.8 * SHARE * problem.n:  # what has been asked for meanwhile counts too
                seconds += time.perf_counter() - begun
                largest, rows = max(largest, pages.share()), 0
                pages.let_go()
                begun = time.perf_counter()
        found["pass (s)"].append(seconds + time.perf_counter() - begun)
        found["largest share"].append(largest)
        pages.let_go()
        begun = time.perf_counter()
        backend_of("fast", "sdca", {}).certificate(problem, state)
        found["certificate (s)"].append(time.perf_counter() - begun)
    return {"bytes": pages.bytes, **{name: (max if "share" in name else min)(values) for name, values in found.items()}}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sizes", default="1e5,1e7,5e8", metavar="N,N", help="nonzeros, ascending (default 1e5,1e7,5e8)")
    parser.add_argument("--folder", default="dualgap-scaling", metavar="DIR", help="where the data are (default dualgap-scaling)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="write scaling.json and scaling.md there")
    parser.add_argument("--in-memory", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--from-disk", metavar="DIR", help=argparse.SUPPRESS)
    given = parser.parse_args()
    for measure, folder in ((in_memory, given.in_memory), (from_disk, given.from_disk)):
        if folder:
            print(json.dumps(measure(folder)))
            return 0
    pathlib.Path(given.folder).mkdir(parents=True, exist_ok=True)
    rows = []
    for size in given.sizes.split(","):
        folder = pathlib.Path(given.folder) / size
        make(folder, int(float(size)))
        rows += common.in_processes(1, "--in-memory", str(folder))
    disk = common.in_processes(1, "--from-disk", str(folder))[0]
    slower = max(rows[-1][f"{name}, blocks (ns)"] / rows[0][f"{name}, blocks (ns)"] for name in METHODS)
    readings = disk["pass (s)"] / disk["reading (s)"]
    within = slower <= SLOWER and rows[-1]["memory"] <= 1 and readings <= READINGS and disk["largest share"] <= SHARE
    if given.json:
        print(json.dumps({"within": within, "slower": slower, "readings": readings, "rows": rows, "disk": disk}))
    else:
        print(common.table(rows), common.table([disk]), sep="\n")
        print(f"order blocks, largest over smallest: {slower:.2f} (limit {SLOWER})\npass over reading: {readings:.2f} (limit {READINGS})")
    if given.out is not None:
        common.write("scaling", rows, given.out)
        common.write("scaling-disk", [disk], given.out)
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
