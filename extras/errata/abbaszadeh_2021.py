"""Gradient descent with step 1/L on a smooth function that need not be convex: min |grad f|^2 <= 4 L (f(x_0) - f(x_n))/(3n).

Source: H. Abbaszadehpeivasti, E. de Klerk, M. Zamani: The exact worst-case convergence rate of the gradient method with fixed
step lengths for L-smooth functions. Optimization Letters 16, 2022, arXiv:2104.05468.
Said: PEPit's page calls the bound empirically tight and cites the article.
Hypotheses: f' is L-Lipschitz; the minimum is over t <= n.
Known: PEPit's numbers agree.
Added: exact checks on functions of one number; f' = 2 at even and 1 at odd numbers attains it for every n.
Read: a page that quotes it, PEPit's example nonconvex_optimization/gradient_descent.
"""

from itertools import product
from math import floor

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Gradient and Newton methods", "4 4"
STATEMENT = r"$x_{t+1} = x_t - \frac1L\nabla f(x_t)$ has $\min_{t \le n}\|\nabla f(x_t)\|^2 \le \frac{4L}{3n}(f(x_0) - f(x_n))$."
RECOMPUTE = """\
from fractions import Fraction
n, L, drop = 4, 1, 8 * Fraction(2 + 1, 2)  # f' = 2, 1, 2, ... at 0, 1, 2, ...: the steps from 8 go to 6, 4, 2, 0
print(2**2, 4 * L * drop / (3 * n))
"""


def rate(c, by=1):
    knots = c.given.slopes  # f' at -4, ..., 4, linear between and constant beyond
    L = max(1, *(abs(u - v) for u, v in zip(knots, knots[1:])))

    def f(x):
        at = max(Q(-4), min(Q(4), x))
        k = min(floor(at) + 4, 7)
        end = knots[k] + (at + 4 - k) * (knots[k + 1] - knots[k])
        whole = sum(u + v for u, v in zip(knots[:k], knots[1:]))
        return (whole + (at + 4 - k) * (knots[k] + end)) / 2 + (x - at) * end, end

    x, n = [c.given.start], c.given.n
    for _ in range(n):
        x.append(x[-1] - f(x[-1])[1] / L)
    yield Le(min(f(v)[1] ** 2 for v in x), by * Q(4, 3 * n) * L * (f(x[0])[0] - f(x[-1])[0]), "min f'(x_t)^2")


TIGHT = NumbersInstance.of(n=4, start=Q(4), slopes=(2, 1, 2, 1, 2, 1, 2, 1, 2))
SLOPES = tuple((*u, *v, *w) for u, v, w in product(((2, 1, 2), (-1, 0, 1), (3, 3, 2), (0, -2, 1)), repeat=3))
claim(
    "errata.abbaszadeh-2021", "min |f'|^2 <= 4 L (f(x_0) - f(x_n))/(3 n)", hypotheses="one variable", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(n=(1, 2, 3, 4, 8), start=Qs(4, "7/2", 0, "-1/3"), slopes=SLOPES))],
    control=altered("a constant smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TIGHT),
)(rate)  # fmt: skip
