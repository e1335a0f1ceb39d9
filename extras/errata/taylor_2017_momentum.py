"""Nesterov's method with the momentum (t - 1)/(t + 2): the rate 2 L/(n^2 + 5n + 6).

Source: A. Taylor, J. Hendrickx, F. Glineur: Exact worst-case performance of first-order methods for composite convex
optimization. SIAM Journal on Optimization 27, 2017, arXiv:1512.07516. Table 1.
Said: it is a numerical observation, "a tight empirical guarantee" in PEPit's words, and not a theorem.
Hypotheses: f convex and L-smooth.
Known: a Huber function attains it. For n = 1 and L = 1 dualgap exact proves 1/6, which is this rate.
Added: exact checks on sums of two Huber functions; with any smaller constant it is false (control).
Read: a page that quotes it, PEPit's example unconstrained_convex_minimization/accelerated_gradient_convex_simplified.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Nesterov's method", "1/21 1/21"
STATEMENT = r"$x_{t+1} = y_t - \frac1L\nabla f(y_t)$, $y_{t+1} = x_{t+1} + \frac{t}{t+3}(x_{t+1} - x_t)$ has $f(x_n) - f^* \le \frac{2L}{n^2+5n+6}\|x_0 - x^*\|^2$."
RECOMPUTE = """\
from fractions import Fraction
n = 4
x = y = Fraction(1)
a = Fraction(4, n * n + 5 * n + 6)  # f'(x) = min(x, a) for x > 0, L = 1
for t in range(n):
    before, x = x, y - min(y, a)
    y = x + Fraction(t, t + 3) * (x - before)
print(a * x - a * a / 2 if x > a else x * x / 2, Fraction(2, n * n + 5 * n + 6))
"""


def rate(c, by=1):
    x = y = c.given.start
    parts, L, n = tuple(zip(c.given.weights, c.given.widths)), sum(c.given.weights), c.given.n
    for t in range(n):
        before, x = x, y - sum(w * max(-a, min(a, y)) for w, a in parts) / L
        y = x + Q(t, t + 3) * (x - before)
    value = sum(w * (x * x / 2 if abs(x) < a else a * abs(x) - a * a / 2) for w, a in parts)
    yield Le(value, by * 2 * L * c.given.start**2 / (n * n + 5 * n + 6), "f(x_n) - f*")


HUBER = NumbersInstance.of(n=4, start=Q(21), weights=Qs(1, 0), widths=Qs(2, 2))
PAIRS = tuple(Qs(1, b) for b in (0, "1/9", "1/3", 1, 5))
claim(
    "errata.taylor-2017-momentum", "f(x_n) - f* <= 2 L |x_0 - x*|^2/(n^2 + 5 n + 6)", hypotheses="f convex and L-smooth",
    origin=OURS, evidence=[golden(HUBER), exact(lambda: numbers(n=(1, 2, 4, 7), weights=PAIRS, widths=PAIRS[1:], start=Qs(1, "-7/2", 9)))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), HUBER),
)(rate)  # fmt: skip
