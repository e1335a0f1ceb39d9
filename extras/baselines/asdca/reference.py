"""ASDCA: accelerated Prox-SDCA (Shalev-Shwartz and Zhang, Math. Program. 2016, arXiv 1309.2375).

Problem    as ``sdca``, smooth losses (gamma > 0), L2 or elastic net, for lam < R^2/(n gamma) (the paper: a tenth of
it). Method     outer loop: proximal point with momentum. Call t runs Prox-SDCA on P~_t, which is P plus
           (kappa/2)||w||^2 - kappa w^T y^(t-1), until its duality gap is small enough. R^2/((lam + kappa) gamma) is n
           for every lam, so that an inner call needs O(n log) steps.

========= ========== ===== ==========================================================================
symbol    in code    shape meaning
========= ========== ===== ==========================================================================
w^(t)     w_t        (d,)  what the last inner call returned
y^(t)     y_t        (d,)  w^(t) with momentum, the proximal centre of call t + 1
alpha^(t) alpha_t    (n,)  the alpha that the last inner call returned
w, alpha  v, alpha         inner iterate; w = soft((kappa y - X^T alpha/n)/(lam + kappa), l1/(lam + kappa))
kappa     kappa            R^2/(n gamma) - lam, or 0 where that is negative
mu, rho   rho              mu = lam/2 (half the mu of ``problem``), rho = mu + kappa
eta       eta              sqrt(mu/rho), in (0, 1]
beta      beta             (1 - eta)/(1 + eta)
xi_t      xi               the bound on P(w^(t)) - P* that line 7 promises
eps_t     gap              the duality gap of P~_t at the end of call t
========= ========== ===== ==========================================================================

Guarantees on every path, for every t, because line 5 looks at the gap:
           P(w^(t)) - P* <= xi_t,
           P(w^(t)) - P* <= bound_t = (1 + rho/mu) eps_t + (rho kappa/(2 mu)) ||w^(t) - y^(t-1)||^2  (the second rule's).

Signs as in ``sdca``: alpha here is minus the paper's.
"""  # noqa: E501

from fractions import Fraction
from typing import NamedTuple

from dualgap.extras.baselines.gradients import dot
from dualgap.reference.methods.aspdc import require_smooth
from dualgap.reference.methods.base import DualState, HypothesisViolated, Method, require_finite
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, log, sqrt
from dualgap.reference.numbers.interval import Interval, decide
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.problem import Problem, Vector


class ASDCAState(DualState):
    """The inner iterate (v, alpha), what the last inner call returned, and the counters."""

    __slots__ = ("w_t", "y_t", "alpha_t", "t", "xi", "xi_1", "bound", "rule", "steps", "gaps")
    w_t: Vector
    y_t: Vector
    alpha_t: Vector
    t: int
    xi: Number
    xi_1: Number
    bound: Number  # the second rule's bound on P(w^(t)) - P*
    rule: int  # of line 8: which one has fired, or 0
    steps: int  # inner steps since the centre moved
    gaps: int  # duality gaps evaluated: each costs a pass


class Constants(NamedTuple):
    """The constants of line 1, and the share of xi_{t-1} that is the accuracy of line 5."""

    kappa: Number
    mu: Number
    rho: Number
    eta: Number
    beta: Number
    share: Number


