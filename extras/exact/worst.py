"""Exact worst cases of a PEP: function values and a Gram matrix that satisfy all facts; and directions without end."""

import math
import time
from fractions import Fraction

import numpy as np

from dualgap.extras.exact.cone import ONE, ZERO
from dualgap.extras.exact.facts import UNIT, Facts, Terms, Units, invisible, units_of, without
from dualgap.extras.exact.floats import Array, Floats
from dualgap.extras.exact.optimum import minimised
from dualgap.extras.exact.programs import Primal

Worst = tuple[list[Fraction], list[list[Fraction]]]
ROUNDS = 8  # of changes of units in the search for a ray
VANISHING = (2.0**-40, 2.0**-40, 2.0**-4)  # in the first rounds, and from then on: see ``_new_units``


def worst_case(facts: Facts, units: Units | None = None, seconds: float = 20.0) -> tuple[Worst | None, str]:
    """Return exact function values and a Gram matrix with nearly the largest metric, and how; or None and the
    reason."""
    hidden = [] if units else invisible(facts)
    small = without(facts, hidden)
    units = units or units_of(small)
    primal = Primal(units.scaled(small))
    found = minimised(primal.cone, Fraction(2) ** units.values[facts.metric], time.monotonic() + seconds)
    if found.point is None:
        return None, "; ".join(found.why)
    return units.point(*primal.values(found.point), hidden), found.how


def ray(facts: Facts) -> tuple[Worst | None, str]:
    """Return an exact direction of the feasible set along which the metric grows, and how; or None and the reason.

    A PEP that has a feasible point and such a direction is unbounded, so no bound is true. Potentials and Lyapunov
    functions are of this kind: 0 is feasible, and every violation can be scaled up. The directions have no scale, so
    the unit of each point becomes its norm in the last solution, until the largest metric no longer changes.
    """
    points, value, last = [0] * facts.points, 0, 0.0
    for n in range(ROUNDS):
        normalised = _normalised(facts, points)
        units = _balanced(normalised, points, value)
        primal = Primal(units.scaled(normalised))
        y, _ = Floats(primal.cone).solve()
        metric = float(y[facts.metric])
        if not np.isfinite(y).all() or abs(metric - last) < 1e-6 * metric:
            break
        points, value, last = *_new_units(primal, y, points, value, VANISHING[min(n, 2)]), metric
    found, how = worst_case(normalised, units)
    if found and found[0][facts.metric] > 0:
        return found, how
    return None, how if found is None else "the metric does not grow along any direction that was found"


def _normalised(facts: Facts, points: list[int]) -> Facts:
    """Return the facts about directions: without constants, and with a sum of squared norms that is at most 1."""
    flat = facts.changed(lambda terms: {key: c for key, c in terms.items() if key != UNIT})
    size: Terms = {("G", j, j): -(Fraction(4) ** -points[j]) for j in range(facts.points)} | {UNIT: ONE}
    flat.inequalities = [flat.inequalities[0], *filter(None, flat.inequalities[1:]), size]
    flat.equalities = [terms for terms in flat.equalities if terms]
    return flat


def _balanced(facts: Facts, points: list[int], value: int) -> Units:
    """Return units with the largest coefficient of each scalar fact near 1."""
    scalars = len(facts.inequalities) + len(facts.equalities)
    units = Units(points, [value] * facts.values, [0] * scalars, [[0] * len(M) for M in facts.matrices])
    scaled = units.scaled(facts)
    units.rows = [-round(math.log2(max(map(abs, t.values())))) for t in [*scaled.inequalities, *scaled.equalities]]
    return units


def _new_units(primal: Primal, y: Array, points: list[int], value: int, vanishing: float) -> tuple[list[int], int]:
    """Return units in which the norms of the points, and the spread of the function values, are near 1.

    The unit of the largest point is 1. A norm below ``vanishing`` times the largest counts as 0: such a point gets the
    smallest unit of the others.
    """
    facts = primal.facts
    norms = [math.sqrt(max(float(y[primal.place["G", j, j]]), 1e-300)) for j in range(facts.points)]
    sizes = [round(p + math.log2(norm)) for p, norm in zip(points, norms)]
    least = min(size for size, norm in zip(sizes, norms) if norm >= vanishing * max(norms))
    F = np.delete(y[: facts.values], facts.metric)
    spread = float(F.max() - F.min()) if len(F) else 0.0
    shift = round(math.log2(spread)) if spread > 0 else 0
    return [max(size, least) - max(sizes) for size in sizes], value + shift - 2 * max(sizes)


def feasible_point(facts: Facts) -> Worst | None:
    """Return 0 if all facts hold there, or else a feasible point that a search finds."""
    zero = [ZERO] * facts.values, [[ZERO] * facts.points for _ in range(facts.points)]
    constants = [t.get(UNIT, ZERO) for t in facts.inequalities], [t.get(UNIT, ZERO) for t in facts.equalities]
    in_matrices = any(UNIT in t for M in facts.matrices for row in M for t in row)
    if min(constants[0]) >= 0 and not any(constants[1]) and not in_matrices:
        return zero
    bounded = facts.changed(dict)
    bounded.inequalities.append({("G", j, j): -ONE for j in range(facts.points)} | {UNIT: Fraction(10**6)})
    return worst_case(bounded)[0]
