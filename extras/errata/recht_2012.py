"""The mean product of five matrices without replacement has at most the norm of that with replacement.

Source: B. Recht, C. Re: Toward a noncommutative arithmetic-geometric mean inequality. COLT 2012, arXiv:1202.4184.
Said: the mean of the products in all orders has at most the norm of the n-th power of the mean.
Hypotheses: n = 5 symmetric positive semidefinite matrices; the spectral norm; each matrix once.
Known: Z. Lai, L.-H. Lim (arXiv:2006.01510): true for n = 2 and 3, false for n = 5, by a proof without matrices. C. De Sa
(NeurIPS 2020) has counterexamples for all n >= 5. "The n = 4 case remains unsolved."
Added: five matrices of small integers, found from the statement alone by the search for matrices.
Counterexample: S = X X with the X below, and its four cyclic shifts. The mean product has the eigenvalue -6978671/6, the
mean an eigenvalue below 1633/100, whose fifth power is smaller.
Instead: for two matrices it is true (claim errata.recht-2012.repaired).
Read: the abstract of the paper of Lai and Lim, and its author's page; nothing else is said of both.
"""

from functools import cache
from math import factorial

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, array, claim, exact, golden, holds_on, matrices, norm  # isort: skip  # fmt: skip

VERDICT, TOPIC, PRINTS = "REFUTED", "Shuffling", "6978671/6 11612638953703393/10000000000 True"
STATEMENT = (
    r"$\Vert\frac{1}{n!}\sum_\sigma A_{\sigma_1}\cdots A_{\sigma_n}\Vert \le \Vert\frac1n\sum_i A_i\Vert^n$ for $n = 5$"
)
RECOMPUTE = """\
from fractions import Fraction
X, n = ((0, 2, 1, 3, -2), (2, -1, -2, 1, 0), (1, -2, 3, 3, 1), (3, 1, 3, -1, -1), (-2, 0, 1, -1, 1)), range(5)
def times(A, B): return [[sum(A[i][k] * B[k][j] for k in n) for j in n] for i in n]
def plus(As): return [[sum(A[i][j] for A in As) for j in n] for i in n]
A = [[[times(X, X)[(i + s) % 5][(j + s) % 5] for j in n] for i in n] for s in n]
def orders(left): return plus([times(A[s], orders(left - {s})) for s in left]) if left else [[int(i == j) for j in n] for i in n]
def pivots(B): return [B[0][0], *pivots([[b - row[0] / B[0][0] * a for a, b in zip(B[0][1:], row[1:])] for row in B[1:]])] if B else []
total, bound = plus(A), Fraction(1633, 100)
print(-sum(orders(frozenset(n))[0]) / Fraction(120), bound**5, min(pivots([[bound * (i == j) - total[i][j] / Fraction(5) for j in n] for i in n])) > 0)
"""


def mean_product(c, by=1):
    A = array(c.given.A)

    @cache
    def orders(left):
        return sum(A[i] @ orders(left - {i}) for i in left) if len(left) > 1 else A[min(left)]

    mean = orders(frozenset(range(len(A)))) / factorial(len(A))
    yield Le(norm(mean), by * norm(sum(A) / len(A)) ** len(A), "without <= with")


X = ((0, 2, 1, 3, -2), (2, -1, -2, 1, 0), (1, -2, 3, 3, 1), (3, 1, 3, -1, -1), (-2, 0, 1, -1, 1))
S = tuple(tuple(Q(sum(a * b for a, b in zip(row, other))) for other in X) for row in X)
FALSE = NumbersInstance.of(A=tuple(tuple(row[s:] + row[:s] for row in S[s:] + S[:s]) for s in range(5)))
ONES, TWO = (NumbersInstance.of(A=n * (((Q(1),),),)) for n in (5, 2))
claim(
    "errata.recht-2012", "the norm without replacement is at most that with", hypotheses="five positive semidefinite matrices",
    origin=OURS, evidence=[golden(FALSE)], expected="REFUTED", control=holds_on(ONES, text="ones"),
)(mean_product)  # fmt: skip
claim(
    "errata.recht-2012.repaired", "the same", hypotheses="two positive semidefinite matrices", origin=OURS,
    evidence=[exact(lambda: matrices(2, 2, least=0), 0.3)], control=altered("half", lambda c: mean_product(c, Q(1, 2)), TWO),
    proof="(A+B)^2 - 2(AB+BA) = (A-B)^2 >= 0. AB+BA >= -(A-B)^2/2, and -(A+B) <= A-B <= A+B, so |A-B| <= |A+B|.",
)(mean_product)  # fmt: skip
