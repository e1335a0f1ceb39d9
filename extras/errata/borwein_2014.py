"""Douglas and Rachford's method for two sets finds a common point of three sets if three reflections are composed.

Source: folklore; see J. M. Borwein, M. K. Tam: A Cyclic Douglas-Rachford Iteration Scheme. DOI 10.1007/s10957-013-0381-x.
Said: the step x <- (x + R_3 R_2 R_1 x)/2 is the natural extension of the step for two sets.
Hypotheses: three lines through 0 in the plane, R_k the reflection in line k; the answer is the projection onto line 1.
Known: the paper has a cyclic scheme for many sets.
Added: an exact fixed point that is no solution.
Counterexample: the lines y = 0, x = y, x = 0: the composed reflection exchanges x and y, so (1, 1) stays. Its projection
onto the first line is (1, 0), and only (0, 0) is on all three.
Instead: the cyclic scheme converges (claim errata.borwein-2014.repaired, 100 rounds).
Read: a page with the introduction of the paper; nothing else is said of it.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Projections and splitting", "1 1"
STATEMENT = r"$x^+ = \frac12 (x + R_3 R_2 R_1 x)$: $P_1 x_t$ converges to a point of $C_1 \cap C_2 \cap C_3$."
RECOMPUTE = """\
from fractions import Fraction
x, y = 1, 1
u, v = -y, x   # reflected in the lines y = 0 and x = y
u, v = -u, v   # in the line x = 0
print(Fraction(x + u, 2), Fraction(y + v, 2))  # the next point; its projection onto y = 0 is not on x = 0 and x = y
"""


def reflect(a, z):
    share = 2 * (a[0] * z[0] + a[1] * z[1]) / (a[0] ** 2 + a[1] ** 2)
    return z[0] - share * a[0], z[1] - share * a[1]


def solves(c, cyclic=False, by=Q(1, 100)):
    lines, z = c.given.lines, c.given.start
    groups = [(a, lines[(k + 1) % len(lines)]) for k, a in enumerate(lines)] if cyclic else [lines]
    for _ in range(40):
        for group in groups:
            w = z
            for a in group:
                w = reflect(a, w)
            z = ((z[0] + w[0]) / 2, (z[1] + w[1]) / 2)
    w = reflect(lines[0], z)
    yield Le(
        ((z[0] + w[0]) ** 2 + (z[1] + w[1]) ** 2) / 4,
        by * (c.given.start[0] ** 2 + c.given.start[1] ** 2),
        "||P_1 x||^2",
    )


STARTS, LINES = (Qs(1, 1), Qs(2, -1), Qs(0, 3)), ((Qs(0, 1), Qs(1, -1), Qs(1, 0)), (Qs(0, 1), Qs(1, 2), Qs(2, 1)))
FALSE = NumbersInstance.of(lines=LINES[0], start=Qs(1, 1))
claim(
    "errata.borwein-2014", "P_1 x comes near the common point", hypotheses="three lines through 0", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(lines=LINES, start=STARTS))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(lines=(Qs(0, 1), Qs(1, -1)), start=Qs(1, 1)), text="two lines"),
)(solves)  # fmt: skip
claim(
    "errata.borwein-2014.repaired", "40 rounds of the cyclic scheme come near the common point", origin=OURS,
    hypotheses="three lines through 0", evidence=[exact(lambda: numbers(lines=LINES, start=STARTS))],
    control=altered("to 0", lambda c: solves(c, True, Q(-1)), FALSE),
)(lambda c: solves(c, True))  # fmt: skip
