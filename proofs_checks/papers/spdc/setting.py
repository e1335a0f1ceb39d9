"""SPDC, what its statements share: hypotheses, the constants of (16), (28) and (29), the saddle point, and what is
measured from it.

    (4)     f(w, alpha) = (1/n) sum (alpha_i x_i^T w - phi_i*(alpha_i)) + g(w), its saddle point (w*, alpha*),
            f* = f(w*, alpha*)
    (15)    Delta = (1/(2 tau) + lam/2) ||w - w*||^2 + (1/(4 sigma) + gamma/2) ||alpha - alpha*||^2/m
                    + [f(w, alpha*) - f*] + (n/m) [f* - f(w*, alpha)]
    (16)    tau = (1/(2R)) sqrt(m gamma/(n lam)), sigma = (1/(2R)) sqrt(n lam/(m gamma)),
            theta = 1 - 1/(n/m + 2R sqrt(n/(m lam gamma)))
    (28)    p_k = (1 - mix)/n + mix ||x_k||/sum ||x_i||
    (29)    tau and sigma of (16) with R_bar/mix instead of R, R_bar the mean of ||x_i||, m = 1;
            theta = 1 - 1/(n/(1 - mix) + (R_bar/mix) sqrt(n/(lam gamma)))
    (56)    Delta~ = Delta + ||alpha - alpha*||^2/(4 sigma m)
                     + ||w - w^-||^2/(4 tau) + (1/n) (alpha - alpha*)^T X (w - w^-)
    Psi     (1/(2 tau) + lam) ||w - w*||^2 + sum (1/(2 sigma) + gamma/(p_i n)) (alpha_i - alpha*_i)^2/m
            + the last two terms of (56)

For squared loss with L2 (19) is an equality, and Psi with p_i n = 1 is Delta~. All formulas are written out here from
the paper and not taken from the method, so that a method with other steps is not checked against itself.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import Blocks
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Observable, Steps, expected, flat, is_linear
from dualgap.proofs_checks.papers.vocabulary import dot, each, minus, names, plus, square
from dualgap.reference.methods.base import State
from dualgap.reference.methods.spdc import THETAS, NonUniformSPDC, Parameters
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Problem, Vector

# -- hypotheses --------------------------------------------------------------------------------------------------------

ANY = r"$\varphi_i$ $(1/\gamma)$-smooth, L2 or elastic net; any $w$, $\bar{w}$, $\alpha$"
ASSUMED = r"$\varphi_i$ convex and $(1/\gamma)$-smooth, $g$ $\lambda$-strongly convex (L2, elastic net)"
A = (
    r"Assumption A: $\varphi_i$ convex and $(1/\gamma)$-smooth, $g$ $\lambda$-strongly convex (L2 or elastic net);"
    r" $\Vert x_i\Vert \le R$"
)
SAMPLED = r"$\Vert x_i\Vert \le R$; uniform sampling with $P(i \in K) = m/n$, $\vert K\vert = m$"
STEPS, ANY_STEPS = rf"$\tau$, $\sigma$ as in (16), {SAMPLED}", rf"any $\tau \sigma \le 1/(4R^2)$, {SAMPLED}"
SMOOTH = f"{ASSUMED}; {STEPS}"
START = r"$\alpha^0$ in the domain of $\varphi^*$, $w^{-1} = w^0$ ($\bar{w}^0 = w^0$), $u^0 = X^T \alpha^0/n$"
ANYWHERE = r"any $\alpha^0$, inside the domain of $\varphi^*$ or not; $w^{-1} = w^0$, $u^0 = X^T \alpha^0/n$"
EVERY_STATE = r"every state with $\bar{w} = w + \theta (w - w^{-})$ and $u = X^T \alpha/n$"
UNIFORM = r"Assumption A; (16), $m = 1$, with any $R \ge \max\, \Vert x_i\Vert$"
COLUMN = r"squared loss, $\gamma = 1$, $y = 0$, L2, $d = 1$"


def bugs(words: str) -> tuple[str, ...]:
    """The ids of planted bugs of SPDC."""
    return names("spdc", words)


# -- a given state -----------------------------------------------------------------------------------------------------


def begun(c: Context) -> Context:
    """The context, its method started at the instance's alpha (anywhere), "w" and "before"."""
    return c.started(start_of)


def start_of(c: Context) -> Any:
    """The state at alpha, "w" and "before"; a named function, because ``Context.started`` caches by it."""
    return start_at(c, c.method)


