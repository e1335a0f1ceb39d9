"""SPDC, compiled: the counterparts of ``dualgap.reference.methods.lazy.spdc``, same steps, bit-identical results.

w_j, dlt_j, u_j and last_j lie side by side in 32 bytes, so that an entry of a row reads and writes one line of the
cache. ``cells`` is this memory as floats, ``stamps`` the same memory as integers, which last_j is. Coefficients of the
orbits are looked up in ``span`` (``spdc_orbit``).

The rows of the next steps are prefetched.
"""

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_start
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.specialized.spdc_orbit import (
    DLT,
    LAST,
    ONE,
    SPAN,
    THREE,
    TWO,
    DualNumbers,
    OrbitNumbers,
    RowStep,
    U,
    W,
    all_current,
    leave,
    linear,
    perturbed_step,
    reading,
    side_of,
    slope,
    step,
    tabulate,
    writing,
)
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.prefetch import fetch_ahead
from dualgap.fast.problem.rows import bounds, column, value
from dualgap.reference.methods.lazy.spdc import LazyNonUniformSPDC, LazySPDC, LazyState
from dualgap.reference.methods.spdc import require_smooth
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.numbers.elementary import log1p
from dualgap.reference.problem.problem import Problem


class RunNumbers(NamedTuple):
    """``Constants`` of the reference, as numbers, with labels and loss; weight and q have one entry, or one for every
    row.
    """

    orbit: OrbitNumbers
    dual: DualNumbers
    inverse_n: float
    span: Array
    y: Array
    weight: Array
    q: Array


class Vectors(NamedTuple):
    """The arrays of a state, which a kernel changes."""

    cells: Array
    stamps: Array
    alpha: Array


# -- one row ----------------------------------------------------------------------------------------------


@kernel
def extrapolated(rows, k, orbit, span, cells, stamps, now):
    """x_k^T w_bar at iteration ``now`` (reference: LazySPDC.extrapolated)."""
    z = 0.0
    first, end = bounds(rows, k)
    for entry in range(first, end):
        place = np.uint64(column(rows, entry)) << TWO
        w, S = cells[place + W], now - stamps[place + LAST]
        c = cells[place + DLT + (ONE if S > 0 else W)]  # dlt where S = 0: an address is chosen, which needs no branch
        if orbit.l1 > 0.0 and S > 0:
            u, side = c, side_of(w, c, orbit.l1)
            c = slope(w, u, orbit.l1, side)
            if side * c > 0.0 and not side * linear(orbit, span, w, c, S) > 0.0:
                w, c, S, dlt = leave(orbit, span, w, u, S, side)
                c = c if S > 0 else dlt
        if S < SPAN:
            P, Q = span[np.uint64(S) << TWO], span[(np.uint64(S) << TWO) + ONE]
        else:
            P, Q = reading(orbit, S)
        z = z + value(rows, k, entry) * (P * w - Q * c)  # SPDC (10)
    return z


@kernel
def scatter(rows, k, delta, du):
    """du += delta x_k (reference: LazySPDC.advance)."""
    first, end = bounds(rows, k)
    for entry in range(first, end):
        du[column(rows, entry)] += delta * value(rows, k, entry)


@kernel
def move(rows, k, by, du, orbit, span, cells, stamps, now):
    """The step of the coordinates of a row (reference: LazySPDC.move), du being delta x_k where the array is empty."""
    first, end = bounds(rows, k)
    for entry in range(first, end):
        j = np.uint64(column(rows, entry))
        place = j << TWO
        w, u, S = cells[place + W], cells[place + U], now - stamps[place + LAST]
        change = by.delta * value(rows, k, entry)
        if du.size > 0:
            if S < 0:
                continue  # moved with another row of the batch
            change = du[j]
            du[j] = -0.0
        c = u
        if orbit.l1 > 0.0 and S > 0:
            side = side_of(w, u, orbit.l1)
            c = slope(w, u, orbit.l1, side)
            if side * c > 0.0 and not side * linear(orbit, span, w, c, S) > 0.0:
                w, c, S, _ = leave(orbit, span, w, u, S, side)
        if S < SPAN:
            A, E = span[(np.uint64(S) << TWO) + TWO], span[(np.uint64(S) << TWO) + THREE]
        else:
            A, E = writing(orbit, S)
        before = A * w - E * c
        after = step(orbit, before, u, by.tau_weight * change)  # SPDC (8), (14), (27)
        cells[place + W], cells[place + DLT], stamps[place + LAST] = after, after - before, now + 1
        cells[place + U] = u + by.inverse_n * change  # SPDC (9)


# -- all steps --------------------------------------------------------------------------------------------
# du is empty for m = 1; else, shape (d,), it holds -0.0 between two steps: -0.0 + x is bit-identical to x, for every x.


