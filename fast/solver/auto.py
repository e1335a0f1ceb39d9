"""Choose what ``solve(method="auto")`` runs: a method, its options and an order, with the reason in one sentence.

The choice depends on K = R^2/(mu n gamma), the loss and the shape of X. SDCA takes about n + n K steps (Theorem 2 of
its paper). SPDC takes about n + n sqrt(K) steps, and ASDCA the same number times logarithms. Measured passes to a
relative gap of 1e-6 with more rows than columns (569 x 31 and 32,561 x 123, unit rows, lam from 1e-2 to 1e-8, the four
smooth losses, K > 3): SDCA in permuted order 6 K to 10 K; with shrinking 2 K to 7 K, for losses whose alpha_i stay at
an end of their domain; SPDC 12 to 17 sqrt(K), each in the time of two to three of SDCA's on short rows; ASDCA in
permuted order 3 to 27 sqrt(K), each in the time of one of SDCA's. SDCA and ASDCA are equally fast near K = 3; ASDCA and
SPDC, on the smaller set, between 10^4 and 10^5.

With as many columns as rows or more (6,412 x 55,197; 20,242 x 47,236) the x_i are nearly orthogonal. A large K
slows SDCA only a little, but it slows the other two. SDCA was the fastest in every case in which a method finished, for
all losses except the squared one, for which no alpha_i stops changing early. With the squared loss SPDC was 1.6 times
as fast at K = 156 on one set, and SDCA four times as fast at K = 494 on the other.

Evidence, from when R^2 was the largest ||x_i||^2 in all of this: the limits were set on these four sets and tested on
three others (49,749 x 300, 49,990 x 22, 2,000 x 47,236; lam = 1e-2, 1e-4, 1e-6 and 1e-7; five losses: 60 problems). The
choice took at most 1.05 times the least time of SDCA, with and without shrinking, SPDC and ASDCA in 56 of them, 1.4 to
2.4 times in three, and in the last one, hinge at lam = 1e-7, no method finished in the 3 seconds allowed.

These estimates can be far off on unusual problems: equal rows, columns far from centred or of different sizes, tiny
lam. The choice is therefore only the first one (``plan``): if it does not finish, another method takes a turn
(``turns``).

Newton's method, ASDCA and AFG are looked up in the registry. Methods that are not registered are not chosen.

Newton's method (L-BFGS with the factor of a sampled Hessian, or without it in high dimension) is chosen if its
estimated cost is the lowest. The unit of cost is one pass of SDCA over short rows; the estimates are for a relative gap
of 1e-6:

    Newton    c (E - 1/2 + M),  E = 3 + 1.5 log10(max(1, n K)) steps, c = 0.5 for dense rows and 0.7 for sparse ones,
              M the matrix and its factor (``newton.nanoseconds``) in steps; c (3 + 14 sqrt(K)) if it needs no matrix
    SDCA      5 + 6 K, and 1.5 times that for the logistic loss, whose steps take more logarithms than slopes; with the
              mean of the ||x_i||^2 for R^2, as measured on 49,749 x 300 and 49,990 x 22, whose rows differ in norm

Without a matrix 4 to 45 steps were measured (dense 6,000 x 2,000 and 3,000 x 2,000, K from 0.05 to 12).

With l1 or coefficients >= 0, Newton's method with coordinate descent (``l1-newton``) takes the place of Newton's
method in these estimates and below. Its matrix has the columns that a step at w = 0 changes. With as many columns as
rows or more it is the first choice where that matrix costs at most ``MODEL`` passes or a quarter of SDCA's.

The proximal Newton method takes about 30 + 10 log10(K) steps for the hinge and the absolute loss, K = R^2/(mu n), if
there are more rows than columns, and SDCA with shrinking 8 + 12 K passes: measured on generated data, lam
from 1e-2 to 1e-7. A step costs one and a half passes and a matrix of about 3 d rows (``proximal_cost``). Otherwise it
takes over from SDCA when that has had ``FIRST`` passes and is not about to end.

With as many columns as rows, or too many columns for a matrix, an evaluation of Newton's method takes about the time of
a pass of SDCA over sparse rows, and 0.6 times that over at least ``LARGE`` dense entries. It is the first choice for
dense rows of that size if n >= d or K <= 3, for sparse rows with n > 2 d and K > 10, and for the squared loss and K > 3
(sparse rows with n >= d: 10). Measured passes on generated text (n/d from 1.1 to 4, K from 1 to 1,000): Newton's method
with a diagonal 19 K^(1/4) to 15 sqrt(K), SDCA with shrinking 4 K^(2/3) to 3 K. Otherwise it takes over from SDCA when
that has had ``FIRST_WIDE`` passes, or 8 sqrt(K) for a loss whose slope has a kink and no matrix, and is not about to
end. Its proximal form does so after ``FIRST`` passes where the loss or its slope has a kink.

ASPDC took two to three times the passes of SDCA in permuted order where its condition K <= 1/4 is satisfied.
"""

