"""In asynchronous methods the t-th update that is written has a uniform index.

Source: an assumption in many analyses; see R. Leblond, F. Pedregosa, S. Lacoste-Julien: Improved asynchronous parallel
optimization analysis for stochastic incremental methods. JMLR 19, 2018, arXiv:1801.03749.
Said: updates are numbered as they are written, and the index of the t-th is taken as uniform and independent of its point.
Hypotheses: two cores draw uniform indices independently and start at once; the time of an update depends on its index.
Known: the authors: a "subtle but important technical issue present in a large fraction" of recent proofs.
Added: the exact law of the first index for two indices.
Counterexample: index 0 takes 1 second, index 1 takes 3: the first update that is written has the index 1 with probability
1/4, only if both cores drew it.
Instead: numbered as they are drawn, the indices are uniform; also if all updates take equally long (control).
Read: a page of the authors that summarises the paper.
"""

from itertools import product

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Asynchronous methods", "1/4"
STATEMENT = r"$\mathbb{P}(i_t = i) = 1/n$ for the index $i_t$ of the $t$-th update in the order of writing."
RECOMPUTE = """\
from fractions import Fraction
seconds, share = (1, 3), 0
for one in (0, 1):
    for other in (0, 1):
        first = one if seconds[one] <= seconds[other] else other
        share += Fraction(first, 4)
print(share)  # the probability that the first update has the index 1
"""


def first_written(c):
    """The probability that the last index is written first, by two cores; the first core writes first if both end at once."""
    seconds = c.given.seconds
    pairs = list(product(range(len(seconds)), repeat=2))
    first = [one if seconds[one] <= seconds[other] else other for one, other in pairs]
    yield Eq(Q(first.count(len(seconds) - 1), len(pairs)), Q(1, len(seconds)), "probability of the last index")


claim(
    "errata.leblond-2018", "the first index that is written is uniform", hypotheses="two cores, uniform draws", origin=OURS,
    evidence=[golden(NumbersInstance.of(seconds=Qs(1, 3))), exact(lambda: numbers(seconds=(Qs(2, 1), Qs(1, 1, 4), Qs(2, 3, 1))))],
    control=holds_on(NumbersInstance.of(seconds=Qs(2, 2)), text="equal times"), expected="REFUTED",
)(first_written)  # fmt: skip
