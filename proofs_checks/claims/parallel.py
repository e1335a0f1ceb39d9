"""Run work in parallel: in processes of this machine, or on the backend of ``joblib.parallel_config`` (a Dask or Ray
cluster).

Work is divided into batches. One process handles a batch, item after item, so that its items can share what is
expensive to make. Results arrive in any order, each with its number, and the caller sorts them.

A process of this machine writes every result atomically to a file of a temporary folder, and the parent reads it there.
An interrupt, or a process that ends (no memory, a signal), loses no finished result. Items whose process ended are run
once more, each alone; an item that ends its process again is ``Lost``. When the parent ends, for whatever reason, its
processes end too and their folder is removed.
"""

import contextlib
import importlib.util
import os
import pickle
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.plugins import load, loaded

Item = TypeVar("Item")
Value = TypeVar("Value")
Work = Callable[[Sequence[Any]], Iterator[Any]]  # a generator: one result for each item of a batch, in their order
Batch = tuple[int, ...]  # numbers of items
LOOK = 0.05  # seconds between two looks at what is finished
_ONE_THREAD = threading.Lock()


class Started(NamedTuple):
    """A process has started on the item."""

    number: int


class Finished(NamedTuple):
    """The item's result."""

    number: int
    result: Any


class Lost(NamedTuple):
    """There is no result: the process that worked at the item has ended, twice."""

    number: int
    reason: str


Event = Started | Finished | Lost


def usable(jobs: int | None) -> int:
    """Return the number of processes for ``jobs``. None is the setting of ``joblib.parallel_config``, or one; 0 is all
    usable cores.

    Raises ValueError for a negative number, and for more than one without joblib.
    """
    if jobs is not None and jobs < 0:
        raise ValueError(f"jobs must be a whole number >= 0, where 0 means one for each usable core (got {jobs})")
    if importlib.util.find_spec("joblib") is None:
        if jobs is not None and jobs > 1:
            raise ValueError(
                f'{jobs} jobs at a time need joblib, which is not installed: pip install "dualgap[cli]"; or take'
                " one job"
            )
        return 1
    if jobs == 1 or (jobs is None and "joblib" not in sys.modules):
        return 1
    from joblib import cpu_count, effective_n_jobs

    return int(cpu_count() if jobs == 0 else effective_n_jobs(cast(Any, None)) if jobs is None else jobs)


def on_cluster() -> bool:
    """Return whether ``joblib.parallel_config`` names other machines: neither threads nor processes of this one."""
    if "joblib" not in sys.modules:  # then it cannot have been called
        return False
    from joblib.parallel import get_active_backend

    backend = get_active_backend()[0]
    local = getattr(backend, "supports_sharedmem", False) or type(backend).__module__ == "joblib._parallel_backends"
    return not local


def sendable(value: object) -> bool:
    """Return whether another process can be given the value."""
    from joblib import wrap_non_picklable_objects

    try:
        pickle.dumps(wrap_non_picklable_objects(value))
    except Exception:  # a user's object may raise anything when it is pickled
        return False
    return True


