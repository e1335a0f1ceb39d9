"""AFG, compiled: the counterpart of ``dualgap.extras.baselines.afg.reference``, same trials, bit-identical results."""

import math
from typing import Any, ClassVar

import numpy as np

from dualgap.extras.baselines.afg.reference import AFG, LARGEST, AFGState
from dualgap.extras.baselines.compiled_gradients import dot, gradient
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.pgs import dual
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import Limits, beyond
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.problem import Problem


@kernel
def prox(w, tau, mu, limits, kappa, centre, out):
    """argmin_x g(x) + ||x - w||^2/(2 tau); centre is empty where there is none (reference: Regularizer.prox)."""
    scale = 1.0 + tau * mu
    for j in range(w.size):
        moved = w[j]
        if centre.size > 0:
            moved = moved + tau * kappa * centre[j]
        out[j] = beyond(moved, limits) / scale


class FastAFGState(FastState, AFGState):
    """The fields of the reference's ``AFGState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastAFG(FastMethod[FastAFGState]):
    """Lines 1 to 7; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastAFG().run(problem, [0] * 60).x.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "afg"
    weighted = True
    reference: AFG

    def init(self, problem: Problem, alpha: Any = None) -> FastAFGState:
        """Return the first state, as the reference does; there is no alpha."""
        self.reference.require_start(problem, alpha)
        L = self.reference.first(problem, arrays(problem).R2)
        return FastAFGState(x=np.zeros(problem.d), s=np.zeros(problem.d), A=0.0, L=L, k=0, trials=0)  # AFG line 1

    def steps(self, problem: Problem, state: FastAFGState, choices: Array) -> None:
        objective, most = objective_of_rows(problem), self.reference.most(problem, arrays(problem).R2)
        for _ in choices:
            if state.A > LARGEST:
                return
            self.trial(objective, most, state)

    def trial(self, objective: Objective, most: float, state: Any) -> None:
        """Make one trial of the line search."""
        problem, L = objective.problem, state.L
        a = self.reference.weight(problem, state.A, L)  # AFG line 2
        v = self.prox(objective, 0.0 - state.s, state.A)  # AFG line 3
        y = (state.A * state.x + a * v) / (state.A + a)  # AFG line 3
        at_y = gradient(objective, y)
        T = self.prox(objective, y - at_y / L, 1 / L)  # AFG line 4
        at_T = gradient(objective, T)
        delta = y - T
        p = L * delta + (at_T - at_y)  # AFG line 5
        state.trials += 1
        if not (dot(p, delta) >= dot(p, p) / L or L >= most):  # AFG line 6
            state.L = convert(self.reference.up, float) * L
            return
        state.A, state.k = state.A + a, state.k + 1  # AFG line 7
        state.s = state.s + a * at_T
        state.x, state.L = T, L / convert(self.reference.down, float)

    def prox(self, objective: Objective, w: Array, tau: float) -> Array:
        """prox_{tau Psi}(w)."""
        g, out = objective.problem.regularizer, np.empty(objective.d)
        centre = np.empty(0) if g.centre is None else objective.centre
        low, high = -math.inf if g.family == "non-negative" else -(tau * g.l1), tau * g.l1
        prox(w, tau, g.modulus, Limits(low, high), g.kappa, centre, out)
        return out

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        """(x_k, alpha) with alpha_i = phi_i'(x_i^T x_k)."""
        return state.x.copy(), dual(problem, state.x)


FastAFG.with_intercept = FastAFG  # the steps on min_b P(w, b)
