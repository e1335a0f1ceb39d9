"""The heavy ball method with small steps is globally convergent: f(x_n) - f* <= (1 - alpha mu)^n (f(x_0) - f*).

Source: E. Ghadimi, H. R. Feyzmahdavian, M. Johansson: Global convergence of the Heavy-ball method for convex optimization.
European Control Conference 2015, arXiv:1412.7457. Theorem 4.
Said: the rate above, for 0 < alpha <= 1/L and beta = sqrt((1 - alpha mu)(1 - alpha L)).
Hypotheses: f mu-strongly convex and L-smooth; x_(-1) = x_0.
Known: it is an upper bound; no tight one is quoted. Larger momentum has cycles: errata.goujaud-2023.
Added: exact checks of 16 steps on functions of one number with a kink of the slope; half of the bound is false (control).
Read: a page that quotes the theorem, PEPit's example unconstrained_convex_minimization/heavy_ball_momentum.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, numbers

VERDICT, TOPIC, PRINTS = "HOLDS", "Heavy ball", "True True True True"
STATEMENT = r"$x_{t+1} = x_t - \alpha\nabla f(x_t) + \sqrt{(1-\alpha\mu)(1-\alpha L)}\,(x_t - x_{t-1})$ has $f(x_n) - f^* \le (1-\alpha\mu)^n(f(x_0) - f^*)$."
RECOMPUTE = """\
from fractions import Fraction
mu, alpha, beta = Fraction(7, 12), Fraction(3, 4), Fraction(3, 8)  # L = 1, f' = x to 1, then slope mu
x = [Fraction(3)] * 2
def f(x): return x * x / 2 if abs(x) < 1 else abs(x) - Fraction(1, 2) + mu * (abs(x) - 1) ** 2 / 2
for n in range(4):
    x.append(x[-1] - alpha * (x[-1] if abs(x[-1]) < 1 else 1 + mu * (x[-1] - 1)) + beta * (x[-1] - x[-2]))
print(*(f(x[n + 2]) <= (1 - alpha * mu) ** (n + 1) * f(x[1]) for n in range(4)))
"""


def value(x, kink, inner, outer):
    """f and f'; f'' is inner up to the kink and outer beyond, on both sides of 0."""
    near, far = max(-kink, min(kink, x)), max(abs(x) - kink, Q(0))
    return inner * near**2 / 2 + far * (inner * kink + outer * far / 2), inner * near + outer * (x - near)


def rate(c, by=1):
    v, t = c.given.v, c.given.t  # v = 1 - alpha L, t^2 v = 1 - alpha mu, beta = t v
    alpha, slopes = 1 - v, [1, (1 - t * t * v) / (1 - v)]  # L = 1
    f = c.given.kink, *(slopes if c.given.soft else slopes[::-1])
    before = x = c.given.start
    for n in range(1, 17):
        before, x = x, x - alpha * value(x, *f)[1] + t * v * (x - before)
        yield Le(value(x, *f)[0], by * (t * t * v) ** n * value(c.given.start, *f)[0], f"f(x_{n})")


SLOW = NumbersInstance.of(v=Q(1, 4), t=Q(19, 10), kink=Q(1), soft=0, start=Q(1))
claim(
    "errata.ghadimi-2015", "f(x_n) - f* <= (1 - alpha mu)^n (f(x_0) - f*)", hypotheses="one variable", origin=OURS,
    evidence=[exact(lambda: numbers(v=Qs("1/4", "1/5", "1/9"), t=Qs(1, "3/2", "19/10"), kink=Qs(1, "1/3", 4), soft=(0, 1), start=Qs(1, 3, -2)))],
    control=altered("half of the bound", lambda c: rate(c, Q(1, 2)), SLOW),
)(rate)  # fmt: skip
