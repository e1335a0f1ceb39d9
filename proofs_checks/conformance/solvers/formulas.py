"""Check the formulas of any object against each other: value, gradient, conjugate, prox and others, where it has them.

``value`` is taken as given, and the others follow from it:

- value              finite at every point of the object's range
- gradient           between the one-sided difference quotients of the value
- second_derivative  the same of the gradient, in one dimension
- lipschitz          |gradient(x) - gradient(z)| <= L |x - z|
- conjugate          f*(u) >= u^T z - f(z), and equal at u = gradient(z) if f is convex at the points
- in_domain          contains every gradient, and f* is finite in it and infinite or an error outside
- prox               no tried point has a smaller f(z) + |z - x|^2/(2 step)
- dual_step          no tried point has a smaller f*(a) - a z + (q/2)(a - alpha)^2

Every float that the object returns stands for all numbers within ``ACCURACY`` times the largest number in the call (at
least 1), and each relation is evaluated in intervals. A finding therefore holds whatever the rounding errors of an
accurate formula are. Fractions and integers are exact. A loss or a regularizer of this package is checked by
``check_loss`` or ``check_regularizer``.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from dualgap.proofs_checks.claims.by_hypothesis import smallest
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.reference import check_loss, check_regularizer
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Interval, Undecided
from dualgap.reference.problem.check_loss import Finding
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.regularizers import Regularizer

ACCURACY = Fraction(1, 2**40)  # of the largest number in a call: 2^12 times the rounding of a double
STEPS = tuple(2.0**-k for k in (8, 13, 18))  # of difference quotients: a wrong derivative is one for each
AWAY = tuple(sign * 2.0**-k for k in range(0, 17, 2) for sign in (1, -1))  # of a minimizer, where it is tested
FAR = 1e6  # the largest number that is drawn
EXAMPLES = 100  # points that are drawn for each formula
MOST = 3  # numbers of a point
# formula: what an object must have for it, and the formulas that must be right for it to be checked
TABLE: dict[str, tuple[set[str], set[str]]] = {
    "value": (set(), set()),
    "gradient": ({"value"}, {"value"}),
    "second_derivative": ({"gradient"}, {"value", "gradient"}),
    "lipschitz": ({"gradient"}, {"value", "gradient"}),
    "conjugate": ({"value"}, {"value", "gradient"}),
    "in_domain": (set(), {"gradient", "conjugate"}),
    "prox": ({"value"}, {"value"}),
    "dual_step": ({"conjugate"}, {"conjugate", "in_domain"}),
}
FORMULAS = tuple(TABLE)

Point = tuple[float, ...]


class FormulaFinding(Finding):
    """One contradiction between the formulas of an object."""

    def __str__(self) -> str:
        return f"{self.loss}, {self.formula}: {self.text}"


def formulas_of(thing: object) -> list[str]:
    """The names of the formulas of an object that can be checked, each after those that it needs."""
    has = {name for name in FORMULAS if getattr(thing, name, None) is not None}
    has -= {"second_derivative"} if getattr(thing, "dimension", 1) != 1 else set()
    found = [name for name in FORMULAS if name in has and has >= TABLE[name][0]]
    if not has & {"gradient", "conjugate"}:
        found = [name for name in found if name != "in_domain"]
    return [] if found == ["value"] else found


def check_formulas(thing: object, name: str = "") -> list[Finding]:
    """Return what is wrong with an object's formulas: at most one finding for each formula.

    Parameters
    ----------
    thing : an object with some of FORMULAS. ``dimension`` (1 to 3, default 1) is the length of a point, and ``low`` and
        ``high`` bound its numbers. In one dimension a point is a number, otherwise a list of numbers.
    name : what a finding calls it; default its class.

    Raises
    ------
    ValueError
        There are no two formulas that can contradict each other, or ``dimension``, ``low`` or ``high`` is not valid.

    >>> class Square:
    ...     value = staticmethod(lambda x: x * x)
    ...     gradient = staticmethod(lambda x: x)
    >>> print(*check_formulas(Square()))
    Square, gradient: at x = 1 it is 1, and value rises by 2 there
    """
    if isinstance(thing, Loss):
        return check_loss(thing)
    if isinstance(thing, Regularizer):
        return check_regularizer(thing)
    if not (has := formulas_of(thing)):
        raise ValueError(
            f"the object must have value and one of {', '.join(FORMULAS[1:])}, or in_domain and gradient or conjugate"
        )
    return list(_Formulas(thing, name or type(thing).__name__).findings(has))


class _Formulas:
    """One object and the rules."""

    def __init__(self, thing: Any, name: str) -> None:
        self.thing, self.name = thing, name
        self.d = getattr(thing, "dimension", 1)
        self.low, self.high = (float(getattr(thing, end, value)) for end, value in (("low", -8), ("high", 8)))
        least, most = max(self.low, -FAR), min(self.high, FAR)
        if self.d not in range(1, MOST + 1) or not least + 8 * STEPS[0] < most:
            raise ValueError(
                f"dimension must be 1 to {MOST}, and low + {8 * STEPS[0]:g} < high, both within {FAR:g} (got {self.d},"
                f" {self.low}, {self.high})"
            )
        inside = [x / 8 for x in range(-64, 65) if self.low < x / 8 < self.high]
        simple = sorted(inside or [(least + most) / 2], key=lambda x: (x % 1 != 0, abs(x), x < 0))
        drawn = st.floats(least, most, exclude_min=True, exclude_max=True)
        self.number = st.sampled_from(simple) | drawn.filter(lambda x: x == 0 or abs(x) > 2.0**-10)
        self.point = st.tuples(*[self.number] * self.d)

        self.has_gradient = getattr(thing, "gradient", None) is not None

    def findings(self, has: Iterable[str]) -> Iterator[Finding]:
        """At most one for each formula. A formula that depends on a wrong one is not checked."""
        wrong = set[str]()
        pair, one, step = st.tuples(self.point, self.point), st.tuples(self.point), st.sampled_from((1.0, 0.25, 2.0))
        rules: dict[str, tuple[st.SearchStrategy[object], Callable[..., str]]] = {
            "value": (one, lambda x: "" if self.call("value", x) else ""),
            "gradient": (one, lambda x: self.slopes("gradient", "value", x)),
            "second_derivative": (one, lambda x: self.slopes("second_derivative", "gradient", x)),
            "lipschitz": (pair, self.lipschitz),
            "conjugate": (pair, self.conjugate),
            "in_domain": (one, self.domain),
            "prox": (st.tuples(self.point, step), self.prox),
            "dual_step": (st.tuples(self.point, self.point, step), self.dual_step),
        }
        for formula in has:
            if not TABLE[formula][1] & wrong and (text := _smallest(*rules[formula])):
                wrong.add(formula)
                yield FormulaFinding(self.name, formula, text)

    # -- numbers -------------------------------------------------------------------------------------------------------

    def call(self, formula: str, *points: Point | float) -> list[Interval]:
        """The numbers that a formula gives, each as all that it may stand for. Raises ArithmeticError for no number."""
        result = getattr(self.thing, formula)(*(_plain(x, self.d) for x in points))
        numbers = list(result) if hasattr(result, "__len__") and getattr(result, "shape", None) != () else [result]
        if len(numbers) != (due := self.d if formula in ("gradient", "prox") else 1):
            raise ArithmeticError(f"it has {len(numbers)} numbers, not {due}")
        if any(not _exact(x) and not math.isfinite(x) for x in numbers):
            raise ArithmeticError(f"it is {_shown(numbers)}")
        largest = max([1.0, *(abs(float(x)) for x in (*numbers, *_flat(points)))])
        return [_wide(x, largest) for x in numbers]

    def one(self, formula: str, *points: Point | float) -> Interval:
        return self.call(formula, *points)[0]

    def floats(self, formula: str, *points: Point | float) -> Point:
        """A point that a formula gives."""
        return tuple(float(x.midpoint()) for x in self.call(formula, *points))

    # -- the rules: each returns what contradicts it, "" for nothing ---------------------------------------------------

    def slopes(self, slope: str, of: str, x: Point) -> str:
        """A derivative lies between the quotients to both sides, give or take four times what half the step changes."""
        given = self.call(slope, x)
        if not all(self.low < x_j - STEPS[0] and x_j + STEPS[0] < self.high for x_j in x):
            return ""
        for j, said in enumerate(given):
            quotients = [[self.quotient(of, x, j, s * h) for s in (1, -1)] for h in STEPS]
            halves = [[self.quotient(of, x, j, s * h / 2) for s in (1, -1)] for h in STEPS]
            if all(_outside(said, *one, *two) for one, two in zip(quotients, halves)):
                place = f"at x = {_shown(x)} it" if len(given) == 1 else f"at x = {_shown(x)} its entry {j}"
                return f"{place} is {_shown([said])}, and {of} rises by {_shown(halves[-1][:1])} there"
        return ""

    def quotient(self, of: str, x: Point, j: int, h: float) -> Interval:
        moved = (*x[:j], x[j] + h, *x[j + 1 :])
        return (self.one(of, moved) - self.one(of, x)) / Interval(Fraction(moved[j]) - Fraction(x[j]))

    def lipschitz(self, x: Point, z: Point) -> str:
        rises = _squared(self.call("gradient", x), self.call("gradient", z))
        constant = self.thing.lipschitz
        L = _wide(constant() if callable(constant) else constant, 1.0)
        if _surely(lambda: rises > L * L * _squared(_exactly(x), _exactly(z))):
            return f"{_shown([L])} is too small: between x = {_shown(x)} and {_shown(z)} the gradient changes by more"
        return ""

    def conjugate(self, u: Point, z: Point) -> str:
        u = self.floats("gradient", u) if self.has_gradient else u
        try:
            said = self.one("conjugate", u)
        except (ArithmeticError, ValueError):  # infinite
            return ""
        due = _inner(_exactly(u), _exactly(z)) - self.one("value", z)
        if _surely(lambda: said < due):
            return f"f*(u) = {_shown([said])} at u = {_shown(u)} is below u^T z - f(z) at z = {_shown(z)}"
        if self.has_gradient and self.convex(z):
            slope = self.floats("gradient", z)
            said, due = self.one("conjugate", slope), _inner(_exactly(slope), _exactly(z)) - self.one("value", z)
            if _surely(lambda: abs(said - due) > Fraction(1, 2**30)):
                at = f"at z = {_shown(z)}, where the gradient is u"
                return f"f*(u) = {_shown([said])} at u = {_shown(slope)}, and u^T z - f(z) = {_shown([due])} {at}"
        return ""

    def convex(self, z: Point) -> bool:
        """Return whether the tangent at z lies below f at the simple points."""
        at, slope = self.one("value", z), self.call("gradient", z)
        ends = (x for x in (self.low, self.high, z[0] - 1, z[0] + 1, 0.0) if self.low < x < self.high)
        others = [(*z[:j], x, *z[j + 1 :]) for x in ends for j in range(self.d)]
        steps = [[a - b for a, b in zip(_exactly(x), _exactly(z))] for x in others]
        gaps = [self.one("value", x) - at - _inner(slope, step) for x, step in zip(others, steps)]
        return not any(_surely(lambda gap=gap: gap < 0) for gap in gaps)  # type: ignore[misc]

    def domain(self, x: Point) -> str:
        if self.has_gradient:
            slope = self.floats("gradient", x)
            if not self.thing.in_domain(_plain(slope, self.d)):
                return f"it does not contain the gradient {_shown(slope)} at x = {_shown(x)}"
        if getattr(self.thing, "conjugate", None) is None:
            return ""
        try:
            finite = math.isfinite(self.thing.conjugate(_plain(x, self.d)))
        except (ArithmeticError, ValueError):
            finite = False
        if finite != bool(self.thing.in_domain(_plain(x, self.d))):
            return f"f* is {'finite' if finite else 'infinite'} at u = {_shown(x)}, and in_domain says the opposite"
        return ""

    def prox(self, x: Point, step: float) -> str:
        def objective(z: Point) -> Interval:
            return self.one("value", z) + _squared(_exactly(z), _exactly(x)) / Interval(Fraction(2 * step))

        at = f"x = {_shown(x)}, step = {_shown([step])}"
        return self.minimizer(objective, self.floats("prox", x, step), [x, (0.0,) * self.d], at)

    def dual_step(self, z: Point, alpha: Point, q: float) -> str:
        def objective(a: Point) -> Interval:
            near = _squared(_exactly(a), _exactly(alpha)) * Interval(Fraction(q)) / 2
            return self.one("conjugate", a) - _inner(_exactly(a), _exactly(z)) + near

        best = self.floats("dual_step", z, alpha, q)
        try:
            self.one("conjugate", alpha)
        except (ArithmeticError, ValueError):  # not a point of the domain
            return ""
        at = f"z = {_shown(z)}, alpha = {_shown(alpha)}, q = {_shown([q])}"
        return self.minimizer(objective, best, [alpha], at)

    def minimizer(self, objective: Callable[[Point], Interval], best: Point, others: list[Point], at: str) -> str:
        """A point with a smaller objective, in words."""
        near = [(*best[:j], best[j] + h, *best[j + 1 :]) for h in AWAY for j in range(self.d)]
        least = objective(best)
        for z in (*others, *near):
            try:
                found = objective(z)
            except (ArithmeticError, ValueError):  # outside the domain
                continue
            if _surely(lambda found=found: found < least):  # type: ignore[misc]
                gives = f"{_shown(z)} gives {_shown([found])}, it gives {_shown([least])}"
                return f"{_shown(best)} at {at} is no minimizer: {gives}"
        return ""


def _smallest(drawn: st.SearchStrategy[Any], rule: Callable[..., str]) -> str:
    """Return the error of a rule at the smallest point that Hypothesis finds; "" if it finds none."""

    def text(given: tuple[object, ...]) -> str:
        try:
            with staying():
                return rule(*given)
        except Exception as error:  # of another program
            return f"at {_shown([x for x in _flat(given)])}: {error or type(error).__name__}"

    found = smallest(drawn, lambda given: bool(text(given)), 1, EXAMPLES)
    return "" if found is None else text(found)


def _outside(said: Interval, forward: Interval, backward: Interval, *halves: Interval) -> bool:
    """Return whether a slope is surely below or above both quotients, widened by four times what half the step
    changes."""
    change = 4 * (abs(forward - halves[0]) + abs(backward - halves[1]))
    low, high = ([q + sign * change for q in halves] for sign in (-1, 1))
    return _surely(lambda: all(said < q for q in low)) or _surely(lambda: all(said > q for q in high))


def _surely(question: Callable[[], bool]) -> bool:
    """Return whether the answer is yes for all numbers that the intervals stand for."""
    try:
        return question()
    except Undecided:
        return False


def _exact(x: object) -> bool:
    return isinstance(x, (int, Fraction)) and not isinstance(x, bool)


def _wide(x: Number, largest: float) -> Interval:
    if _exact(x):
        return Interval(x)
    error = ACCURACY * Fraction(largest)
    return Interval.hull(Fraction(float(x)) - error, Fraction(float(x)) + error)


def _plain(x: object, d: int) -> Any:
    """A point as the object gets it."""
    return x if not isinstance(x, tuple) else x[0] if d == 1 else list(x)


def _flat(given: Iterable[Any]) -> list[float]:
    return [x for one in given for x in (one if isinstance(one, tuple) else (one,))]


def _exactly(x: Point) -> list[Interval]:
    return [Interval(Fraction(x_j)) for x_j in x]


def _inner(a: Sequence[Interval], b: Sequence[Interval]) -> Interval:
    return sum((x * y for x, y in zip(a, b)), start=Interval(0))


def _squared(a: Sequence[Interval], b: Sequence[Interval]) -> Interval:
    return sum(((x - y) * (x - y) for x, y in zip(a, b)), start=Interval(0))


def _shown(x: Sequence[Number]) -> str:
    """Numbers with six digits; one without brackets."""
    texts = [f"{float(one.midpoint() if isinstance(one, Interval) else one):.6g}" for one in x]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
