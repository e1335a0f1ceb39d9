"""SPDC, compiled: the twins of ``dualgap.reference.spdc_lazy``, same steps, same bits.

w_j, dlt_j, u_j and last_j lie side by side, in 32 bytes, so that an entry of a row reads and writes one line of the
cache; last_j is an integer in the same place (``stamps`` is ``table`` with its bits read as integers). E_S and F_S are
looked up for S < ``SPAN``. Rows whose alpha_k does not move skip the second loop, as in the reference.
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dualgap.fast.compiler import kernel
from dualgap.fast.losses import CODES, dual_step
from dualgap.fast.matrix import Array, arrays
from dualgap.fast.method import FastMethod, FastState
from dualgap.fast.objective import Objective
from dualgap.fast.rows import soft
from dualgap.reference.arithmetic import convert
from dualgap.reference.problem import Problem
from dualgap.reference.spdc import require_smooth
from dualgap.reference.spdc_lazy import Constants, LazySPDC, LazyState

W, DLT, U, LAST = 0, 1, 2, 3  # the columns of ``table``
SPAN = 8192  # steps for which E_S and F_S are tabulated: 128 kB


class OrbitNumbers(NamedTuple):
    """``Orbit`` of the reference, as numbers; E_S and F_S are the rows of ``span``, rate = log(1 + mu tau)."""

    tau: float
    mu: float
    l1: float
    contraction: float
    tau_l1: float
    rate: float
    span: Array


class RunNumbers(NamedTuple):
    """``Constants`` of the reference, as numbers, with the loss; weight and q have one entry, or one for every row."""

    theta: float
    inverse_n: float
    weight: Array
    q: Array
    code: int
    gamma: float
    delta: float


# -- one coordinate ---------------------------------------------------------------------------------------


@kernel
def tabulate(tau, mu, rate, span):
    """E_S and F_S for S = 0, 1, .. (reference: Orbit.coefficients)."""
    for S in range(span.shape[0]):
        e = -math.expm1(-(S * rate))
        span[S, 0] = e / mu
        span[S, 1] = tau * (1.0 - e)


@kernel(inline=True)
def coefficients(orbit, S):
    """E_S and F_S (reference: Orbit.coefficients)."""
    if S < orbit.span.shape[0]:
        row = np.uint64(S)
        return orbit.span[row, 0], orbit.span[row, 1]
    e = -math.expm1(-(S * orbit.rate))
    return e / orbit.mu, orbit.tau * (1.0 - e)


@kernel(inline=True)
def linear(orbit, w, c, S):
    """w_S and w_S - w_{S-1} (reference: Orbit.linear)."""
    E, F = coefficients(orbit, S)
    g = orbit.mu * w + c
    return w - E * g, -(F * g)                                                              # SPDC (39), (70), (71)


@kernel
def last_positive(orbit, w, c, S):
    """The largest r with w_r > 0 (reference: Orbit.last_positive)."""
    low, high = 0, S
    while high - low > 1:
        middle = (low + high) // 2
        if linear(orbit, w, c, middle)[0] > 0.0:
            low = middle
        else:
            high = middle
    return low                                                                              # SPDC (73), (75)


@kernel
def phases(orbit, w, u, S):
    """w_S and w_S - w_{S-1} through the cases of Appendix D (reference: Orbit.phases)."""
    difference = w - w
    while S > 0:
        side = 1.0 if w > 0.0 or (w == 0.0 and u < -orbit.l1) else -1.0 if w < 0.0 or (w == 0.0 and u > orbit.l1) else 0.0
        if side == 0.0:
            return w, w - w                                                                 # SPDC Case I: it stays at 0
        c = side * u + orbit.l1
        ahead, difference = linear(orbit, side * w, c, S)
        if c <= 0.0 or ahead > 0.0:
            return side * ahead, side * difference                                          # SPDC (70), (71)
        r = last_positive(orbit, side * w, c, S)
        before = linear(orbit, side * w, c, r)[0]                                           # SPDC (72), (74)
        after = step(orbit, before, side * u)                                               # SPDC (69)
        if after > 0.0:
            after = after - after
        w, difference, S = side * after, side * (after - before), S - r - 1
    return w, difference


@kernel
def step(orbit, w, v):
    """argmin of g(x) + v x + (x - w)^2/(2 tau) (reference: Orbit.step)."""
    return soft(w - orbit.tau * v, orbit.tau_l1) * orbit.contraction                        # SPDC (37), (40)


@kernel(inline=True)
def current(orbit, table, stamps, j, now):
    """w_j and w_j minus the one before, at iteration ``now`` (reference: LazySPDC.current)."""
    w, u, S = table[j, W], table[j, U], now - stamps[j, LAST]
    if orbit.l1 > 0.0:
        return phases(orbit, w, u, S) if S > 0 else (w, table[j, DLT])
    ahead, difference = linear(orbit, w, u, S)                                              # SPDC section 6.1
    return (ahead if S > 0 else w), (difference if S > 0 else table[j, DLT])


@kernel(inline=True)
def extrapolate(orbit, theta, table, stamps, j, now):
    """Bring j up to date; w_bar_j (reference: LazySPDC.extrapolated)."""
    w, difference = current(orbit, table, stamps, j, now)
    table[j, W], table[j, DLT], stamps[j, LAST] = w, difference, now
    return w + theta * difference                                                           # SPDC (10)


@kernel(inline=True)
def move(orbit, inverse_n, weight, table, stamps, j, now, du):
    """One step of a coordinate that is up to date (reference: LazySPDC.move)."""
    w, u = table[j, W], table[j, U]
    moved = step(orbit, w, u + weight * du)                                                 # SPDC (8), (14), (27)
    table[j, W], table[j, DLT], stamps[j, LAST] = moved, moved - w, now + 1
    table[j, U] = u + inverse_n * du                                                        # SPDC (9)


@kernel
def all_current(orbit, table, stamps, now, out):
    """w at iteration ``now``, shape (d,)."""
    for j in range(out.size):
        out[j] = current(orbit, table, stamps, j, now)[0]


# -- one row ----------------------------------------------------------------------------------------------


@kernel(inline=True)
def perturbed_step(run, z, alpha, y, q):
    """The dual step of phi* + (delta/2) a^2 (reference: spdc.perturbed_step)."""
    both = q + run.delta
    return dual_step(run.code, run.gamma, z, alpha if run.delta == 0.0 else q * alpha / both, y, both)


# -- all steps, X in CSR ----------------------------------------------------------------------------------


@kernel
def spdc_sparse(indptr, indices, data, y, orbit, run, table, stamps, alpha, du, now, choices):
    """Algorithms 1, 2 and 3 for every batch of choices, X in CSR; du, shape (d,), is zero between two steps."""
    m, new, individual = choices.shape[1], np.empty(choices.shape[1]), 1 if run.q.size > 1 else 0
    for t in range(choices.shape[0]):
        for b in range(m):
            k = choices[t, b]
            z = 0.0
            for place in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
                z = z + data[place] * extrapolate(orbit, run.theta, table, stamps, indices[place], now)
            new[b] = perturbed_step(run, z, alpha[k], y[k], run.q[individual * k])          # SPDC (7), (13), (26)
        weight = run.weight[individual * choices[t, 0]]
        for b in range(m):
            k = choices[t, b]
            delta = new[b] - alpha[k]
            alpha[k], new[b] = new[b], delta
            if delta != 0.0 and m == 1:
                for place in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
                    move(orbit, run.inverse_n, weight, table, stamps, indices[place], now, 0.0 + delta * data[place])
            elif delta != 0.0:
                for place in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
                    du[indices[place]] += delta * data[place]
        for b in range(m if m > 1 else 0):
            k = choices[t, b]
            if new[b] != 0.0:
                for place in range(np.uint64(indptr[k]), np.uint64(indptr[k + 1])):
                    j = indices[place]
                    if stamps[j, LAST] <= now:
                        move(orbit, run.inverse_n, weight, table, stamps, j, now, du[j])
                        du[j] = 0.0
        now += 1


# -- all steps, X dense -----------------------------------------------------------------------------------


@kernel
def spdc_dense(X, y, orbit, run, table, stamps, alpha, du, now, choices):
    """Algorithms 1, 2 and 3 for every batch of choices, X dense; an entry 0 is no part of its row."""
    m, new, individual = choices.shape[1], np.empty(choices.shape[1]), 1 if run.q.size > 1 else 0
    for t in range(choices.shape[0]):
        for b in range(m):
            k = choices[t, b]
            x, z = X[k], 0.0
            for j in range(x.size):
                if x[j] != 0.0:
                    z = z + x[j] * extrapolate(orbit, run.theta, table, stamps, j, now)
            new[b] = perturbed_step(run, z, alpha[k], y[k], run.q[individual * k])          # SPDC (7), (13), (26)
        weight = run.weight[individual * choices[t, 0]]
        for b in range(m):
            k = choices[t, b]
            x, delta = X[k], new[b] - alpha[k]
            alpha[k], new[b] = new[b], delta
            for j in range(x.size if delta != 0.0 else 0):
                if m == 1 and x[j] != 0.0:
                    move(orbit, run.inverse_n, weight, table, stamps, j, now, 0.0 + delta * x[j])
                elif x[j] != 0.0:
                    du[j] += delta * x[j]
        for b in range(m if m > 1 else 0):
            x = X[choices[t, b]]
            for j in range(x.size if new[b] != 0.0 else 0):
                if x[j] != 0.0 and stamps[j, LAST] <= now:
                    move(orbit, run.inverse_n, weight, table, stamps, j, now, du[j])
                    du[j] = 0.0
        now += 1


# -- the methods ------------------------------------------------------------------------------------------


class FastLazyState(FastState):
    """The fields of the reference's ``LazyState``; w, dlt, u and last are the columns of ``table``."""

    __slots__ = ("table", "alpha", "t")
    table: Array
    alpha: Array
    t: int

    def __init__(self, w: Array, dlt: Array, u: Array, last: Array, alpha: Array, t: int) -> None:
        self.table = np.stack((w, dlt, u, u), axis=1)
        self.stamps[:, LAST] = last
        self.alpha, self.t = alpha, t

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return LazyState.names()

    @property
    def stamps(self) -> Array:
        """The table with its bits read as integers, shape (d, 4)."""
        return self.table.view(np.int64)

    w = property(lambda self: self.table[:, W])
    dlt = property(lambda self: self.table[:, DLT])
    u = property(lambda self: self.table[:, U])
    last = property(lambda self: self.stamps[:, LAST])


