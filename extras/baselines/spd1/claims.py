"""SPD1 (section of the baselines): our own consistent definition under that name; every claim here is ours.

The expectations are sums over all n d pairs (i, j) of the method's own step, in Fractions; the entries x_ij are taken
from the instance, not from the rows that the method reads.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.spd1 import strategies
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.vocabulary import MIXED_ROWS, minus, names, square
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


def saddle(c: Context) -> tuple[Vector, Vector]:
    """(w*, alpha*)."""
    return c.problem.w(c.optimum), c.optimum


def after(c: Context, state: object) -> list[tuple[Any, Q, Any]]:
    """(choice, probability, next state) for every choice."""
    return [(choice, p, c.method.step(c.problem, state, choice)) for choice, p in c.method.choices(c.problem, state)]


def largest_column(c: Context) -> Number:
    """C^2 = max_j sum_i x_ij^2."""
    return max(square(column) for column in zip(*c.instance.rows))


def weighted(c: Context, state: Any, primal: Number, dual: Number) -> Number:
    """primal ||w - w*||^2 + dual ||alpha - alpha*||^2."""
    w, alpha = saddle(c)
    return primal * square(minus(state.w, w)) + dual * square(minus(state.alpha, alpha))


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
