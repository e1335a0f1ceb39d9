"""Check that the formulas of a loss are consistent. Each is evaluated at many points, in rationals or, for irrational
values, in intervals.

The value is taken as given, and the others follow from it (phi convex, z, y, q rationals, a in the domain):

- derivative    d is a subgradient at z:  phi(x) - phi(z) >= d (x - z) for all x, those next to z among them
- domain        holds every d, and FY(z, a) = phi(z) + phi*(a) - a z >= 0 for every a in it, far out in z, too
- conjugate     phi*(d) = d z - phi(z)
- gamma         gamma (d(x) - d(z)) <= x - z for x > z, and no larger gamma would do at these points
- dual step     a+ = argmin_a phi*(a) - a z + (q/2)(a - alpha)^2 is the a+ in the domain with FY(z - q (a+ - alpha), a+)
  = 0
- residual      phi(z) + phi*(a) - a z

Each finding is a point at which the formulas contradict each other. No finding is not a proof that they are consistent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from dualgap.reference.numbers.arithmetic import Number, NumberType
from dualgap.reference.numbers.interval import Interval, Undecided, digits
from dualgap.reference.problem.losses import LOSSES, Loss

Q = Fraction
FAR = (Q(10**3), Q(10**6))  # two points where phi looks like its slopes' ends
DIGITS = 40  # of intervals
FAR_IN_INTERVALS = (Q(20), Q(40))  # 1 - e^-40 is known with 40 digits
NEAR = Q(1, 10**6)  # how far apart neighbours are that pin down a derivative
TARGETS, LABELS = (Q(-2), Q(1, 3), Q(1)), (Q(-1), Q(1))
STEPS = tuple(map(Q, ("0", "1/3", "2")))  # q
FORMULAS = ("number", "value", "derivative", "domain", "conjugate", "gamma", "gamma-small", "dual step", "residual")
BASE = {"number", "value", "derivative"}  # on which all others rest
UNSOUND = ("number", "value", "derivative", "domain", "conjugate", "gamma", "residual")  # on which certificates rest


@dataclass(frozen=True)
class Finding:
    """One contradiction: which formula, and where; ``str`` is one line."""

    loss: str
    formula: str  # number, value, derivative, domain, conjugate, gamma, gamma-small, dual step or residual
    text: str

    def __str__(self) -> str:
        return f"loss {self.loss!r}, {self.formula}: {self.text}"


def check_loss(loss: Loss | str) -> list[Finding]:
    """Return the contradictions of a loss, at most one finding for each formula; an empty list means that none was
    found.

    Parameters
    ----------
    loss : a loss, such as Huber(gamma=2), or the name of a registered one.

    Raises
    ------
    ValueError
        No loss is registered under that name.

    Examples
    --------
    >>> check_loss("smoothed-hinge")
    []
    >>> class Doubled(LOSSES["squared"]):
    ...     def conjugate(self, alpha, y):
    ...         return y * alpha + self.gamma * alpha * alpha
    >>> print(*check_loss(Doubled()), sep="; ")
    loss 'squared', conjugate: phi*(d) = 0 at d = phi'(0) = 2, y = -2, and d z - phi(z) = -2
    """
    given = LOSSES[loss]() if isinstance(loss, str) else loss
    return LossCheck(given).findings()


Rule = tuple[str, Callable[[], Iterator[str]], set[str]]  # a formula, what contradicts it, and the formulas it rests on


def contradictions(rules: Iterable[Rule]) -> dict[str, str]:
    """Formula to its first contradiction. A formula that rests on a wrong one is not checked."""
    found: dict[str, str] = {}
    for formula, rule, rests_on in rules:
        if not found.keys() & rests_on:
            try:
                text = next(rule(), None)
            except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, NotImplementedError) as error:
                text = f"it raises {type(error).__name__}: {error}"
            found |= {} if text is None else {formula: text}
    return found


class LossCheck:
    """Evaluate one loss at many points."""

    def __init__(self, loss: Loss) -> None:
        self.exact = loss.rational
        self.number: NumberType = Fraction if loss.rational else Interval
        with digits(DIGITS):
            self.loss = loss.over(self.number)
        self.labels = LABELS if loss.margin else TARGETS
        self.far = FAR if self.exact else FAR_IN_INTERVALS

    def findings(self, formulas: Iterable[str] = FORMULAS) -> list[Finding]:
        """At most one finding for each of these formulas. A formula that depends on a wrong one is not checked."""
        rules: list[Rule] = [
            ("number", self.numbers, set()),
            ("value", self.convex, {"number"}),
            ("derivative", self.subgradient, {"number", "value"}),
            ("domain", self.domain, BASE),
            ("conjugate", self.conjugate, BASE | {"domain"}),
            ("gamma", self.smooth, BASE),
            ("gamma-small", self.smoother, BASE | {"gamma"}),
            ("dual step", self.dual_step, BASE | {"domain", "conjugate"}),
            ("residual", self.residual, BASE | {"domain", "conjugate"}),
        ]
        with digits(DIGITS):
            found = contradictions([rule for rule in rules if rule[0] in formulas])
        return [Finding(self.loss.name, formula, text) for formula, text in found.items()]

    # -- the points ----------------------------------------------------------------------------------------------------

    def z(self, y: Q) -> list[Q]:
        """Points around y and around 0, kinks and their neighbours among them, in ascending order."""
        kinks = [_rational(k) for k in self.loss.kinks(self.n(y))]
        around = {centre + Q(k, 2) for centre in (Q(0), y) for k in range(-8, 9, 1 if self.exact else 4)} | {
            Q(1, 3),
            *kinks,
        }
        return sorted(
            around
            | {z + NEAR for z in around}
            | {z - NEAR for z in kinks}
            | {sign * z for z in self.far for sign in (-1, 1)}
        )

    def alphas(self, y: Q) -> list[Q]:
        """Points of the domain as ``ends`` states it, the ends included."""
        low, high = (None if end is None else Q(end) for end in self.loss.ends)
        first = low if low is not None else high - 4 if high is not None else Q(-2)
        last = high if high is not None else first + 4
        inside = [first + share * (last - first) for share in map(Q, ("0", "1/1000", "1/3", "1/2", "7/8", "1"))]
        return [-y * b if self.loss.margin else b for b in inside]

    def n(self, x: Q) -> Number:
        """x in the number of the check."""
        return x if self.exact else Interval(x)

    def phi(self, z: Q, y: Q) -> Number:
        return self.loss.value(self.n(z), self.n(y))

    def slope(self, z: Q, y: Q) -> Number:
        return self.loss.derivative(self.n(z), self.n(y))

    def FY(self, z: Number, a: Number, y: Q) -> Number:
        """phi(z) + phi*(a) - a z, by the definition."""
        return self.loss.value(z, self.n(y)) + self.loss.conjugate(a, self.n(y)) - a * z

    def surely(self, question: Callable[[], bool]) -> bool:
        """Return whether the answer is yes; in intervals, whether it is known to be."""
        try:
            return question()
        except Undecided:  # two sides that are equal, or nearly so
            return False

    # -- the rules: each yields what contradicts it --------------------------------------------------------------------

    def numbers(self) -> Iterator[str]:
        """Every formula gives numbers of the kind that it is given."""
        y, a = self.labels[-1], self.alphas(self.labels[-1])[2]
        z, q, kind = Q(1, 2), Q(1, 3), Fraction if self.exact else Interval
        asked = {
            "value": (z, y),
            "derivative": (z, y),
            "conjugate": (a, y),
            "dual_step": (z, a, y, q),
            "residual": (z, a, y),
        }
        for name, numbers in asked.items():
            result = getattr(self.loss, name)(*map(self.n, numbers))
            if not isinstance(result, (kind, int)):
                yield (
                    f"{name} gives {type(result).__name__} for {kind.__name__}; write + - * / and integers, e * e / 2"
                    " and not 0.5 * e * e"
                )

    def convex(self) -> Iterator[str]:
        """The chords' slopes do not decrease."""
        for y in self.labels:
            points = self.z(y)
            chords = [(z, x) for z, x in pairwise(points)]
            for (a, b), (_, c) in pairwise(chords):
                if self.surely(
                    lambda a=a, b=b, c=c, y=y: (  # type: ignore[misc]
                        (self.phi(b, y) - self.phi(a, y)) * (c - b) > (self.phi(c, y) - self.phi(b, y)) * (b - a)
                    )
                ):
                    yield f"phi is not convex: at z = {a}, {b}, {c}, y = {y} it is {self.shown(self.phi, a, b, c, y=y)}"

    def subgradient(self) -> Iterator[str]:
        """phi(x) >= phi(z) + d (x - z)."""
        for y in self.labels:
            points = self.z(y)
            for z in sorted(points, key=abs):
                for x in (z - NEAR, z + NEAR, points[0], Q(0), y, points[-1]):
                    if self.surely(lambda x=x, z=z, y=y: self.phi(x, y) < self.phi(z, y) + self.slope(z, y) * (x - z)):  # type: ignore[misc]
                        points = [y + k + Q(1, 3) for k in range(-6, 7)]
                        cause = likely_cause([(self.slope(at, y), self.rise(at, y)) for at in points])
                        yield (
                            f"phi'({z}) = {_shown(self.slope(z, y))} at y = {y}, and phi rises by"
                            f" {_shown(self.rise(z, y))} there{cause}"
                        )

    def rise(self, z: Q, y: Q) -> Number:
        """The slope of phi's chord to a neighbour of z."""
        step = NEAR / 10**6
        return (self.phi(z + step, y) - self.phi(z, y)) / step

    def domain(self) -> Iterator[str]:
        """It holds every derivative and nothing with FY < 0; ``ends`` says the same as ``in_domain``."""
        loss = self.loss
        for y in self.labels:
            for z in sorted(self.z(y), key=abs):
                if not loss.in_domain(self.slope(z, y), self.n(y)):
                    yield (
                        f"it does not hold phi'({z}) = {_shown(self.slope(z, y))}, y = {y}: too narrow ({loss.domain})"
                    )
            for a in self.alphas(y):
                if not loss.in_domain(self.n(a), self.n(y)):
                    yield f"ends = {loss.ends} holds alpha = {a}, y = {y}, and in_domain does not"
                outside = self.beyond(a, y)
                if outside is not None:
                    yield f"alpha = {a} is in it, y = {y}, and {outside}: too wide ({loss.domain})"
            for end, step in zip(loss.ends, (-1, 1)):
                if end is not None:
                    a = (end + step * NEAR) * (-y if loss.margin else 1)
                    if loss.in_domain(self.n(a), self.n(y)):
                        yield f"in_domain holds alpha = {a}, y = {y}, beyond ends = {loss.ends}"

    def beyond(self, a: Q, y: Q) -> str | None:
        """Why phi*(a) is infinite: a lies beyond the slopes of phi as far out as is looked, by more and more in FY."""
        for sign in (1, -1):
            inner, outer = (sign * z for z in self.far)
            first, last = (self.FY(self.n(z), self.n(a), y) for z in (inner, outer))
            falls = self.surely(
                lambda first=first, last=last: (  # type: ignore[misc]
                    last < 0 and first - last > NEAR * (self.far[1] - self.far[0])
                )
            )
            if falls and self.surely(lambda outer=outer, sign=sign: sign * (a - self.slope(outer, y)) > NEAR):  # type: ignore[misc]
                return f"phi' = {_shown(self.slope(outer, y))} even at z = {outer}, so a z - phi(z) has no bound"
        return None

    def conjugate(self) -> Iterator[str]:
        """phi*(d) = d z - phi(z) for d = phi'(z), and FY >= 0."""
        for y in self.labels:
            for z in sorted(self.z(y), key=abs):
                d = self.slope(z, y)
                if self.off(self.FY(self.n(z), d, y), scale=abs(z) + 1):
                    said, due = self.both_conjugates(z, y)
                    cause = likely_cause([self.both_conjugates(y + k + Q(1, 3), y) for k in range(-3, 4)])
                    yield (
                        f"phi*(d) = {_shown(said)} at d = phi'({z}) = {_shown(d)}, y = {y}, and d z - phi(z) ="
                        f" {_shown(due)}{cause}"
                    )
            for z, a in product(self.z(y), self.alphas(y)):
                if self.surely(lambda z=z, a=a, y=y: self.FY(self.n(z), self.n(a), y) < 0):  # type: ignore[misc]
                    yield (
                        f"phi*({a}) = {_shown(self.loss.conjugate(self.n(a), self.n(y)))} at y = {y} is below a z -"
                        f" phi(z) at z = {z}"
                    )

    def both_conjugates(self, z: Q, y: Q) -> tuple[Number, Number]:
        """phi*(d) as the loss has it, and d z - phi(z), for d = phi'(z)."""
        d = self.slope(z, y)
        return self.loss.conjugate(d, self.n(y)), d * z - self.phi(z, y)

    def steepest(self) -> tuple[Number, Q, Q]:
        """(the largest (phi'(x) - phi'(z))/(x - z) of neighbours, z, y), in intervals its lower end."""
        found = []
        for y in self.labels:
            for z, x in pairwise(self.z(y)):
                rise = (self.slope(x, y) - self.slope(z, y)) / (x - z)
                found.append((rise if self.exact else _low(rise), z, y))
        return max(found, key=lambda one: one[0])

    def smooth(self) -> Iterator[str]:
        """1/gamma is a Lipschitz constant of phi'."""
        steepest, z, y = self.steepest()
        if self.surely(lambda: self.loss.gamma * steepest > 1):
            yield (
                f"gamma = {_shown(self.loss.gamma)} is too large: phi' rises by {_shown(steepest)} times x - z next to"
                f" z = {z}, y = {y}, more than 1/gamma; {_shown(1 / steepest)} at most"
            )

    def smoother(self) -> Iterator[str]:
        """No gamma that is larger by a hundredth would do at these points."""
        steepest, _, _ = self.steepest()
        if 0 < steepest < 100 and self.surely(lambda: self.loss.gamma * steepest < Q(99, 100)):
            yield (
                f"gamma = {_shown(self.loss.gamma)} is smaller than it need be: where phi' was looked at,"
                f" {_shown(1 / steepest)} would do"
            )

    def dual_step(self) -> Iterator[str]:
        """The maximizer of the dual objective in one coordinate."""
        loss = self.loss
        for y in self.labels:
            points = [z for z in self.z(y) if abs(z) <= 10][:: 2 if self.exact else 4]
            for z, alpha, q in product(points, self.alphas(y)[::2], STEPS):
                given = self.n(z), self.n(alpha), self.n(y), self.n(q)
                best = loss.dual_step(*given)
                where = f"z = {z}, alpha = {alpha}, y = {y}, q = {q}"
                if not loss.in_domain(best, self.n(y)):
                    yield f"{_shown(best)} at {where} lies outside the domain ({loss.domain})"
                elif self.off(self.FY(z - given[3] * (best - alpha), best, y), scale=abs(z) + 1):
                    yield (
                        f"{_shown(best)} at {where} does not minimize phi*(a) - a z + (q/2)(a - alpha)^2: FY(z - q (a -"
                        " alpha), a) is not 0"
                    )

    def residual(self) -> Iterator[str]:
        """Compute it from the definition."""
        for y in self.labels:
            for z, a in product(sorted(self.z(y), key=abs), self.alphas(y)):
                said, due = self.loss.residual(self.n(z), self.n(a), self.n(y)), self.FY(self.n(z), self.n(a), y)
                if self.off(said - due, scale=abs(z) + 1):
                    yield (
                        f"{_shown(said)} at z = {z}, alpha = {a}, y = {y}, and phi(z) + phi*(alpha) - alpha z ="
                        f" {_shown(due)}"
                    )

    def off(self, x: Number, scale: Q) -> bool:
        """Return whether x is not 0; in intervals, whether it cannot be, or is not known to within 10^-9 of the
        scale."""
        if self.exact:
            return bool(x != 0)
        return not x.low <= 0 <= x.high or Q(x.width()) > scale / 10**9

    def shown(self, formula: Callable[[Q, Q], object], *points: Q, y: Q) -> str:
        return ", ".join(_shown(formula(z, y)) for z in points)


