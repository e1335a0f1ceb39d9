"""Krasnosel'skii and Mann's iteration with a constant share: the rate of the residual.

Source: F. Lieder: Projection Based Methods for Conic Linear Programming. PhD thesis, Duesseldorf, 2018. Theorem 4.9.
Said: for 1/2 <= g <= (1 + sqrt(n/(n + 1)))/2, |x_n - T x_n|^2/4 is at most (n/(n + 1))^n/(4 g (1 - g)(n + 1)) |x_0 - x*|^2;
for larger g it is at most (2 g - 1)^(2n) |x_0 - x*|^2.
Hypotheses: T nonexpansive with a fixed point x*; x_(t+1) = (1 - g) x_t + g T x_t.
Known: PEPit's numbers agree with it; its page prints the second bound differently (errata.pepit-2026).
Added: exact checks on rotations with shrinking. T (u, v) = (3 u - 4 v, 4 u + 3 v)/5 attains it for g = 1/2, n = 4.
Read: a page that quotes the theorem, PEPit's example fixed_point_problems/krasnoselskii_mann_constant_step_sizes.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Projections and splitting", "256/3125 256/3125"
STATEMENT = r"$x_{t+1} = (1-\gamma)x_t + \gamma Tx_t$ has $\frac14\|x_n - Tx_n\|^2 \le \frac{1}{4\gamma(1-\gamma)(n+1)}\left(\frac{n}{n+1}\right)^n\|x_0 - x^*\|^2$ for $\frac12 \le \gamma \le \frac12 + \frac12\sqrt{\frac{n}{n+1}}$."
RECOMPUTE = """\
from fractions import Fraction
n, g, x = 4, Fraction(1, 2), (Fraction(1), Fraction(0))
def T(x): return ((3 * x[0] - 4 * x[1]) / 5, (4 * x[0] + 3 * x[1]) / 5)
for _ in range(n):
    x = tuple((1 - g) * u + g * v for u, v in zip(x, T(x)))
bound = Fraction(n, n + 1) ** n / (4 * g * (1 - g) * (n + 1))
print(sum((u - v) ** 2 for u, v in zip(x, T(x))) / 4, bound)
"""


def rate(c, by=1):
    g, n, x, (a, b) = c.given.g, c.given.n, c.given.start, c.given.turn

    def T(x):
        return c.given.shrink * (a * x[0] - b * x[1]), c.given.shrink * (b * x[0] + a * x[1])

    for _ in range(n):
        x = [(1 - g) * u + g * v for u, v in zip(x, T(x))]
    small = (2 * g - 1) ** 2 <= Q(n, n + 1)
    bound = Q(n, n + 1) ** n / (4 * g * (1 - g) * (n + 1)) if small else (2 * g - 1) ** (2 * n)
    left = sum((u - v) ** 2 for u, v in zip(x, T(x))) / 4
    yield Le(left, by * bound * sum(u * u for u in c.given.start), "|x_n - T x_n|^2/4")


TIGHT = NumbersInstance.of(n=4, g=Q(1, 2), shrink=Q(1), turn=Qs("3/5", "4/5"), start=Qs(1, 0))
TURNS = Qs(1, 0), Qs("3/5", "4/5"), Qs(0, 1), Qs(-1, 0), Qs("12/13", "-5/13"), Qs("-4/5", "3/5"), Qs("24/25", "7/25")
claim(
    "errata.lieder-2018", "the two bounds of |x_n - T x_n|^2/4", hypotheses="T nonexpansive, T 0 = 0", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(n=(1, 2, 3, 4, 9), g=Qs("1/2", "3/4", "9/10", "49/50", 1), shrink=Qs(1, "9/10", 0), turn=TURNS, start=(Qs(1, 0), Qs(2, -3))))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TIGHT),
)(rate)  # fmt: skip
