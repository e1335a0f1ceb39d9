"""How much faster several threads or processes are: PASSCoDe on threads, sweeps and audits in processes.

    python benchmarks/threads.py [DATA] [--counts 1 2 4 8 16] [--repetitions R] [--audit] [--out DIR] [--json]

A *speed-up* is wall-clock seconds with one over wall-clock seconds with T, each the least of R repetitions in turns;
the speed of one is that of the same code with one, not of the best method. *strangers* is what T unrelated processes
reach, each doing all the work of one: T times the seconds of one over the seconds until all T have ended, the most that
this machine gave at that time. A count beyond the cores that this process may use is not measured, and its row says so.
Audits take a minute a count: only with --audit.
"""

import subprocess
import sys
from collections.abc import Callable
from functools import partial

import common

from dualgap.reference.problem.problem import Problem

common.fix_threads()

COUNTS = (1, 2, 4, 8, 16)
REPETITIONS, PASSES, CELLS = 5, 40, 16
STRANGER = [sys.executable, "-c", "sum(range(2 * 10**7))"]
VARIANTS = ("passcode-lock", "passcode-atomic", "passcode-wild")

Work = Callable[[int], object]  # of a count


def strangers(count: int) -> None:
    """That many processes at a time."""
    for process in [subprocess.Popen(STRANGER) for _ in range(count)]:
        if process.wait() != 0:
            raise RuntimeError("a process that only adds numbers failed")


def passes(problem: Problem, name: str, count: int) -> None:
    """Passes of a PASSCoDe variant on threads."""
    from dualgap.fast import solve

    solve(problem, name, tol=0.0, max_epochs=PASSES, threads=count)


def cells(data: "common.Dataset", count: int) -> None:
    """A sweep over seeds, in processes."""
    from dualgap.fast import sweep
    from dualgap.reference import SmoothedHinge

    sweep(data, SmoothedHinge(), [1e-3], method="sdca", seeds=range(CELLS), tol=0.0, max_epochs=PASSES, jobs=count)


def claims(count: int) -> None:
    """The quick audit, in processes."""
    asked = f"audit --quick --entropy 1 --json --jobs {count}"
    command = [sys.executable, "-m", "dualgap.proofs_checks.cli.main", *asked.split()]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def works(source: str, audit: bool) -> dict[str, Work]:
    """What is timed, by name."""
    from dualgap.reference import L2, Problem, SmoothedHinge

    data = common.data(source)
    problem = Problem(data.X, data.y, SmoothedHinge(), L2(1e-4))
    found: dict[str, Work] = {name: partial(passes, problem, name) for name in VARIANTS}
    found["sweep --jobs"] = partial(cells, data)
    return found | ({"audit --jobs": claims} if audit else {})


def seconds(work: Work, counts: list[int], repetitions: int) -> dict[int, tuple[float, float]]:
    """For each count the least wall-clock seconds of the work, and of strangers, in turns."""
    least = {count: (float("inf"), float("inf")) for count in counts}
    work(1)  # compiles
    for _ in range(repetitions):
        for count in counts:
            own, others = least[count]
            least[count] = (
                min(own, common.wall_seconds(lambda: work(count))),  # noqa: B023
                min(others, common.wall_seconds(lambda: strangers(count))),  # noqa: B023
            )
    return least


def measure(name: str, work: Work, counts: list[int], repetitions: int) -> common.Rows:
    """A row for each count."""
    from dualgap.fast.methods.passcode import usable_cores

    cores = usable_cores()
    found = seconds(work, [count for count in counts if count <= cores], repetitions)
    rows: list[dict[str, object]] = []
    for count in counts:
        row = {"work": name, "count": count}
        row |= dict.fromkeys(("speed-up", "strangers", "seconds", "why not"))
        if count in found:
            own, others = found[count]
            row |= {"speed-up": found[1][0] / own, "strangers": count * found[1][1] / others, "seconds": own}
        else:
            row["why not"] = f"not measured: {cores} cores"
        rows.append(row)
    return rows


def main() -> int:
    parser = common.parser(__doc__, common.RESULTS)
    parser.add_argument(
        "data", nargs="?", default="a9a-like", help="a name of `dualgap new data`, or PATH or PATH:POSITIVE LABELS"
    )
    parser.add_argument("--counts", nargs="+", type=int, default=list(COUNTS))
    parser.add_argument("--repetitions", type=int, default=REPETITIONS)
    parser.add_argument("--audit", action="store_true", help="audits, too")
    given = parser.parse_args()
    counts = sorted({1, *given.counts})
    rows: common.Rows = []
    for name, work in works(given.data, given.audit).items():
        rows += measure(name, work, counts, given.repetitions)
    return common.report(given, "threads", {"rows": rows})


if __name__ == "__main__":
    sys.exit(main())
