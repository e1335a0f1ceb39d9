"""AdaSPDC and its repair, compiled: the counterparts of ``dualgap.reference.methods.lazy.adaspdc``, same steps, same
bits.

``adaspdc-r`` is lazy SPDC's kernel with a dual step of its own for every row. ``adaspdc`` has tau^t and theta^t of the
row with the largest norm in the sample: what belongs to a row, its dual step, tau, theta and log(1 + mu tau), is
computed once, by the reference. An entry that was not touched in the step before costs an exponential (about 20 ns).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_start
from dualgap.fast.methods.pdcp import share_norms
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.spdc import FastSPDC
from dualgap.fast.methods.specialized.spdc_orbit import side_of, slope
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.elementary import one_minus_exp
from dualgap.fast.problem.losses import CODES, dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import bounds, column, soft, value
from dualgap.reference.methods.lazy.adaspdc import AdaptiveState, LazyAdaSPDC, LazyAdaSPDCR
from dualgap.reference.methods.pdcp import require_strong
from dualgap.reference.numbers.elementary import log1p
from dualgap.reference.problem.problem import Problem


class RunNumbers(NamedTuple):
    """The numbers that stay the same in a run: norms, 1/sigma, and tau, theta and log(1 + mu tau) of a sample led by
    that row, (n,) each.
    """

    y: Array
    R: Array
    q: Array
    tau: Array
    theta: Array
    rate: Array
    mu: float
    l1: float
    inverse_m: float
    inverse_n: float
    code: int
    gamma: float


class Vectors(NamedTuple):
    """The arrays of a state, which a kernel changes; taus and levels of all steps up to the next ``synchronise``."""

    w: Array
    w_bar: Array
    u: Array
    last: Array
    alpha: Array
    taus: Array
    levels: Array


class Moment(NamedTuple):
    """The numbers of a step that every coordinate needs."""

    t: int
    theta: float
    mu: float
    l1: float


class RowStep(NamedTuple):
    """The numbers that the step of the coordinates of a row depends on: Delta alpha_i, the next tau and theta, tau/m
    and 1/n."""

    delta: float
    tau: float
    theta: float
    tau_weight: float
    inverse_n: float


# -- one coordinate ---------------------------------------------------------------------------------------------------


@kernel(inline=True)
def shrunk(before, after):
    """1 - prod 1/(1 + mu tau) between two levels (reference: arithmetic.shrunk)."""
    return one_minus_exp(after - before)


@kernel
def linear(levels, mu, w, c, s, t):
    """w_t from w_s = w (reference: LazyAdaSPDC.linear)."""
    e = shrunk(levels[s], levels[t])
    return (1.0 - e) * w - e / mu * c


@kernel(inline=True)
def prox_step(mu, l1, w, u, tau, tau_du):
    """argmin of g(x) + (u + du) x + (x - w)^2/(2 tau) (reference: prox_step)."""
    return soft(w - tau * u - tau_du, tau * l1) / (1.0 + mu * tau)  # AdaSPDC (11)


@kernel
def last_phase(taus, levels, mu, l1, w, u, s, t):
    """w, c, s and the move that led there (reference: LazyAdaSPDC.last_phase)."""
    dlt = w - w
    while s < t:
        side = side_of(w, u, l1)
        c = slope(w, u, l1, side)
        if side == 0.0 or side * c <= 0.0 or side * linear(levels, mu, w, c, s, t) > 0.0:
            return w, c, s, dlt
        r, high = s, t
        while high - r > 1:
            middle = (r + high) // 2
            if side * linear(levels, mu, w, c, s, middle) > 0.0:
                r = middle
            else:
                high = middle
        before = linear(levels, mu, w, c, s, r)
        after = prox_step(mu, l1, before, u, taus[r], u - u)
        if side * after > 0.0:
            after = after - after
        w, s, dlt = after, r + 1, after - before
    return w, u, s, dlt


@kernel(inline=True)
def current(taus, levels, now, w, w_bar, u, s):
    """w_j and w_bar_j at step t (reference: LazyAdaSPDC.current)."""
    t, theta, mu, l1 = now
    if s == t:
        return w, w_bar
    c, e, theta_tau = u, shrunk(levels[s], levels[t]), theta * taus[t - 1]
    A, E = 1.0 - e, e / mu
    if l1 > 0.0:
        side = side_of(w, u, l1)
        c = slope(w, u, l1, side)
        if side * c > 0.0 and not side * (A * w - E * c) > 0.0:
            w, c, s, dlt = last_phase(taus, levels, mu, l1, w, u, s, t)
            if s == t:
                return w, w + theta * dlt
            e = shrunk(levels[s], levels[t])
            A, E = 1.0 - e, e / mu
    return A * w - E * c, A * (1.0 - theta_tau * mu) * w - (E + theta_tau * A) * c


@kernel
def all_current(state, now, out, out_bar):
    """w and w_bar at step t, shape (d,) each."""
    w, w_bar, u, last, _, taus, levels = state
    for j in range(out.size):
        out[j], out_bar[j] = current(taus, levels, now, w[j], w_bar[j], u[j], last[j])


# -- one row -----------------------------------------------------------------------------------------------------------


@kernel
def extrapolated(rows, i, now, w, w_bar, u, last, taus, levels):
    """x_i^T w_bar at step t (reference: LazyAdaSPDC.extrapolated)."""
    z = 0.0
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        bar = w_bar[j]
        if last[j] != now.t:
            _, bar = current(taus, levels, now, w[j], bar, u[j], last[j])
        z = z + value(rows, i, place) * bar
    return z


@kernel
def scatter(rows, i, delta, du):
    """du += delta x_i (reference: LazyAdaSPDC.advance)."""
    first, end = bounds(rows, i)
    for place in range(first, end):
        du[column(rows, place)] += delta * value(rows, i, place)


@kernel
def move(rows, i, by, du, now, w, w_bar, u, last, taus, levels):
    """The step of the coordinates of a row (reference: LazyAdaSPDC.move), du being delta x_i where the array is
    empty.
    """
    first, end = bounds(rows, i)
    for place in range(first, end):
        j = column(rows, place)
        change = by.delta * value(rows, i, place)
        if du.size > 0:
            if last[j] > now.t:
                continue  # moved with another row of the sample
            change = du[j]
            du[j] = -0.0
        before = w[j]
        if last[j] != now.t:
            before, _ = current(taus, levels, now, before, w_bar[j], u[j], last[j])
        after = prox_step(now.mu, now.l1, before, u[j], by.tau, by.tau_weight * change)
        w[j], w_bar[j], last[j] = after, after + by.theta * (after - before), now.t + 1  # AdaSPDC lines 9, 10
        u[j] = u[j] + by.inverse_n * change  # AdaSPDC line 11, (13)


@kernel
def synchronise(state, now):
    """Bring every coordinate up to date (reference: LazyAdaSPDC.synchronise)."""
    all_current(state, now, state.w, state.w_bar)
    state.last[:] = 0


@kernel(inline=True)
def leader(R, S):
    """The row of the sample with the largest norm (reference: adaspdc.largest)."""
    found = S[0]
    for i in S:
        found = i if R[i] > R[found] else found
    return found


# -- all steps ---------------------------------------------------------------------------------------------------------
# du is empty for m = 1; else, shape (d,), it holds -0.0 between two steps: -0.0 + x is bit-identical to x, for every x.


@kernel
def adaspdc_steps(rows, run, state, theta, t, du, choices):
    """Algorithm 1 for every sample S of the choices; returns t and theta."""
    m, new, (w, w_bar, u, last, alpha, taus, levels) = choices.shape[1], np.empty(choices.shape[1]), state
    y, inverse_m, inverse_n = run.y, run.inverse_m, run.inverse_n
    for S in choices:
        if t == taus.size:
            synchronise(state, Moment(t, theta, run.mu, run.l1))
            t = 0
        now = Moment(t, theta, run.mu, run.l1)
        for b in range(m):
            i = S[b]
            z = extrapolated(rows, i, now, w, w_bar, u, last, taus, levels)
            new[b] = dual_step(run.code, run.gamma, z, alpha[i], y[i], run.q[i])  # AdaSPDC lines 6-7, (9)
        for b in range(m):
            alpha[S[b]], new[b] = new[b], new[b] - alpha[S[b]]  # AdaSPDC line 7
            if m > 1 and new[b] != 0.0:
                scatter(rows, S[b], new[b], du)
        lead = leader(run.R, S)
        tau, theta = run.tau[lead], run.theta[lead]  # AdaSPDC line 5
        for b in range(m):
            if new[b] != 0.0:
                by = RowStep(new[b], tau, theta, tau * inverse_m, inverse_n)
                move(rows, S[b], by, du, now, w, w_bar, u, last, taus, levels)
        taus[t], levels[t + 1] = tau, levels[t] + run.rate[lead]
        t += 1
    return t, theta


# -- the methods -------------------------------------------------------------------------------------------------------


class FastAdaptiveState(FastState):
    """The fields of the reference's ``AdaptiveState``; taus and levels are the beginnings of ``all_taus`` and
    ``all_levels``.
    """

    __slots__ = ("w", "w_bar", "u", "last", "alpha", "all_taus", "all_levels", "theta", "t")
    growing = ("taus", "levels")
    w: Array
    w_bar: Array
    u: Array
    last: Array
    alpha: Array
    all_taus: Array
    all_levels: Array
    theta: float
    t: int

    @property
    def vectors(self) -> Vectors:
        """The arrays, for a kernel."""
        return Vectors(self.w, self.w_bar, self.u, self.last, self.alpha, self.all_taus, self.all_levels)

    taus = property(lambda self: self.all_taus[: self.t])
    levels = property(lambda self: self.all_levels[: self.t + 1])

    def __init__(self, period: int, taus: Array, levels: Array, **fields: object) -> None:
        for name, given in fields.items():
            setattr(self, name, given)
        self.t = len(taus)
        self.all_taus, self.all_levels = np.zeros(period), np.zeros(period + 1)
        self.all_taus[: self.t], self.all_levels[: self.t + 1] = taus, levels

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return AdaptiveState.names()

    def with_fields(self, fields: dict[str, Any]) -> Any:
        return FastAdaptiveState(period=self.all_taus.size, **fields)


@register_compiled_method
class FastAdaSPDC(FastMethod[FastAdaptiveState]):
    """Algorithm 1 as published; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastAdaSPDC().view(problem, FastAdaSPDC().run(problem, [[0], [1]] * 400))
    >>> w.round(9).tolist()
    [0.5, -0.5]
    """

    name = "adaspdc"
    reference: LazyAdaSPDC

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_norms(problem)
        super().require(problem, mode)

    def make_native(self, problem: Problem) -> RunNumbers:
        """Return the numbers that the kernels need."""
        share_norms(problem)
        parameters, mu = self.reference.parameters(problem), problem.regularizer.modulus
        assert parameters is not None  # only the repaired method admits zero rows
        steps = [self.reference.from_radius(problem, parameters, R_i) for R_i in parameters.R]
        return RunNumbers(
            y=arrays(problem).y,
            R=np.array(parameters.R),
            q=np.array([1 / self.reference.sigma(parameters, i) for i in range(problem.n)]),
            tau=np.array([tau for tau, _ in steps]),
            theta=np.array([theta for _, theta in steps]),
            rate=np.array([log1p(mu * tau) for tau, _ in steps]),
            mu=mu,
            l1=problem.regularizer.l1,
            inverse_m=1.0 / self.reference.m,
            inverse_n=1.0 / problem.n,
            code=CODES[problem.loss.name],
            gamma=problem.gamma,
        )

    def init(self, problem: Problem, alpha: ArrayLike | None = None, w: Any = None) -> FastAdaptiveState:
        """alpha and w as in the reference."""
        self.reference.require_family(problem)
        require_strong(problem, self.name)
        self.native(problem)
        objective = Objective(problem)
        start = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        minus_u = objective.minus_u(start)
        w = objective.w_of(objective.dual_point(minus_u)) if w is None else w
        given = require_start(problem, w)
        u = 0.0 - minus_u - objective.kappa * objective.centre
        return FastAdaptiveState(
            period=self.reference.period(problem),
            w=given,
            w_bar=given.copy(),
            u=u,
            last=np.zeros(problem.d, np.int64),
            alpha=start,
            taus=np.empty(0),
            levels=np.zeros(1),
            theta=0.0,
        )

    def steps(self, problem: Problem, state: FastAdaptiveState, choices: Array) -> None:
        du = np.full(problem.d if choices.shape[1] > 1 else 0, -0.0)
        rows, run = arrays(problem).entries(), self.native(problem)
        state.t, state.theta = adaspdc_steps(rows, run, state.vectors, state.theta, state.t, du, choices)

    def view(self, problem: Problem, state: FastAdaptiveState) -> tuple[Array, Array]:
        w, w_bar, run = np.empty(problem.d), np.empty(problem.d), self.native(problem)
        all_current(state.vectors, Moment(state.t, state.theta, run.mu, run.l1), w, w_bar)
        return w, state.alpha.copy()


@register_compiled_method
class FastAdaSPDCR(FastSPDC):
    """The repaired method; options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 0.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = FastAdaSPDCR().view(problem, FastAdaSPDCR().run(problem, [[0], [1]] * 400))
    >>> w.round(9).tolist()
    [0.5, 0.0]
    """

    name = "adaspdc-r"
    reference: LazyAdaSPDCR

    def require(self, problem: Problem, mode: str = "paper") -> None:
        share_norms(problem)
        super().require(problem, mode)

    def init(self, problem: Problem, alpha: ArrayLike | None = None, w: object = None) -> Any:
        """alpha and w as in the reference."""
        share_norms(problem)
        require_strong(problem, self.name)
        return super().init(problem, alpha, w)
