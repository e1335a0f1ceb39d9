"""SPDC: the stochastic primal-dual coordinate method (Zhang and Xiao, JMLR 18, 2017).

Problem    min_w max_alpha f(w, alpha), see ``problem``; losses with gamma > 0 (or delta > 0); L2 or elastic net.
Method     alternate a proximal ascent step in random dual coordinates with a proximal descent step in w, at an
           extrapolated w_bar. The output is the last iterate: no averaging.

====== =========== ===== ===================================================================
symbol in code     shape meaning
====== =========== ===== ===================================================================
x, x^- w, w_bar    (d,)  the paper's primal iterate and its extrapolation; w_bar^0 = w^0
y      alpha       (n,)  the paper's dual iterate, same sign; alpha^0 in the domain of phi*
u      u           (d,)  X^T alpha / n at every step, from u^0 = X^T alpha^0 / n on
a_i    x_i               row i of X; R >= max ||x_i||
tau    tau               primal step
sigma  sigma             dual step; phi_i* is prox-ed with q = 1/sigma
theta  theta             extrapolation, and the rate
====== =========== ===== ===================================================================

Algorithm 1 is one row a step (``spdc``), Algorithm 2 a mini-batch of m (``spdc-minibatch``), Algorithm 3 one row
drawn with probability p_k, its dual step and its weight scaled by 1/(p_k n) (``spdc-nonuniform``). m = n is the batch
method of Chambolle and Pock.

Parameters, with r = n/(m lam gamma):
    (16)  tau = (1/(2R)) sqrt(m gamma/(n lam)),  sigma = (1/(2R)) sqrt(n lam/(m gamma)),  theta = 1 - 1/(n/m + 2R sqrt(r))
    (29)  tau = (mix/(2 R_bar)) sqrt(gamma/(n lam)),  sigma = (mix/(2 R_bar)) sqrt(n lam/gamma),
          theta = 1 - 1/(n/(1 - mix) + (R_bar/mix) sqrt(n/(lam gamma))),  R_bar the mean of ||x_i||

Guarantee  (16), Theorem 1:  E Delta^t <= theta^t (Delta^0 + ||alpha^0 - alpha*||^2/(4 m sigma)), and with
           theta = "sharp", which has R instead of 2R, as well (ours: the strong convexity of both gaps pays
           for what the paper's comparison of coefficients gives away).
           (29), Theorem 2: the same for the two distances.

A loss that is not smooth runs with delta > 0 (section 3, (20)): phi_i* + (delta/2) a^2 takes the place of phi_i*, and
gamma + delta that of gamma. The regularizer's share of (20) is ``ElasticNet(delta, l1)`` instead of l1 ||w||_1.
"""

from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from dualgap.reference.methods.base import HypothesisViolated, Method, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.sampling import SAMPLINGS, Choices, batches, draw_batches, draw_weighted, require_batches
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, maximum, sqrt
from dualgap.reference.numbers.rational import to_fraction
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer

THETAS = ("paper", "sharp")


class Parameters(NamedTuple):
    """The constants of a run: steps tau and sigma, extrapolation theta, and p_k n for every row (1 if uniform)."""

    tau: Number
    sigma: Number
    theta: Number
    weight: Vector | None = None

    def pn(self, k: int) -> Number:
        """p_k n."""
        return 1 if self.weight is None else self.weight[k]


class SPDCState(State):
    """w, w_bar and u, shape (d,), and alpha, shape (n,)."""

    __slots__ = ("w", "w_bar", "u", "alpha")
    w: Vector
    w_bar: Vector
    u: Vector
    alpha: Vector


