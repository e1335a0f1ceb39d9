"""The facts of a PEP as exact terms, without points that may be 0, and in units in which coefficients are near 1.

Terms are {key: coefficient} with the keys ("G", i, j), i <= j, for the inner product of two leaf points, ("F", k) for a
function value, and ("1",), as in ``sharpen.certificate``.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np

from dualgap.extras.exact.cone import ZERO
from dualgap.extras.exact.rationals import Exact, exact_of, notes

Key = tuple[Any, ...]
Terms = dict[Key, Fraction]
UNIT: Key = ("1",)


@dataclass
class Facts:
    """A PEP in exact numbers: maximise the function value ``metric`` subject to facts.

    Attributes
    ----------
    points, values : the numbers of leaf points and function values.
    inequalities : terms that are >= 0; the first is 1 >= 0.
    equalities : terms that are 0.
    matrices : symmetric matrices of terms that are positive semidefinite.
    names : for each of the three kinds, the names of the facts.
    notes : which numbers of the problem were rounded.
    root : d if the numbers are in Q(sqrt d); None if they are rational.
    """

    points: int
    values: int
    metric: int
    inequalities: list[Terms] = field(default_factory=lambda: [{UNIT: Fraction(1)}])
    equalities: list[Terms] = field(default_factory=list)
    matrices: list[list[list[Terms]]] = field(default_factory=list)
    names: dict[str, list[str]] = field(
        default_factory=lambda: {"inequalities": ["1 >= 0"], "equalities": [], "matrices": []}
    )
    notes: list[str] = field(default_factory=list)
    root: int | None = None

    def all_terms(self) -> Iterator[Terms]:
        """Yield the terms of all facts."""
        yield from self.inequalities
        yield from self.equalities
        yield from (terms for M in self.matrices for row in M for terms in row)

    def changed(self, change: Callable[[Terms], Terms], points: int | None = None) -> "Facts":
        """Return the facts with each of their terms changed."""
        return Facts(
            self.points if points is None else points,
            self.values,
            self.metric,
            [self.inequalities[0], *map(change, self.inequalities[1:])],
            list(map(change, self.equalities)),
            [[list(map(change, row)) for row in M] for M in self.matrices],
            self.names,
            root=self.root,
        )


def terms_of(expression: Any, sign: int = 1, root: int | None = None) -> Terms:
    """Return the terms of one of PEPit's expressions, in Q(sqrt(root)) or with roots rounded."""
    found: Terms = {}
    for key, c in expression.decomposition_dict.items():
        if isinstance(key, tuple):
            place: Key = ("G", *sorted((key[0].counter, key[1].counter)))
        else:
            place = UNIT if isinstance(key, int) else ("F", key.counter)  # == of expressions makes a constraint
        q = exact_of(c, root)
        if q is None:
            raise ValueError(f"a coefficient of the problem is not a finite real number (got {c!r})")
        found[place] = found.get(place, ZERO) + sign * q
    return {place: c for place, c in found.items() if c}


def facts_of(problem: Any) -> Facts:
    """Return the exact facts of a ``PEPit.PEP``, before or after it was solved."""
    PEPit = import_module("PEPit")
    if getattr(problem, "objective", None) is None:
        problem._prepare_constraints(verbose=0)
    facts = Facts(PEPit.Point.counter, PEPit.Expression.counter, problem.objective.counter, root=_root_of(problem))
    for number, constraint in enumerate(problem._list_of_prepared_constraints):
        if constraint.activated:
            kind = "inequalities" if constraint.equality_or_inequality == "inequality" else "equalities"
            terms = terms_of(constraint.expression, -1, facts.root)  # PEPit writes expression <= 0
            getattr(facts, kind).append(terms)
            facts.names[kind].append(constraint.get_name() or f"constraint {number}")
    for number, matrix in enumerate(problem._list_of_prepared_psd):
        if matrix.activated:
            _add_matrix(facts, matrix, matrix.get_name() or f"matrix {number}")
    facts.notes = notes(facts.root)
    return facts


