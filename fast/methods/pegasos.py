"""Pegasos, compiled: the counterpart of ``dualgap.reference.methods.pegasos``, same steps, bit-identical results. O(d)
a round, as it is written there.
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.pgs import dual
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import CODES, derivative
from dualgap.fast.problem.rows import NO_LIMITS, inner, update
from dualgap.reference.methods.pegasos import Pegasos, PegasosState
from dualgap.reference.problem.problem import Problem


@kernel
def shrink(w, t):
    """w <- (1 - 1/t) w."""
    for j in range(w.size):
        w[j] = w[j] - w[j] / t


@kernel
def project(w, radius2):
    """w <- min{1, radius/||w||} w (reference: Pegasos.project)."""
    norm2 = 0.0
    for w_j in w:
        norm2 = norm2 + w_j * w_j
    if norm2 > radius2:
        factor = math.sqrt(radius2 / norm2)
        for j in range(w.size):
            w[j] = factor * w[j]


class RunNumbers(NamedTuple):
    """The numbers that stay the same in a run; radius2 is infinite without projection."""

    y: Array
    code: int
    gamma: float
    lam: float
    radius2: float


@kernel
def pegasos_steps(rows, run, t, w, choices):
    """Lines 3 to 7 for every choice."""
    k, slopes = choices.shape[1], np.empty(choices.shape[1])
    for A in choices:  # Pegasos line 3
        for b in range(k):
            slopes[b] = derivative(run.code, run.gamma, inner(rows, A[b], w, NO_LIMITS), run.y[A[b]])  # Pegasos line 4
        t += 1
        eta = 1.0 / (run.lam * t)  # Pegasos line 5
        shrink(w, t)  # Pegasos line 6
        for b in range(k):
            update(rows, A[b], eta * slopes[b] / k, w)
        project(w, run.radius2)  # Pegasos line 7


class FastPegasosState(FastState, PegasosState):
    """The fields of the reference's ``PegasosState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastPegasos(FastMethod[FastPegasosState]):
    """Options as in the reference.

    >>> from dualgap.reference import L2, Hinge, Problem
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]], [1, -1, 1], Hinge(), L2("1/4"))
    >>> FastPegasos(projection=False).run(problem, [[0], [1], [2], [0]]).w.tolist()
    [1.0, -1.0]
    """

    name: ClassVar[str] = "pegasos"
    reference: Pegasos

    def init(self, problem: Problem, alpha: Any = None) -> FastPegasosState:
        """Return the first state, as the reference does; there is no alpha."""
        self.reference.require_start(problem, alpha)
        return FastPegasosState(w=np.zeros(problem.d), t=0)

    def steps(self, problem: Problem, state: FastPegasosState, choices: Array) -> None:
        data, loss, g = arrays(problem), problem.loss, problem.regularizer
        ball = getattr(g, "ball", None)
        radius2 = math.inf if not self.reference.projection else 1 / g.lam if ball is None else ball * ball
        run = RunNumbers(data.y, CODES[loss.name], loss.gamma, g.lam, radius2)
        pegasos_steps(data.entries(), run, state.t, state.w, choices)
        state.t += len(choices)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        """(w_{t+1}, alpha) with alpha_i = phi_i'(x_i^T w_{t+1})."""
        return state.w.copy(), dual(problem, state.w)
