"""SAG: its published rate, what is meant by L, and the lazy form.

Expectations are over all index paths: by second moments for squared loss, where a step is affine in the state, else by
the tree of paths. The bound begins at C_0 >= (1 + 8/n)(P(w^0) - P*), so that it says nothing in the first 8n ln(1 +
8/n) steps. The form that is run on data, the regularizer outside the table, stands in ``sag_outside``.
"""

from collections.abc import Mapping
from dataclasses import replace

from dualgap.extras.baselines.sag import strategies
from dualgap.extras.baselines.sag.lazy import LazySAG
from dualgap.extras.baselines.sag.strategies import ANALYSED, OUTSIDE, begun, square_of_radius
from dualgap.extras.baselines.terms import *
from dualgap.proofs_checks.engines.affine import Moments, Step, flat, quadratic
from dualgap.proofs_checks.evidence.trajectories import NODES
from dualgap.reference.methods.base import State

NO_SQUARE = (
    "AdaSPDC prints L = max ||a_i|| for the smoothed hinge, which bounds the slope of phi_i(a_i^T x) itself, and tries"
    " steps between 1/(16L) and 1/L; it says nothing of P. Whoever takes that L for the constant in SAG's theory, on"
    " rows of another norm than 1, gets this; this is not an error in AdaSPDC"
)
THEOREM = (
    "phi_i convex and (1/gamma)-smooth, g = (lam/2)||w||^2, uniform order, a = 1/(16L), L = R^2/gamma + lam, divisor n,"
    " regularizer in the table"
)
HORIZON = 80

# -- runs written down -------------------------------------------------------------------------------------------------


THREE = MIXED_ROWS.but(method="sag", path=(0, 1, 2, 0))
SEEN = THREE.but(
    options={"step": Q(1, 8)},
    extra=further(due_1=Qs("43/384", "941/9216", "9775/110592"), due_2=Qs("-9/128", "-235/1536", "-8561/36864")),
)
BY_N = THREE.but(
    options={"step": Q(1, 8), "divide": "n"},
    extra=further(due_1=Qs("11/288", "241/6912", "2507/82944"), due_2=Qs("-25/576", "-863/6912", "-33661/165888")),
)
FROM_TABLE = THREE.but(  # by hand: f_1'(w^0) = (1/3, 0), f_3'(w^1) = (71/216, 1), and w^k = w^{k-1} - G/24
    options={"step": Q(1, 8), "divide": "n", "regularizer_in_table": True},
    path=(0, 2),
    extra=further(w=Qs(1, 0), due_1=Qs("71/72", "4969/5184"), due_2=Qs(0, "-1/24")),
)


def iterates(c: Context) -> Iterator[Vector]:
    """w after every step of the path."""
    state = begun(c).start
    for choice in c.instance.path:
        state = c.method.step(c.problem, state, choice)
        yield c.method.view(c.problem, state)[0]


@claim(
    "baselines.sag.golden",
    "SAG from 0 on three rows, a = 1/8: the iterates after the steps 2 to 4, for both divisors, as computed once by a"
    " program that shares nothing with this one; and two steps with the regularizer in the table",
    hypotheses="squared loss, lam = 1/3",
    origin=PAPER.ours("SAG, method"),
    evidence=[golden(SEEN, BY_N, FROM_TABLE, detail="4 steps of both divisors")],
    control=altered(
        "m rows seen for n", lambda c: golden_run(Context(c.instance.but(options={"step": Q(1, 8)}))), BY_N
    ),
    kills=["baselines.sag-forgotten-new", "baselines.sag-stale-count", "baselines.sag-no-difference"],
)
def golden_run(c: Context) -> Iterable[Relation]:
    wanted = list(zip(c.given.due_1, c.given.due_2))
    for t, (w, expected) in enumerate(zip(list(iterates(c))[-len(wanted) :], wanted)):
        yield from each(Eq, w, expected, f"w_#, {len(wanted) - 1 - t} steps before the end")


# -- lazy = dense ------------------------------------------------------------------------------------------------------


class Folding(LazySAG):
    """The lazy form that moves all coordinates as soon as beta is below 1/4."""

    span = 4


