"""PDCP: the batch primal-dual method of Chambolle and Pock (2011), as AdaSPDC (Zhu and Storkey 2015) states it, (6) to
(8).

Problem    min_w max_alpha f(w, alpha), see ``problem`` and ``block``; L2 or elastic net.
Method     every dual block by a proximal step at the extrapolated w_bar, then w by a proximal step. One step is one
           pass.

====== =========== ===== ===========================================================
symbol in code     shape meaning
====== =========== ===== ===========================================================
x, x_- w, w_bar    (d,)  primal iterate and its extrapolation, w_bar^0 = w^0
y_i    alpha[i]    q_i   dual iterate
K      A/n               A = [A_1 .. A_n], X^T for rows; phi* stands for (1/n) sum_i phi_i*
L      norm/n            ||K||_2
sigma  sigma             dual step of phi*: phi_i* is prox-ed with q = n/sigma
====== =========== ===== ===========================================================

Steps: any tau, sigma > 0 with tau sigma L^2 <= 1, theta = 1: the gap of the averages falls like 1/T, gamma = 0 included
(Chambolle-Pock, Theorem 1). The default, for gamma > 0 and delta = gamma/n:

    mu = 2 sqrt(lam delta)/L (or smaller),  tau = mu/(2 lam),  sigma = mu/(2 delta),  1/(1 + mu) <= theta <= 1

Guarantee  with omega = (1 + theta)/(2 + mu), which is theta at theta = 1/(1 + mu) (Chambolle-Pock, Theorem 3):
           lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2
               <= omega^T (lam ||w^0 - w*||^2 + delta ||alpha^0 - alpha*||^2)
"""

from fractions import Fraction
from typing import Any, NamedTuple

from dualgap.reference.methods.base import Deterministic, HypothesisViolated, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.methods.spdc import THETAS
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, sqrt
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.spectral import dominated, gram, spectral_norm


class Parameters(NamedTuple):
    """The constants of a run."""

    tau: Number
    sigma: Number
    theta: Number


class PDCPState(State):
    """w and w_bar, shape (d,), and alpha, n values."""

    __slots__ = ("w", "w_bar", "alpha")
    w: Vector
    w_bar: Vector
    alpha: Vector


