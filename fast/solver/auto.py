"""What ``solve(method="auto")`` runs: a method, its options and an order, with the reason in one sentence.

One number decides, K = R^2/(mu n gamma), beside the loss and the shape of X. SDCA makes about n + n K steps (Theorem 2
of its paper), SPDC and ASDCA about n + n sqrt(K), the latter times logarithms. Measured passes to a relative gap of
1e-6 with more rows than columns (569 x 31 and 32,561 x 123, unit rows, lam from 1e-2 to 1e-8, the four smooth losses, K
> 3): SDCA in permuted order 6 K to 10 K; with shrinking 2 K to 7 K, for losses whose alpha_i stay at an end of their
domain; SPDC 12 to 17 sqrt(K), each in the time of two to three of SDCA's on short rows; ASDCA in permuted order 3 to 27
sqrt(K), in the time of SDCA's. SDCA and ASDCA meet near K = 3, ASDCA and SPDC, on the smaller set, between 10^4 and
10^5.

With as many columns as rows or more (6,412 x 55,197; 20,242 x 47,236) the x_i are nearly orthogonal, and SDCA hardly
notices a large K, while the other two do. It was the fastest wherever a method finished, for all losses but the squared
one, of which no alpha_i comes to rest early: there SPDC was, 1.6 times, at K = 156 on one set, and SDCA, four times, at
K = 494 on the other.

How far this can be trusted: the limits below were set on these four sets. Three others were kept back to test them
(49,749 x 300, 49,990 x 22 and 2,000 x 47,236; lam = 1e-2, 1e-4, 1e-6 and 1e-7; five losses: 60 problems). The choice
took at most 1.05 times the least time of SDCA, with and without shrinking, SPDC and ASDCA in 56 of them, 1.4, 1.9 and
2.4 times in three, and in the last one, hinge at lam = 1e-7, no method finished in the 3 seconds allowed.

On odd problems these estimates mean little: equal rows, columns far from centred or of different sizes, tiny lam. So
the choice is only the first one (``plan``): what does not finish makes way for another method (``turns``).

Newton's method, ASDCA, AFG and L-BFGS are asked of the registry: where nobody has registered one, the choice is made
among the others.

Newton's method is chosen where it costs less by these estimates, in passes of SDCA over short rows to a relative gap of
1e-6, for more rows than columns:

    Newton    0.5 (E - 1/2) + (E - 1) M,  E = 2 + 1.5 log10(max(1, n K)) evaluations (2 to 17 measured), M = 6 for a
              direction without a matrix, else [sum_i (nonzeros of x_i)^2/(12 s) + d^2/4]/(nnz + 3 n) for a matrix of
              one row of s and its conjugate gradients; 60 instead of 12 for dense rows
    SDCA      5 + 6 K for K <= 3, and 1.5 times that for the logistic loss, whose steps take more logarithms than slopes
    ASDCA     12 sqrt(K) beyond, each of its passes with a look at the inner gap; 1.5 times that for the logistic loss

The constants were set on 63 generated problems (seven shapes with n from 6,000 to 90,000 and d from 10 to 2,000, dense,
sparse, indicators and text; logistic, smoothed hinge and squared loss; lam = 1e-2, 1e-4 and 1e-6; CPU time on a busy
machine, least of two). The choice took at most 1.2 times the least time of Newton's method, SDCA and ASDCA in 60 of
them, and 1.3 and 1.6 times in two; one was not counted because it included the compilation.

ASPDC, where its condition K <= 1/4 admits it, took two to three times the passes of SDCA in permuted order. Not chosen,
because nothing is claimed of its rate: L-BFGS, which for K > 1000 was up to ten times as fast on the smallest set and
ended without an answer there once, and was up to ten times slower on 6,412 x 55,197.
"""

import math
from typing import Any, NamedTuple, cast

