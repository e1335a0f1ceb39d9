"""cvxpy with conic solvers as controls: P itself is handed over; "optimal" is the status that claims convergence."""

from importlib.metadata import version

import cvxpy as cp
import numpy as np
from serve import Answer, Fit, Task

VERSION = ", ".join(f"{name} {version(name)}" for name in ("cvxpy", "clarabel", "osqp", "scs", "ecos"))


def fit(solver: str) -> Fit:
    def fitted(task: Task) -> Answer:
        w, n = cp.Variable(task.X.shape[1]), len(task.y)
        z = task.X @ w
        losses = {
            "squared": lambda: cp.sum_squares(z - task.y) / (2 * task.gamma),
            "hinge": lambda: cp.sum(cp.pos(1 - cp.multiply(task.y, z))),
            "squared-hinge": lambda: cp.sum_squares(cp.pos(1 - cp.multiply(task.y, z))),
            "logistic": lambda: cp.sum(cp.logistic(-cp.multiply(task.y, z))),
        }
        problem = cp.Problem(
            cp.Minimize(losses[task.loss]() / n + task.lam / 2 * cp.sum_squares(w) + task.l1 * cp.norm1(w))
        )
        problem.solve(solver=solver)
        return {
            "w": np.zeros(w.size) if w.value is None else w.value,
            "converged": problem.status == "optimal",
            "says": {"value": problem.value},
        }

    return fitted


FITS = {solver: fit(solver) for solver in ("CLARABEL", "OSQP", "SCS", "ECOS")}
