"""Randomness is data: a choice sequence is an int64 array, made here and handed to a method.

Pass p of seed s comes from ``numpy.random.default_rng([s, p])`` alone (and, for order "blocks", from where the blocks
of rows end, which the data say), so a run resumes from any pass without a generator's state. Replay files hold the
array itself: numpy does not promise its streams.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.validate import require_one_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Choices: TypeAlias = "NDArray[np.int64]"
ORDERS = ("uniform", "permuted", "blocks")


@lru_cache(64)
def one_of(n: int) -> Fraction:
    """1/n, the probability of each of n equally probable choices."""
    return Fraction(1, n)


def draw(order: str, n: int, seed: int, epoch: int, ends: Sequence[int] | None = None, stream: int = 0) -> Choices:
    """The choices of one pass: an int64 array of shape (n,) with entries in 0..n-1.

    Parameters
    ----------
    order : "uniform" (independent, with replacement: what the theorems need), "permuted" (every index once) or "blocks"
        (every index once, block by block: the blocks shuffled, and the rows inside each; for data read from a file).
    n : number of rows, >= 1.
    seed, epoch : integers >= 0; together they fix the pass.
    ends : of order "blocks": where each block of consecutive rows ends, ascending, the last at n
        (``Problem.block_ends``).
    stream : >= 0; of several workers each has its own. Stream 0 draws what [seed, epoch] alone draws.

    >>> sorted(draw("permuted", 4, seed=0, epoch=0).tolist())
    [0, 1, 2, 3]
    >>> drawn = draw("blocks", 4, seed=0, epoch=0, ends=[2, 4]).tolist()
    >>> sorted([sorted(drawn[:2]), sorted(drawn[2:])])
    [[0, 1], [2, 3]]
    """
    import numpy as np

    require_one_of("order", order, ORDERS)
    generator = np.random.default_rng(_seed(seed, epoch, stream))
    if order == "blocks":
        return _draw_blocks(generator, n, ends)
    if order == "permuted":
        return generator.permutation(n).astype(np.int64, copy=False)
    return generator.integers(n, size=n, dtype=np.int64)


def _draw_blocks(generator: "np.random.Generator", n: int, ends: Sequence[int] | None) -> Choices:
    """A permutation of the blocks, and then one of the rows of each, in that order."""
    import numpy as np

    edges = np.array([0, *(() if ends is None else ends)], dtype=np.int64)
    if edges[-1] != n or (edges[1:] <= edges[:-1]).any():
        raise ValueError(f"order blocks needs ends, ascending numbers from 1 to {n}, the last of them {n} (got {ends!r})")
    drawn, filled = np.empty(n, dtype=np.int64), 0
    for block in generator.permutation(len(edges) - 1):
        begin, end = int(edges[block]), int(edges[block + 1])
        drawn[filled : filled + end - begin] = begin + generator.permutation(end - begin)
        filled += end - begin
    return drawn


def draw_local(n: int, rounds: int, steps: int, seed: int, epoch: int, stream: int) -> Choices:
    """Independent uniform rows for so many rounds of local steps: an int64 array of shape (rounds, steps). One round of
    n steps is bit-identical to ``draw("uniform", n, ...)``.

    >>> draw_local(1, rounds=2, steps=3, seed=0, epoch=0, stream=1).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    import numpy as np

    return np.random.default_rng(_seed(seed, epoch, stream)).integers(n, size=(rounds, steps), dtype=np.int64)


def _seed(seed: int, epoch: int, stream: int) -> list[int]:
    """Stream 0 is the pass itself; numpy takes [s, p, 0] for [s, p] only where s < 2^64."""
    return [seed, epoch, stream] if stream else [seed, epoch]


SAMPLINGS = ("subset", "systematic", "partition", "replacement")


