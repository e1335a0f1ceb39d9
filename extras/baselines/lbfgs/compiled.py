"""L-BFGS with an exact line search, compiled."""

import functools
import math
import time
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.baselines.compiled_gradients import slopes
from dualgap.extras.baselines.compiled_lanes import sum_of_products
from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.fast.compiler.doubles import quotient
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, OutOfTime, require_choices
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.intercept import InterceptObjective, objective_of_rows
from dualgap.fast.problem.losses import LOGISTIC, curvature
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.row_sums import derivatives, products_and_slopes, weighted
from dualgap.fast.problem.rows import combine, products
from dualgap.reference.problem.problem import Problem

# slopes along p that end the line search, relative to that at its start: the first two at t = 1, for dense rows or not
LOOSE, FAIR, EXACT, TIGHT = 0.7, 0.3, 0.1, 1e-3
TRIALS = 60  # of the line search
ROOM = 4  # pairs for which there is room at the start
SMALL = 100_000  # stored entries, of which a step takes far less than a tenth of a second
NO_METRIC = np.empty(0)
FRESH = 20  # X w is computed from w after so many steps, and in between from X p


class LBFGSState(FastState):
    """w, z = X w, alpha = phi'(z) and grad P(w); the last pairs s and u with 1/(s^T u); how many pairs and evaluations
    were made; the last five ||grad P||^2; where, when and of which rows the metric was made: made = 0 where there is
    none, stride = 0 where it is a diagonal.

    ``metric`` is no part of the state: it is made again from ``anchor``, ``made`` and ``stride``.
    """

    __slots__ = (
        "w",
        "z",
        "alpha",
        "gradient",
        "S",
        "U",
        "rho",
        "recent",
        "anchor",
        "pairs",
        "evaluations",
        "made",
        "stride",
        "metric",
    )
    w: Array
    z: Array
    alpha: Array
    gradient: Array
    growing = ("S", "U", "rho")  # room for twice as many pairs is made when it is needed
    S: Array
    U: Array
    rho: Array
    recent: Array
    anchor: Array
    pairs: int
    evaluations: int
    made: int
    stride: int
    metric: Any

    def __init__(self, **fields: object) -> None:
        super().__init__(**fields)
        self.metric = None

    @classmethod
    @functools.cache
    def names(cls) -> tuple[str, ...]:
        return tuple(name for name in super().names() if name != "metric")

    def kept(self) -> tuple[Array, Array, Array]:
        """The pairs."""
        return self.S, self.U, self.rho

    def make_room(self, memory: int) -> None:
        """Room for twice as many pairs, and for ``memory`` at most."""
        more = min(self.rho.size, memory - self.rho.size)
        for name in self.growing:
            kept = getattr(self, name)
            setattr(self, name, np.concatenate([kept, np.zeros((more, *kept.shape[1:]))]))


@kernel
def dot(p, q):
    """p^T q in 16 sums (``compiled_lanes``)."""
    return sum_of_products(p, q)


@kernel
def bends(code, gamma, z, alpha, y, p, out):
    """out_i <- phi_i''(z_i) p_i, alpha_i = phi_i'(z_i)."""
    if code == LOGISTIC:
        for i in range(z.size):
            share = -y[i] * alpha[i]
            out[i] = share * (1.0 - share) * p[i]
        return
    for i in range(z.size):
        out[i] = curvature(code, gamma, z[i], y[i]) * p[i]


@kernel
def next_inside(t, slope, curve, low, high):
    """Newton's next t, at most 10 t, or a t between low and high where that is outside."""
    step = slope / curve if curve > 0.0 else math.copysign(math.inf, slope)
    following = min(t - step, 10.0 * t)
    if low < following < high:
        return following
    return 0.5 * (low + high) if low > 0.0 else 0.1 * high


@kernel
def go_along(losses, start, zp, t, z, alpha):
    """z <- start + t zp, alpha <- phi'(z)."""
    code, gamma, y, _ = losses
    for i in range(z.size):
        z[i] = start[i] + t * zp[i]
    derivatives(code, gamma, z, y, alpha)


