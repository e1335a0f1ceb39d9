"""Adam, Lemma 10.3: the sum of |g_t|/sqrt(t) is at most 2 G times the Euclidean norm of the gradients.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980. Lemma 10.3.
Said: a sum over t <= T of the absolute gradients over sqrt(t) is at most 2 G_inf times their norm; the induction begins
with T = 1 ("The base case for T = 1, we have").
Hypotheses: |g_t| <= G_inf for each t; here one coordinate.
Known: the right side has the dimension of a squared gradient, the left that of a gradient.
Added: the base case fails if G_inf < 1/2, and the two sides scale differently, so no constant in place of 2 helps.
Counterexample: T = 1, g_1 = G_inf = 1/4: 1/4 is not at most 2 * 1/4 * 1/4 = 1/8.
Instead: the sum is at most sqrt(1 + ln T) times the norm (Cauchy-Schwarz); squared, with 1 + 1/2 + ... + 1/T, it is the
claim errata.kingma-2015-lemma3.repaired for square T.
Read: the paper, in a copy with damaged formulas; all parts of this lemma are legible.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "1/4 1/8"
STATEMENT = r"$\sum_{t=1}^T \sqrt{g_{t,i}^2/t} \le 2 G_\infty \Vert g_{1:T,i}\Vert_2$ if $\Vert g_t\Vert_\infty \le G_\infty$ for all $t$"
RECOMPUTE = """\
from fractions import Fraction
g = G = Fraction(1, 4)  # T = 1: the sum is |g|, the norm is |g|
print(g, 2 * G * g)     # the first should be at most the second
"""


def lemma(c):
    """With one gradient other than 0, at t = T, a square: sum and norm are rational."""
    gradient, root = c.given.gradient, c.given.root
    yield Le(abs(gradient) / root, 2 * c.given.bound * abs(gradient), "sum at most 2 G times the norm")


def cauchy_schwarz(c, by=1):
    """Squared. Gradients at t = k^2 only, so that each root is an integer."""
    gradients = c.given.gradients
    total = sum(abs(g) / k for k, g in enumerate(gradients, 1))
    harmonic = sum(Q(1, t) for t in range(1, len(gradients) ** 2 + 1))
    yield Le(total**2, by * harmonic * sum(g * g for g in gradients), "squared sum at most H_T times squared norm")


FALSE = NumbersInstance.of(gradient=Q(1, 4), bound=Q(1, 4), root=1)
ROWS = tuple(Qs(a, b, d) for a in (1, "1/4", 0) for b in (1, -2) for d in (0, 1, "1/9"))
claim(
    "errata.kingma-2015-lemma3", "Lemma 10.3: sum of |g_t|/sqrt(t) <= 2 G ||g||", hypotheses="|g_t| <= G", origin=OURS,
    evidence=[golden(FALSE)], expected="REFUTED",
    control=holds_on(NumbersInstance.of(gradient=Q(1), bound=Q(1), root=1), text="G = 1"),
)(lemma)  # fmt: skip
claim(
    "errata.kingma-2015-lemma3.repaired", "(sum of |g_t|/sqrt(t))^2 <= H_T ||g||^2", hypotheses="any g", origin=OURS,
    evidence=[exact(lambda: numbers(gradients=ROWS))], proof="The inequality of Cauchy and Schwarz.",
    control=altered("half of it", lambda c: cauchy_schwarz(c, Q(1, 2)), NumbersInstance.of(gradients=Qs(1))),
)(cauchy_schwarz)  # fmt: skip
