"""Betting e-processes: statistical evidence that may be looked at after every seed.

What is tested: E[X] <= 1 for a quantity X >= 0 of which one independent value comes per seed, for example
X = (duality gap after T steps) / (the bound that a theorem claims for its expectation). X >= 0 is weak
duality, and nothing else is assumed of its distribution: no bound, no variance, no normality.

    E_S = mean over bets b of  prod_{s <= S} (1 + b (X_s - 1)),        0 < b < 1.

Proof, line 1: every factor is >= 1 - b > 0 and has conditional expectation 1 + b (E[X_s | past] - 1) <= 1
under the claim, so each product, and their mean, is a nonnegative supermartingale that starts at 1. Line 2
(Ville's inequality): the probability that it EVER reaches 1/delta is at most delta.

So the false alarm probability of ``rejects(delta)`` is at most delta however often and at whatever moment
one looks, stops or goes on. No rejection says "not refuted", never "verified". A failed check is continued
with more seeds of the same process, never started again.

>>> process = EProcess()
>>> for gap_over_bound in [2.0] * 30:
...     process.observe(gap_over_bound)
>>> process.rejects(1e-6), process.first_rejection(1e-6)
(True, 24)
"""

import math
from collections.abc import Sequence
from fractions import Fraction

BETS = (0.01, 0.03, 0.1, 0.3, 0.6, 0.95)


class Wealth:
    """The mean of several nonnegative products that start at 1, kept as logarithms so that it cannot overflow.

    Subclasses say which factors an observation multiplies in, and prove that the mean is a supermartingale
    (``multiply`` below).

    Attributes
    ----------
    log_path : list of float, length 1 + number of observations
        log E_0 = 0, log E_1, ...: the whole path.
    log_peak : float
        The largest entry of ``log_path``.
    """

    def __init__(self, products: int) -> None:
        self._log_products = [0.0] * products
        self.log_path = [0.0]
        self.log_peak = 0.0

    def multiply(self, log_factors: Sequence[float]) -> None:
        """Multiply each product by its factor, given as a logarithm, and lengthen the path by their mean."""
        products = self._log_products
        for k, log_factor in enumerate(log_factors):
            products[k] += log_factor
        top = max(products)
        if top == math.inf:
            log_value = top
        else:  # the largest is taken out, so that exp cannot overflow
            total = 0.0
            for log_product in products:
                total += math.exp(log_product - top)
            log_value = top + math.log(total / len(products))
        self.log_path.append(log_value)
        if log_value > self.log_peak:
            self.log_peak = log_value

    @property
    def log_value(self) -> float:
        """log E_S."""
        return self.log_path[-1]

    @property
    def value(self) -> float:
        """E_S; infinity where it is beyond a float (``log_value`` is then still finite)."""
        return math.exp(self.log_value) if self.log_value < 709 else math.inf

    def rejects(self, delta: float) -> bool:
        """Return whether the process has ever reached 1/delta: the claim is refuted, false alarm probability <= delta.

        The logarithms carry rounding errors of about 1e-16 per observation, which change delta by as little.
        """
        return self.log_peak >= _line(delta)

    def first_rejection(self, delta: float) -> int | None:
        """The number of observations after which 1/delta was first reached, or None."""
        line = _line(delta)
        return next((s for s, log_value in enumerate(self.log_path) if log_value >= line), None)


class EProcess(Wealth):
    """Evidence against E[X] <= 1 for X >= 0. See the top of this file.

    Parameters
    ----------
    bets : sequence of floats in (0, 1)
        The fractions of the wealth that are staked: small ones see small violations after many seeds, large
        ones see large violations after few.
    """

    def __init__(self, bets: Sequence[float] = BETS) -> None:
        if not bets or not all(0 < bet < 1 for bet in bets):
            raise ValueError(f"bets must be numbers in (0, 1), at least one (got {bets!r})")
        super().__init__(len(bets))
        self.bets = tuple(bets)

    def observe(self, x: float) -> None:
        """Take the X of one more seed. Infinity (a diverged run) refutes at once: it has probability 0 under the claim.

        Raises ValueError for x < 0 or NaN: X >= 0 is weak duality, so this is a bug, not evidence.
        """
        x = float(x)
        if not x >= 0:
            raise ValueError(
                f"X = {x!r} at observation {len(self.log_path)}, but X >= 0 always (weak duality): "
                "the gap, its bound or the dual point is wrong"
            )
        self.multiply([math.log1p(bet * (x - 1)) for bet in self.bets])


def split(delta_total: float, j: int) -> float:
    """The share delta_j = delta_total * 6/(pi^2 j^2) of the j-th statistical check, j = 1, 2, ...

    The shares of all j add up to ``delta_total``, so the probability of any false alarm in a whole audit is
    at most ``delta_total``, by the union bound: the checks need not be independent, their number need not
    be known.

    >>> round(split(1e-6, 1) * 1e6, 4)
    0.6079
    """
    if not 0 < delta_total < 1 or j < 1:
        raise ValueError(f"need 0 < delta_total < 1 and j >= 1 (got delta_total={delta_total!r}, j={j!r})")
    return delta_total * 6 / (math.pi**2 * j**2)


def _line(delta: float) -> float:
    """log(1/delta), the line that the path has to reach."""
    if not 0 < delta < 1:
        raise ValueError(f"delta must lie in (0, 1) (got {delta!r})")
    return -math.log(delta)


class LawTest(Wealth):
    """Evidence against "the outcomes are i.i.d. of the law p": Krichevsky and Trofimov's predictor over p."""

    def __init__(self, p: dict[object, Fraction]) -> None:
        super().__init__(1)
        self.p, self.counts, self.draws = {key: float(value) for key, value in p.items()}, dict.fromkeys(p, 0), 0

    def observe(self, outcome: object) -> None:
        """Take the next outcome; KeyError for one of probability 0."""
        predicted = (self.counts[outcome] + 0.5) / (self.draws + len(self.p) / 2)
        self.multiply((math.log(predicted / self.p[outcome]),))
        self.counts[outcome] += 1
        self.draws += 1