@kernel
def minimum_along(losses, start, zp, weighted, mass, rest, t, enough, z, alpha):
    """t from that t on near the minimum of P(w + t p); z and alpha are those of ``go_along``, before and after.

    Newton's method in one dimension, kept inside the interval in which the slope changes its sign. weighted: zp times
    the weights; rest: lam, w^T p and p^T p; enough: the size of a slope that ends it.
    """
    code, gamma, y, _ = losses
    lam, wp, pp = rest
    low, high, bend = 0.0, np.inf, np.empty(z.size)
    for _ in range(TRIALS):
        slope = dot(alpha, weighted) / mass + lam * (wp + t * pp)
        if abs(slope) <= enough:
            break
        if slope < 0.0:
            low = t
        else:
            high = t
        bends(code, gamma, z, alpha, y, zp, bend)
        curve = dot(bend, weighted) / mass + lam * pp  # 0 along b where no row is curved
        following = next_inside(t, slope, curve, low, high)
        if following == t:
            break
        t = following
        go_along(losses, start, zp, t, z, alpha)
    return t


@kernel
def newest_first(S, U, rho, pairs, q, factors):
    """The first loop of the two: q <- q - f u for each pair, from the newest on."""
    for k in range(min(pairs, rho.size)):
        at = (pairs - 1 - k) % rho.size
        f = rho[at] * dot(S[at], q)
        factors[k] = f
        u = U[at]
        for j in range(q.size):
            q[j] = q[j] - f * u[j]


@kernel
def oldest_first(S, U, rho, pairs, q, factors):
    """The second loop: q <- q + (f - rho u^T q) s, from the oldest on."""
    for back in range(min(pairs, rho.size)):
        k = min(pairs, rho.size) - 1 - back
        at = (pairs - 1 - k) % rho.size
        f = factors[k] - rho[at] * dot(U[at], q)
        s = S[at]
        for j in range(q.size):
            q[j] = q[j] + f * s[j]


@kernel
def solution(U, q):
    """(U^T U)^-1 q, or q divided by the diagonal U."""
    x = q.copy()
    if U.ndim == 1:
        for j in range(x.size):
            x[j] = quotient(x[j], U[j])
        return x
    for i in range(x.size):
        row = U[i]
        x_i = quotient(x[i], row[i])
        x[i] = x_i
        for k in range(i + 1, x.size):
            x[k] = x[k] - x_i * row[k]
    for i in range(x.size - 1, -1, -1):
        x[i] = quotient(x[i] - dot(U[i, i + 1 :], x[i + 1 :]), U[i, i])
    return x


class Step(NamedTuple):
    """How a step is made. The search ends where the slope along p has fallen to ``enough`` of what it was, or to
    ``fair`` at t = 1.
    """

    at_once: bool  # whether the rows are read once for X p and for the gradient at t = 1, dense rows alone
    likely: bool  # whether t = 1 is likely to be good enough
    linear: bool  # whether phi' is linear, so that the gradient is known for every t, with at_once alone
    scaled: bool  # whether t begins at the minimum for the largest phi''
    fresh: bool  # whether X w is computed again
    fair: float
    enough: float


@kernel
def direction(gradient, pairs, count, metric):
    """p = -B grad P(w) and its slope, B from the pairs and the metric, a factor or a diagonal (``solution``). An empty
    metric stands for a multiple of I: the size of the inverse of the Hessian along the last pair.
    """
    S, U, rho = pairs
    q, factors = 0.0 - gradient, np.zeros(rho.size)
    newest_first(S, U, rho, count, q, factors)
    if metric.size > 0:
        q = solution(metric, q)
    elif count > 0:
        at = (count - 1) % rho.size
        size = quotient(1.0, rho[at] * dot(U[at], U[at]))
        for j in range(q.size):
            q[j] = q[j] * size
    oldest_first(S, U, rho, count, q, factors)
    return q, dot(gradient, q)


@kernel
def slope_of(alpha, weights, mass, lam, w, total, gradient):
    """gradient <- that of P, total: sum_i s_i alpha_i x_i."""
    for j in range(total.size):
        gradient[j] = lam * w[j] - (0.0 - total[j] / mass)
    if w.size > total.size:
        gradient[total.size] = dot(weights, alpha) / mass


@kernel
def go_to(rows, losses, weights, sizes, w, zero, z, alpha, gradient):
    """z <- X w + b, alpha <- phi'(z) and the gradient of P there; sizes: S, lam and d, b is free if w is longer."""
    mass, lam, d = sizes
    total, b = np.zeros(d), w[d] if w.size > d else 0.0
    if w.any():
        products_and_slopes(rows, losses, weights, w[:d], b, 1.0, zero, np.empty(z.size), z, alpha, total)
    else:  # the start: X w is 0
        code, gamma, y, _ = losses
        z[:] = 0.0
        derivatives(code, gamma, z, y, alpha)
        combine(rows, weighted(weights, alpha), total)
    slope_of(alpha, weights, mass, lam, w, total, gradient)


