"""A formula on the page of PEPit's example for Krasnosel'skii and Mann's iteration: (g - 1)^(2n) for large g.

Source: PEPit: docstring of fixed_point_problems/krasnoselskii_mann_constant_step_sizes, commit 27dbd73, second case.
Said: |x_n - A x_n|^2/4 is at most (g - 1)^(2n) |x_0 - x*|^2 for (1 + sqrt(n/(n + 1)))/2 < g <= 1.
Hypotheses: A nonexpansive with a fixed point x*; x_(t+1) = (1 - g) x_t + g A x_t.
Known: the code of the same example has (2 g - 1)^(2n), as Lieder's thesis has by this quotation: a slip of the pen on the page
alone. PEPit's numbers are not concerned.
Added: the counterexample. We would suggest to write (2 g - 1)^(2n) on the page.
Counterexample: A x = -x on the line, n = 1, g = 9/10: 16/25 > 1/100.
Instead: (2 g - 1)^(2n), see errata.lieder-2018, which A x = -x attains; with A x = x the printed form is true (control).
Read: a page, the docstring itself, and the code below it.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Programs", "16/25 1/100"
STATEMENT = r"$\frac14\|x_n - Ax_n\|^2 \le (\gamma-1)^{2n}\|x_0 - x^*\|^2$ if $\frac12\left(1 + \sqrt{\frac{n}{n+1}}\right) < \gamma \le 1$"
RECOMPUTE = """\
from fractions import Fraction
n, g, x = 1, Fraction(9, 10), 1
for _ in range(n):
    x = (1 - g) * x + g * -x
print((x - -x) ** 2 / 4, (g - 1) ** (2 * n))
"""


def printed(c):
    g, n, x = c.given.g, c.given.n, Q(1)
    for _ in range(n):
        x = (1 - g) * x + g * c.given.A * x
    if (2 * g - 1) ** 2 > Q(n, n + 1):
        yield Le((x - c.given.A * x) ** 2 / 4, (g - 1) ** (2 * n), "|x_n - A x_n|^2/4")


MINUS = NumbersInstance.of(n=1, g=Q(9, 10), A=Q(-1))
claim(
    "errata.pepit-2026", "|x_n - A x_n|^2/4 <= (g - 1)^(2n) |x_0 - x*|^2", hypotheses="A nonexpansive, g large",
    origin=OURS, expected="REFUTED", control=holds_on(MINUS.but(extra=MINUS.extra.but(A=Q(1))), text="A x = x"),
    evidence=[golden(MINUS), exact(lambda: numbers(n=(1, 2, 3), g=Qs("9/10", "99/100", 1), A=Qs(-1, 1, "1/2")))],
)(printed)  # fmt: skip