def _root_of(problem: Any) -> int | None:
    """Return the d for which all numbers are in Q(sqrt d); None if they are rational, or if there is no such d."""
    constraints = [c.expression for c in problem._list_of_prepared_constraints if c.activated]
    matrices = [M for M in problem._list_of_prepared_psd if M.activated]
    entries = [M[i, j] for M in matrices for i in range(M.shape[0]) for j in range(M.shape[1])]
    numbers = {c for e in [*constraints, *entries] for c in e.decomposition_dict.values() if isinstance(c, Exact)}
    fields = {None if c.x is None else getattr(c.x, "d", 0) for c in numbers} - {0}
    return fields.pop() if len(fields) == 1 else None


def _add_matrix(facts: Facts, matrix: Any, name: str) -> None:
    """Add a matrix of PEPit. It demands that the matrix is symmetric, so equal entries are facts of their own."""
    size = range(matrix.shape[0])
    M = [[terms_of(matrix[i, j], root=facts.root) for j in size] for i in size]
    for i in size:
        for j in range(i):
            difference = {
                key: c for key in {**M[i][j], **M[j][i]} if (c := M[i][j].get(key, ZERO) - M[j][i].get(key, ZERO))
            }
            if difference:
                facts.equalities.append(difference)
                facts.names["equalities"].append(f"symmetry {i} {j} of {name}")
                M[i][j] = M[j][i]
    facts.matrices.append(M)
    facts.names["matrices"].append(name)


def invisible(facts: Facts) -> list[int]:
    """Return points that may be set to 0, such as one iterate, because every fact is invariant under translations.

    A v = 0 for the Gram coefficients A of every fact. Then what is left over of a proof vanishes on v, too.
    """
    solved: dict[int, dict[int, Fraction]] = {}
    for terms in facts.all_terms():
        rows: dict[int, dict[int, Fraction]] = {}
        for key, c in terms.items():
            if key[0] == "G":
                _, i, j = key
                rows.setdefault(i, {})[j] = 2 * c if i == j else c
                if i != j:
                    rows.setdefault(j, {})[i] = c
        for row in rows.values():
            _reduce(row, solved)
        if len(solved) == facts.points:
            break
    return [j for j in range(facts.points) if j not in solved]


def _reduce(row: dict[int, Fraction], solved: dict[int, dict[int, Fraction]]) -> None:
    """Add one row to a reduced echelon form {pivot: rest of the row}."""
    for pivot, form in solved.items():
        if c := row.pop(pivot, None):
            for j, d in form.items():
                row[j] = row.get(j, ZERO) - c * d
    row = {j: c for j, c in row.items() if c}
    if not row:
        return
    pivot, c = next(iter(row.items()))
    new = {j: d / c for j, d in row.items() if j != pivot}
    for form in solved.values():
        if e := form.pop(pivot, None):
            for j, d in new.items():
                form[j] = form.get(j, ZERO) - e * d
    solved[pivot] = new


def without(facts: Facts, hidden: Iterable[int]) -> Facts:
    """Return the facts with these points set to 0."""
    left = [j for j in range(facts.points) if j not in set(hidden)]
    place = {j: p for p, j in enumerate(left)}

    def change(terms: Terms) -> Terms:
        inner = {k: c for k, c in terms.items() if k[0] != "G" or (k[1] in place and k[2] in place)}
        return {(k if k[0] != "G" else ("G", place[k[1]], place[k[2]])): c for k, c in inner.items()}

    return facts.changed(change, len(left))