@kernel
def keep(recent, gradient):
    """Append ||grad P||^2 to the last ones."""
    recent[:-1] = recent[1:].copy()
    recent[-1] = dot(gradient, gradient)


@kernel
def begin(rows, losses, weights, sizes, point):
    """The evaluation at the first point."""
    w, z, alpha, gradient, recent = point
    zero = np.zeros(z.size if w.any() else 0)
    go_to(rows, losses, weights, sizes, w, zero, z, alpha, gradient)
    keep(recent, gradient)


@kernel
def step_along(rows, losses, weights, sizes, point, pairs, count, p, first, how):
    """Go from w to w + t p, near the minimum along p, and keep the pair of the step. Return whether t = 1 was good
    enough, and whether the pair was kept. first: the slope at t = 0. point: w, z, alpha, grad P and the last
    ||grad P||^2, which change.
    """
    mass, lam, d = sizes
    w, z, alpha, gradient, recent = point
    q, b, n, t, whole = p[:d], p[d] if p.size > d else 0.0, z.size, 1.0, False
    zp, moved, slopes, total = np.empty(n), np.empty(n), np.empty(n), np.zeros(d)
    code, gamma, y, _ = losses
    rest = lam, dot(w[:d], q), dot(q, q)
    if how.at_once:
        products_and_slopes(rows, losses, weights, q, b, t, z, zp, moved, slopes, total)
    else:
        products(rows, q, zp)
        for i in range(n):
            zp[i] = zp[i] + b
    along = weighted(weights, zp)
    if how.scaled:
        t = quotient(-first, dot(along, zp) * (1.0 / gamma) / mass + lam * rest[2])  # <= the best
    if not how.at_once or t != 1.0:
        go_along(losses, z, zp, t, moved, slopes)
    if how.likely:
        whole = abs(dot(slopes, along) / mass + lam * (rest[1] + rest[2])) <= how.fair * -first
    if not whole:
        t = minimum_along(losses, z, zp, along, mass, rest, t, how.enough * -first, moved, slopes)
    following, steepness = w + t * p, np.empty(w.size)
    if how.fresh:
        go_to(rows, losses, weights, sizes, following, np.zeros(n), moved, slopes, steepness)
    elif how.linear and t != 1.0:  # total is what ``slope_of`` makes the gradient of, which is linear in t
        for j in range(d):
            before = lam * w[j] - gradient[j]
            total[j] = (0.0 - mass) * (before + t * ((0.0 - total[j] / mass) - before))
        slope_of(slopes, weights, mass, lam, following, total, steepness)
    else:
        if not how.at_once or t != 1.0:
            total[:] = 0.0
            combine(rows, weighted(weights, slopes), total)
        slope_of(slopes, weights, mass, lam, following, total, steepness)
    kept = pair_of(pairs, count, following - w, steepness - gradient)
    w[:], z[:], alpha[:], gradient[:] = following, moved, slopes, steepness
    keep(recent, gradient)
    return whole, kept


@kernel
def pair_of(pairs, count, s, u):
    """Keep a pair instead of the oldest. Return False for one that no convex function has, because of roundings."""
    S, U, rho = pairs
    along, at = dot(s, u), count % rho.size
    if not (along > 0.0 and np.isfinite(quotient(1.0, along))):
        return False
    S[at], U[at], rho[at] = s, u, quotient(1.0, along)
    return True


