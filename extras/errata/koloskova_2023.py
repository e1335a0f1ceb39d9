"""SGD with clipped gradients and small steps converges to the minimum.

Source: folklore; refuted by A. Koloskova, H. Hendrikx, S. U. Stich: Revisiting Gradient Clipping: Stochastic bias and tight
convergence guarantees. ICML 2023, arXiv:2305.01588.
Said: clipping is used as if it changed the speed alone.
Hypotheses: f is the mean of (x - a_i)^2/2; each gradient is cut to the interval from -c to c.
Known: the paper: "convergence to the true optimum cannot be guaranteed" under a standard assumption on the noise.
Added: the point to which the mean step leads instead, in fractions.
Counterexample: a = (0, 0, 3), c = 1: the minimum is 1, and there the mean clipped gradient is 1/3. It is 0 at 1/2.
Instead: if no gradient at the minimum is larger than c, the mean step there is 0 (claim errata.koloskova-2023.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Stochastic gradients", "1/3 0"
STATEMENT = r"$\frac1n \sum_i \mathrm{clip}_c(\nabla f_i(x^*)) = 0$ at the minimum $x^*$ of $\frac1n \sum_i f_i$"
RECOMPUTE = """\
from fractions import Fraction
a = (0, 0, 3)
def mean_step(x): return sum(max(-1, min(1, x - y)) for y in a) / Fraction(3)
print(mean_step(1), mean_step(Fraction(1, 2)))  # at the minimum, which is the mean of a, and where the method stays
"""


def mean_step(c, level=None, shift=0):
    """A step of length 1 along the mean clipped gradient."""
    a, level = c.given.a, c.given.level if level is None else level
    x = sum(a) / Q(len(a)) + shift
    yield Eq(x - sum(max(-level, min(level, x - y)) for y in a) / Q(len(a)), x, "the mean step stays at the minimum")


A = tuple(Qs(x, y, z) for x in (0, -1) for y in (0, 1, "5/2") for z in (3, 5, 1))
claim(
    "errata.koloskova-2023", "the mean clipped gradient at the minimum is 0", hypotheses="a sum of squares", origin=OURS,
    evidence=[golden(NumbersInstance.of(a=Qs(0, 0, 3), level=Q(1))), exact(lambda: numbers(a=A, level=Qs(1, 2)))],
    control=holds_on(NumbersInstance.of(a=Qs(0, 1, 2), level=Q(1, 2)), text="symmetric"), expected="REFUTED",
)(mean_step)  # fmt: skip
claim(
    "errata.koloskova-2023.repaired", "it is 0", hypotheses="all gradients at the minimum are at most c", origin=OURS,
    evidence=[exact(lambda: numbers(a=A))], proof="Nothing is clipped there, and the mean gradient is 0.",
    control=altered("beside it", lambda c: mean_step(c, 9, 1), NumbersInstance.of(a=Qs(0, 1, 2))),
)(lambda c: mean_step(c, max(c.given.a) - min(c.given.a)))  # fmt: skip
