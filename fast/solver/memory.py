"""Whether a run fits into the memory that is there: asked before it starts, since a system may kill rather than refuse."""

import os

from dualgap.reference.problem.problem import Problem

VECTORS = 10  # of d numbers that a run keeps at its peak (docs/big_data.md)
ALWAYS = 2**24  # bytes for which the system is not asked: to ask costs as much as a certificate of few rows
LIMIT_OF_GROUP = "/sys/fs/cgroup/memory.max"  # of a container


def available() -> int | None:
    """Bytes that this process can still have, swap space included; None where the system does not tell.

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


def require_memory(problem: Problem) -> None:
    """Raise ValueError where the vectors of a run would not fit: one large column number in a small file is enough."""
    needed = 8 * VECTORS * problem.d
    free = available() if needed > ALWAYS else None
    if free is not None and needed > free:
        raise ValueError(
            f"X has d = {problem.d} columns: a run keeps about {VECTORS} vectors of that length, {needed / 1e9:.1f} GB, and "
            f"{free / 1e9:.1f} GB of memory are free; number the columns that occur 1, 2, 3, ..., or take a larger machine"
        )