@register_compiled_method
class FastLBFGS(FastMethod[LBFGSState]):
    """The steps of ``dualgap.extras.baselines.lbfgs.reference``.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> FastLBFGS().run(problem, [0] * 10).w.round(9).tolist()
    [0.5, -0.5]
    """

    name: ClassVar[str] = "lbfgs"
    weighted = True
    reference: LBFGS
    state_class: ClassVar[type[LBFGSState]] = LBFGSState
    inexact = False  # whether t = 1 can be good enough without a matrix
    whole_steps = True  # t = 1 was taken at the last step. Then dense rows are read once; same bits

    def make_native(self, problem: Problem) -> Objective:
        """Return the objective that the steps minimise."""
        return objective_of_rows(problem)

    def zero(self, objective: Objective) -> Array:
        """w(0) of a penalty without a centre."""
        return np.zeros(objective.d)

    def penalised(self, w: Array) -> Array:
        """The coefficients that have a penalty, 0 for the others."""
        return w

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> LBFGSState:
        """w = w(alpha)."""
        self.reference.require_start(problem, None)
        objective, n, room = self.native(problem), problem.n, min(ROOM, self.reference.memory)
        start = np.zeros(n) if alpha is None else objective.require_alpha(alpha)
        w = self.zero(objective) if alpha is None else objective.w(start)
        d = w.size
        return self.state_class(
            w=w,
            z=np.zeros(n),
            alpha=start,
            gradient=np.zeros(d),
            S=np.zeros((room, d)),
            U=np.zeros((room, d)),
            rho=np.zeros(room),
            recent=np.zeros(5),
            anchor=np.zeros(d),
            pairs=0,
            evaluations=0,
            made=0,
            stride=0,
        )

    def advance(self, problem: Problem, state: LBFGSState, choices: ArrayLike, deadline: float = math.inf) -> None:
        """The steps of all choices. Raises OutOfTime if ``time.perf_counter()`` reaches the deadline within a step."""
        self.steps(problem, state, require_choices(choices, 1), deadline)

    def steps(self, problem: Problem, state: LBFGSState, choices: Array, deadline: float = math.inf) -> None:
        objective = self.native(problem)
        for _ in choices:
            self.evaluation(objective, state, deadline)

    def steps_until(self, problem: Problem, state: LBFGSState, most: int, gap: float, deadline: float) -> int:
        """Make steps until they tell a gap of at most that, or the deadline is reached, and at most that many, or one
        of many rows; how many. Raises OutOfTime within the first.
        """
        objective, made = self.native(problem), 0
        most = most if objective.arrays.nnz <= SMALL else 1
        while True:
            try:
                together = self.together(objective, state, (most - made, gap, deadline))
                if together == 0:
                    self.evaluation(objective, state, deadline)
            except OutOfTime:
                if made == 0:
                    raise
                return made
            made += together or 1
            told = self.reference.own_gap(problem, state)
            if made >= most or told is not None and told <= gap or time.perf_counter() >= deadline:
                return made

    def together(self, objective: Objective, state: LBFGSState, until: tuple[int, float, float]) -> int:
        """Make the next steps of ``steps_until`` in one call of compiled code, where that has them; how many. until:
        the most steps, the gap and the deadline.
        """
        return 0

    def evaluation(self, objective: Objective, state: LBFGSState, deadline: float) -> None:
        """Make one step."""
        sizes = float(objective.mass), objective.problem.regularizer.lam, objective.d
        numbers = objective.arrays.matrix, objective.losses, objective.weights, sizes
        point = state.w, state.z, state.alpha, state.gradient, state.recent
        if state.evaluations == 0 or self.is_new(state):
            begin(*numbers, point)
        else:
            self.update_metric(objective, state, deadline)
            p, first = self.descent(objective, state)
            if first < 0.0 and self.is_exact(objective, state):
                state.w = state.w + p
                state.gradient[:] = state.recent[-1] = 0.0
            elif first < 0.0:
                if state.pairs == state.rho.size < self.reference.memory:
                    state.make_room(self.reference.memory)
                how = self.how(objective, state)
                whole, kept = step_along(*numbers, point, state.kept(), state.pairs, p, first, how)
                state.pairs += kept
                self.whole_steps = whole if how.likely else self.whole_steps
        state.evaluations += 1

    def is_exact(self, objective: Objective, state: LBFGSState) -> bool:
        """Return whether w + p is the minimum, up to roundings. Then nothing is evaluated there before it is known that
        the run goes on.
        """
        return False

    def is_new(self, state: LBFGSState) -> bool:
        """Return whether z, alpha and grad P are not those of w, but of a w before a step that ``is_exact``."""
        return False

    def descent(self, objective: Objective, state: LBFGSState) -> tuple[Array, float]:
        """p and its slope, < 0; 0 where roundings leave none."""
        for _ in range(2):
            p, first = self.direction(objective, state)
            if first < 0.0 and math.isfinite(first):
                return p, first
            state.pairs = 0  # along -grad P, once more
        return p, 0.0

    def direction(self, objective: Objective, state: LBFGSState) -> tuple[Array, float]:
        """-B grad P(w), and its slope."""
        found: tuple[Array, float] = direction(state.gradient, state.kept(), state.pairs, NO_METRIC)
        return found

    def how(self, objective: Objective, state: LBFGSState) -> Step:
        """Return how the next step is made."""
        dense, grew = not objective.arrays.sparse, state.recent[-1] > state.recent[-2] > 0
        likely = bool(state.stride > 0 or self.inexact and dense and state.pairs > 0)
        linear = self.inexact and dense and objective.problem.loss.name == "squared"
        fair, enough = EXACT if linear else LOOSE if dense else FAIR, TIGHT if grew else EXACT
        return Step(
            at_once=dense and (linear or likely and self.whole_steps),
            likely=likely,
            linear=linear,
            scaled=state.stride == 0 and state.pairs == 0,
            fresh=state.evaluations % FRESH == 0,
            fair=TIGHT if grew else fair,
            enough=enough,
        )

    def update_metric(self, objective: Objective, state: LBFGSState, deadline: float) -> None:
        """Make the metric, where there is one."""

    def view(self, problem: Problem, state: LBFGSState) -> tuple[Array, Array]:
        objective = self.native(problem)
        alpha = slopes(objective, objective.z(state.w)) if self.is_new(state) else state.alpha.copy()
        return state.w.copy(), alpha

    def pair(self, problem: Problem, state: LBFGSState) -> tuple[Array, Array | None]:
        """``view``, with None for the phi_i'(x_i^T w) of a new w: its certificate computes them."""
        return (state.w.copy(), None) if self.is_new(state) else self.view(problem, state)

    def primal(self, problem: Problem, state: LBFGSState) -> float:
        """P(w), up to roundings of z."""
        objective = self.native(problem)
        z = objective.z(state.w) if self.is_new(state) else state.z
        return float(objective.P_at(z, self.penalised(state.w)[: problem.d]))


