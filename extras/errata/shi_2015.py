"""Decentralised gradient descent with a fixed step converges to the minimum of the mean.

Source: folklore; see W. Shi, Q. Ling, G. Wu, W. Yin: EXTRA: an exact first-order algorithm for decentralized consensus
optimization. SIAM Journal on Optimization 25, 2015.
Said: each agent averages with its neighbours and follows its own gradient, and all are taken to agree on the minimum.
Hypotheses: f_k(x) = h_k (x - a_k)^2/2, two agents with the mixing matrix (1/2, 1/2; 1/2, 1/2), step eta.
Known: the paper: this method "must use diminishing step sizes in order to converge".
Added: the fixed point, in fractions.
Counterexample: h = (1, 1), a = (0, 1), eta = 1/2: from the minimum (1/2, 1/2) a step leads to (1/4, 3/4).
Instead: if the agents have the same minimum, it is a fixed point (claim errata.shi-2015.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Gradient and Newton methods", "1/4 3/4"
STATEMENT = r"The minimum $x^*$ of $\sum_k f_k$ is a fixed point of $x_k^+ = \sum_l W_{kl} x_l - \eta f_k'(x_k)$."
RECOMPUTE = """\
from fractions import Fraction
x = (Fraction(1, 2), Fraction(1, 2))  # both agents at the minimum of the sum
mean = sum(x) / 2
print(mean - Fraction(1, 2) * (x[0] - 0), mean - Fraction(1, 2) * (x[1] - 1))
"""


def fixed_point(c, shift=0):
    h, a = c.given.h, c.given.a
    minimum = sum(u * v for u, v in zip(h, a)) / sum(h) + shift
    for k, (u, v) in enumerate(zip(h, a), 1):
        yield Eq(1 + minimum - c.given.eta * u * (minimum - v), 1 + minimum, f"1 + the next point of agent {k}")


H, ETA = (Qs(1, 1), Qs(1, 2), Qs("1/2", 3)), Qs("1/2", "1/8")
FALSE = NumbersInstance.of(h=Qs(1, 1), a=Qs(0, 1), eta=Q(1, 2))
claim(
    "errata.shi-2015", "the minimum is a fixed point", hypotheses="two agents, a fixed step", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(h=H, a=(Qs(0, 1), Qs(-1, 1), Qs(2, 2)), eta=ETA))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(a=Qs(1, 1))), text="equal minima"),
)(fixed_point)  # fmt: skip
claim(
    "errata.shi-2015.repaired", "the minimum is a fixed point", hypotheses="equal minima", origin=OURS,
    evidence=[exact(lambda: numbers(h=H, a=(Qs(1, 1), Qs(-3, -3)), eta=ETA))], proof="All gradients are 0 there.",
    control=altered("beside it", lambda c: fixed_point(c, 1), FALSE.but(extra=FALSE.extra.but(a=Qs(1, 1)))),
)(fixed_point)  # fmt: skip
