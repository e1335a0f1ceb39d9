"""Adam, the last line of the proof of Theorem 10.5: the third term of the bound has beta_1 where 1 - beta_1 is due.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Last display.
Said: the third term is D^2 G sqrt(1 - beta_2)/(2 alpha beta_1 (1 - lambda)^2); the theorem itself has 1 - beta_1.
Hypotheses: beta_1t = beta_1 lambda^(t-1), the sum over t of beta_1t sqrt(t)/(1 - beta_1t) is replaced.
Known: we found no text that names it. It is a slip: the display before it has 1 - beta_1.
Added: exact numbers, with the paper's default beta_1 = 9/10.
Counterexample: beta_1 = 9/10, lambda = 1/2, T = 1: the sum is 9, and 1/(beta_1 (1 - lambda)^2) is 40/9.
Instead: with 1 - beta_1, as in the theorem; there the bound is 40 (claim errata.kingma-2015-last.repaired, T <= 40).
Read: the paper, in a copy with damaged formulas; both displays are legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "9 40/9"
STATEMENT = r"$\sum_{t=1}^T \frac{\beta_{1,t}}{1-\beta_{1,t}} \sqrt t \le \frac{1}{\beta_1 (1-\lambda)^2}$"
RECOMPUTE = """\
from fractions import Fraction
beta, lam = Fraction(9, 10), Fraction(1, 2)
print(beta / (1 - beta), 1 / (beta * (1 - lam) ** 2))  # the sum for T = 1, and what should bound it
"""


def third_term(c, repaired=False, by=1):
    """With the integer part of sqrt(t) or, repaired, with t, in place of sqrt(t): below and above the sum."""
    beta, lam = c.given.beta, c.given.decay
    total = 0
    for t in range(1, c.given.steps + 1):
        root = t if repaired else max(k for k in range(1, t + 1) if k * k <= t)
        total += root * beta * lam ** (t - 1) / (1 - beta * lam ** (t - 1))
    yield Le(total, by / ((1 - beta if repaired else beta) * (1 - lam) ** 2), f"sum over t <= {c.given.steps}")


DRAWN = {"beta": Qs("1/10", "1/2", "9/10"), "decay": Qs("1/2", "9/10"), "steps": (1, 3, 40)}
FALSE = NumbersInstance.of(beta=Q(9, 10), decay=Q(1, 2), steps=1)
claim(
    "errata.kingma-2015-last", "the third term with beta_1", hypotheses="beta_1t = beta_1 lambda^(t-1)", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(beta=Q(1, 10))), text="beta_1 = 1/10"),
)(third_term)  # fmt: skip
claim(
    "errata.kingma-2015-last.repaired", "the third term with 1 - beta_1", hypotheses="the same", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], control=altered("1/10", lambda c: third_term(c, True, Q(1, 10)), FALSE),
    proof="sqrt(t) <= t, beta_1t/(1 - beta_1t) <= lambda^(t-1)/(1 - beta_1), and the sum of t lambda^(t-1) is 1/(1 - lambda)^2.",
)(lambda c: third_term(c, True))  # fmt: skip
