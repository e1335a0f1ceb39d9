"""SDCA with random output, compiled: the counterpart of ``dualgap.reference.methods.sdca.RandomSDCA``, same steps, same
bits.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.methods.base import FastDualMethod, FastDualState, run_kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.problem.arrays import Array
from dualgap.reference.methods.sdca import RandomState
from dualgap.reference.problem.problem import Problem


class FastRandomState(FastDualState, RandomState):
    """The fields of the reference's RandomState, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastRandomSDCA(FastDualMethod):
    """Procedure SDCA with the random output. A choice n + i keeps the state before the update of row i.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> random = FastRandomSDCA()
    >>> random.view(problem, random.run(problem, [2, 3, 0]))[1].tolist()
    [-1.0, 0.0]
    """

    name = "sdca-random"
    kernel = FastSDCA.kernel

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastDualState:
        start = super().init(problem, alpha)
        return FastRandomState(v=start.v, alpha=start.alpha, t=0, output=np.zeros(problem.n))

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = self.native(problem)
        kept = np.flatnonzero(choices >= problem.n).tolist()
        for begin, end in zip([0, *kept], [*kept, choices.size]):
            if begin in kept:
                state.output = state.alpha.copy()  # SDCA line 7'
            run_kernel(type(self).kernel, objective, state, choices[begin:end] % problem.n)
        state.t += choices.size

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        if state.t <= self.reference.T0:  # type: ignore[attr-defined]
            return super().view(problem, state)
        objective = self.native(problem)
        return objective.w_of(objective.v(state.output)), state.output.copy()