import numpy as np

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Arrays, arrays
from dualgap.fast.solver.memory import fits
from dualgap.reference import all_methods
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.weighted_problem import WeightedProblem

# The K beyond which SDCA, and beyond which ASDCA is not the fastest, for more rows than columns.
ILL_CONDITIONED, VERY_ILL_CONDITIONED = 3, 100_000
# the first of these for as many columns as rows or more, squared loss; there is none for the others
ILL_CONDITIONED_WIDE = 1000


# ``plan``: passes of a first turn, at least; how many times more the choice has than others, without Newton's method
FIRST, FAVOUR = 40, 4
DEAR, LONGEST = 20, 10_000  # passes of a dear evaluation of Newton's method
OF_ROWS = 6  # passes that take as long as a direction of Newton's method without its matrix
# products of entries that enter Newton's matrix in the time of one entry of a pass
SPARSE_PRODUCTS, DENSE_PRODUCTS = 12, 60


class Choice(NamedTuple):
    """A method for ``solve``, its options, the order of its draws, and why."""

    method: str
    options: dict[str, Any]
    order: str
    reason: str


def choose(problem: Problem) -> Choice:
    """The method that is the fastest as a rule, from n, d, the modulus mu, gamma, R, the loss and the regularizer.

    >>> from dualgap.reference import ElasticNet, Logistic, Problem
    >>> choose(Problem([[1.0], [1.0]], [1, -1], Logistic(), ElasticNet(0.5, 0.1))).reason
    'R^2/(mu n gamma) = 0.25 <= 3: SDCA needs the fewest passes, and fewer in permuted order'
    """
    if isinstance(problem, BlockProblem):
        return Choice("adaspdc-r", {}, "uniform", "block duals: the repaired AdaSPDC converges on all of them")
    if isinstance(problem, InterceptProblem):
        return with_intercept(problem)[0][0]
    if isinstance(problem, WeightedProblem):
        return for_weights(problem)
    if problem.regularizer.family == "general":
        return Choice(
            "sdca",
            {},
            "permuted",
            f"{problem.regularizer!r}: SDCA takes every strongly convex regularizer, with backend reference",
        )
    if problem.regularizer.family != "quadratic":
        return Choice(
            "pgs", {}, "uniform", f"{problem.regularizer!r}: PGS is the method for regularizers that are not quadratic"
        )
    if isinstance(problem.X, MappedRows):
        return Choice(
            "sdca",
            {},
            "blocks",
            "the rows lie on disk: SDCA reads them in shuffled blocks, as fast as the disk gives them",
        )
    if (why := for_newton(problem)) is not None:
        return Choice("newton", {}, "uniform", why)
    method, why = by_condition(problem)
    if method != "sdca":
        return Choice(method, {}, "permuted", f"{why}: the passes of {method} grow like its square root only")
    # a step reaches an end of the domain, and alpha_i stays there
    if problem.loss.rational and problem.loss.ends != (None, None):
        reason = f"{why}: SDCA needs the fewest passes, and can leave out the rows that stay at an end of their domain"
        return Choice("sdca-shrinking", {}, "uniform", reason)
    return Choice("sdca", {}, "permuted", f"{why}: SDCA needs the fewest passes, and fewer in permuted order")


