"""AdaSPDC, what its statements share: hypotheses, the steps (10), (12) and (15), the saddle point, and what is measured
from it; rows and blocks alike.

    (2)    L(x, y) = g(x) + (1/n) sum_i (<x, A_i y_i> - phi_i*(y_i)),  r(y) = (1/n) sum_i A_i y_i,  R_i = ||A_i||_2
    (10)   sigma_i = c/(2R_i), c = sqrt(n lam/(m gamma))            (12)  tau^t = 1/(2 R^t c), R^t the largest R_i of the sample
    (15)   theta^t = 1 - 1/(n/m + R^t k), k = sqrt(n/(m lam gamma))
    V      (1/(2 tau) + lam)||w - w*||^2 + ||d||^2/(4 tau) + sum_i nu'_i ||alpha_i - alpha*_i||^2 + <d, u - u*>,  d = w^t - w^(t-1),
           nu_i = (1/(4 sigma_i) + gamma)/m,  nu'_i = (1/(2 sigma_i) + gamma)/m

The steps are written out here from the paper, not taken from the method: a method with other steps is not checked
against itself. In comments and labels x is w, y_i is alpha_i, r is u. Each hypothesis has the place that says so; a
counterexample is checked against them."""  # noqa: E501

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import cast

from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import Blocks
from dualgap.proofs_checks.claims.registry import Hypothesis
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import parts, saddle_of_squared
from dualgap.proofs_checks.papers.spdc.setting import start_at
from dualgap.proofs_checks.papers.vocabulary import dot, each, minus, plus, square
from dualgap.reference.methods.adaspdc import largest
from dualgap.reference.numbers.arithmetic import Number, convert, maximum, sqrt
from dualgap.reference.problem.problem import Vector

SMOOTH = r"$\varphi_i$ convex and $(1/\gamma)$-smooth, $g$ $\lambda$-strongly convex (L2, elastic net)"
SAMPLED = r"uniform subsets, systematic or partition: $\vert S\vert = m$, $P(i \in S) = m/n$"
ANY_LOSS = "squared, smoothed hinge and squared hinge, at z = x_i^T w(alpha)"
ANY_STATE = r"any $w^t$, $w^{t-1}$, $\alpha^t$"


# -- vectors, and the numbers of alpha_i -------------------------------------------------------------------------------


def scaled(factor: Number, v: Iterable[Number]) -> Vector:
    """factor v."""
    return [factor * v_j for v_j in v]


def equal(left: object, right: object, label: str) -> Iterable[Relation]:
    """Two vectors, number by number."""
    left, right = (v if isinstance(v, list) else parts(v) for v in (left, right))
    return each(Eq, left, right, f"{label}: entry #")


def subgradient(c: Context, i: int, new: object, z: Iterable[Number]) -> Relation:
    """Fenchel's equality of phi_i: alpha_i lies in its subdifferential at z."""
    loss, y = c.problem.loss, c.problem.y[i]
    at = tuple(z)
    value = loss.value(at if isinstance(new, tuple) else at[0], y)
    return Eq(
        value + loss.conjugate(new, y),
        dot(parts(new), at),
        f"alpha_{i}+ is a subgradient of phi_{i} where (9) or (6) has its slope 0",
    )


# -- an instance around its saddle point -------------------------------------------------------------------------------


class Started(Context):
    """A context whose method and start are those of its setting."""

    setting: "Setting"


class Around:
    """A context of a primal-dual method, started at the instance's alpha (anywhere), "w" and "before", and its saddle
    point.

    Attributes
    ----------
    c : the context with the method and the start that are meant.
    d : w^t - w^(t-1).
    """

    def __init__(self, c: Context) -> None:
        self.c, self.method, self.problem = c, c.method, c.problem
        self.n, self.lam, self.gamma = c.n, c.problem.regularizer.modulus, c.problem.gamma
        self.blocks = c.instance.extra[Blocks] if Blocks in c.instance.extra else None

    def begin(self, theta: Number) -> None:
        """Start the method, w_bar from "before" by theta, and follow the instance's path."""
        c, state = self.c, start_at(self.c, self.method, theta)
        self.c, self.d = (
            Started(c.instance, self.method, c.number, self.problem, state),
            minus(state.w, c.given.get("before", state.w)),
        )
        for state, following in pairwise(self.c.states):
            self.d = minus(following.w, state.w)

    @cached_property
    def alpha_star(self) -> Vector:
        """alpha*. Raises ValueError if the instance names another point."""
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

    def apart(self, a: object, b: object) -> Number:
        """||a - b||^2 for two values of one alpha_i."""
        return square(minus(parts(a), parts(b)))

    def to_w(self, w: Vector) -> Number:
        """||w - w*||^2."""
        return square(minus(w, self.w_star))