@register_method
class ASDCA(Method[ASDCAState]):
    """Lines 1 to 8. A choice is the index i of one inner step.

    The gap of line 5 is computed after every n inner steps. (Computing it before the first one, too, needed three times
    the passes.)

    Parameters
    ----------
    epsilon : number >= 0
        Of line 8. Once a rule has fired, ``state.rule`` names it and further steps change nothing. 0 is the default:
        the second rule then fires at an exact optimum alone, the first one never.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1]], [1], Squared(), L2("1/25"), number=Fraction)
    >>> state = ASDCA().run(p, [0, 0])
    >>> state.t, state.w_t, state.y_t
    (3, [Fraction(23, 25)], [Fraction(247, 200)])
    """

    name = "asdca"
    summary = "accelerated SDCA, with which ASPDC-i compares"
    drawn_options = {"epsilon": (0, 0.125)}
    vectors_kept = (24, 10)
    inner = SDCA()

    def __init__(self, epsilon: NumberLike = 0) -> None:
        if convert(epsilon, Fraction, "epsilon") < 0:
            raise ValueError(f"epsilon must be >= 0 (got {epsilon!r}); 0 means that only an exact optimum ends the run")
        self.epsilon = epsilon

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Assumption 1; unless the mode is unchecked also lam < R^2/(n gamma), else there is nothing to accelerate."""
        super().require(problem, mode, R2)
        self.require_start(problem)
        most = (problem.R2 if R2 is None else R2) / (problem.n * problem.gamma)
        if mode != "unchecked" and not problem.regularizer.lam < most:
            raise HypothesisViolated(
                f"method asdca needs lam < R^2/(n gamma) = {most} (got lam = {problem.regularizer.lam}): kappa would be"
                " 0, and nothing would be accelerated. Use method sdca, or --mode unchecked, which is then SDCA with"
                " restarts"
            )

    def require_start(self, problem: Problem) -> None:
        """The hypotheses without which there is no first step: kappa divides by gamma."""
        self.require_family(problem)
        require_smooth(problem, self.name)
        self.require_uncentred(problem)

    def constants(self, problem: Problem, R2: Number | None = None) -> Constants:
        """kappa, mu, rho, eta, beta; in Fractions mu/rho must be the square of a rational."""
        lam, one = problem.regularizer.lam, convert(1, problem.number)
        kappa = (problem.R2 if R2 is None else R2) / (problem.n * problem.gamma) - lam  # ASDCA line 1
        kappa = kappa if kappa > 0 else problem.zero
        mu = lam / 2
        rho = mu + kappa
        eta = sqrt(mu / rho) if kappa > 0 else one
        beta = (1 - eta) / (1 + eta)
        return Constants(kappa, mu, rho, eta, beta, eta / (2 * (1 + rho / mu)))

    def init(self, problem: Problem, alpha: Vector | None = None) -> ASDCAState:
        """Line 2 with w^(1) = y^(1) = w(alpha^(1)): 0 for the paper's alpha^(1) = 0."""
        self.require_start(problem)
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        w, constants = problem.w(start), self.constants(problem)  # ASDCA line 2
        bound = problem.gap(w, start)
        xi = (1 + constants.rho / constants.mu) * bound
        state = ASDCAState(
            v=w,
            alpha=start,
            w_t=w,
            y_t=list(w),
            alpha_t=list(start),
            t=1,
            xi=xi,
            xi_1=xi,
            bound=bound,
            rule=0,
            steps=0,
            gaps=1,
        )
        state.v = self.inner_problem(problem, constants, state).v(state.alpha)
        return state

    def inner_problem(self, problem: Problem, constants: Constants, state: ASDCAState) -> Problem:
        """P~_t."""
        return problem.centred(constants.kappa, state.y_t)  # ASDCA line 4

    def passes(self, problem: Problem, state: ASDCAState, drawn: int) -> int:
        """n inner steps count as a pass, and so does every duality gap that the method computes."""
        return drawn + state.gaps

    def least_passes(self, problem: Problem, state: ASDCAState, drawn: int) -> int:
        """n steps, and the gap after them."""
        return drawn + 1 + state.gaps + 1

    def advance(self, problem: Problem, state: ASDCAState, choice: int) -> None:
        if state.rule:
            return
        constants = self.constants(problem)
        inner = self.inner_problem(problem, constants, state)
        self.inner.advance(inner, state, choice)  # ASDCA line 5
        state.steps += 1
        if state.steps % problem.n == 0:
            require_finite(state.alpha)
            w = inner.w_of(state.v)
            gap = self.gap(inner, w, state.alpha)
            state.gaps += 1
            if gap <= constants.share * state.xi:  # ASDCA line 5
                self.finish_call(problem, constants, state, w, gap)
                state.v = self.inner_problem(problem, constants, state).v(state.alpha)  # ASDCA line 4

    def gap(self, inner: Problem, w: Vector, alpha: Vector) -> Number:
        """The duality gap of P~_t at (w, alpha): never a part of it, and never its absolute value."""
        return inner.gap(w, alpha)

    def finish_call(self, problem: Problem, constants: Constants, state: ASDCAState, w: Vector, gap: Number) -> None:
        """Lines 5 to 8 after an inner call that returns w, its gap being ``gap``; the next one starts at its alpha."""
        kappa, mu, rho, eta, _, _ = constants
        away = [w_j - y_j for w_j, y_j in zip(w, state.y_t)]
        state.y_t = self.momentum(constants, state, w)  # ASDCA line 6
        state.w_t, state.alpha_t, state.t = w, list(state.alpha), state.t + 1
        state.xi = (1 - eta / 2) * state.xi  # ASDCA line 7
        state.bound = (1 + rho / mu) * gap + rho * kappa / (2 * mu) * dot(problem, away, away)
        state.rule = self.fired(problem, constants, state)  # ASDCA line 8
        state.steps = 0

    def momentum(self, constants: Constants, state: ASDCAState, w: Vector) -> Vector:
        """w^(t) + beta (w^(t) - w^(t-1)): from w, not from y."""
        return [w_j + constants.beta * (w_j - b_j) for w_j, b_j in zip(w, state.w_t)]

    def fired(self, problem: Problem, constants: Constants, state: ASDCAState) -> int:
        """The rule of line 8 that says P(w^(t)) - P* <= epsilon, or 0."""
        epsilon = convert(self.epsilon, problem.number, "epsilon")
        if epsilon > 0 and self.promised(constants.eta, state.xi_1 / epsilon, state.t - 1):
            return 1
        return 2 if state.bound <= epsilon else 0

    def promised(self, eta: Number, ratio: Number, calls: int) -> bool:
        """Return whether calls >= (2/eta) ln(ratio)."""
        if not ratio > 1:
            return True
        if is_rational(type(eta)):
            return bool(decide(lambda: (2 / Interval(eta)) * Interval(ratio).log() <= calls)[0])
        return bool(calls >= 2 / eta * log(ratio))

    def view(self, problem: Problem, state: ASDCAState) -> tuple[Vector, Vector]:
        """(w^(t), alpha^(t))."""
        return list(state.w_t), list(state.alpha_t)
