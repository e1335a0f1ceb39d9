"""Adam, a step in the proof of Theorem 10.5: the second moment is at most (1 - beta_2) G^2.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Proof of Theorem
10.5, third term of the regret bound.
Said: sqrt(t v_t) is replaced by G_inf sqrt(1 - beta_2) sqrt(t), so sqrt(v_t) <= G_inf sqrt(1 - beta_2) is used; v_t has
the bias corrected.
Hypotheses: |g_t| <= G_inf, 0 <= beta_2 < 1; here one coordinate.
Known: we found no text that names this step.
Added: it fails at t = 1 for every beta_2 > 0 and every gradient of size G_inf.
Counterexample: beta_2 = 99/100, g_1 = G_inf = 1: v_1 = 1, and (1 - beta_2) G_inf^2 = 1/100.
Instead: v_t <= G_inf^2, since v_t is a weighted mean of squared gradients; the third term of the theorem is then larger
by the factor 1/sqrt(1 - beta_2), which is 10 here.
Read: the paper, in a copy with damaged formulas; the step is legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "1 1/100"
STATEMENT = r"$\sqrt{\hat v_t} \le G_\infty \sqrt{1 - \beta_2}$ if $|g_s| \le G_\infty$ for all $s$"
RECOMPUTE = """\
from fractions import Fraction
beta, g = Fraction(99, 100), 1
v = (1 - beta) * g * g / (1 - beta)  # v_1 with its bias corrected
print(v, (1 - beta) * g * g)         # the first should be at most the second
"""


def moment(c, factor=None):
    """v_t <= factor G^2 for each t; the paper's factor is 1 - beta_2."""
    beta, v, bound = c.given.beta2, 0, max(g * g for g in c.given.gradients)
    for t, gradient in enumerate(c.given.gradients, 1):
        v = beta * v + (1 - beta) * gradient**2
        yield Le(v / (1 - beta**t), (1 - beta if factor is None else factor) * bound, f"v_{t}")


G = ((1, 1, 1), (1, 0, 2), (2, -1, 0), (-3, 1, 1))
ONE = NumbersInstance.of(beta2=Q(99, 100), gradients=(1,))
claim(
    "errata.kingma-2015-moment", "v_t <= (1 - beta_2) G^2", hypotheses="|g_t| <= G", origin=OURS, expected="REFUTED",
    evidence=[golden(ONE)], control=holds_on(ONE.but(extra=ONE.extra.but(beta2=Q(0))), text="beta_2 = 0"),
)(moment)  # fmt: skip
claim(
    "errata.kingma-2015-moment.repaired", "v_t <= G^2", hypotheses="|g_t| <= G", origin=OURS,
    evidence=[exact(lambda: numbers(beta2=(Q(1, 2), Q(99, 100)), gradients=G))],
    control=altered("G^2/2", lambda c: moment(c, Q(1, 2)), ONE), proof="v_t is a weighted mean of the squares.",
)(lambda c: moment(c, 1))  # fmt: skip
