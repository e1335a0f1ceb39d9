"""The terms that the proofs of SPDC name, at one state and its successors, each from its definition.

The constants are written out from (16), (28) and (29) here, not asked of the method: a method with other steps is not
checked against itself.
"""

from dualgap.proofs_checks.papers.spdc.strategies import begun, saddle
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector


def minus(a: Vector, b: Vector) -> Vector:
    """a - b."""
    return [a_j - b_j for a_j, b_j in zip(a, b)]


def plus(a: Vector, factor: Number, b: Vector) -> Vector:
    """a + factor b."""
    return [a_j + factor * b_j for a_j, b_j in zip(a, b)]


class SPDCTerms:
    """A context of SPDC, with its constants, its saddle point and its state (w, w_bar, u, alpha) spelled out.

    Parameters
    ----------
    c : context whose method is Algorithm 1, 2 or 3 and whose state has w, w_bar and u.

    Attributes
    ----------
    m, R, tau, sigma, theta : of (16), or of (29) with m = 1, R = R_bar/mix.
    pn : p_i n, all 1 but in Algorithm 3.
    before : w^(t-1), from (10).
    """

    def __init__(self, c: Context) -> None:
        self.c, self.problem = begun(c), c.problem
        self.n, self.lam, self.gamma = c.n, c.mu, c.gamma
        self.m: int = c.instance.options.get("m", 1)
        self.w_star, self.alpha_star = saddle(c)
        self.u_star = self.u_of(self.alpha_star)
        self.steps_of_29() if "mix" in c.instance.options else self.steps_of_16()
        state = self.c.state
        self.w, self.w_bar, self.u, self.alpha = state.w, state.w_bar, state.u, state.alpha
        self.before = plus(self.w, -1 / self.theta, minus(self.w_bar, self.w))

    # -- constants -----------------------------------------------------------------------------------------------------

    def steps_of_16(self) -> None:
        """(16), or with theta = "sharp" the R in the place of 2R."""
        n, m, options = self.n, self.m, self.c.instance.options
        self.R = self.c.q(options["R"]) if "R" in options else sqrt(self.c.R2)
        self.pn = [self.c.q(1)] * n
        # sqrt(m gamma/(n lam)) = 1/root, sqrt(n/(m lam gamma)) = n/(m gamma root)
        root = sqrt(n * self.lam / (m * self.gamma))
        self.tau, self.sigma = 1 / (2 * self.R * root), root / (2 * self.R)
        factor = 1 if options.get("theta") == "sharp" else 2
        self.theta = 1 - 1 / (self.c.q(n) / m + factor * self.R * n / (m * self.gamma * root))

    def steps_of_29(self) -> None:
        """(28) and (29)."""
        n, mix = self.n, self.c.q(self.c.instance.options["mix"])
        norms = [sqrt(norm2) for norm2 in self.problem.norms2]
        mean = self.c.mean(norms)
        self.R = mean / mix
        self.pn = [n * ((1 - mix) / n + mix * norm / (n * mean)) for norm in norms]
        root = sqrt(n * self.lam / self.gamma)
        self.tau, self.sigma = mix / (2 * mean * root), mix * root / (2 * mean)
        self.theta = 1 - 1 / (n / (1 - mix) + mean / mix * n / (self.gamma * root))

    # -- vectors -------------------------------------------------------------------------------------------------------

    def dot(self, a: Sequence[Number], b: Sequence[Number]) -> Number:
        """<a, b>."""
        total = self.problem.zero
        for a_j, b_j in zip(a, b):
            total = total + a_j * b_j
        return total

    def square(self, v: Vector) -> Number:
        """||v||^2."""
        return self.dot(v, v)

    def u_of(self, alpha: Vector) -> Vector:
        """X^T alpha / n."""
        return [self.problem.zero - v_j for v_j in self.problem.minus_u(alpha)]

    def coupling(self, a: Vector, d: Vector) -> Number:
        """a^T X d."""
        return self.dot(a, [self.problem.dot(row, d) for row in self.problem.rows])

    # -- the saddle function -------------------------------------------------------------------------------------------

    def g(self, w: Vector) -> Number:
        """g(w)."""
        return self.problem.regularizer.value(w)

    def conjugate(self, i: int, a: Number) -> Number:
        """phi_i*(a)."""
        return self.problem.loss.conjugate(a, self.problem.y[i])

    def conjugates(self, alpha: Vector) -> Number:
        """sum_i phi_i*(alpha_i)."""
        total = self.problem.zero
        for i, a in enumerate(alpha):
            total = total + self.conjugate(i, a)
        return total

    @cached_property
    def f_star(self) -> Number:
        """f* = f(w*, alpha*)."""
        return self.problem.f(self.w_star, self.alpha_star)

    def gap_w(self, w: Vector) -> Number:
        """f(w, alpha*) - f*."""
        return self.problem.f(w, self.alpha_star) - self.f_star

    def gap_alpha(self, alpha: Vector) -> Number:
        """f* - f(w*, alpha)."""
        return self.f_star - self.problem.f(self.w_star, alpha)

    def dw2(self, w: Vector) -> Number:
        """||w - w*||^2."""
        return self.square(minus(w, self.w_star))

    def da2(self, alpha: Vector) -> Number:
        """||alpha - alpha*||^2."""
        return self.square(minus(alpha, self.alpha_star))

    def weighted(self, weights: Vector, alpha: Vector) -> Number:
        """sum_i weights_i (alpha_i - alpha*_i)^2."""
        errors = minus(alpha, self.alpha_star)
        return self.dot(weights, [e * e for e in errors])

    # -- potentials ----------------------------------------------------------------------------------------------------

    def Delta(self, w: Vector, alpha: Vector) -> Number:
        """(15)."""
        return (
            (1 / (2 * self.tau) + self.lam / 2) * self.dw2(w)
            + (1 / (4 * self.sigma) + self.gamma / 2) * self.da2(alpha) / self.m
            + self.gap_w(w)
            + self.c.q(self.n) / self.m * self.gap_alpha(alpha)
        )

    def added(self, w: Vector, alpha: Vector, before: Vector) -> Number:
        """The three terms that (56) adds to Delta."""
        d = minus(w, before)
        return (
            self.da2(alpha) / (4 * self.sigma * self.m)
            + self.square(d) / (4 * self.tau)
            + self.coupling(minus(alpha, self.alpha_star), d) / self.n
        )

    def Psi(self, w: Vector, alpha: Vector, before: Vector) -> Number:
        """The potential of Theorem 2."""
        d = minus(w, before)
        weights = [1 / (2 * self.sigma) + self.gamma / pn for pn in self.pn]
        return (
            (1 / (2 * self.tau) + self.lam) * self.dw2(w)
            + self.weighted(weights, alpha)
            + self.square(d) / (4 * self.tau)
            + self.coupling(minus(alpha, self.alpha_star), d) / self.n
        )

    # -- a successor ---------------------------------------------------------------------------------------------------

    def batch(self, successor: Successor) -> tuple[int, ...]:
        """K."""
        choice = successor.choice
        return (choice,) if isinstance(choice, int) else tuple(choice)

    def scale(self, successor: Successor) -> Number:
        """The weight of u^(t+1) - u^t in the step for w: n/m, or 1/p_k in Algorithm 3."""
        return self.c.q(self.n) / self.m if self.m > 1 else self.n / self.pn[self.batch(successor)[0]]

    def direction(self, successor: Successor) -> Vector:
        """u^t + (n/m)(u^(t+1) - u^t), or with 1/p_k."""
        return plus(self.u, self.scale(successor), minus(successor.state.u, self.u))


__all__ = ["SPDCTerms", "minus", "plus"]
