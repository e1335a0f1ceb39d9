"""SDCA with averaged output, compiled: the counterpart of ``dualgap.reference.methods.sdca.AveragedSDCA``, same steps, same bits."""

from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastDualMethod, FastDualState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import inner_dense, inner_sparse, update_dense, update_sparse
from dualgap.reference.problem.problem import Problem


@kernel
def sum_of(total_i, since_i, alpha_i, T0, end):
    """The sum of alpha_i over the states T0 .. end-1 (reference: AveragedSDCA.sum_of)."""
    first = since_i if since_i > T0 else T0
    count = end - first if end > first else 0
    return total_i + count * alpha_i


@kernel
def averaged_sparse(
    indptr, indices, data, y, norms2, code, gamma, scale, threshold, v, alpha, total, since, t0, T0, choices
):  # fmt: skip
    """Lines 3 to 7 for every choice, X in CSR; t0 updates were made before."""
    for t in range(choices.size):
        i = choices[t]                                                                      # SDCA line 3
        total[i] = sum_of(total[i], since[i], alpha[i], T0, t0 + t + 1)                     # SDCA line 7
        since[i] = t0 + t + 1
        z = inner_sparse(indptr, indices, data, i, v, threshold)
        alpha_i = dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale)              # SDCA line 4
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # SDCA line 5
        if delta != 0.0:
            update_sparse(indptr, indices, data, i, delta / scale, v)                       # SDCA line 6


@kernel
def averaged_dense(X, y, norms2, code, gamma, scale, threshold, v, alpha, total, since, t0, T0, choices):
    """Lines 3 to 7 for every choice, X dense; t0 updates were made before."""
    for t in range(choices.size):
        i = choices[t]                                                                      # SDCA line 3
        total[i] = sum_of(total[i], since[i], alpha[i], T0, t0 + t + 1)                     # SDCA line 7
        since[i] = t0 + t + 1
        z = inner_dense(X, i, v, threshold)
        alpha_i = dual_step(code, gamma, z, alpha[i], y[i], norms2[i] / scale)              # SDCA line 4
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i                                                                  # SDCA line 5
        if delta != 0.0:
            update_dense(X, i, delta / scale, v)                                            # SDCA line 6


class FastAveragedState(FastDualState):
    """The fields of the reference's AveragedState, arrays for lists."""

    __slots__ = ("t", "total", "since")
    t: int
    total: Array
    since: Any


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
    kernels = (averaged_sparse, averaged_dense)

    def init(self, problem: Problem, alpha: Any = None) -> FastDualState:
        start = super().init(problem, alpha)
        n = problem.n
        return FastAveragedState(v=start.v, alpha=start.alpha, t=0, total=np.zeros(n), since=np.zeros(n, dtype=np.int64))

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = Objective(problem)
        data, T0 = objective.arrays, self.reference.T0  # type: ignore[attr-defined]
        data.run(
            self.kernels, data.y, data.norms2, objective.code, objective.gamma, objective.scale, objective.threshold,
            state.v, state.alpha, state.total, state.since, state.t, T0, choices,
        )  # fmt: skip
        state.t += choices.size

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        T0 = self.reference.T0  # type: ignore[attr-defined]
        if state.t <= T0:
            return super().view(problem, state)
        sums = zip(state.total.tolist(), state.since.tolist(), state.alpha.tolist())
        alpha = np.array([sum_of(*parts, T0, state.t) / (state.t - T0) for parts in sums])
        objective = Objective(problem)
        return objective.w_of(objective.v(alpha)), alpha
