"""A printed gradient in Nesterov's lectures: the function behind the lower bound for smooth convex functions.

Source: Yu. Nesterov: Lectures on Convex Optimization. Second edition, Springer, 2018. Page 70, line 7 from below.
Said: the gradient of f_k is A_k x - e_1.
Hypotheses: f_k(x) = (L/4) (x_1^2/2 + the squared differences of neighbours over 2 + x_k^2/2 - x_1), k coordinates.
Known: the list of errata at minimization.org/books/LoCO.html has it: the factor L/4 is missing.
Added: exact numbers. It is a slip: the zero of the gradient, for which the line is used, is the same.
Counterexample: L = 1, k = 2, x = (0, 0): the gradient is (-1/4, 0), and A_k x - e_1 is (-1, 0).
Instead: (L/4) (A_k x - e_1) (claim errata.nesterov-2018.repaired).
Read: a page, the list of errata; the function is Nesterov's usual one, in our words.
"""

from dualgap.proofs_checks import OURS, Eq, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Nesterov's method", "-1/4 -1"
STATEMENT = r"$\nabla f_k(x) = A_k x - e_1$ for $f_k(x) = \frac L4 \left(\frac12 x^T A_k x - x_1\right)$"
RECOMPUTE = """\
from fractions import Fraction
def f(x, y): return Fraction(1, 4) * (Fraction(x * x + (x - y) ** 2 + y * y, 2) - x)  # L = 1, k = 2
print((f(1, 0) - f(-1, 0)) / 2, 2 * 0 - 0 - 1)  # the derivative of a quadratic function at 0; A_k x - e_1 there
"""


def f(x, L):
    ends = x[0] ** 2 + x[-1] ** 2 + sum((a - b) ** 2 for a, b in zip(x, x[1:]))
    return L / 4 * (ends / 2 - x[0])


def gradient(c, factor=None):
    """Central differences with the step 1 are exact for a quadratic function."""
    x, L = list(c.given.x), c.given.L
    for i in range(len(x)):
        ahead, back = ([v + sign * (i == j) for j, v in enumerate(x)] for sign in (1, -1))
        row = 2 * x[i] - (x[i - 1] if i else 0) - (x[i + 1] if i + 1 < len(x) else 0) - (i == 0)
        yield Eq((f(ahead, L) - f(back, L)) / 2, (1 if factor is None else factor(L)) * row, f"component {i + 1}")


DRAWN = {"L": Qs(1, 4, "1/3"), "x": (Qs(0, 0), Qs(1, -2, 3), Qs("1/2", 1, 1, -1))}
claim(
    "errata.nesterov-2018", "the gradient of f_k is A_k x - e_1", hypotheses="f_k as in the lower bound", origin=OURS,
    evidence=[golden(NumbersInstance.of(L=Q(1), x=Qs(0, 0))), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(NumbersInstance.of(L=Q(4), x=Qs(1, 2)), text="L = 4"),
)(gradient)  # fmt: skip
claim(
    "errata.nesterov-2018.repaired", "the gradient is (L/4) (A_k x - e_1)", hypotheses="the same", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], proof="The derivative of x^T A x/2 is A x for a symmetric A.",
    control=altered("L/2", lambda c: gradient(c, lambda L: L / 2), NumbersInstance.of(L=Q(1), x=Qs(0, 0))),
)(lambda c: gradient(c, lambda L: L / 4))  # fmt: skip
