"""Halpern's iteration for a nonexpansive map: the rate (2/(n + 1))^2 of the squared residual.

Source: F. Lieder: On the convergence rate of the Halpern-iteration. Optimization Letters 15, 2021. Theorem 2.1.
Said: |x_n - T x_n|^2 is at most (2/(n + 1))^2 |x_0 - x*|^2, and this is tight.
Hypotheses: T nonexpansive with a fixed point x*; x_(t+1) = x_0/(t + 2) + (1 - 1/(t + 2)) T x_t.
Known: Lieder shows that no smaller constant holds.
Added: exact checks on maps of the plane. T x = x - r for x >= r/2, -x below, attains it on the line.
Read: a page that quotes the theorem, PEPit's example fixed_point_problems/halpern_iteration.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Projections and splitting", "1/3 1/3"
STATEMENT = r"$x_{t+1} = \frac{1}{t+2}x_0 + \frac{t+1}{t+2}Tx_t$ has $\|x_n - Tx_n\| \le \frac{2}{n+1}\|x_0 - x^*\|$."
RECOMPUTE = """\
from fractions import Fraction
n, start = 5, Fraction(1)
r = 2 * start / (n + 1)
def T(x): return x - r if x > r / 2 else x + r if x < -r / 2 else -x
x = start
for t in range(n):
    x = start / (t + 2) + (1 - Fraction(1, t + 2)) * T(x)
print(abs(x - T(x)), Fraction(2, n + 1))
"""


def rate(c, by=1):
    r, (a, b), start, n = c.given.r, c.given.turn, c.given.start, c.given.n

    def T(x):
        u, v = (w - r if w > r / 2 else w + r if w < -r / 2 else -w for w in x)
        return a * u - b * v, b * u + a * v

    x = start
    for t in range(n):
        x = tuple(u / (t + 2) + v * Q(t + 1, t + 2) for u, v in zip(start, T(x)))
    residual = sum((u - v) ** 2 for u, v in zip(x, T(x)))
    yield Le(residual, by * 4 * sum(u * u for u in start) / (n + 1) ** 2, "|x_n - T x_n|^2")


TIGHT = NumbersInstance.of(n=5, r=Q(2), turn=Qs(1, 0), start=Qs(6, 0))
TURNS = Qs(1, 0), Qs("3/5", "4/5"), Qs(0, 1), Qs(-1, 0), Qs("12/13", "-5/13")
claim(
    "errata.lieder-2021", "|x_n - T x_n| <= 2 |x_0 - x*|/(n + 1)", hypotheses="T nonexpansive, T 0 = 0", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(n=(1, 2, 3, 5, 8), r=Qs(0, "1/3", 1, 2, 20), turn=TURNS, start=(Qs(6, 0), Qs(1, 2), Qs(-3, "1/2"))))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TIGHT),
)(rate)  # fmt: skip
