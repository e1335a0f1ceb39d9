"""The options ``--jobs`` and ``--dask`` of every command that works in processes (``claims.parallel``)."""

import contextlib
import importlib.util
from argparse import ArgumentParser
from collections.abc import Iterator

from dualgap.proofs_checks.cli.numbers import whole


def add_jobs(command: ArgumentParser, things: str, default: int = 0) -> None:
    """--jobs N, as ``claims.parallel.usable`` takes it."""
    meaning = "default 0: one for each usable core" if default == 0 else f"default {default}; 0: one for each usable core"
    words = f"{things} at a time, each in a process ({meaning}); more than one needs joblib"
    command.add_argument("--jobs", metavar="N", type=whole, default=default, help=words)


def add_dask(command: ArgumentParser, things: str) -> None:
    """--dask ADDRESS, as ``on_dask`` takes it; the number of jobs is then that of the workers."""
    words = f"{things} on the Dask cluster of that scheduler, whatever --jobs says (docs/clusters.md)"
    command.add_argument("--dask", metavar="ADDRESS", help=words)


@contextlib.contextmanager
def on_dask(address: str | None) -> Iterator[None]:
    """The work of the block goes to the Dask scheduler of that address; for None, where it would have gone.

    Raises ValueError without distributed, and where no scheduler answers.
    """
    if address is None:
        yield
        return
    if importlib.util.find_spec("joblib") is None:
        raise ValueError('a Dask cluster needs joblib, which is not installed: pip install "dualgap[cluster]"')
    from joblib import parallel_config

    from dualgap.fast.solver.cluster.reach import connected

    with connected(address), parallel_config(backend="dask"):
        yield
