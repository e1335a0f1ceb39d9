"""Randomness is data: a choice sequence is an int64 array, made here and handed to a method.

Pass p of seed s comes from ``numpy.random.default_rng([s, p])`` alone, so a run resumes from any pass
without a generator's state. Replay files hold the array itself: numpy does not promise its streams.
"""

from typing import Any

ORDERS = ("uniform", "permuted")


def draw(order: str, n: int, seed: int, epoch: int) -> Any:
    """The choices of one pass: an int64 array of shape (n,) with entries in 0..n-1.

    Parameters
    ----------
    order : "uniform" (independent, with replacement: what the theorems need) or "permuted" (every index once).
    n : number of rows, >= 1.
    seed, epoch : integers >= 0; together they fix the pass.

    >>> sorted(draw("permuted", 4, seed=0, epoch=0).tolist())
    [0, 1, 2, 3]
    """
    import numpy as np

    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)} (got {order!r})")
    generator = np.random.default_rng([seed, epoch])
    if order == "permuted":
        return generator.permutation(n).astype(np.int64, copy=False)
    return generator.integers(n, size=n, dtype=np.int64)


def keeps(n: int, T0: int, seed: int, epoch: int) -> Any:
    """Which updates of a pass keep their state for a random output: a boolean array of shape (n,).

    Update t (counted from 1 over all passes) keeps the state before it with probability 1/(t - T0), for t > T0; the
    first of these always does. The stream is that of (seed, epoch, 1): the indices of the pass do not depend on it.

    >>> keeps(3, 1, seed=0, epoch=0).tolist()[:2]
    [False, True]
    """
    import numpy as np

    age = np.arange(epoch * n, epoch * n + n) + 1 - T0
    return (age >= 1) & (np.random.default_rng([seed, epoch, 1]).random(n) * age < 1)
