"""SPDC in O(nnz of the rows) a step: Section 6 and Appendix D of Zhang and Xiao (JMLR 18, 2017), equal to ``spdc``.

Where no row of the batch has an entry in column j, u_j stands still, and w_j follows an orbit that a formula sums up:

    w_{s+1} = soft(w_s - tau u, tau l1)/(1 + mu tau)                                        (38), (69)

So a coordinate stays in memory as it was at iteration last_j, and its value after S = t - last_j steps is computed when
a row needs it.

======== ===== =======================================================================================================
in code  shape meaning
======== ===== =======================================================================================================
w        (d,)  w_j at iteration last_j
dlt      (d,)  w_j at last_j minus w_j one iteration before; 0 at the start, for w_bar^0 = w^0
u        (d,)  X^T alpha/n - kappa centre: a proximal centre only moves where u starts
last     (d,)  see above
alpha    (n,)  as in ``spdc``
t              iterations made
======== ===== =======================================================================================================

L2. With e = 1 - (1 + mu tau)^-S, which ``shrink`` computes without cancellation,

    w_S = (1 - e) w_0 - (e/mu) u,    w_S - w_{S-1} = -tau (1 - e) (mu w_0 + u)

The first is (39) without the cancellation of two numbers of size |u|/mu that its printed form has. Together, for
w_bar_S = w_S + theta (w_S - w_{S-1}) and S >= 1,

    w_S = A_S w_0 - E_S u,        A_S = 1 - e,                            E_S = e/mu
    w_bar_S = P_S w_0 - Q_S u,    P_S = (1 - e) (1 - theta tau mu),       Q_S = e/mu + theta tau (1 - e)

Elastic net (Appendix D). As long as w_s > 0 the orbit is that of L2 with c = u + l1 instead of u. If c <= 0 it
stays positive for ever (also at c = 0, where (73) divides by zero). If not, r = the last index at which the formula is
positive (72), by doubling and bisection, without the logarithms of (73); one exact step leads from w_r to 0 or beyond,
and the rest starts there: at 0, for ever if |u| <= l1, or on the other side, for ever, because then u > l1. w_s < 0 is
the mirror image.

Order of operations, which compiled code repeats bit for bit. Once: contraction = 1/(1 + mu tau), tau_l1 = tau l1,
theta_tau = theta tau, brake = 1 - theta_tau mu, 1/mu, inverse_n = 1/n, weight = 1/m or 1/(p_k n), q = p_k n/sigma.

    z_k          sum over the entries of x_k, in stored order, of x w_bar, with w_bar = P_S w - Q_S u, or
                 w + theta dlt where S = 0; elastic net: of the last phase
    alpha_k      ``perturbed_step``, for all k of K before any alpha changes
    du_j         sum of delta_k x_kj in the order of K, over the rows with delta_k != 0; only these rows' w_j move
    w_j          w = A_S w - E_S u, also where S = 0;  w' = soft(w - tau u - (tau weight) du, tau_l1) contraction
    dlt_j, u_j   dlt = w' - w;  u <- u + inverse_n du
"""

from typing import Any, NamedTuple

from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_lazy_form
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC, NonUniformSPDC, Parameters, perturbed_step
from dualgap.reference.numbers.arithmetic import Number, convert, shrink
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import soft
from dualgap.reference.problem.validate import require_within


