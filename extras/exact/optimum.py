"""The exact optimum of a cone program, or an exact point close to it."""

import time
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dualgap.extras.exact.cone import ONE, ZERO, Cone, Form, Point, add_to, exact_point, refusals
from dualgap.extras.exact.faces import Inside, candidates, interior, is_at, restricted, with_margin
from dualgap.extras.exact.floats import Array, Floats
from dualgap.extras.exact.polish import CONVERGED, Optimum, polish
from dualgap.extras.exact.roots import Number, Root, near

ZERO_BELOW = 1e-9  # an optimum in floats that may be exactly 0
USABLE = ("Solved", "AlmostSolved", "InsufficientProgress", "MaxIterations", "NumericalError")


@dataclass
class Found:
    """What a search found.

    Attributes
    ----------
    point : a feasible point, or None.
    how : "exact optimum", or how far the point is from it.
    why : why there is no point.
    notes : faces that were used, and why the point is not the exact optimum.
    polished : whether the floats converged, so that another attempt would find nothing better.
    """

    point: Point | None
    how: str = ""
    why: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    polished: bool = False


def minimised(cone: Cone, unit: Fraction = ONE, deadline: float = float("inf")) -> Found:
    """Return an exact point whose objective is small; the optimum itself if its objective times ``unit`` is short."""
    y, status = Floats(cone).solve()
    if status not in USABLE:
        return Found(None, why=[f"the solver found no point ({status})"])
    ceiling = _above(float(Floats(cone).c @ y) + float(cone.objective.get(None, ZERO)))
    inside = interior(cone, ceiling, deadline=deadline)
    if inside.point is None:
        inside = Inside(cone, Floats(cone), None, inside.notes)
    y = inside.floats.solve()[0]
    optimum = polish(inside.floats, y)
    change = float(inside.floats.c @ (optimum.y - y)) if optimum else 0.0
    if abs(change) > 1e-4 * max(abs(float(inside.floats.c @ y + inside.floats.c0)), 1e-2):
        optimum = None  # Newton's method ended at another solution of the conditions, which is no optimum
    y = optimum.y if optimum else y
    least = float(inside.floats.c @ y + inside.floats.c0)
    point, why = _at_small_number(inside, y, least, optimum, unit, deadline)
    found = Found(point, "exact optimum", why, inside.notes, optimum is not None)
    if point is None and inside.point is not None:
        found.notes = [*inside.notes, *why]
        found.point, found.how, found.why = with_margin(
            inside, y if optimum and optimum.residual < CONVERGED else None, least, deadline
        )
    if found.point and (refused := refusals(cone, found.point)):
        found.point, found.why = None, refused
    return found


def feasible(cone: Cone, deadline: float = float("inf")) -> Found:
    """Return an exact feasible point of a program without an objective."""
    inside = interior(cone, 1.0, deadline=deadline)
    if inside.point is None:
        return Found(None, why=inside.notes)
    point, why = exact_point(inside.cone, inside.floats.onto(inside.point))
    return Found(point if point and not refusals(cone, point) else None, "", why, inside.notes)


def _above(least: float) -> float:
    return least + max(abs(least), 1e-2)


def _at_small_number(
    inside: Inside, y: Array, least: float, optimum: Optimum | None, unit: Fraction, deadline: float
) -> tuple[Point | None, list[str]]:
    """Return a point at which the objective is exactly a small number, on a face that floats suggest; or why not.

    Without a small number near ``least``, a face counts if the objective is the same at all of its points.
    """
    why = ["the optimum is not recognised"]
    guess: Number | None = ZERO
    if abs(least) > ZERO_BELOW:
        scaled, root = least * float(unit), inside.cone.root
        guess = small_rational(scaled, optimum is not None)
        if guess is None and optimum and root is not None:
            guess = near(scaled, root)
    cone = replace(inside.cone, root=guess.d) if isinstance(guess, Root) else inside.cone
    at_guess: Form = dict(cone.objective)
    add_to(at_guess, {None: ZERO if guess is None else -guess / unit})
    for face in candidates(cone, inside.floats, y, optimum):
        if time.monotonic() > deadline:
            return None, [*why, "the time is over"]
        if guess is None and (optimum is None or face is None or not is_at(cone, face, least)):
            continue
        small = None if face is None else restricted(cone, face if guess is None else [*face, at_guess])
        if small is None:
            why = [f"at {guess} the face of the optimum is not recognised"]
            continue
        narrow = interior(small, _above(least), rounds=4, deadline=deadline)
        if narrow.point is None:
            why = [f"at {guess}: " + "; ".join(narrow.notes)]
            if optimum is None:
                continue
        start = y if narrow.point is None else narrow.point
        point, why = exact_point(narrow.cone, narrow.floats.onto(start))
        if point and not refusals(cone, point):
            return point, []
    return None, why


def small_rational(x: float, sharp: bool) -> Fraction | None:
    """Return the first continued fraction that agrees with x != 0 to 12 (or 7) digits and is far shorter; or None."""
    close, bits = (2e-13, 36) if sharp else (2e-8, 16)
    rest, (h, k), (h1, k1) = Fraction(x), (1, 0), (0, 1)
    while True:
        whole = rest.numerator // rest.denominator
        h, h1, k, k1 = whole * h + h1, h, whole * k + k1, k
        if abs(h).bit_length() + k.bit_length() > bits:
            return None
        if abs(Fraction(h, k) - Fraction(x)) < close * abs(x):
            return Fraction(h, k)
        rest = 1 / (rest - whole)
