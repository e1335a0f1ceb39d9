"""The heavy ball method with Polyak's parameters converges for every smooth and strongly convex function.

Source: folklore; refuted by L. Lessard, B. Recht, A. Packard: Analysis and Design of Optimization Algorithms via Integral
Quadratic Constraints. SIAM Journal on Optimization 26, 2016, arXiv:1408.3595.
Said: Polyak (1964) proved an accelerated rate for quadratic functions; the parameters are used beyond them.
Hypotheses: f is 1-strongly convex and 25-smooth; Polyak's parameters alpha = 1/9, beta = 4/9; two starting points.
Known: the paper has a function of one number on which it ends in a cycle.
Added: the cycle is checked in fractions, and the audit finds such functions without a hint.
Counterexample: f'(0) = 0, slope 25 up to 1, then 1 up to 2, then 25; the points 792/1225, -2208/1225, 2592/1225 repeat.
Instead: on a quadratic function it converges (control: slope 25 everywhere).
Read: a page of arXiv:2202.02914, which says that the paper has such an example; its numbers are recomputed here.
"""

from dualgap.proofs_checks import OURS, Le, Lt, NumbersInstance, Qs, by_pieces, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC = "REFUTED", "Heavy ball"
STATEMENT = r"$x_{t+1} = x_t - \frac19 f'(x_t) + \frac49 (x_t - x_{t-1})$ converges to the minimum of every $f$ with $1 \le f'' \le 25$."
PRINTS = "792/1225 -2208/1225 2592/1225 792/1225 -2208/1225"
RECOMPUTE = """\
from fractions import Fraction
def derivative(x): return 25 * x if x < 1 else x + 24 if x < 2 else 25 * x - 24
x = [Fraction(792, 1225), Fraction(-2208, 1225)]
for _ in range(3):
    x.append(x[-1] - derivative(x[-1]) / 9 + Fraction(4, 9) * (x[-1] - x[-2]))
print(*x)
"""


def heavy_ball(c):
    points = list(c.given.start)
    for _ in range(60):
        step = by_pieces(points[-1], c.given.kinks, c.given.slopes)[1] / 9
        points.append(points[-1] - step + 4 * (points[-1] - points[-2]) / 9)
    first, third, last = (x[0] ** 2 + x[1] ** 2 for x in (points[:2], points[3:5], points[-2:]))
    yield Lt(0, abs(first - third), "after three steps it is not where it was")
    yield Le(last, first / 100, "after 60 steps x_t^2 + x_(t-1)^2 is 1/100 of what it was")


STARTS = tuple(Qs(a, b) for a in (1, 2, "7/2", -5) for b in (1, 3, "33/10", "-3/2"))
CYCLE = NumbersInstance.of(kinks=Qs(1, 2), slopes=Qs(25, 1, 25), start=Qs("792/1225", "-2208/1225"))
SLOPES = (Qs(25, 1, 25), Qs(25, 5, 25), Qs(25, 1, 5), Qs(1, 25, 1))
FUNCTIONS = {"kinks": (Qs(1, 2), Qs("1/2", 2), Qs(1, "5/2")), "slopes": SLOPES, "start": STARTS}
claim(
    "errata.lessard-2016", "the heavy ball converges", hypotheses="1 <= f'' <= 25, alpha = 1/9, beta = 4/9", origin=OURS,
    evidence=[golden(CYCLE), exact(lambda: numbers(**FUNCTIONS))], expected="REFUTED",
    control=holds_on(CYCLE.but(extra=CYCLE.extra.but(slopes=Qs(25, 25, 25))), text="f = 25 x^2/2"),
)(heavy_ball)  # fmt: skip
