"""Kaczmarz's method with rows drawn by their squared norms: the rate 1 - s_min^2/|A|_F^2.

Source: T. Strohmer, R. Vershynin: A randomized Kaczmarz algorithm with exponential convergence. Journal of Fourier Analysis
and Applications 15, 2009, arXiv:math/0702226.
Said: an expected exponential rate that does not depend on the number of rows. The formula is the usual one, from memory.
Hypotheses: A x = b is solvable, A of full column rank; row i is drawn with probability |a_i|^2/|A|_F^2.
Known: it is a theorem, and for errors along the last singular vector the first step attains it.
Added: exact expectations for matrices of integers, s_min^2 rounded down, and the proof.
Read: the abstract and the introduction.
"""

from math import isqrt

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Projections and splitting", "4/5 4/5"
STATEMENT = r"$\mathrm{E}\|x_{k+1} - x^*\|^2 \le \left(1 - \frac{\sigma_{\min}(A)^2}{\|A\|_F^2}\right)\|x_k - x^*\|^2$"
RECOMPUTE = """\
from fractions import Fraction
A, e = [(1, 0), (0, 2)], (1, 0)  # s_min = 1
F = sum(v * v for row in A for v in row)
dot = lambda a, b: sum(u * v for u, v in zip(a, b))
print(sum(Fraction(dot(a, a), F) * (dot(e, e) - Fraction(dot(a, e) ** 2, dot(a, a))) for a in A), Fraction(F - 1, F))
"""


def rate(c, by=1):
    e, F, mean = c.given.e, sum(v * v for row in c.given.A for v in row), 0
    for a in c.given.A:
        share = Q(a[0] * e[0] + a[1] * e[1], a[0] ** 2 + a[1] ** 2)
        mean += Q(a[0] ** 2 + a[1] ** 2, F) * ((e[0] - share * a[0]) ** 2 + (e[1] - share * a[1]) ** 2)
    p, q, r = (sum(a[i] * a[j] for a in c.given.A) for i, j in ((0, 0), (0, 1), (1, 1)))
    square = (p - r) ** 2 + 4 * q * q
    least = Q(p + r - isqrt(square) - (isqrt(square) ** 2 < square), 2)  # <= s_min^2
    yield Le(mean, by * (1 - least / F) * (e[0] ** 2 + e[1] ** 2), "E|x_(k+1) - x*|^2")


ROWS, TIGHT = ((1, 0), (0, 2), (3, -1), (2, 2), (-5, 1), (1, 7)), NumbersInstance.of(A=((1, 0), (0, 2)), e=(1, 0))
MATRICES = tuple((a, b, d) for a in ROWS for b in ROWS for d in ROWS if a[0] * b[1] != a[1] * b[0])
claim(
    "errata.strohmer-2009", "E|x_(k+1) - x*|^2 <= (1 - s_min^2/|A|_F^2) |x_k - x*|^2", hypotheses="two columns",
    origin=OURS, evidence=[golden(TIGHT), exact(lambda: numbers(A=MATRICES, e=((1, 0), (2, -1), (1, 3), (0, 1), (-7, 2))))],
    control=altered("a rate smaller by 10^-6", lambda c: rate(c, 1 - Q(1, 10**6)), TIGHT),
    proof="The mean is |e|^2 - |A e|^2/|A|_F^2 with e = x_k - x*, and |A e|^2 >= s_min^2 |e|^2.",
)(rate)  # fmt: skip
