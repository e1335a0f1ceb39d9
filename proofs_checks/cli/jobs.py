"""The options ``--jobs`` and ``--dask`` of every command that works in processes (``claims.parallel``)."""

from argparse import ArgumentParser


def add_jobs(command: ArgumentParser, things: str, default: int = 0) -> None:
    """--jobs N, as ``claims.parallel.usable`` takes it."""
    meaning = "default 0: one for each usable core" if default == 0 else f"default {default}; 0: one for each usable core"
    words = f"{things} at a time, each in a process ({meaning}); more than one needs joblib"
    command.add_argument("--jobs", metavar="N", type=int, default=default, help=words)


def add_dask(command: ArgumentParser, things: str) -> None:
    """--dask ADDRESS, as ``claims.parallel.dask`` takes it; the number of jobs is then that of the workers."""
    words = f"{things} on the Dask cluster of that scheduler, whatever --jobs says (docs/clusters.md)"
    command.add_argument("--dask", metavar="ADDRESS", help=words)
