"""Polyak's heavy ball converges for every smooth and strongly convex f if and only if L/mu < 9 + 4 sqrt(5).

Source: A. Badithela, P. Seiler: Analysis of the Heavy-ball Algorithm using Integral Quadratic Constraints. ACC 2019.
Said: its condition and a limit cycle give "the exact condition ratio that separates global convergence" from the rest.
Hypotheses: mu = 1, L = r^2, alpha = 4/(r + 1)^2, beta = ((r - 1)/(r + 1))^2: the parameters that are best for quadratics.
Known: all of it; the abstract has no number. Lessard, Recht and Packard (2016) have a cycle for L/mu = 25.
Added: the number, r = 2 + sqrt(5), a short proof, and a cycle in fractions for every rational r above. By the same proof
momentum 9/10 with the step 57/(64 L) converges for L/mu = 5, where the step 1/L does not (errata.goujaud-2023).
Read: the abstract.
"""

from dualgap.proofs_checks import OURS, Eq, Le, Lt, NumbersInstance, Q, Qs, altered, claim, exact, fails_on, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Heavy ball", "True True"
STATEMENT = r"Polyak's heavy ball converges for every $f$ with $\mu I \preceq \nabla^2 f \preceq LI$ if and only if $\sqrt{L/\mu} < 2 + \sqrt5$."
RECOMPUTE = """\
from fractions import Fraction; F = Fraction
r = F(17, 4)  # a cycle of three points: f' = L x for x <= x[0], then slope 1 for the length 1/(L - 1), then L
L, a, b = r * r, 4 / (r + 1) ** 2, ((r - 1) / (r + 1)) ** 2
k = 1 + b - a * L
s = a / (1 - (k * (k * k - b) - b * (k + b * b)) / (1 + k * b))
x = [s, s * (k + b * b) / (1 + k * b), s * (k * k - b) / (1 + k * b)]
print(all(x[(t + 1) % 3] == x[t] - a * (L * x[t] - (t == 2)) + b * (x[t] - x[t - 1]) for t in range(3)), (L - 1) * (x[2] - x[0]) >= 1)
"""
PROOF = "Let p = g - mu x, q = L x - g, g the gradient. p is a subgradient at q of a convex h with its minimum at 0, so the sums of <p_t, q_t - lam q_(t-1)> are >= -lam h(q_0) for 0 <= lam <= 1. For x_t = z^t, z = exp(i w), the terms are Re A (1 - lam z). If Re A (1 - z) = (1 - cos w) F with F < 0 for all w, they are < 0 for some lam < 1, and by Parseval sum |x_t|^2 is finite. For Polyak's parameters F = a (a - 2 r) - (a cos w + r)^2, a = (r^2 - 1)/2, and a < 2 r says r < 2 + sqrt(5)."


def threshold(c, by=1):
    r, (cos, sin) = c.given.r, c.given.turn
    L, step, b = r * r, 4 / (r + 1) ** 2, ((r - 1) / (r + 1)) ** 2
    u, v, a = (1 + b) * (1 - cos) / step, (b - 1) * sin / step, (L - 1) / 2  # the gain u + i v that sustains z^t
    left = ((u - 1) * (L - u) - v * v) * (1 - cos) + v * (L - 1) * sin  # Re A (1 - z)
    yield Eq(left, (1 - cos) * (by * a * (a - 2 * r) - (a * cos + r) ** 2), "Re A (1 - z)")
    if r * r >= 4 * r + 1:
        k = 1 + b - step * L
        s = step / (1 - (k * (k * k - b) - b * (k + b * b)) / (1 + k * b))
        x = [s, s * (k + b * b) / (1 + k * b), s * (k * k - b) / (1 + k * b)]
        after = [x[t] - step * (L * x[t] - (t == 2)) + b * (x[t] - x[t - 1]) for t in range(3)]
        yield Eq(sum(abs(x[t - 2] - after[t]) for t in range(3)), 0, "it returns after three steps")
        yield Le(1, (L - 1) * (x[2] - max(x[0], x[1], 0)), "slopes between 1 and L")


TURNS = Qs("3/5", "4/5"), Qs("-3/5", "4/5"), Qs("-5/13", "12/13"), Qs("7/25", "-24/25"), Qs(-1, 0), Qs(0, 1)
claim(
    "errata.badithela-2019", "convergence exactly for r < 2 + sqrt(5)", hypotheses="1 <= f'' <= r^2", origin=OURS,
    evidence=[exact(lambda: numbers(r=tuple(Q(k, 8) for k in range(9, 90, 3)), turn=TURNS))], proof=PROOF,
    control=altered("another factor", lambda c: threshold(c, 2), NumbersInstance.of(r=Q(3), turn=TURNS[0])),
)(threshold)  # fmt: skip


def step(c):
    p, q = Q(19, 10) / c.given.step, Q(1, 10) / c.given.step  # F = (q^2 - p^2) w^2 + ..., w = 1 - cos
    yield Lt((6 * p / 5 - 2 * q * q + 4 * q / 5) ** 2, 4 * (p * p - q * q) * (1 + 8 * q) / 5, "discriminant of F < 0")


claim(
    "errata.badithela-2019.step", "momentum 9/10, the step s/L and L/mu = 5: convergence for every f", origin=OURS, proof=PROOF,
    hypotheses="s = 1/10, 1/2, 4/5, 57/64", evidence=[exact(lambda: numbers(step=Qs("57/64", "4/5", "1/2", "1/10")))],
    control=fails_on(NumbersInstance.of(step=Q(9, 10)), text="s = 9/10"),
)(step)  # fmt: skip
