"""ADMM converges when it is extended to three blocks.

Source: folklore; refuted by C. Chen, B. He, Y. Ye, X. Yuan: The direct extension of ADMM for multi-block convex minimization
problems is not necessarily convergent. Mathematical Programming 155, 2016. DOI 10.1007/s10107-014-0826-5.
Said: it was in wide use, with "neither an affirmative convergence proof nor an example" of divergence.
Hypotheses: min 0 subject to Ax = b, one column of A a block, A of full column rank; penalty parameter 1.
Known: the paper has an example of three blocks on which it diverges.
Added: an exact verdict without eigenvalues in floats; the audit also finds such matrices without a hint.
Counterexample: A has the rows (1, 1, 1), (1, 1, 2), (1, 2, 2), and b = 0.
Instead: with two blocks, it converges (control: the rows (1, 1), (1, 2)).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Qs, SystemInstance, claim, converges, golden, holds_on
from dualgap.reference import Deterministic, State, register_method

VERDICT, TOPIC, PRINTS = "REFUTED", "ADMM", "True"
STATEMENT = r"$\min 0$ subject to $Ax = b$, one column a block, $A$ of full column rank: the direct extension of ADMM converges."
RECOMPUTE = """\
from fractions import Fraction
A, dot = [[1, 1, 1], [1, 1, 2], [1, 2, 2]], lambda a, b: sum(u * v for u, v in zip(a, b))
def step(x, y):
    for j, a in enumerate(zip(*A)):
        x[j] -= Fraction(dot(a, [dot(row, x) - v for row, v in zip(A, y)]), dot(a, a))
    return x + [v - dot(row, x) for row, v in zip(A, y)]
M = list(zip(*(step([int(i == k) for i in range(3)], [int(i + 3 == k) for i in range(3)]) for k in range(6))))
for _ in range(8): M = [[dot(row, column) for column in zip(*M)] for row in M]
print(abs(sum(M[i][i] for i in range(6))) > 6)  # the trace of M^256: an eigenvalue of M is larger than 1 in modulus
"""


class XY(State):
    __slots__ = ("x", "y")


@register_method
class Admm(Deterministic):
    name = "errata-admm"

    def init(self, system, x=None):
        return XY(x=list(x), y=[system.zero] * system.n)

    def advance(self, system, state, choice):
        rows = [dict(row) for row in system.rows]
        for j in range(system.d):
            a, r = [row.get(j, system.zero) for row in rows], system.residuals(state.x)
            state.x[j] -= sum(u * (v - y) for u, v, y in zip(a, r, state.y)) / sum(u * u for u in a)
        state.y = [y - r for y, r in zip(state.y, system.residuals(state.x))]

    def view(self, system, state):
        return list(state.x), None


THREE = SystemInstance((Qs(1, 1, 1), Qs(1, 1, 2), Qs(1, 2, 2)), b=Qs(0, 0, 0), start=Qs(1, 1, 1), method="errata-admm")
TWO = SystemInstance((Qs(1, 1), Qs(1, 2)), b=Qs(0, 0), start=Qs(1, 1), method="errata-admm")
claim(
    "errata.chen-2016", "the direct extension of ADMM converges", hypotheses="A of full column rank", origin=OURS,
    evidence=[golden(THREE)], expected="REFUTED",
    control=holds_on(TWO, text="two blocks"),
)(converges)  # fmt: skip
