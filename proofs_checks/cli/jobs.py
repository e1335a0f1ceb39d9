"""The option ``--jobs`` of every command that works in processes (``claims.parallel``)."""

from argparse import ArgumentParser


def add_jobs(command: ArgumentParser, things: str) -> None:
    """--jobs N, as ``claims.parallel.usable`` takes it."""
    words = f"{things} at a time, each in a process (default 0: one for each usable core); more than one needs joblib"
    command.add_argument("--jobs", metavar="N", type=int, default=0, help=words)
