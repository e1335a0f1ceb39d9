"""Exact proofs of the Lyapunov inequalities that AutoLyap searches for in floats: ``prove_lyapunov``.

AutoLyap (https://autolyap.github.io) describes an algorithm by x+ = A x + B u, y = C x + D u with u_ij a subgradient,
or a value of the operator, of component i at y_ij, and a class by quadratic inequalities. Its objects are taken
unchanged. V(k) is a quadratic form Q in x_k, the u of iterations k .. k + h, the u* of all components but the last,
and y*, plus a linear form q in function values. R(k) is the same over k .. k + h + alpha + 1. To be proved:

    C1  V(k + alpha + 1) <= rho V(k) - R(k)        C2  V(k) >= lower(k)
    C3  R(k) >= residual(k)                        C4  R(k + 1) <= R(k)

Without C4, R is ``residual``: the facts of C3 are among those of C1, so no other R proves more.
"""

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from types import SimpleNamespace
from typing import Any

from dualgap.extras.exact import classes
from dualgap.extras.exact.check_proof import check
from dualgap.extras.exact.cone import ONE, Form, Point, add_to
from dualgap.extras.exact.floats import one_thread
from dualgap.extras.exact.optimum import feasible
from dualgap.extras.exact.rationals import ROUNDED, fraction_of
from dualgap.extras.exact.record import PROVED, plain
from dualgap.extras.exact.roots import Number, Root, square_root
from dualgap.extras.sharpen.propose import Program
from dualgap.extras.sharpen.quantities import Derived
from dualgap.extras.sharpen.symbols import Expr, Vec
from dualgap.extras.sharpen.world import Facts
from dualgap.proofs_checks.claims.strict_json import Json

NOTHING, INF, TRIES = Expr({}), float("inf"), 3  # TRIES: short fractions near the end of a bisection
FIELD: set[int] = set()  # the d of the square roots of the algorithm at hand
NAMES = {
    "MaximallyMonotone": "MonotoneOperator",
    "StronglyMonotone": "StronglyMonotoneOperator",
    "Cocoercive": "CocoerciveOperator",
    "LipschitzOperator": "LipschitzOperator",
    "IndicatorFunctionOfClosedConvexSet": "ConvexIndicatorFunction",
    "SupportFunctionOfClosedConvexSet": "ConvexSupportFunction",
}


class _Exact(Fraction):
    """A Fraction that stays exact next to floats and in ``np.sqrt``."""

    def sqrt(self) -> Number:
        """Return the root, which numpy asks for."""
        root = square_root(Fraction(self)) if self >= 0 else None
        FIELD.update([root.d] if isinstance(root, Root) else [])
        if root is None or len(FIELD) > 1:
            raise ValueError(f"sqrt({self}) is not in the field Q(sqrt d) of the other numbers; give other parameters")
        return root if isinstance(root, Root) else _Exact(root)


def _operation(name: str) -> Callable[..., Any]:
    operation = getattr(Fraction, name)

    def method(self: _Exact, *others: Any) -> Any:
        result = operation(self, *(fraction_of(x) if isinstance(x, float) else x for x in others))
        return _Exact(result) if isinstance(result, Fraction) else result

    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "neg"):
    setattr(_Exact, f"__{_name}__", _operation(f"__{_name}__"))


def _exact(thing: Any) -> Any:
    """Return a copy of an object of AutoLyap with a Fraction in place of each float."""
    found = copy.copy(thing)
    for name, value in vars(thing).items():
        q = value if isinstance(value, Fraction) else fraction_of(value) if isinstance(value, float) else None
        if q is not None:
            found.__dict__[name] = _Exact(q)
    return found


def _rows(matrix: Any) -> list[list[Number]]:
    return [[x if isinstance(x, (Root, Fraction)) else fraction_of(x) for x in row] for row in matrix.tolist()]


def _system(algorithm: Any, last: int) -> list[list[list[Number]]]:
    """Return A, B, C, D. Raises ValueError if they change from iteration to iteration."""
    for one in (_exact(algorithm), algorithm):
        try:
            found = [list(map(_rows, one.get_ABCD(k))) for k in range(last + 1)]
            break
        except (AttributeError, TypeError):  # it computes something for which numpy needs floats
            if one is algorithm:
                raise
    if any(matrices != found[0] for matrices in found):
        raise ValueError(f"the matrices of {type(algorithm).__name__} change with k; give one with constant matrices")
    return found[0]


