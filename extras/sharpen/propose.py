"""Multipliers for the targets of a proof, as a cone program with rational coefficients (``extras.exact``).

Clarabel proposes floats. Faces and exact elimination make rationals of them, which ``certificate`` verifies again.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import combinations_with_replacement

from dualgap.extras.exact.cone import Cone, Entries, Form, Point
from dualgap.extras.sharpen.certificate import Matrix, Record, members
from dualgap.extras.sharpen.quantities import Derived, at
from dualgap.extras.sharpen.symbols import Expr, Key
from dualgap.extras.sharpen.world import Facts, Terms

ONE = Fraction(1)
MISSING = 'dualgap sharpen needs Clarabel, which is not installed: pip install "dualgap[sharpen]"'


def require_solver() -> None:
    """Raise ValueError if Clarabel is not installed."""
    try:
        import_module("clarabel")
    except ImportError:
        raise ValueError(MISSING) from None


class Program:
    """The unknowns: first the parameters, then the multipliers of each target.

    Parameters
    ----------
    derived : targets, facts and parameters.
    fixed : parameters with a given value.
    least : a parameter to be minimised; None for any feasible point.
    """

    def __init__(self, derived: Derived, fixed: Mapping[str, Fraction] | None = None, least: str | None = None) -> None:
        self.derived = derived
        self.place = {name: k for k, name in enumerate(derived.parameters)}
        self.layout: list[tuple[list[int], list[dict[tuple[int, int], int]]]] = []
        equations: list[Form] = [{self.place[k]: ONE, None: -v} for k, v in (fixed or {}).items()]
        scalars: list[Form] = []
        matrices: list[tuple[int, Entries]] = []
        size = len(self.place)
        for t, facts in enumerate(derived.facts):
            count = len(facts["inequalities"]) + len(facts["equalities"])
            multipliers, size = list(range(size, size + count)), size + count
            blocks = []
            for M in facts["matrices"]:
                pairs = list(combinations_with_replacement(range(len(M)), 2))
                blocks.append({pair: size + k for k, pair in enumerate(pairs)})
                size += len(pairs)
            self.layout.append((multipliers, blocks))
            scalars.extend({k: ONE} for k in multipliers[: len(facts["inequalities"])])
            matrices += [(len(M), {ij: {k: ONE} for ij, k in b.items()}) for M, b in zip(facts["matrices"], blocks)]
            cancelled, forms = self._left_over(t)
            equations += cancelled
            matrices += forms
        objective: Form = {} if least is None else {self.place[least]: ONE}
        self.cone = Cone(size, equations, scalars, matrices, objective)

    def _left_over(self, t: int) -> tuple[list[Form], list[tuple[int, Entries]]]:
        """Return what must cancel of a target, and the forms that are left over, one for each space.

        Function values cancel, and so do products with vectors whose square cannot be left over.
        """
        rest = self._rest(t)
        equations, forms = [row for key, row in rest.items() if key[0] != "G"], []
        for vectors in members(self.derived.facts[t]["space"]).values():
            live = [j for j in vectors if ("G", j, j) in rest]
            place = {j: k for k, j in enumerate(live)}
            entries: Entries = {}
            for i, j in combinations_with_replacement(vectors, 2):
                row = rest.get(("G", i, j), {})
                if i in place and j in place:
                    entries[place[i], place[j]] = row if i == j else {u: c / 2 for u, c in row.items()}
                elif row:
                    equations.append(row)
            forms.append((len(live), entries))
        return equations, forms

    def _rest(self, t: int) -> dict[Key, Form]:
        """Return the remainder of a target as affine functions of the unknowns."""
        rest: dict[Key, Form] = {}

        def add(terms: Terms, unknown: int | None, factor: int) -> None:
            for key, c in terms.items():
                row = rest.setdefault(key, {})
                row[unknown] = row.get(unknown, Fraction(0)) + factor * c

        (constant, parts), facts, (multipliers, blocks) = self.derived.targets[t], self.derived.facts[t], self.layout[t]
        add(constant.terms, None, 1)
        for name, part in parts.items():
            add(part.terms, self.place[name], 1)
        for k, terms in zip(multipliers, [*facts["inequalities"], *facts["equalities"]]):
            add(terms, k, -1)
        for block, M in zip(blocks, facts["matrices"]):
            for (i, j), k in block.items():
                add(M[i][j], k, -1)
                if i != j:
                    add(M[j][i], k, -1)
        return {key: row for key, row in rest.items() if any(row.values())}

    def proofs(self, x: Point) -> tuple[dict[str, Fraction], list[tuple[Terms, Facts, Record]]]:
        """Return the parameters, and of each target its terms, its facts and its multipliers."""
        parameters = {name: x[k] for name, k in self.place.items()}
        found = []
        for target, facts, (multipliers, blocks) in zip(self.derived.targets, self.derived.facts, self.layout):
            n = len(facts["inequalities"])
            values: Sequence[Fraction] = [x[k] for k in multipliers]
            matrices: list[Matrix] = [
                [[x[b[min(i, j), max(i, j)]] for j in range(len(M))] for i in range(len(M))]
                for M, b in zip(facts["matrices"], blocks)
            ]
            record: Record = {"inequalities": values[:n], "equalities": values[n:], "matrices": matrices}
            found.append(((Expr({}) + at(target, parameters)).terms, facts, record))
        return parameters, found
