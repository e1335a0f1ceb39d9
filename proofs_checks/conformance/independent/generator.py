"""The choices of a pass from its seed, without numpy: SeedSequence, PCG64 and the bounded integers of its Generator, as
docs/ports.md has them.

Sources: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
Generation", 2014 (PCG XSL RR 128/64); O'Neill's seed_seq_fe, as numpy's SeedSequence has it; Lemire, "Fast random
integer generation in an interval", 2019.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

WORD, LONG, WIDE = 2**32, 2**64, 2**128
MULTIPLIER = 2549297995355413924 * LONG + 4865540595714422341


def seeded(entropy: Sequence[int]) -> list[int]:
    """Four words of 64 bits made of integers >= 0, as seed and stream of the generator."""
    words = [(value >> shift) % WORD for value in entropy for shift in range(0, max(value.bit_length(), 1), 32)]
    constant = 0x43B0D7E5

    def hashed(value: int) -> int:
        nonlocal constant
        value ^= constant
        constant = constant * 0x931E8875 % WORD
        value = value * constant % WORD
        return value ^ value >> 16

    def mixed(x: int, y: int) -> int:
        value = (0xCA01F9DD * x - 0x4973F715 * y) % WORD
        return value ^ value >> 16

    pool = [hashed(word) for word in (words + [0] * 4)[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source]))
    for word in words[4:]:
        for target in range(4):
            pool[target] = mixed(pool[target], hashed(word))
    return _longs(pool)


def _longs(pool: list[int]) -> list[int]:
    """Eight words of 32 bits drawn from the pool, in pairs, the low one first."""
    constant, out = 0x8B51F9DD, []
    for k in range(8):
        value = pool[k % 4] ^ constant
        constant = constant * 0x58F38DED % WORD
        value = value * constant % WORD
        out.append(value ^ value >> 16)
    return [out[k] + WORD * out[k + 1] for k in range(0, 8, 2)]


class Generator:
    """PCG64 (XSL RR 128/64) with a buffer of 32 bits."""

    def __init__(self, entropy: Sequence[int]) -> None:
        seed = seeded(entropy)
        self.increment = ((seed[2] * LONG + seed[3]) * 2 + 1) % WIDE
        self.state = (self.increment + seed[0] * LONG + seed[1]) % WIDE
        self._step()
        self.upper: int | None = None  # the upper half of the last number of 64 bits, where only the lower one was used

    def _step(self) -> None:
        self.state = (self.state * MULTIPLIER + self.increment) % WIDE

    def next64(self) -> int:
        self._step()
        value, turn = (self.state >> 64) ^ self.state % LONG, self.state >> 122
        return (value >> turn | value << (64 - turn)) % LONG

    def next32(self) -> int:
        if self.upper is not None:
            value, self.upper = self.upper, None
            return value
        value = self.next64()
        self.upper = value >> 32
        return value % WORD

    def uniform(self) -> Fraction:
        """A multiple of 2^-53 in [0, 1)."""
        return Fraction(self.next64() >> 11, 2**53)

    def below(self, n: int) -> int:
        """An integer in 0..n-1, 1 <= n <= 2^32; nothing is drawn for n = 1."""
        if n == 1:
            return 0
        product = self.next32() * n
        while product % WORD < (WORD - n) % n:
            product = self.next32() * n
        return product // WORD

    def masked(self, most: int) -> int:
        """An integer in 0..most, 1 <= most < 2^32: as many low bits as most has, drawn again while they exceed it."""
        mask = (1 << most.bit_length()) - 1
        while (value := self.next32() & mask) > most:
            pass
        return value

    def permutation(self, n: int) -> list[int]:
        """0..n-1, shuffled from the end."""
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.masked(i)
            order[i], order[j] = order[j], order[i]
        return order


def draw(
    order: str,
    n: int,
    seed: int,
    epoch: int,
    ends: Sequence[int] = (),
    m: int = 1,
    weight: Sequence[Fraction] = (),
    T0: int = 0,
) -> list[Any]:
    """Choices of pass ``epoch`` with this seed, or for "keeps" which of its updates keep their state (0 or 1)."""
    if order == "keeps":
        return list(_keeps(Generator([seed, epoch, 1]), n, epoch, T0))
    generator = Generator([seed, epoch])
    if order == "uniform":
        return [generator.below(n) for _ in range(n)]
    if order == "permuted":
        return generator.permutation(n)
    if order == "blocks":
        blocks = list(zip([0, *ends], ends))
        return [
            blocks[b][0] + i
            for b in generator.permutation(len(blocks))
            for i in generator.permutation(blocks[b][1] - blocks[b][0])
        ]
    if order == "weighted":
        return list(_weighted(generator, list(accumulate(float(p) for p in weight))))
    steps = -(-(epoch + 1) * n // m) - -(-epoch * n // m)
    return _batches(generator, order, n, m, steps)


def _weighted(generator: Generator, sums: list[float]) -> Iterator[int]:
    """Row k where sums_(k-1) <= U sum < sums_k, the sums of the weights from left to right."""
    for _ in sums:
        point = float(generator.uniform()) * sums[-1]
        yield min(sum(end <= point for end in sums), len(sums) - 1)


def _keeps(generator: Generator, n: int, epoch: int, T0: int) -> Iterator[int]:
    """Update t = epoch n + 1, .. of all keeps its state where t > T0 and U (t - T0) < 1; a U is drawn for each."""
    for age in range(epoch * n + 1 - T0, epoch * n + n + 1 - T0):
        point = float(generator.uniform()) * age
        yield int(age >= 1 and point < 1)


def _batches(generator: Generator, sampling: str, n: int, m: int, steps: int) -> list[list[int]]:
    """The mini-batches of one pass, m rows each."""
    if sampling == "replacement" or m == 1:
        return [[generator.below(n) for _ in range(m)] for _ in range(steps)]
    if sampling == "partition":
        return [[generator.below(n // m) + j * (n // m) for j in range(m)] for _ in range(steps)]
    if sampling == "systematic":
        return [[(start + j * n) // m for j in range(m)] for start in [generator.below(n) for _ in range(steps)]]
    # "subset", Floyd's algorithm: one entry of all batches after the other
    drawn: list[list[int]] = [[] for _ in range(steps)]
    for last in range(n - m, n):
        rows = [generator.below(last + 1) for _ in range(steps)]
        for batch, row in zip(drawn, rows):
            batch.append(last if row in batch else row)
    return drawn