class Orbit:
    """w_0, w_1, .. of a coordinate whose u stands still.

    Parameters
    ----------
    tau : > 0; mu : >= 0, the modulus (lambda_2 in the paper); l1 : >= 0 (lambda_1); theta : the extrapolation.

    >>> from fractions import Fraction
    >>> orbit = Orbit(Fraction(1, 3), Fraction(1, 10), Fraction(1, 5))
    >>> str(orbit.catch_up(Fraction(1), Fraction(1, 2), 5)[0])
    '-2309973/28629151'
    """

    def __init__(self, tau: Number, mu: Number, l1: Number, theta: Number = 0) -> None:
        self.tau, self.mu, self.l1, self.theta = tau, mu, l1, theta
        self.contraction, self.tau_l1, self.theta_tau = 1 / (1 + mu * tau), tau * l1, theta * tau
        self.brake, self.inverse_mu = 1 - self.theta_tau * mu, None if mu == 0 else 1 / mu

    def catch_up(self, w: Number, u: Number, S: int, dlt: Number = 0) -> tuple[Number, Number]:
        """w_S and w_bar_S from w_0 = w, for S >= 0; dlt = w_0 minus the iterate before it."""
        w, c, S, dlt = self.last_phase(w, u, S, dlt)
        A, E, P, Q = self.coefficients(S)
        return A * w - E * c, P * w - Q * c if S > 0 else w + self.theta * dlt

    def coefficients(self, S: int) -> tuple[Number, Number, Number, Number]:
        """A_S, E_S (for mu = 0 its limit S tau), P_S, Q_S."""
        e = shrink(self.mu * self.tau, S)
        E = S * self.tau if self.inverse_mu is None else e * self.inverse_mu
        return 1 - e, E, (1 - e) * self.brake, E + self.theta_tau * (1 - e)

    def linear(self, w: Number, c: Number, S: int) -> Number:
        """w_S of w_{s+1} = (w_s - tau c)/(1 + mu tau)."""
        A, E, _, _ = self.coefficients(S)
        return A * w - E * c                                                                # SPDC (39), (70), (71)

    def step(self, w: Number, u: Number, tau_du: Number) -> Number:
        """argmin of g(x) + (u + du) x + (x - w)^2/(2 tau)."""
        return soft(w - self.tau * u - tau_du, self.tau_l1) * self.contraction              # SPDC (37), (40)

    def last_phase(self, w: Number, u: Number, S: int, dlt: Number) -> tuple[Number, Number, int, Number]:
        """(w, c, S, dlt): where the last case begins, and the S steps left in it, which are ``linear`` with that c."""
        c, left = u, S if self.l1 > 0 else 0                                                # SPDC section 6.2, or 6.1
        while left > 0:
            w, c, S, left, dlt = self.phase(w, u, left, dlt)
        return w, c, S, dlt

    def phase(self, w: Number, u: Number, S: int, dlt: Number) -> tuple[Number, Number, int, int, Number]:
        """Compute one case of Appendix D from w: (w, c, S, left, dlt).

        It lasts for the S steps, which are ``linear`` with this c, and then left = 0; or it has been left behind, and
        w, dlt and S = left are those after it. At most one case is left behind: w_s goes through 0 once.
        """
        side = 1 if w > 0 or (w == 0 and u < -self.l1) else -1 if w < 0 or (w == 0 and u > self.l1) else 0
        if side == 0:
            return w, w - w, S, 0, dlt                                                      # SPDC Case I: it stays at 0
        c = u + side * self.l1
        if side * c <= 0 or side * self.linear(w, c, S) > 0:
            return w, c, S, 0, dlt                                                          # SPDC (70), (71)
        r = self.last_before_zero(w, c, S, side)
        before = self.linear(w, c, r)                                                       # SPDC (72), (74)
        after = self.step(before, u, u - u)                                                 # SPDC (69)
        if side * after > 0:
            after = after - after  # rounding alone: w_{r+1} is not on this side
        return after, c, S - r - 1, S - r - 1, after - before

    def last_before_zero(self, w: Number, c: Number, S: int, side: int) -> int:
        """The largest r with side w_r > 0 in ``linear``; that holds for r = 0 and not for S."""
        low, high = 0, 1
        while high < S and side * self.linear(w, c, high) > 0:
            low, high = high, 2 * high
        high = high if high < S else S
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if side * self.linear(w, c, middle) > 0 else (low, middle)
        return low                                                                          # SPDC (73), (75)


class Constants(NamedTuple):
    """The numbers of a run, computed once (see the module). weight and q have one entry, or one for every row."""

    orbit: Orbit
    inverse_n: Number
    weight: Vector
    q: Vector

    def of(self, k: int) -> tuple[Number, Number]:
        """(weight, q) of row k."""
        place = k if len(self.q) > 1 else 0
        return self.weight[place], self.q[place]


class LazyState(State):
    """See the table of the module."""

    __slots__ = ("w", "dlt", "u", "last", "alpha", "t")
    w: Vector
    dlt: Vector
    u: Vector
    last: list[int]
    alpha: Vector
    t: int


