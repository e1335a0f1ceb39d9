"""Sign descent with a majority vote (SSDM) converges although the workers have different objectives.

Source: M. Safaryan, P. Richtarik, who have corrected it: Stochastic Sign Descent Methods: New Algorithms and Better Theory.
ICML 2021, arXiv:1905.12938. Theorem 8, in the version before the authors' correction of June 2026.
Said: the authors write that Theorem 8 "allowed fully heterogeneous local objectives"; its proof needs equal ones.
Hypotheses: each worker sends the sign of its gradient; the step has the sign of the majority; here one number, no noise.
Known: the authors' correction, which restricts the theorem to workers that estimate one objective.
Added: three quadratics on which the method goes to the median of the minima instead of their mean.
Counterexample: f_n(x) = (x - a_n)^2/2, a = (0, 0, 3), x = 1/2, step 1/8: the mean of the f_n rises from 9/8 to 153/128.
Instead: with equal objectives a small step descends (claim errata.safaryan-2021.repaired).
Read: the abstract, with the authors' note on the correction; we have not seen the text of the old theorem.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Adam and its relatives", "9/8 153/128"
STATEMENT = r"$F(x - \gamma\,\mathrm{sign} \sum_n \mathrm{sign} f_n'(x)) \le F(x)$ for small $\gamma$, where $F = \frac1N \sum_n f_n$"
RECOMPUTE = """\
from fractions import Fraction
a, x = (0, 0, 3), Fraction(1, 2)
def mean(x): return sum((x - y) ** 2 / 2 for y in a) / 3
votes = sum(1 if x > y else -1 for y in a)
print(mean(x), mean(x - Fraction(1, 8) * (1 if votes > 0 else -1)))
"""


def sign(x):
    return (x > 0) - (x < 0)


def descent(c, by=1):
    a, x = c.given.a, c.given.x
    before, after = (
        sum((z - y) ** 2 for y in a) / (2 * len(a)) for z in (x, x - c.given.step * sign(sum(sign(x - y) for y in a)))
    )
    yield Le(after, by * before, "F after a step")


A = tuple(Qs(x, y, z) for x in (0, -1) for y in (0, 1) for z in (1, 3, 5))
FALSE = NumbersInstance.of(a=Qs(0, 0, 3), x=Q(1, 2), step=Q(1, 8))
EQUAL = {"a": tuple(Qs(y, y, y) for y in (0, 1, -3)), "x": Qs("1/2", 4, "-7/2"), "step": Qs("1/8", "1/64")}
claim(
    "errata.safaryan-2021", "a small step of SSDM descends", hypotheses="each worker its own objective", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**{**EQUAL, "a": A}))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(a=Qs(0, 0, 0))), text="equal objectives"),
)(descent)  # fmt: skip
claim(
    "errata.safaryan-2021.repaired", "a small step of SSDM descends", hypotheses="equal objectives", origin=OURS,
    evidence=[exact(lambda: numbers(**EQUAL))], proof="All signs are that of F', and the step is shorter than |x - a|.",
    control=altered("by half", lambda c: descent(c, Q(1, 2)), FALSE.but(extra=FALSE.extra.but(a=Qs(0, 0, 0)))),
)(descent)  # fmt: skip
