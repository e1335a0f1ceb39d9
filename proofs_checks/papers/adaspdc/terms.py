"""The terms that Theorem R and its proof name, at one state and its successors, each from its definition; rows and
blocks alike.

The steps are written out from (10), (12) and (15) here, not asked of the method: a method with other steps is not
checked against itself. In comments and labels x is w, y_i is alpha_i, r is u, and d is w^t - w^(t-1).
"""

from itertools import pairwise

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Problem
from dualgap.reference.methods.adaspdc import Parameters, largest
from dualgap.reference.numbers.arithmetic import convert, maximum
from dualgap.reference.problem.problem import Vector


def parts(alpha_i: Any) -> tuple[Number, ...]:
    """The numbers of one alpha_i: itself for a row, q_i of a block."""
    return alpha_i if isinstance(alpha_i, tuple) else (alpha_i,)


def columns_of(problem: Problem) -> list[tuple[int, dict[int, Number]]]:
    """Every column of every block, as (i, {j: entry})."""
    found = []
    for i, zeros in enumerate(problem.zeros()):
        for k in range(len(parts(zeros))):
            one = tuple(Fraction(int(h == k)) for h in range(len(parts(zeros))))
            column = problem.moved([Fraction(0)] * problem.d, i, one if isinstance(zeros, tuple) else one[0], zeros, 1)
            found.append((i, {j: x for j, x in enumerate(column) if x}))
    return found


def shaped(problem: Problem, numbers: Vector) -> list[Any]:
    """alpha from the list of all its numbers."""
    left = iter(numbers)
    return [tuple(next(left) for _ in zeros) if isinstance(zeros, tuple) else next(left) for zeros in problem.zeros()]


def saddle_of_squared(problem: Problem) -> list[Any]:
    """alpha* of squared loss with L2: (gamma I + A^T A/(lam n)) alpha = -b over all columns of all blocks."""
    columns = columns_of(problem)
    system = [
        [sum((x * other.get(j, 0) for j, x in column.items()), Fraction(0)) / problem.scale for _, other in columns]
        for _, column in columns
    ]
    for k, line in enumerate(system):
        line[k] += problem.gamma
    return shaped(problem, solve_linear(system, [-y_k for y in problem.y for y_k in parts(y)]))


class Stepping:
    """The repaired method with ``given`` = (tau, theta, sigma): before its class among the bases."""

    given: tuple[Number, Number, Vector]

    def sigma(self, parameters: Parameters, i: int) -> Number:
        """sigma_i."""
        return self.given[2][i]

    def tau_theta(self, problem: Problem, parameters: Parameters, S: Any) -> tuple[Number, Number]:
        """tau and theta."""
        return self.given[0], self.given[1]


class Started(Context):
    """A context whose method and start are those of its terms."""

    terms: "AdaSPDCTerms"


