"""The methods for weighted rows, compiled: SDCA, whose steps are here, and those that take no more of a problem than
its sums over the rows.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.rows import inner, update
from dualgap.fast.problem.weighted_objective import WeightedObjective


@kernel
def weighted_sdca_steps(rows, run, weights, state, choices):
    """Lines 3 to 6 for every choice; run.norms2 is s_i ||x_i||^2, run.scale is mu S."""
    for i in choices:  # SDCA line 3
        z = inner(rows, i, state.v, run.threshold)
        alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], run.norms2[i] / run.scale)  # SDCA line 4
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i  # SDCA line 5
        if delta != 0.0:
            update(rows, i, weights[i] * delta / run.scale, state.v)  # SDCA line 6


class FastWeightedSDCA(FastDualMethod):
    """Procedure SDCA on a WeightedProblem.

    >>> from dualgap.reference import Hinge, L2, WeightedProblem
    >>> problem = WeightedProblem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0), [1, 3])
    >>> FastWeightedSDCA().run(problem, [0, 1]).v.tolist()
    [0.125, -0.375]
    """

    name = "sdca"

    def init(self, problem: Any, alpha: ArrayLike | None = None) -> FastDualState:
        objective = WeightedObjective(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        return FastDualState(v=objective.v(start), alpha=start)

    def steps(self, problem: Any, state: Any, choices: Array) -> None:
        objective, vectors = WeightedObjective(problem), DualVectors(state.v, state.alpha)
        weighted_sdca_steps(objective.arrays.matrix, step_numbers(objective), objective.weights, vectors, choices)


def weighted_kernels() -> dict[str, Any]:
    """Name to method.

    >>> "sdca" in weighted_kernels(), "spdc" in weighted_kernels()
    (True, False)
    """
    return {name: cls for name, cls in kernels().items() if cls.weighted} | {FastWeightedSDCA.name: FastWeightedSDCA}
