"""What the slides assume of Th1 and Th2, held against an instance; of a loss on a grid of z in [-3, 3]. Nothing else is
asked for there.
"""

from itertools import product

from dualgap.proofs_checks.papers.vocabulary import *

GRID, STEPS = tuple(Q(k, 4) for k in range(-12, 13)), Qs("1/8", "1/2", 1)


def convex(c: Context) -> bool:
    """phi_i(z - h) + phi_i(z + h) >= 2 phi_i(z) on the grid, for every i."""
    value = c.problem.loss.value
    return all(value(z - h, y) + value(z + h, y) >= 2 * value(z, y) for y, z, h in product(c.problem.y, GRID, STEPS))


def lipschitz(c: Context) -> bool:
    """|phi_i(z + h) - phi_i(z)| <= h on the grid, for every i: L = 1."""
    value = c.problem.loss.value
    return all(abs(value(z + h, y) - value(z, y)) <= h for y, z, h in product(c.problem.y, GRID, STEPS))


def smooth(c: Context) -> bool:
    """|phi_i'(z + h) - phi_i'(z)| <= h/gamma on the grid, for every i."""
    slope = c.problem.loss.derivative
    return c.gamma > 0 and all(
        abs(slope(z + h, y) - slope(z, y)) * c.gamma <= h for y, z, h in product(c.problem.y, GRID, STEPS)
    )


CONVEX = Hypothesis("phi_1, .., phi_n are convex", "Optimization Objective, Parameters", convex)
FROM_ZERO = Hypothesis("alpha^(0) = 0", "Th1 and Th2", lambda c: not any(c.alpha) and not c.instance.path)
LIPSCHITZ = Hypothesis("phi_i is L-Lipschitz for all i (here L = 1)", "Th1", lipschitz)
SMOOTH = Hypothesis("phi_i is (1/gamma)-smooth for all i", "Th2", smooth)
RIDGE = Hypothesis(
    "the regularizer is (lam/2)||w||^2, lam > 0",
    "Optimization Objective",
    lambda c: c.instance.lam > 0 and c.instance.l1 == 0,
)
DROPPED = (
    "the journal paper, restated, assumes ||x_i|| <= 1, phi_i >= 0 and phi_i(0) <= 1, which the slides drop: what fails"
    " is their form, not its theorem"
)