@dataclass
class Units:
    """Powers of two: point j is 2^points[j] times its scaled version, value k 2^values[k] times.

    The scaled fact k is 2^rows[k] times the fact; entry (i, j) of scaled matrix b is 2^(e_i + e_j) times the entry for
    the exponents e = matrices[b]. The metric has the unit of its function value.
    """

    points: list[int]
    values: list[int]
    rows: list[int]
    matrices: list[list[int]]

    def scaled(self, facts: Facts) -> Facts:
        """Return the scaled facts."""

        def change(terms: Terms, shift: int) -> Terms:
            return {key: c * Fraction(2) ** (_unit(key, self.points, self.values) + shift) for key, c in terms.items()}

        n = len(facts.inequalities)
        matrices = [
            [[change(terms, e[i] + e[j]) for j, terms in enumerate(row)] for i, row in enumerate(M)]
            for M, e in zip(facts.matrices, self.matrices)
        ]
        inequalities = list(map(change, facts.inequalities, self.rows))
        equalities = list(map(change, facts.equalities, self.rows[n:]))
        return Facts(
            facts.points, facts.values, facts.metric, inequalities, equalities, matrices, facts.names, [], facts.root
        )

    def multipliers(self, y: "Multipliers", metric: int) -> "Multipliers":
        """Return multipliers of the facts from those of the scaled facts."""
        unit = self.values[metric]
        n = len(y.inequalities)
        scalars = [m * Fraction(2) ** (unit + e) for m, e in zip([*y.inequalities, *y.equalities], self.rows)]
        matrices = [
            [[x * Fraction(2) ** (unit + e[i] + e[j]) for j, x in enumerate(row)] for i, row in enumerate(S)]
            for S, e in zip(y.matrices, self.matrices)
        ]
        return Multipliers(y.tau * Fraction(2) ** unit, scalars[:n], scalars[n:], matrices)

    def point(
        self, F: list[Fraction], G: list[list[Fraction]], hidden: list[int]
    ) -> tuple[list[Fraction], list[list[Fraction]]]:
        """Return function values and Gram matrix from scaled ones, with the hidden points as 0."""
        n = len(G) + len(hidden)
        left = [j for j in range(n) if j not in hidden]
        full = [[ZERO] * n for _ in range(n)]
        for a, i in enumerate(left):
            for b, j in enumerate(left):
                full[i][j] = G[a][b] * Fraction(2) ** (self.points[a] + self.points[b])
        return [x * Fraction(2) ** v for x, v in zip(F, self.values)], full


@dataclass
class Multipliers:
    """A bound tau with the multipliers of its proof; ``matrices`` are symmetric."""

    tau: Fraction
    inequalities: list[Fraction]
    equalities: list[Fraction]
    matrices: list[list[list[Fraction]]]

    def raise_tau(self, tau: Fraction) -> None:
        """Change the bound to a larger one; the difference is added to the multiplier of 1 >= 0."""
        self.inequalities[0] += tau - self.tau
        self.tau = tau


def _unit(key: Key, points: list[int], values: list[int]) -> int:
    return points[key[1]] + points[key[2]] if key[0] == "G" else values[key[1]] if key[0] == "F" else 0


def units_of(facts: Facts, wanted: bool = True) -> Units:
    """Return units in which the coefficients are near 1, by least squares of logarithms; all 1 unless they spread
    widely."""
    n, at = facts.points, facts.points + facts.values
    scalars = len(facts.inequalities) + len(facts.equalities)
    rows: list[tuple[list[int], float]] = []

    def add(terms: Terms, own: list[int]) -> None:
        for key, c in terms.items():
            columns = [key[1], key[2]] if key[0] == "G" else [n + key[1]] if key[0] == "F" else []
            rows.append(([*columns, *own], -float(np.log2(abs(float(c))))))

    for k, terms in enumerate([*facts.inequalities, *facts.equalities]):
        add(terms, [at + k])
    starts, size = [], at + scalars
    for M in facts.matrices:
        starts.append(size)
        for i, row in enumerate(M):
            for j, terms in enumerate(row):
                add(terms, [size + i, size + j])
        size += len(M)
    x = [0] * size
    if wanted and max(abs(b) for _, b in rows) > 7 and len(rows) * size < 4e6:
        A = np.zeros((len(rows) + size, size))
        for r, (columns, _) in enumerate(rows):
            np.add.at(A[r], columns, 1.0)
        A[len(rows) :] = 1e-3 * np.eye(size)
        b = np.array([logarithm for _, logarithm in rows] + [0.0] * size)
        x = [round(v) for v in np.linalg.lstsq(A, b, rcond=None)[0]]
    return Units(x[:n], x[n:at], x[at : at + scalars], [x[s : s + len(M)] for s, M in zip(starts, facts.matrices)])
