"""AdaSPDC in O(nnz of the rows) a step, equal to ``adaspdc``: rows of single numbers, L2 and elastic net.

Where no row of the sample has an entry in column j, u_j stands still and w_j follows w_{t+1} = soft(w_t - tau^t u,
tau^t l1)/ (1 + mu tau^t). In ``adaspdc-r`` tau is constant: that is lazy SPDC (``spdc_lazy``) with a separate dual step
size for every row. In ``adaspdc`` it is not, and the product of the steps' factors takes the place of a power. While w
does not change its sign, with c = u + sign(w) l1,

    w_t = (1 - e) w_s - (e/mu) c,       e = 1 - prod_{s <= k < t} 1/(1 + mu tau^k)
    w_t - w_{t-1} = -tau^{t-1} (1 - e) (mu w_s + c)

In floats the product is kept as the ``levels``, the sums of log(1 + mu tau^k), and e is 1 - e^-x of a difference of two
of them: without cancellation where mu tau is small. Elastic net has the three cases of SPDC's Appendix D; where a case
ends is found by bisection, for e increases with t.

A run of T steps would need T levels. Once a pass all coordinates are therefore brought up to date, in O(d), and the
levels start again; that bounds their rounding as well.

======== ===== =======================================================================================================
in code  shape meaning
======== ===== =======================================================================================================
w, w_bar (d,)  as in ``adaspdc``, at step last_j
u        (d,)  X^T alpha/n - kappa centre: a proximal centre only moves where u starts
last     (d,)  the step, counted from the last synchronisation, at which w_j, w_bar_j and u_j are known
alpha    (n,)  as in ``adaspdc``
taus     (t,)  tau^0 .. tau^{t-1} since the last synchronisation
levels   (t+1,) see above
theta          theta^{t-1}; 0 before the first step
======== ===== =======================================================================================================
"""

from typing import Any

from dualgap.reference.methods.adaspdc import AdaSPDC, AdaSPDCR, AdaSPDCState
from dualgap.reference.methods.base import State
from dualgap.reference.methods.lazy.spdc import Constants, LazyMiniBatchSPDC, Orbit
from dualgap.reference.methods.pdcp import require_strong
from dualgap.reference.methods.registry import register_lazy_form
from dualgap.reference.numbers.arithmetic import Number, convert, deepen, shrunk, surface
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import soft
from dualgap.reference.problem.validate import require_within


class AdaptiveState(State):
    """See the table of the module."""

    __slots__ = ("w", "w_bar", "u", "last", "alpha", "taus", "levels", "theta")
    growing = ("taus", "levels")
    w: Vector
    w_bar: Vector
    u: Vector
    last: list[int]
    alpha: Vector
    taus: Vector
    levels: Vector
    theta: Number


