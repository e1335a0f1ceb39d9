"""The heavy ball method with momentum 9/10 and step 1/L converges for every smooth and strongly convex function.

Source: folklore (the usual momentum and step); see B. Goujaud, A. Taylor, A. Dieuleveut: Provable non-accelerations of the
heavy-ball method. Mathematical Programming, 2025, arXiv:2307.11291.
Said: nothing printed. Polyak (1964) proved convergence for quadratic functions, for every step below 2 (1 + 9/10)/L.
Hypotheses: f is 1-smooth and 1/5-strongly convex on the plane; two starting points.
Known: the authors show that tunings which are accelerated on quadratics have cycles for some f.
Added: a cycle of eight integer points for L/mu = 5, checked by projections and by the interpolation conditions.
Counterexample: grad f(x) = x/5 + P(4x/5), P the projection on the octagon with the corners (61/10, -6/5), (51/10, 17/5)
and their rotations by quarter turns. The points (17, 0), (12, 12), (0, 17), ... repeat.
Instead: with the step 57/(64 L) it converges for each such f (errata.badithela-2019.step); here without momentum (control).
Read: the abstract and the introduction; nothing is said about the theorems of the paper.
"""

from dualgap.proofs_checks import OURS, Le, Lt, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Heavy ball", "-81/100"
STATEMENT = r"$x_{t+1} = x_t - \frac1L\nabla f(x_t) + \frac9{10}(x_t - x_{t-1})$ converges to the minimum of every $f$ with $\frac L5 I \preceq \nabla^2 f \preceq L I$."
RECOMPUTE = """\
from fractions import Fraction; F = Fraction
x = [(17, 0), (12, 12)]
while len(x) < 8: x.append((-x[-2][1], x[-2][0]))
g = [[F(19, 10) * b - c - F(9, 10) * a for a, b, c in zip(x[t - 1], x[t], x[(t + 1) % 8])] for t in range(8)]
p = [[v - F(u, 5) for u, v in zip(x[t], g[t])] for t in range(8)]
# p[t] is the projection of 4/5 x[t] on the hull of p, if all of these are negative:
print(max(sum((F(4 * u, 5) - v) * (w - v) for u, v, w in zip(x[t], p[t], p[s])) for t in range(8) for s in range(8) if s != t))
"""


def gradient(x, corners):
    """x/5 + the projection of 4/5 x on the convex polygon with these corners, which go round it."""
    (s, t), found = [4 * v / 5 for v in x], []
    for (a, b), (c, d) in zip(corners, (*corners[1:], corners[0])):
        u, v = c - a, d - b
        if (s - a) * v > (t - b) * u:  # outside of this side; its nearest point
            share = max(0, min(1, ((s - a) * u + (t - b) * v) / (u * u + v * v)))
            found += [(a + share * u, b + share * v)]
    p, q = min(found, key=lambda one: (one[0] - s) ** 2 + (one[1] - t) ** 2, default=(s, t))
    return x[0] / 5 + p, x[1] / 5 + q


def heavy_ball(c):
    before, x = c.given.start[:2], c.given.start[2:]
    first = size = sum(v * v for v in c.given.start)
    for _ in range(48):
        before, x = x, [v - w + c.given.beta * (v - u) for u, v, w in zip(before, x, gradient(x, c.given.corners))]
        size = min(size, sum(v * v for v in (*before, *x)))
    yield Lt(0, sum((u - v) ** 2 for u, v in zip((*before, *x), c.given.start)), "after 48 steps it is elsewhere")
    yield Le(size, first / 4, "within 48 steps |x_t|^2 + |x_(t-1)|^2 falls to a quarter")


QUARTER = Qs("61/10", "-6/5"), Qs("51/10", "17/5")
OCTAGON = (*QUARTER, *((-b, a) for a, b in QUARTER), *((-a, -b) for a, b in QUARTER), *((b, -a) for a, b in QUARTER))
CYCLE = NumbersInstance.of(beta=Q(9, 10), corners=OCTAGON, start=Qs(17, 0, 12, 12))
STARTS = tuple(Qs(*start) for start in ((17, 0, 12, 12), (3, 0, 3, 0), (40, 1, 30, 2), (9, -9, 1, 20)))
claim(
    "errata.goujaud-2023", "the heavy ball converges", hypotheses="beta = 9/10, step 1/L, L/mu = 5", origin=OURS,
    evidence=[golden(CYCLE), exact(lambda: numbers(beta=(Q(9, 10),), corners=(OCTAGON,), start=STARTS))],
    expected="REFUTED", control=holds_on(CYCLE.but(extra=CYCLE.extra.but(beta=0)), text="without momentum"),
)(heavy_ball)  # fmt: skip