class Setting(Around):
    """A context of AdaSPDC with its constants, its saddle point and its state spelled out.

    Attributes
    ----------
    m, R, c_of_10 : the sample size, R_i (raised to R/1000 in the repaired method), c of (10) and (12).
    sigma : sigma_i, shape (n,).
    """

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        options = c.instance.options
        self.m: int = options.get("m", 1)
        self.repaired = c.instance.method == "adaspdc-r"
        self.R = self.radii()
        self.c_of_10 = sqrt(self.n * self.lam / (self.m * self.gamma))
        preset_b = self.repaired and options.get("preset") == "b"
        R_max = largest(self.R)
        self.sigma = [(R_max / R_i if preset_b else 1) * self.c_of_10 / (2 * R_i) for R_i in self.R]
        self.begin(self.tau_theta()[1])
        started, state = cast(Started, self.c), self.c.state
        started.setting = self
        self.w, self.w_bar, self.u, self.alpha = state.w, state.w_bar, state.u, state.alpha

    # -- constants -----------------------------------------------------------------------------------------------------

    def radii(self) -> Vector:
        """R_i: given or the norms, and at least R/1000 in the repaired method."""
        norms = self.c.instance.options.get("norms")
        R = self.problem.norms if norms is None else [convert(R_i, self.c.number) for R_i in norms]
        return [maximum(R_i, largest(R) / 1000) for R_i in R] if self.repaired else R

    def tau_theta(self, S: Iterable[int] | None = None) -> tuple[Number, Number]:
        """(12) and (15) for a sample; for all blocks in the repaired method and for S = None."""
        R = largest(self.R if self.repaired or S is None else [self.R[i] for i in S])
        k = self.n / (self.m * self.gamma * self.c_of_10)
        return 1 / (2 * R * self.c_of_10), 1 - 1 / (self.c.q(self.n) / self.m + R * k)

    # -- distances -----------------------------------------------------------------------------------------------------

    def weighted(self, weights: Vector, alpha: Sequence[object]) -> Number:
        """sum_i weights_i ||alpha_i - alpha*_i||^2."""
        return dot(weights, [self.apart(a, star) for a, star in zip(alpha, self.alpha_star)])

    @property
    def nu(self) -> Vector:
        """nu_i = (1/(4 sigma_i) + gamma)/m."""
        return [(1 / (4 * s) + self.gamma) / self.m for s in self.sigma]

    @property
    def nu_prime(self) -> Vector:
        """nu'_i = (1/(2 sigma_i) + gamma)/m."""
        return [(1 / (2 * s) + self.gamma) / self.m for s in self.sigma]

    # -- the proof -----------------------------------------------------------------------------------------------------

    def V(self, w: Vector, d: Vector, alpha: list[object], u: Vector) -> Number:
        """(1/(2 tau) + lam)||w - w*||^2 + ||d||^2/(4 tau) + sum_i nu'_i ||alpha_i - alpha*_i||^2 + <d, u - u*>."""
        return (
            self.distance(w, alpha, self.nu_prime)
            + square(d) / (4 * self.tau_theta()[0])
            + dot(d, minus(u, self.u_star))
        )

    def distance(self, w: Vector, alpha: list[object], weights: Vector) -> Number:
        """(1/(2 tau) + lam)||w - w*||^2 + sum_i weights_i ||alpha_i - alpha*_i||^2."""
        return (1 / (2 * self.tau_theta()[0]) + self.lam) * self.to_w(w) + self.weighted(weights, alpha)

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
        return (
            sum((self.apart(s.alpha[j], self.alpha[j]) / self.sigma[j] for j in s.choice), self.problem.zero) / self.m
        )


def setting(c: Context) -> Setting:
    """The setting of a context, made once."""
    return c.setting if isinstance(c, Started) else c.once(Setting)


# -- hypotheses --------------------------------------------------------------------------------------------------------


def published_steps(c: Context) -> bool:
    """The published method, with the norms of the blocks themselves for R_i."""
    t = setting(c)
    return c.instance.method == "adaspdc" and all(R_i * R_i == norm2 for R_i, norm2 in zip(t.R, t.problem.norms2))


def fair_samples(c: Context) -> bool:
    """|S| = m and P(i in S) = m/n."""
    t = setting(c)
    choices = t.c.method.choices(t.problem, t.c.state)
    shares = [sum((p for S, p in choices if i in S), Fraction(0)) for i in range(t.n)]
    return all(len(set(S)) == t.m for S, _ in choices) and shares == [Fraction(t.m, t.n)] * t.n


def clean_start(c: Context) -> bool:
    """w_bar^0 = w^0 and u^0 = r(alpha^0), before any step."""
    t = setting(c)
    return not c.instance.path and t.w_bar == t.w and t.u == t.u_of(t.alpha)


CONVEX = (
    Hypothesis(
        "each phi_i* is gamma-strongly convex, gamma > 0",
        "section 1, after (2); Theorem 1",
        lambda c: setting(c).gamma > 0,
    ),
    Hypothesis("g is lam-strongly convex, lam > 0", "section 1, after (2); Theorem 1", lambda c: setting(c).lam > 0),
)
STEPS = Hypothesis(
    "sigma_i, tau^t and theta^t are (10), (12) and (15) with R_i = ||A_i||_2",
    "Theorem 1; Algorithm 1, line 5",
    published_steps,
)
SAMPLES = Hypothesis(
    "S_t has m blocks, and each block is in it with probability m/n", "Algorithm 1, line 4", fair_samples
)
START = Hypothesis("x_bar^0 = x^0 and r^0 = (1/n) sum_i A_i y_i^0", "Algorithm 1, line 2", clean_start)
RIDGE = Hypothesis(
    "phi_i = (a_i^T x - b_i)^2/2 and g = (lam/2)||x||^2",
    "section 4.1, (18)",
    lambda c: c.instance.loss == "squared" and c.gamma == 1 and c.instance.l1 == 0 and c.mu > 0,
)
