"""Adam, a step in the proof of Theorem 10.5: the root of the second moment is at most the norm of the gradients.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Proof of Theorem
10.5 ("it can be shown that").
Said: sqrt(v_t), with the bias corrected, is at most the Euclidean norm of the gradients up to t.
Hypotheses: 0 <= beta_2 < 1; here one coordinate.
Known: the paper gives no proof of this step.
Added: a proof in one line, and that the largest gradient alone is a bound.
Read: the paper, in a copy with damaged formulas; the step is legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, numbers

VERDICT, TOPIC, PRINTS = "PROVED", "Adam and its relatives", "True"
STATEMENT = r"$\sqrt{\hat v_t} \le \Vert g_{1:t}\Vert_2$"
RECOMPUTE = """\
from fractions import Fraction
beta, v, squares, fine = Fraction(99, 100), 0, 0, []
for t, g in enumerate((3, -1, 0, 2), 1):
    v, squares = beta * v + (1 - beta) * g * g, squares + g * g
    fine.append(v / (1 - beta**t) <= squares)
print(all(fine))
"""


def norm(c, by=1):
    beta, v, squares = c.given.beta2, 0, 0
    for t, gradient in enumerate(c.given.gradients, 1):
        v, squares = beta * v + (1 - beta) * gradient**2, squares + gradient**2
        yield Le(v / (1 - beta**t), by * squares, f"v_{t} at most the squared norm")


G = ((1, 1, 1), (1, 0, 2), (2, -1, 0), (-3, 1, 1), (Q(1, 4), 5, 0))
claim(
    "errata.kingma-2015-norm", "v_t <= g_1^2 + ... + g_t^2", hypotheses="0 <= beta_2 < 1", origin=OURS,
    evidence=[exact(lambda: numbers(beta2=(Q(0), Q(1, 2), Q(99, 100)), gradients=G))],
    control=altered("half of it", lambda c: norm(c, Q(1, 2)), NumbersInstance.of(beta2=Q(0), gradients=(1,))),
    proof="v_t is a weighted mean of the squares: its weights (1 - beta_2) beta_2^(t-s)/(1 - beta_2^t) have the sum 1.",
)(norm)  # fmt: skip
