"""Dual-free SDCA, compiled: the operations of ``method`` in the same order, so that every bit is the same."""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, step_numbers
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.losses import derivative
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import NO_LIMITS, inner, update


@kernel
def dual_free_steps(rows, run, beta, state, choices):
    """Make one step for each choice; ``rows`` may have any storage."""
    for i in choices:
        delta = beta * (derivative(run.code, run.gamma, inner(rows, i, state.v, NO_LIMITS), run.y[i]) - state.alpha[i])
        state.alpha[i] = state.alpha[i] + delta
        update(rows, i, delta / run.scale, state.v)


@register_compiled_method
class FastDualFree(FastDualMethod):
    """The kernel above; beta is the reference's, R^2 the same number in compiled code."""

    name = "dual-free"

    def steps(self, problem, state, choices):
        problem.cached("R2", lambda: arrays(problem).R2)
        run, beta = step_numbers(Objective(problem)), self.reference.beta(problem)
        dual_free_steps(arrays(problem).matrix, run, beta, DualVectors(state.v, state.alpha), choices)