@register_method
class PDCP(Deterministic[PDCPState]):
    """(6) to (8); the output is the last iterate. There is one choice, 0: every block.

    Parameters
    ----------
    norm : an upper bound of ||A||_2; default ``spectral_norm``, which may exceed it by 2^-39 of itself.
    mu : > 0, smaller than the default of the linear schedule, if wanted.
    tau, sigma : both, instead of that schedule.
    theta : in [0, 1]; default (also "paper", "sharp") 1/(1 + mu), and 1 with steps of your own.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[3, 0], [0, 4]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    >>> w, alpha = PDCP().view(p, PDCP().run(p, [0, 0]))
    >>> [str(w_j) for w_j in w], [str(alpha_i) for alpha_i in alpha]
    (['6/25', '-92/375'], ['-6/25', '11/75'])
    """

    name = "pdcp"
    summary = "the batch primal-dual method of Chambolle and Pock, from which AdaSPDC starts"
    drawn_options = {"tau sigma": ((None, None), (0.125, 0.25)), "theta": (None, 0.5)}
    vectors_kept = (17, 80)
    families = ("quadratic", "general")

    def __init__(
        self, norm: NumberLike | None = None, mu: NumberLike | None = None, tau: Any = None, sigma: Any = None, theta: NumberLike | None = None
    ) -> None:
        if (tau is None) != (sigma is None):
            raise ValueError("give tau and sigma together, or neither")
        if mu is not None and tau is not None:
            raise ValueError("mu belongs to the linear schedule, tau and sigma take its place: give one or the other")
        for label, value in (("norm", norm), ("mu", mu), ("tau", tau), ("sigma", sigma)):
            if value is not None and not convert(value, Fraction, label) > 0:
                raise ValueError(f"{label} must be > 0 (got {value!r})")
        if theta not in (None, *THETAS) and not 0 <= convert(theta, Fraction, "theta") <= 1:
            raise ValueError(f"theta must lie in [0, 1] (got {theta!r})")
        self.norm, self.mu, self.tau, self.sigma = norm, mu, tau, sigma
        self.theta = None if theta in THETAS else theta
        self._known: tuple[Problem | None, Parameters | None] = (None, None)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """tau sigma L^2 <= 1 of steps of one's own; gamma > 0, mu and theta in their ranges for the linear schedule."""
        super().require(problem, mode, R2)
        if self.tau is None:
            require_strong(problem, self.name)
        parameters = self.parameters(problem)
        if mode == "unchecked" or parameters is None:
            return
        if not (self.mu is None and self.tau is None):
            K = self.radius(problem) / problem.n
            product = parameters.tau * parameters.sigma * K * K
            if product > 1 + (2.0**-50 if problem.number is float else 0):  # eight roundings, where mu is its own limit
                raise HypothesisViolated(
                    f"method pdcp needs tau sigma ||A/n||^2 <= 1 (got {product}): from 4/3 on it can diverge. Use smaller "
                    "steps, or omit mu, tau and sigma"
                )
        least = 1 / (1 + 2 * problem.regularizer.modulus * parameters.tau)
        if self.tau is None and self.theta is not None and parameters.theta < least:
            raise HypothesisViolated(f"method pdcp needs theta >= 1/(1 + mu) = {least} for its rate (got {parameters.theta})")

    def radius(self, problem: Problem) -> Number:
        """||A||_2, or an upper bound of it."""
        if self.norm is None:
            return spectral_norm(problem.columns, problem.number)
        norm = convert(self.norm, problem.number, "norm")
        if is_rational(problem.number) and not (norm >= 0 and dominated(gram(problem.columns), norm * norm)):
            raise HypothesisViolated(f"norm must be at least ||A||_2, and {norm} is smaller. Leave it out, or give an upper bound")
        return norm

    def parameters(self, problem: Problem) -> Parameters | None:
        """The constants for a problem, or None where every block is zero."""
        if self._known[0] is not problem:
            decoupled = all(norm2 == 0 for norm2 in problem.norms2)
            self._known = (problem, None if decoupled else self.make_parameters(problem))
        found: Parameters | None = self._known[1]
        return found

    def make_parameters(self, problem: Problem) -> Parameters:
        """The linear schedule, or steps of one's own."""
        number, n, lam, gamma = problem.number, problem.n, problem.regularizer.modulus, problem.gamma
        theta = None if self.theta is None else convert(self.theta, number)
        if self.tau is not None:
            tau, sigma = (convert(step, number) for step in (self.tau, self.sigma))
            return Parameters(tau, sigma, convert(1, number) if theta is None else theta)
        mu = 2 * sqrt(n * lam * gamma) / self.radius(problem) if self.mu is None else convert(self.mu, number)
        return Parameters(mu / (2 * lam), n * mu / (2 * gamma), 1 / (1 + mu) if theta is None else theta)

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> PDCPState:
        """alpha in the domain of phi* (default 0) and w, shape (d,) (default w(alpha)).

        Where every block is zero the problem falls apart, and this is its solution.
        """
        self.require_family(problem)
        if self.tau is None:
            require_strong(problem, self.name)
        w, _, alpha = starting_point(problem, alpha, w, self.parameters(problem) is None)
        return PDCPState(w=w, w_bar=list(w), alpha=alpha)

    def advance(self, problem: Problem, state: PDCPState, choice: int) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        tau, sigma, theta = parameters
        for i in range(problem.n):
            z = problem.dot(problem.rows[i], state.w_bar)
            state.alpha[i] = problem.loss.dual_step(z, state.alpha[i], problem.y[i], problem.n / sigma)     # PDCP (6)
        minus_u = problem.minus_u(state.alpha)
        w = problem.regularizer.prox([w_j + tau * v_j for w_j, v_j in zip(state.w, minus_u)], tau)          # PDCP (7)
        state.w_bar = [new + theta * (new - old) for new, old in zip(w, state.w)]                           # PDCP (8)
        state.w = w

    def view(self, problem: Problem, state: PDCPState) -> tuple[Vector, Vector]:
        return list(state.w), list(state.alpha)


def require_strong(problem: Problem, name: str) -> None:
    """Every phi_i* is gamma-strongly convex with gamma > 0."""
    if not problem.gamma > 0:
        raise HypothesisViolated(
            f"method {name} needs a smooth loss, gamma > 0, but {problem.loss.name} has gamma = 0: its steps are built from gamma. "
            "Use loss smoothed-hinge or squared, or method sdca"
        )


def starting_point(
    problem: Problem, alpha: Vector | None, w: Vector | None, decoupled: bool
) -> tuple[Vector, Vector, Vector]:
    """(w, u, alpha), checked: alpha given or 0, u = (1/n) sum_i A_i alpha_i, w given or w(alpha).

    Where the problem is decoupled (every A_i = 0): its solution, w = argmin g and alpha_i = phi_i'(0).

    >>> from dualgap.reference import L2, Problem, Squared
    >>> starting_point(Problem([[2.0]], [1.0], Squared(), L2(1)), [-0.5], None, False)
    ([1.0], [-1.0], [-0.5])
    """
    start = problem.require_alpha(problem.zeros() if alpha is None else alpha)
    if decoupled:
        nowhere = [problem.zero] * problem.d
        start = [problem.loss.derivative(problem.dot(row, nowhere), y) for row, y in zip(problem.rows, problem.y)]
        w = None
    minus_u = problem.minus_u(start)
    w = problem.regularizer.gradient_conjugate(minus_u) if w is None else [convert(w_j, problem.number) for w_j in w]
    problem.require_lengths(w=w)
    return w, [problem.zero - u_j for u_j in minus_u], start
