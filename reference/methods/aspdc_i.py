"""ASPDC-i, Algorithms 2 and 3 (Liang et al., Electronics 2022, 11(15), 2382, section 5), and a momentum variant.

Tags       "Alg. 2" and "Alg. 3" with the line; line 3 of Algorithm 2 and lines 3, 5 and 10, 12 of Algorithm 3 are the
           loops, of which ``Method.run`` makes the steps one by one.

Problem    as ``aspdc``, for lam below its threshold 4R^2/(n gamma). Outer loop: proximal point. Epoch s runs
           ASPDC on f~_s, which is f plus (kappa/2)||w||^2 - kappa w^T w~_s, started at alpha~_s.

======== ============== ===== ==========================================================================
symbol   in code        shape meaning
======== ============== ===== ==========================================================================
w~_s     w_tilde        (d,)  centre: the w that the last inner call returned
alpha~_s alpha_tilde    (n,)  the alpha that it returned
w, alpha v, alpha             inner iterate; w = (kappa w~_s - X^T alpha/n)/(lam + kappa) at its start
kappa    kappa                4R^2/(n gamma) - lam, or 0 where that is negative
eta      eta                  lam/(lam + 2 kappa), in (0, 1]
xi_s     xi                   Algorithm 2's bound on P(w~_s) - P*
m        m                    Algorithm 3's inner steps, 2n in the paper
======== ============== ===== ==========================================================================

Guarantees Algorithm 2 (Theorem 2):  P(w~_s) - P* <= xi_s on every path, with the linear eta. (With
           eta = sqrt(lam/(lam + 2 kappa)), the companion code's value, this is false; the root, if there is one, is
           lost in print.)
           Algorithm 3 (ours, L2, m >= 2n): E V_{s+1} <= (1 - (3/5) lam/(lam + kappa)) E V_s for
           V_s = M(w~_s) - P* + E_s/4, M the Moreau envelope, E_s the inner dual suboptimality.
"""

import math
from fractions import Fraction

from dualgap.reference.methods.aspdc import ASPDC, require_smooth
from dualgap.reference.methods.base import DualState, HypothesisViolated, Method, require_finite
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, log, sqrt
from dualgap.reference.numbers.interval import Interval, decide
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer, require_one_of

STOPS = ("xi", "S")
MOVES_PER_TEST = 1000  # inner calls of zero steps that may follow each other before a step is forced


class ProximalPointState(DualState):
    """The inner iterate (v, alpha), what the last inner call returned, and the counters."""

    __slots__ = ("w_tilde", "alpha_tilde", "w_tilde_before", "steps", "epoch", "xi")
    w_tilde: Vector
    alpha_tilde: Vector
    w_tilde_before: Vector  # w~_{s-1}: the momentum variant alone reads it
    steps: int  # inner steps since the centre moved
    epoch: int  # s: how often it moved
    xi: Number


