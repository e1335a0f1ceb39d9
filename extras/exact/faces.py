"""Faces of a cone program, and exact points on them near points in floats.

At an optimum every proof is degenerate, and many problems have no strictly feasible multipliers at all. Both are
faces of the cone: some scalars are 0, and some vectors are in the kernel of a matrix. On its face the program has an
interior again, and rounding succeeds there. Floats suggest faces; ``cone.refusals`` decides.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from dualgap.extras.exact.barrier import central
from dualgap.extras.exact.cone import (
    ONE,
    Cone,
    Entries,
    Form,
    Point,
    add_to,
    eliminated,
    exact_point,
    substituted,
    value,
)
from dualgap.extras.exact.floats import Array, Floats
from dualgap.extras.exact.polish import Optimum, polish
from dualgap.extras.exact.roots import Number, near

# Denominators that are tried, and how close a float must be to such a rational.
SHARP = ((20, 1e-9), (500, 1e-9), (10_000, 1e-10), (10**6, 1e-12))
COARSE = ((1, 2e-2), (2, 3e-3), (6, 1e-3), (30, 4e-4), (1000, 1e-6))
LONGEST = 2**128  # denominator of an optimum; larger ones come from rounded roots
TIGHT = -36  # logarithm of the part of an inner point that is small enough
MANY = 500  # smaller denominators are tried before square roots
Sizes = tuple[tuple[int, float], ...]


@dataclass
class Inside:
    """A face and its floats, a point strictly inside it (None if none was found), and how it was reached."""

    cone: Cone
    floats: Floats
    point: Array | None
    notes: list[str]


def near_zero(cone: Cone, floats: Floats, y: Array, threshold: float, sizes: Sizes) -> list[Form] | None:
    """Return equations of the face on which all that is below ``threshold`` at y is 0; None if a vector is no small
    rational."""
    scale = max(1.0, float(np.abs(y).max()))
    equations = [form for form, x in zip(cone.scalars, floats.S @ y + floats.s) if x < threshold * scale]
    for (k, entries), block in zip(cone.matrices, floats.blocks):
        if not k:
            continue
        eigenvalues, U = np.linalg.eigh(block.at(y))
        kernel = U[:, eigenvalues < threshold * max(1.0, eigenvalues.max())]
        if not _vanish(equations, k, entries, kernel, sizes, cone.root):
            return None
    return equations


def of_optimum(cone: Cone, optimum: Optimum) -> list[Form] | None:
    """Return equations of the face of a polished optimum; None if a vector is no small rational."""
    equations = [form for form, active in zip(cone.scalars, optimum.active) if active]
    for (k, entries), V in zip(cone.matrices, optimum.V):
        if V.size and not _vanish(equations, k, entries, V, SHARP, cone.root):
            if not cone.root:
                return None
            _vanish(equations, k, entries, V, SHARP, cone.root, decay=1e-3)  # a part of the kernel may suffice
    return equations


def forced(cone: Cone, wide: Floats, y: Array, threshold: float = 1e-3) -> list[Form] | None:
    """Return equations that every feasible point satisfies, if no point is strictly inside.

    The multipliers of the widest margin, which is at y, name scalars that are always 0, and vectors on which matrices
    always vanish. Where these are no coarse rationals, the solution is polished.
    """
    u, matrices = wide.multipliers()
    scale = max([u.max(initial=0), *(np.abs(W).max(initial=0) for W in matrices)])
    equations = [form for form, x in zip(cone.scalars, u) if x > threshold * scale]
    for (k, entries), W in zip(cone.matrices, matrices):
        if not k:
            continue
        eigenvalues, U = np.linalg.eigh(W)
        if cone.root or not _vanish(equations, k, entries, U[:, eigenvalues > threshold * scale], COARSE, None):
            optimum = polish(wide, y)
            return of_optimum(cone, optimum) if optimum else None
    return equations


def _vanish(
    equations: list[Form], k: int, entries: Entries, kernel: Array, sizes: Sizes, root: int | None, decay: float = 1.0
) -> bool:
    """Add "matrix times v = 0" for an exact basis v of the columns; False if a vector is not recognised."""
    basis = echelon(kernel, sizes, root, decay)
    for v in filter(None, basis):
        for i in range(k):
            row: Form = {}
            for j in range(k):
                if v[j]:
                    add_to(row, entries.get((min(i, j), max(i, j)), {}), v[j])
            if row:
                equations.append(row)
    return None not in basis


def echelon(columns: Array, sizes: Sizes, root: int | None = None, decay: float = 1.0) -> list[list[Number] | None]:
    """Return a basis of the column space with small entries; None in place of a vector that is not recognised.

    Complete pivoting keeps the entries small; with a small ``decay``, early entries are pivots.
    """
    weights = decay ** np.arange(len(columns))
    A = columns.T.copy()
    for row in range(len(A)):
        rest = np.abs(A[row:])
        i, j = map(int, np.unravel_index(np.argmax(rest * weights), rest.shape))
        if rest[i, j] < 1e-9:
            A = A[:row]
            break
        A[[row, row + i]] = A[[row + i, row]]
        A[row] /= A[row, j]
        others = np.arange(len(A)) != row
        A[others] -= np.outer(A[others, j], A[row])
    found: list[list[Number] | None] = []
    for vector in A:
        entries = [_small(float(x), sizes, root) for x in vector]
        found.append(None if None in entries else entries)
    return found


def _small(x: float, sizes: Sizes, root: int | None) -> Number | None:
    """Return the first small number that is close enough to x; with a root, its field replaces large denominators."""
    for denominator, closeness in sizes:
        if root and denominator > MANY:
            return near(x, root, 1 - round(math.log10(sizes[-1][1])))
        if abs(float(q := Fraction(x).limit_denominator(denominator)) - x) < closeness:
            return q
    return None


def candidates(cone: Cone, floats: Floats, y: Array, optimum: Optimum | None) -> Iterator[list[Form] | None]:
    """Yield guesses of the face of the optimum."""
    if optimum:
        yield of_optimum(cone, optimum)
    for threshold in (1e-9, 1e-7) if optimum else (1e-7, 1e-6, 1e-5, 1e-4, 1e-8):
        yield near_zero(cone, floats, y, threshold, SHARP if optimum else COARSE)


def is_at(cone: Cone, face: list[Form], least: float) -> bool:
    """Return whether the objective is the same number, close to ``least`` and not long, at all points of a face."""
    solved = eliminated([*face, *cone.equations], range(cone.size))
    rest = {} if solved is None else substituted(cone.objective, solved)
    if rest.keys() != {None} or rest[None].denominator > LONGEST:
        return False
    return abs(float(rest[None]) - least) < 1e-9 * abs(least)


def restricted(cone: Cone, face: list[Form]) -> Cone | None:
    """Return the program on a face, without what vanishes there, so that it has an interior again; None if it is empty.

    A matrix with null vectors is semidefinite if a principal block of full rank is.
    """
    solved = eliminated([*face, *cone.equations], range(cone.size))
    if solved is None:
        return None
    removed = {frozenset(form.items()) for form in face}
    scalars = [f for f in cone.scalars if frozenset(f.items()) not in removed and substituted(f, solved)]
    points = np.random.default_rng(0).standard_normal((3, cone.size))
    matrices = []
    for k, entries in cone.matrices:
        small = {place: substituted(form, solved) for place, form in entries.items()}
        wide = np.zeros((k, 3 * k))
        for ((i, j), form), (p, y) in product(small.items(), enumerate(points)):
            x = sum(float(c) * (1.0 if u is None else y[u]) for u, c in form.items())
            wide[i, p * k + j] = wide[j, p * k + i] = x
        kept: list[int] = []
        for i in range(k):
            if np.linalg.matrix_rank(wide[[*kept, i]], tol=1e-9) > len(kept):
                kept.append(i)
        places = [(a, b) for b in range(len(kept)) for a in range(b + 1)]
        matrices.append((len(kept), {(a, b): entries.get((kept[a], kept[b]), {}) for a, b in places}))
    return Cone(cone.size, [*cone.equations, *face], scalars, matrices, cone.objective, cone.root)


def interior(cone: Cone, ceiling: float, rounds: int = 8, deadline: float = float("inf")) -> Inside:
    """Return the smallest face that holds all points, with a point strictly inside it."""
    notes: list[str] = []
    for _ in range(rounds):
        floats = Floats(cone)
        wide = floats.widened(ceiling)
        y = wide.solve(1e-10)[0]
        margin = float(y[-1])
        if margin > 1e-8:
            return Inside(cone, floats, y[:-1], notes)
        if not margin >= -1e-5 or time.monotonic() > deadline:
            return Inside(cone, floats, None, [*notes, f"there is no point inside (margin {margin:.1e})"])
        equations = forced(cone, wide, y)
        smaller = restricted(cone, equations) if equations else None
        if smaller is None:
            return Inside(cone, floats, None, [*notes, f"the face at margin {margin:.1e} is not recognised"])
        notes.append(f"a face of {len(equations or ())} equations")
        cone = smaller
    return Inside(cone, floats, None, [*notes, "there are too many faces"])


def with_margin(
    inside: Inside, best: Array | None, optimum: float, deadline: float
) -> tuple[Point | None, str, list[str]]:
    """Return the best exact point that was found, how, and why there is none.

    First comes a mixture (1 - eps) best + eps inner point for the smallest eps. If eps is not tiny, or if there is no
    best point, the central path follows, and for a path that had no time, a point inside a low ceiling.
    """
    assert inside.point is not None
    cone, floats = inside.cone, inside.floats
    point, power, reasons = (None, 0, []) if best is None else _mixture(inside, floats.onto(best), deadline)
    found = [(point, f"margin 2^{power}")] if point else []
    if point and power < TIGHT:
        return *found[0], []
    scale = max(abs(optimum), 1e-2)
    point, reasons = central(cone, inside.point, scale, deadline)
    found += [(point, "central path")] if point else []
    for k in range(30, 0, -3):
        low = any(float(value(cone.objective, one)) < optimum + scale * 2.0**-k for one, _ in found)
        if low or (found and time.monotonic() > deadline):
            break
        y, margin = floats.widest(optimum + scale * 2.0**-k)
        if margin > 0 and np.isfinite(y).all() and floats.least(y := floats.onto(y)) > 1e-15:
            point, reasons = exact_point(cone, y)
            if point:
                found.append((point, f"ceiling 2^-{k}"))
                break
    point, how = min(found, key=lambda pair: value(cone.objective, pair[0]), default=(None, ""))
    return point, how, [] if point else reasons


def _mixture(inside: Inside, base: Array, deadline: float) -> tuple[Point | None, int, list[str]]:
    """Return the exact point for the smallest eps = 2^power, its power, and why there is none."""
    reasons: list[str] = []
    assert inside.point is not None
    for power in range(-44, 0, 2):
        eps = 2.0**power
        y = inside.floats.onto((1 - eps) * base + eps * inside.point)
        if inside.floats.least(y) <= 1e-15:
            continue
        if time.monotonic() > deadline:
            return None, 0, [*reasons, "the time is over"]
        point, reasons = exact_point(inside.cone, y)
        if point:
            return point, power, []
    return None, 0, reasons


def constant(unknown: int, at: Fraction) -> Form:
    """Return the equation: this unknown is ``at``."""
    return {unknown: ONE, None: -at} if at else {unknown: ONE}
