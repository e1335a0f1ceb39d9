"""The independent implementation, continued: the squared p-norm and losses of several numbers; see ``losses``.

The p-norm stands as in its theorem: a norm, its dual and the duality map, without a scale. Powers of Fractions are
taken in decimals, those of floats by the language.
"""

import math
from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from dualgap.proofs_checks.conformance.independent.losses import Formulas, Vector, dot

DIGITS = 50


def powered(x: Any, exponent: Any) -> Any:
    """x ** exponent, x >= 0 and exponent > 0."""
    if isinstance(x, float):
        return x ** float(exponent)
    if x in (0, 1) or exponent == 1:
        return x
    with localcontext(Context(prec=DIGITS)):
        base, power = (Decimal(value.numerator) / Decimal(value.denominator) for value in (x, exponent))
        return Fraction(base**power)


def root(x: Any) -> Any:
    """The square root of x >= 0; of the square of a Fraction exactly."""
    if isinstance(x, float):
        return math.sqrt(x)
    exact = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return exact if exact * exact == x else powered(x, Fraction(1, 2))


class MoreFormulas(Formulas):
    """The calls of level L0 that are not those of ``Formulas``."""

    # -- g(w) = lam ||w||_p^2/(2 (p-1)), on ||w||_p <= ball ------------------------------------------------------------

    def norm(self, w: Vector, p: Fraction) -> Fraction:
        """||w||_p."""
        if p == 2:
            return Fraction(root(dot(w, w))) if not isinstance(w[0], float) else root(dot(w, w))
        total: Fraction = powered(sum((powered(abs(w_j), p) for w_j in w), w[0] - w[0]), 1 / p)
        return total

    def dual_exponent(self, p: Fraction) -> Fraction:
        """q with 1/p + 1/q = 1."""
        return p / (p - 1)

    def length(self, lam: Fraction, p: Fraction, ball: Fraction | None, u: Vector) -> Fraction:
        """||w||_p of the minimiser."""
        free = (p - 1) * self.norm(u, self.dual_exponent(p)) / lam
        return free if ball is None else min(free, ball)

    def pnorm_value(self, lam: Fraction, p: Fraction, w: Vector, ball: Fraction | None = None) -> dict[str, Any]:
        size = self.norm(w, p)
        return {"value": None if ball is not None and size > ball else lam * size * size / (2 * (p - 1))}

    def pnorm_conjugate(self, lam: Fraction, p: Fraction, u: Vector, ball: Fraction | None = None) -> dict[str, Any]:
        C = self.length(lam, p, ball, u)
        return {"value": C * self.norm(u, self.dual_exponent(p)) - lam * C * C / (2 * (p - 1))}

    def pnorm_minimizer(self, lam: Fraction, p: Fraction, u: Vector, ball: Fraction | None = None) -> dict[str, Any]:
        return {"w": self.shortest(lam, p, ball, u)}

    def shortest(self, lam: Fraction, p: Fraction, ball: Fraction | None, u: Vector) -> Vector:
        """argmin g(w) + u^T w: C times the duality map of -u, |u_j|^(q-1)/||u||_q^(q-1)."""
        q, C = self.dual_exponent(p), self.length(lam, p, ball, u)
        size = self.norm(u, q)
        return [(-C if u_j > 0 else C) * powered(abs(u_j) / size, q - 1) if u_j else u_j for u_j in u]

    # -- losses of several numbers -------------------------------------------------------------------------------------

    def block_dual_step(
        self, loss: str, gamma: Fraction, z: Vector, alpha: Vector, target: Any, q: Fraction
    ) -> dict[str, Any]:
        return {"alpha": self.best(loss, gamma, z, alpha, target, q)}

    def block_derivative(self, loss: str, gamma: Fraction, z: Vector, target: Any) -> dict[str, Any]:
        return {"alpha": self.best(loss, gamma, z, [z_k - z_k for z_k in z], target, Fraction(0))}

    def block_value(self, loss: str, gamma: Fraction, z: Vector, target: Any) -> dict[str, Any]:
        """<a, z> - phi*(a) at the derivative a."""
        if loss == "softmax":
            return {"value": in_decimals(lambda: sum((number(z_k - z[target]).exp() for z_k in z), Decimal(0)).ln())}
        a = self.best(loss, gamma, z, [z_k - z_k for z_k in z], target, Fraction(0))
        star = self.block_star(loss, gamma, a, target)
        return {"value": None if star is None else dot(a, z) - star}

    def block_conjugate(self, loss: str, gamma: Fraction, alpha: Vector, target: Any) -> dict[str, Any]:
        return {"value": self.block_star(loss, gamma, alpha, target)}

    def block_star(self, loss: str, gamma: Fraction, alpha: Vector, target: Any) -> Any:
        """phi*(alpha), None where it is infinite."""
        if loss == "ball-huber":
            return dot(target, alpha) + gamma / 2 * dot(alpha, alpha) if dot(alpha, alpha) <= 1 + SLACK else None
        beta = self.weights(alpha, target)
        if min(beta) < 0 or sum(beta) != 1:
            return None
        if loss == "softmax":
            return in_decimals(lambda: sum((number(b) * number(b).ln() for b in beta if b > 0), Decimal(0)))
        return gamma / 2 * dot(beta, beta) - (1 - beta[target])

    def weights(self, alpha: Vector, c: int) -> Vector:
        """beta = alpha + e_c."""
        return [a + (k == c) for k, a in enumerate(alpha)]

    def best(self, loss: str, gamma: Fraction, z: Vector, alpha: Vector, target: Any, q: Fraction) -> Vector:
        """argmin_a phi*(a) - <a, z> + (q/2)||a - alpha||^2."""
        gamma = self.constant(loss, gamma)
        if loss == "ball-huber":
            return self.into_ball([(z_k - b_k + q * a_k) / (gamma + q) for z_k, b_k, a_k in zip(z, target, alpha)])
        beta = self.weights(alpha, target)
        if loss == "softmax":
            a = [z_k + q * b for z_k, b in zip(z, beta)]
            return self.unweighted(list(bisected(tuple(a), q)), target)
        margins = [(z_k - z[target] + (k != target)) for k, z_k in enumerate(z)]
        return self.unweighted(self.onto_simplex([(m + q * b) / (gamma + q) for m, b in zip(margins, beta)]), target)

    def into_ball(self, point: Vector) -> Vector:
        """The nearest a with ||a|| <= 1."""
        length = root(dot(point, point))
        return [a / length for a in point] if length > 1 else point

    def unweighted(self, beta: Vector, c: int) -> Vector:
        """beta - e_c."""
        return [b - int(k == c) for k, b in enumerate(beta)]

    def onto_simplex(self, point: Vector) -> Vector:
        """The nearest beta in the simplex: of all supports the one whose threshold leaves out just the others."""
        for size in range(1, len(point) + 1):
            for support in combinations(range(len(point)), size):
                t = (sum((point[k] for k in support), Fraction(0)) - 1) / size
                if all((point[k] > t) == (k in support) for k in range(len(point))):
                    return [p - t if p > t else p - p for p in point]
        raise AssertionError("every point has a support")


