"""SAG, compiled: the counterpart of ``dualgap.extras.baselines.sag.lazy``, same steps, bit-identical results.

A kernel returns where beta is to be folded into v: a call with arrays among its steps, however rare, makes it count
references to them at every row (measured on rows of 15: half as much time again).
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.extras.baselines.compiled_gradients import begin, share_R2
from dualgap.extras.baselines.sag.lazy import LazySAG, LazySAGState
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import CODES, derivative
from dualgap.fast.problem.rows import bounds, column, combine, value
from dualgap.reference.problem.problem import Problem


class RunNumbers(NamedTuple):
    """The numbers that stay the same in a run; rate = 1 - a lam, n = 0 where G is divided by m."""

    y: Array
    code: int
    gamma: float
    a: float
    rate: float
    n: int
    span: float


class Vectors(NamedTuple):
    """The arrays of a state, which a kernel changes."""

    v: Array
    mark: Array
    c: Array
    G: Array
    seen: Array


# -- one row ----------------------------------------------------------------------------------------------


@kernel(inline=True)
def product(rows, i, S, v, mark, G):
    """x_i^T v, the v_j of the row written (reference: LazySAG.catch_up)."""
    z = 0.0
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        v_j = v[j] - G[j] * (S - mark[j])
        v[j], mark[j] = v_j, S
        z = z + value(rows, i, place) * v_j
    return z


@kernel(inline=True)
def replace(rows, i, change, G):
    """G <- G + change x_i."""
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        G[j] = G[j] + change * value(rows, i, place)  # SAG line 4'


# -- all steps --------------------------------------------------------------------------------------------


@kernel
def sag_steps(rows, run, state, m, beta, S, choices):
    """Lines 3 to 6' for the choices up to the first that needs ``move_all``.

    Returns how many steps were made, whether line 6' of the last one is left to ``move_all``, and m, beta and S.
    """
    v, mark, c, G, seen = state
    for t in range(choices.size):
        i = np.uint64(choices[t])  # SAG line 3
        z = product(rows, i, S, v, mark, G)
        c_new = derivative(run.code, run.gamma, beta * z, run.y[i])
        replace(rows, i, c_new - c[i], G)
        c[i] = c_new  # SAG line 5'
        m += 1 - seen[i]
        seen[i] = 1
        shrunk = beta * run.rate
        if shrunk * run.span < 1.0:
            return t + 1, True, m, beta, S
        beta, S = shrunk, S + run.a / (m if run.n == 0 else run.n) / shrunk  # SAG line 6'
    return choices.size, False, m, beta, S


@kernel
def move_all(rate, step, beta, S, state):
    """w <- rate w - step G for all coordinates, from beta = 1 and S = 0 on (reference: LazySAG.move)."""
    v, mark, _, G, _ = state
    for j in range(v.size):
        v_j = v[j] - G[j] * (S - mark[j])
        v[j], mark[j] = rate * (beta * v_j) - step * G[j], 0.0  # SAG line 6'


# -- the method -------------------------------------------------------------------------------------------


class FastSAGState(FastState, LazySAGState):
    """The fields of the reference's ``LazySAGState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastSAG(FastMethod[FastSAGState]):
    """Lines 3 to 6'; options as in the reference, except for regularizer_in_table.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastSAG().view(problem, FastSAG().run(problem, [0, 1] * 400))
    >>> w.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "sag"
    reference: LazySAG

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_R2(problem)
        super().require(problem, mode)

    def init(self, problem: Problem, alpha: object = None, w: object = None) -> FastSAGState:
        """alpha and w as in the reference."""
        c, w = begin(self.reference, problem, alpha, w)
        G, known = np.zeros(problem.d), int(alpha is not None)
        combine(arrays(problem).matrix, c, G)
        return FastSAGState(
            v=w,
            mark=np.zeros(problem.d),
            c=c,
            G=G,
            seen=np.full(problem.n, known),
            m=known * problem.n,
            beta=1.0,
            S=0.0,
        )

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        share_R2(problem)
        data, a = arrays(problem), self.reference.a(problem)
        run = RunNumbers(
            y=data.y,
            code=CODES[problem.loss.name],
            gamma=problem.gamma,
            a=a,
            rate=1 - a * problem.regularizer.lam,
            n=problem.n if self.reference.divide == "n" else 0,
            span=float(self.reference.span),
        )
        rows, vectors, done = data.entries(), Vectors(state.v, state.mark, state.c, state.G, state.seen), 0
        while done < len(choices):
            now = state.m, state.beta, state.S
            made, left, state.m, state.beta, state.S = sag_steps(rows, run, vectors, *now, choices[done:])
            done += made
            if left:
                self.fold(problem, state, run, vectors)

    def fold(self, problem: Problem, state: FastSAGState, run: RunNumbers, vectors: Vectors) -> None:
        """Line 6' for all coordinates."""
        step = run.a / self.reference.divisor(problem, state.m)
        move_all(run.rate, step, state.beta, state.S, vectors)
        state.beta, state.S = 1.0, 0.0

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.beta * (state.v - state.G * (state.S - state.mark)), state.c.copy()
