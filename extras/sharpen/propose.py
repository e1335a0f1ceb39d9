"""A semidefinite program proposes multipliers in floats (cvxpy with Clarabel). They are rounded to rationals and moved
onto the linear equations, for ``certificate`` to verify.

At an attained rate every proof is degenerate: its forms vanish on the worst states. Complementary slackness makes
linear equations of this, and what remains has an interior again, in which rounding succeeds.
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dualgap.extras.sharpen.certificate import Matrix, Record, members
from dualgap.extras.sharpen.quantities import Derived, at
from dualgap.extras.sharpen.symbols import Expr, Key, solve
from dualgap.extras.sharpen.values import Values
from dualgap.extras.sharpen.world import Facts, Terms

Equation: TypeAlias = dict[int | None, Fraction]  # unknown to coefficient, None to the constant; the sum is 0
Array: TypeAlias = NDArray[np.float64]

DIGITS = 2**44  # denominator of a rounded multiplier
CAP = 0.01  # most strictness that is asked for
USELESS = 1e-6  # a multiplier that cannot be larger than this is 0 at the attained rate
MISSING = 'dualgap sharpen needs cvxpy and Clarabel, which are not installed: pip install "dualgap[sharpen]"'


def require_solver() -> None:
    """Raise ValueError if cvxpy or Clarabel is not installed."""
    try:
        import clarabel  # noqa: F401  # pyright: ignore[reportMissingImports]
        import cvxpy  # noqa: F401  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise ValueError(MISSING) from None


def total(pairs: Iterable[tuple[int | None, Fraction]]) -> Equation:
    """The equation with these coefficients."""
    row: Equation = {}
    for unknown, c in pairs:
        row[unknown] = row.get(unknown, Fraction(0)) + c
    return row


def independent(equations: Iterable[Equation]) -> list[Equation]:
    """Fewer equations with the same solutions, by exact elimination. Raises ValueError if there is no solution."""
    kept: list[tuple[int, Equation]] = []
    for row in equations:
        for pivot, other in kept:
            if c := row.get(pivot):
                row = total([*row.items(), *((k, -c * v) for k, v in other.items())])
        row = {k: v for k, v in row.items() if v}
        first = next((k for k in row if k is not None), None)
        if first is not None:
            kept.append((first, {k: v / row[first] for k, v in row.items()}))
        elif row:
            raise ValueError("no multipliers satisfy the linear equations")
    return [row for _, row in kept]


class Program:
    """The unknowns: first the parameters, then the multipliers of each target.

    Parameters
    ----------
    derived : targets, facts and parameters.
    fixed : parameters with a given value.
    worst : states in which the first target is 0, for a proof of an attained rate.
    """

    def __init__(
        self, derived: Derived, fixed: Mapping[str, Fraction] | None = None, worst: Sequence[Values] = ()
    ) -> None:
        self.derived, self.parameters, self.worst = derived, derived.parameters, list(worst)
        self.place = {name: k for k, name in enumerate(self.parameters)}
        self.size, self.layout = len(self.parameters), list[tuple[list[int], list[int], list[NDArray[np.int_]]]]()
        for facts in derived.facts:
            kinds = self._take(len(facts["inequalities"])), self._take(len(facts["equalities"]))
            self.layout.append((*kinds, [self._symmetric(len(M)) for M in facts["matrices"]]))
        self.rests = [self._rest(t) for t in range(len(derived.targets))]
        self.zero: set[int] = set()  # multipliers of inequalities that must be 0
        self.narrow: dict[int, list[list[Fraction]]] = {}  # vectors on which a matrix multiplier vanishes
        equations: list[Equation] = [{self.place[k]: Fraction(1), None: -v} for k, v in (fixed or {}).items()]
        equations += self._cancelled()
        if self.worst:
            equations += self._complementary()
        self.equations = independent(equations)

    def _take(self, count: int) -> list[int]:
        self.size += count
        return list(range(self.size - count, self.size))

    def _symmetric(self, k: int) -> NDArray[np.int_]:
        index = np.zeros((k, k), dtype=int)
        index[np.triu_indices(k)] = self._take(k * (k + 1) // 2)
        found: NDArray[np.int_] = np.triu(index) + np.triu(index, 1).T
        return found

    # -- exact equations ---------------------------------------------------------------------------------------------

    def _rest(self, t: int) -> dict[Key, Equation]:
        """Return the remainder of a target as affine functions of the unknowns."""
        rest: dict[Key, Equation] = {}

        def add(terms: Terms, unknown: int | None, sign: int) -> None:
            for key, c in terms.items():
                row = rest.setdefault(key, {})
                row[unknown] = row.get(unknown, Fraction(0)) + sign * c

        (constant, parts), facts, (m, v, S) = self.derived.targets[t], self.derived.facts[t], self.layout[t]
        add(constant.terms, None, 1)
        for name, part in parts.items():
            add(part.terms, self.place[name], 1)
        for k, terms in zip([*m, *v], [*facts["inequalities"], *facts["equalities"]]):
            add(terms, k, -1)
        for index, M in zip(S, facts["matrices"]):
            for indices, row in zip(index.tolist(), M):
                for k, terms in zip(indices, row):
                    add(terms, k, -1)
        return {key: row for key, row in rest.items() if any(row.values())}

    def _dead(self, t: int) -> set[int]:
        """Basis vectors whose square cannot be left over: all products with them must cancel."""
        space = self.derived.facts[t]["space"]
        return {j for j in range(len(space)) if ("G", j, j) not in self.rests[t]}

    def _cancelled(self) -> list[Equation]:
        """Function values cancel, and so do products with vectors that cannot be left over."""
        found = []
        for t, rest in enumerate(self.rests):
            dead = self._dead(t)
            found += [row for key, row in rest.items() if key[0] != "G" or key[1] in dead or key[2] in dead]
        return found

    def _complementary(self) -> list[Equation]:
        """Require that in every worst state all forms vanish and each multiplier with a strict inequality is 0."""
        (m, _, S), rest, facts = self.layout[0], self.rests[0], self.derived.facts[0]
        found: list[Equation] = []
        for k, terms in zip(m, facts["inequalities"]):
            if any(values.expr(terms) for values in self.worst):
                self.zero.add(k)
        found += [total([(k, Fraction(1))]) for k in self.zero]
        for b, (index, M) in enumerate(zip(S, facts["matrices"])):
            size, columns = range(len(M)), list[list[Fraction]]()
            for values in self.worst:
                here = [[values.expr(e) for e in row] for row in M]
                columns += [list(column) for column in zip(*here)]
                found += [total([(int(index[i, k]), here[k][j]) for k in size]) for i in size for j in size]
            self.narrow[b] = columns
        for js in members(facts["space"]).values():
            for j in js:
                rows = [(k, rest.get(("G", min(j, k), max(j, k)), {})) for k in js]
                for values in self.worst:
                    for component in range(len(values.of[j])):
                        halves = [(row, values.of[k][component] / (1 if j == k else 2)) for k, row in rows]
                        found.append(total([(u, c * x) for row, x in halves if x for u, c in row.items()]))
        return found

    # -- floats --------------------------------------------------------------------------------------------------------

    def _dense(self, rows: Sequence[Equation]) -> tuple[Array, Array]:
        """Affine functions as A x + b."""
        A, b = np.zeros((len(rows), self.size)), np.zeros(len(rows))
        for r, row in enumerate(rows):
            for unknown, c in row.items():
                if unknown is None:
                    b[r] = float(c)
                else:
                    A[r, unknown] = float(c)
        return A, b

    def _cones(self, x: Any) -> dict[tuple[object, ...], Any]:
        """Everything that must be nonnegative or positive semidefinite, as cvxpy expressions."""
        import cvxpy as cp  # pyright: ignore[reportMissingImports]

        cones: dict[tuple[object, ...], Any] = {}

        def matrix(name: tuple[object, ...], A: Array, b: Array, k: int, zero_on: Sequence[Sequence[Fraction]]) -> None:
            P = complement(zero_on, k)
            if P.shape[1]:
                cones[name] = P.T @ cp.reshape(A @ x + b, (k, k), order="C") @ P

        for t, ((m, _, S), rest) in enumerate(zip(self.layout, self.rests)):
            cones |= {("m", k): x[k] for k in m if k not in self.zero}
            for b, index in enumerate(S):
                select = np.zeros((index.size, self.size))
                select[np.arange(index.size), index.ravel()] = 1
                matrix(("S", t, b), select, np.zeros(index.size), len(index), self.narrow.get(b, []) if t == 0 else [])
            dead, worst = self._dead(t), self.worst if t == 0 else []
            for space, everyone in members(self.derived.facts[t]["space"]).items():
                js = [j for j in everyone if j not in dead]
                rows = [_scaled(rest.get(("G", min(j, k), max(j, k)), {}), j == k) for j in js for k in js]
                zero_on = [[v.of[j][i] for j in js] for v in worst for i in range(len(v.of[js[0]]))] if js else []
                if js:
                    matrix(("Z", t, space), *self._dense(rows), len(js), zero_on)
        return cones

    def _solved(self, objective: str | None, common: bool) -> tuple[Array | None, dict[tuple[Any, ...], float]]:
        import cvxpy as cp  # pyright: ignore[reportMissingImports]

        x = cp.Variable(self.size)
        A, b = self._dense(self.equations)
        constraints: list[Any] = [A @ x + b == 0] if self.equations else []
        cones = self._cones(x)
        margin = cp.Variable(len(cones))
        for k, cone in enumerate(cones.values()):
            least = margin[k] if objective is None else 0
            constraints.append(cone - least * np.eye(cone.shape[0]) >> 0 if cone.ndim else cone >= least)
        if objective is None:
            constraints += [margin <= CAP, margin == cp.Variable() if common else margin >= 0]
            goal = cp.Maximize(cp.sum(margin))
        else:
            goal = cp.Minimize(x[self.place[objective]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an inaccurate proposal is verified like any other
            try:
                cp.Problem(goal, constraints).solve(solver="CLARABEL")
            except cp.SolverError:
                return None, {}
        strict = objective is None and x.value is not None
        return x.value, dict(zip(cones, np.asarray(margin.value).tolist() if strict else ()))

    def least(self, name: str) -> float | None:
        """The smallest value of a parameter, in floats; None if the solver finds none."""
        x, _ = self._solved(name, True)
        return None if x is None else float(x[self.place[name]])

    def strictest(self) -> tuple[Array | None, float]:
        """The multipliers with the largest common margin, and that margin.

        Multipliers that can only be 0 are found first, as those that stay 0 when the sum of all margins is maximized.
        """
        while True:
            x, margins = self._solved(None, False)
            useless = {key[1] for key, value in margins.items() if key[0] == "m" and value < USELESS}
            if x is None or not useless:
                x, margins = self._solved(None, True)
                return x, min(margins.values(), default=0.0)
            self.zero |= useless
            self.equations = independent([*self.equations, *({k: Fraction(1)} for k in useless)])

    # -- rationals -----------------------------------------------------------------------------------------------------

    def repaired(self, x: Iterable[float | Fraction]) -> list[Fraction] | None:
        """x as rationals, moved the least onto the equations (exact normal equations); None if it is not finite."""
        x = list(x)
        if not all(map(math.isfinite, x)):
            return None
        exact = [v if isinstance(v, Fraction) else Fraction(round(Fraction(v) * DIGITS), DIGITS) for v in x]
        rows = [{k: c for k, c in row.items() if k is not None} for row in self.equations]
        missing = [
            sum((c * (1 if k is None else exact[k]) for k, c in row.items()), Fraction(0)) for row in self.equations
        ]
        table = []
        for row, gap in zip(rows, missing):
            products = [sum((c * other[k] for k, c in row.items() if k in other), Fraction(0)) for other in rows]
            table.append([*products, -gap])
        factors = solve(table, len(rows))
        for row, factor in zip(rows, factors or []):
            for k, c in row.items():
                exact[k] += factor * c
        return None if factors is None else exact

    def proofs(self, x: Sequence[Fraction]) -> tuple[dict[str, Fraction], list[tuple[Terms, Facts, Record]]]:
        """The parameters, and of each target its terms, its facts and its multipliers."""
        parameters = {name: x[k] for name, k in self.place.items()}
        found = []
        for target, facts, (m, v, S) in zip(self.derived.targets, self.derived.facts, self.layout):
            matrices: list[Matrix] = [[[x[k] for k in row] for row in index.tolist()] for index in S]
            multipliers = {"inequalities": [x[k] for k in m], "equalities": [x[k] for k in v], "matrices": matrices}
            found.append(((Expr({}) + at(target, parameters)).terms, facts, multipliers))
        return parameters, found


def _scaled(row: Equation, diagonal: bool) -> Equation:
    return row if diagonal else {k: c / 2 for k, c in row.items()}


def complement(vectors: Sequence[Sequence[Fraction]], size: int) -> Array:
    """An orthonormal basis of what is orthogonal to the vectors, as columns."""
    if not vectors:
        return np.eye(size)
    u, s, _ = np.linalg.svd(np.array(vectors, dtype=float).T)
    found: Array = u[:, int((s > 1e-9).sum()) :]
    return found
