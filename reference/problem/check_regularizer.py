"""Check that the formulas of a custom regularizer are consistent. Each is evaluated at many points, in rationals.

The value is taken as given, and the others follow from it (x, v in Q^d, w = grad g*(v), tau > 0):

- value               g((x + x')/2) <= (g(x) + g(x'))/2
- modulus             mu > 0, and below that chord by (mu/8)||x - x'||^2 at least
- gradient_conjugate  g(x) - v^T x >= g(w) - v^T w for all x, those next to w among them
- conjugate           g*(v) = v^T w - g(w)
- residual            g(x) + g*(v) - v^T x
- prox, if it has one: x = prox(w, tau) is the x with grad g*((w - x)/tau) = x

Each finding is a point at which the formulas contradict each other. No finding is not a proof that they are consistent.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from dualgap.reference.problem.check_loss import Finding, Rule, contradictions
from dualgap.reference.problem.general_regularizer import GeneralRegularizer, inner
from dualgap.reference.problem.regularizers import Regularizer

Q = Fraction
Point = list[Fraction]
STEPS = tuple(map(Q, ("1", "1/8", "1/1000000")))  # distances from a minimizer at which a smaller value is searched
TAUS = tuple(map(Q, ("1/3", "2")))
MOST = 6  # coordinates that are tested one by one


class RegularizerFinding(Finding):
    """One contradiction: which formula, and where; ``str`` is one line."""

    def __str__(self) -> str:
        return f"regularizer {self.loss}, {self.formula}: {self.text}"


def check_regularizer(regularizer: Regularizer, d: int | None = None, prox: bool = True) -> list[Finding]:
    """Return what is wrong with a regularizer: at most one finding for each formula.

    Parameters
    ----------
    regularizer : one with its parameters, such as L2(1) or a ``GeneralRegularizer``; PNorm has no rational powers.
    d : the length of its vectors; default: of its first parameter that is a sequence, else 3.
    prox : whether its prox is also checked.

    Raises
    ------
    TypeError
        It is a class, or no regularizer.

    >>> from dualgap.reference.problem.regularizers import ElasticNet
    >>> check_regularizer(ElasticNet("1/2", l1="1/3"))
    []
    """
    if not isinstance(regularizer, Regularizer):
        raise TypeError(f"regularizer must be one with its parameters, such as L2(1) (got {regularizer!r})")
    return RegularizerCheck(regularizer, d).findings(prox)


class RegularizerCheck:
    """Evaluate one regularizer at many points."""

    def __init__(self, regularizer: Regularizer, d: int | None) -> None:
        self.g = g = regularizer.over(Fraction)
        told = g.told() if isinstance(g, GeneralRegularizer) else {}
        self.d = d or next((len(x) for x in told.values() if isinstance(x, list)), 3)
        self.js = sorted({*range(min(self.d, MOST - 1)), self.d - 1})
        dense = [[Q((3 * j * k + k) % 7 - 3, 2) for j in range(self.d)] for k in (1, 2)]
        units = [[Q(j == k) for k in range(self.d)] for j in self.js]
        self.points: list[Point] = [
            [Q(0)] * self.d,
            *dense,
            *units,
            [-x for x in dense[0]],
            [1000 * x for x in dense[1]],
        ]

    def findings(self, prox: bool) -> list[Finding]:
        """At most one finding for each formula. A formula that depends on a wrong one is not checked."""
        rules: list[Rule] = [
            ("number", self.numbers, set()),
            ("value", self.convex, {"number"}),
            ("modulus", self.strongly_convex, {"number", "value"}),
            ("gradient_conjugate", self.minimizer, {"number", "value"}),
            ("conjugate", self.conjugate, {"number", "gradient_conjugate"}),
            ("residual", self.residual, {"number", "conjugate", "gradient_conjugate"}),
        ]
        if prox and type(self.g).prox is not GeneralRegularizer.prox:
            rules.append(("prox", self.prox, {"number", "gradient_conjugate"}))
        return [RegularizerFinding(repr(self.g), formula, text) for formula, text in contradictions(rules).items()]

    # -- the rules: each yields what contradicts it --------------------------------------------------------------------

    def numbers(self) -> Iterator[str]:
        """Every formula gives rationals, and vectors of d of them."""
        g, x = self.g, self.points[1]
        for name, number in (
            ("modulus", g.modulus),
            ("value", g.value(x)),
            ("conjugate", g.conjugate(x)),
            ("residual", g.residual(x, x)),
        ):
            if not isinstance(number, (Fraction, int)):
                yield (
                    f"{name} gives {type(number).__name__} for Fraction; write + - * / and integers, x * x / 2 and not"
                    " 0.5 * x * x"
                )
        w = g.gradient_conjugate(x)
        if len(w) != self.d or not all(isinstance(w_j, (Fraction, int)) for w_j in w):
            yield f"gradient_conjugate gives {_shown(w)} for {self.d} Fractions: it must be a list of as many"

    def convex(self) -> Iterator[str]:
        """Chords lie above."""
        for x, other in combinations(self.points, 2):
            if self.sag(x, other) < 0:
                yield f"g is not convex: it lies above its chord between {_shown(x)} and {_shown(other)}"

    def strongly_convex(self) -> Iterator[str]:
        """Check strong convexity with (mu/8)||x - x'||^2, also next to each point."""
        mu = self.g.modulus
        if not mu > 0:
            yield f"{mu} is not > 0"
        near = [(x, self.moved(x, j, h)) for x, j, h in product(self.points, self.js, STEPS)]
        for x, other in [*near, *combinations(self.points, 2)]:
            away = [a - b for a, b in zip(x, other)]
            if (least := self.sag(x, other)) < mu * inner(away, away) / 8:
                yield (
                    f"{mu} is too large: between {_shown(x)} and {_shown(other)} g is convex with"
                    f" {8 * least / inner(away, away)} only"
                )

    def sag(self, x: Point, other: Point) -> Fraction:
        """Return how far g is below its chord at the midpoint."""
        between: Fraction = (self.g.value(x) + self.g.value(other)) / 2 - self.g.value(
            [(a + b) / 2 for a, b in zip(x, other)]
        )
        return between

    def minimizer(self) -> Iterator[str]:
        """Check that w is the minimizer of g(x) - v^T x."""
        for v in self.points:
            w = self.g.gradient_conjugate(v)
            least = self.g.value(w) - inner(v, w)
            near = (self.moved(w, j, sign * h) for j, h, sign in product(self.js, STEPS, (1, -1)))
            for x in [
                *near,
                *([s * w_j for w_j in w] for s in (Q(1, 2), Q(999999, 10**6), Q(1000001, 10**6), Q(2))),
                *self.points,
            ]:
                if self.g.value(x) - inner(v, x) < least:
                    yield f"{_shown(w)} at v = {_shown(v)} does not minimize g(x) - v^T x: x = {_shown(x)} gives less"

    def conjugate(self) -> Iterator[str]:
        """Compute it from its definition."""
        for v in self.points:
            w = self.g.gradient_conjugate(v)
            said, due = self.g.conjugate(v), inner(v, w) - self.g.value(w)
            if said != due:
                yield f"g*(v) = {said} at v = {_shown(v)}, and v^T w - g(w) = {due} at its w = {_shown(w)}"

    def residual(self) -> Iterator[str]:
        """Compute it from its definition."""
        for x, v in product(self.points, self.points):
            said, due = self.g.residual(x, v), self.g.value(x) + self.g.conjugate(v) - inner(v, x)
            if said != due:
                yield f"{said} at w = {_shown(x)}, -u = {_shown(v)}, and g(w) + g*(-u) + u^T w = {due}"

    def prox(self) -> Iterator[str]:
        """(w - x)/tau is a subgradient at x."""
        for w, tau in product(self.points, TAUS):
            x = self.g.prox(w, tau)
            if self.g.gradient_conjugate([(w_j - x_j) / tau for w_j, x_j in zip(w, x, strict=True)]) != x:
                yield f"{_shown(x)} at w = {_shown(w)}, tau = {tau} does not minimize g(x) + ||x - w||^2/(2 tau)"

    @staticmethod
    def moved(x: Point, j: int, h: Fraction) -> Point:
        return [*x[:j], x[j] + h, *x[j + 1 :]]


def _shown(x: Point) -> str:
    """A vector's first entries."""
    return f"[{', '.join(map(str, x[:4]))}{', ...' if len(x) > 4 else ''}]"


__all__ = ["Finding", "check_regularizer"]
