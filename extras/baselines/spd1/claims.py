"""SPD1 (section of the baselines): our own consistent definition under that name; every claim here is ours.

The expectations are sums over all n d pairs (i, j) of the method's own step, in Fractions; the entries x_ij are taken
from the instance, not from the rows that the method reads.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.spd1 import strategies
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.vocabulary import MIXED_ROWS, dot, minus, names, square
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

ANY_STATE = "any state (w, alpha), alpha in the domain"
ours = partial(claim, origin=PAPER.ours("SPD1"))


# -- what the checks share ---------------------------------------------------------------------------------------------


def steps_of(c: Context, t: int) -> tuple[Number, Number]:
    """(eta_t, tau_t) by the formula, or the instance's own."""
    options = c.instance.options
    if "eta" in options:
        return Q(options["eta"]), Q(options["tau"])
    n, d = c.n, c.problem.d
    return Q(2 * d) / (c.mu * (t + 4 * d)), Q(2 * n * d) / (c.gamma * (t + 4 * n))


def placed(c: Context, w: Vector, alpha: Vector) -> Any:
    """The state of the context's method with this pair instead of its own."""
    state = c.state.copy()
    state.w, state.alpha = list(w), list(alpha)
    return state


def saddle(c: Context) -> tuple[Vector, Vector]:
    """(w*, alpha*)."""
    return c.problem.w(c.optimum), c.optimum


def after(c: Context, state: object) -> list[tuple[Any, Q, Any]]:
    """(choice, probability, next state) for every choice."""
    return [(choice, p, c.method.step(c.problem, state, choice)) for choice, p in c.method.choices(c.problem, state)]


def mean(c: Context, state: object, name: str) -> Vector:
    """E of the field after one step, minus the field before it."""
    before = getattr(state, name)
    total = [-value for value in before]
    for _, p, new in after(c, state):
        total = [sum_k + p * value for sum_k, value in zip(total, getattr(new, name))]
    return total


def largest_column(c: Context) -> Number:
    """C^2 = max_j sum_i x_ij^2."""
    return max(square(column) for column in zip(*c.instance.rows))


def fields(state: object) -> Iterable[tuple[str, int, Number]]:
    """(name, place, value) of the iterates."""
    for name in ("w", "alpha"):
        yield from ((name, k, value) for k, value in enumerate(getattr(state, name)))


# -- the golden run ----------------------------------------------------------------------------------------------------

PLAIN = MIXED_ROWS.but(
    method="spd1", options={"eta": Q(1, 2), "tau": Q(1, 2), "output": "last"}, extra=further(w=Qs(1, "-1/2"))
)
HINGE = PLAIN.but(
    rows=(Qs(1, 0), Qs(-2, 1)),
    y=Qs(1, -1),
    alpha=Qs(0, 1),
    loss="smoothed-hinge",
    gamma=Q(1, 2),
    l1=Q(1, 10),
    options={"output": "last"},
    extra=further(w=Qs(1, -1)),
)
RUN = ((0, 0), (1, 1), (0, 0), (2, 0))


# -- one step ----------------------------------------------------------------------------------------------------------


@ours(
    "baselines.spd1.step",
    "SPD1, for every (i, j): (w_j - w_j+)/eta - x_ij alpha_i is a subgradient of g_j at w_j+, d x_ij w_j -"
    " (d/tau)(alpha_i+ - alpha_i) one of phi_i* at alpha_i+, and nothing else moves; where x_ij = 0 too",
    hypotheses=f"{ANY_STATE}; any convex loss, L2 or elastic net",
    evidence=[
        golden(HINGE, PLAIN, *(PLAIN.but(path=RUN[:t]) for t in (1, 2, 3))),
        exact(strategies.spd1_states),
        exact(strategies.spd1_smooth, 0.5),
    ],
    control=false_with("without the d in d x_ij w_j", PLAIN.but(path=RUN[:3]), factor=1),
    kills=names("baselines", "spd1-lost-label spd1-skip-zeros spd1-unclipped spd1-step-without-d"),
    proof=(
        "Lines 2 and 3 are minimizations of strongly convex functions: these are their optimality conditions, by"
        " Fenchel and Young."
    ),
)
def step(c: Context, factor: int = 0) -> Iterable[Relation]:
    """The optimality conditions with this factor (default d) in the estimate of x_i^T w."""
    old, (eta, tau) = c.state, steps_of(c, c.state.t + 1)
    g, loss, y = c.problem.regularizer, c.problem.loss, c.problem.y
    for (i, j), _, new in after(c, old):
        x, q = c.instance.rows[i][j], c.problem.d / tau
        slope = (old.w[j] - new.w[j]) / eta - x * old.alpha[i]
        yield Eq(g.value([new.w[j]]) + g.conjugate([slope]), new.w[j] * slope, f"({i}, {j}): line 2")
        z = (factor or c.problem.d) * x * old.w[j] - q * (new.alpha[i] - old.alpha[i])
        yield Eq(loss.value(z, y[i]) + loss.conjugate(new.alpha[i], y[i]), new.alpha[i] * z, f"({i}, {j}): line 3")
        for (name, k, value), (_, _, before) in zip(fields(new), fields(old)):
            if (name, k) not in (("w", j), ("alpha", i)):
                yield Eq(value, before, f"({i}, {j}): {name}_{k} stands still")


# -- averages ----------------------------------------------------------------------------------------------------------


AVERAGED = PLAIN.but(path=RUN, options={**PLAIN.options, "output": "average"})