import math
from typing import Any, NamedTuple, cast

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.rows import summed
from dualgap.fast.solver.memory import fits
from dualgap.reference import all_methods
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.weighted_problem import WeightedProblem

# SDCA is the fastest up to the first value of K, ASDCA up to the second, for more rows than columns.
ILL_CONDITIONED, VERY_ILL_CONDITIONED = 3, 100_000
# the same limit of SDCA for the squared loss and at least as many columns as rows; other losses have no such limit
ILL_CONDITIONED_WIDE = 1000
ILL_CONDITIONED_SPARSE = 10  # the same limit where Newton's method would use a diagonal
LARGE = 1_000_000  # dense entries from which an evaluation of Newton's method takes 0.6 times the time of a pass
MODEL = 15  # passes, the cost of a model of ``l1-newton`` up to which it comes first in that case, whatever K
FIRST_WIDE = 24  # passes of SDCA before Newton's method, for as many columns as rows or more, or no matrix
# ``plan``: minimum number of passes of a first turn; factor by which the first choice gets more passes than the others
# when Newton's method does not apply
FIRST, FAVOUR = 40, 4
ONE_THRESHOLD = ("quadratic", "non-negative")  # families of regularizers that SDCA takes in compiled code


class Choice(NamedTuple):
    """A method for ``solve``, its options, the order of its draws, and why."""

    method: str
    options: dict[str, Any]
    order: str
    reason: str


