"""signSGD with unbiased gradients and small steps descends in expectation on a convex function.

Source: folklore; refuted by S. P. Karimireddy, Q. Rebjock, S. U. Stich, M. Jaggi: Error Feedback Fixes SignSGD and other
Gradient Compression Schemes. ICML 2019, arXiv:1901.09847.
Said: the sign of an unbiased gradient is a biased direction, which is used as if it were a descent direction.
Hypotheses: f(x) = s x on an interval, gradients g with the mean s, step 1/10, start inside.
Known: the paper has "simple convex counter-examples where signSGD does not converge".
Added: exact expectations, and the same for SGD itself, which descends.
Counterexample: g = 4 with probability 1/4, g = -1 with probability 3/4, so s = 1/4; E f rises by 1/80 in a step.
Instead: SGD without the sign descends in expectation (claim errata.karimireddy-2019.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "1/80"
STATEMENT = r"$\mathbb{E} f(x - \gamma\, \mathrm{sign}(g)) \le f(x)$ if $\mathbb{E} g = f'(x)$ and $\gamma$ is small"
RECOMPUTE = """\
from fractions import Fraction
law = ((Fraction(1, 4), 4), (Fraction(3, 4), -1))  # probability, gradient
slope = sum(p * g for p, g in law)
sign = sum(p * (1 if g > 0 else -1) for p, g in law)
print(-Fraction(1, 10) * slope * sign)  # E f(x - sign(g)/10) - f(x) for f(x) = slope x
"""


def descent(c, step=lambda g: (g > 0) - (g < 0), by=0):
    """E f(x - step(g)/10) - f(x) for f = slope x, slope the mean of g."""
    law = list(zip(c.given.law[::2], c.given.law[1::2]))
    slope, direction = sum(p * g for p, g in law), sum(p * step(g) for p, g in law)
    yield Le(-slope * direction / 10, by, "expected change of f")


LAWS = tuple((Q(p, 8), Q(g), 1 - Q(p, 8), Q(h)) for p in (1, 2, 4, 7) for g in (-9, -1, 4) for h in (-1, 2, 7))
FALSE = NumbersInstance.of(law=(Q(1, 4), 4, Q(3, 4), -1))
claim(
    "errata.karimireddy-2019", "a small step of signSGD does not raise E f", hypotheses="E g = f'(x)", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(law=LAWS))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(law=(Q(3, 4), 1, Q(1, 4), -2)), text="the usual sign is that of the mean"),
)(descent)  # fmt: skip
claim(
    "errata.karimireddy-2019.repaired", "a small step of SGD does not raise E f", hypotheses="E g = f'(x), f linear",
    origin=OURS, evidence=[exact(lambda: numbers(law=LAWS))], proof="The change is -(E g)^2/10.",
    control=altered("by 1 at least", lambda c: descent(c, lambda g: g, -1), FALSE),
)(lambda c: descent(c, lambda g: g))  # fmt: skip
