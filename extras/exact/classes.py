"""Interpolation conditions of classes of functions and operators, written down once from the literature, in exact
form.

PEPit's conditions are compared with these before they count as facts, so a wrong condition in PEPit is found and not
proved. A function has ``list_of_points`` with triples (x, g, v): point, (sub)gradient or value of the operator,
function value. ``*`` of two points is their inner product. Sources: Taylor, Hendrickx and Glineur, Mathematical
Programming 161 (2017), theorems 4 and 6, and SIAM Journal on Optimization 27 (2017), theorems 3.5 to 3.12; Bousselmi,
Hendrickx and Glineur, SIAM Journal on Optimization 34 (2024), for linear operators and quadratics; Ryu, Taylor,
Bergeling and Giselsson, SIAM Journal on Optimization 30 (2020), for operators; Guille-Escuret et al., AISTATS 2021
(RSI and EB); Goujon, Taylor and Dieuleveut, SIAM Journal on Optimization 34 (2024), for quadratic growth.
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

from dualgap.extras.exact.facts import Terms, terms_of

Condition = tuple[str, Any]  # (">=", e): e >= 0; ("==", e): e = 0; ("psd", rows): a symmetric semidefinite matrix
Conditions = Callable[[Any], Iterator[Condition]]


def _pairs(f: Any, second: Any = None) -> Iterator[tuple[Any, ...]]:
    """Yield (x, g, v, y, h, w) for ordered pairs of different points of f, or of f and a second list."""
    if second is None:
        yield from ((*p, *q) for p, q in permutations(f.list_of_points, 2))
    else:
        yield from ((*p, *q) for p in f.list_of_points for q in second if p is not q)


def _strongly_convex(f: Any, mu: Any = 0) -> Iterator[Condition]:
    for x, _, v, y, h, w in _pairs(f):
        yield ">=", v - w - h * (x - y) - mu / 2 * (x - y) ** 2


def _smooth(f: Any, mu: Any, L: Any) -> Iterator[Condition]:
    """mu-strongly convex (mu < 0: weakly convex) and L-smooth."""
    for x, g, v, y, h, w in _pairs(f):
        gap = (g - h) ** 2 / L + mu * (x - y) ** 2 - 2 * mu / L * ((g - h) * (x - y))
        yield ">=", v - w - h * (x - y) - gap / (2 * (1 - mu / L))


def _lipschitz(f: Any, M: Any) -> Iterator[Condition]:
    for _, g, _ in f.list_of_points:
        yield ">=", M**2 - g**2


def _convex_lipschitz(f: Any) -> Iterator[Condition]:
    yield from _strongly_convex(f)
    yield from _lipschitz(f, f.M)


def _smooth_convex_lipschitz(f: Any) -> Iterator[Condition]:
    yield from _smooth(f, 0, f.L)
    yield from _lipschitz(f, f.M)


def _indicator(f: Any) -> Iterator[Condition]:
    for x, _, v in f.list_of_points:
        yield "==", v
        if f.R != float("inf"):
            yield ">=", f.R**2 - (x - f.center) ** 2
    for x, _, _, y, h, _ in _pairs(f):
        yield ">=", -h * (x - y)
        if f.D != float("inf"):
            yield ">=", f.D**2 - (x - y) ** 2


def _support(f: Any) -> Iterator[Condition]:
    for x, g, v in f.list_of_points:
        yield "==", g * x - v
        if f.M != float("inf"):
            yield ">=", f.M**2 - g**2
    for _, g, _, y, h, _ in _pairs(f):
        yield ">=", -(y * (g - h))


def _quadratic_growth(f: Any) -> Iterator[Condition]:
    yield from _strongly_convex(f)
    for y, h, w, x, _, v in _pairs(f, f.list_of_stationary_points):
        yield ">=", v - w - h * (x - y) - h**2 / (2 * f.L)


def _rsi_eb(f: Any) -> Iterator[Condition]:
    for x, g, _, y, h, _ in _pairs(f, f.list_of_stationary_points):
        yield ">=", (g - h) * (x - y) - f.mu * (x - y) ** 2
        yield ">=", f.L**2 * (x - y) ** 2 - (g - h) ** 2


def _quadratic(f: Any) -> Iterator[Condition]:
    """f = f* + (1/2)(x - x*)^T A (x - x*), mu I <= A <= L I."""
    xs, _, fs = f.list_of_stationary_points[0]
    for x, g, v in f.list_of_points:
        yield "==", v - fs - g * (x - xs) / 2
    for x, g, _, y, h, _ in _pairs(f):
        yield "==", (x - xs) * h - (y - xs) * g
    yield (
        "psd",
        [
            [(f.L + f.mu) * (g * (y - xs)) - g * h - f.mu * f.L * ((x - xs) * (y - xs)) for y, h, _ in f.list_of_points]
            for x, g, _ in f.list_of_points
        ],
    )


def _monotone(f: Any, mu: Any = 0, beta: Any = 0) -> Iterator[Condition]:
    """mu-strongly monotone, beta-cocoercive (beta < 0: comonotone)."""
    for x, g, _, y, h, _ in _pairs(f):
        yield ">=", (g - h) * (x - y) - mu * (x - y) ** 2 - beta * (g - h) ** 2


def _lipschitz_operator(f: Any, L: Any) -> Iterator[Condition]:
    for x, g, _, y, h, _ in _pairs(f):
        yield ">=", L**2 * (x - y) ** 2 - (g - h) ** 2


def _both(*parts: Conditions) -> Conditions:
    return lambda f: (condition for part in parts for condition in part(f))


def _linear(f: Any) -> Iterator[Condition]:
    """y = M x at the points of f, v = M^T u at those of its transpose, ||M|| <= L."""
    for x, y, _ in f.list_of_points:
        for u, v, _ in f.T.list_of_points:
            yield "==", x * v - y * u
    for points in (f.list_of_points, f.T.list_of_points):
        yield "psd", [[f.L**2 * (x * u) - y * v for u, v, _ in points] for x, y, _ in points]


def _skew(f: Any) -> Iterator[Condition]:
    for x, g, _ in f.list_of_points:
        yield "==", x * g
    for x, g, _, y, h, _ in _pairs(f):
        yield "==", x * h + y * g
    yield "psd", [[f.L**2 * (x * y) - g * h for y, h, _ in f.list_of_points] for x, g, _ in f.list_of_points]


def _symmetric(f: Any) -> Iterator[Condition]:
    for x, g, _, y, h, _ in _pairs(f):
        yield "==", x * h - y * g
    yield "psd", [[(g - f.mu * x) * (f.L * y - h) for y, h, _ in f.list_of_points] for x, g, _ in f.list_of_points]


def _nonexpansive(f: Any) -> Iterator[Condition]:
    """||x - Tx|| is at least ||v||, and v is the shortest vector of the closure of the range of I - T, if v is
    given."""
    yield from _lipschitz_operator(f, 1)
    for x, g, _ in f.list_of_points if f.v is not None else ():
        yield ">=", (x - g - f.v) * f.v


def _block_smooth(f: Any) -> Iterator[Condition]:
    """Convex, and L_k-smooth in each block k of coordinates."""
    for x, g, v, y, h, w in _pairs(f):
        for k in range(f.partition.get_nb_blocks()):
            difference = f.partition.get_block(g, k) - f.partition.get_block(h, k)
            yield ">=", v - w - h * (x - y) - difference**2 / (2 * f.L[k])


CLASSES: dict[str, Conditions] = {
    "ConvexFunction": _strongly_convex,
    "StronglyConvexFunction": lambda f: _strongly_convex(f, f.mu),
    "SmoothConvexFunction": lambda f: _smooth(f, 0, f.L),
    "SmoothStronglyConvexFunction": lambda f: _smooth(f, f.mu, f.L),
    "SmoothFunction": lambda f: _smooth(f, -f.L, f.L),
    "ConvexLipschitzFunction": _convex_lipschitz,
    "SmoothConvexLipschitzFunction": _smooth_convex_lipschitz,
    "ConvexIndicatorFunction": _indicator,
    "ConvexSupportFunction": _support,
    "BlockSmoothConvexFunctionCheap": _block_smooth,
    "ConvexQGFunction": _quadratic_growth,
    "RsiEbFunction": _rsi_eb,
    "SmoothStronglyConvexQuadraticFunction": _quadratic,
    "MonotoneOperator": _monotone,
    "StronglyMonotoneOperator": lambda f: _monotone(f, mu=f.mu),
    "CocoerciveOperator": lambda f: _monotone(f, beta=f.beta),
    "NegativelyComonotoneOperator": lambda f: _monotone(f, beta=-f.rho),
    "CocoerciveStronglyMonotoneOperatorCheap": _both(
        lambda f: _monotone(f, beta=f.beta), lambda f: _monotone(f, mu=f.mu)
    ),
    "LipschitzOperator": lambda f: _lipschitz_operator(f, f.L),
    "LipschitzStronglyMonotoneOperatorCheap": _both(
        lambda f: _monotone(f, mu=f.mu), lambda f: _lipschitz_operator(f, f.L)
    ),
    "NonexpansiveOperator": _nonexpansive,
    "LinearOperator": _linear,
    "SkewSymmetricLinearOperator": _skew,
    "SymmetricLinearOperator": _symmetric,
}


def doubts(problem: Any, root: int | None = None) -> tuple[list[str], list[str]]:
    """Compare the conditions of a prepared ``PEPit.PEP`` with ours, in Q(sqrt(root)) or with roots rounded.

    Returns (wrong, unchecked): PEPit's conditions that are not among ours, by name; and classes that we do not have.
    """
    wrong, unchecked = [], []
    for function in problem.list_of_functions:
        used = [*function.list_of_class_constraints, *function.list_of_class_psd]
        if not used:
            continue
        name = type(function).__name__
        conditions = CLASSES.get(name)
        if conditions is None:
            unchecked.append(name)
            continue
        ours = {_normal(kind, what, root) for kind, what in conditions(function)}
        for constraint in used:
            if _of_pepit(constraint, root) not in ours:
                wrong.append(constraint.get_name() or f"a condition of {name}")
    return wrong, sorted(set(unchecked))


def _of_pepit(constraint: Any, root: int | None) -> Any:
    """Return the normal form of one of PEPit's conditions."""
    if not hasattr(constraint, "equality_or_inequality"):
        size = range(constraint.shape[0])
        return _normal("psd", [[constraint[i, j] for j in size] for i in size], root)
    kind = ">=" if constraint.equality_or_inequality == "inequality" else "=="
    return _normal(kind, -constraint.expression, root)


def _normal(kind: str, what: Any, root: int | None) -> Any:
    """Return a form that is equal for equal conditions: divided by the size of the first coefficient."""
    if kind == "psd":
        rows = [[_terms(entry, root) for entry in row] for row in what]
        first = next((abs(c) for row in rows for terms in row for _, c in sorted(terms.items())), 1)
        return kind, tuple(tuple(frozenset((k, c / first) for k, c in t.items()) for t in row) for row in rows)
    terms = sorted(_terms(what, root).items())
    first = (abs(terms[0][1]) if kind == ">=" else terms[0][1]) if terms else 1
    return kind, frozenset((key, c / first) for key, c in terms)


def _terms(expression: Any, root: int | None) -> Terms:
    return {} if isinstance(expression, (int, float)) else terms_of(expression, root=root)