def start_at(c: Context, method: Any, theta: Number | None = None) -> Any:
    """The method's state at the instance's alpha (rows or blocks, in the domain or not), "w" and "before"."""
    problem, given = c.problem, c.given
    blocks = c.instance.extra[Blocks].blocks if Blocks in c.instance.extra else None
    alpha = [tuple(map(c.q, a)) if isinstance(a, tuple) else c.q(a) for a in blocks or c.instance.alpha]
    inside = all(problem.loss.in_domain(a, y) for a, y in zip(alpha, problem.y))
    w = list(given.w) if given.has("w") else problem.w(alpha)
    state = method.init(problem, alpha if inside else None, list(w))
    if not inside:
        state.alpha, state.u = alpha, [problem.zero - v_j for v_j in problem.minus_u(alpha)]
    if given.has("before"):
        state.w_bar = plus(w, method.parameters(problem).theta if theta is None else theta, minus(w, given.before))
    return state


def saddle(c: Context) -> tuple[Vector, Vector]:
    """(w*, alpha*), exactly: of the logistic loss only where w* = 0 (``instances.logistic``)."""
    if c.instance.loss == "logistic":
        return [c.problem.zero] * c.problem.d, [-y / 2 for y in c.problem.y]
    return c.problem.w(c.optimum), c.optimum


def same_states(found: State, due: State, label: str) -> Iterable[Relation]:
    """All that two states remember: w, w_bar, alpha, and u where it is remembered."""
    for name in due.names():
        yield from each(Eq, flat(getattr(found, name)), flat(getattr(due, name)), f"{name}_#, {label}")


# -- the constants -----------------------------------------------------------------------------------------------------


class Constants(NamedTuple):
    """m, R (R_bar/mix in (29)), steps, rate, and p_i n for every row."""

    m: int
    R: Number
    tau: Number
    sigma: Number
    theta: Number
    pn: Vector


def norms(c: Context) -> tuple[Vector, Number]:
    """||x_i|| and their mean R_bar."""
    every = [sqrt(norm2) for norm2 in c.problem.norms2]
    return every, c.mean(every)


def constants(c: Context, mix: Number = None, share_1: Number = 1, share_2: Number = 1) -> Constants:
    """(16), or the R, tau, sigma and theta that the instance gives; with a mix (28) and (29), n replaced by n/m.

    The shares are factors of the two terms of theta; the paper has none.
    """
    options, n, gamma = c.instance.options, c.q(c.n), c.gamma
    m, named, mix = options.get("m", 1), options.get("theta", "paper"), options.get("mix") if mix is None else mix
    pn = [c.q(1)] * c.n
    if "tau" in options:
        R, tau, sigma = (c.q(options.get(name, 0)) for name in ("R", "tau", "sigma"))
        return Constants(m, R, tau, sigma, least_theta(c, m, tau, sigma) if named in THETAS else c.q(named), pn)
    root = sqrt(n * c.mu / (m * gamma))  # sqrt(m gamma/(n lam)) = 1/root, sqrt(n/(m lam gamma)) = n/(m gamma root)
    if mix is None:
        R, first, factor = c.q(options["R"]) if "R" in options else sqrt(c.R2), n / m, 1 if named == "sharp" else 2
    else:
        mix, (every, mean) = c.q(mix), norms(c)
        R, first, factor, pn = mean / mix, n / (m * (1 - mix)), 1, [(1 - mix) + mix * norm / mean for norm in every]
    tau, sigma = 1 / (2 * R * root), root / (2 * R)
    theta = 1 - 1 / (share_1 * first + share_2 * factor * R * n / (m * gamma * root))
    return Constants(m, R, tau, sigma, theta if named in THETAS else c.q(named), pn)


def least_theta(c: Context, m: int, tau: Number, sigma: Number) -> Number:
    """The least theta of the sharp form: max{1 - m/n, 1/(1 + 2 lam tau), 1 - 1/(n/m + n/(2 m sigma gamma))}."""
    ratio = c.q(c.n) / m
    return max(1 - 1 / ratio, 1 / (1 + 2 * c.mu * tau), 1 - 1 / (ratio + ratio / (2 * sigma * c.gamma)))


def steps_of(method: Any, c: Context) -> Number:
    """1/(1 - theta) of the method on the context's problem."""
    return 1 / (1 - method.parameters(c.problem).theta)


class GivenSteps(NonUniformSPDC):
    """Algorithm 3 with given constants."""

    def __init__(self, given: Constants) -> None:
        super().__init__()
        self.given = given

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        return Parameters(self.given.tau, self.given.sigma, self.given.theta, self.given.pn)


