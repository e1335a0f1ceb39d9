"""The compiled counterpart of ``dualgap.extras.baselines.gradients``."""

from typing import Any

import numpy as np

from dualgap.extras.baselines.gradients import FiniteSum
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.row_sums import derivatives
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.problem import Problem


@kernel
def dot(p, q):
    """p^T q (reference: gradients.dot)."""
    total = 0.0
    for j in range(p.size):
        total = total + p[j] * q[j]
    return total


def slopes(objective: Objective, z: Array) -> Array:
    """phi_i'(z_i), shape (n,) (reference: gradients.slopes)."""
    alpha = np.empty(objective.n)
    derivatives(objective.code, objective.gamma, z, objective.arrays.y, alpha)
    return alpha


def gradient(objective: Objective, w: Array) -> Array:
    """grad f(w), shape (d,) (reference: gradients.gradient)."""
    return 0.0 - objective.minus_u(slopes(objective, objective.z(w)))


def share_R2(problem: Problem) -> None:
    """Give the reference the compiled max ||x_i||^2, which is bit-identical, so that it need not build its rows."""
    problem.cached("R2", lambda: arrays(problem).R2)


def begin(reference: FiniteSum, problem: Problem, alpha: Any, w: Any) -> tuple[Array, Array]:
    """alpha (default 0), checked, and the w to start from (reference: FiniteSum.begin)."""
    reference.require_gradient(problem)
    share_R2(problem)
    objective = Objective(problem)
    start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
    if w is None:
        return start, objective.w(start)
    problem.require_lengths(w=w)
    return start, np.array([convert(w_j, float, "w") for w_j in (w.tolist() if hasattr(w, "tolist") else w)])
