"""L2, elastic net, and both with a proximal centre: one family, two numbers and a start.

    g(w) = (lam/2)||w||^2 + l1 ||w||_1 + (kappa/2)||w||^2 - kappa w^T centre

with u = X^T alpha / n, whose negative is handed in as ``minus_u``:

    g*(-u)      = ||soft(-u + kappa centre, l1)||^2 / (2 mu),     mu = lam + kappa
    grad g*(-u) = soft(-u + kappa centre, l1) / mu

kappa = 0 gives L2 (l1 = 0) and elastic net; kappa > 0 is g~_v of ASPDC-i (section 4), whose constant
(kappa/2)||v||^2 the paper drops: it cancels in every duality gap of the same centre, and nowhere else.
l1 ||w||_1 alone (lam = 0) has mu = 0: g* is an indicator, grad g* does not exist, so it is refused.
"""

import copy
from fractions import Fraction
from typing import ClassVar

from dualgap.reference.numbers.arithmetic import Number, NumberLike, NumberType, convert
from dualgap.reference.problem.data import shallow_copy

ZERO: Number = Fraction(0)


def soft(v: Number, threshold: Number) -> Number:
    """sign(v) max(|v| - threshold, 0); inside the threshold v - v, so that no negative zero is made."""
    return v - threshold if v > threshold else v + threshold if v < -threshold else v - v


class Regularizer:
    """(lam/2)||w||^2 + l1 ||w||_1, optionally with a proximal centre.

    Parameters
    ----------
    lam : number > 0
        The paper's lambda, the weight of ||w||^2 / 2.
    l1 : number >= 0
        The weight of ||w||_1.

    Raises
    ------
    ValueError
        lam <= 0 (pure l1 included), l1 < 0, or not a finite number.

    >>> ElasticNet(lam=2, l1="1/2").gradient_conjugate([Fraction(3, 2), Fraction(-1, 4)])
    [Fraction(1, 2), Fraction(0, 1)]
    """

    family: ClassVar[str] = "quadratic"  # the modulus and the threshold say all (``pnorm`` has the other family)

    def __init__(self, lam: NumberLike, l1: NumberLike = 0) -> None:
        self.number: NumberType = Fraction
        self.lam: Number = convert(lam, Fraction, "lam")
        self.l1: Number = convert(l1, Fraction, "l1")
        self.kappa: Number = ZERO
        self.centre: list[Number] | None = None
        if self.lam.numerator <= 0:  # its sign, which takes a tenth of the time of a comparison of Fractions
            why = ": the certificate divides by lam. Without a penalty take a small lam"
            if self.l1 > 0:
                why = (
                    "; a pure l1 penalty has no strongly convex part, so no grad g* exists. Use lam > 0: a small lam"
                    " with l1 > 0 is the elastic net"
                )
            raise ValueError(f"lam must be > 0 (got {lam}){why}")
        if self.l1.numerator < 0:
            raise ValueError(f"l1 must be >= 0 (got {l1})")

    def __repr__(self) -> str:
        text = f"L2(lam={self.lam})" if self.l1 == 0 else f"ElasticNet(lam={self.lam}, l1={self.l1})"
        return text if self.kappa == 0 else f"{text}.centred(kappa={self.kappa})"

    __copy__ = shallow_copy

    def over(self, number: NumberType) -> "Regularizer":
        """The same regularizer with its constants in ``number``."""
        copied = copy.copy(self)
        copied.number = number
        copied.lam, copied.l1 = convert(self.lam, number, "lam"), convert(self.l1, number, "l1")
        copied.kappa = convert(self.kappa, number, "kappa")
        if self.centre is not None:
            copied.centre = [convert(c, number, "centre") for c in self.centre]
        return copied

    def centred(self, kappa: Number, centre: list[Number]) -> "Regularizer":
        """g~_v: this regularizer plus (kappa/2)||w||^2 - kappa w^T centre; kappa >= 0, centre of shape (d,)."""
        copied = copy.copy(self)
        copied.kappa, copied.centre = kappa, list(centre)
        return copied

    @property
    def modulus(self) -> Number:
        """mu, the strong convexity of g."""
        return self.lam + self.kappa

    @property
    def threshold(self) -> Number:
        """l1/mu: w_j = soft(v_j, threshold) for v = (-u + kappa centre)/mu."""
        return self.l1 / self.modulus

    def dual_point(self, minus_u: list[Number]) -> list[Number]:
        """v = (-u + kappa centre)/mu, shape (d,): what the dual methods keep; w is soft(v, threshold)."""
        mu = self.modulus
        if self.centre is None:
            return [u_j / mu + 0 for u_j in minus_u]  # + 0: an underflow must not leave a negative zero in v
        return [(u_j + self.kappa * c_j) / mu + 0 for u_j, c_j in zip(minus_u, self.centre)]

    def gradient_conjugate(self, minus_u: list[Number]) -> list[Number]:
        """grad g*(-u), shape (d,)."""
        v, threshold = self.dual_point(minus_u), self.threshold
        return [soft(v_j, threshold) for v_j in v] if threshold else v

    def conjugate(self, minus_u: list[Number]) -> Number:
        """g*(-u) = (mu/2)||grad g*(-u)||^2."""
        total = self.lam - self.lam
        for w_j in self.gradient_conjugate(minus_u):
            total = total + w_j * w_j
        return self.modulus * total / 2

    def value(self, w: list[Number]) -> Number:
        """g(w), without the constant (kappa/2)||centre||^2."""
        squares = ones = cross = self.lam - self.lam
        for j, w_j in enumerate(w):
            squares = squares + w_j * w_j
            ones = ones + abs(w_j) if self.l1 > 0 else ones
            cross = cross + w_j * self.centre[j] if self.centre is not None else cross
        return self.modulus * squares / 2 + self.l1 * ones - self.kappa * cross

    def residual(self, w: list[Number], minus_u: list[Number]) -> Number:
        """g(w) + g*(-u) + u^T w >= 0, as a sum of nonnegative terms; 0 iff w = grad g*(-u)."""
        mu, threshold = self.modulus, self.threshold
        total = self.lam - self.lam
        for w_j, v_j in zip(w, self.dual_point(minus_u)):
            best = soft(v_j, threshold)
            total = total + mu * ((w_j - best) * (w_j - best)) / 2
            if self.l1 > 0:  # l1 |w_j| - mu r w_j, with r = v_j - best, which is the threshold itself beyond it
                r = threshold if v_j > threshold else -threshold if v_j < -threshold else v_j
                total = total + mu * (w_j * (threshold - r) if w_j >= 0 else -w_j * (threshold + r))
        return total

    def prox(self, w: list[Number], tau: Number) -> list[Number]:
        """argmin_x g(x) + ||x - w||^2/(2 tau), shape (d,); tau > 0."""
        scale = 1 + tau * self.modulus
        if self.centre is None:
            return [soft(w_j, tau * self.l1) / scale for w_j in w]
        return [soft(w_j + tau * self.kappa * c_j, tau * self.l1) / scale for w_j, c_j in zip(w, self.centre)]


class L2(Regularizer):
    """(lam/2)||w||^2.

    Parameters
    ----------
    lam : number > 0, the weight.
    """

    def __init__(self, lam: NumberLike) -> None:
        super().__init__(lam, ZERO)


class ElasticNet(Regularizer):
    """(lam/2)||w||^2 + l1 ||w||_1.

    Parameters
    ----------
    lam : number > 0, the weight of the squares.
    l1 : number >= 0, the weight of the absolute values; 0 by default.
    """