class AdaSPDCTerms:
    """A context of AdaSPDC with its constants, its saddle point and its state spelled out.

    Attributes
    ----------
    c : the context with the steps and the start that the instance's extra numbers say.
    m, R, c : the sample size, R_i (raised to R/1000 in the repaired method), c of (10) and (12).
    sigma : sigma_i, shape (n,).
    d : w^t - w^(t-1).
    """

    def __init__(self, c: Context) -> None:
        self.c, self.method, self.problem = c, c.method, c.problem
        self.n, self.lam, self.gamma = c.n, c.problem.regularizer.modulus, c.problem.gamma
        options = c.instance.options
        self.m: int = options.get("m", 1)
        self.repaired = c.instance.method == "adaspdc-r"
        self.R = self.radii()
        self.c_of_10 = sqrt(self.n * self.lam / (self.m * self.gamma))
        preset_b = self.repaired and options.get("preset") == "b"
        R_max = largest(self.R)
        self.sigma = [(R_max / R_i if preset_b else 1) * self.c_of_10 / (2 * R_i) for R_i in self.R]
        self.own: tuple[Number, Number] | None = None
        if c.instance.extra.has("longer", "share", "slack"):
            self.take(c.instance.extra)
        self.begin()

    # -- constants -----------------------------------------------------------------------------------------------------

    def radii(self) -> Vector:
        """R_i: given or the norms, and at least R/1000 in the repaired method."""
        norms = self.c.instance.options.get("norms")
        R = self.problem.norms if norms is None else [convert(R_i, self.c.number) for R_i in norms]
        return [maximum(R_i, largest(R) / 1000) for R_i in R] if self.repaired else R

    def tau_theta(self, S: Any = None) -> tuple[Number, Number]:
        """(12) and (15) for a sample; for all blocks in the repaired method and for S = None."""
        if self.own:
            return self.own
        R = largest(self.R if self.repaired or S is None else [self.R[i] for i in S])
        k = self.n / (self.m * self.gamma * self.c_of_10)
        return 1 / (2 * R * self.c_of_10), 1 - 1 / (self.c.q(self.n) / self.m + R * k)

    def least_theta(self, tau: Number, sigma: Vector) -> Number:
        """max{1/(1 + 2 tau lam), max_i 1 - (m/n) 2 sigma_i gamma/(1 + 2 sigma_i gamma)}."""
        ratio = self.c.q(self.m) / self.n
        return largest(
            [1 / (1 + 2 * tau * self.lam), *(1 - ratio * 2 * s * self.gamma / (1 + 2 * s * self.gamma) for s in sigma)]
        )

    def take(self, given: Extras) -> None:
        """tau "longer" than (12), 4 tau sigma_i R_i^2 = "share" of min{2/(1 + (1 - m/n)^2), n/m}, theta by "slack"
        above the least.
        """
        tau = self.tau_theta()[0] * given.longer
        ratio = self.c.q(self.m) / self.n
        allowed = given.share * min(2 / (1 + (1 - ratio) * (1 - ratio)), 1 / ratio)
        self.sigma = [allowed / (4 * tau * R_i * R_i) for R_i in self.R]
        least = self.least_theta(tau, self.sigma)
        self.own = (tau, least + (1 - least) * given.slack)
        made: Any = type("Own", (Stepping, type(self.c.method)), {"given": (*self.own, self.sigma)})
        self.method = made(**self.c.instance.options)

    # -- the state -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Start the method at the instance's alpha (anywhere), "w" and "before", and follow its path."""
        c, problem, at = self.c, self.problem, self.c.instance.extra
        self.blocks = c.instance.extra[Blocks] if Blocks in c.instance.extra else None
        method: Any = self.method
        start = (self.blocks and self.blocks.blocks) or c.instance.alpha
        alpha = [tuple(map(c.q, a)) if isinstance(a, tuple) else c.q(a) for a in start]
        w = problem.w(alpha) if not at.has("w") else [c.q(w_j) for w_j in at.w]
        inside = all(problem.loss.in_domain(a, y) for a, y in zip(alpha, problem.y))
        state = method.init(problem, alpha if inside else None, list(w))
        if not inside:
            state.alpha, state.u = alpha, self.u_of(alpha)
        self.d = minus(w, [c.q(w_j) for w_j in (w if not at.has("before") else at.before)])
        if at.has("before"):
            state.w_bar = plus(w, self.tau_theta()[1], self.d)
        self.c = Started(c.instance, method, c.number, problem, state)
        self.c.terms = self
        for state, following in pairwise(self.c.states):
            self.d = minus(following.w, state.w)
        state = self.c.state
        self.w, self.w_bar, self.u, self.alpha = state.w, state.w_bar, state.u, state.alpha

    # -- the saddle point ----------------------------------------------------------------------------------------------

    @cached_property
    def alpha_star(self) -> list[Any]:
        """alpha*. Raises ValueError where the instance names another point."""
        c = self.c
        if c.instance.loss == "logistic":  # these instances have w* = 0
            return [-y / 2 for y in self.problem.y]
        if self.blocks is None:
            return c.optimum
        if self.blocks.alpha_star is None:
            return saddle_of_squared(self.problem)
        star = [parts(a) for a in self.blocks.alpha_star]
        if self.problem.gap(self.problem.w(star), star) != 0:
            raise ValueError("alpha_star is not the saddle point")
        return star

    @cached_property
    def w_star(self) -> Vector:
        """w*."""
        return (
            [self.problem.zero] * self.problem.d
            if self.c.instance.loss == "logistic"
            else self.problem.w(self.alpha_star)
        )

    @cached_property
    def u_star(self) -> Vector:
        """r(alpha*)."""
        return self.u_of(self.alpha_star)

    def u_of(self, alpha: Vector) -> Vector:
        """r(alpha) = (1/n) sum_i A_i alpha_i."""
        return [self.problem.zero - v_j for v_j in self.problem.minus_u(alpha)]

    # -- distances -----------------------------------------------------------------------------------------------------

    def dot(self, a: Any, b: Any) -> Number:
        """<a, b>."""
        total = self.problem.zero
        for a_j, b_j in zip(a, b):
            total = total + a_j * b_j
        return total

    def square(self, v: Any) -> Number:
        """||v||^2."""
        return self.dot(v, v)

    def apart(self, a: Any, b: Any) -> Number:
        """||a - b||^2 for two values of one alpha_i."""
        return self.square(minus(parts(a), parts(b)))

    def to_w(self, w: Vector) -> Number:
        """||w - w*||^2."""
        return self.square(minus(w, self.w_star))

    def weighted(self, weights: Vector, a: list[Any], b: list[Any]) -> Number:
        """sum_i weights_i ||a_i - b_i||^2."""
        return self.dot(weights, [self.apart(a_i, b_i) for a_i, b_i in zip(a, b)])

    @property
    def nu(self) -> Vector:
        """nu_i = (1/(4 sigma_i) + gamma)/m."""
        return [(1 / (4 * s) + self.gamma) / self.m for s in self.sigma]

    @property
    def nu_prime(self) -> Vector:
        """nu'_i = (1/(2 sigma_i) + gamma)/m."""
        return [(1 / (2 * s) + self.gamma) / self.m for s in self.sigma]

    # -- the proof -----------------------------------------------------------------------------------------------------

    def V(self, w: Vector, d: Vector, alpha: list[Any], u: Vector) -> Number:
        """(1/(2 tau) + lam)||w - w*||^2 + ||d||^2/(4 tau) + sum_i nu'_i ||alpha_i - alpha*_i||^2 + <d, u - u*>."""
        tau, _ = self.tau_theta()
        return (
            (1 / (2 * tau) + self.lam) * self.to_w(w)
            + self.square(d) / (4 * tau)
            + self.weighted(self.nu_prime, alpha, self.alpha_star)
            + self.dot(d, minus(u, self.u_star))
        )

    def distance(self, w: Vector, alpha: list[Any], weights: Vector) -> Number:
        """(1/(2 tau) + lam)||w - w*||^2 + sum_i weights_i ||alpha_i - alpha*_i||^2."""
        return (1 / (2 * self.tau_theta()[0]) + self.lam) * self.to_w(w) + self.weighted(
            weights, alpha, self.alpha_star
        )

    def moved(self, s: Successor) -> Vector:
        """(1/m) sum_S A_j (alpha_j+ - alpha_j)."""
        total = [self.problem.zero] * self.problem.d
        for j in s.choice:
            total = self.problem.moved(total, j, s.alpha[j], self.alpha[j], self.m)
        return total

    def direction(self, s: Successor) -> Vector:
        """u~ = u + (1/m) sum_S A_j (alpha_j+ - alpha_j)."""
        return plus(self.u, 1, self.moved(s))

    def D(self, s: Successor) -> Number:
        """(1/m) sum_S ||alpha_j+ - alpha_j||^2/sigma_j."""
        total = self.problem.zero
        for j in s.choice:
            total = total + self.apart(s.alpha[j], self.alpha[j]) / self.sigma[j]
        return total / self.m


def terms(c: Context) -> AdaSPDCTerms:
    """The terms of a context, made once."""
    return c.terms if isinstance(c, Started) else c.once(AdaSPDCTerms)


def minus(a: Any, b: Any) -> Vector:
    """a - b."""
    return [a_j - b_j for a_j, b_j in zip(a, b)]


def plus(a: Any, factor: Number, b: Any) -> Vector:
    """a + factor b."""
    return [a_j + factor * b_j for a_j, b_j in zip(a, b)]