def plan(problem: Problem) -> list[tuple[Choice, float]]:
    """``choose``, and what takes turns with it if that does not finish (``turns``), each with the passes of its first
    turn.

    Newton's method does not make way: its P falls from point to point, and a w is what it would lose. A coordinate
    method is left after the passes that ten evaluations of Newton's method cost, at most: not much is lost, whichever
    is better.

    >>> from dualgap.reference import L2, Hinge, Logistic, Problem
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0]], [1], Logistic(), L2(0.5)))]
    [('sdca', 70), ('newton', inf)]
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0], [1.0]], [1, -1], Hinge(), L2(0.5)))]
    [('sdca-shrinking', inf)]
    """
    if isinstance(problem, InterceptProblem):
        return with_intercept(problem)
    first, g = choose(problem), problem.regularizer
    if (
        isinstance(problem, BlockProblem)
        or isinstance(problem.X, MappedRows)
        or g.family != "quadratic"
        or problem.gamma == 0
    ):
        return [(first, math.inf)]
    weighted, portion = isinstance(problem, WeightedProblem), FIRST
    if newtonian(problem):
        cost = evaluation_cost(problem)
        portion = round(min(max(10 * cost, FIRST), LONGEST))
        if first.method == "newton":
            return [(first, math.inf)]
        others = ["lbfgs", "newton"] if cost > DEAR else ["newton"]
    else:
        others = ["afg"] if weighted or g.kappa > 0 else ["asdca", "afg"]
    chosen = [
        first,
        *(
            Choice(name, {}, ORDERS[name], "")
            for name in others
            if name != first.method and name in kernels() and fits(problem, name)
        ),
    ]
    favour = 1 if newtonian(problem) else FAVOUR
    return [
        (choice, math.inf if choice.method == "newton" else portion * (favour if choice is first else 1))
        for choice in chosen
    ]


def with_intercept(problem: InterceptProblem) -> list[tuple[Choice, float]]:
    """``plan`` for a free intercept: L-BFGS or, with l1, AFG on min_b P(w, b), and SDCA."""
    smooth = [] if problem.gamma == 0 else ["afg"] if problem.regularizer.l1 > 0 else ["lbfgs", "afg"]
    names = [name for name in smooth if name in kernels() and fits(problem, name)][:1]
    why = f"free intercept, {problem.loss.name}: "
    why += "a method for min_b P(w, b), which is smooth" if names else "SDCA with a quadratic term for the intercept"
    choices = [Choice(name, {}, ORDERS[name], why) for name in (*names, "sdca")]
    return [(choice, FIRST * FAVOUR if len(choices) > 1 else math.inf) for choice in choices]


ORDERS = {"newton": "uniform", "lbfgs": "uniform", "afg": "uniform", "sdca": "permuted", "asdca": "permuted"}


def newtonian(problem: Problem) -> bool:
    """Whether Newton's method is there and takes the problem, with a loss whose phi'' is known and no bound of it."""
    g = problem.regularizer
    return bool(
        "newton" in kernels()
        and problem.gamma > 0
        and type(problem.loss).curvature is not Loss.curvature
        and not g.l1 > 0
        and g.centre is None
    )


def evaluation_cost(problem: Problem) -> float:
    """The passes that take as long as one evaluation of Newton's method with all rows in its matrix."""
    return 1 + direction_cost(problem, 1)


def direction_cost(problem: Problem, stride: int) -> float:
    """The passes that take as long as a direction of Newton's method, with one of every ``stride`` rows in its matrix.

    >>> from dualgap.reference import L2, Logistic, Problem
    >>> direction_cost(Problem([[1.0], [1.0], [1.0], [1.0]], [1, -1, 1, 1], Logistic(), L2(0.5)), 2)
    0.026041666666666664
    """
    data, newton = arrays(problem), cast(Any, all_methods()["newton"])
    if not newton.makes_matrix(problem):
        return OF_ROWS
    products = SPARSE_PRODUCTS if data.sparse else DENSE_PRODUCTS
    return (squared_lengths(data) / (products * stride) + problem.d**2 / 4) / (data.nnz + 3 * problem.n)


