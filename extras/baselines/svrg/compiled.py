"""SVRG, compiled: the counterpart of ``dualgap.extras.baselines.svrg.lazy``, same steps, bit-identical results.

1 - e and e/lam of k steps, an exponential each, are looked up in ``span``, at 2k, for k below ``SPAN``. What is kept is
written between two calls of a kernel, for the reason given in ``sag``.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.extras.baselines.compiled_gradients import begin, share_R2
from dualgap.extras.baselines.svrg.lazy import LazySVRG, LazySVRGState, RandomLazySVRGState
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.pgs import dual
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.elementary import one_minus_exp
from dualgap.fast.problem.losses import CODES, derivative
from dualgap.fast.problem.rows import bounds, column, combine, value
from dualgap.reference.numbers.elementary import log1p
from dualgap.reference.problem.problem import Problem

SPAN = 2**15  # half a megabyte, used most where k is small


class RunNumbers(NamedTuple):
    """The numbers that stay the same in a run; rate = log(1 + eta lam/(1 - eta lam)), r = 1 - eta lam."""

    y: Array
    code: int
    gamma: float
    eta: float
    lam: float
    r: float
    rate: float


class Vectors(NamedTuple):
    """The arrays of a state, of which a kernel changes the first two."""

    w: Array
    last: Array
    h: Array
    slopes: Array


# -- one coordinate ---------------------------------------------------------------------------------------


@kernel(inline=True)
def coefficients(run, k):
    """1 - e and e/lam (reference: arithmetic.shrink)."""
    e = one_minus_exp(k * run.rate)
    return 1.0 - e, e / run.lam


@kernel
def tabulate(run, span):
    """The coefficients of k = 0, 1, .."""
    for k in range(span.size // 2):
        span[2 * k], span[2 * k + 1] = coefficients(run, k)


@kernel(inline=True)
def current(run, span, w, h, k):
    """w_j after k more steps (reference: LazySVRG.current)."""
    if 2 * k < span.size:
        A, E = span[np.uint64(2 * k)], span[np.uint64(2 * k + 1)]
    else:
        A, E = coefficients(run, k)
    return A * w - E * h


@kernel
def all_current(run, span, w, last, h, t, out):
    """w_t, shape (d,)."""
    for j in range(w.size):
        out[j] = current(run, span, w[j], h[j], t - last[j])


# -- one row ----------------------------------------------------------------------------------------------


@kernel(inline=True)
def product(rows, i, run, span, state, t):
    """x_i^T w_t, the w_j of the row written."""
    z = 0.0
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        w_j = current(run, span, state.w[j], state.h[j], t - state.last[j])
        state.w[j] = w_j
        z = z + value(rows, i, place) * w_j
    return z


@kernel(inline=True)
def move(rows, i, run, change, state, t):
    """The step of the columns of a row."""
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        state.w[j] = run.r * state.w[j] - run.eta * state.h[j] - change * value(rows, i, place)  # SVRG line 5
        state.last[j] = t + 1


# -- the steps of a round, or of a part of it -------------------------------------------------------------


@kernel
def svrg_steps(rows, run, span, state, t, choices):
    """Lines 4 and 5 for every choice i."""
    for choice in choices:  # SVRG line 4
        i = np.uint64(choice)
        z = product(rows, i, run, span, state, t)
        change = run.eta * (derivative(run.code, run.gamma, z, run.y[i]) - state.slopes[i])
        move(rows, i, run, change, state, t)
        t += 1


# -- the method -------------------------------------------------------------------------------------------


class FastSVRGState(FastState, LazySVRGState):
    """The fields of the reference's ``LazySVRGState``, arrays for lists."""

    __slots__ = ()


class FastRandomSVRGState(FastSVRGState, RandomLazySVRGState):
    """The fields of ``RandomLazySVRGState``."""

    __slots__ = ()


@register_compiled_method
class FastSVRG(FastMethod[FastSVRGState]):
    """Procedure SVRG; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastSVRG().view(problem, FastSVRG().run(problem, [0, 1] * 400))
    >>> w.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "svrg"
    reference: LazySVRG

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_R2(problem)
        super().require(problem, mode)

    def init(self, problem: Problem, alpha: object = None, w: object = None) -> FastSVRGState:
        """alpha and w as in the reference."""
        share_R2(problem)
        _, w = begin(self.reference, problem, alpha, w)
        d, n = problem.d, problem.n
        fields = dict(w=w, last=np.zeros(d, np.int64), h=np.zeros(d), slopes=np.zeros(n), t=0, s=0)
        return FastSVRGState(**fields) if self.reference.option == "I" else FastRandomSVRGState(**fields, kept=w.copy())

    def make_native(self, problem: Problem) -> tuple[RunNumbers, Array]:
        """Return the numbers that the kernels need, and ``span``."""
        share_R2(problem)
        eta, lam = self.reference.eta(problem), problem.regularizer.lam
        rate = log1p(eta * lam / (1 - eta * lam))
        run = RunNumbers(arrays(problem).y, CODES[problem.loss.name], problem.gamma, eta, lam, 1 - eta * lam, rate)
        span = np.empty(2 * min(SPAN, self.reference.steps_of_round(problem) + 1))
        tabulate(run, span)
        return run, span

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        m, done = self.reference.steps_of_round(problem), 0
        stops = [*np.flatnonzero(choices >= problem.n).tolist(), len(choices)]
        while done < len(choices):
            if state.t == 0:
                self.snapshot(problem, state)
            if done == stops[0]:
                state.kept = self.iterate(problem, state)  # SVRG line 6, option II
                del stops[0]
            end = min(stops[0], done + m - state.t)
            self.part(problem, state, choices[done:end] % problem.n)
            done = end
            if state.t == m:
                state.w, state.t = self.output(problem, state), 0  # SVRG line 6
                state.last[:] = 0

    def part(self, problem: Problem, state: Any, rows: Array) -> None:
        """Steps of one round without keeping."""
        (run, span), vectors = self.native(problem), Vectors(state.w, state.last, state.h, state.slopes)
        svrg_steps(arrays(problem).entries(), run, span, vectors, state.t, rows)
        state.t += len(rows)

    def snapshot(self, problem: Problem, state: Any) -> None:
        """The loss' part of the full gradient at w~ = w (reference: LazySVRG.snapshot)."""
        state.slopes, total = dual(problem, state.w), np.zeros(problem.d)  # SVRG lines 1, 3
        combine(arrays(problem).matrix, state.slopes, total)
        state.h = total / problem.n  # SVRG line 2
        state.s += 1

    def iterate(self, problem: Problem, state: FastSVRGState) -> Array:
        """w_t, shape (d,)."""
        (run, span), w = self.native(problem), np.empty(problem.d)
        all_current(run, span, state.w, state.last, state.h, state.t, w)
        return w

    def output(self, problem: Problem, state: Any) -> Array:
        """Return w~_s as if the round ended now, shape (d,)."""
        if state.t == 0:
            return np.array(state.w)
        return self.iterate(problem, state) if self.reference.option == "I" else np.array(state.kept)

    def view(self, problem: Problem, state: FastSVRGState) -> tuple[Array, Array]:
        """(w, alpha), alpha_i = phi_i'(x_i^T w) at the output w."""
        w = self.output(problem, state)
        return w, dual(problem, w)
