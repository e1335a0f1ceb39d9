"""A point that is the minimum along each coordinate is a minimum of a convex function.

Source: folklore; refuted by J. Friedman, T. Hastie, H. Hoefling, R. Tibshirani: Pathwise coordinate optimization. Annals of
Applied Statistics 1, 2007. DOI 10.1214/07-AOAS131.
Said: coordinate descent, which solves the lasso, is used for other convex penalties.
Hypotheses: f convex; here a fused penalty, f(x, y) = ((x - 1)^2 + (y - 1)^2)/2 + c |x - y|.
Known: the paper: it "does not work in the 'fused lasso'", and has a repaired method.
Added: the smallest example; the minimum along a coordinate, in fractions.
Counterexample: c = 2 at (0, 0): along each coordinate f is smallest at 0, f(0, 0) = 1, but f(1, 1) = 0.
Instead: it is true if the nonsmooth part is a sum over coordinates, as c |x| + c |y| (claim errata.friedman-2007.repaired).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, altered, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Coordinate descent", "True 1 0"
STATEMENT = r"If $f$ is convex and $f(x + t e_i) \ge f(x)$ for all $t$ and $i$, then $x$ is a minimum of $f$."
RECOMPUTE = """\
from fractions import Fraction
def f(x, y): return Fraction((x - 1) ** 2 + (y - 1) ** 2, 2) + 2 * abs(x - y)
steps = [Fraction(k, 8) for k in range(-40, 41)]  # the slopes of f along x are at least 1 right of 0, at most -3 left
print(min(f(t, 0) for t in steps) == f(0, 0) == min(f(0, t) for t in steps), f(0, 0), f(1, 1))
"""


def soft(value, level):
    return max(value - level, Q(0)) if value > 0 else min(value + level, Q(0))


def coordinate_descent(c, separable=False, by=0):
    """20 sweeps of exact steps, then f there against f at another point."""
    level, z = c.given.level, list(c.given.start)
    for k in range(40):
        i, other = k % 2, z[1 - k % 2]
        z[i] = soft(Q(1), level) if separable else other + soft(1 - other, level)

    def f(x, y):
        nonsmooth = abs(x) + abs(y) if separable else abs(x - y)
        return ((x - 1) ** 2 + (y - 1) ** 2) / 2 + level * nonsmooth

    yield Le(1 + f(*z) + by, 1 + f(*c.given.other), "1 + f at the end, at most 1 + f at the other point")


OTHERS = (Qs(1, 1), Qs(0, 0), Qs("1/2", "1/2"), Qs(-1, 3))
FALSE = NumbersInstance.of(level=Q(2), start=Qs(0, 0), other=Qs(1, 1))
AT = FALSE.but(extra=FALSE.extra.but(other=Qs(0, 0)))
DRAWN = {"level": Qs("1/2", 2, 0), "start": (Qs(0, 0), Qs(3, 1)), "other": OTHERS}
claim(
    "errata.friedman-2007", "coordinate descent finds the minimum", hypotheses="f convex", origin=OURS,
    evidence=[golden(FALSE), exact(lambda: numbers(**DRAWN))], expected="REFUTED",
    control=holds_on(FALSE.but(extra=FALSE.extra.but(level=Q(0))), text="no penalty"),
)(coordinate_descent)  # fmt: skip
claim(
    "errata.friedman-2007.repaired", "coordinate descent finds the minimum", hypotheses="a separable penalty", origin=OURS,
    evidence=[exact(lambda: numbers(**DRAWN))], control=altered("by 1", lambda c: coordinate_descent(c, True, 1), AT),
    proof="The optimality conditions are those of the coordinates.",
)(lambda c: coordinate_descent(c, True))  # fmt: skip
