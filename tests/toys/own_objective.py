"""A loss and a regularizer of one's own, registered nowhere."""

from fractions import Fraction

from dualgap.reference import GeneralRegularizer, Loss
from dualgap.reference.problem.losses import clip


class Huber(Loss):
    """e^2/(2 gamma) where |e| <= gamma, else |e| - gamma/2; e = z - y. The formulas that need be given, and no other;
    no built-in loss has a domain of that form with targets.
    """

    name, margin, adjustable = "own-huber", False, True
    default_gamma = Fraction(1)
    domain, ends = "-1 <= alpha <= 1", (-1, 1)

    def value(self, z, y):
        e = z - y
        return (
            e - self.gamma / 2
            if e >= self.gamma
            else -e - self.gamma / 2
            if e <= -self.gamma
            else e * e / (2 * self.gamma)
        )

    def derivative(self, z, y):
        return clip((z - y) / self.gamma, -self.one, self.one)

    def conjugate(self, alpha, y):
        self.require_domain(alpha, y)
        return y * alpha + self.gamma * alpha * alpha / 2

    def dual_step(self, z, alpha, y, q):
        return clip((z - y + q * alpha) / (self.gamma + q), -self.one, self.one)


class WeightedL2(GeneralRegularizer):
    """(lam/2) sum_j c_j w_j^2, c_j > 0."""

    name = "weighted-l2"

    def __init__(self, lam, c):
        super().__init__(lam, c=c)

    @property
    def modulus(self):
        return self.lam * min(self.c)

    def value(self, w):
        return self.lam * sum(c_j * w_j * w_j for c_j, w_j in zip(self.c, w, strict=True)) / 2

    def gradient_conjugate(self, minus_u):
        return [v_j / (self.lam * c_j) for c_j, v_j in zip(self.c, minus_u, strict=True)]

    def prox(self, w, tau):
        return [w_j / (1 + tau * self.lam * c_j) for c_j, w_j in zip(self.c, w, strict=True)]