@register_lazy_form
class LazySPDC(SPDC):
    """Algorithm 1, lazily: options, choices, parameters and view of ``SPDC``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, 1]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> LazySPDC().view(p, LazySPDC().run(p, [1, 2, 0])) == SPDC().view(p, SPDC().run(p, [1, 2, 0]))
    True
    """

    families = ("quadratic",)
    _made: tuple[Parameters | None, Constants | None] = (None, None)

    def constants(self, problem: Problem, norms2: Vector | None = None) -> Constants | None:
        """The constants for a problem, or None where every row is zero; norms2 as for ``parameters``."""
        parameters = self.parameters(problem, norms2)
        if parameters is not self._made[0]:
            self._made = (parameters, None if parameters is None else self.make_constants(problem, parameters))
        return self._made[1]

    def make_constants(self, problem: Problem, parameters: Parameters) -> Constants:
        """The constants for parameters that are not None."""
        one, pn = convert(1, problem.number), [1] if parameters.weight is None else parameters.weight
        regularizer = problem.regularizer
        return Constants(
            orbit=Orbit(parameters.tau, regularizer.modulus, regularizer.l1, parameters.theta),
            inverse_n=one / problem.n,
            weight=[one / (self.averaged() * pn_k) for pn_k in pn],
            q=[pn_k / parameters.sigma for pn_k in pn],
        )

    def averaged(self) -> int:
        """The divisor of sum_K delta_k x_k in the primal step: m in Algorithm 2, else 1."""
        return 1

    def batch(self, choice: object) -> Any:
        """The rows K of one step."""
        return (choice,)

    def state_of(self, problem: Problem, w: Vector, u: Vector, alpha: Vector) -> LazyState:
        g = problem.regularizer
        if g.centre is not None:
            u = [u_j - g.kappa * c_j for u_j, c_j in zip(u, g.centre)]
        return LazyState(w=list(w), dlt=[problem.zero] * problem.d, u=list(u), last=[0] * problem.d, alpha=alpha, t=0)

    def advance(self, problem: Problem, state: LazyState, choice: Any) -> None:
        constants = self.constants(problem)
        if constants is None:
            return
        K = self.batch(choice)
        z = [self.extrapolated(problem, state, constants, k) for k in K]
        new = [
            perturbed_step(problem, self.delta, z_k, state.alpha[k], k, constants.of(k)[1]) for k, z_k in zip(K, z)
        ]                                                                                   # SPDC (7), (13), (26)
        du: dict[int, Number] = {}
        for k, alpha_k in zip(K, new):
            delta = alpha_k - state.alpha[k]
            state.alpha[k] = alpha_k
            for j, x in problem.rows[k] if delta != 0 else ():
                du[j] = du[j] + delta * x if j in du else delta * x
        for j, du_j in du.items():
            self.move(state, constants, j, du_j, constants.of(K[0])[0])
        state.t += 1

    def extrapolated(self, problem: Problem, state: LazyState, constants: Constants, k: int) -> Number:
        """x_k^T w_bar."""
        z = problem.zero
        for j, x in problem.rows[k]:
            z = z + x * self.current(state, constants.orbit, j)[1]                          # SPDC (10)
        return z

    def current(self, state: LazyState, orbit: Orbit, j: int) -> tuple[Number, Number]:
        """w_j and w_bar_j at iteration t."""
        return orbit.catch_up(state.w[j], state.u[j], state.t - state.last[j], state.dlt[j])

    def move(self, state: LazyState, constants: Constants, j: int, du: Number, weight: Number) -> None:
        """The step of a coordinate with du = sum over K of delta_k x_kj."""
        orbit = constants.orbit
        before, _ = self.current(state, orbit, j)
        after = orbit.step(before, state.u[j], orbit.tau * weight * du)                     # SPDC (8), (14), (27)
        state.w[j], state.dlt[j], state.last[j] = after, after - before, state.t + 1
        state.u[j] = state.u[j] + constants.inverse_n * du                                  # SPDC (9)

    def require_state(self, problem: Problem, state: LazyState) -> None:
        require_within("last", state.last, 0, state.t)

    def view(self, problem: Problem, state: LazyState) -> tuple[Vector, Vector]:
        constants = self.constants(problem)
        if constants is None:
            return list(state.w), list(state.alpha)
        return [self.current(state, constants.orbit, j)[0] for j in range(problem.d)], list(state.alpha)


@register_lazy_form
class LazyMiniBatchSPDC(LazySPDC, MiniBatchSPDC):
    """Algorithm 2, lazily; the rows of a batch in their order."""

    def averaged(self) -> int:
        return self.m

    def batch(self, choice: object) -> Any:
        return choice


@register_lazy_form
class LazyNonUniformSPDC(LazySPDC, NonUniformSPDC):
    """Algorithm 3, lazily."""