class Run:
    """Iterations 0 .. ``last`` of an algorithm on an unknown problem.

    Attributes
    ----------
    x : of each iteration up to ``last`` + 1, the vectors of the state.
    y, u, f : of each iteration and each component, one entry per evaluation; the f of an operator are 0.
    y_star, u_star, f_star : the solution; u_star and f_star have one entry per component.
    """

    def __init__(self, problem: Any, algorithm: Any, last: int) -> None:
        self.facts: Facts = {"space": [], "inequalities": [], "equalities": [], "matrices": []}
        self.names: dict[str, list[str]] = {"inequalities": [], "equalities": []}
        self.unchecked: set[str] = set()
        self.values = 0
        A, B, C, D = _system(algorithm, last)
        self.sizes, self.functions = list(algorithm.m_bar_is), [i - 1 for i in algorithm.I_func]
        self.x, flat = [self._vectors(len(A))], [self._vectors(len(C)) for _ in range(last + 1)]
        self.y, self.u, self.f = [], [self._split(u) for u in flat], []
        for x, u in zip(self.x, flat):  # self.x grows on the way
            self.y.append(self._split([_sum(c, x) + _sum(d, u) for c, d in zip(C, D)]))
            self.f.append([[self._value(i) for _ in range(size)] for i, size in enumerate(self.sizes)])
            self.x += [[_sum(a, x) + _sum(b, u) for a, b in zip(A, B)]]
        *free, self.y_star = self._vectors(len(self.sizes))
        self.u_star = [*free, _sum([Fraction(-1)] * len(free), free)]
        self.f_star = [self._value(i) for i in range(len(self.sizes))]
        for i in range(len(self.sizes)):
            for condition in problem.components[i + 1]:
                self._add_facts(i, _exact(condition))

    def _vectors(self, count: int) -> list[Vec]:
        self.facts["space"] += ["H"] * count
        end = len(self.facts["space"])
        return [Vec({j: 1}, "H") for j in range(end - count, end)]

    def _value(self, i: int) -> Expr:
        self.values += i in self.functions
        return Expr({("F", self.values - 1): 1}) if i in self.functions else NOTHING

    def _split(self, flat: list[Vec]) -> list[list[Vec]]:
        rest = iter(flat)
        return [[next(rest) for _ in range(size)] for size in self.sizes]

    def _add_facts(self, i: int, condition: Any) -> None:
        """Add what a class says about component i. Raises ValueError if AutoLyap differs from the literature."""
        name, own = type(condition).__name__, getattr(condition, "_compute_interpolation_data", None)
        points = [point for ys, us, fs in zip(self.y, self.u, self.f) for point in zip(ys[i], us[i], fs[i])]
        points.append((self.y_star, self.u_star[i], self.f_star[i]))
        known = _literature(condition, points)
        self.unchecked |= {name} if known is None else set()
        for M, *a, indices in [own(condition.mu, condition.L)] if own else condition.get_data():
            weights, equal = (a[0].tolist(), a[1]) if a else ([0] * len(M), False)
            kind = "equalities" if equal else "inequalities"
            for chosen in _patterns(str(indices), range(len(points))):
                z = [points[p][s] for s in (0, 1) for p in chosen]
                fact = -sum((points[p][2] * fraction_of(c) for c, p in zip(weights, chosen)), NOTHING)
                fact -= sum((v * w * c for row, v in zip(_rows(M), z) for c, w in zip(row, z) if c), NOTHING)
                if known is not None and fact.terms and _ray(fact, equal) not in known:
                    raise ValueError(f"AutoLyap's condition of {name} is not among those of the literature")
                self.facts[kind].append(fact.terms)
                self.names[kind].append(f"{name} {i + 1} at {', '.join(map(str, chosen))}")

    def parts(self, name: str, start: int, length: int) -> dict[str, Expr]:
        """Return what the entries "Q i j" and the weights "q k" of a form contribute from iteration ``start`` on."""
        window = range(start, start + length)
        vectors = [*self.x[start], *(u for k in window for us in self.u[k] for u in us), *self.u_star[:-1], self.y_star]
        values = [*(f for k in window for i in self.functions for f in self.f[k][i])]
        values += [self.f_star[i] for i in self.functions]
        found = {
            f"{name} {a} {b}": vectors[a] * vectors[b] * (1 if a == b else 2)
            for a, b in combinations_with_replacement(range(len(vectors)), 2)
        }
        return found | {f"{name.lower()} {k}": f for k, f in enumerate(values)}