class FastSPDC(FastMethod[FastLazyState]):
    """Algorithm 1; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastSPDC().view(problem, FastSPDC().run(problem, [0, 1] * 400))
    >>> w.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "spdc"
    reference: LazySPDC

    _made: tuple[Problem | None, tuple[OrbitNumbers, RunNumbers] | None] = (None, None)

    def numbers(self, problem: Problem) -> tuple[OrbitNumbers, RunNumbers] | None:
        """What the kernels need to know, made once for a problem; None where every row is zero."""
        if self._made[0] is not problem:
            constants = self.reference.constants(problem, arrays(problem).norms2.tolist())
            self._made = (problem, None if constants is None else self.make_numbers(problem, constants))
        return self._made[1]

    def make_numbers(self, problem: Problem, constants: Constants) -> tuple[OrbitNumbers, RunNumbers]:
        orbit, loss = constants.orbit, problem.loss
        rate, span = math.log1p(orbit.mu * orbit.tau), np.empty((SPAN, 2))
        tabulate(orbit.tau, orbit.mu, rate, span)
        return (
            OrbitNumbers(orbit.tau, orbit.mu, orbit.l1, orbit.contraction, orbit.tau_l1, rate, span),
            RunNumbers(
                constants.theta, constants.inverse_n, np.array(constants.weight), np.array(constants.q),
                CODES[loss.name], loss.gamma, convert(self.reference.delta, float, "delta"),
            ),
        )  # fmt: skip

    def init(self, problem: Problem, alpha: Any = None, w: Any = None) -> FastLazyState:
        """alpha and w as in the reference."""
        self.reference.require_family(problem)
        require_smooth(problem, self.reference)
        objective = Objective(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        if self.numbers(problem) is None:
            start, w = np.array([problem.loss.derivative(0.0, y) for y in problem.y]), None
        minus_u = objective.minus_u(start)
        if w is not None:
            problem.require_lengths(w=w)
        given = objective.w_of(objective.dual_point(minus_u)) if w is None else np.array([convert(w_j, float, "w") for w_j in w])
        nothing, u = np.zeros(problem.d), 0.0 - minus_u - objective.kappa * objective.centre
        return FastLazyState(w=given, dlt=nothing, u=u, last=nothing, alpha=start, t=0)

    def steps(self, problem: Problem, state: FastLazyState, choices: Array) -> None:
        numbers, data = self.numbers(problem), arrays(problem)
        if numbers is None:
            return
        batches = choices.reshape(len(choices), -1)
        du = np.zeros(problem.d if batches.shape[1] > 1 else 0)
        data.run(KERNEL_PAIR, data.y, *numbers, state.table, state.stamps, state.alpha, du, state.t, batches)
        state.t += len(batches)

    def view(self, problem: Problem, state: FastLazyState) -> tuple[Array, Array]:
        numbers, w = self.numbers(problem), state.w.copy()
        if numbers is not None:
            all_current(numbers[0], state.table, state.stamps, state.t, w)
        return w, state.alpha.copy()


class FastMiniBatchSPDC(FastSPDC):
    """Algorithm 2; options as in the reference."""

    name = "spdc-minibatch"


class FastNonUniformSPDC(FastSPDC):
    """Algorithm 3; options as in the reference."""

    name = "spdc-nonuniform"

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Any:
        return self.reference.draw(problem, order, seed, epoch, arrays(problem).norms2.tolist())


KERNEL_PAIR = (spdc_sparse, spdc_dense)
KERNELS = {"spdc": FastSPDC, "spdc-minibatch": FastMiniBatchSPDC, "spdc-nonuniform": FastNonUniformSPDC}
