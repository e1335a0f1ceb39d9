"""Adam, Lemma 10.4: a bound on the sum of squared first moments over second moments, with the norm of the gradients.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Lemma 10.4.
Said: with gamma = beta_1^2/sqrt(beta_2) < 1 the sum of m_t^2/sqrt(t v_t) is at most 2/(1 - gamma)/sqrt(1 - beta_2) times
the norm of the gradients; m_t and v_t are Adam's moments with the bias corrected.
Hypotheses: beta_1 and beta_2 in [0, 1), gamma < 1, bounded gradients; here one coordinate.
Known: its proof ends with 2 G_inf/(1 - gamma)^2, which is another bound, and uses the false Lemma 10.3. M. Akrout, D. Tweed
(arXiv:2111.08162, abstract) refute an unproved lemma of a repaired proof; we have not compared it with this one.
Added: a counterexample with 100 simple gradients, decided by rational bounds of the roots.
Counterexample: beta_1 = 0, beta_2 = 1/100, T = 100, g_t = 1/k for (k - 1)^2 < t <= k^2. The squared sum is above the
squared bound, 4/(99/100) times 1 + 3/4 + 5/9 + ... + 19/100.
Instead: with beta_1 = 0 each term is at most |g_t|/sqrt(t (1 - beta_2)), so the sum grows with the norm times sqrt(ln T).
Read: the paper, in a copy with damaged formulas; all parts of this lemma are legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, claim, golden, holds_on

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "True"
STATEMENT = r"$\sum_{t=1}^T \frac{\hat m_t^2}{\sqrt{t \hat v_t}} \le \frac{2}{1-\gamma} \frac{1}{\sqrt{1-\beta_2}} \Vert g_{1:T}\Vert_2$"
RECOMPUTE = """\
from fractions import Fraction
beta, v, total, squares = Fraction(1, 100), 0, 0, 0
for t in range(1, 101):
    g = Fraction(1, next(k for k in range(1, 11) if t <= k * k))
    v, squares, root = beta * v + (1 - beta) * g * g, squares + g * g, Fraction(10)
    for _ in range(9):  # Newton's method for the root of t v_t from above, rounded up
        root = Fraction(int((root + t * v / (1 - beta**t) / root) / 2 * 10**9) + 1, 10**9)
    total += g * g / root
print(total**2 > 4 / (1 - beta) * squares)  # the sum is at least total
"""


def root_above(x, digits=10**9):
    """A rational at least the root of x <= 100, by Newton's method."""
    found = Q(10)
    for _ in range(9):
        found = Q(int((found + x / found) / 2 * digits) + 1, digits)
    return found


def lemma(c):
    beta, v, total, squares = c.given.beta2, Q(0), Q(0), Q(0)
    for t in range(1, c.given.steps + 1):
        g = Q(1, next(k for k in range(1, t + 1) if t <= k * k))
        v, squares = beta * v + (1 - beta) * g * g, squares + g * g
        total += g * g / root_above(t * v / (1 - beta**t))
    yield Le(total**2, 4 / (1 - beta) * squares, "squared sum, from below, at most the squared bound")


claim(
    "errata.kingma-2015-lemma4", "Lemma 10.4", hypotheses="beta_1 = 0, 0 < beta_2 < 1", origin=OURS, expected="REFUTED",
    evidence=[golden(NumbersInstance.of(beta2=Q(1, 100), steps=100))],
    control=holds_on(NumbersInstance.of(beta2=Q(1, 100), steps=4), text="T = 4"),
)(lemma)  # fmt: skip