@kernel
def spdc_steps(rows, run, state, du, now, choices):
    """Algorithms 1, 2 and 3 for every batch K of the choices."""
    orbit, dual, inverse_n, span, y, weight, q = run
    cells, stamps, alpha = state
    m, new, individual = choices.shape[1], np.empty(choices.shape[1]), 1 if q.size > 1 else 0
    every = choices.reshape(-1)
    for t in range(choices.shape[0]):
        for b in range(m):
            fetch_ahead(rows, every, m * t + b, y, alpha)
            k = choices[t, b]
            z = extrapolated(rows, k, orbit, span, cells, stamps, now)
            new[b] = perturbed_step(dual, z, alpha[k], y[k], q[individual * k])  # SPDC (7), (13), (26)
        for b in range(m):
            k = choices[t, b]
            alpha[k], new[b] = new[b], new[b] - alpha[k]
            if m > 1 and new[b] != 0.0:
                scatter(rows, k, new[b], du)
        tau_weight = orbit.tau * weight[individual * choices[t, 0]]
        for b in range(m):
            if new[b] != 0.0:
                move(rows, choices[t, b], RowStep(new[b], tau_weight, inverse_n), du, orbit, span, cells, stamps, now)
        now += 1


# -- the methods ------------------------------------------------------------------------------------------


class FastLazyState(FastState):
    """The fields of the reference's ``LazyState``; w, dlt, u and last are views of ``cells``, shape (4d,)."""

    __slots__ = ("cells", "alpha", "t")
    cells: Array
    alpha: Array
    t: int

    def __init__(self, w: Array, dlt: Array, u: Array, last: Array, alpha: Array, t: int) -> None:
        self.cells = np.stack((w, dlt, u, u), axis=1).reshape(-1)
        self.stamps[LAST::4] = last
        self.alpha, self.t = alpha, t

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return LazyState.names()

    @property
    def stamps(self) -> Array:
        """The cells with their bits read as integers."""
        return self.cells.view(np.int64)

    @property
    def vectors(self) -> Vectors:
        """The arrays, for a kernel."""
        return Vectors(self.cells, self.stamps, self.alpha)

    w = property(lambda self: self.cells[W::4])
    dlt = property(lambda self: self.cells[DLT::4])
    u = property(lambda self: self.cells[U::4])
    last = property(lambda self: self.stamps[LAST::4])


@register_compiled_method
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

    def make_native(self, problem: Problem) -> RunNumbers | None:
        """Return the numbers that the kernels need; None if every row is zero."""
        constants = self.reference.constants(problem, arrays(problem).norms2.tolist())
        if constants is None:
            return None
        orbit, loss, span = constants.orbit, problem.loss, np.empty(4 * SPAN)
        shared = {name: value for name, value in vars(orbit).items() if name in OrbitNumbers._fields}
        numbers = OrbitNumbers(rate=log1p(orbit.mu * orbit.tau), **shared)
        tabulate(numbers, span)
        weight, q = np.array(constants.weight), np.array(constants.q)
        delta = convert(self.reference.delta, float, "delta")
        dual = DualNumbers(CODES[loss.name], loss.gamma, delta)
        return RunNumbers(numbers, dual, constants.inverse_n, span, arrays(problem).y, weight, q)

    def init(self, problem: Problem, alpha: ArrayLike | None = None, w: Any = None) -> FastLazyState:
        """alpha and w as in the reference."""
        self.reference.require_family(problem)
        require_smooth(problem, self.reference)
        objective = Objective(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        if self.native(problem) is None:
            start, w = np.array([problem.loss.derivative(0.0, y) for y in problem.y]), None
        minus_u = objective.minus_u(start)
        w = objective.w_of(objective.dual_point(minus_u)) if w is None else w
        given = require_start(problem, w)
        nothing, u = np.zeros(problem.d), 0.0 - minus_u - objective.kappa * objective.centre
        return FastLazyState(w=given, dlt=nothing, u=u, last=nothing, alpha=start, t=0)

    def steps(self, problem: Problem, state: FastLazyState, choices: Array) -> None:
        numbers = self.native(problem)
        if numbers is None:
            return
        batches = choices.reshape(len(choices), self.reference.width(problem) or 1)
        du = np.full(problem.d if batches.shape[1] > 1 else 0, -0.0)
        spdc_steps(arrays(problem).entries(), numbers, state.vectors, du, state.t, batches)
        state.t += len(batches)

    def view(self, problem: Problem, state: FastLazyState) -> tuple[Array, Array]:
        numbers, w = self.native(problem), state.w.copy()
        if numbers is not None:
            all_current(numbers.orbit, numbers.span, state.cells, state.stamps, state.t, w)
        return w, state.alpha.copy()


@register_compiled_method
class FastMiniBatchSPDC(FastSPDC):
    """Algorithm 2; options as in the reference."""

    name = "spdc-minibatch"


@register_compiled_method
class FastNonUniformSPDC(FastSPDC):
    """Algorithm 3; options as in the reference."""

    name = "spdc-nonuniform"
    reference: LazyNonUniformSPDC

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Any:
        return self.reference.draw(problem, order, seed, epoch, arrays(problem).norms2.tolist())