@register_method
class SPDC(Method[Any]):
    """Algorithm 1, lines (7) to (10).

    Parameters
    ----------
    theta : "paper" (16), "sharp" (R instead of 2R), or a number in [0, 1] of your own.
    delta : >= 0, the perturbation of (20), for losses with gamma = 0.
    R : an upper bound of max ||x_i||; default the maximum itself. Exact runs need a rational one.
    tau, sigma : both, to replace those of (16); theta "paper" and "sharp" are then
        max{1 - m/n, 1/(1 + 2 lam tau), 1 - 1/(n/m + n/(2 m sigma gamma))}, which is what the proof requires.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, 1]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> w, alpha = SPDC().view(p, SPDC().run(p, [1, 2, 0]))
    >>> [str(w_j) for w_j in w], [str(alpha_i) for alpha_i in alpha]
    (['-33/245', '6458/15435'], ['-302/1323', '1/3', '-2/3'])
    """

    name = "spdc"
    summary = "SPDC, Algorithm 1: one row per step, with extrapolation of the primal iterate"
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {"theta": ("paper", "sharp"), "delta": (0, 0.5, 2.0**-10), "tau sigma": ((None, None), (0.125, 0.25))}
    families: ClassVar[tuple[str, ...]] = ("quadratic", "general")
    command_line = {"delta": "delta"}

    def __init__(
        self, theta: NumberLike = "paper", delta: NumberLike = 0, R: NumberLike | None = None, tau: Any = None, sigma: Any = None, m: int = 1
    ) -> None:
        if isinstance(theta, str) and theta not in THETAS and not theta[:1].isdigit():
            raise ValueError(f"theta must be one of {', '.join(THETAS)}, or a number (got {theta!r})")
        if theta not in THETAS and not 0 <= convert(theta, Fraction, "theta") <= 1:
            raise ValueError(f"theta must lie in [0, 1] (got {theta!r})")
        if (tau is None) != (sigma is None):
            raise ValueError("give tau and sigma together, or neither")
        for label, value in (("R", R), ("tau", tau), ("sigma", sigma)):
            if value is not None and not convert(value, Fraction, label) > 0:
                raise ValueError(f"{label} must be > 0 (got {value!r})")
        self.theta, self.delta, self.R, self.tau, self.sigma = theta, convert(delta, Fraction, "delta"), R, tau, sigma
        require_integer("m", m, 1)
        if self.delta < 0:
            raise ValueError(f"delta must be >= 0 (got {delta!r})")
        self.m = m
        self._known: tuple[Problem | None, Parameters | None] = (None, None)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """gamma + delta > 0; of steps of one's own tau sigma <= 1/(4R^2), but in mode unchecked."""
        super().require(problem, mode, R2)
        require_smooth(problem, self)
        if mode != "unchecked" and self.tau is not None:
            tau, sigma = (convert(step, problem.number) for step in (self.tau, self.sigma))
            largest = problem.R2 if R2 is None else R2
            if tau * sigma * 4 * largest > 1:
                raise HypothesisViolated(
                    f"method {self.name} needs tau sigma <= 1/(4R^2) (got tau sigma = {tau * sigma}, R^2 = {largest}): with "
                    "larger steps it can diverge. Use smaller steps, or omit tau and sigma"
                )

    # -- parameters -----------------------------------------------------------------------------------------

    def parameters(self, problem: Problem, norms2: Vector | None = None) -> Parameters | None:
        """The constants for a problem, or None where every row is zero; norms2 = ||x_i||^2 may be handed in."""
        if self._known[0] is not problem:
            norms2 = problem.norms2 if norms2 is None else norms2
            decoupled = all(norm2 == 0 for norm2 in norms2)
            self._known = (problem, None if decoupled else self.make_parameters(problem, norms2))
        found: Parameters | None = self._known[1]
        return found

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        """(16)."""
        m, n, lam, gamma = self.m, problem.n, problem.regularizer.modulus, self.gamma(problem)
        if self.tau is not None:
            tau, sigma = (convert(step, problem.number) for step in (self.tau, self.sigma))
            return Parameters(tau, sigma, self.own_theta(problem, tau, sigma))
        R = self.radius(problem, norms2)
        root = sqrt(n * lam / (m * gamma))
        tau = 1 / (2 * R * root)                                                            # SPDC (16)
        sigma = root / (2 * R)
        factor = 1 if self.theta == "sharp" else 2
        theta = 1 - 1 / (convert(n, problem.number) / m + factor * R * n / (m * gamma * root))
        return Parameters(tau, sigma, theta if self.theta in THETAS else convert(self.theta, problem.number))

    def own_theta(self, problem: Problem, tau: Number, sigma: Number) -> Number:
        """The smallest theta that the proof admits for steps of one's own."""
        if self.theta not in THETAS:
            return convert(self.theta, problem.number)
        n_over_m = convert(problem.n, problem.number) / self.m
        dual = 1 - 1 / (n_over_m + n_over_m / (2 * sigma * self.gamma(problem)))
        return maximum(maximum(1 - 1 / n_over_m, 1 / (1 + 2 * problem.regularizer.modulus * tau)), dual)

    def gamma(self, problem: Problem) -> Number:
        """gamma of the perturbed loss."""
        return problem.gamma + convert(self.delta, problem.number)

    def radius(self, problem: Problem, norms2: Vector) -> Number:
        """R, an upper bound of all ||x_i||."""
        largest = problem.zero
        for norm2 in norms2:
            largest = maximum(largest, norm2)
        if self.R is None:
            return sqrt(largest)
        R = convert(self.R, problem.number, "R")
        if R < sqrt(largest) if isinstance(largest, float) else R * R < largest:  # the root as rounded is admitted
            raise HypothesisViolated(f"R must be at least max ||x_i||, whose square is {largest} (got R = {R})")
        return R

    # -- the algorithm --------------------------------------------------------------------------------------

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> Any:
        """alpha, shape (n,), in the domain of phi* (default 0), and w, shape (d,) (default w(alpha)).

        Where every row is zero the problem falls apart, and this is its solution: w = argmin g, alpha_i = phi_i'(0).
        """
        self.require_family(problem)
        require_smooth(problem, self)
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        if self.parameters(problem) is None:
            start, w = [problem.loss.derivative(problem.zero, y) for y in problem.y], None
        minus_u = problem.minus_u(start)
        w = problem.regularizer.gradient_conjugate(minus_u) if w is None else [convert(w_j, problem.number) for w_j in w]
        problem.require_lengths(w=w)
        return self.state_of(problem, w, [problem.zero - u_j for u_j in minus_u], start)

    def state_of(self, problem: Problem, w: Vector, u: Vector, alpha: Vector) -> Any:
        """The state of w^0, with w_bar^0 = w^0."""
        return SPDCState(w=w, w_bar=list(w), u=u, alpha=alpha)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        k = choice                                                                          # SPDC Alg 1: draw k
        alpha_k = self.dual_step(problem, state, parameters, k)                             # SPDC (7)
        delta = alpha_k - state.alpha[k]
        state.alpha[k] = alpha_k
        direction = shifted(state.u, problem, k, delta)
        state.u = shifted(state.u, problem, k, delta / problem.n)                           # SPDC (9)
        self.primal_step(problem, state, parameters, direction)                             # SPDC (8), (10)

    def dual_step(self, problem: Problem, state: SPDCState, parameters: Parameters, k: int) -> Number:
        """(7), and (26) with sigma/(p_k n) instead of sigma: argmax of b <x_k, w_bar> - phi_k*(b) - (q/2)(b -
        alpha_k)^2.
        """
        z = problem.dot(problem.rows[k], state.w_bar)
        return perturbed_step(problem, self.delta, z, state.alpha[k], k, parameters.pn(k) / parameters.sigma)

    def primal_step(self, problem: Problem, state: SPDCState, parameters: Parameters, direction: Vector) -> None:
        """(8): argmin of g(w) + <direction, w> + ||w - w^t||^2/(2 tau), then (10)."""
        tau, theta = parameters.tau, parameters.theta
        w = problem.regularizer.prox([w_j - tau * v_j for w_j, v_j in zip(state.w, direction)], tau)
        state.w_bar = [new + theta * (new - old) for new, old in zip(w, state.w)]           # SPDC (10)
        state.w = w

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        return list(state.w), list(state.alpha)


