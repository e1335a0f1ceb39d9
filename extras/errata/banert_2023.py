"""Chambolle and Pock's method converges for tau sigma |K|^2 < 4/(1 + 2 theta), for theta below 1/2, too.

Source: a question of ours about S. Banert, M. Upadhyaya, P. Giselsson: The Chambolle-Pock method converges weakly with theta
> 1/2 and tau sigma |L|^2 < 4/(1 + 2 theta). 2023, arXiv:2309.03998. The authors say it for theta > 1/2; the rest is our
question.
Said: the condition of the title, for theta > 1/2.
Hypotheses: min over x, max over y of x K y - g*(y), f = 0, theta in (0, 1/2]; tau sigma |K|^2 < 4/(1 + 2 theta), below which
the method converges for g* = 0.
Known: M. Upadhyaya (2026, arXiv:2604.06423) proves a smaller bound for all theta in (0, 1], about 8 theta for small theta.
Added: for theta < 1/6 the condition is not enough. For g(x) = max(-x, 2 x) y = 2, -1, -1 repeats for some x if and only if
tau sigma |K|^2 >= 3, for each theta. Between Upadhyaya's bound and 3 we do not know.
Counterexample: theta = 1/10, tau = K = 1, sigma = 3 < 10/3, g as above: from x = 9/10, y = 2 it returns after three steps.
Instead: with theta = 1 and sigma = 1 it converges from there (control), as the classical theorem says.
Read: a page that quotes the condition with its arXiv number, and the abstract of arXiv:2604.06423; not the paper.
"""

from dualgap.proofs_checks import OURS, Lt, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC = "REFUTED", "Primal-dual methods"
STATEMENT = r"For $0 < \theta \le \frac12$ and $\tau\sigma\|K\|^2 < \frac{4}{1 + 2\theta}$ the method of Chambolle and Pock converges."
PRINTS = "9/10 2, -11/10 -1, -1/10 -1, 9/10 2"
RECOMPUTE = """\
from fractions import Fraction
theta, tau, sigma = Fraction(1, 10), 1, 3  # 3 < 4/(1 + 2 theta) = 10/3
points = [(Fraction(9, 10), 2)]
for _ in range(3):
    x, y = points[-1]
    ahead = x - tau * y
    points.append((ahead, min(2, max(-1, y + sigma * (ahead + theta * (ahead - x))))))  # -1 <= y <= 2
print(*(f"{x} {y}" for x, y in points), sep=", ")
"""


def cycle(c):
    theta, sigma, (x, y) = c.given.theta, c.given.sigma, c.given.start
    for _ in range(12):
        ahead = x - y
        x, y = ahead, min(2, max(-1, y + sigma * (ahead + theta * (ahead - x))))
    yield Lt(0, abs(x - c.given.start[0]) + abs(y - c.given.start[1]), "after 12 steps it is not where it was")


CYCLE = NumbersInstance.of(theta=Q(1, 10), sigma=Q(3), start=Qs("9/10", 2))
STARTS = tuple(Qs(x, y) for x in ("9/10", "7/8", 1, "-1/4", 3) for y in (2, 1, -1))
claim(
    "errata.banert-2023", "no cycle", hypotheses="tau = K = 1, sigma < 4/(1 + 2 theta)", origin=OURS, expected="REFUTED",
    evidence=[golden(CYCLE), exact(lambda: numbers(theta=Qs("1/10", "1/8", "1/20"), sigma=Qs(1, 2, 3, "31/10"), start=STARTS))],
    control=holds_on(CYCLE.but(extra=CYCLE.extra.but(theta=1, sigma=1)), text="theta = sigma = 1"),
)(cycle)  # fmt: skip
