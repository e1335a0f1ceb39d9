"""The squared p-norm, 1 < p <= 2, on R^d or on a ball: the regularizer of PGS (ICDM 2009; its section III).

    g(w)         = lam ||w||_p^2 / (2 (p-1)),   on R^d or on S = {||w||_p <= ball};   1/p + 1/q = 1
    grad g*(v)_j = C sgn(v_j) |v_j|^(q-1) / (sum_k |v_k|^q)^(1/p),   C = min{ball, (p-1) ||v||_q / lam} = ||grad g*(v)||_p
    g*(v)        = C ||v||_q - lam C^2 / (2 (p-1))

(PGS Theorem 3 and its corollaries). g is lam-strongly convex for ||.||_p, hence for ||.||_2. Figure 2 of the paper
clips by ||.||_q; what is right is ||.||_p, as here.

With M = max |v_j| (or another scale near it), all powers are of numbers near 1, and one number s says the rest:

    bent_j = sgn(v_j) (|v_j|/M)^(1/(p-1)),   s = sum_j (v_j/M) bent_j = sum_j (|v_j|/M)^q
    grad g*(v) = c bent,   c = min{(p-1) (M/lam) s^((p-2)/p), ball / s^(1/p)}

which neither overflows nor makes a nan at q = 1001, v = 0 or the clip; 1/(p-1) stands for q - 1, whose rounding would
be (q-1) times larger. A relative error e in v_j is an error (q-1) e in w_j, however it is computed: near p = 1 compare
results through ||.||_p. p = 2 takes no powers, and roots only at the clip.
"""  # noqa: E501

import math
from fractions import Fraction
from typing import ClassVar, NamedTuple

from dualgap.reference.numbers.arithmetic import ULP, Number, NumberLike, NumberType, convert, power, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.regularizers import Regularizer

Vector = list[Number]


class Point(NamedTuple):
    """grad g*(v) = c bent, with what it was made of; ``clipped`` where C = ball < (p-1) ||v||_q / lam."""

    M: Number
    bent: Vector
    s: Number
    c: Number
    clipped: bool


