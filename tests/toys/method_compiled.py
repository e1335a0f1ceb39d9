"""Half of every step of SDCA, compiled."""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastDualMethod
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.rows import inner, update


@kernel
def half_steps(rows, run, state, choices):
    """Rows of any storage."""
    for i in choices:
        z = inner(rows, i, state.v, run.threshold)
        delta = (
            dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale) - state.alpha[i]
        ) / 2.0
        state.alpha[i] = state.alpha[i] + delta
        if delta != 0.0:
            update(rows, i, delta / run.scale, state.v)


@register_compiled_method
class FastHalfSDCA(FastDualMethod):
    """The kernel above."""

    name = "toy-half-sdca"
    kernel = half_steps
