"""What ``solve(method="auto")`` runs: a method, its options and an order, with the reason in one sentence.

One number decides, K = R^2/(mu n gamma), beside the loss and the shape of X. SDCA makes about n + n K steps (Theorem 2 of its
paper), SPDC about n + n sqrt(K). Measured passes to a relative gap of 1e-6, on data of 569 to 32,561 rows and lam from 1e-2 to
1e-8: SDCA in permuted order 2 K to 8 K and a few more; with shrinking half of that for losses whose alpha_i stay at an end of
their domain; SPDC 13 sqrt(K) and a few more, each in the time of 1.5 to 3 of SDCA's. They meet at a K of 10 to 30.

With as many columns as rows or more the x_i are nearly orthogonal, and SDCA does not notice a large K: on 6,412 rows of 55,197
columns it stayed the faster down to lam = 1e-8 (K = 15,600) for all losses but the squared one (to K = 100), of which
no alpha_i comes to rest early. ASPDC, where its condition K <= 1/4 admits it, takes two to three times the passes of
SDCA in permuted order, which has no condition at all.
"""

from typing import Any, NamedTuple

from dualgap.fast.matrix import arrays
from dualgap.reference.block import BlockProblem
from dualgap.reference.problem import Problem

STEEP = 20  # the K beyond which SPDC is the faster, for more rows than columns
STEEP_WIDE = 100  # the same for as many columns as rows or more, squared loss; there is none for the other losses
ENDS = ("hinge", "smoothed-hinge", "squared-hinge", "absolute")  # losses whose alpha_i stay at an end of their domain


class Choice(NamedTuple):
    """A method for ``solve``, its options, the order of its draws, and why."""

    method: str
    options: dict[str, Any]
    order: str
    reason: str


def choose(problem: Problem) -> Choice:
    """The method that is the fastest as a rule, from n, d, the modulus mu, gamma, R, the loss and the regularizer.

    >>> from dualgap.reference import L2, Logistic, Problem
    >>> choose(Problem([[1.0], [1.0]], [1, -1], Logistic(), L2(0.5))).reason
    'R^2/(mu n gamma) = 0.25 <= 20: SDCA needs the fewest passes, and fewer in permuted order'
    """
    if isinstance(problem, BlockProblem):
        return Choice("adaspdc-r", {}, "uniform", "block duals: the repaired AdaSPDC converges on all of them")
    if problem.regularizer.family != "quadratic":
        return Choice("pgs", {}, "uniform", f"{problem.regularizer!r}: PGS is the method for regularizers that are not quadratic")
    steep, why = is_steep(problem)
    if steep:
        return Choice("spdc", {}, "permuted", f"{why}: SPDC's passes grow like its square root only")
    if problem.loss.name in ENDS:
        reason = f"{why}: SDCA needs the fewest passes, and can leave out the rows that stay at an end of their domain"
        return Choice("sdca-shrinking", {}, "uniform", reason)
    return Choice("sdca", {}, "permuted", f"{why}: SDCA needs the fewest passes, and fewer in permuted order")


def is_steep(problem: Problem) -> tuple[bool, str]:
    """Whether K is so large that SDCA is not the fastest, and the comparison in words."""
    if problem.gamma == 0:
        return False, f"{problem.loss.name} is not smooth"
    K = float(arrays(problem).R2 / (problem.scale * problem.gamma))
    if problem.n > problem.d:
        limit: float = STEEP
    elif problem.loss.name == "squared":
        limit = STEEP_WIDE
    else:
        return False, f"d = {problem.d} >= n = {problem.n}"
    return K > limit, f"R^2/(mu n gamma) = {K:.3g} {'>' if K > limit else '<='} {limit:g}"