class ProximalPoint(Method[ProximalPointState]):
    """The outer loop shared by the three: ASPDC steps on f~_s, and when an inner call ends.

    Parameters
    ----------
    kappa : number >= 0, optional
        Default max(0, 4R^2/(n gamma) - lam).
    """

    inner = ASPDC()

    def __init__(self, kappa: NumberLike | None = None) -> None:
        if kappa is not None and convert(kappa, Fraction, "kappa") < 0:
            raise ValueError(f"kappa must be >= 0 (got {kappa!r}); leave it out for max(0, 4R^2/(n gamma) - lam)")
        self.kappa = kappa

    def kappa_of(self, problem: Problem, R2: Number | None = None) -> Number:
        """The proximal weight in the problem's number."""
        if self.kappa is not None:
            return convert(self.kappa, problem.number, "kappa")
        square: Number = problem.R2 if R2 is None else R2
        # Alg. 2 line 1, Alg. 3 line 1
        kappa = 4 * square / (problem.n * problem.gamma) - problem.regularizer.lam
        if kappa == math.inf:
            raise OverflowError(f"kappa = 4R^2/(n gamma) - lam is infinite: R^2 = {square}, gamma = {problem.gamma}")
        return kappa if kappa > 0 else problem.zero

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Assumption 1; in mode paper a kappa of one's own must make lam + kappa at least 4R^2/(n gamma).

        lam above 4R^2/(n gamma) is admitted: kappa is 0 there, eta is 1, and every inner call is Algorithm 1 itself.
        """
        super().require(problem, mode, R2)
        require_smooth(problem, self.name)  # in every mode: kappa divides by gamma
        square: Number = problem.R2 if R2 is None else R2
        lam, threshold = problem.regularizer.lam, 4 * square / (problem.n * problem.gamma)
        if mode == "paper" and self.kappa is not None and self.kappa_of(problem) < threshold - lam:
            raise HypothesisViolated(
                f"method {self.name} needs lam + kappa >= 4R^2/(n gamma) = {threshold} for its inner steps "
                f"(got lam = {lam}, kappa = {self.kappa}). Leave kappa out or use --mode unchecked"
            )

    def init(self, problem: Problem, alpha: Vector | None = None) -> ProximalPointState:
        self.require_uncentred(problem)
        start = self.inner.init(problem, alpha)
        # Alg. 2 line 2, Alg. 3 line 2
        w_tilde = [problem.zero] * problem.d
        state = ProximalPointState(
            v=start.v, alpha=start.alpha, w_tilde=w_tilde, alpha_tilde=list(start.alpha),
            w_tilde_before=list(w_tilde), steps=0, epoch=0, xi=problem.zero,
        )
        self.start_inner(problem, state)
        return state

    def centre(self, problem: Problem, state: ProximalPointState) -> Vector:
        """The proximal centre of epoch s: w~_s."""
        return state.w_tilde

    def inner_problem(self, problem: Problem, state: ProximalPointState) -> Problem:
        """f~_s."""
        return problem.centred(self.kappa_of(problem), self.centre(problem, state))

    def start_inner(self, problem: Problem, state: ProximalPointState) -> None:
        """w = (kappa w~_s - X^T alpha/n)/(lam + kappa), which differs from the last inner w."""
        state.v = self.inner_problem(problem, state).v(state.alpha)                         # Alg. 3 line 4
        state.steps = 0

    def move_centre(self, problem: Problem, state: ProximalPointState) -> None:
        """The inner call returns (w, alpha); the next one starts at alpha."""
        state.w_tilde_before = state.w_tilde
        # Alg. 2 line 4, Alg. 3 line 11
        state.w_tilde = self.inner_problem(problem, state).w_of(state.v)
        # Alg. 2 line 4, Alg. 3 line 11
        state.alpha_tilde = list(state.alpha)
        state.epoch += 1
        self.start_inner(problem, state)

    def view(self, problem: Problem, state: ProximalPointState) -> tuple[Vector, Vector]:
        """(w~_s, alpha~_s)."""
        return list(state.w_tilde), list(state.alpha_tilde)


@register_method
class ASPDCi(ProximalPoint):
    """Algorithm 2: every inner call stops at a gap of f~_s of at most eta xi_s / (2 (1 + 1/eta)).

    The test is made before the first inner step, where zero steps are legal, and after every n steps.

    Parameters
    ----------
    kappa : see ``ProximalPoint``.
    eta : "linear" (lam/(lam + 2 kappa), proved) or "root" (its square root: the reading refuted by
        a counterexample, kept for that).
    epsilon : number >= 0
        The accuracy at which the centre stops moving; 0 means never.
    stop : "S", the paper's line 7, s >= 1 + (2/eta) log(xi_1/epsilon); or "xi" (default, ours), xi_s <= epsilon, which
        comes no later, because log(1 - x) <= -x, and on which Theorem 2 says the same.
    """

    name = "aspdc-i"
    summary = "ASPDC-i, Algorithm 2: an outer proximal point method whose inner runs stop at a duality gap"
    drawn_options = {"epsilon": (0, 2.0**-10), "stop": ("xi", "S"), "kappa": (None, 0.25), "eta": ("linear", "root")}

    def __init__(self, kappa: NumberLike | None = None, eta: str = "linear", epsilon: NumberLike = 0, stop: str = "xi") -> None:
        super().__init__(kappa)
        if eta not in ("linear", "root"):
            raise ValueError(f"eta must be 'linear' or 'root' (got {eta!r})")
        if convert(epsilon, Fraction, "epsilon") < 0:
            raise ValueError(f"epsilon must be >= 0 (got {epsilon!r}); 0 means that the centre never stops")
        require_one_of("stop", stop, STOPS)
        self.eta, self.epsilon, self.stop = eta, epsilon, stop

    def eta_of(self, problem: Problem) -> Number:
        """eta in (0, 1]."""
        lam = problem.regularizer.lam
        eta = lam / (lam + 2 * self.kappa_of(problem))                                      # Alg. 2 line 1
        return sqrt(eta) if self.eta == "root" else eta

    def init(self, problem: Problem, alpha: Vector | None = None) -> ProximalPointState:
        state = super().init(problem, alpha)
        eta = self.eta_of(problem)
        state.xi = (1 + 1 / eta) * problem.gap(state.w_tilde, state.alpha_tilde)            # Alg. 2 line 1
        state.epoch = 1
        return state

    def inner_tolerance(self, problem: Problem, state: ProximalPointState) -> Number:
        """epsilon_in = eta xi_s / (2 (1 + 1/eta))."""
        eta = self.eta_of(problem)
        return eta * state.xi / (2 * (1 + 1 / eta))                                         # Alg. 2 line 4

    def passes(self, problem: Problem, state: ProximalPointState, drawn: int) -> int:
        """The steps, and the gaps that the method computes: that of xi_1, one before every n steps, one for each move
        of the centre.
        """
        return 2 * drawn + state.epoch

    def advance(self, problem: Problem, state: ProximalPointState, choice: int) -> None:
        if state.steps % problem.n == 0:
            self.finish_inner_calls(problem, state)
        self.inner.advance(self.inner_problem(problem, state), state, choice)               # Alg. 2 line 4
        state.steps += 1

    def stopped(self, problem: Problem, state: ProximalPointState) -> bool:
        """Return whether epoch s is the last one, which ``stop`` decides; ``state`` has xi and epoch."""
        epsilon = convert(self.epsilon, problem.number, "epsilon")
        if not state.xi <= epsilon:                                                         # ours: stop = "xi"
            return False
        at_once = self.stop == "xi" or state.epoch == 1 or bool(state.xi <= 0)
        return at_once or self.reaches_S(self.eta_of(problem), state.xi, epsilon, state.epoch - 1)

    def reaches_S(self, eta: Number, xi: Number, epsilon: Number, calls: int) -> bool:
        """s >= 1 + (2/eta) log(xi_1/epsilon), calls = s - 1, xi = xi_s = (1 - eta/2)^calls xi_1 > 0."""
        if is_rational(type(eta)):
            return bool(decide(lambda: self.reaches_S(Interval(eta), Interval(xi), Interval(epsilon), calls))[0])
        log_ratio = log(xi) - log(epsilon) - calls * log(1 - eta / 2)
        return bool(calls >= 2 / eta * log_ratio)                                           # Alg. 2 line 7

    def finish_inner_calls(self, problem: Problem, state: ProximalPointState) -> None:
        """End the inner call while its gap is within tolerance; stop at the last epoch, at a fixed point, or at
        MOVES_PER_TEST.
        """
        for _ in range(MOVES_PER_TEST):
            inner = self.inner_problem(problem, state)
            require_finite(state.alpha)
            gap = inner.gap(inner.w_of(state.v), state.alpha)
            if not gap <= self.inner_tolerance(problem, state) or self.stopped(problem, state):
                return
            before = state.w_tilde
            self.move_centre(problem, state)
            state.xi = (1 - self.eta_of(problem) / 2) * state.xi                            # Alg. 2 line 5
            if state.w_tilde == before:
                return


@register_method
class ASPDCiFixed(ProximalPoint):
    """Algorithm 3: every inner call makes m steps (the paper runs m = 2n).

    Parameters
    ----------
    kappa : see ``ProximalPoint``.
    m : int >= 1, optional
        Inner steps; default 2n. Proved for m >= ceil(3n/2) with L2 and for m >= 3n with l1; small m diverges.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> ASPDCiFixed(kappa=1, m=3).run(p, [0, 1, 2]).w_tilde
    [Fraction(-11, 80), Fraction(7, 16)]
    """

    name = "aspdc-i-fixed"
    summary = "ASPDC-i, Algorithm 3: each inner run makes m steps"
    drawn_options = {"m": (1, 2, 5), "kappa": (None, 0.25, 2)}

    def __init__(self, kappa: NumberLike | None = None, m: int | None = None) -> None:
        super().__init__(kappa)
        if m is not None:
            require_integer("m", m, 1, "the inner steps of an epoch")
        self.m = m

    def m_of(self, problem: Problem) -> int:
        """Inner steps of one epoch."""
        return 2 * problem.n if self.m is None else self.m                                  # Alg. 3 line 5

    def guarantee(self, problem: Problem, R2: Number | None = None) -> str:
        """Return what is known about these inner steps: "proved", "known divergent family" or "unproved".

        proved                  lam + kappa >= 4R^2/(n gamma), and m >= ceil(3n/2) with L2 or m >= 3n with l1
        known divergent family  Pi(n, m, K) < 0: on orthonormal rows, squared loss, small lam the mean square grows
        """
        n, m, l1 = problem.n, self.m_of(problem), problem.regularizer.l1
        square: Number = problem.R2 if R2 is None else R2
        lam, kappa, threshold = problem.regularizer.lam, self.kappa_of(problem, square), 4 * square / (n * problem.gamma)
        enough = m >= 3 * n if l1 > 0 else 2 * m >= 3 * n
        if enough and (self.kappa is None or kappa >= threshold - lam):
            return "proved"
        K = square / ((lam + kappa) * n * problem.gamma)
        return "known divergent family" if n > 1 and failure_criterion(n, m, K) < 0 else "unproved"

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Check the problem as ``ProximalPoint`` does, and that a given m is in the proved range; the paper's own m =
        2n is allowed with l1 too.
        """
        super().require(problem, mode, R2)
        known = self.guarantee(problem, R2)
        if mode == "paper" and self.m is not None and known != "proved":
            below = (
                "for these n, m it diverges on orthonormal rows (squared loss, small lam)"
                if known == "known divergent family" else "below that nothing is proved, and small m can diverge"
            )
            raise HypothesisViolated(
                f"method {self.name} is proved for m >= {'3n' if problem.regularizer.l1 > 0 else '3n/2'} inner steps "
                f"(got m = {self.m}, n = {problem.n}); {below}. Leave m out (2n) or use --mode unchecked"
            )

    def advance(self, problem: Problem, state: ProximalPointState, choice: int) -> None:
        self.inner.advance(self.inner_problem(problem, state), state, choice)               # Alg. 3 lines 6-9
        state.steps += 1
        if state.steps == self.m_of(problem):
            self.move_centre(problem, state)


