"""FedAvg with a constant step and full local gradients converges to the minimum of the mean.

Source: folklore; refuted by X. Li, K. Huang, W. Yang, S. Wang, Z. Zhang: On the Convergence of FedAvg on Non-IID Data. ICLR
2020, arXiv:1907.02189.
Said: a round of several local steps is used as if it were a longer step of gradient descent.
Hypotheses: client k has f_k(x) = h_k (x - a_k)^2/2; a round averages the results of E local steps.
Known: the paper shows that the step must decay, "even if full-gradient is used".
Added: the distance of the fixed point from the minimum, in fractions.
Counterexample: h = (1, 2), a = (0, 1), step 1/4, E = 2: the minimum is 2/3, and the round leads from there to 31/48.
Instead: with one local step the minimum is a fixed point (claim errata.li-2020.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Stochastic gradients", "2/3 31/48"
STATEMENT = (
    r"The minimum of $\frac1N \sum_k f_k$ is a fixed point of a round of FedAvg with $E$ local steps of size $\eta$."
)
RECOMPUTE = """\
from fractions import Fraction
clients, step, minimum = ((1, 0), (2, 1)), Fraction(1, 4), Fraction(2, 3)  # h_k, a_k; (1*0 + 2*1)/(1 + 2)
ends = []
for h, a in clients:
    x = minimum
    for _ in range(2):
        x -= step * h * (x - a)
    ends.append(x)
print(minimum, sum(ends) / 2)
"""


def fixed_point(c, steps=None, shift=0):
    h, a = c.given.h, c.given.a
    minimum = sum(u * v for u, v in zip(h, a)) / sum(h) + shift
    ends = []
    for u, v in zip(h, a):
        ends.append(minimum)
        for _ in range(c.given.steps if steps is None else steps):
            ends[-1] = ends[-1] - c.given.eta * u * (ends[-1] - v)
    yield Eq(sum(ends) / len(ends), minimum, "the round from the minimum leads to the minimum")


H, A = (Qs(1, 2), Qs(1, 1), Qs("1/2", 3), Qs(2, 2)), (Qs(0, 1), Qs(-1, 1), Qs(2, 2), Qs(0, "5/2"))
FALSE = NumbersInstance.of(h=Qs(1, 2), a=Qs(0, 1), eta=Q(1, 4), steps=2)
claim(
    "errata.li-2020", "the minimum is a fixed point of a round", hypotheses="quadratic f_k, E local steps", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(h=H, a=A, eta=Qs("1/4", "1/8"), steps=(1, 2, 3)))],
    expected="REFUTED", control=holds_on(FALSE.but(extra=FALSE.extra.but(h=Qs(2, 2))), text="equal Hessians"),
)(fixed_point)  # fmt: skip
claim(
    "errata.li-2020.repaired", "the minimum is a fixed point of a round", hypotheses="one local step", origin=OURS,
    evidence=[exact(lambda: numbers(h=H, a=A, eta=Qs("1/4", "1/8")))], proof="The gradients have the sum 0 there.",
    control=altered("beside it", lambda c: fixed_point(c, 1, 1), FALSE),
)(lambda c: fixed_point(c, 1))  # fmt: skip