class WithIntercept(Objective):
    """The objective of an InterceptProblem in (w, b), shape (d + 1,).

    >>> from dualgap.reference import InterceptProblem, L2, Squared
    >>> objective = WithIntercept(InterceptProblem([[1.0], [0.0]], [1, 3], Squared(), L2(2)))
    >>> objective.z(np.array([1.0, 2.0])).tolist(), objective.minus_u(np.array([1.0, 3.0])).tolist()
    ([3.0, 2.0], [-0.5, -2.0])
    """

    def w(self, alpha: Array) -> Array:
        return np.append(self.gradient_conjugate(super().minus_u(alpha)), 0.0)

    def z(self, w: Array) -> Array:
        return np.asarray(super().z(w[:-1]) + w[-1])

    def minus_u(self, alpha: Array) -> Array:
        return self.with_slope(super().minus_u(alpha), alpha)

    def with_slope(self, minus_u: Array, alpha: Array) -> Array:
        """Minus the slope along b, appended."""
        return np.append(minus_u, 0.0 - dot(self.weights, alpha) / self.mass)


class FastInterceptLBFGS(FastLBFGS):
    """L-BFGS on an InterceptProblem: the steps in (w, b), where b has no penalty.

    >>> from dualgap.reference import InterceptProblem, L2, Squared
    >>> problem = InterceptProblem([[1.0], [-1.0]], [2, 4], Squared(), L2(1))
    >>> FastInterceptLBFGS().run(problem, [0] * 10).w.round(9).tolist()
    [-0.5, 3.0]
    """

    def make_native(self, problem: Any) -> Objective:
        return WithIntercept(problem)

    def zero(self, objective: Objective) -> Array:
        return np.zeros(objective.d + 1)

    def penalised(self, w: Array) -> Array:
        return np.append(w[:-1], 0.0)

    def view(self, problem: Any, state: LBFGSState) -> tuple[Array, Array]:
        """w, and alpha at the best b of that w."""
        objective, w = InterceptObjective(problem).near(self.near(state)), state.w[:-1].copy()
        return w, slopes(objective, objective.z(w))

    def pair(self, problem: Any, state: LBFGSState) -> tuple[Array, Array | None]:
        return self.view(problem, state)

    def near(self, state: LBFGSState) -> float:
        return float(state.w[-1])


FastLBFGS.with_intercept = FastInterceptLBFGS
