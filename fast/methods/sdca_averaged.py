"""SDCA with averaged output, compiled: the counterpart of ``dualgap.reference.methods.sdca.AveragedSDCA``, same steps,
bit-identical results.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.rows import inner, update
from dualgap.reference.methods.sdca import AveragedState
from dualgap.reference.problem.problem import Problem


@kernel
def sum_of(total_i, since_i, alpha_i, T0, end):
    """The sum of alpha_i over the states T0 .. end-1 (reference: AveragedSDCA.sum_of)."""
    first = since_i if since_i > T0 else T0
    count = end - first if end > first else 0
    return total_i + count * alpha_i


@kernel
def averaged_steps(rows, run, state, sums, t0, T0, choices):
    """Lines 3 to 7 for every choice; t0 updates were made before."""
    total, since = sums
    for t in range(choices.size):
        i = choices[t]  # SDCA line 3
        total[i] = sum_of(total[i], since[i], state.alpha[i], T0, t0 + t + 1)  # SDCA line 7
        since[i] = t0 + t + 1
        z = inner(rows, i, state.v, run.threshold)
        alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale)  # SDCA line 4
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i  # SDCA line 5
        if delta != 0.0:
            update(rows, i, delta / run.scale, state.v)  # SDCA line 6


class FastAveragedState(FastDualState, AveragedState):
    """The fields of the reference's AveragedState, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastAveragedSDCA(FastDualMethod):
    """Procedure SDCA with the averaging output.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> averaged = FastAveragedSDCA()
    >>> averaged.view(problem, averaged.run(problem, [0, 1, 0, 1]))[1].tolist()
    [-0.75, 0.5]
    """

    name = "sdca-averaged"
    kernel = averaged_steps

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastDualState:
        start = super().init(problem, alpha)
        n = problem.n
        return FastAveragedState(
            v=start.v, alpha=start.alpha, t=0, total=np.zeros(n), since=np.zeros(n, dtype=np.int64)
        )

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = self.native(problem)
        T0 = self.reference.T0  # type: ignore[attr-defined]
        vectors, sums = DualVectors(state.v, state.alpha), (state.total, state.since)
        averaged_steps(objective.arrays.matrix, step_numbers(objective), vectors, sums, state.t, T0, choices)
        state.t += choices.size

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        T0 = self.reference.T0  # type: ignore[attr-defined]
        if state.t <= T0:
            return super().view(problem, state)
        sums = zip(state.total.tolist(), state.since.tolist(), state.alpha.tolist())
        alpha = np.array([sum_of(*parts, T0, state.t) / (state.t - T0) for parts in sums])
        objective = self.native(problem)
        return objective.w_of(objective.v(alpha)), alpha
