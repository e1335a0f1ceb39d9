"""Permutation-invariant Hessians are the worst case of coordinate descent in a permuted order, for three coordinates.

Source: D. Kim, J. Lee, C. Yun: Provable Benefit of Random Permutations over Uniform Sampling in Stochastic Coordinate
Descent. ICML 2025, arXiv:2505.23152. A conjecture.
Said: among all positive definite quadratics this class "contains the worst-case examples" of the method.
Hypotheses: unit diagonal, smallest eigenvalue s, here 1/2; an epoch takes each coordinate once, in a random order, exactly.
Known: it is open.
Added: exact second moments for n = 3 and s = 1/2. All such A are (I + V V^T)/2, V with unit rows in the plane; the invariant
one is (I + 1 1^T)/2, and E[x x^T] grows by at most 19/96 in an epoch. No A that was tried has more.
Read: the abstract, and a page that gives method, diagonal and measure.
"""

from itertools import permutations, product

from dualgap.proofs_checks import OURS, Eq, Le, NumbersInstance, Q, Qs, altered, characteristic, claim, exact
from dualgap.proofs_checks import numbers, radius_beside

VERDICT, TOPIC, PRINTS = "OPEN", "Coordinate descent", "25/32\n5/16"
STATEMENT = r"$\rho(X \mapsto \mathrm{E}\,[T X T^\top])$, $T$ an epoch of permuted coordinate descent on $A$, is largest for $A = \sigma I + (1 - \sigma)\mathbf 1\mathbf 1^\top$ among all $A$ with unit diagonal and $\lambda_{\min}(A) = \sigma$."
RECOMPUTE = """\
from fractions import Fraction
def square(A, order):  # |T|^2
    T = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for k in order: T[k] = [v - sum(a * b for a, b in zip(A[k], column)) for v, column in zip(T[k], zip(*T))]
    return sum(v * v for row in T for v in row)
for h in ((1, 1, 1), (1, 0, 0)):
    A = [[Fraction(2 if i == j else h[i + j - 1], 2) for j in range(3)] for i in range(3)]
    print(sum(square(A, (i, j, 3 - i - j)) for i in range(3) for j in range(3) if i != j) / 6)
"""


def growth(A):
    """The characteristic polynomial of X -> E[T X T^T] on symmetric X."""
    pairs, epochs = [(i, j) for i in range(3) for j in range(i, 3)], []
    for order in permutations(range(3)):
        T = [[Q(int(i == j)) for j in range(3)] for i in range(3)]
        for k in order:
            T[k] = [v - sum(a * b for a, b in zip(A[k], column)) for v, column in zip(T[k], zip(*T))]
        epochs.append(T)
    moved = [[[T[i][r] * T[j][s] + (r < s) * T[i][s] * T[j][r] for r, s in pairs] for i, j in pairs] for T in epochs]
    return characteristic([[sum(entry) / 6 for entry in zip(*rows)] for rows in zip(*moved)])


def worst(c, by=1):
    s, most = c.given.sigma, by * c.given.most
    V = [((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)) for t in (Q(0), *c.given.t)]
    A = [[s * (i == j) + (1 - s) * (a * u + b * v) for j, (u, v) in enumerate(V)] for i, (a, b) in enumerate(V)]
    yield Eq(
        radius_beside(growth([[s * (i == j) + 1 - s for j in range(3)] for i in range(3)]), most), most, "invariant A"
    )
    yield Le(radius_beside(growth(A), most), most, "growth of A <= growth of the invariant A")


T = tuple(product(Qs(0, "1/9", "1/3", 1, -3, "-1/2", 2, -7, "3/4", "-5/2", 11), repeat=2))
claim(
    "errata.kim-2025", "the permutation-invariant A is the worst", origin=OURS, expected="OPEN",
    hypotheses="n = 3, unit diagonal, smallest eigenvalue 1/2", evidence=[exact(lambda: numbers(sigma=Qs("1/2"), most=Qs("19/96"), t=T))],
    control=altered("9/10 of its growth", lambda c: worst(c, Q(9, 10)), NumbersInstance.of(sigma=Q(1, 2), most=Q(19, 96), t=(0, 0))),
)(worst)  # fmt: skip
