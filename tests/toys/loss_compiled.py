"""The Huber loss, compiled: the expressions of its reference, in the same order."""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.losses import clip
from dualgap.fast.problem.registered_losses import CompiledLoss, register_compiled_loss


@register_compiled_loss
class FastHuber(CompiledLoss):
    """Static functions of numbers, each a kernel."""

    name = "toy-huber"

    @staticmethod
    @kernel
    def value(gamma, z, y):
        e = z - y
        return e - 1.0 / 2.0 if e >= 1.0 else -e - 1.0 / 2.0 if e <= -1.0 else e * e / 2.0

    @staticmethod
    @kernel
    def derivative(gamma, z, y):
        return clip(z - y, -1.0, 1.0)

    @staticmethod
    @kernel
    def conjugate(gamma, alpha, y):
        return y * alpha + alpha * alpha / 2.0

    @staticmethod
    @kernel
    def dual_step(gamma, z, alpha, y, q):
        return clip((z - y + q * alpha) / (1.0 + q), -1.0, 1.0)

    @staticmethod
    @kernel
    def residual(gamma, z, alpha, y):
        e = z - y
        if e >= 1.0:
            return (1.0 - alpha) * ((e - 1.0) + (1.0 - alpha) / 2.0)
        if e <= -1.0:
            return (1.0 + alpha) * ((-e - 1.0) + (1.0 + alpha) / 2.0)
        return (e - alpha) * (e - alpha) / 2.0

    @staticmethod
    @kernel
    def in_domain(alpha, y):
        return -1.0 <= alpha <= 1.0

    @staticmethod
    @kernel
    def error(gamma, z, alpha, y):
        # e is off by |e| 2^-53, and FY by at most twice that and a few roundings of itself
        return 32.0 * 2.0**-53 * (1.0 + abs(z - y))
