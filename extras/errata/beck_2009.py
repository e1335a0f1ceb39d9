"""Nesterov's accelerated gradient method never raises the function.

Source: folklore; see A. Beck, M. Teboulle: Fast Gradient-Based Algorithms for Constrained Total Variation Image Denoising and
Deblurring Problems. IEEE Transactions on Image Processing 18, 2009.
Said: its rate is better than that of gradient descent, and so it is taken to descend as well.
Hypotheses: f convex and 1-smooth, step 1, momentum (t - 1)/(t + 2).
Known: the paper has a "monotone version" of the method.
Added: the first step at which it rises, on a quadratic function of one number.
Counterexample: f(x) = x^2/8 from x = 1: the curvature is 1/4; f rises from step 6 to 7, and from 7 to 8.
Instead: gradient descent with the same step does not raise f (claim errata.beck-2009.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Nesterov's method", "6 7"
STATEMENT = (
    r"$f(x_{t+1}) \le f(x_t)$ for $x_{t+1} = y_t - \frac1L f'(y_t)$, $y_t = x_t + \frac{t-1}{t+2} (x_t - x_{t-1})$"
)
RECOMPUTE = """\
from fractions import Fraction
x, before, values = Fraction(1), Fraction(1), [Fraction(1, 8)]
for t in range(1, 9):
    y = x + Fraction(t - 1, t + 2) * (x - before)
    x, before = y - y / 4, x
    values.append(x * x / 8)
print(*[t for t in range(8) if values[t + 1] > values[t]])  # the steps that raise f
"""


def monotone(c, momentum=True, by=1):
    x = before = Q(1)
    for t in range(1, c.given.steps + 1):
        y = x + momentum * Q(t - 1, t + 2) * (x - before)
        x, before = y - c.given.curvature * y, x
        yield Le(
            c.given.curvature * x**2, by * c.given.curvature * before**2, f"2 f after step {t}, at most that before"
        )


FALSE = NumbersInstance.of(curvature=Q(1, 4), steps=8)
DRAWN = {"curvature": Qs("1/4", "1/9", "1/2", "1/50"), "steps": (3, 20)}
claim(
    "errata.beck-2009", "the accelerated method never raises f", hypotheses="f convex, 1-smooth", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(steps=3)), text="3 steps"),
)(monotone)  # fmt: skip
claim(
    "errata.beck-2009.repaired", "gradient descent never raises f", hypotheses="f convex, 1-smooth, quadratic", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], proof="x is multiplied by 1 - curvature, which is in [0, 1).",
    control=altered("by half", lambda c: monotone(c, False, Q(1, 10)), FALSE),
)(lambda c: monotone(c, False))  # fmt: skip