class SideBySide:
    """Batches of items, worked at by ``jobs`` processes, or on the cluster of ``joblib.parallel_config``.

        with SideBySide(work, items, batches, jobs) as running:
            for event in running.events():
                ...

    Parameters
    ----------
    work : ``work(items)`` yields one result for each item of a batch; a function, or an object, that can be sent.
    items : what can be sent; an event tells the number of its item.
    batches : numbers of items, the longest batches first.
    jobs : at least 1, which is this process itself.
    """

    def __init__(self, work: Work, items: Sequence[Any], batches: Sequence[Batch], jobs: int) -> None:
        self.work, self.items, self.jobs = work, items, jobs
        self.batches = [batch for batch in batches if batch]
        self._seen: set[str] = set()
        self._started: dict[int, None] = {}
        self._finished: set[int] = set()
        self._executor: Any = None
        self._pending: set[Any] = set()

    def __enter__(self) -> "SideBySide":
        self._temporary = temporary_folder()
        self._own = self._temporary.__enter__()  # of the processes' temporary files
        self._folder = self._own / "results"
        self._folder.mkdir()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._temporary.__exit__(None, None, None)

    def events(self) -> Iterator[Event]:
        """Yield events until every item is finished or lost. Errors of ``work`` outside its items are raised."""
        yield from self._on_cluster() if on_cluster() else self._alone() if self.jobs == 1 else self._on_this_machine()

    def stop(self) -> Iterator[Event]:
        """End all processes and return the finished results that were not returned yet."""
        self._end()
        yield from self._told()

    def _alone(self) -> Iterator[Event]:
        """All batches in this process."""
        for batch in self.batches:
            results = self.work([self.items[number] for number in batch])
            for number in batch:
                yield Started(number)
                yield Finished(number, next(results))

    # -- a cluster -----------------------------------------------------------------------------------------------------

    def _on_cluster(self) -> Iterator[Event]:
        from joblib import Parallel, delayed
        from joblib.parallel import get_active_backend

        unordered = getattr(get_active_backend()[0], "supports_return_generator", False)
        options: dict[str, Any] = {"return_as": "generator_unordered" if unordered else "list", "batch_size": 1}
        pool: Any = Parallel(**options)
        for batch, results in pool(
            delayed(_whole)(self.work, batch, [self.items[k] for k in batch]) for batch in self.batches
        ):
            yield from map(Finished, batch, results)

    # -- this machine --------------------------------------------------------------------------------------------------

    def _on_this_machine(self) -> Iterator[Event]:
        """All batches; after a process has ended those that are left, and at last alone what was being worked at."""
        left, suspects, broken = self.batches, dict[int, str](), ""
        while left:
            broken = yield from self._through(left, self.jobs)
            working = [number for number in self._started if number not in self._finished]
            known = self._finished.union(suspects, working)
            suspects |= dict.fromkeys(working, broken)
            remaining = [tuple(number for number in batch if number not in known) for batch in left]
            if broken and not working:  # they end before they have begun
                suspects |= {number: broken for batch in remaining for number in batch}
            left = [batch for batch in remaining if batch] if broken and working else []
        for number, first in suspects.items():
            if again := (yield from self._through([(number,)], 1)):
                yield Lost(number, f"the process that worked at it has ended twice: {first}, then {again}")

    def _through(self, batches: Sequence[Batch], jobs: int) -> Generator[Event, None, str]:
        """Work through batches; returns "", or how a process has ended before they were through."""
        from concurrent.futures import FIRST_COMPLETED, wait

        from joblib.externals.loky import BrokenProcessPool, ProcessPoolExecutor

        self._started.clear()
        # The executor starts a helper, which lets interrupts in again.
        self._executor = ProcessPoolExecutor(
            min(jobs, len(batches)), initializer=_tied, initargs=(os.getpid(), str(self._own))
        )
        with _interrupts_held():
            pending = self._pending = {
                self._executor.submit(_into_folder, str(self._folder), self.work, batch, [self.items[k] for k in batch])
                for batch in batches
            }
        broken = ""
        while pending and not broken:
            done, pending = wait(pending, LOOK, FIRST_COMPLETED)
            yield from self._told()
            try:
                for future in done:
                    for number, result in future.result().items():
                        self._finished.add(number)
                        yield Finished(number, result)
            except BrokenProcessPool as error:
                broken = _how(error)
        self._end()
        yield from self._told()
        return broken

    def _told(self) -> Iterator[Event]:
        """The new entries of the folder: the start of an item, then its result."""
        names = {path.name for path in self._folder.iterdir() if path.suffix != ".part"}
        done = {Path(name).stem for name in names if name.endswith(".done")}

        def in_order(name: str) -> tuple[bool, str, bool]:
            """Yield the finished items first, each after its own start; then those that still run."""
            return Path(name).stem not in done, Path(name).stem, name.endswith(".done")

        for name in sorted(names - self._seen, key=in_order):
            number = int(name.partition(".")[0])
            self._seen.add(name)
            if name.endswith(".started"):
                self._started[number] = None
                yield Started(number)
            else:
                path = self._folder / name
                result = pickle.loads(path.read_bytes())
                path.unlink()
                path.with_suffix(".started").unlink(missing_ok=True)
                self._finished.add(number)
                yield Finished(number, result)

    def _end(self) -> None:
        """End the processes, whatever they do, and those that they have started.

        They are killed before the executor is shut down: it then tells so to all who wait, where one that is shut down
        while work is waiting stumbles over it in a thread.
        """
        executor, self._executor = self._executor, None
        if executor is None:
            return
        from concurrent.futures import wait

        from joblib.externals.loky.backend.utils import kill_process_tree

        if not all(future.done() for future in self._pending):
            for process in list((executor._processes or {}).values()):
                with contextlib.suppress(OSError):
                    kill_process_tree(process)
            wait(self._pending, 10)
        executor.shutdown(wait=True, kill_workers=True)