CLOSE = Decimal(1).scaleb(-30)
SLACK = Fraction(1, 10**30)  # a length of 1 in decimals


def number(value: Fraction) -> Decimal:
    """To the digits of the context."""
    return Decimal(value.numerator) / Decimal(value.denominator)


def in_decimals(compute: Callable[[], Decimal]) -> Fraction:
    """A value to 50 digits."""
    with localcontext(Context(prec=DIGITS)):
        return Fraction(compute())


@lru_cache(maxsize=256)
def bisected(a: tuple[Fraction, ...], q: Fraction) -> tuple[Fraction, ...]:
    """The beta in the simplex with ln beta_k + q beta_k = a_k - mu: mu by bisection, and beta_k by Newton's method in
    beta_k itself.
    """
    with localcontext(Context(prec=34)):
        points, stiffness = [number(a_k) for a_k in a], number(q)

        def share(level: Decimal) -> Decimal:
            x = min(level.exp(), Decimal(1))
            for _ in range(60):  # ln x + q x - level is concave in x: from the left it only rises
                step = x * (level - x.ln() - stiffness * x) / (1 + stiffness * x)
                x = x + step if x + step > 0 else x / 1000
                if abs(step) < CLOSE * x:
                    break
            return x

        low, high = max(points) - stiffness - 1, max(points) + len(points)
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if sum(share(p - middle) for p in points) > 1 else (low, middle)
        return tuple(Fraction(share(p - low)) for p in points)
