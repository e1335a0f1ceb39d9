"""What ``solve(method="auto")`` runs: a method, its options and an order, with the reason in one sentence.

Everything depends on one number, K = R^2/(mu n gamma): SDCA needs about n + n K steps (Theorem 2 of its paper, and no less on
some data), SPDC about n + n sqrt(K). Measured passes to a relative gap of 1e-6 on data sets of 569 to 32,561 rows: SDCA in
permuted order 2 K to 7 K and a few more, with shrinking half of that for the hinges, SPDC 13 sqrt(K) and a few more, each
of which takes the time of 1.5 to 3.5 of SDCA's. So they meet at a K of about a hundred. ASPDC, where its condition K <= 1/4
admits it, takes two to three times the passes of SDCA in permuted order, which has no condition at all.
"""

from typing import Any, NamedTuple

from dualgap.fast.matrix import arrays
from dualgap.reference.block import BlockProblem
from dualgap.reference.problem import Problem

STEEP = 100  # the K beyond which SPDC is the faster
ENDS = ("hinge", "smoothed-hinge", "squared-hinge", "absolute")  # losses whose alpha_i stay at an end of their domain


class Choice(NamedTuple):
    """A method for ``solve``, its options, the order of its draws, and why."""

    method: str
    options: dict[str, Any]
    order: str
    reason: str


def choose(problem: Problem) -> Choice:
    """The method that is the fastest as a rule, from n, the modulus mu, gamma, R, the loss and the regularizer.

    >>> from dualgap.reference import L2, Logistic, Problem
    >>> choose(Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Logistic(), L2(0.5))).reason
    'R^2/(mu n gamma) = 0.25 <= 100: SDCA needs the fewest passes, and half as many in permuted order'
    """
    if isinstance(problem, BlockProblem):
        return Choice("adaspdc-r", {}, "uniform", "block duals: the repaired AdaSPDC converges on all of them")
    if problem.regularizer.family != "quadratic":
        return Choice("pgs", {}, "uniform", f"{problem.regularizer!r}: PGS is the method for regularizers that are not quadratic")
    K = R2_over(problem)
    if K > STEEP and problem.gamma > 0:
        return Choice("spdc", {}, "uniform", f"R^2/(mu n gamma) = {K:.3g} > {STEEP}: SPDC's passes grow like its square root only")
    if problem.loss.name in ENDS:
        if problem.gamma > 0:
            how = f"R^2/(mu n gamma) = {K:.3g} <= {STEEP}: SDCA needs the fewest passes"
        else:
            how = f"{problem.loss.name} is not smooth: SDCA converges all the same"
        return Choice("sdca-shrinking", {}, "uniform", f"{how}, and can leave out the rows that stay at an end of their domain")
    reason = f"R^2/(mu n gamma) = {K:.3g} <= {STEEP}: SDCA needs the fewest passes, and half as many in permuted order"
    return Choice("sdca", {}, "permuted", reason)


def R2_over(problem: Problem) -> float:
    """K = R^2/(mu n gamma); infinite where gamma = 0."""
    if problem.gamma == 0:
        return float("inf")
    return float(arrays(problem).R2 / (problem.scale * problem.gamma))
