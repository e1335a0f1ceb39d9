"""Exact minimisation along one coordinate after the other comes to a stationary point of a differentiable function.

Source: folklore; refuted by M. J. D. Powell: On search directions for minimization algorithms. Mathematical Programming 4,
1973. DOI 10.1007/BF01584660.
Said: each step lowers f, so the limit points were taken to be stationary.
Hypotheses: f is continuously differentiable; the minimum along each coordinate exists.
Known: the paper has a function of three numbers on which the method goes around six vertices of a cube.
Added: 60 exact steps; the squared norm of the gradient at the end.
Counterexample: f(x) = -x_1 x_2 - x_2 x_3 - x_3 x_1 plus the squared distances of the x_i from [-1, 1], start (-9/8, 17/16,
-33/32): after 60 steps the squared norm of the gradient is still above 4.
Instead: with two variables of the same kind it converges (control). In general the minimum along each coordinate must be
unique, also at the limit.
Read: a page that repeats the example (J. de Leeuw, Block relaxation methods in statistics, I.3.8.3).
"""

from dualgap.proofs_checks import OURS, Le, NumbersInstance, Q, Qs, claim, exact, golden, holds_on, numbers

VERDICT, TOPIC, PRINTS = "REFUTED", "Coordinate descent", "True"
STATEMENT = r"$\Vert\nabla f(x_t)\Vert \to 0$ if $x_{t+1}$ minimises $f$ along the coordinate $t \bmod d$ from $x_t$."
RECOMPUTE = """\
from fractions import Fraction
x = [Fraction(-9, 8), Fraction(17, 16), Fraction(-33, 32)]
for t in range(60):
    s = sum(x) - x[t % 3]  # f is -s x_i plus the squared distance of x_i from [-1, 1] and a constant
    x[t % 3] = (1 if s > 0 else -1) + s / 2
gradient = [-(sum(x) - v) + 2 * max(0, v - 1) - 2 * max(0, -v - 1) for v in x]
print(sum(g * g for g in gradient) > 4)
"""


def coordinate_descent(c):
    x = list(c.given.start)
    for t in range(60):
        i = t % len(x)
        s = sum(x) - x[i]
        x[i] = x[i] if s == 0 else (1 if s > 0 else -1) + s / 2
    gradient = [-(sum(x) - v) + 2 * max(0, v - 1) - 2 * max(0, -v - 1) for v in x]
    yield Le(sum(g * g for g in gradient), Q(1, 100), "squared norm of the gradient after 60 steps")


STARTS = tuple(Qs(a, b, d) for a in ("-9/8", 1, 0) for b in ("17/16", "-1/2") for d in ("-33/32", "1/3"))
claim(
    "errata.powell-1973", "coordinate descent makes the gradient small", hypotheses="f differentiable", origin=OURS,
    evidence=[golden(NumbersInstance.of(start=Qs("-9/8", "17/16", "-33/32"))), exact(lambda: numbers(start=STARTS))],
    control=holds_on(NumbersInstance.of(start=Qs("-9/8", "17/16")), text="two variables"), expected="REFUTED",
)(coordinate_descent)  # fmt: skip
