"""L-BFGS with memory 30, compiled: the counterpart of ``dualgap.extras.baselines.lbfgs.reference``: scipy's steps on an
objective of the same bits.
"""

from typing import Any, ClassVar

import numpy as np

from dualgap.extras.baselines.afg.compiled import slopes
from dualgap.extras.baselines.lbfgs.reference import LBFGS, Evaluation, LBFGSState, step
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.pgs import dual
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.weighted_objective import objective_of_rows
from dualgap.reference.problem.problem import Problem


class FastLBFGSState(FastState, LBFGSState):
    """The fields of the reference's ``LBFGSState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastLBFGS(FastMethod[FastLBFGSState]):
    """The output is the best point evaluated.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastLBFGS().run(problem, [0] * 10).w.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "lbfgs"
    weighted = True
    reference: LBFGS

    def init(self, problem: Problem, alpha: Any = None) -> FastLBFGSState:
        """As in the reference: no alpha."""
        self.reference.require_start(problem, alpha)
        return FastLBFGSState(w_0=np.zeros(problem.d), evaluations=0, w=np.zeros(problem.d), P=np.inf, ended=False)

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective, lam = objective_of_rows(problem), problem.regularizer.lam

        def evaluate(w: Array) -> Evaluation:
            z = objective.z(w)
            alpha = slopes(objective, z)
            return objective.P_at(z, w), 0.0 - objective.minus_u(alpha) + lam * w

        for _ in choices:
            step(state, evaluate, self.reference.options)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        """(w, alpha) with alpha_i = phi_i'(x_i^T w)."""
        return state.w.copy(), dual(problem, state.w)
