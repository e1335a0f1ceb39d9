"""Squared loss with L2: one epoch of ASPDC-i as linear maps, the Lyapunov function as a quadratic form.

Errors from the optimum, z = (v, alpha) with v the centre: a problem with y = 0 has its optimum at 0, and any
other y only moves the origin. Every inner step is z -> A_i z, the last one of an epoch, which also moves the
centre, z -> L_i z. Both are read off the method's own ``step``, not from a formula. So for a form q(z) = z^T G z

    E q(z after one epoch) = z^T Phi(G) z,   Phi(G) = mean_j A_j^T( ... mean_i L_i^T G L_i ... ) A_j,

for all states z at once, and "E q(z+) <= r q'(z) for every z" is "r G' - Phi(G) is positive semidefinite",
decided exactly by the pivots of a symmetric elimination.
"""

from fractions import Fraction
from typing import Any, cast

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.papers.aspdc_i.setting import Matrix, dense, hessian, prox_contraction
from dualgap.reference.methods.aspdc_i import ASPDCiFixed, ProximalPointState
from dualgap.reference.problem.problem import Problem, Vector


def fixed(c: Context) -> ASPDCiFixed:
    """The context's method, which must be Algorithm 3 (or a mistaken one)."""
    return cast(ASPDCiFixed, c.method)


def state_at(method: ASPDCiFixed, problem: Problem, v: Vector, alpha: Vector, steps: int = 0) -> ProximalPointState:
    """The method's state after ``steps`` inner steps of an epoch with centre v and dual point alpha."""
    state = method.init(problem, alpha)
    state.w_tilde = list(v)
    method.start_inner(problem, state)
    state.steps = steps
    return state


class Epoch:
    """The maps of one epoch of ``method`` on a problem with squared loss, L2 and y = 0.

    Raises ValueError when a step is not linear (another loss, l1 > 0, or y != 0).
    """

    def __init__(self, method: ASPDCiFixed, problem: Problem) -> None:
        self.method, self.problem = method, problem
        self.d, self.n, self.m = problem.d, problem.n, method.m_of(problem)
        self.kappa = method.kappa_of(problem)
        self.mu = problem.regularizer.lam + self.kappa
        self.inner = self._maps(last=False) if self.m > 1 else []
        self.last = self._maps(last=True)

    def _maps(self, last: bool) -> list[Matrix]:
        """A_1 .. A_n, or L_1 .. L_n for the last step of an epoch."""
        size, number = self.d + self.n, cast(Any, self.problem.number)
        units = [[number(int(j == k)) for j in range(size)] for k in range(size)]
        maps = np.array([self._images(unit, last) for unit in units], dtype=object).transpose(1, 2, 0)
        probe = [number(2 * k + 3, k + 2) for k in range(size)]
        if self._images(probe, last) != [(A @ np.array(probe)).tolist() for A in maps]:
            raise ValueError("an epoch is a linear map only for squared loss with y = 0 and L2, and this one is not")
        return list(maps)

    def _images(self, z: Vector, last: bool) -> list[Vector]:
        """z after the method's own step i, for every i."""
        state = state_at(self.method, self.problem, z[: self.d], z[self.d :], self.m - 1 if last else 0)
        after = [self.method.step(self.problem, state, i) for i in range(self.n)]
        return [[*reached.w_tilde, *reached.alpha] for reached in after]

    def pull_back(self, G: Matrix) -> Matrix:
        """Phi(G), exactly."""
        G = average(G, self.last)
        for _ in range(self.m - 1):
            G = average(G, self.inner)
        return G

    # -- forms ------------------------------------------------------------------------------------------------

    def moreau(self) -> Matrix:
        """M(v) - P* as a form: (1/2) v^T kappa H (H + kappa I)^-1 v."""
        form = np.full((self.d + self.n, self.d + self.n), Fraction(0))
        form[: self.d, : self.d] = hessian(self.problem) @ prox_contraction(self.problem, self.kappa) / 2
        return form

    def dual(self) -> Matrix:
        """-D~_v(alpha) with its constant: (gamma/2n)||alpha||^2 + (mu/2)||w(alpha; v)||^2 - (kappa/2)||v||^2."""
        d, n = self.d, self.n
        W = np.hstack([self.kappa * np.identity(d, dtype=object), -dense(self.problem).T / n])  # mu w = W (v, alpha)
        own = np.array([-self.kappa / 2] * d + [self.problem.gamma / (2 * n)] * n, dtype=object)
        form: Matrix = W.T @ W / (2 * self.mu) + np.diag(own)
        return form

    def lyapunov(self, theta: Fraction) -> Matrix:
        """M(v) - P* + theta (M(v) - D~_v(alpha))."""
        form: Matrix = (1 + theta) * self.moreau() + theta * self.dual()
        return form


def average(G: Matrix, maps: list[Matrix]) -> Matrix:
    """mean_i A_i^T G A_i."""
    mean: Matrix = np.sum([A.T @ G @ A for A in maps], axis=0) / len(maps)
    return mean
