"""An identity of the inexact fast gradient method that readers took for an error is right.

Source: O. Devolder, F. Glineur, Yu. Nesterov: First-order methods of smooth convex optimization with inexact oracle.
Mathematical Programming 146, 2014. Proof of Theorem 2.
Said: ||x_new - x*||^2 = ||x - x*||^2 + 2 <B (x_new - x), x_new - x*> - ||x_new - x||^2, with ||v||^2 = <B v, v>.
Hypotheses: B symmetric and positive definite.
Known: a question at a forum says that it "is wrong", the answers that the author is correct.
Added: an exact check, and the form that the question takes for the only right one.
Read: a page, the question with both formulas and its two answers.
"""

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, altered, claim, exact, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Nesterov's method", "25 25 25"
STATEMENT = r"$\Vert x_{k+1}-x^*\Vert^2 = \Vert x_k-x^*\Vert^2 + 2\langle B(x_{k+1}-x_k), x_{k+1}-x^*\rangle - \Vert x_{k+1}-x_k\Vert^2$"
RECOMPUTE = """\
from fractions import Fraction
x, new, star = Fraction(1, 3), 7, 2
printed = (x - star) ** 2 + 2 * (new - x) * (new - star) - (new - x) ** 2
other = (x - star) ** 2 + 2 * (new - x) * (x - star) + (new - x) ** 2
print((new - star) ** 2, printed, other)
"""


def identity(c, sign=-1):
    (a, b), (d, e) = c.given.B, c.given.new
    (x, y), (u, v) = c.given.x, c.given.star

    def inner(p, q, r, s):
        return a * p * r + b * (p * s + q * r) + c.given.last * q * s

    step, far, near = (d - x, e - y), (d - u, e - v), (x - u, y - v)
    right = inner(*near, *near) + 2 * inner(*step, *far) + sign * inner(*step, *step)
    yield Eq(inner(*far, *far), right, "squared distance of the new point")


POINTS = tuple(Qs(p, q) for p in (1, "-2/3", 5) for q in (0, 2, "1/7"))
DRAWN = {"B": (Qs(1, 0), Qs(2, 1)), "last": Qs(1, 4), "x": POINTS, "new": POINTS[::-1], "star": POINTS[3:]}
ONE = NumbersInstance.of(B=Qs(1, 0), last=Q(1), x=Qs("1/3", 0), new=Qs(7, 0), star=Qs(2, 0))
claim(
    "errata.devolder-2014", "the three-point identity", hypotheses="B symmetric, positive definite", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], control=altered("with +", lambda c: identity(c, 1), ONE),
    proof="||u - v||^2 = ||u||^2 - 2 <B v, u> + ||v||^2 for u = x_new - x* and v = x_new - x.",
)(identity)  # fmt: skip
