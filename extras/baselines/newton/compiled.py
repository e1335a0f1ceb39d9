"""Newton's method, compiled: the counterpart of ``dualgap.extras.baselines.newton.reference``, same matrices, same
directions, bit-identical.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.extras.baselines.afg.compiled import dot
from dualgap.extras.baselines.newton.reference import DIRECT, SHARE, Newton, NewtonState, makes_matrix
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, ONE, bounds, column, inner, value
from dualgap.fast.problem.weighted_objective import objective_of_rows
from dualgap.reference.problem.problem import Problem

GOLDEN, RESIDUAL = 2654435769, 10_000  # as in the reference; here, so that an edit compiles the kernels again
BETWEEN_LOOKS = 10**8  # multiplications, of about a tenth of a second


def portion(cost: float) -> int:
    """How many pieces of that many multiplications are made between two looks at the clock."""
    return max(1, int(BETWEEN_LOOKS / max(cost, 1.0)))


class Sample(NamedTuple):
    """The rows that enter H: ``row_of`` of ``blocks`` and ``stride``; weights is empty where rows have none."""

    blocks: int
    stride: int
    evaluations: int
    weights: Array


@kernel
def add_rows(rows, losses, w, sample, first, end, H):
    """Blocks first, .., end - 1 of the sample enter H, row after row from the diagonal on, shape (d (d + 1)/2,)
    (reference: Newton.matrix).
    """
    d, waiting, factors, count = np.uint64(w.size), np.empty(8, np.int64), np.empty(8), 0
    for b in range(first, end):
        i = row_of(b, sample.blocks, sample.stride, sample.evaluations)
        curved = curvature_of(rows, losses, w, sample.weights, i)
        if curved != 0.0:  # 0 added changes no bit: no entry is a negative zero
            if len(rows) != DENSE:
                add_square(rows, i, curved, H, d)
                continue
            waiting[count], factors[count], count = i, curved, count + 1
            if count == 8:
                add_eight(rows.X, waiting, factors, H, d)
                count = 0
    for k in range(count):
        add_square(rows, waiting[k], factors[k], H, d)


@kernel
def finish(H, mass, lam, d):
    """H/mass + lam I, in its place."""
    for at in range(H.size):
        H[at] = H[at] / mass
    for j in range(d):
        diagonal = before_row(np.uint64(j), np.uint64(d)) + np.uint64(j)
        H[diagonal] = H[diagonal] + lam


@kernel(inline=True)
def curvature_of(rows, losses, w, weights, i):
    """phi_i''(x_i^T w), times s_i (reference: Newton.curvatures)."""
    code, gamma, y, _ = losses
    c = curvature(code, gamma, inner(rows, i, w, 0.0), y[i])
    return weights[i] * c if weights.size > 0 else c


@kernel
def curvatures(rows, losses, w, sample, picked, curved):
    """The rows of the sample and ``curvature_of`` each."""
    for b in range(sample.blocks):
        i = row_of(b, sample.blocks, sample.stride, sample.evaluations)
        picked[b], curved[b] = i, curvature_of(rows, losses, w, sample.weights, i)


@kernel
def mass_of(sample):
    """The sum of the weights of the sample."""
    total = 0.0
    for b in range(sample.blocks):
        total = total + sample.weights[row_of(b, sample.blocks, sample.stride, sample.evaluations)]
    return total


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
def add_eight(X, i, factor, H, d):
    """H <- H + factor_k x_i x_i^T, i = i_k, for k = 0 to 7 in turn: one entry of H is read once for eight rows."""
    a, b, c, e, f, g, p, q = X[i[0]], X[i[1]], X[i[2]], X[i[3]], X[i[4]], X[i[5]], X[i[6]], X[i[7]]
    for j in range(a.size):
        u, v, w, x = factor[0] * a[j], factor[1] * b[j], factor[2] * c[j], factor[3] * e[j]
        y, z, s, t = factor[4] * f[j], factor[5] * g[j], factor[6] * p[j], factor[7] * q[j]
        start = before_row(np.uint64(j), d)
        row = H[start : start + d]
        for k in range(j, a.size):
            h = row[k] + u * a[k] + v * b[k] + w * c[k] + x * e[k]
            row[k] = h + y * f[k] + z * g[k] + s * p[k] + t * q[k]


class Solution(NamedTuple):
    """What conjugate gradients change: p, the residual, the next direction, and room for H q; shape (d,) each."""

    p: Array
    r: Array
    q: Array
    Hq: Array


@kernel
def steps_of_matrix(H, solution, square, limit, steps):
    """As many steps as that, for H as ``add_rows`` has it; the squared residual, and whether no more can be made
    (reference: newton.conjugate_gradients).
    """
    for _ in range(steps):
        if square <= limit:
            break
        multiply(H, solution.q, solution.Hq)
        square, ended = step(solution, square)
        if ended:
            return square, True
    return square, square <= limit


@kernel
def steps_of_rows(rows, picked, curved, mass, lam, solution, square, limit, steps):
    """The same with H q made from the rows."""
    for _ in range(steps):
        if square <= limit:
            break
        multiply_by_rows(rows, picked, curved, mass, lam, solution.q, solution.Hq)
        square, ended = step(solution, square)
        if ended:
            return square, True
    return square, square <= limit


@kernel
def step(solution, square):
    """One step of conjugate gradients; the squared residual, and whether the bend is below the range of a float."""
    p, r, q, Hq = solution
    bend = dot(q, Hq)
    if bend == 0.0:
        return square, True
    length = square / bend
    for j in range(p.size):
        p[j] = p[j] + length * q[j]
        r[j] = r[j] - length * Hq[j]
    following = dot(r, r)
    share = following / square
    for j in range(p.size):
        q[j] = r[j] + share * q[j]
    return following, False


@kernel
def multiply_by_rows(rows, picked, curved, mass, lam, q, out):
    """out <- H q (reference: newton.applied)."""
    out[:] = 0.0
    for b in range(picked.size):
        i, c = picked[b], curved[b]
        if c != 0.0:
            add(rows, i, c * inner(rows, i, q, 0.0), out)
    for j in range(q.size):
        out[j] = out[j] / mass + lam * q[j]


@kernel(inline=True)
def add(rows, i, factor, out):
    """out <- out + factor x_i."""
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        out[j] = out[j] + factor * value(rows, i, place)


def conjugate_gradients(
    steps: Callable[..., tuple[float, bool]], b: Array, at_once: int, look: Callable[[], None]
) -> tuple[Array, bool]:
    """p with H p = b up to 1/100 of it, or that of step d, and whether it is the first; steps: ``steps_of_matrix`` or
    ``steps_of_rows`` of all but their last four.

    look is called before every ``at_once`` steps.
    """
    solution = Solution(np.zeros(b.size), b.copy(), b.copy(), np.empty(b.size))
    square = dot(b, b)
    limit, left, ended = square / RESIDUAL, b.size, False
    while left > 0 and not ended:
        look()
        square, ended = steps(solution, square, limit, min(left, at_once))
        left -= at_once
    return solution.p, ended


@kernel
def eliminate(H, p, first, end):
    """Pivots first, .., end - 1 of H = U^T D U and of its solution p; whether all were positive (reference:
    newton.factorized).
    """
    d = p.size
    for k in range(first, end):
        row = before_row(np.uint64(k), np.uint64(d))
        pivot = H[row + np.uint64(k)]
        if not pivot > 0.0:
            return False
        for i in range(k + 1, d):
            other = before_row(np.uint64(i), np.uint64(d))
            share = H[row + np.uint64(i)] / pivot
            for j in range(i, d):
                H[other + np.uint64(j)] = H[other + np.uint64(j)] - share * H[row + np.uint64(j)]
            p[i] = p[i] - share * p[k]
    return True


@kernel
def substitute(H, p):
    """U p = what is there."""
    d = p.size
    for back in range(d):
        k = d - 1 - back
        row = before_row(np.uint64(k), np.uint64(d))
        for j in range(k + 1, d):
            p[k] = p[k] - H[row + np.uint64(j)] * p[j]
        p[k] = p[k] / H[row + np.uint64(k)]


def factorized(H: Array, b: Array, look: Callable[[], None]) -> Array | None:
    """p with H p = b, or None (reference: newton.factorized). H is changed."""
    p, at_once = b.copy(), portion(b.size * b.size / 2)
    for first in range(0, b.size, at_once):
        look()
        if not eliminate(H, p, first, min(first + at_once, b.size)):
            return None
    substitute(H, p)
    return p


@kernel
def multiply(H, q, out):
    """out <- H q, each sum in the order of its row; H is read once, two rows at a time, so that their sums do not wait
    for each other.
    """
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
    weighted = True
    reference: Newton

    def init(self, problem: Problem, alpha: Any = None) -> FastNewtonState:
        self.reference.require_start(problem)
        objective = objective_of_rows(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        return FastNewtonState(  # Newton line 1
            w=objective.w(start),
            alpha=start,
            gradient=np.zeros(problem.d),
            direction=np.zeros(problem.d),
            t=0.0,
            square=0.0,
            least=0.0,
            stride=self.reference.first_stride(problem, alpha),
            evaluations=0,
        )

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = objective_of_rows(problem)
        for _ in choices:
            self.evaluation(objective, state)

    def evaluation(self, objective: Objective, state: Any) -> None:
        """One step."""
        if state.evaluations > 0 and state.t == 0:  # Newton line 2
            state.direction, state.t = self.direction(objective, state), 1.0
        x = state.w + state.t * state.direction  # Newton line 3
        a, minus_u = objective.gradient_pass(x)
        problem, lam = objective.problem, objective.problem.regularizer.lam
        h = lam * x - minus_u
        # without g, which is 0 there
        small = 2 * lam * problem.cached("P(0)", lambda: objective.P(np.zeros(objective.d)))
        if self.reference.accepts(problem, state, float(dot(h, h)), small, lambda: self.falls(objective, state, x)):
            state.w, state.alpha, state.gradient = x, a, h

    def direction(self, objective: Objective, state: Any) -> Array:
        """Of line 2: H p = -grad P(w), up to 1/100 of it. The clock is looked at every ``BETWEEN_LOOKS``
        multiplications.
        """
        rows, lam, made = objective.arrays.matrix, objective.problem.regularizer.lam, makes_matrix(objective.problem)
        stride, weights = min(state.stride, objective.n), objective.arrays.weights
        sample = Sample(objective.n // stride, stride, state.evaluations, np.empty(0) if weights is None else weights)
        mass = float(sample.blocks) if weights is None else mass_of(sample)
        b = 0.0 - state.gradient
        H = self.matrix(objective, state, sample, mass) if made else np.empty(0)
        if made:
            p, there = conjugate_gradients(partial(steps_of_matrix, H), b, portion(b.size * b.size), self.check_clock)
        else:
            picked, curved = np.empty(sample.blocks, np.int64), np.empty(sample.blocks)
            curvatures(rows, objective.losses, state.w, sample, picked, curved)
            cost = 2 * sample.blocks * objective.arrays.nnz / objective.n
            p, there = conjugate_gradients(
                partial(steps_of_rows, rows, picked, curved, mass, lam), b, portion(cost), self.check_clock
            )
        if there or not (made or objective.d <= DIRECT):
            return p
        solved = factorized(H if made else self.matrix(objective, state, sample, mass), b, self.check_clock)
        return p if solved is None or not dot(b, solved) > 0 else solved

    def matrix(self, objective: Objective, state: Any, sample: Sample, mass: float) -> Array:
        """H, as ``add_rows`` has it."""
        d, row = objective.d, objective.arrays.nnz / objective.n
        H = np.zeros(d * (d + 1) // 2)
        for first in range(0, sample.blocks, at_once := portion(row * row)):
            self.check_clock()
            add_rows(
                objective.arrays.matrix,
                objective.losses,
                state.w,
                sample,
                first,
                min(first + at_once, sample.blocks),
                H,
            )
        finish(H, mass, objective.problem.regularizer.lam, d)
        return H

    def falls(self, objective: Objective, state: Any, x: Array) -> bool:
        """The last condition of line 4."""
        return bool(objective.P(x) <= objective.P(state.w) + state.t * dot(state.gradient, state.direction) / SHARE)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w.copy(), state.alpha.copy()
