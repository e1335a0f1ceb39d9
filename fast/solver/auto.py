"""Choose what ``solve(method="auto")`` runs: ``choose`` takes the first row of ``TABLE`` that applies to the problem.

K = R^2/(mu n gamma), with 1 for gamma = 0. A cost is an estimated time to a relative gap of 1e-6; its unit is one pass
of SDCA over short rows. Each row names the paragraph of docs/speed.md, "How auto chooses", that has the measurements.

Estimates can be far off on unusual problems: equal rows, columns far from centred or of different sizes, tiny lam. So
the choice is only the first one (``plan``): if it does not finish, another method takes a turn (``turns``). Methods
that are not registered are not chosen.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from dualgap.fast.data.mapped_rows import MappedRows
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.losses import BUILT_IN
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
WELL_CONDITIONED = 0.005  # K of sparse rows and a loss without kinks, up to which a few gradients are enough
FEW_ROWS = 1000  # of the hinge, below which sdca-newton has the first turn whatever K is
LARGE = 1_000_000  # dense entries from which an evaluation of Newton's method takes 0.6 times the time of a pass
MODEL = 15  # passes, the cost of a model of ``l1-newton`` up to which it comes first in that case, whatever K
FIRST_WIDE = 24  # passes of SDCA before Newton's method, for as many columns as rows or more, or no matrix
# ``plan``: minimum number of passes of a first turn; factor by which the first choice gets more passes than the others
# when Newton's method does not apply
FIRST, FAVOUR = 40, 4
ONE_THRESHOLD = ("quadratic", "non-negative")  # families of regularizers that SDCA takes in compiled code


class Choice(NamedTuple):
    """A method for ``solve``, the order of its draws, and why."""

    method: str
    order: str
    reason: str


class Row(NamedTuple):
    """When ``auto`` takes a method."""

    kind: type[Problem]  # of the problems that the row is for
    method: str
    order: str
    why: Callable[[Problem], str]  # the reason, or "" where the row does not apply
    measured: str = ""  # a paragraph of docs/speed.md; "" where methods were not compared


def choose(problem: Problem) -> Choice:
    """Return the method that is usually the fastest, given n, d, mu, gamma, R, the loss and the regularizer.

    >>> from dualgap.reference import ElasticNet, Logistic, Problem
    >>> problem = Problem([[1.0], [1.0]], [1, -1], Logistic(), ElasticNet(0.4, 0.1))
    >>> choose(problem.centred(0.1, [0.0])).reason
    'mean ||x_i||^2/(mu n gamma) = 0.25 <= 3: SDCA needs the fewest passes, and fewer in permuted order'
    """
    return choices(problem, 1)[0]


def choices(problem: Problem, most: int) -> list[Choice]:
    """The first rows of ``TABLE`` that apply."""
    found: list[Choice] = []
    free = isinstance(problem, InterceptProblem)
    kind = BlockProblem if isinstance(problem, BlockProblem) else InterceptProblem if free else Problem
    for row in TABLE:
        if row.kind is kind and (why := row.why(problem)):
            found.append(Choice(row.method, row.order, why))
            if len(found) == most:
                break
    return found


def plan(problem: Problem) -> list[tuple[Choice, float]]:
    """Return the choice of ``choose`` and the methods that take turns with it if it does not finish (``turns``), each
    with the number of passes of its first turn.

    Newton's method is never interrupted: its P decreases at every point, and a turn of another method would discard its
    w. Only with a free intercept SDCA takes over from it, where it is slow or fails.

    >>> from dualgap.reference import L2, Hinge, Logistic, Problem
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0]], [1], Logistic(), L2(0.5)))]
    [('sdca-newton', 24), ('newton', inf)]
    >>> [(choice.method, passes) for choice, passes in plan(Problem([[1.0], [1.0]], [1, -1], Hinge(), L2(0.5)))]
    [('sdca-newton', 40), ('proximal-newton', inf)]
    """
    if isinstance(problem, InterceptProblem):
        found = choices(problem, len(TABLE))
        found = [found[0], found[-1]] if found[0].method == newton_of(problem) else found
        return [(choice, FIRST * FAVOUR if len(found) > 1 else math.inf) for choice in found]
    first, g = choose(problem), problem.regularizer
    if isinstance(problem, BlockProblem) or isinstance(problem.X, MappedRows) or g.family not in ONE_THRESHOLD:
        return [(first, math.inf)]
    second = newton_of(problem)
    if second == first.method or second is None and problem.gamma == 0:
        return [(first, math.inf)]
    others = [second] if second else ["asdca", "afg"]
    if second is None and (isinstance(problem, WeightedProblem) or g.kappa > 0 or g.family != "quadratic"):
        others = ["afg"]
    others = [name for name in others if name != first.method and name in kernels() and fits(problem, name)]
    passes = before_second(problem, second) if second else float(FIRST)
    turns: list[tuple[Choice, float]] = [(first, passes if second else FAVOUR * passes)]
    return turns + [(Choice(name, order_of(name), ""), math.inf if second else passes) for name in others]


def before_second(problem: Problem, second: str) -> float:
    """Return the passes of SDCA before that method."""
    if second != "newton" or tall(problem, second) or problem.loss.name == "squared" and arrays(problem).sparse:
        return FIRST if problem.n > problem.d else 2 * FIRST
    if has_kink(problem.loss) and all_methods()[second].matrix_numbers(problem) == 0:
        return max(FIRST_WIDE, math.ceil(8 * math.sqrt(condition(problem))))
    return FIRST_WIDE


def order_of(name: str) -> str:
    """Return the order in which ``auto`` draws for that method."""
    return "permuted" if "permuted" in all_methods()[name].orders else "uniform"


# -- what a problem is -------------------------------------------------------------------------------------------------


def condition(problem: Problem) -> float:
    """Return K, with 1 for gamma = 0."""
    return float(arrays(problem).R2 / (problem.scale * (problem.gamma or 1.0)))


def mean_condition(problem: Problem) -> float:
    """Return K with the mean of the ||x_i||^2 instead of their maximum."""
    norms2 = arrays(problem).norms2
    return float(summed(norms2) / norms2.size / (problem.scale * (problem.gamma or 1.0)))


def smooth(problem: Problem) -> bool:
    """Return whether the loss is smooth and its curvature known: gamma > 0, phi'' known."""
    return bool(problem.gamma > 0 and type(problem.loss).curvature is not Loss.curvature)


def plain(problem: Problem) -> bool:
    """Return whether the regularizer is (lam/2)||w||^2."""
    g = problem.regularizer
    return g.family == "quadratic" and not g.l1 > 0 and g.centre is None


def has_kink(loss: Loss) -> bool:
    """Return whether a step can reach an end of the domain, where alpha_i then stays."""
    return bool(loss.rational and loss.ends != (None, None))


def few_with_hinge(problem: Problem) -> bool:
    """Return whether sdca-newton has the first turn whatever K is."""
    return problem.loss.name == "hinge" and problem.n < FEW_ROWS and "sdca-newton" in kernels()


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
    return "newton" if "newton" in kernels() and smooth(problem) and plain(problem) else None


# -- what a method costs -----------------------------------------------------------------------------------------------


def estimates(problem: Problem) -> dict[str, float]:
    """Return the costs of the second-order method and of coordinate methods. Needs ``newton_of`` and more rows than
    columns.
    """
    name, K, mean = newton_of(problem), condition(problem), mean_condition(problem)
    if name == "proximal-newton":
        return {name: proximal_cost(problem, K), "sdca": sweeps_cost(problem, mean)}
    assert name is not None
    step = 0.7 if arrays(problem).sparse else 0.5
    newton = newton_cost(K, problem.n, matrix_cost(problem, name), step)
    newton = min(newton, step * (3 + 14 * math.sqrt(K))) if name == "newton" else newton
    return {name: newton, "sdca": coordinate_cost(mean, problem.loss.name)}


def newton_cost(K: float, n: int, matrix: float, step: float) -> float:
    """Return the cost of Newton's method; matrix in steps, step in passes.

    >>> newton_cost(0.01, 10_000, 0.5, 0.5)
    3.0
    """
    return step * (2.5 + 1.5 * math.log10(max(1.0, n * K)) + matrix)  # X w = 0 at the first point needs no row


def matrix_cost(problem: Problem, name: str) -> float:
    """Return the cost, in passes, of the first matrix of that method and its factor, if it makes one soon."""
    return float(cast(Any, all_methods()[name]).matrix_passes(problem, arrays(problem)))


def proximal_cost(problem: Problem, K: float) -> float:
    """Return the cost of the proximal Newton method."""
    times = cast(Any, all_methods()["newton"]).times(problem, arrays(problem))
    matrix = times.rows * min(1.0, 3 * problem.d / problem.n) + times.factor
    return max(8.0, 30 + 10 * math.log10(K or 1e-9)) * (1.5 + float(matrix / times.twice))


def sweeps_cost(problem: Problem, K: float) -> float:
    """Return the cost of ``sdca-newton``, in steps of the other method, which take 50 us more than their sums."""
    if "sdca-newton" not in kernels():
        return 8 + 12 * K
    step = cast(Any, all_methods()["newton"]).times(problem, arrays(problem)).twice
    return float((8 + 12 * K**0.6) * (1 - 50e3 / step))


def coordinate_cost(K: float, loss: str) -> float:
    """Return the cost of SDCA for a smooth loss.

    >>> coordinate_cost(0.5, "squared"), coordinate_cost(100.0, "squared"), coordinate_cost(100.0, "logistic")
    (8.0, 605.0, 907.5)
    """
    passes = 5 + 6 * K
    return 1.5 * passes if loss == "logistic" else passes


# -- conditions of the rows: the reason where they hold, else "" -------------------------------------------------------


def with_intercept(method: str, words: str) -> Callable[[Problem], str]:
    """A free intercept, and a method that takes the problem."""

    def why(problem: Problem) -> str:
        takes = {
            "lbfgs": lambda: smooth(problem) and plain(problem),
            "afg": lambda: problem.gamma > 0,
            "sdca": lambda: True,
        }.get(method, lambda: newton_of(problem) == method)
        usable = method == "sdca" or method in kernels() and fits(problem, method)
        return f"free intercept, {problem.loss.name}: {words}" if takes() and usable else ""

    return why


def second_order(method: str, words: str) -> Callable[[Problem], str]:
    """The second-order method of the problem comes before coordinate methods."""

    def why(problem: Problem) -> str:
        if newton_of(problem) != method or few_with_hinge(problem) or not fits(problem, method):
            return ""
        ratio = f"R^2/(mu n{' gamma' if problem.gamma > 0 else ''}) = {condition(problem):.3g}"
        told = (
            cheaper(problem, ratio, words) if tall(problem, method) else few_evaluations(problem, method, ratio, words)
        )
        return f"weighted rows, {told}" if told and isinstance(problem, WeightedProblem) else told

    return why


def few_numbers(method: str) -> Callable[[Problem], str]:
    """Newton's method takes a few milliseconds."""

    def why(problem: Problem) -> str:
        n, d = problem.n, problem.d
        if plain(problem) != (method == "newton") or n * d > LARGE or isinstance(problem.X, MappedRows):
            return ""
        takes = smooth(problem) and method in kernels() if method == "newton" else newton_of(problem) == method
        newton: Any = all_methods()["newton"] if takes else None
        if newton is None or not newton.few_numbers(problem, arrays(problem)):
            return ""
        weights = "weighted rows, " if isinstance(problem, WeightedProblem) else ""
        return f"{weights}{n} dense rows of {d} numbers: Newton's method makes all steps in one call"

    return why


