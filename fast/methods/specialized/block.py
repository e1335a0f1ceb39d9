"""AdaSPDC, its repair and PDCP on blocks A_i = x_i (x) I_K, compiled: the dense steps of the reference, bit-identical.

A step of AdaSPDC costs O(K nnz(x_i) + d), d = K times the features: no coordinate is left out.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.adaspdc import leader
from dualgap.fast.methods.base import FastMethod, FastState, require_start
from dualgap.fast.methods.pdcp import FastPDCPState, primal_step
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.block_losses import dual_step
from dualgap.fast.problem.block_objective import BlockObjective, block_arrays, products, row_add, row_products
from dualgap.reference import method
from dualgap.reference.methods.pdcp import require_strong
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem


class Penalty(NamedTuple):
    """The numbers of the regularizer for the primal step; centre is empty if it has none."""

    mu: float
    l1: float
    kappa: float
    centre: Array


class Steps(NamedTuple):
    """Norms, 1/sigma, and tau and theta of a sample led by that block, (n,) each."""

    R: Array
    q: Array
    tau: Array
    theta: Array


@kernel
def adaspdc_blocks(rows, loss, y, steps, penalty, state, choices):
    """Algorithm 1 for every sample S of the choices (reference: AdaSPDC.advance)."""
    (indptr, indices, data), (kind, code, gamma), (w, w_bar, u, alpha) = rows, loss, state
    n, K, m = alpha.shape[0], alpha.shape[1], choices.shape[1]
    z, new, factors, work, minus = np.empty(K), np.empty((m, K)), np.empty(K), np.empty((4, K)), np.empty(u.size)
    for S in choices:
        lead = leader(steps.R, S)  # AdaSPDC line 5
        for b in range(m):
            i = S[b]
            row_products(indptr, indices, data, i, w_bar, z)
            dual_step(kind, code, gamma, z, alpha[i], y[i], steps.q[i], new[b], work)  # AdaSPDC lines 6-7, (9)
        minus[:] = u
        for b in range(m):
            i = S[b]
            for k in range(K):
                factors[k] = (new[b, k] - alpha[i, k]) / m
            row_add(indptr, indices, data, i, factors, minus)
            for k in range(K):
                factors[k] = (new[b, k] - alpha[i, k]) / n
                alpha[i, k] = new[b, k]  # AdaSPDC line 7
            row_add(indptr, indices, data, i, factors, u)  # AdaSPDC line 11, (13)
        for j in range(u.size):
            minus[j] = -minus[j]
        primal_step(
            w, w_bar, minus, steps.tau[lead], steps.theta[lead], penalty.mu, penalty.l1, penalty.kappa, penalty.centre
        )


@kernel
def dual_steps(kind, code, gamma, z, y, q, alpha):
    """Every alpha_i, from z_i = A_i^T w_bar (reference: PDCP.advance)."""
    new, work = np.empty(alpha.shape[1]), np.empty((4, alpha.shape[1]))
    for i in range(alpha.shape[0]):
        dual_step(kind, code, gamma, z[i], alpha[i], y[i], q, new, work)  # PDCP (6)
        alpha[i] = new


class FastBlockState(FastState):
    """The fields of the reference's ``AdaSPDCState``; alpha has shape (n, K)."""

    __slots__ = ("w", "w_bar", "u", "alpha")
    w: Array
    w_bar: Array
    u: Array
    alpha: Array