def for_newton(problem: Problem) -> str | None:
    """Why Newton's method is the fastest, or None where it is not, or not for this problem."""
    # flat at w = 0: a smoothed hinge of gamma < 1, whose first steps are too long
    if not newtonian(problem) or problem.loss.curvature(0.0, 1.0) == 0:
        return None
    K = condition(problem)
    if problem.n <= problem.d:
        if problem.loss.name != "squared" or K <= ILL_CONDITIONED_WIDE:
            return None
        return (
            f"R^2/(mu n gamma) = {K:.3g} > {ILL_CONDITIONED_WIDE}, squared loss: Newton's method needs a few"
            " evaluations"
        )
    stride = cast(Any, all_methods()["newton"]()).first_stride(problem)
    newton = newton_cost(K, problem.n, direction_cost(problem, stride))
    others = coordinate_cost(K, problem.loss.name)
    if newton >= others:
        return None
    return (
        f"R^2/(mu n gamma) = {K:.3g} and the rows are many: Newton's method is expected to take the time of"
        f" {newton:.2g} passes, coordinate methods {others:.2g}"
    )


def for_weights(problem: Problem) -> Choice:
    """Of weighted rows: Newton's method where its estimate is the lower one or K is large, else SDCA."""
    if (why := for_newton(problem)) is not None:
        return Choice("newton", {}, "uniform", f"weighted rows, {why}")
    if (
        newtonian(problem)
        and condition(problem) > ILL_CONDITIONED
        and problem.n > problem.d
        and evaluation_cost(problem) <= DEAR
    ):
        return Choice(
            "newton",
            {},
            "uniform",
            f"weighted rows, R^2/(mu S gamma) = {condition(problem):.3g} > {ILL_CONDITIONED}: SDCA would need many"
            " passes",
        )
    return Choice(
        "sdca",
        {},
        "permuted",
        "weighted rows: SDCA is the coordinate method for them, with fewer passes in permuted order",
    )


def newton_cost(K: float, n: int, direction: float) -> float:
    """Passes in the time of which Newton's method meets a relative gap of 1e-6; direction: the passes that one
    direction costs.

    >>> round(newton_cost(0.01, 10_000, 0.5), 3)
    4.25
    """
    evaluations = 2 + 1.5 * math.log10(max(1.0, n * K))
    return 0.5 * (evaluations - 0.5) + (evaluations - 1) * direction  # at the first point, 0, no row is read for X w


def coordinate_cost(K: float, loss: str) -> float:
    """The same of SDCA, and of ASDCA for K > ILL_CONDITIONED.

    >>> coordinate_cost(0.5, "squared"), coordinate_cost(100, "squared"), coordinate_cost(100, "logistic")
    (8.0, 120.0, 180.0)
    """
    passes = 5 + 6 * K if K <= ILL_CONDITIONED else 12 * math.sqrt(K)
    return 1.5 * passes if loss == "logistic" else passes


def squared_lengths(data: Arrays) -> float:
    """The sum over the rows of the square of how many entries they store."""
    if not data.sparse:
        return data.nnz * data.d
    # no BLAS: its threads wait for each other on busy cores
    return float(np.square(np.diff(data.matrix[0]).astype(np.float64)).sum())


def condition(problem: Problem) -> float:
    """K; gamma > 0."""
    return float(arrays(problem).R2 / (problem.scale * problem.gamma))


def by_condition(problem: Problem) -> tuple[str, str]:
    """sdca, asdca or spdc, and the comparison that says so."""
    if problem.gamma == 0:
        return "sdca", f"{problem.loss.name} is not smooth"
    K = condition(problem)
    value, wide = f"R^2/(mu n gamma) = {K:.3g}", problem.n <= problem.d
    if wide and problem.loss.name != "squared":
        return "sdca", f"d = {problem.d} >= n = {problem.n}"
    limit = ILL_CONDITIONED_WIDE if wide else ILL_CONDITIONED
    if K <= limit:
        return "sdca", f"{value} <= {limit}"
    # ASDCA has a proximal centre of its own
    if wide or K > VERY_ILL_CONDITIONED or problem.regularizer.kappa > 0 or "asdca" not in kernels():
        return "spdc", f"{value} > {limit if wide or K <= VERY_ILL_CONDITIONED else VERY_ILL_CONDITIONED}"
    return "asdca", f"{value} > {limit}"
