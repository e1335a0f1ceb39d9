"""Kaczmarz's method with each row once, in random order, is never worse than with independent draws.

Source: folklore about the question of B. Recht, C. Re: Toward a noncommutative arithmetic-geometric mean inequality. COLT
2012, arXiv:1202.4184.
Said: each row once is taken to be at least as good as n independent draws, from every start.
Hypotheses: A x = 0 with one solution, n projections onto the rows' hyperplanes, E ||x||^2 over all orders.
Known: Z. Lai, L.-H. Lim (arXiv:2006.01510) refuted the conjecture of Recht and Re for n = 5. It is about norms of mean
products, and so another statement; the one here is not theirs.
Added: an exact example.
Counterexample: the rows (0, 1), (1, 1), (1, 1), (1, 1), x = (1, 1): 1/8 in random order, 203/2048 with independent draws.
Instead: for two rows it is true (claim errata.recht-2012-order.repaired).
Read: the abstract of the paper of Lai and Lim; nothing else is said of both.
"""

from itertools import permutations, product

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Shuffling", "1/8 203/2048"
STATEMENT = (
    r"$\mathbb{E}\Vert x_n\Vert^2$ is at most as large with the rows in random order as with $n$ independent draws."
)
RECOMPUTE = """\
from fractions import Fraction
def project(i, z): return (z[0], 0) if i == 0 else ((z[0] - z[1]) / Fraction(2), (z[1] - z[0]) / Fraction(2))
def mean(left, z, again):  # E ||x||^2 from z; again: each row may be drawn again
    if not left: return z[0] ** 2 + z[1] ** 2
    rows = (0, 1, 1, 1) if again else left
    return sum(mean(left[1:] if again else left[:k] + left[k + 1 :], project(i, z), again) for k, i in enumerate(rows)) / Fraction(len(rows))
print(mean((0, 1, 1, 1), (1, 1), False), mean((0, 1, 1, 1), (1, 1), True))
"""


def end(rows, x, order):
    for i in order:
        share = sum(a * b for a, b in zip(rows[i], x)) / sum(a * a for a in rows[i])
        x = [b - share * a for a, b in zip(rows[i], x)]
    return sum(b * b for b in x)


def shuffled(c, by=1):
    rows, x, n = c.given.rows, list(c.given.start), range(len(c.given.rows))
    one, other = (
        [end(rows, x, order) for order in orders] for orders in (permutations(n), product(n, repeat=len(rows)))
    )
    yield Le(sum(one) / len(one), by * sum(other) / len(other), "E ||x||^2 after n steps")


FALSE = NumbersInstance.of(rows=(Qs(0, 1), Qs(1, 1), Qs(1, 1), Qs(1, 1)), start=Qs(1, 1))
PAIRS = tuple((Qs(a, 1), Qs(1, b)) for a in (0, 2, -1) for b in (0, -1, "1/2"))
claim(
    "errata.recht-2012-order", "random order is no worse", hypotheses="A x = 0 has one solution", origin=OURS,
    evidence=[golden(FALSE)], expected="REFUTED", control=holds_on(FALSE.but(extra=FALSE.extra.but(start=Qs(1, 0))), text="start (1, 0)"),
)(shuffled)  # fmt: skip
claim(
    "errata.recht-2012-order.repaired", "random order is no worse", hypotheses="two rows", origin=OURS,
    evidence=[exact(lambda: numbers(rows=PAIRS, start=(Qs(1, 1), Qs(1, 0), Qs(2, -3))))],
    control=altered("half of it", lambda c: shuffled(c, Q(1, 2)), NumbersInstance.of(rows=PAIRS[1], start=Qs(1, 1))),
    proof="A projection lengthens nothing, so ||P_1 P_2 x|| <= ||P_2 x|| and ||P_2 P_1 x|| <= ||P_1 x||.",
)(shuffled)  # fmt: skip
