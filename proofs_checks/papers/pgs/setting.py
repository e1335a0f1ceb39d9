"""PGS, the setting: the paper's formulas for p-norms and conjugates, independent of ``pnorm``, and its assumptions.

    (3)  r(w) = ||w||_p^2/(2(p-1)), 1 < p <= 2, q = p/(p-1)         (27)  r*_S(theta), (28) grad r*_S(theta)

A value is a Fraction where it is rational, else an Interval that encloses it in the current number of digits. So one
check serves all p: exactly where the norms are rational, and elsewhere by ``decide``. Vectors may hold both.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic as arithmetic_in_force
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.registry import Hypothesis
from dualgap.proofs_checks.claims.relations import Relation, Same
from dualgap.proofs_checks.papers.vocabulary import names
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.arithmetic import power as rational_power
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.problem import Vector
from dualgap.reference.problem.regularizers import soft

Given = Sequence[Number]
ZERO = Q(0)


def power(x: Number, exponent: Fraction) -> Number:
    """x^exponent for x >= 0 (x > 0 where exponent < 0).

    >>> power(Fraction(8), Fraction(-2, 3)), power(Fraction(2), Fraction(1, 2)).contains(Fraction(17, 12))
    (Fraction(1, 4), False)
    """
    if not isinstance(x, Interval):
        try:
            return rational_power(Fraction(x) if isinstance(x, int) else x, exponent)
        except ValueError:  # not rational
            x = Interval(x)
    return (x.log() * exponent).exp()


def same(left: Number, right: Number, label: str) -> Relation:
    """left = right: exactly where both are rational, else that their enclosures meet."""
    if isinstance(left, Interval) or isinstance(right, Interval):
        return Same(Interval(left), Interval(right), label)
    return Same(left, right, label)


def norm(v: Given, p: Fraction) -> Number:
    """||v||_p."""
    M, S = powers(v, p)
    return M * power(S, 1 / p) if M else ZERO


def norm2(v: Given, p: Fraction) -> Number:
    """||v||_p^2."""
    M, S = powers(v, p)
    return M * M * power(S, 2 / p) if M else ZERO


def powers(v: Given, p: Fraction) -> tuple[Number, Number]:
    """(M, S) with ||v||_p^p = M^p S; M is the largest |v_j| of a rational vector, and 0 for v = 0."""
    if any(isinstance(v_j, Interval) for v_j in v):
        M, rest = Q(1), [abs(v_j) for v_j in v if not is_zero(v_j)]
    else:
        rest = [abs(v_j) for v_j in v if v_j]
        M = max(rest, default=ZERO)
    first, *others = [power(v_j / M, p) for v_j in rest] or [ZERO]
    return M, sum(others, first)


def is_zero(x: Number) -> bool:
    """Return whether x is exactly 0."""
    return bool(x.low == x.high == 0) if isinstance(x, Interval) else bool(x == 0)


def r(w: Given, p: Fraction) -> Number:
    """(3): ||w||_p^2/(2 (p-1))."""
    return norm2(w, p) / (2 * (p - 1))


def r_gradient(theta: Given, p: Fraction, ball: Fraction | None = None) -> Vector:
    """grad r*_S(theta), (28); Corollary 3 on R^d."""
    q = p / (p - 1)
    M, S = powers(theta, q)
    if M == 0:
        return [Fraction(0)] * len(theta)
    clipped = ball is not None and (p - 1) * norm(theta, q) > ball
    factor = ball * power(S, -1 / p) if clipped else (p - 1) * M * power(S, 2 / q - 1)
    return [Fraction(0) if is_zero(v) else factor * signed(v, power(abs(v) / M, q - 1)) for v in theta]


def signed(v: Number, magnitude: Number) -> Number:
    """sgn(v) magnitude."""
    return magnitude if v > 0 else -magnitude


class Setting:
    """r, r*_S and its gradient for an instance: its regularizer is sigma r plus the indicator of S.

    For an elastic net r(w) = ||w||^2/2 + threshold ||w||_1; it is not the paper's, but as strongly convex."""

    def __init__(self, instance: Instance) -> None:
        number: Any = arithmetic_in_force()
        self.p: Fraction = number(2 if instance.p is None else instance.p)
        self.q = self.p / (self.p - 1)
        self.ball: Fraction | None = None if instance.ball is None else number(instance.ball)
        self.sigma: Fraction = number(instance.lam)
        self.threshold: Fraction = number(instance.l1) / self.sigma

    def r(self, w: Given) -> Number:
        """r(w)."""
        return r(w, self.p) + sum((self.threshold * abs(w_j) for w_j in w if self.threshold), Fraction(0))

    def conjugate(self, theta: Given) -> Number:
        """r*_S(theta), (27); Corollary 3 on R^d."""
        theta = [soft(v, self.threshold) for v in theta] if self.threshold else theta
        whole, a = (self.p - 1) / 2 * norm2(theta, self.q), (self.p - 1) * norm(theta, self.q)
        if self.ball is None or a <= self.ball:
            return whole
        return whole - (self.ball - a) * (self.ball - a) / (2 * (self.p - 1))

    def gradient(self, theta: Given) -> Vector:
        """grad r*_S(theta)."""
        return [soft(v, self.threshold) for v in theta] if self.threshold else r_gradient(theta, self.p, self.ball)

    def inside(self, w: Given) -> bool:
        """w in S."""
        return self.ball is None or bool(norm(w, self.p) <= self.ball)

    def into(self, w: Given) -> Vector:
        """w, or a point of S on its ray."""
        if self.inside(w):
            return list(w)
        assert self.ball is not None
        return [w_j * self.ball / sum(abs(x) for x in w) for w_j in w]  # ||w||_p <= ||w||_1, and this is rational


