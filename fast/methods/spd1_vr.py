"""SPD1-VR, compiled: the counterpart of ``dualgap.reference.methods.spd1_vr``, same steps, same bits."""

from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastState
from dualgap.fast.methods.pdcp import share_norms
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.spd1 import FastEntrywise, ascending, entry_dense, entry_sparse, primal_step
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.reference.methods.spd1_vr import LARGEST_COLUMN, SPD1VR, Parameters, SPD1VRState
from dualgap.reference.problem.problem import Problem


@kernel
def columns2_sparse(indptr, indices, data, out):
    """sum_i x_ij^2 for every column, shape (d,) (reference: spd1_vr.C2)."""
    for place in range(np.uint64(indptr[0]), np.uint64(indptr[-1])):
        j = indices[place]
        out[j] = out[j] + data[place] * data[place]


@kernel
def columns2_dense(X, out):
    """sum_i x_ij^2 for every column, shape (d,) (reference: spd1_vr.C2)."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            out[j] = out[j] + X[i, j] * X[i, j]


@kernel
def step(x, other_x, i, other_i, j, other_j, y, code, gamma, mu, l1, kappa, centre, eta, q, w, alpha, w_tilde, alpha_tilde, u_tilde, z_tilde):
    """Lines 2 and 3 with x = x_i'j and other_x = x_ij'."""
    u_j = x * (alpha[other_i] - alpha_tilde[other_i]) + u_tilde[j]
    z_i = w.size * (other_x * (w[other_j] - w_tilde[other_j])) + z_tilde[i]
    w[j] = primal_step(w[j], u_j, eta, mu, l1, kappa, centre[j])                            # SPD1-VR line 2
    alpha[i] = dual_step(code, gamma, z_i, alpha[i], y[i], q)                               # SPD1-VR line 3


@kernel
def spd1_vr_sparse(
    indptr, indices, data, ascending, y, code, gamma, mu, l1, kappa, centre, eta, q, w, alpha, w_tilde, alpha_tilde,
    u_tilde, z_tilde, choices,
):  # fmt: skip
    """Lines 1 to 3 for every choice of one epoch, X in CSR."""
    for i, other_i, j, other_j in choices:                                                  # SPD1-VR line 1
        x = entry_sparse(indptr, indices, data, ascending, other_i, j)
        other_x = entry_sparse(indptr, indices, data, ascending, i, other_j)
        step(
            x, other_x, i, other_i, j, other_j, y, code, gamma, mu, l1, kappa, centre, eta, q, w, alpha, w_tilde, alpha_tilde,
            u_tilde, z_tilde,
        )  # fmt: skip


@kernel
def spd1_vr_dense(
    X, ascending, y, code, gamma, mu, l1, kappa, centre, eta, q, w, alpha, w_tilde, alpha_tilde, u_tilde, z_tilde, choices
):
    """Lines 1 to 3 for every choice of one epoch, X dense."""
    for i, other_i, j, other_j in choices:                                                  # SPD1-VR line 1
        x, other_x = entry_dense(X, other_i, j), entry_dense(X, i, other_j)
        step(
            x, other_x, i, other_i, j, other_j, y, code, gamma, mu, l1, kappa, centre, eta, q, w, alpha, w_tilde, alpha_tilde,
            u_tilde, z_tilde,
        )  # fmt: skip


class FastSPD1VRState(FastState):
    """The fields of the reference's ``SPD1VRState``, arrays for lists."""

    __slots__ = SPD1VRState.__slots__
    w: Array
    alpha: Array
    w_tilde: Array
    alpha_tilde: Array
    u_tilde: Array
    z_tilde: Array
    t: int


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
        """Those of the reference, with the norms of rows and columns made by compiled code."""
        share_norms(problem)
        if LARGEST_COLUMN not in vars(problem):
            columns2 = np.zeros(problem.d)
            Objective(problem).arrays.run((columns2_sparse, columns2_dense), columns2)
            vars(problem)[LARGEST_COLUMN] = float(columns2.max())
        return self.reference.parameters(problem)

    def init(self, problem: Problem, alpha: Any = None, w: Any = None) -> FastSPD1VRState:
        """alpha and w as in the reference."""
        self.parameters(problem)
        w, alpha = self.start(problem, alpha, w)
        return FastSPD1VRState(w=w, alpha=alpha, t=0, **self.snapshot(problem, w, alpha))

    def snapshot(self, problem: Problem, w: Array, alpha: Array) -> dict[str, Array]:
        """w~, alpha~, u~ and z~."""
        objective = Objective(problem)
        return {"w_tilde": w.copy(), "alpha_tilde": alpha.copy(), "u_tilde": 0.0 - objective.minus_u(alpha), "z_tilde": objective.z(w)}

    def steps(self, problem: Problem, state: FastSPD1VRState, choices: Array) -> None:
        """Epoch by epoch."""
        m = self.parameters(problem).m
        while len(choices):
            if state.t > 0 and state.t % m == 0:
                for name, values in self.snapshot(problem, state.w, state.alpha).items():
                    setattr(state, name, values)
            now = min(len(choices), m - state.t % m)
            self.inside_epoch(problem, state, choices[:now])
            choices = choices[now:]

    def inside_epoch(self, problem: Problem, state: FastSPD1VRState, choices: Array) -> None:
        """Steps without a snapshot between them."""
        objective, parameters = Objective(problem), self.parameters(problem)
        data = objective.arrays
        data.run(
            (spd1_vr_sparse, spd1_vr_dense), ascending(data), data.y, objective.code, objective.gamma, objective.mu, objective.l1,
            objective.kappa, objective.centre, parameters.eta, 1 / parameters.tau, state.w, state.alpha, state.w_tilde,
            state.alpha_tilde, state.u_tilde, state.z_tilde, choices,
        )  # fmt: skip
        state.t += len(choices)

    def view(self, problem: Problem, state: FastSPD1VRState) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()
