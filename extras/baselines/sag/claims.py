"""SAG: its published rate and the lazy form.

Expectations are over all index paths: by second moments for squared loss, where a step is affine in the state, else by
the tree of paths. The bound begins at C_0 >= (1 + 8/n)(P(w^0) - P*), so that it says nothing in the first 8n ln(1 +
8/n) steps. The form that is run on data, the regularizer outside the table, stands in ``claims_outside``.
"""

from collections.abc import Iterable

from dualgap.extras.baselines.items import PAPER, RESTATED
from dualgap.extras.baselines.primal_sums import THREE_ROWS, begun, same_run, smoothness
from dualgap.extras.baselines.sag import strategies
from dualgap.extras.baselines.sag.lazy import LazySAG
from dualgap.extras.baselines.sag.strategies import ANALYSED
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Control, claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.engines.affine import Moments, Step, flat, quadratic
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.levels import exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import NODES, Enumerated
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, minus, names, square
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

THEOREM = (
    "phi_i convex and (1/gamma)-smooth, g = (lam/2)||w||^2, uniform order, a = 1/(16L), L = R^2/gamma + lam, divisor n,"
    " regularizer in the table"
)
HORIZON = 80

# -- lazy = dense ------------------------------------------------------------------------------------------------------

SEEN = THREE_ROWS.but(method="sag", options={"step": Q(1, 8)})
BY_N = SEEN.but(options={"step": Q(1, 8), "divide": "n"})


class Folding(LazySAG):
    """The lazy form that moves all coordinates as soon as beta is below 1/4."""

    span = 4


TABLE_KNOWN = SEEN.but(alpha=Qs(1, "-1/2", 2), extra=further(known=1), path=(0, 2, 2, 1))
NOTHING_LEFT = SEEN.but(options={"step": 3})  # 1 - a lam = 0
FIVE = SEEN.but(options={}, rows=(Qs(3, 4), Qs(1, 1), Qs(0, -1)))


@claim(
    "baselines.sag.lazy",
    "SAG in O(nnz) a step: w = beta v, and v_j - G_j (S - S_last) for a column that stood still, is after every step"
    " the w of the dense form, exactly; so is the table. Also where beta is folded into v, and for a lam >= 1",
    hypotheses="smooth rational losses, regularizer outside the table, any step, both divisors",
    origin=PAPER.ours("SAG, method"),
    evidence=[
        golden(SEEN, BY_N, TABLE_KNOWN, NOTHING_LEFT, FIVE, detail="both divisors, a known table, a lam = 1"),
        exact(strategies.sag_runs, 0.6),
    ],
    control=false_with("a lazy form with the step of the other divisor", SEEN, divide="n"),
    kills=names("baselines", "sag-forgotten-new sag-late-catch-up sag-no-difference sag-radius sag-stale-count"),
    proof=(
        "Line 6' is v' = v - (a/(m beta')) G with beta' = beta (1 - a lam), and G_j stands still between two rows with"
        " an entry in column j."
    ),
)
def lazy_is_dense(c: Context, **changed: object) -> Iterable[Relation]:
    for form in (LazySAG, Folding):
        yield from same_run(c, form(**{**c.instance.options, **changed}), "(w, alpha)")


# -- the theorem -------------------------------------------------------------------------------------------------------


class Bound:
    """P(w^0), P*, C_0 and the factor of the theorem, for an L."""

    def __init__(self, c: Context, L: Number) -> None:
        p, w = c.problem, begun(c).start.w
        star = p.w(c.optimum)
        self.start, self.least = p.P(w), p.P(star)
        self.to_go = self.start - self.least
        distance2 = square(minus(w, star))
        noise = square(g for i in range(p.n) for g in row_gradient(c, i, star)) / p.n
        self.C_0 = self.to_go + 4 * L / p.n * distance2 + noise / (16 * L)
        self.factor = 1 - min(p.regularizer.lam / (16 * L), Q(1, 8 * p.n))


