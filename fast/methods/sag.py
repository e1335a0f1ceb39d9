"""SAG, compiled: the counterpart of ``dualgap.reference.methods.lazy.sag``, same steps, same bits.

A kernel returns where beta is to be folded into v: a call with arrays among its steps, however rare, makes it count references to
them at every row (measured on rows of 15: half as much time again).
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import CODES, derivative
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import COMBINE, ONE, gather
from dualgap.reference.methods.lazy.sag import LazySAG, LazySAGState
from dualgap.reference.methods.sag import FiniteSum
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.problem import Problem


class RunNumbers(NamedTuple):
    """What stays the same in a run; rate = 1 - a lam, n = 0 where G is divided by m."""

    code: int
    gamma: float
    a: float
    rate: float
    n: int
    span: float


# -- one row: the entries first .. end of indices and data ------------------------------------------------


@kernel(inline=True)
def product(indices, data, first, end, S, v, mark, G):
    """x_i^T v, the v_j of the row written (reference: LazySAG.catch_up)."""
    z = 0.0
    for place in range(np.uint64(first), np.uint64(end)):
        j = indices[place]
        v_j = v[j] - G[j] * (S - mark[j])
        v[j], mark[j] = v_j, S
        z = z + data[place] * v_j
    return z


@kernel(inline=True)
def replace(indices, data, first, end, change, G):
    """G <- G + change x_i."""
    for place in range(np.uint64(first), np.uint64(end)):
        j = indices[place]
        G[j] = G[j] + change * data[place]                                                  # SAG line 4'


# -- all steps --------------------------------------------------------------------------------------------


@kernel
def sag_sparse(indptr, indices, data, y, run, v, mark, c, G, seen, m, beta, S, choices):
    """Lines 3 to 6' for the choices up to the first that needs ``move_all``, X in CSR.

    Returns how many steps were made, whether line 6' of the last one is left to ``move_all``, and m, beta and S.
    """
    for t in range(choices.size):
        i = np.uint64(choices[t])                                                           # SAG line 3
        first, end = indptr[i], indptr[i + ONE]
        z = product(indices, data, first, end, S, v, mark, G)
        c_new = derivative(run.code, run.gamma, beta * z, y[i])
        replace(indices, data, first, end, c_new - c[i], G)
        c[i] = c_new                                                                        # SAG line 5'
        m += 1 - seen[i]
        seen[i] = 1
        shrunk = beta * run.rate
        if shrunk * run.span < 1.0:
            return t + 1, True, m, beta, S
        beta, S = shrunk, S + run.a / (m if run.n == 0 else run.n) / shrunk                 # SAG line 6'
    return choices.size, False, m, beta, S


@kernel
def sag_dense(X, y, run, v, mark, c, G, seen, m, beta, S, choices):
    """``sag_sparse`` for X dense; an entry 0 is no part of its row."""
    columns, x = np.empty(X.shape[1], np.uint64), np.empty(X.shape[1])
    for t in range(choices.size):
        i = choices[t]                                                                      # SAG line 3
        count = gather(X, i, columns, x)
        z = product(columns, x, 0, count, S, v, mark, G)
        c_new = derivative(run.code, run.gamma, beta * z, y[i])
        replace(columns, x, 0, count, c_new - c[i], G)
        c[i] = c_new                                                                        # SAG line 5'
        m += 1 - seen[i]
        seen[i] = 1
        shrunk = beta * run.rate
        if shrunk * run.span < 1.0:
            return t + 1, True, m, beta, S
        beta, S = shrunk, S + run.a / (m if run.n == 0 else run.n) / shrunk                 # SAG line 6'
    return choices.size, False, m, beta, S


@kernel
def move_all(rate, step, beta, S, v, mark, G):
    """w <- rate w - step G for all coordinates, from beta = 1 and S = 0 on (reference: LazySAG.move)."""
    for j in range(v.size):
        v_j = v[j] - G[j] * (S - mark[j])
        v[j], mark[j] = rate * (beta * v_j) - step * G[j], 0.0                              # SAG line 6'


# -- the method -------------------------------------------------------------------------------------------


class FastSAGState(FastState):
    """The fields of the reference's ``LazySAGState``, arrays for lists."""

    __slots__ = LazySAGState.__slots__
    v: Array
    mark: Array
    c: Array
    G: Array
    seen: Array
    m: int
    beta: float
    S: float


@register_compiled_method
class FastSAG(FastMethod[FastSAGState]):
    """Lines 3 to 6'; options as in the reference, but for regularizer_in_table.

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

    def init(self, problem: Problem, alpha: Any = None, w: Any = None) -> FastSAGState:
        """alpha and w as in the reference."""
        c, w = begin(self.reference, problem, alpha, w)
        G, known = np.zeros(problem.d), int(alpha is not None)
        arrays(problem).run(COMBINE, c, G)
        return FastSAGState(
            v=w, mark=np.zeros(problem.d), c=c, G=G, seen=np.full(problem.n, known), m=known * problem.n, beta=1.0, S=0.0
        )

    def steps(self, problem: Problem, state: FastSAGState, choices: Array) -> None:
        share_R2(problem)
        data, a = arrays(problem), self.reference.a(problem)
        run = RunNumbers(
            code=CODES[problem.loss.name], gamma=problem.gamma, a=a, rate=1 - a * problem.regularizer.lam,
            n=problem.n if self.reference.divide == "n" else 0, span=float(self.reference.span),
        )  # fmt: skip
        vectors, done = (state.v, state.mark, state.c, state.G, state.seen), 0
        while done < len(choices):
            now = state.m, state.beta, state.S
            made, left, state.m, state.beta, state.S = data.run(KERNEL_PAIR, data.y, run, *vectors, *now, choices[done:])
            done += made
            if left:
                self.fold(problem, state, run)

    def fold(self, problem: Problem, state: FastSAGState, run: RunNumbers) -> None:
        """Line 6' for all coordinates."""
        step = run.a / self.reference.divisor(problem, state.m)
        move_all(run.rate, step, state.beta, state.S, state.v, state.mark, state.G)
        state.beta, state.S = 1.0, 0.0

    def view(self, problem: Problem, state: FastSAGState) -> tuple[Array, Array]:
        return state.beta * (state.v - state.G * (state.S - state.mark)), state.c.copy()


def share_R2(problem: Problem) -> None:
    """Let the reference find max ||x_i||^2, which has the same bits in compiled code, without making its rows."""
    vars(problem).setdefault("R2", arrays(problem).R2)


def begin(reference: FiniteSum, problem: Problem, alpha: Any, w: Any) -> tuple[Array, Array]:
    """alpha (default 0), checked, and the w to start from (reference: FiniteSum.begin)."""
    reference.require_gradient(problem)
    share_R2(problem)
    objective = Objective(problem)
    start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
    if w is None:
        return start, objective.w(start)
    problem.require_lengths(w=w)
    return start, np.array([convert(w_j, float, "w") for w_j in (w.tolist() if hasattr(w, "tolist") else w)])


KERNEL_PAIR = (sag_sparse, sag_dense)
