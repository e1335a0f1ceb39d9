"""Douglas and Rachford's splitting: the contraction max(1/(1 + alpha mu), alpha L/(1 + alpha L)).

Source: P. Giselsson, S. Boyd: Linear convergence and metric selection in Douglas-Rachford splitting and ADMM. IEEE
Transactions on Automatic Control 62, 2016, arXiv:1410.8479. Theorem 2.
Said: one step, without relaxation, is a contraction with this factor, and no smaller one.
Hypotheses: f mu-strongly convex and L-smooth, g convex; w+ = w + prox_f(2 x - w) - x, x = prox_g(w), both with the step alpha.
Known: f = L x^2/2 with g the indicator of 0 attains the second factor, f = mu x^2/2 with g = 0 the first.
Added: exact checks on quadratic f and lines in the plane; with any smaller factor it is false (control).
Read: a page that quotes the theorem, PEPit's example composite_convex_minimization/douglas_rachford_splitting_contraction.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Projections and splitting", "6/7 6/7"
STATEMENT = (
    r"$\|w^+ - \tilde w^+\| \le \max\left(\frac{1}{1+\alpha\mu}, \frac{\alpha L}{1+\alpha L}\right)\|w - \tilde w\|$"
)
RECOMPUTE = """\
from fractions import Fraction
L, alpha, w = 2, 3, Fraction(1)  # f(x) = L x^2/2, g the indicator of 0
x = 0
print(w + (2 * x - w) / (1 + alpha * L) - x, Fraction(alpha * L, 1 + alpha * L))
"""


def contraction(c, by=1):
    w, (a, b), mu, L, alpha = c.given.w, c.given.line, c.given.mu, c.given.L, c.given.alpha
    along = a * w[0] + b * w[1]
    x = along * a, along * b  # g: the indicator of the line through (a, b), a unit vector
    ahead = [(2 * v - u) / (1 + alpha * s) for u, v, s in zip(w, x, (mu, L))]  # f = (mu u^2 + L v^2)/2
    after = [u + p - v for u, p, v in zip(w, ahead, x)]
    factor = max(1 / (1 + alpha * mu), alpha * L / (1 + alpha * L)) ** 2
    yield Le(sum(v * v for v in after), by * factor * sum(v * v for v in w), "|w+|^2, where 0 is a fixed point")


TIGHT = NumbersInstance.of(mu=Q(1, 10), L=Q(2), alpha=Q(3), line=Qs(1, 0), w=Qs(0, 1))
LINES = Qs(1, 0), Qs("3/5", "4/5"), Qs(0, 1), Qs("-12/13", "5/13"), Qs("24/25", "7/25")
DRAWN = {"alpha": Qs("1/9", "1/2", 1, 3), "line": LINES, "w": tuple(Qs(u, 1) for u in (0, 1, -4, "1/5"))}
claim(
    "errata.giselsson-2016", "the contraction factor", hypotheses="f quadratic, g the indicator of a line", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(mu=Qs("1/10", 1, 2), L=Qs(2, 5, 100), **DRAWN))],
    control=altered("a factor smaller by 10^-6", lambda c: contraction(c, 1 - Q(1, 10**6)), TIGHT),
)(contraction)  # fmt: skip
