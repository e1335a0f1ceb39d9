"""Dual-free SDCA (Shalev-Shwartz, SDCA without Duality, Regularization, and Individual Convexity, ICML 2016).

    v_i = (phi_i'(x_i^T w) - alpha_i) x_i,   w <- w - eta v_i,   alpha_i <- alpha_i + eta lam n (phi_i'(x_i^T w) - alpha_i)

with eta = share/(L + lam n), 0 < share <= 1, and L = R^2/gamma, so that w = w(alpha) at every step. The paper's alpha
is minus ours.
"""  # noqa: E501

from fractions import Fraction

from dualgap.reference import DualMethod, HypothesisViolated, register_method


@register_method
class DualFree(DualMethod):
    """The state (v, alpha), v = w, and the uniform choices are those of ``DualMethod``."""

    name = "dual-free"

    def __init__(self, share=1):
        self.share = Fraction(share)

    def require(self, problem, mode="paper", R2=None):
        """Smooth losses, and L2 alone."""
        super().require(problem, mode, R2)
        if not problem.gamma > 0 or problem.threshold != 0:
            raise HypothesisViolated(
                f"method dual-free needs gamma > 0 and no l1 (got {problem.loss!r}, {problem.regularizer!r}); use"
                " method sdca"
            )

    def beta(self, problem):
        """eta lam n; lam n is ``problem.scale``."""
        share = problem.zero + self.share.numerator
        return share / self.share.denominator * problem.scale / (problem.R2 / problem.gamma + problem.scale)

    def advance(self, problem, state, choice):
        slope = problem.loss.derivative(problem.inner(choice, state.v), problem.y[choice])
        delta = self.beta(problem) * (slope - state.alpha[choice])
        state.alpha[choice] = state.alpha[choice] + delta
        problem.update(choice, delta, state.v)
