"""Theorems that assume strong convexity and bounded gradients on the whole space.

Source: a common assumption; criticised by L. M. Nguyen, P. H. Nguyen, M. van Dijk, P. Richtarik, K. Scheinberg, M. Takac: SGD
and Hogwild! Convergence Without the Bounded Gradients Assumption. ICML 2018, arXiv:1802.03801.
Said: the analysis assumes that f is strongly convex and that E ||g||^2 <= G^2 at every point of the space.
Hypotheses: E g is a gradient of f; f is mu-strongly convex on R^d with mu > 0; G is finite.
Known: the paper: the bound is "always violated" if the objective is strongly convex.
Added: the place at which it fails, on exact functions with slopes given by pieces.
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Lt, NumbersInstance, Q, Qs, altered, by_pieces, claim, exact, numbers

VERDICT, TOPIC, PRINTS = "VACUOUS", "Stochastic gradients", "4 2"
STATEMENT = (
    r"There is $f$, $\mu$-strongly convex on $\mathbb{R}^d$, with $\mathbb{E}\Vert g(w)\Vert^2 \le G^2$ for all $w$."
)
RECOMPUTE = """\
from fractions import Fraction
mu, G = Fraction(1, 2), 2
w = 2 * G / mu    # at this distance from the minimum of f(w) = mu w^2/2
print(mu * w, G)  # the gradient is not at most G; of another mu-strongly convex f it is not smaller
"""


def beyond(c, distance=2):
    slopes = c.given.slopes
    w = distance * c.given.G / min(slopes)
    yield Lt(c.given.G**2, by_pieces(w, c.given.kinks, slopes)[1] ** 2, "G^2 < f'(w)^2 at the distance 2 G/mu")


SLOPES = (Qs(1, 1, 1), Qs("1/2", 3, "1/2"), Qs(4, "1/9", 2), Qs("1/9", "1/9", "1/9"))
DRAWN = {"kinks": (Qs(1, 2), Qs("1/2", 3), Qs(1, 40)), "slopes": SLOPES, "G": Qs("1/9", 1, 7, 100)}
claim(
    "errata.nguyen-2018", "no strongly convex f on R^d has bounded gradients", hypotheses="f mu-strongly convex, mu > 0",
    origin=OURS, evidence=[exact(lambda: numbers(**DRAWN))],
    control=altered("at G/(2 mu)", lambda c: beyond(c, Q(1, 2)), NumbersInstance.of(kinks=Qs(1, 2), slopes=Qs(1, 1, 1), G=Q(1))),
    proof="Strong convexity gives ||f'(w)|| >= mu ||w - w*||, and E ||g||^2 >= ||E g||^2. At ||w - w*|| = 2 G/mu both give"
    " E ||g||^2 >= 4 G^2. If G = 0, every point is a minimum, and f has only one.",
)(beyond)  # fmt: skip
