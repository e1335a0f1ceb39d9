"""Simultaneous gradient descent ascent with a small step converges on bilinear games.

Source: folklore; refuted by C. Daskalakis, A. Ilyas, V. Syrgkanis, H. Zeng: Training GANs with Optimism. ICLR 2018,
arXiv:1711.00141.
Said: two players that follow their gradients are used as if they came to an equilibrium.
Hypotheses: min over x, max over y of a x y, step eta > 0, the start is not the equilibrium.
Known: the paper shows that the last iterate of the optimistic method converges and that gradient dynamics cycle.
Added: with a fixed step they do not even cycle: the squared distance grows by the factor 1 + eta^2 a^2 in each step.
Counterexample: a = 1, eta = 1/4, start (1, 1): the squared distance is 2, then 17/8.
Instead: the optimistic method converges (claim errata.daskalakis-2018.repaired, 100 steps).
Read: the abstract, in a paraphrase; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Games", "2 17/8"
STATEMENT = (
    r"$x^+ = x - \eta a y$, $y^+ = y + \eta a x$ does not move away from the equilibrium of $\min_x \max_y a x y$."
)
RECOMPUTE = """\
from fractions import Fraction
eta, x, y = Fraction(1, 4), 1, 1
ahead = (x - eta * y, y + eta * x)
print(x * x + y * y, ahead[0] ** 2 + ahead[1] ** 2)
"""


def descent_ascent(c):
    (x, y), step = c.given.start, c.given.eta * c.given.a
    yield Le((x - step * y) ** 2 + (y + step * x) ** 2, x * x + y * y, "squared distance after a step")


def optimistic(c, by=Q(1, 2)):
    (x, y), step = c.given.start, c.given.eta * c.given.a
    old, first = (x, y), x * x + y * y
    for _ in range(100):
        (x, y), old = (x - step * (2 * y - old[1]), y + step * (2 * x - old[0])), (x, y)
    yield Le(x * x + y * y, by * first, "squared distance after 100 optimistic steps")


DRAWN = {"a": Qs(1, "1/2", -1), "eta": Qs("1/4", "1/2"), "start": (Qs(1, 1), Qs(0, 1), Qs(-2, "1/3"))}
FALSE = NumbersInstance.of(a=Q(1), eta=Q(1, 4), start=Qs(1, 1))
claim(
    "errata.daskalakis-2018", "descent ascent does not move away", hypotheses="bilinear game", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(a=Q(0))), text="a = 0"),
)(descent_ascent)  # fmt: skip
claim(
    "errata.daskalakis-2018.repaired", "100 optimistic steps halve the squared distance", hypotheses="|eta a| in [1/8, 1/2]",
    origin=OURS, evidence=[exact(lambda: numbers(**DRAWN))],
    control=altered("by 1/10^9", lambda c: optimistic(c, Q(1, 10**9)), FALSE),
)(optimistic)  # fmt: skip