def choose(problem: Problem) -> Choice:
    """Return the method that is usually the fastest, given n, d, mu, gamma, R, the loss and the regularizer.

    >>> from dualgap.reference import ElasticNet, Logistic, Problem
    >>> problem = Problem([[1.0], [1.0]], [1, -1], Logistic(), ElasticNet(0.4, 0.1))
    >>> choose(problem.centred(0.1, [0.0])).reason
    'mean ||x_i||^2/(mu n gamma) = 0.25 <= 3: SDCA needs the fewest passes, and fewer in permuted order'
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
    if problem.regularizer.family not in ONE_THRESHOLD:
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
    if (second := second_order(problem)) is not None:
        return second
    method, why = by_condition(problem)
    if problem.regularizer.family == "non-negative":
        method, why = "sdca", "coefficients >= 0"
    if method != "sdca":
        return Choice(method, {}, "permuted", f"{why}: the passes of {method} grow like its square root only")
    if has_kink(problem.loss):
        reason = f"{why}: SDCA needs the fewest passes, and can leave out the rows that stay at an end of their domain"
        return Choice("sdca-shrinking", {}, "uniform", reason)
    return Choice("sdca", {}, "permuted", f"{why}: SDCA needs the fewest passes, and fewer in permuted order")


def plan(problem: Problem) -> list[tuple[Choice, float]]:
    """Return the choice of ``choose`` and the methods that take turns with it if it does not finish (``turns``), each
    with the number of passes of its first turn.

    Newton's method is never interrupted: its P decreases at every point, and a turn of another method would discard its
    w.

    >>> from dualgap.reference import L2, Hinge, Logistic, Problem
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0]], [1], Logistic(), L2(0.5)))]
    [('sdca', 24), ('newton', inf)]
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0], [1.0]], [1, -1], Hinge(), L2(0.5)))]
    [('sdca-shrinking', 40), ('proximal-newton', inf)]
    """
    if isinstance(problem, InterceptProblem):
        return with_intercept(problem)
    first, g = choose(problem), problem.regularizer
    if (
        isinstance(problem, BlockProblem)
        or isinstance(problem.X, MappedRows)
        or g.family not in ONE_THRESHOLD
        or (second := newton_of(problem)) is None
        and problem.gamma == 0
    ):
        return [(first, math.inf)]
    weighted, portion = isinstance(problem, WeightedProblem), float(FIRST)
    if second is not None:
        if first.method == second:
            return [(first, math.inf)]
        portion, others = before_second(problem, second), [second]
    else:
        others = ["afg"] if weighted or g.kappa > 0 or g.family != "quadratic" else ["asdca", "afg"]
    chosen = [
        first,
        *(
            Choice(name, {}, order_of(name), "")
            for name in others
            if name != first.method and name in kernels() and fits(problem, name)
        ),
    ]
    favour = 1 if second is not None else FAVOUR
    return [
        (choice, math.inf if choice.method == second else portion * (favour if choice is first else 1))
        for choice in chosen
    ]


def before_second(problem: Problem, second: str) -> float:
    """Return the passes of SDCA before that method."""
    if second != "newton" or tall(problem, second):
        return FIRST
    if has_kink(problem.loss) and all_methods()[second].matrix_numbers(problem) == 0:
        return max(FIRST_WIDE, math.ceil(8 * math.sqrt(condition(problem))))
    return FIRST_WIDE


def with_intercept(problem: InterceptProblem) -> list[tuple[Choice, float]]:
    """``plan`` for a free intercept: Newton's method in (w, b) or its proximal form (``newton_of``), AFG on
    min_b P(w, b) for other smooth P, else SDCA.
    """
    second = newton_of(problem)
    names = [
        *([second] if second else []),
        *(["lbfgs"] if curved(problem) else []),
        *(["afg"] if problem.gamma > 0 else []),
        "sdca",
    ]
    names = [name for name in names if name == "sdca" or name in kernels() and fits(problem, name)]
    why = {
        "newton": "Newton's method in (w, b)",
        "proximal-newton": "Newton's method in (w, b), for proximal steps of the dual",
        "lbfgs": "L-BFGS in (w, b), for a smooth P",
        "afg": "a method for min_b P(w, b), which is smooth",
        "sdca": "SDCA with a quadratic term for the intercept",
    }[names[0]]
    reason = f"free intercept, {problem.loss.name}: {why}"
    if names[0] == second:
        names = [names[0], "sdca"]  # which takes over if the first is slow or fails
    choices = [Choice(name, {}, order_of(name), reason) for name in names]
    return [(choice, FIRST * FAVOUR if len(choices) > 1 else math.inf) for choice in choices]


def order_of(name: str) -> str:
    """Return the order in which ``auto`` draws for that method."""
    return "permuted" if "permuted" in all_methods()[name].orders else "uniform"


WORDS = {
    "newton": "Newton's method",
    "proximal-newton": "the proximal Newton method",
    "l1-newton": "Newton's method with coordinate descent",
}


def newtonian(problem: Problem) -> bool:
    """Return whether Newton's method is registered and takes the problem."""
    return "newton" in kernels() and curved(problem)


def curved(problem: Problem) -> bool:
    """Return whether P is smooth and its curvature known: gamma > 0, phi'' known, no l1, no centre."""
    return smooth(problem) and plain(problem)


def smooth(problem: Problem) -> bool:
    """Return whether the loss is smooth and its curvature known: gamma > 0, phi'' known."""
    return bool(problem.gamma > 0 and type(problem.loss).curvature is not Loss.curvature)


