"""A sweep of cyclic coordinate descent is never worse than as many random steps.

Source: folklore; refuted by R. Sun, Y. Ye: Worst-case complexity of cyclic coordinate descent: O(n^2) gap with randomized
version. arXiv:1604.07130, 2016; Mathematical Programming, DOI 10.1007/s10107-019-01437-5.
Said: the cyclic order uses each coordinate once, and is taken to be at least as good as random draws.
Hypotheses: f(x) = x^T M x/2, M positive definite, exact minimisation along a coordinate, d steps.
Known: the paper: in the worst case the cyclic order "can indeed be O(n^2) times slower".
Added: the smallest example, two variables and integers, for one sweep from a given start.
Counterexample: M = (1, -1; -1, 2), x = (0, 1): a sweep leads to f = 1/4, two random steps to 3/16 in the mean.
Instead: each step, and so each sweep, does not raise f; from another start the sweep is better (control).
Read: the abstract; nothing else is said of the paper.
"""

from itertools import product

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Coordinate descent", "1/4 3/16"
STATEMENT = (
    r"$f(x_d^{\mathrm{cyclic}}) \le \mathbb{E} f(x_d^{\mathrm{random}})$ from the same start, $f(x) = \frac12 x^T M x$"
)
RECOMPUTE = """\
from fractions import Fraction
def f(x, y): return (x * x - 2 * x * y + 2 * y * y) / Fraction(2)
def step(z, i): return (z[1], z[1]) if i == 0 else (z[0], Fraction(z[0], 2))  # the minimum along coordinate i
def end(*order):
    z = (0, 1)
    for i in order: z = step(z, i)
    return f(*z)
print(end(0, 1), sum(end(i, j) for i in (0, 1) for j in (0, 1)) / 4)
"""


def value(M, x):
    return sum(a * M[i][j] * b for i, a in enumerate(x) for j, b in enumerate(x)) / 2


def end(c, order):
    M, x = c.given.M, list(c.given.start)
    for i in order:
        x[i] = x[i] - sum(a * b for a, b in zip(M[i], x)) / M[i][i]
    return value(M, x)


def cyclic(c):
    d = len(c.given.M)
    ends = [end(c, order) for order in product(range(d), repeat=d)]
    yield Le(end(c, range(d)), sum(ends) / len(ends), "f after a sweep, at most the mean over random choices")


M = ((Qs(1, -1), Qs(-1, 2)), (Qs(2, 1), Qs(1, 1)), (Qs(1, "1/2"), Qs("1/2", 1)), (Qs(1, 0), Qs(0, 3)))
FALSE = NumbersInstance.of(M=M[0], start=Qs(0, 1))
claim(
    "errata.sun-2016", "a sweep is no worse than random steps", hypotheses="M positive definite", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(M=M, start=(Qs(0, 1), Qs(1, 0), Qs(1, 2))))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(M=M[0], start=(Q(1, 1), Q(1, 2))), text="another start"),
)(cyclic)  # fmt: skip
