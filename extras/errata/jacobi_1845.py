"""Jacobi's method converges for every positive definite matrix.

Source: folklore about the method of C. G. J. Jacobi: the method of Gauss and Seidel does converge.
Said: a positive definite matrix is taken to be enough for both methods.
Hypotheses: x <- x - D^(-1) (M x - m), M = A^T A positive definite, D its diagonal.
Known: it converges if 2 D - M is positive definite, too (Householder, John); for 2 x 2 matrices that follows.
Added: the audit finds such matrices without a hint; exact squared norms of the error.
Counterexample: M has 1 on its diagonal and 3/4 beside it, 3 x 3, eigenvalues 1/4, 1/4, 5/2: the error (1, 1, 1) is
multiplied by -3/2 in a step.
Instead: the method of Gauss and Seidel lowers the error in the norm of M (claim errata.jacobi-1845.repaired).
Read: a page that proves the theorem of Householder and John; nothing else is said of the paper of 1845.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, systems

VERDICT, TOPIC, PRINTS = "REFUTED", "Gradient and Newton methods", "-3/2 -3/2 -3/2"
STATEMENT = r"$x^+ = x - D^{-1}(M x - m)$ converges if $M$ is positive definite and $D$ is its diagonal."
RECOMPUTE = """\
from fractions import Fraction
M = [[Fraction(1 if i == j else 3, 1 if i == j else 4) for j in range(3)] for i in range(3)]
error = [1, 1, 1]
print(*(e - sum(a * b for a, b in zip(row, error)) / row[i] for i, (row, e) in enumerate(zip(M, error))))
"""


def energy(M, e):
    return sum(a * M[i][j] * b for i, a in enumerate(e) for j, b in enumerate(e))


def falls(c, at_once=True, by=1):
    """The error in the norm of M after 5 sweeps is at most what it was; at once: Jacobi, else Gauss and Seidel."""
    A, e = c.given.rows, list(c.given.start)
    M = [[sum(row[i] * row[j] for row in A) for j in range(len(e))] for i in range(len(e))]
    first = energy(M, e)
    for _ in range(5):
        old = list(e)
        for i, row in enumerate(M):
            e[i] = e[i] - sum(a * b for a, b in zip(row, old if at_once else e)) / row[i]
    yield Le(energy(M, e), by * first, "squared error after 5 sweeps")


def drawn():
    """A of full column rank."""
    return systems(method="", max_path=0).map(lambda s: NumbersInstance.of(rows=s.rows, start=s.start))


FALSE = NumbersInstance.of(rows=(Qs(1, 1, 1), Qs(1, 1, 0), Qs(1, 0, 1)), start=Qs(1, 1, 1))
TRUE = NumbersInstance.of(rows=(Qs(2, 1), Qs(0, 2)), start=Qs(1, 1))
claim(
    "errata.jacobi-1845", "5 sweeps of Jacobi do not raise the error", hypotheses="M positive definite", origin=OURS,
    evidence=[golden(FALSE)], expected="REFUTED", control=holds_on(TRUE, text="diagonally dominant"),
)(falls)  # fmt: skip
claim(
    "errata.jacobi-1845.repaired", "Gauss and Seidel do not raise it", hypotheses="M positive definite", origin=OURS,
    evidence=[exact(drawn)], proof="Each step minimises the error in the norm of M along one coordinate.",
    control=altered("to 0", lambda c: falls(c, False, Q(1, 10**30)), FALSE),
)(lambda c: falls(c, False))  # fmt: skip