@register_lazy_form
class LazyAdaSPDC(AdaSPDC):
    """Algorithm 1 as published, lazily: options, choices, parameters and notes of ``AdaSPDC``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> LazyAdaSPDC().view(p, LazyAdaSPDC().run(p, [[0], [1]])) == AdaSPDC().view(p, AdaSPDC().run(p, [[0], [1]]))
    True
    """

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> Any:
        """alpha and w as in ``AdaSPDC``."""
        require_rows(problem, self.name)
        start, g = super().init(problem, alpha, w), problem.regularizer
        u = start.u if g.centre is None else [u_j - g.kappa * c_j for u_j, c_j in zip(start.u, g.centre)]
        return AdaptiveState(
            w=start.w, w_bar=start.w_bar, u=u, last=[0] * problem.d, alpha=start.alpha,
            taus=[], levels=[surface(problem.number)], theta=problem.zero,
        )  # fmt: skip

    def advance(self, problem: Problem, state: Any, choice: tuple[int, ...]) -> None:
        parameters = self.parameters(problem)
        assert parameters is not None  # only the repaired method admits zero rows
        if len(state.taus) >= self.period(problem):
            self.synchronise(problem, state)
        S = choice                                                                            # AdaSPDC line 4
        tau, theta = self.tau_theta(problem, parameters, S)                                   # AdaSPDC line 5
        z = [self.extrapolated(problem, state, i) for i in S]
        new = [
            problem.loss.dual_step(z_i, state.alpha[i], problem.y[i], 1 / self.sigma(parameters, i)) for i, z_i in zip(S, z)
        ]                                                                                     # AdaSPDC lines 6-7, (9)
        du: dict[int, Number] = {}
        for i, alpha_i in zip(S, new):
            delta = alpha_i - state.alpha[i]
            state.alpha[i] = alpha_i                                                          # AdaSPDC line 7
            for j, x in problem.rows[i] if delta != 0 else ():
                du[j] = du[j] + delta * x if j in du else delta * x
        for j, du_j in du.items():
            self.move(problem, state, j, du_j, tau, theta)
        state.taus.append(tau)
        state.levels.append(deepen(state.levels[-1], problem.regularizer.modulus * tau))
        state.theta = theta

    def extrapolated(self, problem: Problem, state: AdaSPDCState, i: int) -> Number:
        """x_i^T w_bar."""
        z = problem.zero
        for j, x in problem.rows[i]:
            z = z + x * self.current(problem, state, j)[1]
        return z

    def move(self, problem: Problem, state: AdaptiveState, j: int, du: Number, tau: Number, theta: Number) -> None:
        """The step of a coordinate with du = sum over S of (change of alpha_i) x_ij."""
        before, _ = self.current(problem, state, j)
        after = prox_step(problem, before, state.u[j], tau, tau * (convert(1, problem.number) / self.m) * du)
        state.w[j], state.w_bar[j] = after, after + theta * (after - before)                  # AdaSPDC lines 9, 10
        state.u[j] = state.u[j] + convert(1, problem.number) / problem.n * du                 # AdaSPDC line 11, (13)
        state.last[j] = len(state.taus) + 1

    # -- what a coordinate that stood aside has become ----------------------------------------------------------------

    def current(self, problem: Problem, state: Any, j: int) -> tuple[Number, Number]:
        """w_j and w_bar_j now."""
        s, t = state.last[j], len(state.taus)
        if s == t:
            return state.w[j], state.w_bar[j]
        w, c, s, dlt = self.last_phase(problem, state, state.w[j], state.u[j], s)
        if s == t:
            return w, w + state.theta * dlt
        mu, e, theta_tau = problem.regularizer.modulus, shrunk(state.levels[s], state.levels[t]), state.theta * state.taus[-1]
        A, E = 1 - e, e / mu
        return A * w - E * c, A * (1 - theta_tau * mu) * w - (E + theta_tau * A) * c

    def last_phase(
        self, problem: Problem, state: AdaptiveState, w: Number, u: Number, s: int
    ) -> tuple[Number, Number, int, Number]:
        """(w, c, s, dlt): from step s on the orbit of w at step s is ``linear`` with c; dlt = the move that led
        there.
        """
        t, l1, dlt = len(state.taus), problem.regularizer.l1, w - w
        while l1 > 0 and s < t:
            side = 1 if w > 0 or (w == 0 and u < -l1) else -1 if w < 0 or (w == 0 and u > l1) else 0
            if side == 0:
                return w, w - w, s, dlt  # it stays at 0
            c = u + side * l1
            if side * c <= 0 or side * self.linear(problem, state, w, c, s, t) > 0:
                return w, c, s, dlt
            r, high = s, t  # side w_r > 0 (or w_r is where it starts), and not so at high
            while high - r > 1:
                middle = (r + high) // 2
                r, high = (middle, high) if side * self.linear(problem, state, w, c, s, middle) > 0 else (r, middle)
            before = self.linear(problem, state, w, c, s, r)
            after = prox_step(problem, before, u, state.taus[r], u - u)
            if side * after > 0:
                after = after - after  # rounding alone: w_{r+1} is not on this side
            w, s, dlt = after, r + 1, after - before
        return w, u, s, dlt

    def linear(self, problem: Problem, state: AdaptiveState, w: Number, c: Number, s: int, t: int) -> Number:
        """w_t of w_{k+1} = (w_k - tau^k c)/(1 + mu tau^k) from w_s = w."""
        e = shrunk(state.levels[s], state.levels[t])
        return (1 - e) * w - e / problem.regularizer.modulus * c

    def period(self, problem: Problem) -> int:
        """Steps between two synchronisations: a pass."""
        return -(-problem.n // self.m)

    def synchronise(self, problem: Problem, state: AdaptiveState) -> None:
        """Bring every coordinate up to date, so that no level is needed any more."""
        pairs = [self.current(problem, state, j) for j in range(problem.d)]
        state.w, state.w_bar = [w_j for w_j, _ in pairs], [bar_j for _, bar_j in pairs]
        state.last, state.taus, state.levels = [0] * problem.d, [], [surface(problem.number)]

    def require_state(self, problem: Problem, state: AdaptiveState) -> None:
        t = len(state.taus)
        require_within("the number of taus", [t], 0, self.period(problem))
        require_within("the number of levels", [len(state.levels)], t + 1, t + 1)
        require_within("last", state.last, 0, t)

    def view(self, problem: Problem, state: AdaSPDCState) -> tuple[Vector, Vector]:
        return [self.current(problem, state, j)[0] for j in range(problem.d)], list(state.alpha)


def prox_step(problem: Problem, w: Number, u: Number, tau: Number, tau_du: Number) -> Number:
    """argmin of g(x) + (u + du) x + (x - w)^2/(2 tau)."""
    g = problem.regularizer
    return soft(w - tau * u - tau_du, tau * g.l1) / (1 + g.modulus * tau)                     # AdaSPDC (11)


def require_rows(problem: Problem, name: str) -> None:
    """Raise TypeError for block duals."""
    if isinstance(problem, BlockProblem):
        raise TypeError(f"the lazy form of {name} runs on rows of single numbers, not on blocks: use method({name!r})")


@register_lazy_form
class LazyAdaSPDCR(LazyMiniBatchSPDC):
    """The repaired method, lazily: lazy SPDC with tau and theta from R and a separate sigma for every row.

    Options, choices, parameters and view are those of ``AdaSPDCR``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 4], [1, 0], [0, 2]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> LazyAdaSPDCR().view(p, LazyAdaSPDCR().run(p, [[0], [1]])) == AdaSPDCR().view(p, AdaSPDCR().run(p, [[0], [1]]))
    True
    """

    name = "adaspdc-r"
    orders = AdaSPDCR.orders
    command_line = AdaSPDCR.command_line

    def __init__(self, **options: Any) -> None:
        self.dense = AdaSPDCR(**options)
        super().__init__(m=self.dense.m, sampling=self.dense.sampling)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        self.dense.require(problem, mode, R2)

    def notes(self, problem: Problem) -> list[str]:
        return self.dense.notes(problem)

    def parameters(self, problem: Problem, norms2: Vector | None = None) -> Any:
        return self.dense.parameters(problem)

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> Any:
        """alpha and w as in ``AdaSPDC``."""
        require_rows(problem, self.name)
        require_strong(problem, self.name)
        return super().init(problem, alpha, w)

    def make_constants(self, problem: Problem, parameters: Any) -> Constants:
        """The constants for parameters that are not None."""
        one, g = convert(1, problem.number), problem.regularizer
        tau, theta = self.dense.tau_theta(problem, parameters, ())
        return Constants(
            orbit=Orbit(tau, g.modulus, g.l1, theta), inverse_n=one / problem.n, weight=[one / self.m] * problem.n,
            q=[1 / self.dense.sigma(parameters, i) for i in range(problem.n)],
        )  # fmt: skip
