"""Newton's method, compiled: the counterpart of ``dualgap.reference.methods.newton``, same matrices, same directions, same bits."""

from typing import Any, ClassVar

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.afg import dot
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import ONE, bounds, column, inner, value
from dualgap.reference.methods.newton import SHARE, Newton, NewtonState
from dualgap.reference.problem.problem import Problem

GOLDEN, RESIDUAL = 2654435769, 10_000  # as in the reference; here, so that an edit compiles the kernels anew


@kernel
def matrix(rows, losses, w, stride, evaluations, lam, H):
    """H, row after row from the diagonal on, shape (d (d + 1)/2,), 0 before (reference: Newton.matrix)."""
    code, gamma, y, _ = losses
    n, d = y.size, np.uint64(w.size)
    blocks = n // stride
    for b in range(blocks):
        i = row_of(b, blocks, stride, evaluations)
        curved = curvature(code, gamma, inner(rows, i, w, 0.0), y[i])
        if curved != 0.0:  # 0 added changes no bit: no entry is a negative zero
            add_square(rows, i, curved, H, d)
    for at in range(H.size):
        H[at] = H[at] / blocks
    for j in range(w.size):
        diagonal = before_row(np.uint64(j), d) + np.uint64(j)
        H[diagonal] = H[diagonal] + lam


@kernel
def row_of(b, blocks, stride, evaluations):
    """The row of the b-th block (reference: newton.sampled_rows); the product is taken modulo 2^32."""
    place = np.uint64(b + evaluations * blocks) * np.uint64(GOLDEN) & np.uint64(0xFFFFFFFF)
    return b * stride + np.int64(place * np.uint64(stride) >> np.uint64(32))


@kernel
def before_row(j, d):
    """The place of H_jk, j <= k, less k."""
    return j * (np.uint64(2) * d - j - ONE) >> ONE


@kernel(inline=True)
def add_square(rows, i, factor, H, d):
    """H <- H + factor x_i x_i^T."""
    first, end = bounds(rows, i)
    for a in range(first, end):
        j, c = np.uint64(column(rows, a)), factor * value(rows, i, a)
        row = before_row(j, d)
        for place in range(a, end):
            k = np.uint64(column(rows, place))
            at = row + k if j <= k else before_row(k, d) + j
            H[at] = H[at] + c * value(rows, i, place)


@kernel
def conjugate_gradients(H, b, p):
    """p, which is 0 before, with H p = b up to 1/100 of it, for H as ``matrix`` has it (reference: newton.conjugate_gradients)."""
    r, q, Hq = b.copy(), b.copy(), np.empty(b.size)
    first = square = dot(r, r)
    for _ in range(b.size):
        if square <= first / RESIDUAL:
            break
        multiply(H, q, Hq)
        bend = dot(q, Hq)
        if bend == 0.0:
            break
        step = square / bend
        for j in range(b.size):
            p[j] = p[j] + step * q[j]
            r[j] = r[j] - step * Hq[j]
        before, square = square, dot(r, r)
        share = square / before
        for j in range(b.size):
            q[j] = r[j] + share * q[j]


@kernel
def multiply(H, q, out):
    """out <- H q, each sum in the order of its row; H is read once, two rows at a time, so that their sums do not wait for each other."""
    d = np.uint64(q.size)
    out[:] = 0.0
    for j in range(0, q.size - 1, 2):
        one = np.uint64(j)
        other = one + ONE
        row, following, h = before_row(one, d), before_row(other, d), H[before_row(one, d) + other]
        p, r = q[one], q[other]
        of_one = out[one] + H[row + one] * p + h * r
        of_other = out[other] + h * p + H[following + other] * r
        for place in range(j + 2, q.size):
            k = np.uint64(place)
            of_one, of_other = of_one + H[row + k] * q[k], of_other + H[following + k] * q[k]
            out[k] = out[k] + H[row + k] * p + H[following + k] * r
        out[one], out[other] = of_one, of_other
    if d & ONE:
        out[d - ONE] = out[d - ONE] + H[H.size - 1] * q[d - ONE]


class FastNewtonState(FastState, NewtonState):
    """The fields of the reference's ``NewtonState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastNewton(FastMethod[FastNewtonState]):
    """Lines 1 to 5; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastNewton().run(problem, [0, 0]).w.round(9).tolist()
    [0.2, -0.6]
    """

    name: ClassVar[str] = "newton"
    reference: Newton

    def init(self, problem: Problem, alpha: Any = None) -> FastNewtonState:
        self.reference.require_start(problem)
        objective = Objective(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        return FastNewtonState(                                                             # Newton line 1
            w=objective.w(start), alpha=start, gradient=np.zeros(problem.d), direction=np.zeros(problem.d), t=0.0, square=0.0, least=0.0,
            stride=self.reference.first_stride(problem, arrays(problem).R2), evaluations=0,
        )  # fmt: skip

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = Objective(problem)
        for _ in choices:
            self.evaluation(objective, state)

    def evaluation(self, objective: Objective, state: Any) -> None:
        """One step."""
        if state.evaluations > 0 and state.t == 0:                                          # Newton line 2
            state.direction, state.t = self.direction(objective, state), 1.0
        x = state.w + state.t * state.direction                                             # Newton line 3
        a, minus_u = objective.gradient_pass(x)
        problem, lam = objective.problem, objective.problem.regularizer.lam
        h = lam * x - minus_u
        small = 2 * lam * problem.cached("P(0)", lambda: objective.P(np.zeros(objective.d)))  # without g, which is 0 there
        if self.reference.accepts(problem, state, float(dot(h, h)), small, lambda: self.falls(objective, state, x)):
            state.w, state.alpha, state.gradient = x, a, h

    def direction(self, objective: Objective, state: Any) -> Array:
        """Of line 2: H p = -grad P(w), up to 1/100 of it."""
        d, lam = objective.d, objective.problem.regularizer.lam
        H, p = np.zeros(d * (d + 1) // 2), np.zeros(d)
        stride = min(state.stride, objective.n)
        matrix(objective.arrays.matrix, objective.losses, state.w, stride, state.evaluations, lam, H)
        conjugate_gradients(H, 0.0 - state.gradient, p)
        return p

    def falls(self, objective: Objective, state: Any, x: Array) -> bool:
        """The last condition of line 4."""
        return bool(objective.P(x) <= objective.P(state.w) + state.t * dot(state.gradient, state.direction) / SHARE)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()
