"""The proximal point method for a monotone operator: the rate (1 - 1/n)^(n-1)/n of the squared step.

Source: G. Gu, J. Yang: Tight sublinear convergence rate of the proximal point algorithm for maximal monotone inclusion
problem. SIAM Journal on Optimization 30, 2020. Section 4.
Said: |x_n - x_(n-1)|^2 is at most (1 - 1/n)^(n-1)/n |x_0 - x*|^2, and this is tight.
Hypotheses: A maximally monotone with a zero x*; any step.
Known: rotations of the plane attain it.
Added: exact checks on linear operators of the plane; A (u, v) = (v, -u)/2 attains it for n = 5, without irrational numbers.
Read: a page that quotes it, PEPit's example monotone_inclusions_variational_inequalities/proximal_point.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Projections and splitting", "256/3125 256/3125"
STATEMENT = r"$x_t = (I + \alpha A)^{-1}x_{t-1}$ has $\|x_n - x_{n-1}\|^2 \le \frac1n\left(1 - \frac1n\right)^{n-1}\|x_0 - x^*\|^2$."
RECOMPUTE = """\
from fractions import Fraction
n, a, x = 5, Fraction(1, 2), (Fraction(1), Fraction(0))
for _ in range(n):
    before, x = x, ((x[0] + a * x[1]) / (1 + a * a), (x[1] - a * x[0]) / (1 + a * a))
print(sum((u - v) ** 2 for u, v in zip(x, before)), Fraction(1, n) * (1 - Fraction(1, n)) ** (n - 1))
"""


def rate(c, by=1):
    x, n, ((p, q), (r, s)) = c.given.start, c.given.n, c.given.A
    det = (1 + p) * (1 + s) - q * r
    for _ in range(n):
        before, x = x, (((1 + s) * x[0] - q * x[1]) / det, ((1 + p) * x[1] - r * x[0]) / det)
    bound = Q(1, n) * (1 - Q(1, n)) ** (n - 1) * sum(u * u for u in c.given.start)
    yield Le(sum((u - v) ** 2 for u, v in zip(x, before)), by * bound, "|x_n - x_(n-1)|^2, A alpha = A")


MAPS = tuple(
    (Qs(m, a), Qs(-Q(a), k)) for m in (0, "1/9", 2) for a in (0, "1/2", 1, "1/3", "3/8", -5) for k in (0, "1/4")
)
TURN = NumbersInstance.of(n=5, A=(Qs(0, "1/2"), Qs("-1/2", 0)), start=Qs(1, 0))
claim(
    "errata.gu-2020", "|x_n - x_(n-1)|^2 <= (1 - 1/n)^(n-1)/n |x_0 - x*|^2", hypotheses="A monotone", origin=OURS,
    evidence=[golden(TURN), exact(lambda: numbers(n=(1, 2, 3, 5, 10), A=MAPS, start=(Qs(1, 0), Qs(3, -2), Qs(0, 5))))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TURN),
)(rate)  # fmt: skip