def row_gradient(c: Context, i: int, w: Vector) -> Vector:
    """f_i'(w), by its definition."""
    p = c.problem
    slope, found = p.loss.derivative(p.dot(p.rows[i], w), p.y[i]), [p.regularizer.lam * w_j for w_j in w]
    for j, x in p.rows[i]:
        found[j] += slope * x
    return found


def fields(state: State) -> tuple[str, ...]:
    """What a step reads and writes: with the regularizer in the table c is only written."""
    return ("w", "G", "y") if hasattr(state, "y") else ("w", "G", "c")


def expected_P(c: Context, state: State, horizon: int) -> list[Number]:
    """[E P(w^k) for k = 0, 1, ..] up to the horizon, or as far as the path tree stays small."""
    if c.instance.loss == "squared":
        step, form = Step(c.method, c.problem, state, fields(state)), quadratic(c.problem.P, c.problem.d)
        moments, values = Moments.at(flat(state, fields(state))), []
        for _ in range(horizon + 1):
            values.append(moments.expect(form))
            moments = moments.after(step)
        return values
    values, visited = [], 0
    for layer in distributions(c.method, c.problem, state):
        values.append(sum((p * c.problem.P(reached.w) for p, reached in layer), c.problem.zero))
        visited += len(layer)
        if len(values) > horizon or visited + c.n * len(layer) > NODES:
            return values
    raise AssertionError("unreachable: the layers never end")


def rate(c: Context, state: State, bound: Bound, scale: Number = 1) -> Iterable[Relation]:
    """E P(w^k) - P* <= factor^k scale C_0 for k = 1, 2, ..; from w* every bound says something."""
    right, trivial = scale * bound.C_0, bound.to_go if bound.to_go > 0 else None
    for k, value in enumerate(expected_P(c, state, HORIZON)):
        if k > 0:
            yield Le(value - bound.least, right, f"k = {k}", trivial=trivial)
        right = right * bound.factor


ONE_ROW = LONE_ROW.but(y=Qs(0), lam=Q(4), method="sag", options=ANALYSED, extra=further(w=Qs(1)))
LONG_ROW = ONE_ROW.but(rows=(Qs(100),), lam=Q(80, 19))
UNEQUAL = ONE_ROW.but(rows=(Qs(1, 0), Qs(0, 2)), y=Qs(1, -1), lam=Q(16), alpha=Qs(0, 0), extra=further(w=Qs(5, -3)))


def not_squared(instance: Instance) -> Control:
    """The claim is false on the instance with R instead of R^2 in the step; the largest row has one entry."""
    radius = max(abs(x) for row in instance.rows for x in row)
    step = 1 / (16 * (radius / (instance.gamma or 1) + instance.lam))
    return fails_on(instance.but(options={**instance.options, "step": step}), text="the step 1/(16L) with R for R^2")


@claim(
    "baselines.sag.theorem",
    "Theorem 1: E P(w^k) - P* <= (1 - min{lam/(16L), 1/(8n)})^k C_0 from the table 0, with "
    "C_0 = P(w^0) - P* + (4L/n)||w^0 - w*||^2 + (1/(16L)) (1/n) sum_i ||f_i'(w*)||^2",
    hypotheses=THEOREM,
    origin=PAPER.reading("SAG, Theorem 1", note=RESTATED),
    evidence=[
        golden(ONE_ROW, LONG_ROW, UNEQUAL, level="ENUMERATED", detail="k <= 80"),
        Enumerated(strategies.sag_starts, 0.15),
        Enumerated(strategies.sag_starts_any, 0.05),
    ],
    control=not_squared(LONG_ROW),
    kills=["baselines.sag-radius", "baselines.sag-no-difference"],
)
def theorem_1(c: Context) -> Iterable[Relation]:
    yield from rate(c, begun(c).start, Bound(c, smoothness(c)))
