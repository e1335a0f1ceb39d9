"""ASPDC-i, the setting: proximal steps in exact numbers, P~_v(w) = P(w) + (kappa/2)||w - v||^2, its minimiser prox(v),
its value M(v).

Two ways to an exact prox(v). *Planted*: choose p first, put alpha^_i = phi_i'(x_i^T p) and a(alpha) = X^T alpha/n,
and solve the optimality condition mu p + a(alpha^) + l1 s = kappa v, s in the subdifferential of ||p||_1, for v;
then p = prox(v) for every smooth loss, the logistic one included. *Solved*: ``prox`` through the exact optimum.

One epoch: centre v, p = prox(v), m ASPDC steps on P~_v from alpha, w = w(alpha; v) = (kappa v - a(alpha))/mu,
mu = lam + kappa, chi = kappa/mu, K = R^2/(mu n gamma) (1/4 for the paper's kappa). The three quantities of an inner
call are

    e = M(v) - D~_v(alpha),    d = (mu/2)||w - p||^2,    pi = P~_v(w) - M(v),    e + pi = the inner duality gap.

``Problem.centred`` drops the constant (kappa/2)||v||^2, as the paper does; here it is put back, because M, P
and D~ of different centres are compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.papers.vocabulary import minus, square
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

SMOOTH = r"$\varphi_i$ convex and $(1/\gamma)$-smooth"
HYPOTHESES = (
    rf"{SMOOTH}; $g$ $\lambda$-strongly convex (L2, elastic net); $\kappa \ge 0$; any path on which the inner calls end"
)
ETA = (
    "the radical, if there is one, is lost in print: read without it, because xi_1 has 1 + 1/eta (with ASDCA's root it"
    " is 1 + 1/eta^2) and because Theorem 2 is then true; inner tolerance eta/(2(1 + 1/eta)) xi_s, its fraction bars"
    " restored, for (eta/2)(1 + 1/eta) xi_s would be more than the proof admits"
)


class Inner(Context):
    """The inner problem P~_v of an instance with ``kappa``, ``p`` and (for l1 > 0) ``s`` in its extra numbers.

    ``problem`` is f~ around the planted centre v, so the method's own steps, ``expect`` and the other verbs
    of a Context speak of the inner call. ``base`` is the problem itself.
    """

    @cached_property
    def base(self) -> Problem:
        return self.instance.problem(self.arithmetic)

    @cached_property
    def kappa(self) -> Number:
        return self.given.kappa

    @property
    def lam(self) -> Number:
        return self.base.regularizer.lam

    @property
    def mu(self) -> Number:
        """lam + kappa."""
        return self.lam + self.kappa

    @property
    def chi(self) -> Number:
        """kappa/(lam + kappa)."""
        return self.kappa / self.mu

    @cached_property
    def p(self) -> Vector:
        """prox(v), planted, shape (d,)."""
        return list(self.given.p)

    @cached_property
    def v(self) -> Vector:
        """The centre whose prox is p, shape (d,)."""
        base, best = self.base, []
        for row, y in zip(base.rows, base.y):
            best.append(base.loss.derivative(base.dot(row, self.p), y))
        pull = [self.mu * p_j - s_j for p_j, s_j in zip(self.p, base.minus_u(best))]  # minus_u is -a
        if base.regularizer.l1 > 0:
            pull = [
                pull_j + base.regularizer.l1 * s_j for pull_j, s_j in zip(pull, self.given.get("s", ()), strict=True)
            ]
        return [pull_j / self.kappa for pull_j in pull]

    @cached_property
    def problem(self) -> Problem:
        return self.base.centred(self.kappa, self.v)

    @cached_property
    def M(self) -> Number:
        """M(v) without the constant (kappa/2)||v||^2, as D~ and P~ of ``problem``."""
        return self.problem.P(self.p)

    def e(self, alpha: Vector) -> Number:
        """M(v) - D~_v(alpha)."""
        return self.M - self.problem.D(alpha)

    def d(self, w: Vector) -> Number:
        """(mu/2)||w - p||^2."""
        return self.mu * square(minus(w, self.p)) / 2

    def pi(self, w: Vector) -> Number:
        """P~_v(w) - M(v)."""
        return self.problem.P(w) - self.M


def inner(c: Context) -> Inner:
    """The inner problem of a context whose instance plants p."""
    return Inner(c.instance, c.method, c.number)


# -- solved, not planted -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Prox:
    """prox(v), shape (d,), and M(v) with its constant."""

    p: Vector
    M: Number


def prox(problem: Problem, kappa: Number, v: Vector) -> Prox:
    """prox(v) and M(v) of a problem over Fractions; kappa >= 0, v of shape (d,). Raises as ``exact_optimum``."""
    centred = problem.centred(kappa, v)
    p = centred.w(exact_optimum(centred))
    return Prox(p, centred.P(p) + kappa * square(v) / 2)


def centred_dual(problem: Problem, kappa: Number, v: Vector, alpha: Vector) -> Number:
    """D~_v(alpha) with its constant (kappa/2)||v||^2."""
    return problem.centred(kappa, v).D(alpha) + kappa * square(v) / 2


# -- small vectors ----------------------------------------------------------------------------------------


def same(left: Vector, right: Vector, label: str) -> Iterator[Relation]:
    """Equality of two vectors, entry by entry."""
    for a, b in zip(left, right):
        yield Eq(a, b, label)


def gap_of(problem: Problem, w: Vector, alpha: Vector) -> Fraction:
    """P(w) - D(alpha) from the two definitions."""
    gap: Fraction = problem.P(w) - problem.D(alpha)
    return gap


def tolerance(eta: Fraction, xi: Fraction) -> Fraction:
    """eps_in = eta xi_s/(2(1 + 1/eta))."""
    return eta * xi / (2 * (1 + 1 / eta))
