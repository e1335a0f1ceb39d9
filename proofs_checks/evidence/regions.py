"""The instances of a level: their sizes, and the regions of interest that none of them reaches."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from dualgap.reference.numbers.arithmetic import Number

Row = Sequence[Number]

LARGE = 10**4  # a ratio of squared norms
SIZES_SHOWN = 6


def dot(a: Row, b: Row) -> Number:
    """The scalar product."""
    return sum(x * y for x, y in zip(a, b))


def pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each two rows that are not 0."""
    return combinations([row for row in rows if any(row)], 2)


def spread(rows: Sequence[Row]) -> bool:
    """Return whether the norms of two rows that are not 0 differ by a factor of 100."""
    norms = [dot(row, row) for row in rows if any(row)]
    return bool(norms) and max(norms) >= LARGE * min(norms)


REGIONS: dict[str, Callable[[Sequence[Row]], bool]] = {
    "a zero row": lambda rows: not all(map(any, rows)),
    "equal rows": lambda rows: any(a == b for a, b in pairs(rows)),
    "parallel rows": lambda rows: any(a != b and dot(a, b) ** 2 == dot(a, a) * dot(b, b) for a, b in pairs(rows)),
    "orthogonal rows": lambda rows: any(dot(a, b) == 0 for a, b in pairs(rows)),
    "norms that differ by a factor of 100": spread,
    "more columns than rows": lambda rows: len(rows[0]) > len(rows),
    "as many rows as columns, at least 3": lambda rows: len(rows[0]) == len(rows) >= 3,
}


def coverage(instances: Iterable[object]) -> dict[str, str]:
    """The sizes and regions of instances with rows: "sizes", "reached" and "never", as text; {} where none has rows."""
    matrices = [
        rows for instance in instances if (rows := getattr(instance, "rows", ())) and len(set(map(len, rows))) == 1
    ]
    if not matrices:
        return {}
    sizes = Counter(f"{len(rows)} x {len(rows[0])}" for rows in matrices)
    counts = {name: sum(map(inside, matrices)) for name, inside in REGIONS.items()}
    shown = [f"{size}: {count}" for size, count in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0]))]
    return {
        "sizes": ", ".join(shown[:SIZES_SHOWN]) + (", ..." if len(shown) > SIZES_SHOWN else ""),
        "reached": ", ".join(f"{name}: {count}" for name, count in counts.items() if count),
        "never": ", ".join(name for name, count in counts.items() if not count),
    }