def likely_cause(pairs: Sequence[tuple[Number, Number]]) -> str:
    """In words for the end of a finding: a sign, a constant or a factor that is the same for all pairs (is, must be).

    >>> likely_cause([(1, 2), (3, 4)]), likely_cause([(1, -1), (3, -3)]), likely_cause([(1, 2), (3, 5)])
    (': everywhere -1 too much, a constant', ': the sign is the opposite', '')
    """
    numbers = [(_rational(one), _rational(other)) for one, other in pairs]
    differences = [one - other for one, other in numbers]
    ratios = [other / one for one, other in numbers if abs(one) > Q(1, 100)]
    if max(differences) - min(differences) < NEAR:
        return f": everywhere {float(differences[0]):.4g} too much, a constant"
    if not ratios or max(ratios) - min(ratios) > Q(1, 1000):
        return ""
    if abs(ratios[0] + 1) < Q(1, 1000):
        return ": the sign is the opposite"
    return f": everywhere {float(ratios[0]):.4g} times as much, a factor (a normalisation) is missing"


def _shown(x: object) -> str:
    """A rational as it is where it is short, else as a decimal."""
    return str(x) if isinstance(x, (int, Fraction)) and len(str(x)) <= 12 else f"{float(_rational(x)):.6g}"


def _rational(x: Number) -> Q:
    return x.midpoint() if isinstance(x, Interval) else Q(x)


def _low(x: Interval) -> Q:
    return Q(x.low)


__all__ = ["UNSOUND", "Finding", "check_loss"]