def cheaper(problem: Problem, ratio: str, words: str) -> str:
    """Return whether, with more rows than columns, the cost is lower than that of coordinate methods."""
    second, others = estimates(problem).values()
    if second >= others:
        return ""
    expected = f"{words} is expected to take the time of {second:.2g} passes, coordinate methods {others:.2g}"
    return f"{ratio} and the rows are many: {expected}"


def few_evaluations(problem: Problem, method: str, ratio: str, words: str) -> str:
    """Return the condition for as many columns as rows, or no matrix."""
    rows, more, K = arrays(problem), problem.n >= problem.d, condition(problem)
    squared, holds, compared = problem.loss.name == "squared", False, ""
    if method == "l1-newton":
        holds = matrix_cost(problem, method) <= max(MODEL, 0.25 * coordinate_cost(K, problem.loss.name))
        ratio = "few coefficients are not 0"
    elif method == "newton" and not rows.sparse and rows.nnz >= LARGE and (more or K <= ILL_CONDITIONED):
        holds, compared = True, f"{'' if more else f' <= {ILL_CONDITIONED}'}, {rows.nnz} dense entries"
    elif method == "newton" and rows.sparse and not has_kink(problem.loss) and problem.n > problem.d:
        holds, compared = True, ", fewer columns than sparse rows"
    elif method == "newton" and rows.sparse and not has_kink(problem.loss) and K <= WELL_CONDITIONED:
        holds, compared = True, f" <= {WELL_CONDITIONED}, sparse rows"
    elif method == "newton":
        limit = ILL_CONDITIONED_SPARSE if rows.sparse and more else ILL_CONDITIONED
        few = squared and not (rows.sparse and not more and sweeps_in_one_call(problem))
        holds = K > limit and (few or bool(rows.sparse) and problem.n > 2 * problem.d)
        compared = f" > {limit}, {'squared loss' if squared else 'more than two sparse rows for each column'}"
    return f"{ratio}{compared}: {words} needs a few evaluations" if holds else ""


