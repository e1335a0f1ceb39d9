"""The last iterate of the subgradient method has the bound of the average.

Source: folklore; see M. Zamani, F. Glineur: Exact convergence rate of the last iterate in subgradient methods. SIAM Journal
on Optimization 35, 2025, arXiv:2307.11134.
Said: the bound R^2/(2 T eta) + eta G^2/2 of the average of T points is used for the last of them.
Hypotheses: f convex, subgradients of norm at most G, constant step eta, |x_1 - x*| = R.
Known: the paper has the exact rate of the last iterate, which has a factor that grows with log T.
Added: the smallest counterexample, two points on a line.
Counterexample: f(x) = |x|, G = 1, eta = 1, x_1 = 1/4: x_2 = -3/4, f(x_2) = 3/4, and the bound is 33/64.
Instead: the average of the values has the bound (claim errata.zamani-2023.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Gradient and Newton methods", "3/4 33/64"
STATEMENT = r"$f(x_T) - f^* \le \frac{R^2}{2 T \eta} + \frac{\eta G^2}{2}$ for $x_{t+1} = x_t - \eta g_t$"
RECOMPUTE = """\
from fractions import Fraction
x, eta, T = Fraction(1, 4), 1, 2
last = x - eta * 1  # the subgradient of |x| at x > 0 is 1
print(abs(last), x * x / (2 * T * eta) + Fraction(eta, 2))
"""


def bound(c, average=False, by=1):
    """On f = max(a x, -b x) with the minimum 0; G is the larger of a and b."""
    a, b, eta, steps = c.given.a, c.given.b, c.given.eta, c.given.steps
    points = [c.given.x]
    for _ in range(steps - 1):
        points.append(points[-1] - eta * (a if points[-1] > 0 else -b))
    values = [max(a * x, -b * x) for x in points]
    right = points[0] ** 2 / (2 * steps * eta) + eta * max(a, b) ** 2 / 2
    yield Le(sum(values) / steps if average else values[-1], by * right, "f - f*")


DRAWN = {"a": Qs(1, 2), "b": Qs(1, "1/2"), "eta": Qs(1, "1/3"), "x": Qs("1/4", 1, 3, -2), "steps": (1, 2, 5)}
FALSE = NumbersInstance.of(a=Q(1), b=Q(1), eta=Q(1), x=Q(1, 4), steps=2)
claim(
    "errata.zamani-2023", "the last iterate has the bound of the average", hypotheses="f convex", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(steps=1)), text="one point"),
)(bound)  # fmt: skip
claim(
    "errata.zamani-2023.repaired", "the average of the values has the bound", hypotheses="f convex", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))],
    control=altered("half of it", lambda c: bound(c, True, Q(1, 2)), FALSE),
    proof="|x_(t+1)|^2 <= |x_t|^2 - 2 eta f(x_t) + eta^2 G^2; sum over t and divide by 2 T eta.",
)(lambda c: bound(c, True))  # fmt: skip
