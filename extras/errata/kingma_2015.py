"""Adam's regret is O(sqrt(T)): it exceeds the bound of the theorem, which is of that order, on losses with a cycle.

Source: D. P. Kingma, J. L. Ba: Adam: a method for stochastic optimization. ICLR 2015, arXiv:1412.6980, Theorem 4.1.
Said: the regret after T steps is at most a sum of three terms, each of which is O(sqrt(T)).
Hypotheses: convex losses, gradients at most G, iterates within D, alpha_t = alpha/sqrt(t), beta_1^2 < sqrt(beta_2).
Known: S. J. Reddi, S. Kale, S. Kumar (ICLR 2018, arXiv:1904.09237): losses C x, -x, -x in turn on [-1, 1] have a linear
regret. The iterates are projected on [-1, 1] there and here, which the theorem leaves out.
Added: the step at which the regret exceeds the bound itself, decided in decimals of 20 digits.
Counterexample: C = 6, alpha = 1/2, beta_1 = 0, beta_2 = 1/37, x_1 = 1, T = 90: the regret is above 244, the bound below 236.
Instead: up to T = 30 it is below the bound, which shows nothing for larger T (claim errata.kingma-2015.repaired).
Read: a page that quotes the theorem with its formula; of the second the abstract; its losses are as others quote them.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, altered, claim, exact, golden, holds_on, numbers, root

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "244 236"
STATEMENT = (
    r"$R(T) \le \frac{D^2}{2\alpha} \sqrt{T \hat v_T} + \frac{\alpha G}{\sqrt{1-\beta_2}} \Vert g_{1:T}\Vert_2"
    r" + \frac{D^2 G \sqrt{1-\beta_2}}{2\alpha (1-\lambda)^2}$ with $\beta_1 = 0$"
)
RECOMPUTE = """\
from fractions import Fraction
def root(x, above):  # a decimal of 20 digits below the square root, or above it
    n = r = int(x * 10**40)
    while r * r > n: r = (r + n // r) // 2
    return Fraction(r + above, 10**20)
x, v, lost, b, cycle = (1, 1), 0, 0, Fraction(1, 37), 30 * [6, -1, -1]  # x: both ends
for t, g in enumerate(cycle, 1):
    lost, v = lost + g * x[g < 0], b * v + (1 - b) * g * g
    x = [max(-1, min(1, x[end] - g / root(t * v / (1 - b**t), (g < 0) ^ end) / 2)) for end in (0, 1)]
print(int(lost + 120), int(4 * root(90 * v / (1 - b**90), 1) + 3 * root(30 * 38 / (1 - b), 1) + 96 * root(1 - b, 1)) + 1)
"""


def regret(c, by=1):
    C, alpha, beta, T = c.given.C, c.given.alpha, 1 / (1 + c.given.C**2), c.given.T
    x, v, lost, squares = Q(1), Q(0), Q(0), Q(0)
    for t in range(1, T + 1):
        g = C if t % 3 == 1 else Q(-1)
        lost, squares, v = lost + g * x, squares + g * g, beta * v + (1 - beta) * g * g
        x = max(Q(-1), min(Q(1), x - alpha * g / root(t * v / (1 - beta**t))))
    bound = (
        2 / alpha * root(T * v / (1 - beta**T))
        + alpha * C * root(squares / (1 - beta))
        + 8 * C / alpha * root(1 - beta)
    )
    yield Le(by * (lost + (C - 2) * (T // 3)), bound, f"regret after {T} steps")


FALSE = NumbersInstance.of(C=Q(6), alpha=Q(1, 2), T=90)
claim(
    "errata.kingma-2015", "the regret is at most the bound", hypotheses="losses C x, -x, -x in turn on [-1, 1]; beta_1 = 0",
    origin=OURS, evidence=[golden(FALSE)], expected="REFUTED", control=holds_on(FALSE.but(extra=FALSE.extra.but(T=30)), text="T = 30"),
)(regret)  # fmt: skip
claim(
    "errata.kingma-2015.repaired", "the regret is at most the bound", hypotheses="the same losses, T <= 30", origin=OURS,
    evidence=[exact(lambda: numbers(C=(Q(3), Q(6)), alpha=(Q(1, 4), Q(1, 2)), T=(3, 9, 30)))],
    control=altered("a fiftieth", lambda c: regret(c, 50), FALSE),
)(regret)  # fmt: skip
