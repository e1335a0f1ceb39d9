"""Output of a running command: tables, progress, and the line that refuses bad input.

Standard output carries results, standard error carries progress and refusals. What is not ours passes through
``screen``.
"""

import math
import os
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dualgap.proofs_checks.claims.strict_json import json_text
from dualgap.proofs_checks.report.screen import line, note, say

FAILED, USAGE = 1, 2  # exit statuses
# Address space: solve on three rows with an empty kernel cache peaks at 472 MiB with one thread of OpenBLAS and at 554
# MiB with two.
LEAST, LEAST_OF_A_THREAD = 480 * 2**20, 96 * 2**20

Advance = Callable[[str, int, int], None]


class Refused(Exception):
    """Bad input: the message is the one line that the user sees; the exit status is 2."""


class Ended(Exception):
    """The command cannot go on, through no fault of its input or ours: one line is shown, exit status 1."""


@contextmanager
def input_errors() -> Iterator[Callable[[], None]]:
    """Turn an error of the input into Refused. Outside such a block an exception is a bug and keeps its traceback.

    The block is given a function that shuts validation: what is raised after its call is a bug too, except for
    InputChanged.
    """
    inside = False

    def commit() -> None:
        nonlocal inside
        inside = True

    try:
        yield commit
    except (ValueError, OSError, RecursionError) as error:
        from dualgap.reference.problem.validate import InputChanged

        if inside and not isinstance(error, InputChanged):
            raise
        deep = "folders or values stand too deep in one another: " if isinstance(error, RecursionError) else ""
        raise Refused(printable(f"{deep}{error}", beyond_ascii=True)) from error


def printable(text: str, beyond_ascii: bool = False) -> str:
    r"""An untrusted text on one line, with single blanks and without control characters, which could rewrite the lines
    above it.

    beyond_ascii : keep other letters, for a stream that writes what it cannot encode as escapes, as standard error
        does.

    >>> printable("a port\n\x1b[2K pass")
    'a port \\x1b[2K pass'
    """
    plain = line(" ".join(text.split()))
    return plain if beyond_ascii else plain.encode("ascii", "backslashreplace").decode("ascii")


@contextmanager
def one_line_warnings(command: str) -> Iterator[list[str]]:
    """Print what could not be written as one line of standard error; all other warnings as they come.

    The list has the messages about requested files (``FileNotWritten``).
    """
    from dualgap.reference.problem.validate import FileNotWritten, NotWritten

    lost: list[str] = []

    with warnings.catch_warnings():
        warnings.simplefilter("default", NotWritten)
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if issubclass(category, FileNotWritten):
                lost.append(str(message))
            if issubclass(category, NotWritten):
                note("{}: warning: {}", command, " ".join(str(message).split()))
            else:
                before(message, category, *where)

        warnings.showwarning = show  # type: ignore[assignment]
        yield lost


def out_of_memory(error: MemoryError) -> str:
    """Return one line about it."""
    said = " ".join(str(error).split())
    return (
        f"out of memory{f' ({said})' if said else ''}; take smaller data, or map them: dualgap new data FILE --map DIR"
    )


def too_little() -> str:
    """Return one line if this process may have less memory than compiled code needs, "" otherwise.

    It must be printed before scipy and LLVM are loaded: with too little memory OpenBLAS retries its allocation for
    ever, and LLVM aborts.
    """
    if sys.platform != "linux":  # elsewhere the limit is not there, or not enforced
        return ""
    import resource

    limit, given = resource.getrlimit(resource.RLIMIT_AS)[0], os.environ.get("OPENBLAS_NUM_THREADS", "")
    # 64: as it is built into numpy and scipy
    threads = min(int(given) if given.isdecimal() and int(given) else os.cpu_count() or 1, 64)
    needed = LEAST + threads * LEAST_OF_A_THREAD
    if limit == resource.RLIM_INFINITY or limit >= needed:
        return ""
    fewer = (
        f", or set OPENBLAS_NUM_THREADS=1, with which {-(-(LEAST + LEAST_OF_A_THREAD) // 10**6)} MB suffice"
        if threads > 1
        else ""
    )
    return (
        f"out of memory: this process may have {limit // 10**6} MB (ulimit -v), and compiled code needs"
        f" {-(-needed // 10**6)} MB; raise the limit{fewer}"
    )


def print_json(value: object) -> None:
    """Print one JSON object on standard output; numbers that are not finite become null, because JSON cannot hold
    them."""
    print(json_text(value), end="")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their columns, aligned by spaces, nothing cut or wrapped."""
    columns, rows = [line(name) for name in columns], [[line(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in (columns, *rows)) for k in range(len(columns))]
    for row in (columns, ["-" * width for width in widths], *rows):
        say("{}", "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values, one pair a line, the values aligned."""
    shown = [(line(name), line(value)) for name, value in pairs]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        say("{}", f"{name.ljust(width)}  {value}".rstrip())


def print_lines(lines: Iterable[str]) -> None:
    """Print texts, one a line."""
    for text in lines:
        say("{}", text)


def print_block(text: str) -> None:
    """Print several lines, such as a traceback, behind a margin: none is taken for a line of ours."""
    for text_line in text.splitlines():
        say("  | {}", text_line)


@contextmanager
def progress() -> Iterator[Advance]:
    """Yield advance(name, done, total): a line of standard error for each name; on a terminal one, as in ``ticker``."""
    if not sys.stderr.isatty():
        yield lambda name, done, total: note("[{}/{}] {}", done + 1, total, name)
        return
    with ticker() as tick:
        yield lambda name, done, total: tick(f"[{done + 1}/{total}] {name}")


@contextmanager
def ticker() -> Iterator[Callable[[str], None]]:
    """Yield tick(text): one line of standard error, rewritten up to ten times a second; silent without a terminal."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    last = -math.inf

    def tick(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= 0.1:
            last = time.monotonic()
            _over(line(text))

    try:
        yield tick
    finally:
        _over("")


def _over(text: str) -> None:
    """Write over the last line of standard error; what does not fit is cut, because a second line would stay."""
    shown = text[: shutil.get_terminal_size().columns - 1]
    getattr(sys.stderr, "draw", sys.stderr.write)(f"\r\x1b[2K{shown}")
    sys.stderr.flush()
