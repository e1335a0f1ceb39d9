"""Adam, section 2.1: bounds on the size of a step, also for the default settings.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Section 2.1.
Said: the effective step is at most alpha (1 - beta_1)/sqrt(1 - beta_2) if 1 - beta_1 is larger than the root, at most alpha
otherwise, and below alpha if both are equal ("The effective stepsize has two upper bounds").
Hypotheses: epsilon = 0, beta_1 and beta_2 in [0, 1), any gradients; here one coordinate, steps divided by alpha.
Known: a question at math.stackexchange (3325577) asks for a proof; its answer doubts the second bound.
Added: both bounds are false, the first with the paper's default settings 9/10 and 999/1000; the sharp bound.
Counterexample: beta_1 = 1/2, beta_2 = 3/4 (both sides are equal), gradients 2/3 and 1: the squared step is 28/27. With the
default settings and 230 gradients that grow by 10/9 a step, the squared step is above 10, the square of the bound.
Instead: the squared step is at most (1 - beta_1)^2 (1 - beta_2^t)/((1 - beta_2)(1 - beta_1^t)^2) times the sum of
(beta_1^2/beta_2)^j over j < t, with equality for gradients (beta_1/beta_2)^(t-s) (claim errata.kingma-2015-step.repaired).
Read: the paper, in a copy with damaged formulas; this passage is legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "28/27 True"
STATEMENT = r"$|\hat m_t|/\sqrt{\hat v_t} \le (1-\beta_1)/\sqrt{1-\beta_2}$ if $1-\beta_1 > \sqrt{1-\beta_2}$, and $\le 1$ otherwise."
RECOMPUTE = """\
from fractions import Fraction
def squared_step(beta1, beta2, gradients):
    m = v = 0
    for g in gradients:
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    return (m / (1 - beta1 ** len(gradients))) ** 2 / (v / (1 - beta2 ** len(gradients)))
beta1, beta2 = Fraction(9, 10), Fraction(999, 1000)  # the default settings: the bound is 0.1/sqrt(0.001)
default = squared_step(beta1, beta2, [Fraction(9, 10) ** (229 - k) for k in range(230)])
print(squared_step(Fraction(1, 2), Fraction(3, 4), [Fraction(2, 3), 1]), default > (1 - beta1) ** 2 / (1 - beta2))
"""


def squared_step(c, sharp=False, by=1):
    one, two, t = c.given.beta1, c.given.beta2, c.given.steps
    m = v = 0
    for k in range(t):  # the gradients are powers of a ratio, the last one is 1
        g = c.given.ratio ** (t - 1 - k)
        m, v = one * m + (1 - one) * g, two * v + (1 - two) * g * g
    first = (1 - one) ** 2 / (1 - two)
    best = first * (1 - two**t) / (1 - one**t) ** 2 * sum((one**2 / two) ** j for j in range(t))
    right = best if sharp else max(first, 1)
    yield Le((m / (1 - one**t)) ** 2 / (v / (1 - two**t)), by * right, "squared step, at most the squared bound")


DRAWN = {"beta1": Qs("1/2", "9/10", 0), "beta2": Qs("3/4", "1/3"), "ratio": Qs("2/3", 1, -1), "steps": (1, 2, 7)}
SHORT = NumbersInstance.of(beta1=Q(1, 2), beta2=Q(3, 4), ratio=Q(2, 3), steps=2)
DEFAULT = NumbersInstance.of(beta1=Q(9, 10), beta2=Q(999, 1000), ratio=Q(9, 10), steps=230)
claim(
    "errata.kingma-2015-step", "the two bounds of a step", hypotheses="epsilon = 0", origin=OURS, expected="REFUTED",
    evidence=[golden(SHORT, DEFAULT)],
    control=holds_on(DEFAULT.but(extra=DEFAULT.extra.but(steps=20)), text="20 such gradients"),
)(squared_step)  # fmt: skip
claim(
    "errata.kingma-2015-step.repaired", "the sharp bound of a step", hypotheses="epsilon = 0, beta_2 > 0", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], proof="The inequality of Cauchy and Schwarz for weights beta_2^(t-s).",
    control=altered("26/27 of it", lambda c: squared_step(c, True, Q(26, 27)), SHORT),
)(lambda c: squared_step(c, True))  # fmt: skip
