"""A step in the proof of AMSGrad's regret bound: the weights of the telescoping sum grow.

Source: S. J. Reddi, S. Kale, S. Kumar: On the Convergence of Adam and Beyond. ICLR 2018, arXiv:1904.09237. Proof of
Theorem 4.
Said: the sum telescopes because its weights, the roots of v_t over alpha_t (1 - beta_1t), never fall.
Hypotheses: alpha_t = alpha/sqrt(t); beta_1t <= beta_1 < 1; v_t is AMSGrad's running maximum.
Known: P. T. Tran, L. T. Phong (IEEE Access 7, 2019, arXiv:1904.03590) found the step, and repair proof and method.
Added: exact numbers with the schedule beta_1t = beta_1 lambda^(t-1), and the case in which the step is right.
Counterexample: beta_1 = 9/10, lambda = 1/2, beta_2 = 99/100, two gradients 1. The squared weights, times alpha^2, are
1 and 398/3025.
Instead: if beta_1t is the same for all t, the weights never fall (claim errata.reddi-2018.repaired).
Read: a page that quotes theorem and step, the article of Tran and Phong.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC = "REFUTED", "Adam and its relatives"
STATEMENT = r"$\frac{\sqrt{\hat v_{t+1}}}{\alpha_{t+1}(1-\beta_{1,t+1})} \ge \frac{\sqrt{\hat v_t}}{\alpha_t(1-\beta_{1,t})}$ for all $t$"
PRINTS = "1 398/3025"
RECOMPUTE = """\
from fractions import Fraction
beta1, lam, beta2 = Fraction(9, 10), Fraction(1, 2), Fraction(99, 100)
v1 = (1 - beta2) * 1
v2 = max(v1, beta2 * v1 + (1 - beta2) * 1)
print(1 * v1 / (1 - beta1) ** 2, 2 * v2 / (1 - beta1 * lam) ** 2)  # the second should not be smaller
"""


def weights(c, by=1):
    """The squared weights, times alpha^2: t v_t / (1 - beta_1t)^2, v_t the running maximum."""
    beta, average, largest, before = c.given.beta1, 0, 0, 0
    for t, gradient in enumerate(c.given.gradients, 1):
        average = c.given.beta2 * average + (1 - c.given.beta2) * gradient**2
        largest, weight = max(largest, average), t * max(largest, average) / (1 - beta) ** 2
        yield Le(by * before, weight, f"squared weight {t - 1} <= squared weight {t}")
        before, beta = weight, beta * c.given.decay


G = ((1, 1), (1, 0), (2, -1), (-3, 1))
FALSE = NumbersInstance.of(beta1=Q(9, 10), decay=Q(1, 2), beta2=Q(99, 100), gradients=(1, 1))
TRUE = NumbersInstance.of(beta1=Q(9, 10), decay=1, beta2=Q(99, 100), gradients=(1, 1))
claim(
    "errata.reddi-2018", "sqrt(v_t)/(alpha_t (1 - beta_1t)) never falls", hypotheses="beta_1t = beta_1 lambda^(t-1)",
    origin=OURS, evidence=[golden(FALSE)], expected="REFUTED", control=holds_on(TRUE, text="lambda = 1"),
)(weights)  # fmt: skip
claim(
    "errata.reddi-2018.repaired", "it never falls", hypotheses="the same beta_1t for all t", origin=OURS,
    evidence=[exact(lambda: numbers(beta1=(0, Q(9, 10)), decay=(1,), beta2=(Q(1, 2), Q(99, 100)), gradients=G))], control=altered("by half", lambda c: weights(c, 10), TRUE),
    proof="t grows, the running maximum never falls, and the denominator is constant.",
)(weights)  # fmt: skip
