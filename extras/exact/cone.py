"""Cone programs with rational coefficients: an affine objective, equations, signs and semidefinite matrices.

An affine function of the unknowns y_0 .. y_{size-1} is a form: {unknown: coefficient, None: constant}. Everything
here is exact; ``floats`` solves the same program in floating point.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from dualgap.extras.exact.check_proof import semidefinite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ZERO, ONE = Fraction(0), Fraction(1)
Form = dict[int | None, Fraction]
Entries = dict[tuple[int, int], Form]  # the upper triangle of a symmetric matrix
Point = list[Fraction]


@dataclass
class Cone:
    """Minimise ``objective`` where ``equations`` are 0, ``scalars`` >= 0 and ``matrices`` (size, entries)
    semidefinite, in rational numbers, or in Q(sqrt(root)), or in any such field if root is 0."""

    size: int
    equations: list[Form]
    scalars: list[Form]
    matrices: list[tuple[int, Entries]]
    objective: Form
    root: int | None = None


def add_to(form: Form, other: Mapping[int | None, Fraction], factor: Fraction = ONE) -> None:
    """Add ``factor`` times another form, in place; coefficients that become 0 are removed."""
    for u, c in other.items():
        if new := form.get(u, ZERO) + factor * c:
            form[u] = new
        else:
            form.pop(u, None)


def value(form: Mapping[int | None, Fraction], y: Sequence[Fraction]) -> Fraction:
    """Return the value of a form at a point."""
    return sum((c * (1 if u is None else y[u]) for u, c in form.items()), ZERO)


def matrix_value(k: int, entries: Entries, y: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return the symmetric matrix of k rows at a point."""
    M = [[ZERO] * k for _ in range(k)]
    for (i, j), form in entries.items():
        M[i][j] = M[j][i] = value(form, y)
    return M


def refusals(cone: Cone, y: Sequence[Fraction]) -> list[str]:
    """Return why a point is not feasible; empty if every equation, sign and matrix holds exactly."""
    found = ["an equation does not hold"] if any(value(form, y) for form in cone.equations) else []
    if negative := sum(value(form, y) < 0 for form in cone.scalars):
        found.append(f"{negative} of {len(cone.scalars)} signs are wrong")
    for m, (k, entries) in enumerate(cone.matrices):
        if not semidefinite(matrix_value(k, entries, y)):
            found.append(f"matrix {m} of {k} rows is not semidefinite")
    return found


def eliminated(equations: Iterable[Form], order: Iterable[int]) -> dict[int, Form] | None:
    """Solve equations for pivots that come early in ``order``.

    Returns {pivot: form in the other unknowns}, or None if the equations contradict each other.
    """
    rank = {u: r for r, u in enumerate(order)}
    solved: dict[int, Form] = {}
    uses: dict[int | None, set[int]] = {}
    for equation in equations:
        row = {u: c for u, c in equation.items() if c}
        for u in [u for u in row if u in solved]:
            add_to(row, solved[u], row.pop(u))
        unknowns = [u for u in row if u is not None]
        if not unknowns:
            if row.get(None):
                return None
            continue
        pivot = min(unknowns, key=rank.__getitem__)
        c = row.pop(pivot)
        form: Form = {v: -d / c for v, d in row.items()}
        for other in list(uses.pop(pivot, ())):
            if (d := solved[other].pop(pivot, None)) is not None:
                add_to(solved[other], form, d)
                for v in form:
                    uses.setdefault(v, set()).add(other)
        solved[pivot] = form
        for v in form:
            uses.setdefault(v, set()).add(pivot)
    return solved


def elimination(cone: Cone, y: "Sequence[float | Fraction] | NDArray[np.float64]") -> dict[int, Form]:
    """Solve the equations: first for unknowns without a sign of their own, then for the largest at y, because they can
    change most without leaving the cone. Raises ValueError if the equations contradict each other."""
    signed = {u for form in cone.scalars if len(form) == 1 for u in form}
    solved = eliminated(cone.equations, sorted(range(cone.size), key=lambda u: (u in signed, -abs(float(y[u])))))
    if solved is None:
        raise ValueError("the equations contradict each other")
    return solved


def point_of(solved: Mapping[int, Form], y: Point) -> Point:
    """Return the point with the free unknowns of y, at which the equations hold."""
    point = list(y)
    for pivot, form in solved.items():
        point[pivot] = value(form, point)
    return point


def exact_point(
    cone: Cone, y: "Sequence[float] | NDArray[np.float64]", bits: int = 60
) -> tuple[Point | None, list[str]]:
    """Return an exact point near y, or None, and why there is none. The free unknowns are rounded to multiples of
    2^-bits, and the others are computed from the equations."""
    unit = 1 << bits
    try:
        point = point_of(elimination(cone, y), [Fraction(round(Fraction(float(v)) * unit), unit) for v in y])
    except ValueError as error:
        return None, [str(error)]
    reasons = refusals(cone, point)
    return (None, reasons) if reasons else (point, [])


def substituted(form: Form, solved: Mapping[int, Form]) -> Form:
    """Return the form with the solved unknowns replaced."""
    found: Form = {}
    for u, c in form.items():
        add_to(found, {u: ONE} if u is None or u not in solved else solved[u], c)
    return found