def _sum(weights: Sequence[Number], vectors: Sequence[Vec]) -> Vec:
    return sum((v * c for c, v in zip(weights, vectors)), Vec({}, "H"))


def _patterns(indices: str, points: range) -> Iterable[tuple[int, ...]]:
    """Return the choices of points for which a condition holds; the solution is the last point."""
    if indices == "r1":
        return ((p,) for p in points)
    if indices == "r1!=star":
        return ((p, points[-1]) for p in points[:-1])
    return combinations(points, 2) if indices == "r1<r2" else permutations(points, 2)


def _literature(condition: Any, points: list[Any]) -> set[Any] | None:
    """Return the conditions of a class in ``classes``; None if it is not among them."""
    f = SimpleNamespace(**{"R": INF, "D": INF, "M": INF} | vars(condition), list_of_points=points)
    if name := NAMES.get(type(condition).__name__):
        found = classes.CLASSES[name](f)
    elif hasattr(condition, "_compute_interpolation_data"):
        found = classes._strongly_convex(f, f.mu) if f.L == INF else classes._smooth(f, f.mu, f.L)
    else:
        return None
    return {_ray(what, kind == "==") for kind, what in found}


def _ray(what: Expr, equal: bool) -> tuple[bool, frozenset[Any]]:
    """Return a form that is equal for equal conditions."""
    terms = sorted(what.terms.items())
    first = (terms[0][1] if equal else abs(terms[0][1])) if terms else 1
    return equal, frozenset((key, c / first) for key, c in terms)


def nothing(run: Run) -> Expr:
    """0, as ``residual`` of a linear rate, or as ``lower`` if only V >= 0 counts."""
    return NOTHING


def distance(run: Run, i: int = 1, j: int = 1, tau: int = 0) -> Expr:
    """|y_ij - y*|^2 in iteration tau."""
    found: Expr = (run.y[tau][i - 1][j - 1] - run.y_star) ** 2
    return found


def suboptimality(run: Run, j: int = 1, tau: int = 0) -> Expr:
    """f_1(y_1j) - f_1(y*) in iteration tau, for problems of one function."""
    return run.f[tau][0][j - 1] - run.f_star[0]


def fixed_point_residual(run: Run, tau: int = 0) -> Expr:
    """|x+ - x|^2 in iteration tau."""
    return sum(((after - x) ** 2 for x, after in zip(run.x[tau], run.x[tau + 1])), NOTHING)


@dataclass
class LyapunovProof:
    """A Lyapunov inequality, or the reason why it is not proved.

    Attributes
    ----------
    rho : the factor.
    form : the entries "Q i j" and weights "q k" of V, and those "S i j" and "s k" of R if C4 is among the conditions.
    records : for each condition a file that ``check_proof.py`` reads; empty if nothing was proved.
    notes : what was rounded, and which classes were not compared with the literature.
    why : the step that failed.
    """

    rho: Number
    form: dict[str, Number]
    records: dict[str, Json]
    notes: list[str]
    why: list[str]

    def refusals(self) -> list[str]:
        """Return why it is no proof; empty if every identity, sign and semidefinite form holds exactly."""
        return self.why + [f"{name}: {wrong}" for name, one in self.records.items() for wrong in check(one)[1]]


