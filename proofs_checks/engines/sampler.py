"""Does a solver really draw its rows uniformly? A test of the index sequence.

Every expected rate of these methods assumes i.i.d. uniform indices. A solver that walks through the rows in
order, shuffles once per pass or forgets the last row runs another algorithm. ``SamplerTest`` watches the
indices that a run drew, in any solver that shows them.
"""

import math
import operator

from dualgap.proofs_checks.engines.evalues import Wealth


class SamplerTest(Wealth):
    """Evidence against "the indices are i.i.d. uniform on {0, ..., n-1}".

        E_t = 1/2 KT_0(i_1..i_t) / n^-t  +  1/2 KT_1(i_1..i_t) / n^-t

    KT_k is the Krichevsky-Trofimov predictor of order k: the next index is i with probability (c_i +
    1/2)/(c + n/2), where c_i of the c earlier draws were i; order 0 counts all draws, order 1 those that
    followed the present index. Order 0 learns wrong frequencies, order 1 also learns wrong succession
    (cyclic order, permutations).

    Proof: each predictor is a probability distribution over sequences, so each ratio to n^-t has expectation
    exactly 1 under the uniform law, given any past: a nonnegative martingale from 1. By Ville's inequality
    the false alarm probability of ``rejects(delta)`` is at most delta, whenever one looks.

    >>> test = SamplerTest(10)
    >>> for t in range(100):
    ...     test.observe(t % 10)
    >>> test.first_rejection(1e-6)
    26
    """

    def __init__(self, n: int) -> None:
        if n < 1:
            raise ValueError(f"n must be >= 1 (got {n!r})")
        super().__init__(2)
        self.n = n
        self._previous: int | None = None
        self._draws = 0
        self._counts = [0] * n  # of each index
        self._pair_counts: dict[tuple[int, int], int] = {}  # of each (previous, index) that occurred
        self._departures = [0] * n  # draws that followed each index

    def observe(self, i: int) -> None:
        """Take the next index, 0 <= i < n. Raises ValueError for any other: the run is wrong, not unlikely."""
        n, i = self.n, operator.index(i)
        if not 0 <= i < n:
            raise ValueError(f"index {i} at draw {self._draws + 1} is outside 0..{n - 1}")
        order_0 = math.log(n * (self._counts[i] + 0.5) / (self._draws + n / 2))
        order_1 = 0.0  # the first draw has no previous one: probability 1/n
        previous = self._previous
        if previous is not None:
            pairs = self._pair_counts.get((previous, i), 0)
            order_1 = math.log(n * (pairs + 0.5) / (self._departures[previous] + n / 2))
            self._pair_counts[previous, i] = pairs + 1
            self._departures[previous] += 1
        self._counts[i] += 1
        self._draws += 1
        self._previous = i
        self.multiply((order_0, order_1))
