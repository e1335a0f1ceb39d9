"""One random order, used in both of two epochs, is no worse than a new order in each.

Source: C. Yun, S. Sra, A. Jadbabaie: Open Problem: Can Single-Shuffle SGD be Better than Reshuffling SGD and GD? COLT 2021.
Said: asked there of matrices near the identity; here without that condition, which is not the authors' statement.
Hypotheses: three symmetric matrices with 0 < A <= I, the mean over all orders of two epochs, the spectral norm.
Known: a manuscript by others says that the first half fails for three matrices and two epochs even near the identity.
Added: matrices of size 2, found from the statement alone by the search for matrices; near the identity it is open for us.
Counterexample: 1/12 of (1, 2; 2, 10), (9, 1; 1, 1), (7, -5; -5, 6). Times 12^6: at least 822, and at most 10309/18.
Instead: for numbers, and so for matrices that commute, both are equal (claim errata.yun-2021.repaired).
Read: a page that states the problem; nothing else is said of the paper.
"""

from itertools import permutations

from dualgap.proofs_checks import OURS, Eq, Le, NumbersInstance, Q, altered, array, claim, exact, golden, holds_on
from dualgap.proofs_checks import matrices, norm

VERDICT, TOPIC, PRINTS = "REFUTED", "Shuffling", "822 10309/18"
STATEMENT = r"$\Vert\mathbb{E}_\sigma (A_{\sigma_1} A_{\sigma_2} A_{\sigma_3})^2\Vert \le \Vert(\mathbb{E}_\sigma A_{\sigma_1} A_{\sigma_2} A_{\sigma_3})^2\Vert$"
RECOMPUTE = """\
from fractions import Fraction
def times(A, B): return [[sum(A[i][k] * B[k][j] for k in (0, 1)) for j in (0, 1)] for i in (0, 1)]
def mean(As): return [[sum(A[i][j] for A in As) / Fraction(len(As)) for j in (0, 1)] for i in (0, 1)]
A, orders = (((1, 2), (2, 10)), ((9, 1), (1, 1)), ((7, -5), (-5, 6))), ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
products = [times(A[i], times(A[j], A[k])) for i, j, k in orders]
single, once = mean([times(P, P) for P in products]), mean(products)
print(-single[1][1], sum(times(once, once)[k][k] for k in (0, 1)))  # no entry is above the norm, no norm of a square above its trace
"""


def means(c):
    products = [A @ B @ C for A, B, C in permutations(array(c.given.A))]
    mean = sum(products) / 6
    return norm(sum(product @ product for product in products) / 6), norm(mean @ mean)


def single(c):
    once, twice = means(c)
    yield Le(once, twice, "single shuffle <= reshuffling")


def equal(c, by=1):
    yield Eq(means(c)[0], by * means(c)[1], "single shuffle = reshuffling")


A = ((Q(1, 12), Q(1, 6)), (Q(1, 6), Q(5, 6))), ((Q(3, 4), Q(1, 12)), (Q(1, 12), Q(1, 12)))
FALSE = NumbersInstance.of(A=(*A, ((Q(7, 12), Q(-5, 12)), (Q(-5, 12), Q(1, 2)))))
ONES = NumbersInstance.of(A=3 * (((Q(1),),),))
claim(
    "errata.yun-2021", "single shuffle is no worse than reshuffling", hypotheses="three matrices, I/1000 <= A <= I", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: matrices(3, (2, 3), least=Q(1, 1000), most=1), 0.1)],
    expected="REFUTED", control=holds_on(ONES, text="ones"),
)(single)  # fmt: skip
claim(
    "errata.yun-2021.repaired", "both are equal", hypotheses="numbers", origin=OURS,
    evidence=[exact(lambda: matrices(3, 1, least=Q(1, 1000), most=1))], control=altered("half", lambda c: equal(c, Q(1, 2)), ONES),
    proof="(a b c)^2 is the same in every order.",
)(equal)  # fmt: skip