def plain(problem: Problem) -> bool:
    """Return whether the regularizer is (lam/2)||w||^2."""
    g = problem.regularizer
    return g.family == "quadratic" and not g.l1 > 0 and g.centre is None


def matrix_cost(problem: Problem, name: str) -> float:
    """Return the cost, in passes, of the first matrix of that method and its factor, if it makes one soon."""
    newton = cast(Any, all_methods()[name])
    return float(newton.matrix_passes(problem, arrays(problem)))


def second_order(problem: Problem) -> Choice | None:
    """Return Newton's method or its proximal form if that is the fastest, or None."""
    name = newton_of(problem)
    if name is None or not fits(problem, name):
        return None
    K, ratio = condition(problem), "R^2/(mu n gamma)" if problem.gamma > 0 else "R^2/(mu n)"
    if not tall(problem, name):
        if name == "l1-newton":
            few = max(MODEL, 0.25 * coordinate_cost(K, problem.loss.name))
            suits, found = matrix_cost(problem, name) <= few, "few coefficients are not 0"
        else:
            suits, found = before_coordinates(problem, K)
            found = f"{ratio} = {K:.3g}{found}"
        return Choice(name, {}, "uniform", f"{found}: {WORDS[name]} needs a few evaluations") if suits else None
    newton, others = estimates(problem).values()
    if newton >= others:
        return None
    words = WORDS[name]
    why = (
        f"{ratio} = {K:.3g} and the rows are many: {words} is expected to take the time of"
        f" {newton:.2g} passes, coordinate methods {others:.2g}"
    )
    return Choice(name, {}, "uniform", why)


def before_coordinates(problem: Problem, K: float) -> tuple[bool, str]:
    """Return whether Newton's method comes before SDCA, for as many columns as rows or no matrix, and why."""
    if newton_of(problem) != "newton":
        return False, ""
    rows, more = arrays(problem), problem.n >= problem.d
    if not rows.sparse and rows.nnz >= LARGE and (more or K <= ILL_CONDITIONED):
        return True, f", {rows.nnz} dense entries" if more else f" <= {ILL_CONDITIONED}, {rows.nnz} dense entries"
    squared = problem.loss.name == "squared"
    limit = ILL_CONDITIONED_SPARSE if rows.sparse and more else ILL_CONDITIONED
    suits = K > limit and (squared or bool(rows.sparse) and problem.n > 2 * problem.d)
    return suits, f" > {limit}, squared loss" if squared else f" > {limit}, more than two sparse rows for each column"


def has_kink(loss: Loss) -> bool:
    """Return whether a step can reach an end of the domain, where alpha_i then stays."""
    return bool(loss.rational and loss.ends != (None, None))


def tall(problem: Problem, second: str) -> bool:
    """Return whether there are more rows than columns, and few enough columns for a matrix of that method."""
    return bool(problem.n > problem.d and all_methods()[second].matrix_numbers(problem) > 0)


def newton_of(problem: Problem) -> str | None:
    """Return the name of the second-order method that is registered and takes the problem, or None."""
    if problem.regularizer.l1 > 0 or problem.regularizer.family == "non-negative":
        takes = "l1-newton" in kernels() and smooth(problem) and not isinstance(problem, InterceptProblem)
        return "l1-newton" if takes and problem.regularizer.centre is None else None
    kinks = ("hinge", "absolute", *(("smoothed-hinge", "squared-hinge") if problem.n <= problem.d else ()))
    if problem.loss.name in kinks and "proximal-newton" in kernels() and plain(problem):
        if all_methods()["proximal-newton"].matrix_numbers(problem) > 0:
            return "proximal-newton"
    return "newton" if newtonian(problem) else None


