"""The two cone programs of a PEP: multipliers that prove a bound, and function values with a Gram matrix that attain
one.

With facts that hold for every run of the method on the class, ineq_k >= 0, eq_e = 0 and M_b positive semidefinite,

    tau - metric = sum m_k ineq_k + sum v_e eq_e + sum <S_b, M_b> + <Z, G>,    m >= 0, S_b and Z positive semidefinite

proves metric <= tau.
"""

from fractions import Fraction

from dualgap.extras.exact.cone import ONE, ZERO, Cone, Entries, Form, Point
from dualgap.extras.exact.facts import UNIT, Facts, Key, Multipliers, Terms


class Dual:
    """Unknowns: the multipliers of inequalities and equalities, the entries of S_b, and tau; minimise tau.

    ``cap`` bounds the multipliers. If the facts force an inequality to be an equality, multipliers are unbounded.
    """

    def __init__(self, facts: Facts, cap: int | None = None) -> None:
        self.facts = facts
        n = len(facts.inequalities)
        at = n + len(facts.equalities)
        self.places: list[dict[tuple[int, int], int]] = []
        for M in facts.matrices:
            pairs = [(i, j) for j in range(len(M)) for i in range(j + 1)]
            self.places.append({pair: at + p for p, pair in enumerate(pairs)})
            at += len(pairs)
        self.tau = at
        equations, Z, rows = self._left_over()
        matrices: list[tuple[int, Entries]] = [
            (len(M), {ij: {u: ONE} for ij, u in place.items()}) for M, place in zip(facts.matrices, self.places)
        ]
        scalars: list[Form] = [{u: ONE} for u in range(n)]
        if cap:
            scalars += [{u: -ONE, None: Fraction(cap)} for u in range(1, n)]
        self.cone = Cone(at + 1, equations, scalars, [*matrices, (rows, Z)], {self.tau: ONE}, facts.root or 0)

    def _left_over(self) -> tuple[list[Form], Entries, int]:
        """Return the equations of what must cancel, the entries of Z, and its number of rows."""
        rest: dict[Key, Form] = {UNIT: {self.tau: ONE}, ("F", self.facts.metric): {None: -ONE}}

        def subtract(terms: Terms, u: int, factor: int = 1) -> None:
            for key, c in terms.items():
                row = rest.setdefault(key, {})
                row[u] = row.get(u, ZERO) - factor * c

        for u, terms in enumerate([*self.facts.inequalities, *self.facts.equalities]):
            subtract(terms, u)
        for M, place in zip(self.facts.matrices, self.places):
            for (i, j), u in place.items():
                subtract(M[i][j], u, 1 if i == j else 2)
        diagonal = sorted({key[1] for key in rest if key[0] == "G" and key[1] == key[2]})
        index = {j: p for p, j in enumerate(diagonal)}
        equations, Z = [], {}
        for key, row in rest.items():
            if key[0] == "G" and key[1] in index and key[2] in index:
                i, j = index[key[1]], index[key[2]]
                Z[i, j] = row if i == j else {u: c / 2 for u, c in row.items()}
            else:  # also products with a point whose square is in no fact: they must cancel
                equations.append(row)
        return equations, Z, len(index)

    def multipliers(self, y: Point) -> Multipliers:
        """Return the multipliers at a point."""
        n, e = len(self.facts.inequalities), len(self.facts.equalities)
        matrices = [
            [[y[place[min(i, j), max(i, j)]] for j in range(len(M))] for i in range(len(M))]
            for M, place in zip(self.facts.matrices, self.places)
        ]
        return Multipliers(y[self.tau], y[:n], y[n : n + e], matrices)

    def point(self, found: Multipliers) -> Point:
        """Return the point with these multipliers."""
        y = [*found.inequalities, *found.equalities]
        for S, place in zip(found.matrices, self.places):
            y += [S[i][j] for i, j in place]
        return [*y, found.tau]


class Primal:
    """Unknowns: function values and the entries of the Gram matrix; minimise minus the metric."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        pairs = [(i, j) for j in range(facts.points) for i in range(j + 1)]
        self.place: dict[Key, int] = {("F", k): k for k in range(facts.values)}
        self.place |= {("G", i, j): facts.values + p for p, (i, j) in enumerate(pairs)}
        matrices = [
            (len(M), {(i, j): self._form(M[i][j]) for j in range(len(M)) for i in range(j + 1)}) for M in facts.matrices
        ]
        matrices.append((facts.points, {(i, j): {self.place["G", i, j]: ONE} for i, j in pairs}))
        equations, scalars = [
            [self._form(t) for t in facts_of] for facts_of in (facts.equalities, facts.inequalities[1:])
        ]
        self.cone = Cone(len(self.place), equations, scalars, matrices, {facts.metric: -ONE}, facts.root)

    def _form(self, terms: Terms) -> Form:
        return {(None if key == UNIT else self.place[key]): c for key, c in terms.items()}

    def values(self, y: Point) -> tuple[list[Fraction], list[list[Fraction]]]:
        """Return function values and Gram matrix at a point."""
        size = range(self.facts.points)
        return y[: self.facts.values], [[y[self.place["G", min(i, j), max(i, j)]] for j in size] for i in size]
