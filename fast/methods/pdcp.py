"""PDCP, compiled: the counterpart of ``dualgap.reference.methods.pdcp``, bit-identical. One step is a pass: every row,
then every coordinate.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_start
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import CODES, dual_step
from dualgap.fast.problem.rows import soft
from dualgap.reference.methods.pdcp import PDCP, PDCPState, require_strong
from dualgap.reference.problem.problem import Problem


@kernel
def dual_steps(code, gamma, z, y, q, alpha):
    """Every alpha_i, from z = X w_bar (reference: PDCP.advance)."""
    for i in range(alpha.size):
        alpha[i] = dual_step(code, gamma, z[i], alpha[i], y[i], q)  # PDCP (6)


@kernel
def primal_step(w, w_bar, minus_u, tau, theta, mu, l1, kappa, centre):
    """w and w_bar from -X^T alpha/n; centre is empty if the regularizer has none (reference: Regularizer.prox)."""
    scale = 1.0 + tau * mu
    for j in range(w.size):
        old, moved = w[j], w[j] + tau * minus_u[j]
        if centre.size > 0:
            moved = moved + tau * kappa * centre[j]
        w[j] = soft(moved, tau * l1) / scale  # PDCP (7)
        w_bar[j] = w[j] + theta * (w[j] - old)  # PDCP (8)


class FastPDCPState(FastState, PDCPState):
    """The fields of the reference's ``PDCPState``."""

    __slots__ = ()


@register_compiled_method
class FastPDCP(FastMethod[FastPDCPState]):
    """(6) to (8); options as in the reference. The default steps need ||X||_2, by a dense copy of X: see ``spectral``.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastPDCP().view(problem, FastPDCP().run(problem, [0] * 100))
    >>> w.round(9).tolist()
    [0.5, -0.5]
    """

    name = "pdcp"
    reference: PDCP

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_norms(problem)
        super().require(problem, mode)

    def init(self, problem: Problem, alpha: ArrayLike | None = None, w: Any = None) -> FastPDCPState:
        """alpha and w as in the reference."""
        self.reference.require_family(problem)
        share_norms(problem)
        if self.reference.tau is None:
            require_strong(problem, self.name)
        objective = self.native(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        if self.reference.parameters(problem) is None:
            start, w = np.array([problem.loss.derivative(0.0, y) for y in problem.y]), None
        w = objective.w(start) if w is None else w
        given = require_start(problem, w)
        return FastPDCPState(w=given, w_bar=given.copy(), alpha=start)

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        parameters, objective, g = self.reference.parameters(problem), self.native(problem), problem.regularizer
        if parameters is None:
            return
        tau, sigma, theta = parameters
        centre = np.empty(0) if g.centre is None else objective.centre
        for _ in choices:
            z = objective.z(state.w_bar)
            dual_steps(CODES[problem.loss.name], problem.gamma, z, objective.arrays.y, problem.n / sigma, state.alpha)
            primal_step(
                state.w, state.w_bar, objective.minus_u(state.alpha), tau, theta, g.modulus, g.l1, g.kappa, centre
            )

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()


def share_norms(problem: Problem) -> None:
    """Give the compiled ||x_i||^2, which are bit-identical, to the reference, so that it need not make its rows."""
    problem.cached("norms2", lambda: arrays(problem).norms2.tolist())
