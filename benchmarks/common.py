"""What the benchmarks share: one thread, CPU time, the floor of a pass, fresh processes, options, tables and files.

A benchmark measures in separate processes (``in_processes``), for which the thread variables are set before Python
starts: a library that is already loaded no longer looks at them. The times are CPU seconds, the tasks take turns, so
that a busy moment hits all of them, and the least of many repetitions counts; of several processes, the median.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Hashable
from importlib.metadata import distributions, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # nothing here may import numpy
    from dualgap.fast.data.dataset import Dataset as Dataset
    from dualgap.fast.problem.arrays import Array as Array
    from dualgap.reference import Problem as Problem

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "cyanure",
    "celer",
    "skglm",
    "glum",
    "rehline",
)  # what others' times depend on

Name = TypeVar("Name", bound=Hashable)
Record = dict[str, Any]  # a JSON object
Rows = list[Record]
Task = Callable[[], Callable[[], object]]  # makes what is to be timed ready, without being timed, and returns it


# -- one thread, fresh processes ----------------------------------------------------------------------------


def fix_threads() -> None:
    """One thread for this process and its children; to be called before numpy is imported."""
    late = "numpy" in sys.modules and any(os.environ.get(name) != "1" for name in THREADS)
    if late:
        raise RuntimeError(
            f"numpy was imported with another number of threads; set {'=1 '.join(THREADS)}=1 before Python starts"
        )
    os.environ.update(dict.fromkeys(THREADS, "1"))


def in_processes(count: int, *arguments: str) -> list[Record]:
    """Run this script again, ``count`` times in turn, with these arguments and on one thread: what each printed, as
    JSON.
    """
    script = str(Path(sys.argv[0]).resolve())
    environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
    found = []
    for _ in range(count):
        run = subprocess.run(
            [sys.executable, script, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        found.append(json.loads(run.stdout))
    return found


def median_of(processes: list[Rows], *measured: str) -> Rows:
    """The rows of the first process, each measured column being the median over the processes."""
    rows = [dict(row) for row in processes[0]]
    for k, row in enumerate(rows):
        row.update({name: statistics.median(process[k][name] for process in processes) for name in measured})
    return rows


# -- times --------------------------------------------------------------------------------------------------


def cpu_seconds(run: Callable[[], object]) -> float:
    """CPU time of one call."""
    started = time.process_time()
    run()
    return time.process_time() - started


def best_of(tasks: dict[Name, Task], repetitions: int = 20) -> dict[Name, float]:
    """The least CPU time of each task over all repetitions; the tasks take turns."""
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(repetitions):
        for name, task in tasks.items():
            best[name] = min(best[name], cpu_seconds(task()))
    return best


def floor(X: Any) -> Task:
    """The two products that any pass must make, ``X @ w`` and ``X.T @ a``, as scipy makes them."""
    import numpy as np

    rng = np.random.default_rng(0)
    w, a, XT = rng.standard_normal(X.shape[1]), rng.standard_normal(X.shape[0]), X.T

    return lambda: lambda: (X @ w, XT @ a)


# -- data ---------------------------------------------------------------------------------------------------


def data(text: str) -> "Dataset":
    """The Dataset that ``text`` names, with unit rows: a name of ``dualgap new data``, or PATH or PATH:POSITIVE LABELS.

    The positive labels are as in ``dualgap solve --positive``: ``sector.scale.xz:53..105``.
    """
    from dualgap.fast.data.load import load, prepare

    path, colon, positive = text.rpartition(":")
    if colon and Path(path).is_file():
        return prepare(load(path), positive=positive, unit_rows=True)
    return prepare(load(text), unit_rows=True)


# -- results ------------------------------------------------------------------------------------------------


def circumstances() -> dict[str, object]:
    """What the numbers depend on: the day, versions, processor, threads, and how busy the machine was."""
    from dualgap.fast.compiler.kernel import environment

    found = {name: version(name) for name in PACKAGES if installed(name)}
    known = {name: told for name, told in environment().items() if name != "cache_folder"}  # a path of this machine
    return {
        **known,
        **found,
        "date": time.strftime("%Y-%m-%d"),
        "threads": os.environ.get("NUMBA_NUM_THREADS"),
        "load": os.getloadavg()[0],
    }


def installed(package: str) -> bool:
    """Whether a distribution of that name is installed."""
    return any(True for _ in distributions(name=package))


def table(rows: Rows) -> str:
    """The rows as a table in Markdown; floats with three digits."""
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([_text(row[name]) for name in names] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def parser(text: str | None) -> argparse.ArgumentParser:
    """A parser with the options of all benchmarks, described by the first paragraph of ``text``."""
    found = argparse.ArgumentParser(description=(text or "").split("\n\n")[0], allow_abbrev=False)
    found.add_argument("--out", type=Path, metavar="DIR", help="write the tables there (JSON, Markdown)")
    found.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")
    return found


def report(given: argparse.Namespace, name: str, tables: dict[str, Rows], within: bool = True) -> int:
    """Print the tables, as Markdown or JSON, and write them; the exit status is 1 if some limit is missed.

    The files are NAME.json and NAME.md for the first table, NAME-KEY.json and NAME-KEY.md for each further one.
    """
    facts = {"schema": 1, "environment": circumstances(), "within": within, **tables}
    print(json.dumps(facts) if given.json else "\n".join(map(table, tables.values())))
    if given.out is not None:
        for number, (key, rows) in enumerate(tables.items()):
            write(f"{name}-{key}" if number else name, rows, given.out)
    return 0 if within else 1


def write(name: str, rows: Rows, folder: Path) -> None:
    """Write NAME.json and NAME.md."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = {"schema": 1, "environment": circumstances(), "rows": rows}
    (folder / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(table(rows), encoding="utf-8")
