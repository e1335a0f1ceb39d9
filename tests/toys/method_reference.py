"""Half of every step of SDCA: a method in a separate file."""

from dualgap.reference import register_method
from dualgap.reference.methods.base import DualMethod


@register_method
class HalfSDCA(DualMethod):
    """alpha_i moves half of the way to the maximiser of D over coordinate i."""

    name = "toy-half-sdca"
    summary = "SDCA with half of each step"

    def advance(self, problem, state, choice):
        i = choice
        best = problem.loss.dual_step(
            problem.inner(i, state.v), state.alpha[i], problem.y[i], problem.norms2[i] / problem.scale
        )
        delta = (best - state.alpha[i]) / 2
        state.alpha[i] = state.alpha[i] + delta
        problem.update(i, delta, state.v)
