"""SPD1-VR, compiled: the counterpart of ``dualgap.extras.baselines.spd1_vr.reference``, same steps, bit-identical
results.
"""

from typing import Any, NamedTuple

import numpy as np

from dualgap.extras.baselines.spd1.compiled import FastEntrywise, entry, primal_step, run_numbers
from dualgap.extras.baselines.spd1_vr.reference import LARGEST_COLUMN, SPD1VR, Parameters, SPD1VRState
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastState
from dualgap.fast.methods.pdcp import share_norms
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import bounds, column, value
from dualgap.reference.problem.problem import Problem


@kernel
def squared_columns(rows, n, out):
    """sum_i x_ij^2 for every column, shape (d,) (reference: spd1_vr.C2)."""
    for i in range(n):
        first, end = bounds(rows, i)
        for place in range(first, end):
            j, x = column(rows, place), value(rows, i, place)
            out[j] = out[j] + x * x


class Snapshot(NamedTuple):
    """w~, alpha~, u~ and z~."""

    w_tilde: Array
    alpha_tilde: Array
    u_tilde: Array
    z_tilde: Array


@kernel
def spd1_vr_steps(rows, run, w, alpha, snapshot, choices):
    """Lines 1 to 3 for every choice of one epoch."""
    w_tilde, alpha_tilde, u_tilde, z_tilde = snapshot
    q = 1 / run.tau
    for i, other_i, j, other_j in choices:  # SPD1-VR line 1
        x, other_x = entry(rows, run.ascending, other_i, j), entry(rows, run.ascending, i, other_j)
        u_j = x * (alpha[other_i] - alpha_tilde[other_i]) + u_tilde[j]
        z_i = w.size * (other_x * (w[other_j] - w_tilde[other_j])) + z_tilde[i]
        w[j] = primal_step(run, run.eta, j, w[j], u_j)  # SPD1-VR line 2
        alpha[i] = dual_step(run.code, run.gamma, z_i, alpha[i], run.y[i], q)  # SPD1-VR line 3


def largest_column(problem: Problem) -> float:
    """C^2 = max_j sum_i x_ij^2, bit-identical to the reference's."""
    columns2 = np.zeros(problem.d)
    squared_columns(arrays(problem).matrix, problem.n, columns2)
    return float(columns2.max())


class FastSPD1VRState(FastState, SPD1VRState):
    """The fields of the reference's ``SPD1VRState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastSPD1VR(FastEntrywise):
    """Options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]], [1, -1, 1], Squared(), L2("1/4"))
    >>> FastSPD1VR(eta=4.0, tau=1.0).run(problem, [(0, 1, 0, 1), (1, 0, 0, 1)]).w.tolist()
    [1.0, 0.0]
    """

    name = "spd1-vr"
    reference: SPD1VR

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_norms(problem)
        super().require(problem, mode)

    def parameters(self, problem: Problem) -> Parameters:
        """Return the parameters of the reference, with the norms of rows and columns from compiled code."""
        share_norms(problem)
        problem.cached(LARGEST_COLUMN, lambda: largest_column(problem))
        return self.reference.parameters(problem)

    def init(self, problem: Problem, alpha: object = None, w: object = None) -> FastSPD1VRState:
        """alpha and w as in the reference."""
        self.parameters(problem)
        w, alpha = self.start(problem, alpha, w)
        return FastSPD1VRState(w=w, alpha=alpha, t=0, **self.snapshot(problem, w, alpha)._asdict())

    def snapshot(self, problem: Problem, w: Array, alpha: Array) -> Snapshot:
        """Return the snapshot at w and alpha."""
        objective = Objective(problem)
        return Snapshot(w.copy(), alpha.copy(), 0.0 - objective.minus_u(alpha), objective.z(w))

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        """Epoch by epoch."""
        m = self.parameters(problem).m
        while len(choices):
            if state.t > 0 and state.t % m == 0:
                for name, values in self.snapshot(problem, state.w, state.alpha)._asdict().items():
                    setattr(state, name, values)
            now = min(len(choices), m - state.t % m)
            self.inside_epoch(problem, state, choices[:now])
            choices = choices[now:]

    def inside_epoch(self, problem: Problem, state: Any, choices: Array) -> None:
        """Steps without a snapshot between them."""
        objective, parameters = Objective(problem), self.parameters(problem)
        snapshot = Snapshot(state.w_tilde, state.alpha_tilde, state.u_tilde, state.z_tilde)
        run = run_numbers(problem, objective, parameters.eta, parameters.tau)
        spd1_vr_steps(objective.arrays.matrix, run, state.w, state.alpha, snapshot, choices)
        state.t += len(choices)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()
