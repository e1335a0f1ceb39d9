"""Gradient descent with step 1/L on a smooth convex function: the rate L/(4n + 2).

Source: Y. Drori, M. Teboulle: Performance of first-order methods for smooth convex minimization: a novel approach.
Mathematical Programming 145, 2014, arXiv:1206.3209. Theorem 3.1.
Said: f(x_n) - f* is at most L |x_0 - x*|^2/(4 n + 2), for steps of at most 1/L in a like form.
Hypotheses: f convex with L-Lipschitz gradient.
Known: a Huber function attains it.
Added: exact checks on sums of two Huber functions; with any smaller constant it is false (control).
Read: a page that quotes the theorem, PEPit's example unconstrained_convex_minimization/gradient_descent.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Gradient and Newton methods", "1/18 1/18"
STATEMENT = r"$x_{t+1} = x_t - \frac1L\nabla f(x_t)$ has $f(x_n) - f^* \le \frac{L}{4n+2}\|x_0 - x^*\|^2$."
RECOMPUTE = """\
from fractions import Fraction
n, x, a = 4, Fraction(1), Fraction(1, 9)  # f'(x) = min(x, a) for x > 0, L = 1
for _ in range(n):
    x -= min(x, a)
print(a * x - a * a / 2 if x > a else x * x / 2, Fraction(1, 4 * n + 2))
"""


def rate(c, by=1):
    x, parts, L = c.given.start, tuple(zip(c.given.weights, c.given.widths)), sum(c.given.weights)
    for _ in range(c.given.n):
        x -= sum(w * max(-a, min(a, x)) for w, a in parts) / L
    value = sum(w * (x * x / 2 if abs(x) < a else a * abs(x) - a * a / 2) for w, a in parts)
    yield Le(
        value,
        by * L * c.given.start**2 / (4 * c.given.n + 2),
        "f(x_n) - f*, f a sum of w times a Huber function of width a",
    )


HUBER = NumbersInstance.of(n=4, start=Q(9), weights=Qs(1, 0), widths=Qs(1, 1))
PAIRS = tuple(Qs(1, b) for b in (0, "1/9", "1/3", 1, 5))
claim(
    "errata.drori-2014", "f(x_n) - f* <= L |x_0 - x*|^2/(4 n + 2)", hypotheses="f convex and L-smooth", origin=OURS,
    evidence=[golden(HUBER), exact(lambda: numbers(n=(1, 2, 4, 7, 12), weights=PAIRS, widths=PAIRS[1:], start=Qs(1, "-7/2", 9)))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), HUBER),
)(rate)  # fmt: skip
