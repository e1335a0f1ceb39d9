"""The proximal point method on a convex function: the rate 1/(4 gamma n).

Source: A. Taylor, J. Hendrickx, F. Glineur: Exact worst-case performance of first-order methods for composite convex
optimization. SIAM Journal on Optimization 27, 2017, arXiv:1512.07516. Theorem 4.1.
Said: f(x_n) - f* is at most |x_0 - x*|^2/(4 gamma n).
Hypotheses: f convex, proper, closed; step gamma > 0.
Known: linear functions on a half-line attain it.
Added: exact checks on c |x| + m x^2/2 with a wall; with any smaller constant it is false (control).
Read: a page that quotes the theorem, PEPit's example unconstrained_convex_minimization/proximal_point.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Projections and splitting", "1/20 1/20"
STATEMENT = r"$x_{t+1} = \mathrm{prox}_{\gamma f}(x_t)$ has $f(x_n) - f^* \le \frac{1}{4\gamma n}\|x_0 - x^*\|^2$."
RECOMPUTE = """\
from fractions import Fraction
n, gamma, x = 5, 1, Fraction(1)
c = x / (2 * gamma * n)  # f(x) = c |x|
for _ in range(n):
    x = max(x - gamma * c, 0)
print(c * x, Fraction(1, 4 * gamma * n))
"""


def rate(c, by=1):
    x, step = c.given.start, c.given.gamma
    for _ in range(c.given.n):
        x = max(x - step * c.given.slope, 0) / (1 + step * c.given.curve)
        x = min(x, c.given.wall)
    value = c.given.slope * x + c.given.curve * x * x / 2
    yield Le(
        value, by * c.given.start**2 / (4 * step * c.given.n), "f(x_n) - f*, f = slope x + curve x^2/2, 0 <= x <= wall"
    )


LINE = NumbersInstance.of(n=5, gamma=Q(1), start=Q(10), slope=Q(1), curve=Q(0), wall=Q(99))
DRAWN = {"gamma": Qs(1, "1/3", 7), "start": Qs(1, 4, 10), "slope": Qs(1, "1/8", "1/10", 0, 3), "wall": Qs(99, 2, "1/2")}
claim(
    "errata.taylor-2017-proximal", "f(x_n) - f* <= |x_0 - x*|^2/(4 gamma n)", hypotheses="f convex", origin=OURS,
    evidence=[golden(LINE), exact(lambda: numbers(n=(1, 2, 3, 5, 9), curve=Qs(0, 1, "1/10", 5), **DRAWN))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), LINE),
)(rate)  # fmt: skip
