"""Adam, a step in the proof of Theorem 10.5: the weights sqrt(v_t)/alpha_t of a telescoping sum never fall.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Proof of Theorem
10.5, between the sum over t and "From the assumption".
Said: the differences of sqrt(v_t)/alpha_t are multiplied by squared distances, and these are replaced by D^2; this needs
differences that are not negative.
Hypotheses: alpha_t = alpha/sqrt(t), v_t is Adam's second moment with the bias corrected.
Known: S. J. Reddi, S. Kale, S. Kumar (ICLR 2018, arXiv:1904.09237) found that the differences can be negative.
Added: two gradients are enough, for every beta_2 < 1.
Counterexample: beta_2 = 99/100 and the gradients 1 and 0: t v_t is 1, then 198/199.
Instead: with the running maximum in place of v_t, as in AMSGrad, the weights never fall.
Read: the paper, in a copy with damaged formulas, and the abstract of the second.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "1 198/199"
STATEMENT = r"$\frac{\sqrt{\hat v_t}}{\alpha_t} - \frac{\sqrt{\hat v_{t-1}}}{\alpha_{t-1}} \ge 0$ for all $t$, with $\alpha_t = \alpha/\sqrt t$"
RECOMPUTE = """\
from fractions import Fraction
beta, v, squared = Fraction(99, 100), 0, []
for t, g in enumerate((1, 0), 1):
    v = beta * v + (1 - beta) * g * g
    squared.append(t * v / (1 - beta**t))
print(*squared)  # the second should not be smaller
"""


def weights(c, maximum=False, by=1):
    """The squared weights, times alpha^2: t v_t/(1 - beta_2^t), or with the running maximum of AMSGrad."""
    beta, v, largest, before = c.given.beta2, 0, 0, 0
    for t, gradient in enumerate(c.given.gradients, 1):
        v = beta * v + (1 - beta) * gradient**2
        corrected = v / (1 - beta**t)
        largest = max(largest, corrected) if maximum else corrected
        yield Le(by * before, t * largest, f"squared weight {t - 1} <= squared weight {t}")
        before = t * largest


G = ((1, 1, 1), (1, 0, 2), (2, -1, 0), (-3, 1, 1))
TRUE = NumbersInstance.of(beta2=Q(99, 100), gradients=(1, 1))
claim(
    "errata.kingma-2015-telescope", "sqrt(v_t)/alpha_t never falls", hypotheses="alpha_t = alpha/sqrt(t)", origin=OURS,
    evidence=[golden(NumbersInstance.of(beta2=Q(99, 100), gradients=(1, 0)))], expected="REFUTED",
    control=holds_on(TRUE, text="equal gradients"),
)(weights)  # fmt: skip
claim(
    "errata.kingma-2015-telescope.repaired", "with the running maximum they never fall", hypotheses="any gradients",
    evidence=[exact(lambda: numbers(beta2=(Q(1, 2), Q(99, 100)), gradients=G))], origin=OURS,
    control=altered("they grow ten times", lambda c: weights(c, True, 10), TRUE),
    proof="t grows and a running maximum never falls.",
)(lambda c: weights(c, True))  # fmt: skip
