"""ADMM for two closed proper convex functions with a saddle point: each of its subproblems has a solution.

Source: S. Boyd, N. Parikh, E. Chu, B. Peleato, J. Eckstein: Distributed Optimization and Statistical Learning via the
Alternating Direction Method of Multipliers. Foundations and Trends in Machine Learning 3, 2011. The convergence statement.
Said: ADMM converges if f and g are closed, proper and convex and the unaugmented Lagrangian has a saddle point.
Hypotheses: these two, and no others; min f(x) + g(z) subject to A x + B z = c.
Known: L. Chen, D. Sun, K.-C. Toh (arXiv:1507.02051): it "can be false if no prior condition on the existence" is assumed.
Added: a quotient as f, so that every candidate has a better point in exact numbers.
Counterexample: f(u, v) = u^2/v for v > 0, f(0, 0) = 0, g(z) = z^2/2, u = z, start z = 1, no multiplier: u^2/v + (u - 1)^2/2
has the infimum 0 and no minimum. Saddle point: u = z = 0, v = 1, multiplier 0.
Instead: with z = 0 the subproblem has a solution (control); the note gives conditions under which all have one.
Read: the abstract of the note of Chen, Sun and Toh; nothing else is said of both.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "ADMM", "1/3 1/6 1/12 1/24 1/48"
STATEMENT = r"$\min_x f(x) + \frac12 \Vert A x + B z - c\Vert^2$ has a solution if $f$ is closed, proper and convex."
RECOMPUTE = """\
from fractions import Fraction
def subproblem(u, v): return Fraction(u * u, v) + Fraction((u - 1) ** 2, 2)  # z = 1
values = [subproblem(1, 3)]
for _ in range(4):
    values.append(subproblem(1, 2 / values[-1]))  # half of the value before
print(*values)
"""


def subproblem(c, u, v):
    return u * u / v + (u - c.given.z) ** 2 / 2


def solution(c):
    """The candidate (u, v) is no worse than (z, w), for a w that makes the value at (z, w) half of it."""
    value = subproblem(c, c.given.u, c.given.v)
    w = 2 * c.given.z**2 / value if value and c.given.z else Q(1)
    yield Le(1 + value, 1 + subproblem(c, c.given.z, w), "1 + value of the candidate, at most 1 + that of (z, w)")


FALSE = NumbersInstance.of(u=Q(1), v=Q(3), z=Q(1))
claim(
    "errata.boyd-2011", "a candidate solves the subproblem", hypotheses="f closed, proper, convex; a saddle point", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(u=Qs(0, 1, "1/2", -3), v=Qs(1, "1/9", 100, 10**6), z=Qs(1, -2)))],
    control=holds_on(NumbersInstance.of(u=Q(0), v=Q(1), z=Q(0)), text="z = 0"), expected="REFUTED",
    proof="The value at (z, w) is z^2/w, below every value > 0; the value 0 needs u = z and u = 0.",
)(solution)  # fmt: skip