TABLE_KNOWN = SEEN.but(alpha=Qs(1, "-1/2", 2), extra=further(known=1), path=(0, 2, 2, 1))
NOTHING_LEFT = SEEN.but(options={"step": 3}, extra=Extras())  # 1 - a lam = 0
FIVE = SEEN.but(options={}, rows=(Qs(3, 4), Qs(1, 1), Qs(0, -1)), extra=Extras())


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


def same_run(c: Context, lazy: Any, what: str) -> Iterable[Relation]:
    """What the context's method and ``lazy`` give after every step: w, or both vectors of the view."""
    dense, state = begun(c).start, strategies.start_of(c, lazy)
    for t, choice in enumerate(c.instance.path, 1):
        dense, state = c.method.step(c.problem, dense, choice), lazy.step(c.problem, state, choice)
        shown = list(zip(lazy.view(c.problem, state), c.method.view(c.problem, dense)))
        for found, due in shown[:1] if what == "w" else shown:
            yield from (Eq(left, right, f"step {t}: {what}, lazy = dense") for left, right in zip(found, due))


# -- the theorem -------------------------------------------------------------------------------------------------------


class Bound:
    """P(w^0), P*, C_0 and the factor of the theorem, for an L."""

    def __init__(self, c: Context, L: Number, centred: bool = False) -> None:
        p, w = c.problem, begun(c).start.w
        star = p.w(c.optimum)
        self.start, self.least = p.P(w), p.P(star)
        self.to_go = self.start - self.least
        distance2 = square(minus(w, star))
        if centred:
            self.C_0 = 3 * self.to_go / 2 + 4 * L / p.n * distance2
        else:
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


def smoothness(c: Context) -> Number:
    """R^2/gamma + lam, from the instance."""
    return square_of_radius(c.instance) / c.gamma + c.instance.lam


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


def printed(instance: Instance, factor: int = 16) -> Instance:
    """The instance with a = 1/(factor L), L = max ||x_i||/gamma + lam; the largest row has one entry."""
    radius = max(abs(x) for row in instance.rows for x in row)
    return instance.but(
        options={**instance.options, "step": 1 / (factor * (radius / (instance.gamma or 1) + instance.lam))}
    )


def not_squared(instance: Instance) -> Control:
    """The claim is false on the instance with R instead of R^2 in the step."""
    return fails_on(printed(instance), text="the step 1/(16L) with R for R^2")


@implemented(
    "baselines.sag.moments",
    "The second moments by which the rates below are checked give E P(w^k) over all paths, k <= 4",
    hypotheses="squared loss",
    evidence=[Enumerated(strategies.sag_starts, 0.1), Enumerated(strategies.sag_starts_outside, 0.1)],
    control=false_with("the moments of the regularizer outside the table", UNEQUAL, options=OUTSIDE),
)
def moments(c: Context, options: Mapping[str, object] | None = None) -> Iterable[Relation]:
    """Both engines, the moments those of the method with these options."""
    other = begun(Context(c.instance.but(options=options or c.instance.options)))
    means = expectations(c.method, c.problem, begun(c).start, 4, lambda s: c.problem.P(s.w))
    yield from each(Eq, expected_P(other, other.start, 4), means, "E P(w^#)")


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


@claim(
    "baselines.sag.theorem-centred",
    "Theorem 1, from the table y_i = f_i'(w^0) - P'(w^0): the same with C_0 = (3/2)(P(w^0) - P*) + (4L/n)||w^0 -"
    " w*||^2",
    hypotheses=THEOREM,
    origin=PAPER.reading("SAG, Theorem 1", note=RESTATED),
    evidence=[golden(ONE_ROW, UNEQUAL, level="ENUMERATED", detail="k <= 80"), Enumerated(strategies.sag_starts, 0.05)],
    control=not_squared(LONG_ROW),
)
def theorem_centred(c: Context) -> Iterable[Relation]:
    state = begun(c).start.copy()
    y = [row_gradient(c, i, state.w) for i in range(c.n)]
    mean = [sum(column, c.problem.zero) / c.n for column in zip(*y)]
    state.y = [tuple(a - b for a, b in zip(y_i, mean)) for y_i in y]
    yield from rate(c, state, Bound(c, smoothness(c), centred=True))