def prove_lyapunov(
    problem: Any,
    algorithm: Any,
    rho: Number = Fraction(1),
    lower: Callable[[Run], Expr] = distance,
    residual: Callable[[Run], Expr] = nothing,
    h: int = 0,
    alpha: int = 0,
    remove_C4: bool = True,
) -> LyapunovProof:
    """Prove V(k + alpha + 1) <= rho V(k) - residual(k) and V(k) >= lower(k) for all runs of an algorithm.

    Parameters
    ----------
    problem, algorithm : an ``InclusionProblem`` and an ``Algorithm`` of AutoLyap.
    rho : a Fraction, or a number a + b sqrt(d).
    lower, residual : functions of a ``Run``; that they are >= 0 is not proved.
    h, alpha, remove_C4 : as in AutoLyap's ``search_lyapunov``.

    Raises
    ------
    ValueError
        The matrices of the algorithm change with k, its numbers need two square roots, or a condition of AutoLyap is
        not that of the literature.
    """
    ROUNDED.clear()
    FIELD.clear()
    FIELD.update([rho.d] if isinstance(rho, Root) else [])
    run, short = Run(problem, algorithm, h + alpha + 1), Run(problem, algorithm, h)
    after, length = run.parts("Q", alpha + 1, h + 1), h + alpha + 2
    decrease = {name: part * rho - after[name] for name, part in run.parts("Q", 0, h + 1).items()}
    targets = {
        "C1": (run, decrease | {"scale": -residual(run)}),
        "C2": (short, short.parts("Q", 0, h + 1) | {"scale": -lower(short)}),
    }
    if not remove_C4:
        longer, R = Run(problem, algorithm, length), run.parts("S", 0, length)
        after = longer.parts("S", 1, length)
        targets["C1"] = (run, decrease | {name: -part for name, part in R.items()})
        targets["C3"] = (run, R | {"scale": -residual(run)})
        targets["C4"] = (longer, {name: p - after[name] for name, p in longer.parts("S", 0, length).items()})
    names = list(dict.fromkeys(name for _, parts in targets.values() for name in parts))
    nobody: Any = None
    facts = [one.facts for one, _ in targets.values()]
    derived = Derived([(NOTHING, parts) for _, parts in targets.values()], facts, nobody, {}, names)
    root = next(iter(FIELD), None)
    with one_thread():
        program, point, why = _search(derived, root)
    notes = sorted(ROUNDED) + [f"{name} was not compared with the literature" for name in sorted(run.unchecked)]
    if point is None:
        return LyapunovProof(rho, {}, {}, notes, why)
    form, proofs = program.proofs(point)
    records = {name: _record(one, *proof, root) for (name, (one, _)), proof in zip(targets.items(), proofs)}
    form.pop("scale")
    return LyapunovProof(rho, form, records, notes, [])


def _search(derived: Derived, root: int | None) -> tuple[Program, Point | None, list[str]]:
    """Return the program, an exact point where ``scale``, the factor of ``lower`` and ``residual``, is 1, or why not.

    Near the smallest rho, V is large. Then a bound of all multipliers and traces, with scale > 0, is easier.
    """
    why = []
    for fixed in ({"scale": ONE}, {}):
        program = Program(derived, fixed)
        cone, total = replace(program.cone, root=root), Form()
        if not fixed:
            for form in [*cone.scalars, *(entries.get((i, i), {}) for k, entries in cone.matrices for i in range(k))]:
                add_to(total, form)
            cone = replace(cone, scalars=[*cone.scalars, {program.place["scale"]: ONE}], objective=total)
        found = feasible(cone)
        why += found.why
        if found.point and (scale := found.point[program.place["scale"]]) > 0:
            return program, [x / scale for x in found.point], []
    return program, None, why or ["only V = 0 was found"]


def _record(run: Run, target: Any, facts: Facts, multipliers: Any, root: int | None) -> Json:
    """Return the file of target >= 0: a new function value is -target, and it is at most 0."""
    record: Json = {"schema": 1, "kind": PROVED, "tau": "0", "metric": run.values, "points": len(facts["space"])}
    record |= {"statement": {}, "notes": [], "worst": None, "ray": None, "matrices": []} | (
        {"root": str(root)} if root else {}
    )
    for kind in ("inequalities", "equalities"):
        record[kind] = [[n, plain(t), str(m)] for n, t, m in zip(run.names[kind], facts[kind], multipliers[kind])]
    record["equalities"].append(["what is proved", plain(target | {("F", run.values): Fraction(1)}), "-1"])
    return record


def smallest_rho(problem: Any, algorithm: Any, width: Fraction = Fraction(1, 10**6), **options: Any) -> LyapunovProof:
    """Return a proof of the smallest rho <= 1 that bisection finds, or of a short fraction just below it.

    ``options`` are those of ``prove_lyapunov``. The result has no records if not even rho = 1 is proved.
    """
    low, high, best = Fraction(0), Fraction(1), prove_lyapunov(problem, algorithm, **options)
    while best.records and high - low > width:
        middle = Fraction(round((low + high) / 2 * 10**8), 10**8)
        proof = prove_lyapunov(problem, algorithm, middle, **options)
        low, high, best = (low, middle, proof) if proof.records else (middle, high, best)
    short = {q for k in range(20) if high > (q := high.limit_denominator(2**k)) > high - 10 * width}
    for rho in sorted(short, key=lambda q: q.denominator)[:TRIES]:
        if (proof := prove_lyapunov(problem, algorithm, rho, **options)).records:
            return proof
    return best