def failure_criterion(n: int, m: int, K: Number) -> Number:
    """Pi of Algorithm 3 on n >= 2 orthonormal rows with squared loss, m inner steps, K = R^2/((lam + kappa) n gamma).

    Negative: for all small enough lam the mean square of the iterates grows without end (ours; det(I - T) = K Pi/(1 +
    K)^2 for the matrix T of second moments over one epoch).

    >>> failure_criterion(5, 1, Fraction(1, 4))
    Fraction(-7, 256)
    """
    D, E = power(1 - (1 + K) / n, m), power(1 - (1 - K * K) / n, m)
    return (2 + K) - (2 - K) * D - (2 + 5 * K) * E + (2 + 3 * K) * D * E


def power(x: Number, m: int) -> Number:
    """x^m for m >= 1, by squaring."""
    if m == 1:
        return x
    half = power(x * x, m // 2)
    return half * x if m % 2 else half


@register_method
class ASPDCiMomentum(ASPDCiFixed):
    """Ours, not the paper's: Algorithm 3 around w~_s + beta (w~_s - w~_{s-1}), beta = (1 - sqrt(q))/(1 + sqrt(q)).

    q = lam/(lam + 2 kappa). The companion code contains this line and disables it.
    """

    name = "aspdc-i-momentum"
    summary = "ours: Algorithm 3 with momentum between the outer steps"

    def guarantee(self, problem: Problem, R2: Number | None = None) -> str:
        """Nothing is proved of this variant."""
        return "unproved"

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Check the problem as ``ProximalPoint`` does. Every m is allowed, because no range has a proof."""
        ProximalPoint.require(self, problem, mode, R2)

    def centre(self, problem: Problem, state: ProximalPointState) -> Vector:
        lam = problem.regularizer.lam
        root = sqrt(lam / (lam + 2 * self.kappa_of(problem)))
        beta = (1 - root) / (1 + root)
        return [w_j + beta * (w_j - b_j) for w_j, b_j in zip(state.w_tilde, state.w_tilde_before)]
