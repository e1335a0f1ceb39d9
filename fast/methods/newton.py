"""Newton's method, compiled: the counterpart of ``dualgap.reference.methods.newton``, same matrices, same eliminations, same bits."""

from typing import Any, ClassVar

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.afg import dot
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import bounds, column, inner, value
from dualgap.reference.methods.newton import SHARE, Newton, NewtonState
from dualgap.reference.problem.problem import Problem

GOLDEN = 2654435769  # floor(2^32 (sqrt(5) - 1)/2), as in the reference; here, so that an edit compiles the kernels anew


@kernel
def matrix(rows, losses, w, stride, evaluations, lam, total):
    """H, from the diagonal on, in total, shape (d d,) (reference: Newton.matrix)."""
    code, gamma, y, _ = losses
    n, d = y.size, np.uint64(w.size)
    blocks = n // stride
    for b in range(blocks):
        i = row_of(b, blocks, stride, evaluations)
        curved = curvature(code, gamma, inner(rows, i, w, 0.0), y[i])
        if curved != 0.0:  # 0 added changes no bit: no entry is a negative zero
            add_square(rows, i, curved, total, d)
    for j in range(w.size):
        for k in range(j * w.size + j, (j + 1) * w.size):
            total[k] = total[k] / blocks
        total[j * w.size + j] = total[j * w.size + j] + lam


@kernel
def row_of(b, blocks, stride, evaluations):
    """The row of the b-th block (reference: newton.sampled_rows); the product is taken modulo 2^32."""
    place = np.uint64(b + evaluations * blocks) * np.uint64(GOLDEN) & np.uint64(0xFFFFFFFF)
    return b * stride + np.int64(place * np.uint64(stride) >> np.uint64(32))


@kernel(inline=True)
def add_square(rows, i, factor, total, d):
    """total <- total + factor x_i x_i^T, from the diagonal on."""
    first, end = bounds(rows, i)
    for a in range(first, end):
        j, c = np.uint64(column(rows, a)), factor * value(rows, i, a)
        for place in range(a, end):
            k = np.uint64(column(rows, place))
            at = j * d + k if j <= k else k * d + j
            total[at] = total[at] + c * value(rows, i, place)


PANEL = 4  # pivots whose multiples are subtracted in one visit of a row


@kernel
def solve(H, b):
    """b <- H^{-1} b; H, shape (d d,), is overwritten (reference: newton.solved, with the same order of the operations on each number).

    Rows are told by the place of their first entry: a slice for each of them was measured to double the time.
    """
    d = b.size
    for k in range(0, d, PANEL):
        end = min(k + PANEL, d)
        for pivot in range(k, end):
            for i in range(pivot + 1, end):
                share = H[pivot * d + i] / H[pivot * d + pivot]
                subtract(H, i * d + i, pivot * d + i, d - i, share)
                b[i] = b[i] - share * b[pivot]
        for i in range(end, d):  # none where the panel is not full
            p, q = H[k * d + i] / H[k * d + k], H[(k + 1) * d + i] / H[(k + 1) * d + k + 1]
            r, s = H[(k + 2) * d + i] / H[(k + 2) * d + k + 2], H[(k + 3) * d + i] / H[(k + 3) * d + k + 3]
            subtract_panel(H, i * d + i, k * d + i, d, d - i, p, q, r, s)
            b[i] = b[i] - p * b[k] - q * b[k + 1] - r * b[k + 2] - s * b[k + 3]
    for k in range(d - 1, -1, -1):
        left = b[k]
        for j in range(k + 1, d):
            left = left - H[k * d + j] * b[j]
        b[k] = left / H[k * d + k]


@kernel
def subtract(H, row, above, size, share):
    """The row of H from that place on, minus its share of the one above; places unsigned, so that LLVM may vectorise the loop."""
    row, above = np.uint64(row), np.uint64(above)
    for j in range(size):
        at = np.uint64(j)
        H[row + at] = H[row + at] - share * H[above + at]


@kernel
def subtract_panel(H, row, above, d, size, p, q, r, s):
    """``subtract`` of four rows, one after the other, the first of them above."""
    row, first = np.uint64(row), np.uint64(above)
    second, third, fourth = np.uint64(above + d), np.uint64(above + 2 * d), np.uint64(above + 3 * d)
    for j in range(size):
        at = np.uint64(j)
        H[row + at] = H[row + at] - p * H[first + at] - q * H[second + at] - r * H[third + at] - s * H[fourth + at]


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
        """-H^{-1} grad P(w)."""
        d, lam = objective.d, objective.problem.regularizer.lam
        H = np.zeros(d * d)
        p: Array = 0.0 - state.gradient
        stride = min(state.stride, objective.n)
        matrix(objective.arrays.matrix, objective.losses, state.w, stride, state.evaluations, lam, H)
        solve(H, p)
        return p

    def falls(self, objective: Objective, state: Any, x: Array) -> bool:
        """The last condition of line 4."""
        return bool(objective.P(x) <= objective.P(state.w) + state.t * dot(state.gradient, state.direction) / SHARE)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()