def beyond_sdca(problem: Problem) -> tuple[float, str]:
    """The limit beyond which the mean K slows SDCA down so much that another coordinate method is faster, or 0; and the
    comparison that decides.
    """
    if problem.regularizer.family == "non-negative":
        return 0, "coefficients >= 0"
    if problem.gamma == 0:
        return 0, f"{problem.loss.name} is not smooth"
    wide, K = problem.n <= problem.d, mean_condition(problem)
    if wide and problem.loss.name != "squared":
        return 0, f"d = {problem.d} >= n = {problem.n}"
    lbfgs = "newton" in kernels() and smooth(problem) and plain(problem) and not tall(problem, "newton")
    if K > ILL_CONDITIONED and lbfgs:
        return 0, f"d = {problem.d} is too large for Newton's matrix, and L-BFGS comes second"
    limit = ILL_CONDITIONED_WIDE if wide else ILL_CONDITIONED
    if K > VERY_ILL_CONDITIONED and not wide:
        limit = VERY_ILL_CONDITIONED
    value = f"mean ||x_i||^2/(mu n gamma) = {K:.3g}"
    return (limit, f"{value} > {limit}") if K > limit else (0, f"{value} <= {limit}")


def accelerated(method: str) -> Callable[[Problem], str]:
    """K is beyond the limit of SDCA; ASDCA needs the proximal centre for itself, and SPDC takes what is left."""

    def why(problem: Problem) -> str:
        limit, compared = beyond_sdca(problem)
        asdca = limit == ILL_CONDITIONED and problem.regularizer.kappa == 0 and "asdca" in kernels()
        applies = limit > 0 and asdca == (method == "asdca")
        return f"{compared}: the passes of {method} grow like its square root only" if applies else ""

    return why


