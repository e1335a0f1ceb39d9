"""The extragradient method: |x+ - x*|^2 <= |x - x*|^2 - (1 - gamma^2 L^2) |x - y|^2.

Source: G. M. Korpelevich: The extragradient method for finding saddle points and other problems. Matecon 12, 1976.
Said: convergence for steps below 1/L, as pages tell it; the inequality is the step of the usual proof.
Hypotheses: F monotone and L-Lipschitz, C closed and convex, x* a solution; y = P(x - gamma F x), x+ = P(x - gamma F y).
Known: it is a theorem.
Added: exact checks on linear F and a box; the rotation F (u, v) = (v, -u) attains it, for every gamma.
Read: a page that gives the method, Censor, Gibali and Reich, J. Optim. Theory Appl. 148, 2011, its introduction.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Games", "13/16 13/16"
STATEMENT = r"$\|x^+ - x^*\|^2 \le \|x - x^*\|^2 - (1 - \gamma^2L^2)\|x - y\|^2$"
RECOMPUTE = """\
from fractions import Fraction
step, x = Fraction(1, 2), (Fraction(1), Fraction(0))
def move(x, at): return (x[0] - step * at[1], x[1] + step * at[0])  # F (u, v) = (v, -u), L = 1
y = move(x, x)
after = move(x, y)
print(sum(v * v for v in after), 1 - (1 - step**2) * sum((u - v) ** 2 for u, v in zip(x, y)))
"""


def decrease(c, by=1):
    a, b, g, x, wall = c.given.a, c.given.b, c.given.gamma, c.given.x, c.given.wall

    def move(at):  # F (u, v) = (a u + b v, a v - b u) has L^2 = a^2 + b^2; x* = 0
        moved = x[0] - g * (a * at[0] + b * at[1]), x[1] - g * (a * at[1] - b * at[0])
        return [max(-wall, min(1, v)) for v in moved]

    y = move(x)
    gain = (1 - g * g * (a * a + b * b)) * sum((u - v) ** 2 for u, v in zip(x, y))
    yield Le(sum(v * v for v in move(y)), sum(v * v for v in x) - by * gain, "|x+|^2")


TURN = NumbersInstance.of(a=Q(0), b=Q(1), gamma=Q(1, 2), x=Qs("1/2", 0), wall=Q(1))
DRAWN = {"gamma": Qs("1/2", "1/9", 1, 3), "x": tuple(Qs(u, v) for u in (1, 0, "-1/2") for v in (1, "1/3", "-1/2"))}
claim(
    "errata.korpelevich-1976", "the decrease of |x - x*|^2", hypotheses="F linear and monotone, C a square", origin=OURS,
    evidence=[golden(TURN), exact(lambda: numbers(a=Qs(0, 1, "1/4"), b=Qs(0, 1, -2), wall=Qs(0, "1/2", 1), **DRAWN))],
    control=altered("a gain larger by 10^-6", lambda c: decrease(c, 1 + Q(1, 10**6)), TURN),
    proof="""Projections give |x+ - x*|^2 <= |x - x*|^2 - |x - y|^2 - |y - x+|^2 + 2 gamma <F x - F y, x+ - y> + 2 gamma <F y, x*
- y>. The last product is <= 0, and the one before is at most gamma^2 L^2 |x - y|^2 + |y - x+|^2.""",
)(decrease)  # fmt: skip