@ours(
    "baselines.spd1.average",
    "SPD1, line 4 in O(1) a step: after T steps the output is (1/T)(w^1 + .. + w^T) and (1/T)(alpha^1 + .. + alpha^T),"
    " which is a dual point",
    hypotheses="every path",
    evidence=[golden(AVERAGED), exact(strategies.spd1_averages)],
    control=false_with("(1/T)(w^0 + .. + w^{T-1})", AVERAGED, first=0),
    kills=["baselines.spd1-touch-average"],
)
def averages(c: Context, first: int = 1) -> Iterable[Relation]:
    """The output against the mean of T iterates, from number ``first``."""
    state, iterates, T = c.start, [c.start], len(c.instance.path)
    for choice in c.instance.path:
        state = c.method.step(c.problem, state, choice)
        iterates.append(state)
    if T == 0:
        return
    w, alpha = c.method.view(c.problem, state)
    for name, output in (("w", w), ("alpha", alpha)):
        for k, value in enumerate(output):
            expected = sum((getattr(s, name)[k] for s in iterates[first : first + T]), Q(0)) / T
            yield Eq(value, expected, f"{name}_{k}, T = {T}")
    yield Eq(int(all(c.problem.loss.in_domain(a, y) for a, y in zip(alpha, c.problem.y))), 1, "alpha is in the domain")


# -- the steps ---------------------------------------------------------------------------------------------------------


def empty(d: int) -> Instance:
    """One row of d zeros, the steps of the theory."""
    return Instance(rows=(Qs(*[0] * d),), y=Qs(1), alpha=Qs(0), lam=Q(1, 3), method="spd1", options={"output": "last"})


# -- the rate ----------------------------------------------------------------------------------------------------------


def weighted(c: Context, state: Any, primal: Number, dual: Number) -> Number:
    """primal ||w - w*||^2 + dual ||alpha - alpha*||^2."""
    w, alpha = saddle(c)
    return primal * square(minus(state.w, w)) + dual * square(minus(state.alpha, alpha))


def noise(c: Context) -> tuple[Number, Number]:
    """sum_j Var(x_ij alpha*_i) and sum_i Var(d x_ij w*_j)."""
    (w, alpha), rows = saddle(c), c.instance.rows
    lengths = sum((square(row) * alpha_i * alpha_i for row, alpha_i in zip(rows, alpha)), Q(0))
    products = square(x * w_j for row in rows for x, w_j in zip(row, w))
    z = [dot(row, w) for row in rows]
    return lengths / c.n - square(c.problem.minus_u(alpha)), c.problem.d * products - square(z)


# one row, one column: no noise, nothing hides a wrong label
QUIET = HINGE.but(rows=(Qs(1),), y=Qs(-1), alpha=Qs("1/2"), l1=Q(0), extra=further(w=Qs(1)))


@ours(
    "baselines.spd1.descent",
    "SPD1, one step: with sigma = tau/d, e = w - w*, a = alpha - alpha*: E [d (1+eta mu)^2/eta ||e+||^2 + (1+sigma"
    " gamma)^2/sigma ||a+||^2] <= [d (1+eta mu)^2/eta - 2 mu - eta mu^2 + 2 sigma d C^2/n] ||e||^2 + [(1+sigma"
    " gamma)^2/sigma - (2 gamma + sigma gamma^2)/n + 2 eta R^2/n] ||a||^2 + 2 eta N_w + 2 sigma N_alpha/n; hence O(1/T)"
    " with the shrinking steps",
    hypotheses=f"{ANY_STATE}; (1/gamma)-smooth loss, L2 or elastic net, any eta, tau > 0",
    evidence=[golden(HINGE, QUIET, PLAIN, PLAIN.but(path=RUN[:2])), exact(strategies.spd1_smooth, 0.5)],
    control=false_with("without the noise, at the saddle point", PLAIN, factor=0, points=(True,)),
    kills=["baselines.spd1-lost-label"],
    proof=(
        "prox_{eta g_j} contracts by 1/(1 + eta mu), prox of sigma phi_i* by 1/(1 + sigma gamma); with these weights"
        " the terms <e, u - u*> cancel; x_ij alpha_i - u*_j is x_ij a_i plus x_ij alpha*_i - u*_j, and (p + q)^2 <= 2"
        " p^2 + 2 q^2. The rest is in the docstring of the method."
    ),
)
def descent(c: Context, factor: int = 1, points: Sequence[bool] = (False, True)) -> Iterable[Relation]:
    """The inequality with factor times the noise, from the drawn point and from the saddle point (True)."""
    (eta, tau), mu, gamma, n, d = steps_of(c, c.state.t + 1), c.mu, c.gamma, c.n, c.problem.d
    sigma, (N_w, N_alpha) = tau / d, noise(c)
    A, B = d * (1 + eta * mu) ** 2 / eta, (1 + sigma * gamma) ** 2 / sigma
    primal = A - 2 * mu - eta * mu * mu + 2 * sigma * d * largest_column(c) / n
    dual = B - (2 * gamma + sigma * gamma * gamma) / n + 2 * eta * c.R2 / n
    for at_saddle in points:
        state = placed(c, *(saddle(c) if at_saddle else (list(c.given.w), c.state.alpha)))
        left = sum((p * weighted(c, new, A, B) for _, p, new in after(c, state)), Q(0))
        noisy = factor * (2 * eta * N_w + 2 * sigma * N_alpha / n)
        yield Le(left, weighted(c, state, primal, dual) + noisy, "one step")