class FastBlockMethod(FastMethod[Any]):
    """The start, which the methods of this module share."""

    name: ClassVar[str]

    def __init__(self, **options: object) -> None:
        self.reference: Any = method(self.name, **options)

    def require(self, problem: Problem, mode: str = "paper") -> None:
        self.reference.require(problem, mode)

    def start(self, problem: BlockProblem, alpha: Any, w: Any) -> tuple[Array, Array, Array]:
        """(w, u, alpha) as in the reference (``pdcp.starting_point``)."""
        self.reference.require_family(problem)
        if getattr(self.reference, "tau", None) is None:
            require_strong(problem, self.name)
        block_arrays(problem)  # raises where there are no kernels
        objective = BlockObjective(problem)
        start = objective.require_alpha(objective.zeros() if alpha is None else alpha)
        if self.reference.parameters(problem) is None:
            nowhere = (0.0,) * start.shape[1]
            start, w = np.array([problem.loss.derivative(nowhere, y) for y in problem.y]), None
        minus_u = objective.minus_u(start)
        w = objective.gradient_conjugate(minus_u) if w is None else w
        given = require_start(problem, w)
        return given, 0.0 - minus_u, start

    def penalty(self, problem: BlockProblem) -> Penalty:
        g = problem.regularizer
        return Penalty(g.modulus, g.l1, g.kappa, np.array([] if g.centre is None else g.centre, dtype=np.float64))

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()


class FastBlockAdaSPDC(FastBlockMethod):
    """Algorithm 1 as published; options as in the reference.

    >>> from dualgap.reference import L2
    >>> from dualgap.reference.problem.block_losses import MulticlassSmoothedHinge
    >>> problem = BlockProblem.kronecker([[3.0, 4.0], [0.0, 1.0]], [0, 1], 2, MulticlassSmoothedHinge(), L2(1.0))
    >>> method = FastBlockAdaSPDC()
    >>> w, alpha = method.view(problem, method.run(problem, [[0], [1]] * 200))
    >>> alpha.shape, BlockObjective(problem).gap(w, alpha) < 1e-12
    ((2, 2), True)
    """

    name = "adaspdc"

    def init(self, problem: Any, alpha: ArrayLike | None = None, w: Any = None) -> FastBlockState:
        """alpha, shape (n, K), and w as in the reference."""
        w, u, alpha = self.start(problem, alpha, w)
        return FastBlockState(w=w, w_bar=w.copy(), u=u, alpha=alpha)

    def make_native(self, problem: Problem) -> Steps | None:
        """Return the reference's numbers of each block; None if all blocks are zero."""
        parameters, rows = self.reference.parameters(problem), range(problem.n)
        if parameters is None:
            return None
        steps = np.array([self.reference.tau_theta(problem, parameters, [i]) for i in rows])
        q = np.array([1 / self.reference.sigma(parameters, i) for i in rows])
        return Steps(np.array(parameters.R), q, steps[:, 0].copy(), steps[:, 1].copy())

    def steps(self, problem: Any, state: Any, choices: Array) -> None:
        numbers, data = self.native(problem), block_arrays(problem)
        if numbers is not None:
            iterate = (state.w, state.w_bar, state.u, state.alpha)
            adaspdc_blocks(data.matrix, data.loss, data.y, numbers, self.penalty(problem), iterate, choices)


class FastBlockAdaSPDCR(FastBlockAdaSPDC):
    """The repaired method; options as in the reference."""

    name = "adaspdc-r"


class FastBlockPDCP(FastBlockMethod):
    """(6) to (8); options as in the reference."""

    name = "pdcp"

    def init(self, problem: Any, alpha: ArrayLike | None = None, w: Any = None) -> FastPDCPState:
        """alpha, shape (n, K), and w as in the reference."""
        w, _, alpha = self.start(problem, alpha, w)
        return FastPDCPState(w=w, w_bar=w.copy(), alpha=alpha)

    def steps(self, problem: Any, state: Any, choices: Array) -> None:
        parameters, data, objective = self.reference.parameters(problem), block_arrays(problem), BlockObjective(problem)
        z = np.empty_like(state.alpha)
        if parameters is None:  # nothing moves
            return
        for _ in choices:
            products(*data.matrix, state.w_bar, z)
            dual_steps(*data.loss, z, data.y, problem.n / parameters.sigma, state.alpha)
            minus_u = objective.minus_u(state.alpha)
            primal_step(state.w, state.w_bar, minus_u, parameters.tau, parameters.theta, *self.penalty(problem))


BLOCK_KERNELS = {cls.name: cls for cls in (FastBlockAdaSPDC, FastBlockAdaSPDCR, FastBlockPDCP)}
