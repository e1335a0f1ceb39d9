"""The squared p-norm on arrays: the counterpart of ``dualgap.reference.problem.pnorm``, same operations, bit-identical
results.

``PNormOfArrays`` is the reference's class with its loops compiled, so that each formula on whole vectors has one home.
What a round of PGS needs of a single coordinate is compiled as well: ``bend`` and ``coefficient``.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.reference.numbers.arithmetic import power
from dualgap.reference.problem.pnorm import PNorm, Point


class PNormNumbers(NamedTuple):
    """``PNorm`` of the reference, as numbers."""

    lam: float
    p: float
    ball: float  # infinity for R^d
    exponent: float  # 1/(p-1)
    fall: float  # (p-2)/p
    root: float  # 1/p


def numbers_of(g: PNorm) -> PNormNumbers:
    """The numbers of a regularizer over float."""
    ball = math.inf if g.ball is None else g.ball
    return PNormNumbers(g.lam, g.p, ball, 1 / (g.p - 1), (g.p - 2) / g.p, 1 / g.p)


# -- one coordinate ---------------------------------------------------------------------------------------


@kernel
def bend(g, v_j, M):
    """sgn(v_j) (|v_j|/M)^(1/(p-1)) (reference: PNorm.bend)."""
    if g.p == 2.0:
        return v_j / M
    if v_j >= 0.0:
        return (v_j / M) ** g.exponent
    return 0.0 - (-v_j / M) ** g.exponent


@kernel
def coefficient(g, M, s, scale):
    """c (reference: PNorm.coefficient; without a ball no comparison holds)."""
    free = (g.p - 1.0) * (M / scale)
    if g.p == 2.0:
        ratio = M / scale / g.ball
        return g.ball / math.sqrt(s) if ratio * ratio * s > 1.0 else free
    if s == 0.0:
        return s
    free = free * s**g.fall
    if g.ball == math.inf:
        return free
    clipped = g.ball / s**g.root
    return clipped if clipped < free else free


# -- vectors ----------------------------------------------------------------------------------------------


@kernel
def largest(v):
    """M = max |v_j|, or 1 for v = 0 (reference: PNorm.scale)."""
    M = N = 0.0  # of every second one, so that no comparison waits for the one before
    for j in range(0, v.size - 1, 2):
        p, q = abs(v[j]), abs(v[j + 1])
        M, N = p if p > M else M, q if q > N else N
    p = abs(v[v.size - 1]) if v.size > 0 else 0.0
    N = p if p > N else N
    M = M if M > N else N
    return M if M > 0.0 else 1.0


@kernel
def bend_all(g, v, M, bent):
    """Writes bend(v_j, M) for every j; returns s (reference: PNorm.point)."""
    s = 0.0
    for j in range(v.size):
        bent[j] = bend(g, v[j], M)
        s = s + v[j] / M * bent[j]
    return s


@kernel
def powers(g, w, M):
    """sum_j (|w_j|/M)^p (reference: PNorm._powers)."""
    S = 0.0
    for w_j in w:
        ratio = w_j / M
        S = S + (ratio * ratio if g.p == 2.0 else abs(ratio) ** g.p)
    return S


@kernel
def distances(w, bent, c):
    """||w - c bent||^2 and ||w||^2 (reference: PNorm._residual_euclidean)."""
    squares = norm2 = 0.0
    for j in range(w.size):
        error = w[j] - c * bent[j]
        squares = squares + error * error
        norm2 = norm2 + w[j] * w[j]
    return squares, norm2


@kernel
def divergence(g, x, h, slope):
    """|x|^p/p - |h|^p/p - slope (x - h) (reference: PNorm._divergence)."""
    if 64.0 * abs(x - h) < abs(h):
        t = (x - h) / h
        term = total = (g.p - 1.0) * t * t / 2.0
        for k in range(3, 12):
            term = term * (g.p - k + 1.0) * t / k
            total = total + term
        return h * slope * total
    total = abs(x) ** g.p / g.p - h * slope / g.p - slope * (x - h)
    return total if total > 0.0 else 0.0


@kernel
def divergences(g, w, length, bent, unit, v, M, dual_unit):
    """The sum over j of ``divergence`` (reference: PNorm._residual_angular)."""
    total = 0.0
    for j in range(w.size):
        total = total + divergence(g, w[j] / length, bent[j] / unit, v[j] / M / dual_unit)
    return total


# -- the regularizer --------------------------------------------------------------------------------------


class PNormOfArrays(PNorm):
    """The verbs of ``PNorm`` on float64 arrays of shape (d,).

    Parameters
    ----------
    g : PNorm over float

    >>> g = PNormOfArrays(PNorm(1, 1.5).over(float))
    >>> g.gradient_conjugate(np.array([0.0, -2.0])).tolist(), g.conjugate(np.array([0.0, -2.0]))
    ([0.0, -1.0], 1.0)
    """

    def __init__(self, g: PNorm) -> None:
        vars(self).update(vars(g))
        self.numbers = numbers_of(g)

    def scale(self, v: object) -> float:
        return float(largest(v))

    def point(self, v: Any) -> Point:
        bent: Any = np.empty(v.size)
        M = self.scale(v)
        s = float(bend_all(self.numbers, v, M, bent))
        c, clipped = self.coefficient(M, s, self.lam)
        self.require_finite(c * s)
        return Point(M, bent, s, c, clipped)

    def gradient_conjugate(self, minus_u: object) -> Any:
        _, bent, _, c, _ = self.point(minus_u)
        return c * bent

    def dual_norm(self, v: Any) -> float:
        M = self.scale(v)
        s = float(bend_all(self.numbers, v, M, np.empty(v.size)))
        return float(M * (math.sqrt(s) if self.euclidean else power(s, (self.p - 1) / self.p)))

    def _powers(self, w: object) -> tuple[float, float]:
        M = self.scale(w)
        return M, float(powers(self.numbers, w, M))

    def _residual_euclidean(self, w: object, v: object) -> float:
        M, bent, _, c, clipped = self.point(v)
        mu = M / c if clipped else self.lam
        squares, norm2 = distances(w, bent, c)
        total, ball = mu * squares / 2, self.numbers.ball
        if clipped and ball * ball > norm2:
            total = total + (mu - self.lam) * (ball * ball - norm2) / 2
        return float(total)

    def _residual_angular(self, w: Any, v: object) -> float:
        M, bent, s, _, _ = self.point(v)
        length = self.norm(w)
        if s == 0 or length == 0:
            return 0.0
        unit, dual_unit = power(s, 1 / self.p), power(s, (self.p - 1) / self.p)
        return float(M * dual_unit * length * divergences(self.numbers, w, length, bent, unit, v, M, dual_unit))

    def size(self, w: Any, minus_u: Any) -> float:
        """g(w) + g*(-u) + ||u||_q ||w||_p: what the terms of g(w) + g*(-u) + u^T w are made of."""
        return float(self.value(w) + self.conjugate(minus_u) + self.dual_norm(minus_u) * self.norm(w))