@register_method
class MiniBatchSPDC(SPDC):
    """Algorithm 2: a mini-batch K of m rows a step, P(i in K) = m/n. m = n is the batch method of section 5.

    Parameters
    ----------
    m : 1 <= m <= n.
    sampling : "subset" (uniform m-subsets), "systematic", or the paper's "partition" (one row of each of m blocks; m
        must divide n); see ``draw_batches``.
    others : as for ``SPDC``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, 1]], [1, -1, 2], Squared(), L2("2/3"), number=Fraction)
    >>> spdc = MiniBatchSPDC(m=2)
    >>> [str(w_j) for w_j in spdc.run(p, [(0, 1), (1, 2)]).w]
    ['-107/1440', '137/720']
    """

    name = "spdc-minibatch"
    summary = "SPDC, Algorithm 2: m rows per step"
    drawn_options = {"theta": ("paper", "sharp"), "delta": (0, 0.5, 2.0**-10), "sampling": SAMPLINGS[:3]}
    orders = ("uniform",)
    command_line = {"batch": "m", "sampling": "sampling", "delta": "delta"}

    def __init__(self, m: int = 1, sampling: str = "subset", **others: Any) -> None:
        super().__init__(m=m, **others)
        if sampling not in SAMPLINGS[:3]:
            raise ValueError(
                f"sampling must be one of {', '.join(SAMPLINGS[:3])} (got {sampling!r}); with replacement P(i in K) "
                "is not m/n, and the rate of Theorem 1 does not hold"
            )
        self.sampling = sampling

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        super().require(problem, mode, R2)
        require_batches(self.sampling, problem.n, self.m)

    def choices(self, problem: Problem, state: SPDCState | None) -> list[tuple[tuple[int, ...], Fraction]]:
        return list(batches(self.sampling, problem.n, self.m))

    def width(self, problem: Problem) -> int | None:
        return self.m

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Choices:
        return draw_batches(self.sampling, problem.n, self.m, seed, epoch)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        K = choice                                                                          # SPDC Alg 2: draw K
        # SPDC (13): one w_bar for all
        new = [self.dual_step(problem, state, parameters, k) for k in K]
        direction = list(state.u)
        for k, alpha_k in zip(K, new):
            delta = alpha_k - state.alpha[k]
            state.alpha[k] = alpha_k
            direction = shifted(direction, problem, k, delta / self.m)
            state.u = shifted(state.u, problem, k, delta / problem.n)
        self.primal_step(problem, state, parameters, direction)                             # SPDC (14), (10)


