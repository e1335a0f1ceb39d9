"""Test whether compiled code is bit-identical to Python on this machine, in sums of products and in the functions of
``compiler.probe``.

Python rounds x * y and then the sum. A fused multiply-add rounds once: other bits, if better ones. LLVM fuses only what
the code allows it to, and no kernel allows it (``compiler.kernel``); on arm64, POWER and RISC-V, where the instruction
is always there, and on x86-64 with FMA3 everything rests on this one rule. So it is looked at, not believed. What
follows from it: ``docs/machines.md``.
"""

import functools
from collections.abc import Callable

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.probe import probe
from dualgap.fast.problem.arrays import Array

ARGUMENTS = 66  # more than any vector unit takes at once, and a remainder for the loop after it


def same_bits(*functions: str) -> bool:
    """Return whether compiled code gives Python's bits here: nothing is fused, and none of these functions differs.

    Parameters
    ----------
    functions : names in ``compiler.PROBED``; none for + - * / alone.

    Raises
    ------
    KeyError
        A function that is not probed.

    Examples
    --------
    >>> same_bits("sqrt") == same_bits() == (contractions() == 0)
    True
    """
    counts = probe()
    return not any([contractions(), *(counts[name] for name in functions)])


@functools.cache
def contractions() -> int:
    """Return the number of sums of products, out of 4 ``ARGUMENTS``, that compiled code rounds differently from Python:
    0 unless it fuses them."""
    return differences(_sums)


def differences(evaluate: Callable[..., object]) -> int:
    """Return the number of results of ``evaluate`` whose bits differ from those of plain Python in ``_sums``.

    Each product is taken from its own rounded value, in three orders: rounded twice that leaves 0, fused it leaves the
    rounding error, which is never 0: |x y| = 1 + 3k 2^-30 + k^2 2^-59 with k odd. And all are summed up, as an inner
    product is, with alternating signs, so that the sum stays small enough for a rounding error of a product to show.
    """
    k = 2.0 * np.arange(ARGUMENTS) + 1.0
    x, y = 1.0 + k * 2.0**-30, (1.0 + k * 2.0**-29) * np.where(k % 4 == 1, 1.0, -1.0)
    expected, found = np.empty((4, ARGUMENTS)), np.empty((4, ARGUMENTS))
    getattr(_sums, "py_func", _sums)(x, y, x * y, expected)
    evaluate(x, y, x * y, found)
    return int(np.sum(expected.view(np.int64) != found.view(np.int64)))


@kernel
def _sums(x: Array, y: Array, product: Array, out: Array) -> None:
    """Plain loops, which LLVM turns into vector code where it can."""
    for i in range(x.size):
        out[0, i] = x[i] * y[i] - product[i]
    for i in range(x.size):
        out[1, i] = product[i] - x[i] * y[i]
    for i in range(x.size):
        out[2, i] = -product[i] + x[i] * y[i]
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
        out[3, i] = total