def sweeps_in_one_call(problem: Problem) -> bool:
    """Return whether sdca-newton takes the place of SDCA: for losses with kinks, or no more rows than columns."""
    own = "sdca-newton" in kernels() and type(problem.loss) in BUILT_IN
    return own and (has_kink(problem.loss) or problem.n <= problem.d and plain(problem))


def fewest(method: str, more: str) -> Callable[[Problem], str]:
    """SDCA needs the fewest passes; with shrinking where a step can reach an end of the domain."""

    def why(problem: Problem) -> str:
        shrinks = method == "sdca-shrinking" and has_kink(problem.loss)
        applies = shrinks or method == "sdca" or method == "sdca-newton" and sweeps_in_one_call(problem)
        return f"{beyond_sdca(problem)[1]}: SDCA needs the fewest passes, and {more}" if applies else ""

    return why


def regularizer_alone(problem: Problem) -> str:
    """A regularizer of the user."""
    general = problem.regularizer.family == "general"
    words = "SDCA takes every strongly convex regularizer, with backend reference"
    return f"{problem.regularizer!r}: {words}" if general else ""


def not_quadratic(problem: Problem) -> str:
    """A regularizer that coordinate methods do not take."""
    other = problem.regularizer.family not in ONE_THRESHOLD
    return f"{problem.regularizer!r}: PGS is the method for regularizers that are not quadratic" if other else ""