def steps_of_pass(n: int, m: int, epoch: int) -> int:
    """The steps of pass ``epoch`` for m rows a step: after p passes ceil(p n/m) steps are made, at least p n rows seen.

    >>> [steps_of_pass(5, 2, epoch) for epoch in range(4)]
    [3, 2, 3, 2]
    """
    return -(-(epoch + 1) * n // m) - -(-epoch * n // m)


def draw_batches(sampling: str, n: int, m: int, seed: int, epoch: int) -> Choices:
    """The mini-batches of one pass: an int64 array of shape (steps_of_pass(n, m, epoch), m), independent rows.

    Parameters
    ----------
    sampling : how one batch K of m rows is drawn, P(i in K) = m/n for every i in the first three:
        "subset": uniform among the m-subsets; "systematic": K = {floor(n (U + j)/m) : j < m}, U uniform on [0, 1);
        "partition": one row of each of m blocks of n/m consecutive rows, for m that divides n;
        "replacement": m independent uniform rows, which may repeat.
    n, m : 1 <= m <= n.

    >>> draw_batches("partition", 4, 2, seed=0, epoch=0).tolist()
    [[1, 3], [1, 2]]
    """
    import numpy as np

    require_batches(sampling, n, m)
    generator, steps = np.random.default_rng([seed, epoch]), steps_of_pass(n, m, epoch)
    if sampling == "replacement" or m == 1:
        return generator.integers(n, size=(steps, m), dtype=np.int64)
    if sampling == "partition":
        return generator.integers(n // m, size=(steps, m), dtype=np.int64) + np.arange(m) * (n // m)
    if sampling == "systematic":  # n U split into a whole part and the order of its fraction: exact in integers
        return (generator.integers(n, size=(steps, 1), dtype=np.int64) + np.arange(m) * n) // m
    drawn = np.empty((steps, m), dtype=np.int64)
    for b in range(m):  # Floyd's algorithm, all steps at once: one of 0 .. n-m+b, and n-m+b itself where that is taken
        row = generator.integers(n - m + b + 1, size=steps, dtype=np.int64)
        drawn[:, b] = np.where((drawn[:, :b] == row[:, None]).any(axis=1), n - m + b, row)
    return drawn


def draw_weighted(weights: Sequence[Number], seed: int, epoch: int) -> Choices:
    """The choices of one pass of n independent rows, row k with probability proportional to its weight: int64, (n,).

    >>> draw_weighted([0.0, 1.0], seed=0, epoch=0).tolist()
    [1, 1]
    """
    import numpy as np

    ends = np.cumsum(np.array(weights, dtype=np.float64))
    drawn = np.random.default_rng([seed, epoch]).random(len(ends)) * ends[-1]
    found: Choices = np.minimum(np.searchsorted(ends, drawn, side="right"), len(ends) - 1).astype(np.int64)
    return found


def batches(sampling: str, n: int, m: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every batch that ``draw_batches`` can draw, with its exact probability; the order inside a batch does not count.

    >>> [(batch, str(probability)) for batch, probability in batches("systematic", 3, 2)]
    [((0, 1), '1/3'), ((0, 2), '1/3'), ((1, 2), '1/3')]
    """
    require_batches(sampling, n, m)
    return list(_batches(sampling, n, m))


@lru_cache(maxsize=64)  # called at every node of a tree of paths
def _batches(sampling: str, n: int, m: int) -> list[tuple[tuple[int, ...], Fraction]]:
    if sampling == "replacement":
        return [(batch, Fraction(1, n**m)) for batch in product(range(n), repeat=m)]
    if sampling == "partition":
        block = n // m
        blocks = [range(j * block, (j + 1) * block) for j in range(m)]
        return [(batch, Fraction(1, block**m)) for batch in product(*blocks)]
    if sampling == "systematic":
        found: dict[tuple[int, ...], int] = {}
        for k in range(n):  # K depends on floor(n U) alone: n (U + j)/m and (k + n j)/m have the same floor
            batch = tuple((k + n * j) // m for j in range(m))
            found[batch] = found.get(batch, 0) + 1
        return [(batch, Fraction(count, n)) for batch, count in found.items()]
    return [(batch, Fraction(1, comb(n, m))) for batch in combinations(range(n), m)]


def require_batches(sampling: str, n: int, m: int) -> None:
    """Raise ValueError unless m rows can be drawn from n in this way."""
    require_one_of("sampling", sampling, SAMPLINGS)
    if not 1 <= m <= n:
        raise ValueError(f"a mini-batch has 1 <= m <= n rows (got m = {m}, n = {n})")
    if sampling == "partition" and n % m:
        raise ValueError(
            f"sampling partition needs blocks of one size, but m = {m} does not divide n = {n}: P(i in K) would not be "
            "m/n. Use sampling subset or systematic"
        )


def keeps(n: int, T0: int, seed: int, epoch: int) -> "NDArray[np.bool_]":
    """Draw which updates of a pass keep their state for a random output: a boolean array of shape (n,).

    Update t (counted from 1 over all passes) keeps the state before it with probability 1/(t - T0), for t > T0; the
    first of these always does. The stream is that of (seed, epoch, 1): the indices of the pass do not depend on it.

    >>> keeps(3, 1, seed=0, epoch=0).tolist()[:2]
    [False, True]
    """
    import numpy as np

    age = np.arange(epoch * n, epoch * n + n) + 1 - T0
    return (age >= 1) & (np.random.default_rng([seed, epoch, 1]).random(n) * age < 1)