@register_method
class NonUniformSPDC(SPDC):
    """Algorithm 3: row k with probability p_k = (1 - mix)/n + mix ||x_k|| / sum_i ||x_i||, (28).

    Parameters
    ----------
    mix : in (0, 1), the paper's alpha; default the one that makes theta of (29) smallest,
        1/(1 + (n lam gamma/R_bar^2)^(1/4)).
    delta : as for ``SPDC``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 4], [1, 0], [0, 0]], [1, -1, 2], Squared(), L2("1/3"), number=Fraction)
    >>> spdc = NonUniformSPDC(mix="1/2")
    >>> [str(probability) for _, probability in spdc.choices(p, None)]
    ['7/12', '1/4', '1/6']
    """

    name = "spdc-nonuniform"
    summary = "SPDC, Algorithm 3: rows are drawn in proportion to a mix of uniform and row norm"
    drawn_options = {"delta": (0, 0.5, 2.0**-10), "mix": (None, 0.25, 0.75)}
    vectors_kept = (17, 30)
    orders = ("uniform",)
    command_line = {"mix": "mix", "delta": "delta"}

    def __init__(self, mix: NumberLike | None = None, delta: NumberLike = 0) -> None:
        super().__init__(delta=delta)
        self.mix = mix if mix is None else convert(mix, Fraction, "mix")
        if self.mix is not None and not 0 < self.mix < 1:
            raise ValueError(
                f"mix must lie in (0, 1) (got {mix!r}): at 0 the steps of (29) vanish, at 1 a zero row is never drawn"
            )

    def mixing(self, problem: Problem, mean: Number) -> Number:
        """mix, or the best one for theta of (29), given R_bar."""
        if self.mix is not None:
            return convert(self.mix, problem.number)
        return 1 / (1 + sqrt(sqrt(problem.n * problem.regularizer.modulus * self.gamma(problem)) / mean))

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        """(28) and (29)."""
        n, lam, gamma = problem.n, problem.regularizer.modulus, self.gamma(problem)
        norms = [sqrt(norm2) for norm2 in norms2]
        total = problem.zero
        for norm in norms:
            total = total + norm
        mean = total / n
        mix = self.mixing(problem, mean)
        root = sqrt(n * lam / gamma)
        tau = mix / (2 * mean * root)                                                       # SPDC (29)
        sigma = mix * root / (2 * mean)
        theta = 1 - 1 / (n / (1 - mix) + mean * n / (mix * gamma * root))
        weight = [(1 - mix) + mix * norm / mean for norm in norms]                          # SPDC (28): p_k n
        return Parameters(tau, sigma, theta, weight)

    def probabilities(self, problem: Problem) -> Vector:
        """p, shape (n,); uniform where every row is zero."""
        parameters = self.parameters(problem)
        return [convert(1, problem.number) * (1 if parameters is None else parameters.pn(k)) / problem.n for k in range(problem.n)]

    def choices(self, problem: Problem, state: Any) -> list[tuple[int, Fraction]]:
        return [(k, to_fraction(p_k)) for k, p_k in enumerate(self.probabilities(problem))]

    def draw(self, problem: Problem, order: str, seed: int, epoch: int, norms2: Vector | None = None) -> Choices:
        parameters = self.parameters(problem, norms2)
        weights = [1.0] * problem.n if parameters is None or parameters.weight is None else parameters.weight
        return draw_weighted(weights, seed, epoch)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        k = choice                                                                          # SPDC Alg 3: draw k
        alpha_k = self.dual_step(problem, state, parameters, k)                             # SPDC (26)
        delta = alpha_k - state.alpha[k]
        state.alpha[k] = alpha_k
        direction = shifted(state.u, problem, k, delta / parameters.pn(k))
        state.u = shifted(state.u, problem, k, delta / problem.n)                           # SPDC (9)
        self.primal_step(problem, state, parameters, direction)                             # SPDC (27), (10)


def shifted(u: Vector, problem: Problem, k: int, factor: Number) -> Vector:
    """u + factor x_k, a new vector."""
    moved = list(u)
    for j, x in problem.rows[k]:
        moved[j] = moved[j] + factor * x
    return moved


def perturbed_step(problem: Problem, delta: NumberLike, z: Number, alpha: Number, k: int, q: Number) -> Number:
    """The dual step of phi_k* + (delta/2) a^2: its two quadratics in a are one, with q + delta (section 3)."""
    if delta == 0:
        return problem.loss.dual_step(z, alpha, problem.y[k], q)
    both = q + convert(delta, problem.number)
    return problem.loss.dual_step(z, q * alpha / both, problem.y[k], both)


def require_smooth(problem: Problem, method: "SPDC") -> None:
    """Assumption A: phi_i is (1/gamma)-smooth with gamma > 0, or is made so by delta."""
    if not problem.gamma > 0 and not method.delta > 0:
        raise HypothesisViolated(
            f"method {method.name} needs a smooth loss (Assumption A), but {problem.loss.name} has gamma = 0. Give delta > 0, which "
            "solves the problem perturbed as in section 3, or use loss smoothed-hinge or squared, or method sdca"
        )
