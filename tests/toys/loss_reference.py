"""The Huber loss in a separate file: phi*(a) = y a + a^2/2 on -1 <= a <= 1."""

from fractions import Fraction

from dualgap.reference import Loss, register_loss
from dualgap.reference.problem.losses import clip


@register_loss
class Huber(Loss):
    """e^2/2 where |e| <= 1, else |e| - 1/2; e = z - y."""

    name, margin = "toy-huber", False
    default_gamma = Fraction(1)
    domain, ends = "-1 <= alpha <= 1", (-1, 1)

    def value(self, z, y):
        e = z - y
        return e - self.one / 2 if e >= 1 else -e - self.one / 2 if e <= -1 else e * e / 2

    def derivative(self, z, y):
        return clip(z - y, -self.one, self.one)

    def in_domain(self, alpha, y):
        return bool(-1 <= alpha) and bool(alpha <= 1)

    def conjugate(self, alpha, y):
        self.require_domain(alpha, y)
        return y * alpha + alpha * alpha / 2

    def dual_step(self, z, alpha, y, q):
        return clip((z - y + q * alpha) / (1 + q), -self.one, self.one)

    def residual(self, z, alpha, y):
        self.require_domain(alpha, y)
        e = z - y
        if e >= 1:
            return (1 - alpha) * ((e - 1) + (1 - alpha) / 2)
        if e <= -1:
            return (1 + alpha) * ((-e - 1) + (1 + alpha) / 2)
        return (e - alpha) * (e - alpha) / 2

    def kinks(self, y):
        return [y - 1, y + 1]
