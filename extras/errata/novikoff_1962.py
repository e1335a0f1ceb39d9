"""The perceptron makes at most (R/gamma)^2 mistakes.

Source: A. B. J. Novikoff: On convergence proofs on perceptrons. Symposium on the Mathematical Theory of Automata, 1962.
Said: if all rows have a norm of at most R and some unit vector separates them with the margin gamma, there are at most
(R/gamma)^2 mistakes, in any order of the rows.
Hypotheses: the labels are in the rows: y_i <u, x_i> >= gamma for all i; the start is 0; a zero product is a mistake.
Known: it is a theorem; orthonormal rows attain it.
Added: exact checks on integer rows, with the two lines of the proof.
Read: a page that states and proves it (math.stackexchange.com/questions/2183227).
"""

from itertools import combinations

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Stochastic gradients", "3 3"
STATEMENT = r"If $\|x_i\| \le R$ and $\langle u, x_i\rangle \ge \gamma$ with $\|u\| = 1$, the perceptron makes at most $(R/\gamma)^2$ mistakes."
RECOMPUTE = """\
from fractions import Fraction
rows, u, w, mistakes = [(1, 0, 0), (0, 1, 0), (0, 0, 1)], (1, 1, 1), [0, 0, 0], 0
for x in rows * 4:
    if sum(a * b for a, b in zip(w, x)) <= 0:
        w, mistakes = [a + b for a, b in zip(w, x)], mistakes + 1
print(mistakes, Fraction(1 * sum(v * v for v in u), 1))  # R^2 |u|^2, where <u, x> >= 1
"""


def mistakes(c, by=1):
    w, count, (rows, u) = [0, 0, 0], 0, (c.given.rows, c.given.u)
    least, R2 = min(sum(a * b for a, b in zip(u, x)) for x in rows), max(sum(a * a for a in x) for x in rows)
    if least <= 0:
        return
    for x in rows * 30:
        if sum(a * b for a, b in zip(w, x)) <= 0:
            w, count = [a + b for a, b in zip(w, x)], count + 1
            yield Le(sum(a * a for a in w), count * R2, "|w|^2 <= mistakes R^2")
            yield Le(count * least, sum(a * b for a, b in zip(u, w)), "mistakes gamma <= <u, w>")
    yield Le(count * least**2, by * R2 * sum(v * v for v in u), "mistakes gamma^2 <= R^2 |u|^2")


TIGHT = NumbersInstance.of(rows=((1, 0, 0), (0, 1, 0), (0, 0, 1)), u=(1, 1, 1))
VECTORS = (1, 0, 0), (3, -2, 0), (-1, 2, 1), (0, 1, 0), (-2, 3, 0), (0, -1, 3), (0, 0, 1), (5, -4, 0), (1, 1, -1)
claim(
    "errata.novikoff-1962", "at most (R/gamma)^2 mistakes", hypotheses="u separates the rows", origin=OURS,
    evidence=[golden(TIGHT), exact(lambda: numbers(rows=tuple(combinations(VECTORS, 3)), u=((1, 1, 1), (3, 3, 2), (5, 6, 4), (1, 2, 0))))],
    control=altered("a bound smaller by 10^-6", lambda c: mistakes(c, 1 - Q(1, 10**6)), TIGHT),
    proof="|w|^2 <= k R^2 and <u, w> >= k gamma after k mistakes, so k^2 gamma^2 <= <u, w>^2 <= k R^2 for a unit vector u.",
)(mistakes)  # fmt: skip
