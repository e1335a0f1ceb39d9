"""Gradient descent with exact line search: the rate ((L - mu)/(L + mu))^2 of function values.

Source: E. de Klerk, F. Glineur, A. Taylor: On the worst-case complexity of the gradient method with exact line search for
smooth strongly convex functions. Optimization Letters 11, 2017. Theorem 1.2.
Said: f(x_n) - f* is at most ((L - mu)/(L + mu))^(2n) (f(x_0) - f*), and this is tight.
Hypotheses: f mu-strongly convex and L-smooth.
Known: for quadratic functions it is Kantorovich's inequality, and one of two variables attains it in every step.
Added: exact checks on quadratic functions of three variables; with any smaller constant it is false (control).
Read: a page that quotes the theorem, PEPit's example unconstrained_convex_minimization/gradient_exact_line_search.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Gradient and Newton methods", "4/9 4/9"
STATEMENT = r"Exact line search along $-\nabla f(x_t)$ has $f(x_{t+1}) - f^* \le \left(\frac{L-\mu}{L+\mu}\right)^2(f(x_t) - f^*)$."
RECOMPUTE = """\
from fractions import Fraction
h = (1, 5)
x = [Fraction(1, s) for s in h]  # f = (x_0^2 + 5 x_1^2)/2
g = [s * v for s, v in zip(h, x)]
step = sum(v * v for v in g) / sum(s * v * v for s, v in zip(h, g))
print(sum(s * (u - step * v) ** 2 for s, u, v in zip(h, x, g)) / sum(s * u * u for s, u in zip(h, x)), Fraction(5 - 1, 5 + 1) ** 2)
"""


def rate(c, by=1):
    h, x = c.given.curves, c.given.start
    for t in range(3):
        before, g = sum(s * v * v for s, v in zip(h, x)), [s * v for s, v in zip(h, x)]
        step = sum(v * v for v in g) / (sum(s * v * v for s, v in zip(h, g)) or 1)
        x = [u - step * v for u, v in zip(x, g)]
        bound = ((max(h) - min(h)) / (max(h) + min(h))) ** 2 * before
        yield Le(sum(s * v * v for s, v in zip(h, x)), by * bound, f"2 f(x_{t + 1})")


TIGHT = NumbersInstance.of(curves=Qs(1, 5, 5), start=Qs(5, 1, 0))
CURVES = tuple(Qs(a, b, d) for a in (1, "1/10", 3) for b in (1, 2, 25) for d in (1, "7/2", 100))
claim(
    "errata.deklerk-2017", "f(x_(t+1)) <= ((L - mu)/(L + mu))^2 f(x_t)", hypotheses="f quadratic, f* = 0", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(curves=CURVES, start=tuple(Qs(a, b, 2) for a in (1, 5, -30) for b in (0, 1, 8))))],
    control=altered("a rate smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TIGHT),
)(rate)  # fmt: skip
