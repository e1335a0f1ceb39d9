"""Nesterov's method with sampled gradients, the usual momentum, and a step that suits every sample, converges.

Source: folklore; refuted by M. Assran, M. Rabbat: On the Convergence of Nesterov's Accelerated Gradient Method in Stochastic
Settings. ICML 2020, arXiv:2002.12414.
Said: momentum and step of the full gradient are used with the gradient of one sample.
Hypotheses: f(x) = (x_1^2 + x_2^2/kappa)/2 is the mean of x_1^2 and x_2^2/kappa, which have one minimum and are 2-smooth; step
1/2 or 1, momentum (sqrt(kappa) - 1)/(sqrt(kappa) + 1).
Known: the paper: it "may diverge with the usual choice of step-size and momentum".
Added: two samples without noise at the minimum are enough; an exact verdict on the second moments.
Counterexample: kappa = 81, momentum 4/5, step 1/2: the moments of x_1 have a spectral radius above 1.
Instead: with kappa = 9, momentum 1/2, step 1/2, it converges in mean square (control).
Read: the abstract; nothing else is said of the paper.
"""

from dualgap.proofs_checks import OURS, Lt, NumbersInstance, Q, characteristic, claim, golden, holds_on, radius_beside

VERDICT, TOPIC, PRINTS = "REFUTED", "Nesterov's method", "True"
STATEMENT = r"$x_{t+1} = y_t - \eta \nabla f_{i_t}(y_t)$, $y_{t+1} = x_{t+1} + \beta (x_{t+1} - x_t)$: $\mathbb{E}\Vert x_t\Vert^2 \to 0$"
RECOMPUTE = """\
from fractions import Fraction
beta = Fraction(4, 5)
a, b, c = 1, 1, 1  # E x^2, E x x_before, E x_before^2 of the first coordinate, before the first step
for _ in range(400):  # x_new is y or 0 with probability 1/2 each, y = (1 + beta) x - beta x_before
    a, b, c = ((1 + beta) ** 2 * a - 2 * beta * (1 + beta) * b + beta**2 * c) / 2, ((1 + beta) * a - beta * b) / 2, a
print(a > 1000)  # E x^2 was 1
"""


def moments(beta, factors):
    """The matrix of E x^2, E x x_before, E x_before^2 in a step: x_new = factor y, each factor with probability 1/2."""
    mean, square = sum(factors) / 2, sum(f * f for f in factors) / 2
    first = [square * (1 + beta) ** 2, -2 * square * beta * (1 + beta), square * beta**2]
    return [first, [mean * (1 + beta), -mean * beta, Q(0)], [Q(1), Q(0), Q(0)]]


def converges(c):
    root, eta = c.given.root, c.given.eta
    beta = (root - 1) / (root + 1)
    for h in (1, 1 / root**2):  # of a coordinate of f; its sample has 2 h
        matrix = moments(beta, (1, 1 - eta * 2 * h))
        yield Lt(radius_beside(characteristic(matrix), Q(1)), 1, f"spectral radius of the moments, curvature {h}")


claim(
    "errata.assran-2020", "Nesterov's method with sampled gradients converges in mean square", origin=OURS,
    hypotheses="step 1/L_max, momentum of kappa", expected="REFUTED",
    evidence=[golden(NumbersInstance.of(root=Q(9), eta=Q(1, 2)), NumbersInstance.of(root=Q(3), eta=Q(1)))],
    control=holds_on(NumbersInstance.of(root=Q(3), eta=Q(1, 2)), text="kappa = 9"),
)(converges)  # fmt: skip
