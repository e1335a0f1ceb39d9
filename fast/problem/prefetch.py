"""Asking the memory for a row before its turn comes.

The choices of a pass are drawn before the pass, so that a kernel knows which rows are next. A random row lies in no
cache, and the processor cannot guess it: without help a step waits for memory several times (for the offsets, then
for the columns and the values). A prefetch is a hint without a result; it changes no bit, and cannot fail, whatever
its address. Measured on unit rows of 14, 69 and 163 entries in random order, SDCA: 51 to 36, 330 to 160 and 480 to
250 ns a row, about what rows in the order of storage take; 20,000 dense rows of 50, SDCA: 360 to 180 ns.
"""

import numpy as np

from dualgap.fast.compiler.first_calls import quick
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.memory_hint import prefetch
from dualgap.fast.problem.rows import DENSE, ONE, SPARSE, beyond, bounds, column, inner_in_python, value

# steps; on rows of 14 that lie in no cache 2 took a tenth longer and 6 a third, elsewhere it matters little
DISTANCE = 4
LONGEST = 256  # entries prefetched of a row; beyond, the processor has noticed that it is read in order
LINE = 16  # 4-byte columns in a line of the cache

# Unsigned, as are columns and offsets: for signed places numba adds a test for negative ones.
HALF, WHOLE, MOST = np.uint64(LINE // 2), np.uint64(LINE), np.uint64(LONGEST)


@kernel
def fetch_entry(rows, place):
    """Prefetch the cache line with an entry. Here and below, a Gathered is not prefetched."""
    if len(rows) == SPARSE:
        prefetch(rows.indices, place)
        prefetch(rows.data, place)
    elif len(rows) == DENSE:
        prefetch(rows.X, place)


@kernel
def fetch_line(rows, place):
    """Ask for the columns and the values of the LINE entries from ``place`` on."""
    fetch_entry(rows, place)
    if len(rows) == SPARSE:
        prefetch(rows.data, place + HALF)
    elif len(rows) == DENSE:
        prefetch(rows.X, place + HALF)


@kernel
def places_to_fetch(rows, i):
    """The first prefetched place of row i, and the one after the last, in the memory of all rows."""
    if len(rows) == SPARSE:
        first, end = bounds(rows, i)
    elif len(rows) == DENSE:
        d = np.uint64(rows.X.shape[1])
        first, end = i * d, i * d + d
    else:
        first, end = ONE, ONE
    return first, min(end, first + MOST)


@kernel(inline=True)
def fetch_row(rows, i):
    """Ask for the columns and the values of row i, whose offsets should be at hand."""
    place, last = places_to_fetch(rows, i)
    fetch_entry(rows, last - ONE)
    while place < last:
        fetch_line(rows, place)
        place = place + WHOLE


@kernel(inline=True)
def fetch_ahead(rows, choices, t, y, alpha):
    """At step t, ask for the row of step t + DISTANCE and for the numbers of the row of step t + 2 DISTANCE.

    Returns the latter row, unsigned, for numbers that only the caller has.
    """
    fetch_row(rows, np.uint64(choices[min(t + DISTANCE, choices.size - 1)]))
    return fetch_numbers(rows, choices, t, choices.size - 1, y, alpha)


@kernel(inline=True)
def fetch_numbers(rows, choices, t, last, y, alpha):
    """Ask for the numbers of the row of step t + 2 DISTANCE, or of step ``last`` if that is earlier; that row,
    unsigned.
    """
    far = np.uint64(choices[min(t + 2 * DISTANCE, last)])
    fetch_start(rows, far)
    prefetch(y, far)
    prefetch(alpha, far)
    return far


@kernel
def fetch_start(rows, i):
    """Ask for the number that says where row i is."""
    if len(rows) == SPARSE:
        prefetch(rows.indptr, i)


@kernel(inline=True)
def inner_fetching(rows, i, v, limits, ahead):
    """``rows.inner`` of row i, asking for row ``ahead`` on the way.

    A sum waits for its own additions, three or four cycles an entry, and the requests fill that time; made all at once
    before it they wait for each other (a tenth of the time of a pass with 163 entries a row).
    """
    z = 0.0
    place, end = bounds(rows, i)
    line, last = places_to_fetch(rows, ahead)
    fetch_entry(rows, last - ONE)
    while place < end:
        if line < last:
            fetch_line(rows, line)
            line = line + WHOLE
        stop = min(end, place + WHOLE)
        while place < stop:
            w_j = v[column(rows, place)]
            if limits.low != 0.0:
                w_j = beyond(w_j, limits)
            z = z + value(rows, i, place) * w_j
            place = place + ONE
    while line < last:
        fetch_line(rows, line)
        line = line + WHOLE
    return z


@quick(inner_fetching)
def inner_without_fetching(rows, i, v, limits, ahead):
    return inner_in_python(rows, i, v, limits)


@quick(fetch_numbers)
def no_numbers(rows, choices, t, last, y, alpha):
    return choices[min(t + 2 * DISTANCE, last)]