# -- an instance around its saddle point -------------------------------------------------------------------------------


class Setting:
    """A context of SPDC with its constants, its saddle point and its state (w, w_bar, u, alpha) spelled out.

    Parameters
    ----------
    c : context whose method is Algorithm 1, 2 or 3 and whose state has w, w_bar and u.
    k : its constants; by default those of the paper.
    """

    def __init__(self, c: Context, k: Constants | None = None) -> None:
        self.c, self.problem, self.n, self.lam, self.gamma = begun(c), c.problem, c.n, c.mu, c.gamma
        self.k = constants(c) if k is None else k
        self.m, self.R, self.tau, self.sigma, self.theta, self.pn = self.k
        state = self.c.state
        self.w, self.w_bar, self.u, self.alpha = state.w, state.w_bar, state.u, state.alpha

    @property
    def before(self) -> Vector:
        """w^-, from (10)."""
        return plus(self.w, -1 / self.theta, minus(self.w_bar, self.w))

    @property
    def ratio(self) -> Number:
        """n/m."""
        return self.c.q(self.n) / self.m

    @property
    def kappa(self) -> Number:
        """(2), with the R that the instance gives."""
        return self.R * self.R / (self.lam * self.gamma)

    # -- the saddle function -------------------------------------------------------------------------------------------

    @cached_property
    def star(self) -> tuple[Vector, Vector]:
        """(w*, alpha*)."""
        return saddle(self.c)

    @property
    def w_star(self) -> Vector:
        return self.star[0]

    @property
    def alpha_star(self) -> Vector:
        return self.star[1]

    @cached_property
    def u_star(self) -> Vector:
        """X^T alpha*/n."""
        return self.u_of(self.alpha_star)

    @cached_property
    def f_star(self) -> Number:
        """f* = f(w*, alpha*)."""
        return self.problem.f(*self.star)

    def u_of(self, alpha: Vector) -> Vector:
        """X^T alpha / n."""
        return [self.problem.zero - v_j for v_j in self.problem.minus_u(alpha)]

    def coupling(self, a: Vector, d: Vector) -> Number:
        """a^T X d."""
        return dot(a, [self.problem.dot(row, d) for row in self.problem.rows])

    def inner(self, i: int, w: Vector) -> Number:
        """x_i^T w."""
        return self.problem.dot(self.problem.rows[i], w)

    def g(self, w: Vector) -> Number:
        """g(w)."""
        return self.problem.regularizer.value(w)

    def conjugate(self, i: int, a: Number) -> Number:
        """phi_i*(a)."""
        return self.problem.loss.conjugate(a, self.problem.y[i])

    def conjugates(self, alpha: Vector) -> Number:
        """sum_i phi_i*(alpha_i)."""
        return sum((self.conjugate(i, a) for i, a in enumerate(alpha)), self.problem.zero)

    def gap_w(self, w: Vector) -> Number:
        """f(w, alpha*) - f*."""
        return self.problem.f(w, self.alpha_star) - self.f_star

    def gap_alpha(self, alpha: Vector) -> Number:
        """f* - f(w*, alpha)."""
        return self.f_star - self.problem.f(self.w_star, alpha)

    def weighted_gap(self, weight: Number) -> Observable:
        """P(w) - P* + weight (D* - D(alpha))."""
        return lambda w, alpha: self.problem.P(w) - self.f_star + weight * (self.f_star - self.problem.D(alpha))

    # -- distances and potentials --------------------------------------------------------------------------------------

    def dw2(self, w: Vector) -> Number:
        """||w - w*||^2."""
        return square(minus(w, self.w_star))

    def da2(self, alpha: Vector) -> Number:
        """||alpha - alpha*||^2."""
        return square(minus(alpha, self.alpha_star))

    def weighted(self, weights: Vector, alpha: Vector) -> Number:
        """sum_i weights_i (alpha_i - alpha*_i)^2."""
        return dot(weights, [e * e for e in minus(alpha, self.alpha_star)])

    def weights(self, count: int) -> Vector:
        """(1/(count sigma) + gamma/(p_i n))/m for every i: in Psi with 2, on the left side of Theorem 2 with 4."""
        return [(1 / (count * self.sigma) + self.gamma / pn) / self.m for pn in self.pn]

    def Delta(self, w: Vector, alpha: Vector) -> Number:
        """(15)."""
        near = (1 / (2 * self.tau) + self.lam / 2) * self.dw2(w)
        near += (1 / (4 * self.sigma) + self.gamma / 2) * self.da2(alpha) / self.m
        return near + self.gap_w(w) + self.ratio * self.gap_alpha(alpha)

    @property
    def C(self) -> Number:
        """Delta^0 + ||alpha^0 - alpha*||^2/(4 m sigma)."""
        return self.Delta(self.w, self.alpha) + self.da2(self.alpha) / (4 * self.m * self.sigma)

    def memory(self, alpha: Vector, d: Vector) -> Number:
        """||d||^2/(4 tau) + (1/n) (alpha - alpha*)^T X d, d = w - w^-."""
        return square(d) / (4 * self.tau) + self.coupling(minus(alpha, self.alpha_star), d) / self.n

    def Delta_tilde(self, w: Vector, alpha: Vector, before: Vector) -> Number:
        """(56)."""
        return self.Delta(w, alpha) + self.da2(alpha) / (4 * self.sigma * self.m) + self.memory(alpha, minus(w, before))

    def Psi(self, w: Vector, alpha: Vector, before: Vector) -> Number:
        """The potential of Theorem 2."""
        distances = (1 / (2 * self.tau) + self.lam) * self.dw2(w) + self.weighted(self.weights(2), alpha)
        return distances + self.memory(alpha, minus(w, before))

    # -- a successor ---------------------------------------------------------------------------------------------------

    def batch(self, successor: Successor) -> tuple[int, ...]:
        """K."""
        choice = successor.choice
        return (choice,) if isinstance(choice, int) else tuple(choice)

    def scale(self, successor: Successor) -> Number:
        """The weight of u^(t+1) - u^t in the step for w: n/m, or 1/p_k in Algorithm 3."""
        return self.ratio if self.m > 1 else self.n / self.pn[self.batch(successor)[0]]

    def direction(self, successor: Successor) -> Vector:
        """u^t + (n/m)(u^(t+1) - u^t), or with 1/p_k."""
        return plus(self.u, self.scale(successor), minus(successor.state.u, self.u))

    def ahead(self, successor: Successor) -> Vector:
        """The direction less u*."""
        return minus(self.direction(successor), self.u_star)

    def moved_w(self, successor: Successor) -> Number:
        """||w+ - w||^2."""
        return square(minus(successor.w, self.w))

    def moved_alpha(self, successor: Successor) -> Number:
        """||alpha+ - alpha||^2."""
        return square(minus(successor.alpha, self.alpha))

    # -- what the rates share ------------------------------------------------------------------------------------------

    def along(self, *observables: Observable, horizon: int | None = None) -> list[list[Number]]:
        """[[E q(w^t, alpha^t) for every q] for t = 0, 1, ...], as far as it can be followed exactly."""
        return expected(self.c, self.c.given.get("horizon", 60) if horizon is None else horizon, observables)

    def one_step(self) -> Iterable[Relation]:
        """Check for squared loss with L2, on all states: E Psi+ <= theta Psi, and distances <= Psi."""
        on_w = 1 / (2 * self.tau) + self.lam
        if is_linear(self.c):
            yield from self.c.once(Steps).one_step(self.tau, self.theta, on_w, self.weights(4), self.weights(2))

    def in_distance(
        self, on_w: Number | None = None, left: Vector | None = None, right: Vector | None = None
    ) -> Iterable[Relation]:
        """E[on_w ||w - w*||^2 + sum left_i (alpha_i - alpha*_i)^2] <= theta^t times the same at t = 0 with ``right``.

        By default 1/(2 tau) + lam, and the weights of the left side and of Psi.
        """
        front: Number = 1 / (2 * self.tau) + self.lam if on_w is None else on_w

        def measured(weights: Vector) -> Observable:
            return lambda w, alpha: front * self.dw2(w) + self.weighted(weights, alpha)

        bound = measured(self.weights(2) if right is None else right)(self.w, self.alpha)
        yield from self.falls(measured(self.weights(4) if left is None else left), bound, "t = {}")

    def falls(
        self, quantity: Observable, bound: Number, label: str, trivial: Number | None = None
    ) -> Iterable[Relation]:
        """E quantity(w^t, alpha^t) <= theta^t bound for t >= 1; a bound above ``trivial``, the start, says nothing."""
        trivial = quantity(self.w, self.alpha) if trivial is None else trivial
        for t, (value,) in enumerate(self.along(quantity)):
            if t:
                bound = self.theta * bound
                yield Le(value, bound, label.format(t), trivial=trivial)