@dataclass(frozen=True)
class Each:
    """Work whose items are arguments of one function; other people's packages are there when it is called."""

    function: Callable[[Any], Any]
    plugins: tuple[str, ...] = field(default_factory=loaded)

    def __call__(self, items: Sequence[Any]) -> Iterator[Any]:
        load(self.plugins)
        for item in items:
            yield self.function(item)


def in_order(
    function: Callable[[Item], Value], items: Sequence[Item], jobs: int | None, watch: Callable[[Item, int], None]
) -> list[Value]:
    """[function(item) for item in items], ``jobs`` at a time (``usable``).

    watch : called with an item that is begun (on a cluster: finished), and the number of those that are finished.

    Raises RuntimeError: the process that worked at an item has ended, twice.
    """
    found: dict[int, Value] = {}
    far = on_cluster()
    with SideBySide(Each(function), items, [(number,) for number in range(len(items))], usable(jobs)) as running:
        for event in running.events():
            if isinstance(event, Lost):
                raise RuntimeError(f"{items[event.number]}: {event.reason}")
            if isinstance(event, Started) or far:
                watch(items[event.number], len(found))
            if isinstance(event, Finished):
                found[event.number] = event.result
    return [found[number] for number in range(len(items))]


def _whole(work: Work, batch: Batch, items: Sequence[object]) -> tuple[Batch, list[object]]:
    """Do the work of a cluster's worker. Its threads share one interpreter and its settings, so only one works at a
    time."""
    with _ONE_THREAD:
        return batch, list(work(items))


def _tied(parent: int, folder: str) -> None:
    """Prepare a process of this machine: it ends with its parent, and puts its temporary files in ``folder``."""
    tempfile.tempdir = folder
    if sys.platform == "linux":  # the system does it, even while compiled code runs
        import ctypes

        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
    elif hasattr(os, "getppid"):
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if hasattr(os, "getppid") and os.getppid() != parent:
        os._exit(1)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _into_folder(folder: str, work: Work, batch: Batch, items: Sequence[object]) -> dict[int, object]:
    """Do the work of a process of this machine. Return the results that it could not write because the disk is full."""
    results, unwritten = work(items), {}
    for number in batch:
        path = Path(folder, f"{number}.done")
        part = path.with_suffix(".part")
        with contextlib.suppress(OSError):
            path.with_suffix(".started").touch()
        result = next(results)
        try:
            part.write_bytes(pickle.dumps(result))
            part.replace(path)
        except OSError:
            unwritten[number] = result
    return unwritten


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started here never see Ctrl-C, which a terminal sends to all: the parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _how(error: Exception) -> str:
    """Describe how a process ended, on one line: "SIGKILL(-9)", or joblib's message."""
    codes = re.search(r"exit codes of the workers are \{(.*)\}", str(error))
    return codes.group(1) if codes else " ".join(str(error).split())[:200]
