"""The methods for a free intercept, compiled: SDCA, whose steps are here, AFG on min_b P(w, b), and L-BFGS, Newton's
method and its proximal form in (w, b).

SDCA maximises D under the constraint sum_i s_i alpha_i = 0 by the method of multipliers (Rockafellar, Math. Oper. Res.
1976), that is, by proximal steps of b. One pass maximises

    D(alpha) + b c - c^2/(2 kappa),    c = (1/S) sum_i s_i alpha_i,

which is the dual of P(w, b') + (kappa/2)(b' - b)^2: rows (1, x_i), with b' = b - c/kappa. After the pass b becomes b'.
kappa = mu / (the mean of ||x_i||^2), so that the constant column counts for as much as the others. One pass does not
reach the maximum; no rate is claimed, and the certificate decides.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import inner, update


class InterceptState(FastDualState):
    """v, alpha, and b: the centre of the proximal term."""

    __slots__ = ("b",)
    b: float


@kernel
def intercept_sdca_steps(rows, run, kappa, mass, state, b, choices):
    """The steps for every choice; run.norms2 is s_i ||x_i||^2, run.scale is mu S, b the b' of the start."""
    for i in choices:
        z = inner(rows, i, state.v, run.threshold) + b
        q = run.norms2[i] / run.scale + run.weights[i] / (kappa * mass)
        alpha_i = dual_step(run.code, run.gamma, z, state.alpha[i], run.y[i], q)
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i
        if delta != 0.0:
            b = b - run.weights[i] * delta / (kappa * mass)
            update(rows, i, run.weights[i] * delta / run.scale, state.v)


class FastInterceptSDCA(FastDualMethod):
    """SDCA on an InterceptProblem.

    >>> from dualgap.reference import Hinge, L2, InterceptProblem
    >>> problem = InterceptProblem([[2.0], [0.0]], [1, -1], Hinge(), L2(0.1))
    >>> FastInterceptSDCA().run(problem, [0, 1] * 40).v.round(3).tolist()
    [1.0]
    """

    name = "sdca"

    def make_native(self, problem: Any) -> InterceptObjective:
        return InterceptObjective(problem)

    def init(self, problem: Any, alpha: ArrayLike | None = None) -> InterceptState:
        objective = self.native(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        v = objective.v(start)
        return InterceptState(v=v, alpha=start, b=objective.best(Objective.z(objective, objective.w_of(v))))

    def steps(self, problem: Any, state: Any, choices: Array) -> None:
        objective, vectors = self.native(problem), DualVectors(state.v, state.alpha)
        mean = objective.arrays.norm2
        kappa = objective.mu / mean if mean > 0 and 0 < objective.mu / mean < np.inf else objective.mu
        data, per = objective.arrays.matrix, kappa * objective.mass
        moved = state.b - objective.balance(state.alpha)[0] / per
        intercept_sdca_steps(data, step_numbers(objective), kappa, objective.mass, vectors, moved, choices)
        state.b = state.b - objective.balance(state.alpha)[0] / per

    def near(self, state: Any) -> float:
        return float(state.b)


def intercept_kernels() -> dict[str, Any]:
    """Name to method.

    >>> "sdca" in intercept_kernels(), "spdc" in intercept_kernels()
    (True, False)
    """
    able = {name: found for name, cls in kernels().items() if (found := vars(cls).get("with_intercept")) is not None}
    return able | {FastInterceptSDCA.name: FastInterceptSDCA}
