"""The independent implementation of the squared p-norm and of losses of several numbers; see ``losses``.

The p-norm is as in its theorem: a norm, its dual and the duality map, without a scale.
"""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

from dualgap.proofs_checks.conformance.independent.arithmetic import (
    Vector,
    decimal,
    dot,
    in_decimals,
    powered,
    root,
    softmax_step,
)
from dualgap.proofs_checks.conformance.independent.losses import Formulas, Result

SLACK = Fraction(1, 10**30)  # a length of 1 in decimals


class MoreFormulas(Formulas):
    """The calls of level L0 that are not those of ``Formulas``."""

    # -- g(w) = lam ||w||_p^2/(2 (p-1)), on ||w||_p <= ball ------------------------------------------------------------

    def norm(self, w: Vector, p: Fraction) -> Fraction:
        """||w||_p."""
        return root(dot(w, w)) if p == 2 else powered(sum((powered(abs(w_j), p) for w_j in w), w[0] - w[0]), 1 / p)

    def length(self, lam: Fraction, p: Fraction, ball: Fraction | None, u: Vector) -> Fraction:
        """||w||_p of the minimiser."""
        free = (p - 1) * self.norm(u, p / (p - 1)) / lam
        return free if ball is None else min(free, ball)

    def pnorm_value(self, lam: Fraction, p: Fraction, w: Vector, ball: Fraction | None = None) -> Result:
        size = self.norm(w, p)
        return {"value": None if ball is not None and size > ball else lam * size * size / (2 * (p - 1))}

    def pnorm_conjugate(self, lam: Fraction, p: Fraction, u: Vector, ball: Fraction | None = None) -> Result:
        C = self.length(lam, p, ball, u)
        return {"value": C * self.norm(u, p / (p - 1)) - lam * C * C / (2 * (p - 1))}

    def shortest(self, lam: Fraction, p: Fraction, u: Vector, ball: Fraction | None = None) -> Vector:
        """argmin g(w) + u^T w: C times the duality map of -u, |u_j|^(q-1)/||u||_q^(q-1)."""
        q, C = p / (p - 1), self.length(lam, p, ball, u)
        size = self.norm(u, q)
        return [(-C if u_j > 0 else C) * powered(abs(u_j) / size, q - 1) if u_j else u_j for u_j in u]

    # -- losses of several numbers -------------------------------------------------------------------------------------

    def block_derivative(self, loss: str, gamma: Fraction, z: Vector, target: object) -> Result:
        return {"alpha": self.best(loss, gamma, z, [z_k - z_k for z_k in z], target, z[0] - z[0])}

    def block_value(self, loss: str, gamma: Fraction, z: Vector, target: Any) -> Result:
        """<a, z> - phi*(a) at the derivative a."""
        if loss == "softmax":
            shifts = [z_k - z[target] for z_k in z]
            return {"value": in_decimals(lambda: sum((decimal(x).exp() for x in shifts), Decimal(0)).ln(), z[0])}
        a = self.best(loss, gamma, z, [z_k - z_k for z_k in z], target, z[0] - z[0])
        return {"value": dot(a, z) - self.curve(loss, gamma, a, target)}

    def block_star(self, loss: str, gamma: Fraction, alpha: Vector, target: Any) -> Fraction | None:
        """phi*(alpha), None where it is infinite."""
        if loss == "ball-huber":
            inside = dot(alpha, alpha) <= 1 + SLACK
        else:
            beta = self.weights(alpha, target)
            inside = min(beta) >= 0 and sum(beta) == 1
        return self.curve(loss, gamma, alpha, target) if inside else None

    def curve(self, loss: str, gamma: Fraction, alpha: Vector, target: Any) -> Fraction:
        """phi*(alpha) in its domain, which a derivative leaves by roundings in floats."""
        if loss == "ball-huber":
            return dot(target, alpha) + gamma / 2 * dot(alpha, alpha)
        beta = self.weights(alpha, target)
        if loss == "softmax":
            parts = [b for b in beta if b > 0]
            return in_decimals(lambda: sum((decimal(b) * decimal(b).ln() for b in parts), Decimal(0)), alpha[0])
        star: Fraction = gamma / 2 * dot(beta, beta) - (1 - beta[target])
        return star

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
            beta = softmax_step(tuple(z_k + q * b for z_k, b in zip(z, beta)), q)
        else:
            margins = [(z_k - z[target] + (k != target)) for k, z_k in enumerate(z)]
            beta = self.onto_simplex([(m + q * b) / (gamma + q) for m, b in zip(margins, beta)])
        return [b - (k == target) for k, b in enumerate(beta)]

    def into_ball(self, point: Vector) -> Vector:
        """The nearest a with ||a|| <= 1."""
        length = root(dot(point, point))
        return [a / length for a in point] if length > 1 else point

    def onto_simplex(self, point: Vector) -> Vector:
        """The nearest beta in the simplex: of all supports the one whose threshold leaves out just the others."""
        for size in range(1, len(point) + 1):
            for support in combinations(range(len(point)), size):
                t = (sum((point[k] for k in support), Fraction(0)) - 1) / size
                if all((point[k] > t) == (k in support) for k in range(len(point))):
                    return [p - t if p > t else p - p for p in point]
        raise AssertionError("every point has a support")
