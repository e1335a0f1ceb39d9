"""The primal-dual method of Arrow and Hurwicz converges on bilinear games if its steps are small.

Source: folklore; refuted by B. He, Y. You, X. Yuan: On the convergence of primal-dual hybrid gradient algorithm. SIAM Journal
on Imaging Sciences 7, 2014. DOI 10.1137/140963467.
Said: PDHG without extrapolation was used with constant steps as if it converged.
Hypotheses: min over x, max over y of y^T A x, A regular, steps tau and sigma with tau sigma ||A||^2 < 1.
Known: a later paper (arXiv:2403.11139, abstract) says that PDHG converges by "bypassing the periodic" behaviour of it.
Added: 100 exact steps, also of the extrapolated method.
Counterexample: A = (1), tau = 1, sigma = 9/10: a step has the matrix (1, -1; 9/10, 1/10), whose determinant is 1, so it cannot
contract.
Instead: with extrapolation, as Chambolle and Pock have it, it converges (claim errata.he-2014.repaired).
Read: the abstract of the later paper; of the first, its title.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Primal-dual methods", "1"
STATEMENT = (
    r"$x^+ = x - \tau A^T y$, $y^+ = y + \sigma A x^+$ converges to the saddle point if $\tau\sigma\Vert A\Vert^2 < 1$."
)
RECOMPUTE = """\
from fractions import Fraction
def step(x, y):
    x = x - y
    return x, y + Fraction(9, 10) * x
(a, c), (b, d) = step(1, 0), step(0, 1)
print(a * d - b * c)  # the product of the eigenvalues: not all of them are smaller than 1
"""


def step(A, theta, z):
    """tau = 1, sigma = 9/10 over the sum of squares of A, which is at least ||A||^2."""
    n, share = len(A), Q(9, 10) / sum(a * a for row in A for a in row)
    ahead = [z[j] - sum(A[i][j] * z[n + i] for i in range(n)) for j in range(n)]
    bar = [a + theta * (a - b) for a, b in zip(ahead, z)]
    return ahead + [z[n + i] + share * sum(a * b for a, b in zip(A[i], bar)) for i in range(n)]


def converges(c, theta=0, by=Q(1, 100)):
    z = [Q(1)] * (2 * len(c.given.A))
    for _ in range(100):
        z = step(c.given.A, c.given.get("theta", theta), z)
    yield Le(sum(v * v for v in z), by * len(z), "squared distance after 100 steps, at most 1/100 of the first")


A = ((Qs(1),), (Qs(2),), (Qs(1, 0), Qs(0, 1)), (Qs(1, 1), Qs(1, -1)))
claim(
    "errata.he-2014", "the method without extrapolation converges", hypotheses="A regular, small steps", origin=OURS,
    evidence=[golden(NumbersInstance.of(A=(Qs(1),))), exact(lambda: numbers(A=A))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(A=(Qs(1),), theta=1), text="with extrapolation"),
)(converges)  # fmt: skip
claim(
    "errata.he-2014.repaired", "the method with extrapolation converges", hypotheses="A regular, small steps", origin=OURS,
    evidence=[exact(lambda: numbers(A=A))],
    control=altered("to 0", lambda c: converges(c, 1, 0), NumbersInstance.of(A=(Qs(1),))),
)(lambda c: converges(c, 1))  # fmt: skip
