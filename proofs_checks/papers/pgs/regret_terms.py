"""A run of PGS as Lemma 1 sees it: the iterates, the subgradients recomputed from them, the regret and its parts.

With c_t = sigma r + g_t, theta_t = -Lambda_{t-1}/(t sigma) and Lambda_t = lambda_1 + .. + lambda_t (indices from 1):

    R_lin = sum_t [sigma r(w_{t-1}) + lambda_t^T w_{t-1}] + T sigma r*_S(-Lambda_T/(T sigma))                     (A1)
          = sum_{t<=T} D_t - sum_{t<T} E_t                                                                        (A2)
    D_t   = t sigma [r*_S(theta_t - lambda_t/(t sigma)) - r*_S(theta_t) + w_{t-1}^T lambda_t/(t sigma)]
    E_t   = t sigma r(w_t) + Lambda_t^T w_t + t sigma r*_S(-Lambda_t/(t sigma))
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.papers.pgs.setting import Setting, norm2
from dualgap.proofs_checks.papers.vocabulary import dot, plus
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector


class Play:
    """The context's run: ``w`` is w_0 .. w_T, ``sub`` is lambda_1 .. lambda_T, ``batches`` the A_t."""

    def __init__(self, c: Context) -> None:
        self.setting = Setting(c.instance)
        self.batches = c.instance.path
        self.problem = losses_of(c.instance)
        self.w, self.sub = played(c, self.problem)

    @property
    def T(self) -> int:
        """The rounds."""
        return len(self.batches)

    def minus_Lambda(self, t: int) -> Vector:
        """-Lambda_t."""
        total = [Q(0)] * self.problem.d
        for sub in self.sub[:t]:
            total = plus(total, -1, sub)
        return total

    def cost(self, t: int, u: Vector) -> Number:
        """c_t(u) = sigma r(u) + g_t(u)."""
        return self.setting.sigma * self.setting.r(u) + batch_loss(self.problem, self.batches[t - 1], u)

    def norm2(self, t: int) -> Number:
        """||lambda_t||_q^2."""
        return norm2(self.sub[t - 1], self.setting.q)

    @cached_property
    def bound(self) -> Number:
        """(15): (1/2) sum_t ||lambda_t||_q^2/(t sigma)."""
        return sum((self.norm2(t) / (2 * t * self.setting.sigma) for t in range(1, self.T + 1)), Q(0))

    @cached_property
    def linear_regret(self) -> Number:
        """R_lin, (A1)."""
        s, sigma = self.setting, self.setting.sigma
        played = sum((sigma * s.r(w) + dot(sub, w) for w, sub in zip(self.w, self.sub)), Q(0))
        return played + self.T * sigma * s.conjugate([v / (self.T * sigma) for v in self.minus_Lambda(self.T)])

    def D(self, t: int) -> Number:
        """Return the term of strong convexity in round t."""
        s, scale = self.setting, t * self.setting.sigma
        theta = [v / scale for v in self.minus_Lambda(t - 1)]
        after = plus(theta, -1 / scale, self.sub[t - 1])
        return scale * (s.conjugate(after) - s.conjugate(theta)) + dot(self.w[t - 1], self.sub[t - 1])

    def E(self, t: int) -> Number:
        """Return the distance of w_t from the solution without the regularizer of round t + 1."""
        s, scale, v = self.setting, t * self.setting.sigma, self.minus_Lambda(t)
        return scale * s.r(self.w[t]) - dot(v, self.w[t]) + scale * s.conjugate([v_j / scale for v_j in v])


def losses_of(instance: Instance) -> Problem:
    """The instance's rows, labels and loss in rationals."""
    return instance.but(p=None, ball=None).problem(arithmetic())


class Losses:
    """The losses at u of the rows that batches ask for, each found once."""

    def __init__(self, problem: Problem, u: Vector) -> None:
        self.problem = problem
        product = cache(lambda i: problem.dot(problem.rows[i], u))
        self.value = cache(lambda i: problem.loss.value(product(i), problem.y[i]))  # phi_i(x_i^T u)
        # phi_i'(x_i^T u), the project's subgradient
        self.slope = cache(lambda i: problem.loss.derivative(product(i), problem.y[i]))

    def mean(self, A_t: Sequence[int]) -> Number:
        """g_t(u), (8)."""
        return sum((self.value(i) for i in A_t), self.problem.zero) / len(A_t)

    def subgradient(self, A_t: Sequence[int]) -> Vector:
        """lambda_t = (1/|A_t|) sum phi_i'(x_i^T u) x_i."""
        total = [self.problem.zero] * self.problem.d
        for i in A_t:
            for j, x in self.problem.rows[i]:
                total[j] = total[j] + self.slope(i) * x / len(A_t)
        return total


def batch_loss(problem: Problem, A_t: Sequence[int], u: Vector) -> Number:
    """g_t(u), (8)."""
    return Losses(problem, u).mean(A_t)


def subgradient(problem: Problem, A_t: Sequence[int], w: Vector) -> Vector:
    """lambda_t at w."""
    return Losses(problem, w).subgradient(A_t)


def played(c: Context, problem: Problem) -> tuple[list[Vector], list[Vector]]:
    """The method's own iterates; the subgradients are recomputed from them."""
    state = c.method.init(c.problem)
    w, sub = [c.method.view(c.problem, state)[0]], []
    for A_t in c.instance.path:
        sub.append(subgradient(problem, A_t, w[-1]))
        state = c.method.step(c.problem, state, A_t)
        w.append(c.method.view(c.problem, state)[0])
    return w, sub


# -- minima, exactly ---------------------------------------------------------------------------------------------------


def minimum(instance: Instance, rounds: Sequence[Sequence[int]]) -> tuple[Q, Q]:
    """(min, argmin) over S of sum_t [sigma r + g_t], d = 1, for batches A_t of one size: convex, quadratic between
    kinks.

    In one dimension r(w) = w^2/(2(p-1)) for every p.
    """
    setting, problem = Setting(instance), losses_of(instance)
    curvature = len(rounds) * setting.sigma / (setting.p - 1)
    times = Counter(i for A_t in rounds for i in A_t)
    entries = [
        (dict([(0, problem.zero), *problem.rows[i]])[0], problem.y[i], problem.loss.one * times[i] / len(rounds[0]))
        for i in sorted(times)
    ]

    def value(u: Q) -> Q:
        return curvature * u * u / 2 + sum((share * problem.loss.value(x * u, y) for x, y, share in entries), Q(0))

    def slope(u: Q) -> Q:
        return curvature * u + sum((share * x * problem.loss.derivative(x * u, y) for x, y, share in entries), Q(0))

    kinks = sorted({kink / x for x, y, _ in entries if x for kink in problem.loss.kinks(y)})
    ends = [kinks[0] - 1, *kinks, kinks[-1] + 1] if kinks else [Q(-1), Q(1)]
    candidates = list(kinks)
    for low, high in zip(ends, ends[1:]):  # the zero of the slope, affine there, read at two points inside
        a, b = (2 * low + high) / 3, (low + 2 * high) / 3
        rise = (slope(b) - slope(a)) / (b - a)
        candidates.append(a - slope(a) / rise)
    if setting.ball is not None:
        candidates = [max(-setting.ball, min(setting.ball, u)) for u in candidates]
    return min((value(u), u) for u in candidates)
