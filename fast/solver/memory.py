"""Check before a run that it fits into memory, because a system may kill a process rather than refuse memory."""

import os

from dualgap.reference import Method, all_methods
from dualgap.reference.problem.problem import Problem

ALWAYS = 2**26  # bytes for which the system is not asked: to ask costs as much as a certificate of few rows
LIMIT_OF_GROUP = "/sys/fs/cgroup/memory.max"  # of a container


def available() -> int | None:
    """Bytes that this process can still have, swap space included; None if the system does not tell.

    >>> available() is None or available() > 0
    True
    """
    told = {}
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            for line in file:
                name, _, value = line.partition(":")
                told[name] = int(value.split()[0]) * 1024
        free = told["MemAvailable"] + told.get("SwapFree", 0)
    except (OSError, ValueError, LookupError):
        return _physical()
    try:
        with open(LIMIT_OF_GROUP, encoding="ascii") as file:
            return min(free, int(file.read()))
    except (OSError, ValueError):  # no group, or "max"
        return free


def _physical() -> int | None:
    """The memory of the machine."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def needed(problem: Problem, method: str = "sdca") -> int:
    """Bytes of the vectors that a run of the method keeps, and of its matrix, such as that of Newton's.

    >>> from dualgap.reference import L2, Squared
    >>> problem = Problem([[1.0], [2.0]], [1, -1], Squared(), L2(1))
    >>> needed(problem), needed(problem, "newton")
    (296, 1328)
    """
    kind = all_methods().get(method, Method)  # a method that is not registered keeps no matrix
    (of_d, of_n), n = kind.vectors_kept, 0 if problem.rows_elsewhere else problem.n
    return 8 * (of_d * problem.d + of_n * n + int(kind.matrix_numbers(problem)))


def fits(problem: Problem, method: str) -> bool:
    """Return whether a run of that method fits into the memory that is free, as far as the system tells."""
    bytes_needed = needed(problem, method)
    free = available() if bytes_needed > ALWAYS else None
    return free is None or bytes_needed <= free


def require_memory(problem: Problem, method: str = "sdca") -> None:
    """Raise ValueError if what a run of that method keeps would not fit: one large column number in a small file is
    enough.
    """
    if fits(problem, method):
        return
    kind, bytes_needed, free = all_methods().get(method, Method), needed(problem, method), available() or 0
    kept = "{} vectors of d and {} of n numbers".format(*kind.vectors_kept)
    kept += ", and a matrix" if kind.matrix_numbers(problem) else ""
    remedy = "take a larger machine"
    if kind.vectors_kept != Method.vectors_kept:
        remedy += ", or method sdca"
    if problem.d > problem.n:
        remedy = f"number the columns that occur 1, 2, 3, ..., or {remedy}"
    raise ValueError(
        f"X has n = {problem.n} rows and d = {problem.d} columns: a run of method {method} keeps about {kept},"
        f" {bytes_needed / 1e9:.1f} GB in all, and {free / 1e9:.1f} GB of memory are free; {remedy}"
    )