@claim(
    "baselines.sag.theorem-convex",
    "Theorem 1, without strong convexity: (1/k) sum_{l < k} E P(w^l) - P* <= 32 n C_0/k, and so for P at the average of"
    " w^0 .. w^{k-1}",
    hypotheses=THEOREM,
    origin=PAPER.reading("SAG, Theorem 1", note=RESTATED),
    evidence=[Enumerated(strategies.sag_starts, 0.02)],
    control=not_squared(LONG_ROW),
)
def theorem_convex(c: Context) -> Iterable[Relation]:
    bound, values = Bound(c, smoothness(c)), expected_P(c, begun(c).start, 400)
    for k in (300, 400):
        if k < len(values):
            yield Le(sum(values[:k], Q(0)) / k - bound.least, 32 * c.n * bound.C_0 / k, f"k = {k}", trivial=bound.to_go)


# -- L without the square ----------------------------------------------------------------------------------------------


TEN = LONG_ROW.but(rows=(Qs(10),), lam=Q(5, 4), extra=further(w=Qs(1), factor=1, due=Q(-8)))
HUNDRED = LONG_ROW.but(extra=further(w=Qs(1), factor=16, due=Q(-5)))
UNIT = ONE_ROW.but(lam=Q(5, 4), extra=further(w=Qs(1), factor=16))


def bounded(c: Context, squared: bool) -> Iterable[Relation]:
    """P(w^k) - P* <= P(w^0) - P* for k <= 5, on one row, with the square of R in L or without."""
    step = "practice" if c.instance.extra.factor == 1 else "theory"
    instance = c.instance.but(options={**c.instance.options, "step": step})
    own = begun(Context((instance if squared else printed(c.instance, c.instance.extra.factor)).but(path=(0,) * 5)))
    values = [own.problem.P(w) for w in iterates(own)]
    least = own.problem.P(own.problem.w(own.optimum))
    for k, value in enumerate(values, 1):
        yield Le(value - least, own.problem.P(own.start.w) - least, f"P(w^{k}) - P* <= P(w^0) - P*")
    if c.instance.extra.has("due"):
        for k, w in enumerate(iterates(own), 1):
            yield Eq(w[0], c.given.due**k, f"w^{k}")


@refuted(
    "baselines.sag.step-printed",
    "AdaSPDC, section 4.2, SAG's step 1/L or 1/(16L) with L = max ||a_i|| (over gamma) taken for squared loss: on one"
    " row, where SAG is gradient descent, P never rises",
    hypotheses="squared loss; L = R/gamma + lam, the square of R left out",
    origin=PAPER.inference("SAG, its step in AdaSPDC", note=NO_SQUARE),
    evidence=[
        golden(
            TEN, HUNDRED, detail="a row of norm 10 with 1/L: w^5 = -32768 from 1; of norm 100 with 1/(16L): w^5 = -3125"
        )
    ],
    control=holds_on(UNIT, UNIT.but(extra=further(w=Qs(1), factor=1)), text="a row of norm 1"),
)
def step_printed(c: Context) -> Iterable[Relation]:
    yield from bounded(c, squared=False)


@claim(
    "baselines.sag.step-printed.repaired",
    "AdaSPDC, section 4.2, SAG's step, repaired, 1/L or 1/(16L) with L = R^2/gamma + lam: on one row P never rises",
    hypotheses="squared loss, one row, any norm",
    origin=PAPER.ours("SAG, its step in AdaSPDC"),
    evidence=[
        golden(
            *(replace(i, extra=further(w=Qs(1), factor=i.extra.factor)) for i in (TEN, HUNDRED, UNIT)),
            detail="the same rows",
        )
    ],
    control=altered("R for R^2", step_printed, TEN, HUNDRED),
    proof="Gradient descent on an L-smooth function with a step of at most 1/L.",
)
def step_repaired(c: Context) -> Iterable[Relation]:
    yield from bounded(c, squared=True)