# -- what the statements assume, and what they share -------------------------------------------------------------------

LIPSCHITZ = ("hinge", "smoothed-hinge", "absolute")


def uniform(c: Context) -> bool:
    """Every set of k rows is drawn with one probability, whatever was drawn before."""
    chances = [p for _, p in c.method.choices(c.problem, c.method.init(c.problem))]
    return len(set(chances)) == 1 and sum(chances) == 1


P_RANGE = Hypothesis("p in (1, 2]", "section I, (3)", lambda c: 1 < (c.instance.p or 2) <= 2)
SIGMA = Hypothesis("sigma > 0", "section I, (1)", lambda c: c.instance.lam > 0)
ASSUMED = (
    P_RANGE,
    SIGMA,
    Hypothesis("the loss is convex and L-Lipschitz in w", "section III.A", lambda c: c.instance.loss in LIPSCHITZ),
)


def on_ball(place: str) -> Hypothesis:
    """S is a ball, as that place says."""
    return Hypothesis(
        "S is the ball ||w||_p <= B", place, lambda c: c.instance.ball is not None and c.instance.ball > 0
    )


FIGURE_1 = Hypothesis(
    "w_t is made by Figure 1 from w_0 = 0",
    "section III.A",
    lambda c: c.instance.method == "pgs" and c.instance.options.get("output") == "last",
)
UNIFORM_CHOICE = Hypothesis("A_t is chosen uniformly and independently", "section III.A; section VI.A", uniform)
UNIFORM = "A_t uniform (k-subsets, or k draws with repetition) and independent over t; R^d or a ball"
ANY = r"any convex loss, any $A_t$, $\lambda_t$ in the subdifferential of $g_t$ at $w_{t-1}$, $w_t$ by line 8"
EVERY_MUTANT = names("pgs", "constant-divisor divisor-t divisor-t+2 lost-sigma sign stale-subgradient sum-for-mean")


def harmonic(T: int) -> Fraction:
    """H_T."""
    return sum((Q(1, t) for t in range(1, T + 1)), Q(0))


def lipschitz2(instance: Instance) -> Number:
    """L^2 = max ||x_i||_q^2 for hinge, smoothed hinge and absolute; None for losses without an L."""
    if instance.loss not in LIPSCHITZ:
        return None
    return max(norm2(row, Setting(instance).q) for row in instance.rows)
