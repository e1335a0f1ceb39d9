"""Alternating projections onto convex sets converge to the nearest common point.

Source: folklore; see J. P. Boyle, R. L. Dykstra: A method for finding projections onto the intersection of convex sets in
Hilbert spaces. Lecture Notes in Statistics 37, 1986.
Said: von Neumann's theorem gives the nearest point for subspaces, and is used for other convex sets.
Hypotheses: two half-planes with a common point.
Known: the method finds some common point; Dykstra's method finds the nearest one.
Added: a counterexample in one round.
Counterexample: y <= 0 and x + y <= 0 from (2, 1): the projections are (2, 0) and (1, -1), which is in both, at the squared
distance 5. The common point (1/2, -1/2) has the squared distance 9/2.
Instead: Dykstra's method comes to the nearest point (claim errata.boyle-1986.repaired).
Read: a page that states both theorems (the introduction of arXiv:1406.4012).
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Projections and splitting", "5 9/2"
STATEMENT = r"$\lim_k (P_2 P_1)^k x = P_{C_1 \cap C_2} x$ for closed convex $C_1$, $C_2$ with a common point."
RECOMPUTE = """\
from fractions import Fraction
x, y = 2, 1
x, y = x, min(y, 0)                                  # onto y <= 0
x, y = x - Fraction(max(x + y, 0), 2), y - Fraction(max(x + y, 0), 2)  # onto x + y <= 0: in both sets
print((x - 2) ** 2 + (y - 1) ** 2, (Fraction(1, 2) - 2) ** 2 + (-Fraction(1, 2) - 1) ** 2)
"""


def project(a, z):
    """Onto the half-plane of all z with a . z <= 0."""
    share = max(Q(0), a[0] * z[0] + a[1] * z[1]) / (a[0] ** 2 + a[1] ** 2)
    return z[0] - share * a[0], z[1] - share * a[1]


def nearest(c, dykstra=False, by=1):
    start = z = c.given.start
    kept = [(Q(0), Q(0)) for _ in c.given.normals]
    for k in range(30 * len(kept)):
        k = k % len(kept)
        w = (z[0] + kept[k][0], z[1] + kept[k][1]) if dykstra else z
        z = project(c.given.normals[k], w)
        kept[k] = (w[0] - z[0], w[1] - z[1])
    found, other = ((u[0] - start[0]) ** 2 + (u[1] - start[1]) ** 2 for u in (z, c.given.common))
    yield Le(found, by * other, "squared distance from the start, at most that of a common point")


DRAWN = {
    "start": (Qs(2, 1), Qs(1, 3), Qs("1/2", -1)),
    "common": (Qs("1/2", "-1/2"), Qs(0, 0), Qs(-1, -1), Qs("3/4", "-3/4")),
}
FALSE = NumbersInstance.of(normals=(Qs(0, 1), Qs(1, 1)), start=Qs(2, 1), common=Qs("1/2", "-1/2"))
claim(
    "errata.boyle-1986", "alternating projections find the nearest point", hypotheses="two half-planes", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(normals=(FALSE.extra.normals,), **DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(normals=(Qs(0, 1),))), text="one half-plane"),
)(nearest)  # fmt: skip
claim(
    "errata.boyle-1986.repaired", "30 rounds of Dykstra's method find it to a part in 10^9", hypotheses="two half-planes", origin=OURS,
    evidence=[exact(lambda: numbers(normals=(FALSE.extra.normals,), **DRAWN))],
    control=altered("half of it", lambda c: nearest(c, True, Q(1, 2)), FALSE),
)(lambda c: nearest(c, True, 1 + Q(1, 10**9)))  # fmt: skip
