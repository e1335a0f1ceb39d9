"""Nesterov's method with momentum 9/10 and step 1/L converges for every smooth and strongly convex function.

Source: folklore about the method of Y. Nesterov: Dokl. Akad. Nauk SSSR 269, 1983, with a constant momentum.
Said: the method is accelerated if its momentum fits.
Hypotheses: f convex and L-smooth; y = x_t + beta (x_t - x_(t-1)), x_(t+1) = y - f'(y)/L, 0 <= beta < 1.
Known: the energy below is a usual tool.
Added: the contrast: the heavy ball with the same numbers has a cycle (errata.goujaud-2023). Here E_t = f(x_t) + L |x_t - x_(t-1)|^2/2 falls by (1 - beta^2) L |x_t - x_(t-1)|^2/2 or more, for every convex f.
Read: a page that gives the method, PEPit's example unconstrained_convex_minimization/accelerated_gradient_convex.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Nesterov's method", "True"
STATEMENT = r"$f(x_{t+1}) + \frac L2\|x_{t+1} - x_t\|^2 \le f(x_t) + \frac{\beta^2L}{2}\|x_t - x_{t-1}\|^2$"
RECOMPUTE = """\
from fractions import Fraction
b, x = Fraction(9, 10), [Fraction(12), Fraction(17)]
def f(x): return x * x / 2 if abs(x) < 1 else abs(x) - Fraction(1, 2)
for _ in range(40):
    y = x[-1] + b * (x[-1] - x[-2])
    x.append(y - max(-1, min(1, y)))
print(all(f(w) + (w - v) ** 2 / 2 <= f(v) + b * b * (v - u) ** 2 / 2 for u, v, w in zip(x, x[1:], x[2:])))
"""


def energy(c, by=1):
    beta, (before, x), parts = c.given.beta, c.given.start, tuple(zip(c.given.weights, c.given.widths))
    L = sum(c.given.weights)  # f: a sum of w times a Huber function of width a

    def f(x):
        return sum(w * (x * x / 2 if abs(x) < a else a * abs(x) - a * a / 2) for w, a in parts)

    for t in range(8):
        y = x + beta * (x - before)
        after = y - sum(w * max(-a, min(a, y)) for w, a in parts) / L
        yield Le(f(after) + L * (after - x) ** 2 / 2, by * (f(x) + beta**2 * L * (x - before) ** 2 / 2), f"E_{t + 1}")
        before, x = x, after


REST = NumbersInstance.of(beta=Q(0), start=Qs(3, 3), weights=Qs(1, 0), widths=Qs(9, 9))
PAIRS = tuple(Qs(1, b) for b in (0, "1/9", "1/3", 1, 5))
claim(
    "errata.nesterov-1983", "E_(t+1) <= E_t - (1 - beta^2) L |x_t - x_(t-1)|^2/2", hypotheses="f convex, L-smooth", origin=OURS,
    evidence=[golden(REST), exact(lambda: numbers(beta=Qs("9/10", "1/2", 0, 1), start=tuple(Qs(a, b) for a in (12, 1, -4) for b in (17, 1, 0)), weights=PAIRS, widths=PAIRS[1:]))],
    control=altered("by a factor 1 - 10^-6", lambda c: energy(c, 1 - Q(1, 10**6)), REST),
    proof="f(x_(t+1)) <= f(y) - |g|^2/(2L) and f(y) <= f(x_t) + <g, y - x_t>; the sum of the right sides is f(x_t) + L |y - x_t|^2/2 - L |x_(t+1) - x_t|^2/2. So the steps go to 0, then g does, and y goes to the minimum if f is strongly convex.",
)(energy)  # fmt: skip
