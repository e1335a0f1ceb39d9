"""The stochastic extragradient method with two independent samples a step converges on bilinear games.

Source: folklore; refuted by K. Mishchenko, D. Kovalev, E. Shulgin, P. Richtarik, Y. Malitsky: Revisiting Stochastic
Extragradient. AISTATS 2020, arXiv:1905.11373.
Said: the method of A. Juditsky, A. Nemirovski and C. Tauvel (2011), who have bounded sets, is used without bounds.
Hypotheses: min over x, max over y of the mean of a_i x y; the extrapolation and the step draw their i independently.
Known: the paper: it "diverges on a simple bilinear problem" on an unbounded set.
Added: the exact factor of the expected squared distance, for each step size.
Counterexample: a = (3, -1), step 1/10: E ||z||^2 grows by the factor 413/400 a step, exactly 1 - 2/100 + 25/10^4 + 5/100.
Instead: with the same sample in both, and a step below 1/max |a_i|, it falls (claim errata.mishchenko-2020.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from itertools import product

from dualgap.proofs_checks import OURS, Lt, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Games", "413/400"
STATEMENT = r"$\mathbb{E}\Vert z_{t+1}\Vert^2 < \Vert z_t\Vert^2$ for $z_{t+1} = z_t - \eta F_j(z_t - \eta F_i(z_t))$, $F_i(x, y) = a_i (y, -x)$"
RECOMPUTE = """\
from fractions import Fraction
def F(a, z): return a * z[1], -a * z[0]
def move(z, g): return z[0] - g[0] / Fraction(10), z[1] - g[1] / Fraction(10)
ends = [move((1, 0), F(b, move((1, 0), F(a, (1, 0))))) for a in (3, -1) for b in (3, -1)]
print(sum(x * x + y * y for x, y in ends) / 4)  # the squared distance was 1
"""


def factor(c, pairs=None, by=1):
    """The factor of E ||z||^2 in a step: F is a rotation by a right angle, times a_i, so the start does not matter."""
    eta, pairs = c.given.eta, list(product(c.given.a, repeat=2)) if pairs is None else pairs
    found = sum((1 - eta**2 * a * b) ** 2 + (eta * b) ** 2 for a, b in pairs) / len(pairs)
    yield Lt(found, by, "factor of E ||z||^2")


A, ETA = (Qs(3, -1), Qs(1, 1), Qs(2, 1), Qs(4, -3), Qs(1, 0)), Qs("1/10", "1/50", "1/5")
FALSE = NumbersInstance.of(a=Qs(3, -1), eta=Q(1, 10))
claim(
    "errata.mishchenko-2020", "E ||z||^2 falls", hypotheses="bilinear, two samples a step", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(a=A, eta=ETA))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(a=Qs(1, 1), eta=Q(1, 10)), text="without noise"),
)(factor)  # fmt: skip
claim(
    "errata.mishchenko-2020.repaired", "E ||z||^2 falls", hypotheses="the same sample in both; eta |a_i| < 1", origin=OURS,
    evidence=[exact(lambda: numbers(a=A, eta=ETA))], proof="(1 - s)^2 + s < 1 for s = eta^2 a_i^2 in (0, 1).",
    control=altered("by half", lambda c: factor(c, [(a, a) for a in c.given.a], Q(1, 2)), FALSE),
)(lambda c: factor(c, [(a, a) for a in c.given.a]))  # fmt: skip