class PNorm(Regularizer):
    """lam ||w||_p^2 / (2 (p-1)), optionally on the ball ||w||_p <= ball.

    Parameters
    ----------
    lam : number > 0
        The paper's sigma.
    p : number, 1 < p <= 2
    ball : number > 0, optional
        The paper's B; default: all of R^d.

    Raises
    ------
    ValueError
        lam <= 0, p outside (1, 2], ball <= 0, or not finite. In Fractions also if a root is not rational.

    >>> g = PNorm(1, "3/2").over(Fraction)
    >>> [str(w_j) for w_j in g.gradient_conjugate([Fraction(3), Fraction(-4), Fraction(5)])]
    ['3/4', '-4/3', '25/12']
    >>> g.norm(g.gradient_conjugate([Fraction(3), Fraction(-4), Fraction(5)]))
    Fraction(3, 1)
    >>> PNorm("1/1000", "1.001", ball=2).over(float).gradient_conjugate([3.0, 2.0, 0.0])
    [2.0, 1.62095493123302e-176, 0.0]
    """

    family: ClassVar[str] = "p-norm"

    def __init__(self, lam: NumberLike, p: NumberLike, ball: NumberLike | None = None) -> None:
        super().__init__(lam)
        self.p: Number = convert(p, Fraction, "p")
        self.ball: Number | None = None if ball is None else convert(ball, Fraction, "ball")
        if not 1 < self.p <= 2:
            raise ValueError(
                f"p must be in (1, 2] (got {p}): the squared p-norm is strongly convex there only; p = 2 is L2"
            )
        if self.ball is not None and not self.ball > 0:
            raise ValueError(
                f"ball must be > 0, the radius of the ball ||w||_p <= ball (got {ball}); leave it out for R^d"
            )

    def __repr__(self) -> str:
        return f"PNorm(lam={self.lam}, p={self.p}{'' if self.ball is None else f', ball={self.ball}'})"

    def over(self, number: NumberType) -> "PNorm":
        """The same regularizer with its constants in ``number``; Interval has p = 2 only."""
        copied = super().over(number)
        assert isinstance(copied, PNorm)
        copied.p = convert(self.p, number, "p")
        copied.ball = None if self.ball is None else convert(self.ball, number, "ball")
        if number is Interval and not copied.euclidean:
            raise ValueError(f"number=Interval has no powers, so p must be 2 (got p = {self.p}); use number=float")
        if number is float and not copied.p > 1:
            raise ValueError(f"p = {self.p} rounds to 1 in a float; the smallest p is 1 + 2^-52")
        return copied

    @property
    def euclidean(self) -> bool:
        """p = 2: no powers."""
        return bool(self.p == 2)

    @property
    def threshold(self) -> Number:
        """None: there is no soft threshold."""
        return None

    @property
    def zero(self) -> Number:
        """0 in the regularizer's number."""
        return self.lam - self.lam

    # -- grad g*: the pieces, shared with the lazy form of PGS ---------------------------------------------------------

    def scale(self, v: Vector) -> Number:
        """M = max |v_j|, or 1 for v = 0; 1 for intervals, which need no scale."""
        M = self.zero
        if self.number is not Interval:
            for v_j in v:
                M = v_j if v_j > M else -v_j if -v_j > M else M
        return M if self.number is not Interval and M > 0 else convert(1, self.number)

    def bend(self, v_j: Number, M: Number) -> Number:
        """sgn(v_j) (|v_j|/M)^(1/(p-1)); (v_j/M) bend(v_j, M) is the term (|v_j|/M)^q of s."""
        if self.euclidean:
            return v_j / M
        if v_j >= 0:
            return power(v_j / M, 1 / (self.p - 1))
        return self.zero - power(-v_j / M, 1 / (self.p - 1))  # from zero: an underflow must not leave a negative zero

    def coefficient(self, M: Number, s: Number, scale: Number) -> tuple[Number, bool]:
        """(c, clipped) with argmin_w scale g(w)/lam - v^T w = c bent. p = 2 on R^d does not read s."""
        free = (self.p - 1) * (M / scale)
        if self.euclidean:
            if self.ball is None:
                return free, False
            ratio = M / scale / self.ball  # (M/scale)^2 s > ball^2, by a ratio that survives every ball
            return (self.ball / sqrt(s), True) if ratio * ratio * s > 1 else (free, False)
        if s == 0:
            return s, False
        free = free * power(s, (self.p - 2) / self.p)
        if self.ball is None:
            return free, False
        clipped = self.ball / power(s, 1 / self.p)
        return (clipped, True) if clipped < free else (free, False)

    def point(self, v: Vector) -> Point:
        """grad g*(v) in pieces. Raises OverflowError if it is not finite."""
        M, s = self.scale(v), self.zero
        bent = [self.bend(v_j, M) for v_j in v]
        for v_j, bent_j in zip(v, bent):
            s = s + v_j / M * bent_j
        c, clipped = self.coefficient(M, s, self.lam)
        self.require_finite(c * s)
        return Point(M, bent, s, c, clipped)

    def require_finite(self, c: Number) -> None:
        """Raise OverflowError unless c, of an iterate in floats, is finite."""
        if self.number is float and not c < math.inf:
            raise OverflowError(f"grad g* of {self!r} is beyond the range of a float: scale X down or lam up")

    # -- the verbs of a regularizer ------------------------------------------------------------------------------------

    def gradient_conjugate(self, minus_u: Vector) -> Vector:
        """grad g*(-u), shape (d,)."""
        point = self.point(minus_u)
        return [point.c * bent_j for bent_j in point.bent]

    def conjugate(self, minus_u: Vector) -> Number:
        """g*(-u): half of v^T grad g*(v) = c M s, or, where the ball clips, all of it minus lam ball^2/(2 (p-1))."""
        M, _, s, c, clipped = self.point(minus_u)
        if not clipped:
            return c * M * s / 2
        ball: Number = self.ball
        return c * M * s - self.lam * ball * ball / (2 * (self.p - 1))

    def value(self, w: Vector) -> Number:
        """g(w). Raises ValueError outside the ball, where it is +infinity; floats may be outside by rounding
        (``inside``).
        """
        if not self.inside(w):
            raise ValueError(
                f"w is outside the ball ||w||_p <= {self.ball} (p = {self.p}), where g is infinite: scale w down"
            )
        M, S = self._powers(w)
        return self.lam * M * M * (S if self.euclidean else power(S, 2 / self.p)) / (2 * (self.p - 1))

    def inside(self, w: Vector) -> bool:
        """||w||_p <= ball; in floats <= ball (1 + 8 d 2^-53), which every grad g* obeys: s, a sum of d positive terms,
        is wrong by less than d - 1 units and a few for the powers, its p-th root by 1/p of this, c bent_j by a few.
        """
        if self.ball is None:
            return True
        slack = 1 + 4 * len(w) * ULP if self.number is float else 1
        M, S = self._powers(w)
        if self.euclidean:
            ratio = M / self.ball
            return bool(S == 0 or ratio * ratio * S <= slack * slack)  # at 0 the ratio may be infinite
        return bool(M * power(S, 1 / self.p) <= self.ball * slack)

    def norm(self, w: Vector) -> Number:
        """||w||_p."""
        M, S = self._powers(w)
        return M * (sqrt(S) if self.euclidean else power(S, 1 / self.p))

    def dual_norm(self, v: Vector) -> Number:
        """||v||_q."""
        M, s = self.scale(v), self.zero
        for v_j in v:
            s = s + v_j / M * self.bend(v_j, M)
        return M * (sqrt(s) if self.euclidean else power(s, (self.p - 1) / self.p))

    def _powers(self, w: Vector) -> tuple[Number, Number]:
        """(M, S) with ||w||_p^p = M^p S."""
        M, S = self.scale(w), self.zero
        for w_j in w:
            ratio = w_j / M
            S = S + (ratio * ratio if self.euclidean else power(ratio if ratio >= 0 else -ratio, self.p))
        return M, S

    # -- the Fenchel-Young residual ------------------------------------------------------------------------------------

    def residual(self, w: Vector, minus_u: Vector) -> Number:
        """g(w) + g*(-u) + u^T w >= 0; 0 iff w = grad g*(-u). In floats, and for p = 2, a sum of nonnegative terms."""
        if not self.inside(w):
            self.value(w)  # raises
        if self.euclidean:
            return self._residual_euclidean(w, minus_u)
        if self.number is not float:  # exact: nothing cancels
            total = self.value(w) + self.conjugate(minus_u)
            for w_j, v_j in zip(w, minus_u):
                total = total - w_j * v_j
            return total
        return self._residual_radial(w, minus_u) + self._residual_angular(w, minus_u)

    def _residual_euclidean(self, w: Vector, v: Vector) -> Number:
        """Return the residual with w* = grad g*(v) = v/mu: (mu/2)||w - w*||^2, and on the clip + ((mu - lam)/2)(ball^2
        - ||w||^2)."""
        M, bent, _, c, clipped = self.point(v)
        mu = M / c if clipped else self.lam
        squares = norm2 = self.zero
        for w_j, bent_j in zip(w, bent):
            error = w_j - c * bent_j
            squares = squares + error * error
            norm2 = norm2 + w_j * w_j
        total = mu * squares / 2
        ball: Number = self.ball
        if clipped and ball * ball > norm2:  # else w is beyond the ball, by rounding only
            total = total + (mu - self.lam) * (ball * ball - norm2) / 2
        return total

    def _residual_radial(self, w: Vector, v: Vector) -> Number:
        """g(w) + g*(v) - ||v||_q ||w||_p: (m/2)(||w|| - C)^2 with m = lam/(p-1), and on the clip + (||v|| - m C)(C -
        ||w||).
        """
        _, _, s, c, clipped = self.point(v)
        modulus, length = self.lam / (self.p - 1), self.norm(w)
        C = self.ball if clipped else c * power(s, 1 / self.p)
        total = modulus * (length - C) * (length - C) / 2
        if clipped and C > length:  # else w is beyond the ball, by rounding only
            pull = self.dual_norm(v) - modulus * C
            total = total + (pull if pull > 0 else self.zero) * (C - length)
        return total

    def _residual_angular(self, w: Vector, v: Vector) -> Number:
        """||v||_q ||w||_p - v^T w: with w^ = w/||w||_p, h = grad g*(v)/C and v^ = v/||v||_q it is
        ||v|| ||w|| sum_j |w^_j|^p/p - |h_j|^p/p - v^_j (w^_j - h_j), each term >= 0 because v^_j = sgn(h_j)
        |h_j|^(p-1).
        """
        M, bent, s, _, _ = self.point(v)
        length = self.norm(w)
        if s == 0 or length == 0:
            return self.zero
        unit, dual_unit, total = power(s, 1 / self.p), power(s, (self.p - 1) / self.p), self.zero
        for w_j, v_j, bent_j in zip(w, v, bent):
            total = total + self._divergence(w_j / length, bent_j / unit, v_j / M / dual_unit)
        return M * dual_unit * length * total

    def _divergence(self, x: Number, h: Number, slope: Number) -> Number:
        """|x|^p/p - |h|^p/p - slope (x - h) >= 0 with slope = sgn(h) |h|^(p-1); near h by its binomial series."""
        if 64 * abs(x - h) < abs(h):
            t = (x - h) / h
            term = total = (self.p - 1) * t * t / 2
            for k in range(3, 12):  # |t| < 1/64: the ninth factor reaches the last place
                term = term * (self.p - k + 1) * t / k
                total = total + term
            return h * slope * total
        total = power(abs(x), self.p) / self.p - h * slope / self.p - slope * (x - h)
        return total if total > 0 else self.zero  # at least (p-1) 2^-14 |h|^p: not positive by rounding only

    # -- what belongs to quadratic regularizers alone ------------------------------------------------------------------

    def dual_point(self, minus_u: Vector) -> Vector:
        """Raises TypeError: there is no soft threshold."""
        raise self._refusal("dual point")

    def prox(self, w: Vector, tau: Number) -> Vector:
        """Raises TypeError: it is not a soft threshold."""
        raise self._refusal("prox")

    def centred(self, kappa: Number, centre: Vector) -> "PNorm":
        """Raises TypeError: a sum with (kappa/2)||w||^2 is no squared p-norm."""
        raise self._refusal("centre")

    def _refusal(self, what: str) -> TypeError:
        return TypeError(f"{self!r} has no {what}: use L2 or ElasticNet, or method pgs, which needs none")
