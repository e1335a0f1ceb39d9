"""From which condition number on does Polyak's heavy ball have a cycle of three points? Exactly from 9 + 4 sqrt(5) on.

Source: B. T. Polyak: Some methods of speeding up the convergence of iteration methods. USSR Computational Mathematics
and Mathematical Physics 4, 1964. The question is ours; L. Lessard, B. Recht, A. Packard (2016) found the first cycle.
Said: with these parameters the method is accelerated on quadratic functions; about cycles nothing is said.
Hypotheses: f is 1-strongly convex and r^2-smooth, alpha = 4/(r + 1)^2, beta = ((r - 1)/(r + 1))^2.
Known: a cycle of three points for r = 5, on the line.
Added: for r < 2 + sqrt(5) no f in any dimension has one; for r >= 2 + sqrt(5) one on the line does: f' has the slope r^2
up to the first point, then 1 for the length 1/(r^2 - 1), then r^2. So 289/16 does instead of 25. Longer cycles: open.
Read: a page that gives parameters and cycle, the introduction of arXiv:2502.19916.
"""

from dualgap.proofs_checks import OURS, Eq, Le, NumbersInstance, Q, altered, claim, exact, numbers

VERDICT, TOPIC = "PROVED", "Heavy ball"
STATEMENT = r"Polyak's heavy ball has a cycle of three points on some $f$ with $\mu \le f'' \le L$ if and only if $\sqrt{L/\mu} \ge 2 + \sqrt5$."
PRINTS = "True True"
RECOMPUTE = """\
from fractions import Fraction; F = Fraction
r = F(17, 4)
L, a, b = r * r, 4 / (r + 1) ** 2, ((r - 1) / (r + 1)) ** 2
k = 1 + b - a * L
s = a / (1 - (k * (k * k - b) - b * (k + b * b)) / (1 + k * b))
x = [s, s * (k + b * b) / (1 + k * b), s * (k * k - b) / (1 + k * b)]
g = [L * x[0], L * x[1], L * x[2] - 1]  # f'
print(all(x[(t + 1) % 3] == x[t] - a * g[t] + b * (x[t] - x[t - 1]) for t in range(3)), (L - 1) * (x[2] - x[0]) >= 1)
"""
PROOF = """The interpolation conditions of (x_t, x_(t+1)), with the gradients that a cycle needs, have the sum -p(r)/(32 (r^2
- 1)) sum |x_(t+1) - x_t|^2 <= 0, p(r) = (r^2 - 4 r - 1)(3 r^2 + 4 r - 3). For r < 2 + sqrt(5) p < 0: all points are equal."""


def cycle(c, by=1):
    r, x = c.given.r, c.given.points
    L, a, b = r * r, 4 / (r + 1) ** 2, ((r - 1) / (r + 1)) ** 2
    left = size = 0
    for i in range(2):  # the coordinates
        g = [((1 + b) * x[t][i] - x[(t + 1) % 3][i] - b * x[t - 1][i]) / a for t in range(3)]
        for t in range(3):
            s, d = x[t - 1][i] - x[t][i], g[t - 1] - g[t]
            left, size = left + g[t] * s + (d * d / L + s * s - 2 * d * s / L) / (2 - 2 / L), size + s * s
    p = (r * r - 4 * r - 1) * (3 * r * r + 4 * r - 3)
    yield Eq(left, -by * p / (32 * (L - 1)) * size, "the sum of the conditions")
    if p >= 0:
        k = 1 + b - a * L
        s = a / (1 - (k * (k * k - b) - b * (k + b * b)) / (1 + k * b))
        z = [s, s * (k + b * b) / (1 + k * b), s * (k * k - b) / (1 + k * b)]
        for t in range(3):
            yield Eq(
                z[t - 2], z[t] - a * (L * z[t] - (t == 2)) + b * (z[t] - z[t - 1]), f"step from x_{t}, on the line"
            )
        yield Le(1, (L - 1) * (z[2] - max(z[0], z[1], 0)), "slopes between 1 and L")


ROOTS = tuple(Q(k, 8) for k in range(9, 90, 3))
POINTS = ((3, 1), (0, -2), (-5, 1)), ((1, 0), (7, 2), (-1, 4)), ((2, 3), (3, 2), (9, -4))
claim(
    "errata.polyak-1964-cycle", "a cycle of three points exists exactly for r >= 2 + sqrt(5)", origin=OURS,
    hypotheses="Polyak's parameters for 1 <= f'' <= r^2", evidence=[exact(lambda: numbers(r=ROOTS, points=POINTS))],
    control=altered("another factor", lambda c: cycle(c, 2), NumbersInstance.of(r=Q(2), points=POINTS[0])), proof=PROOF,
)(cycle)  # fmt: skip