def estimates(problem: Problem) -> dict[str, float]:
    """Return the estimated time to a relative gap of 1e-6, in passes of SDCA over short rows, of the second-order
    method and of coordinate methods. Needs ``newton_of`` and more rows than columns.
    """
    name, K, mean = newton_of(problem), condition(problem), mean_condition(problem)
    if name == "proximal-newton":
        return {name: proximal_cost(problem, K), "sdca": 8 + 12 * mean}
    assert name is not None
    step = 0.7 if arrays(problem).sparse else 0.5
    newton = newton_cost(K, problem.n, matrix_cost(problem, name), step)
    newton = min(newton, step * (3 + 14 * math.sqrt(K))) if name == "newton" else newton
    return {name: newton, "sdca": coordinate_cost(mean, problem.loss.name)}


def proximal_cost(problem: Problem, K: float) -> float:
    """Return the estimated time of the proximal Newton method, in passes of SDCA."""
    times = cast(Any, all_methods()["newton"]).times(problem, arrays(problem))
    matrix = times.rows * min(1.0, 3 * problem.d / problem.n) + times.factor
    return max(8.0, 30 + 10 * math.log10(K or 1e-9)) * (1.5 + float(matrix / times.step))


def for_weights(problem: Problem) -> Choice:
    """Choose a method for weighted rows: a second-order one if its estimate is lower, else SDCA."""
    if (second := second_order(problem)) is not None:
        return second._replace(reason=f"weighted rows, {second.reason}")
    return Choice(
        "sdca",
        {},
        "permuted",
        "weighted rows: SDCA is the coordinate method for them, with fewer passes in permuted order",
    )


def newton_cost(K: float, n: int, matrix: float, step: float) -> float:
    """Return the estimated passes of Newton's method to a relative gap of 1e-6; matrix in steps, step in passes.

    >>> newton_cost(0.01, 10_000, 0.5, 0.5)
    3.0
    """
    return step * (2.5 + 1.5 * math.log10(max(1.0, n * K)) + matrix)  # X w = 0 at the first point needs no row


def coordinate_cost(K: float, loss: str) -> float:
    """Return the estimated passes of SDCA to a relative gap of 1e-6.

    >>> coordinate_cost(0.5, "squared"), coordinate_cost(100.0, "squared"), coordinate_cost(100.0, "logistic")
    (8.0, 605.0, 907.5)
    """
    passes = 5 + 6 * K
    return 1.5 * passes if loss == "logistic" else passes


def condition(problem: Problem) -> float:
    """Return K, with 1 for gamma = 0."""
    return float(arrays(problem).R2 / (problem.scale * (problem.gamma or 1.0)))


def mean_condition(problem: Problem) -> float:
    """Return K with the mean of the ||x_i||^2 instead of their maximum."""
    norms2 = arrays(problem).norms2
    return float(summed(norms2) / norms2.size / (problem.scale * (problem.gamma or 1.0)))


def by_condition(problem: Problem) -> tuple[str, str]:
    """Return "sdca", "asdca" or "spdc", and the comparison that decides it."""
    if problem.gamma == 0:
        return "sdca", f"{problem.loss.name} is not smooth"
    K = mean_condition(problem)
    value, wide = f"mean ||x_i||^2/(mu n gamma) = {K:.3g}", problem.n <= problem.d
    if wide and problem.loss.name != "squared":
        return "sdca", f"d = {problem.d} >= n = {problem.n}"
    if K > ILL_CONDITIONED and newtonian(problem) and not tall(problem, "newton"):
        return "sdca", f"d = {problem.d} is too large for Newton's matrix, and L-BFGS comes second"
    limit = ILL_CONDITIONED_WIDE if wide else ILL_CONDITIONED
    if K <= limit:
        return "sdca", f"{value} <= {limit}"
    # ASDCA needs the proximal centre for itself
    if wide or K > VERY_ILL_CONDITIONED or problem.regularizer.kappa > 0 or "asdca" not in kernels():
        return "spdc", f"{value} > {limit if wide or K <= VERY_ILL_CONDITIONED else VERY_ILL_CONDITIONED}"
    return "asdca", f"{value} > {limit}"