def on_disk(problem: Problem) -> str:
    """Rows in a mapped folder."""
    words = "the rows lie on disk: SDCA reads them in shuffled blocks, as fast as the disk gives them"
    mapped = isinstance(problem.X, MappedRows) and problem.regularizer.family in ONE_THRESHOLD
    return words if mapped and not isinstance(problem, WeightedProblem) else ""


def with_weights(method: str, more: str) -> Callable[[Problem], str]:
    """Weighted rows."""

    def why(problem: Problem) -> str:
        takes = isinstance(problem, WeightedProblem) and (method == "sdca" or sweeps_in_one_call(problem))
        return f"weighted rows: SDCA is the coordinate method for them, {more}" if takes else ""

    return why


COORDINATES, SECOND_ORDER, KINKS = (
    "Coordinate methods",
    "Newton's method",
    "Hinge and absolute loss",
)  # in docs/speed.md
TABLE = (
    Row(BlockProblem, "adaspdc-r", "uniform", lambda _: "block duals: the repaired AdaSPDC converges on all of them"),
    *(
        Row(InterceptProblem, method, "permuted" if method == "sdca" else "uniform", with_intercept(method, words))
        for method, words in (
            ("newton", "Newton's method in (w, b)"),
            ("proximal-newton", "Newton's method in (w, b), for proximal steps of the dual"),
            ("lbfgs", "L-BFGS in (w, b), for a smooth P"),
            ("afg", "a method for min_b P(w, b), which is smooth"),
            ("sdca", "SDCA with a quadratic term for the intercept"),
        )
    ),
    Row(Problem, "newton", "uniform", few_numbers("newton"), SECOND_ORDER),
    Row(Problem, "l1-newton", "uniform", few_numbers("l1-newton"), SECOND_ORDER),
    Row(Problem, "sdca", "blocks", on_disk),
    *(
        Row(Problem, method, "uniform", second_order(method, words), measured)
        for method, words, measured in (
            ("newton", "Newton's method", SECOND_ORDER),
            ("l1-newton", "Newton's method with coordinate descent", SECOND_ORDER),
            ("proximal-newton", "the proximal Newton method", KINKS),
        )
    ),
    Row(Problem, "sdca-newton", "uniform", with_weights("sdca-newton", "and one call makes many passes")),
    Row(Problem, "sdca", "permuted", with_weights("sdca", "with fewer passes in permuted order")),
    Row(Problem, "sdca", "permuted", regularizer_alone),
    Row(Problem, "pgs", "uniform", not_quadratic),
    Row(Problem, "asdca", "permuted", accelerated("asdca"), COORDINATES),
    Row(Problem, "spdc", "permuted", accelerated("spdc"), COORDINATES),
    *(
        Row(Problem, method, order, fewest(method, more), COORDINATES)
        for method, order, more in (
            ("sdca-newton", "uniform", "one call makes many, with Newton's method for losses with kinks"),
            ("sdca-shrinking", "uniform", "can leave out the rows that stay at an end of their domain"),
            ("sdca", "permuted", "fewer in permuted order"),
        )
    ),
)
