"""SPDC, the code: the lazy form is the dense one and costs what section 6 says; both stay near the exact run."""

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.engines.touched import Tally, count
from dualgap.proofs_checks.papers.spdc.instances import *
from dualgap.reference.methods.spdc import SPDC, SPDCState

NAMES = ("spdc", "spdc-minibatch", "spdc-nonuniform")

# -- lazy = dense ------------------------------------------------------------------------------------------------------


@st.composite
def lazy_runs(draw: DrawFn) -> Instance:
    """All three algorithms on rows with zeros, smooth losses and the hinge with delta, up to 10 steps."""
    if draw(st.sampled_from(NAMES)) == "spdc-nonuniform":
        return draw(nonuniform_instances(max_n=4, max_d=4, max_path=10, free=False))
    instance = draw(batch_instances(max_n=5, max_d=5, max_path=10, free=False, ratios=Qs(1, "1/2", "1/10", 10)))
    holes, d = draw(st.sets(st.integers(0, 24), max_size=15)), len(instance.rows[0])
    rows = tuple(
        tuple(Q(0) if i * d + j in holes else x for j, x in enumerate(row)) for i, row in enumerate(instance.rows)
    )
    # R is still a bound if a first row of zeros becomes e_1
    fits = any(map(any, rows)) or Q(instance.options["R"]) >= 1
    return instance.but(rows=nonzero(rows)) if fits else instance


THREE_SPARSE = THREE_ROWS.but(
    rows=(Qs(1, 0, 0), Qs(0, 1, 0), Qs(0, "3/5", "4/5")),
    alpha=Qs(1, "-1/2", 1),
    l1=Q(1, 10),
    extra=further(w=Qs(1, -1, 0)),
    path=(0, 1, 1, 2, 0, 0, 2, 1),
)
NONUNIFORM = UNEQUAL_NORMS.but(rows=(Qs(3, 4, 0), Qs(0, 1, 0), Qs(0, 0, 0)), path=(0, 1, 2, 0, 1))
ONE_OF_EACH = (
    THREE_SPARSE,
    THREE_SPARSE.but(method="spdc-minibatch", options={"m": 2}, lam=Q(2, 3), path=((0, 1), (1, 2), (0, 2), (1, 2))),
    NONUNIFORM.but(alpha=THREE_SPARSE.alpha, l1=THREE_SPARSE.l1, extra=THREE_SPARSE.extra),
)


@claim(
    "spdc.code.lazy",
    r"Section 6, the code: after every step the lazy form has the $w$, $\alpha$ and $u$ of the dense one, exactly",
    hypotheses=r"any smooth loss, L2 or elastic net, Algorithms 1 to 3, $\bar{w}^0 = w^0$",
    origin=PAPER.printed(
        "delayed updates",
        "(37)",
        "(38)",
        "(40)",
        "(44)",
        note=f"We read the sentence as: w, alpha and u are the same. The formulas are missing {origins.RESTORED}.",
    ),
    evidence=[exact(lazy_runs), golden(*ONE_OF_EACH, detail="one run of each algorithm, elastic net")],
    control=false_with("a lazy form whose theta is that of the sharp form", THREE_SPARSE, theta="sharp"),
    kills=bugs(
        "lambda-gamma-swapped no-extrapolation overwritten-alpha scaled-step shared-batch-order sigma-unscaled"
        " stale-w_bar steps-1/R u-scaled-increment weight-1/n weight-one wrong-u0"
    ),
)
def code_lazy(c: Context, **changed: object) -> Iterable[Relation]:
    """w, alpha and u of the method and of its lazy form after every step; ``changed``: options of the lazy form."""
    lazy = cast(SPDC, as_compiled(c.instance.method, **{**c.instance.options, **changed}))
    dense = begun(c).start
    state = lazy.init(c.problem, [c.q(a) for a in c.instance.alpha], list(c.given.w))
    for t, choice in enumerate(c.instance.path, 1):
        dense = c.method.step(c.problem, dense, choice)
        state = lazy.step(c.problem, state, choice)
        (w, alpha), (due_w, due_alpha) = lazy.view(c.problem, state), c.method.view(c.problem, dense)
        label = f"step {t}: (w, alpha, u), lazy = dense"
        yield from each(Eq, (*w, *alpha, *state.u), (*due_w, *due_alpha, *dense.u), label)


# -- what a step costs: reads of stored numbers that have an entry for every column ------------------------------------

WIDER = 50  # columns that no row has
# reads of a sparse step for each entry of its rows: w, u, last and dlt for the product, again for the move, and u twice
# for its step
PER_ENTRY = 10
PER_COLUMN = 4  # reads of a step as it is written for each column: u twice, w twice


def reads(instance: Instance, method: Any) -> list[int]:
    """Entries of the state's d-vectors that each step of the path reads."""
    problem, tally = instance.problem(), Tally()
    state, found = method.init(problem, list(instance.alpha), [problem.zero] * problem.d), []
    for choice in instance.path:
        vectors = [name for name in state.names() if name != "alpha" and isinstance(getattr(state, name), list)]
        before = tally.reads
        count(state, [name for name in vectors if len(getattr(state, name)) == problem.d], tally)
        method.advance(problem, state, choice)
        found.append(tally.reads - before)
    return found


def widened(instance: Instance, columns: int) -> Instance:
    """The instance with so many more columns, which are empty, and without a given start."""
    return instance.but(rows=tuple((*row, *(Q(0),) * columns) for row in instance.rows), extra=Extras())


def entries(instance: Instance, choice: int | tuple[int, ...]) -> int:
    """Nonzero entries of the rows drawn."""
    return sum(x != 0 for k in ((choice,) if isinstance(choice, int) else choice) for x in instance.rows[k])


@claim(
    "spdc.cost",
    "Sections 2 and 6: a step of Algorithms 1 to 3 as they are written costs $O(d)$; with delayed updates it costs in"
    " proportion to the non-zero entries of the rows drawn, whatever $d$ is, for the squared norm and with the"
    r" $\ell_1$ norm",
    hypotheses="reads of stored numbers with an entry for every column, three rows in 3 and in 53 columns",
    origin=PAPER.printed(
        "cost of a step",
        "cost of a sparse step",
        "not recommended",
        note=f"The orders O(d) are missing {origins.RESTORED}.",
    ),
    evidence=[
        golden(*ONE_OF_EACH, *(i.but(l1=Q(0)) for i in ONE_OF_EACH), detail="Algorithms 1, 2 and 3, both regularizers")
    ],
    kills=bugs("stale-w_bar"),
    control=false_with("the dense form instead of the lazy one", *ONE_OF_EACH, dense=True),
)
def cost(c: Context, dense: bool = False) -> Iterable[Relation]:
    """The reads of the lazy form (with ``dense`` of the dense form instead) and of the dense form."""
    sparse = c.method if dense else as_compiled(c.instance.method, **c.instance.options)
    narrow, wide = (widened(c.instance, columns) for columns in (0, WIDER))
    lazy = zip(c.instance.path, reads(narrow, sparse), reads(wide, sparse))
    for t, (choice, few, many) in enumerate(lazy, 1):
        yield Eq(many, few, f"step {t}, delayed updates: {WIDER} more columns cost nothing")
        drawn = entries(narrow, choice)
        yield Le(drawn, few, f"step {t}: every entry of the rows drawn needs a read")
        yield Le(few, PER_ENTRY * drawn, f"step {t}: at most {PER_ENTRY} reads for each entry of the rows drawn")
    for t, (few, many) in enumerate(zip(reads(narrow, c.method), reads(wide, c.method)), 1):
        yield Le(WIDER, many - few, f"step {t}, as the algorithm is written: every column is read")
        yield Le(many - few, PER_COLUMN * WIDER, f"step {t}: at most {PER_COLUMN} times")


# -- floats ------------------------------------------------------------------------------------------------------------


UNIT = 2.0**-53
PER_STEP = 64  # roundings, see ``rounding_bounds``


@st.composite
def doubles(draw: DrawFn) -> Instance:
    """Algorithms 1 and 2, squared loss and smoothed hinge, steps and theta that are doubles, up to 12 steps."""
    instance = draw(batch_instances(losses=("squared", "smoothed-hinge"), max_n=4, max_d=4, max_path=12, free=False))
    paper = cast(SPDC, instance.reference_method())
    p = paper.parameters(instance.problem())
    steps = {name: double(getattr(p, name)) for name in ("tau", "sigma", "theta")}
    rounded = {name: double(getattr(instance, name)) for name in ("rows", "y", "alpha", "lam", "gamma", "l1")}
    if instance.loss == "smoothed-hinge":  # rounding must not leave the domain
        rounded["alpha"] = tuple(y * min(Q(0), max(Q(-1), y * a)) for a, y in zip(rounded["alpha"], instance.y))
    options = {**instance.options, **steps}
    return instance.but(options=options, extra=further(w=double(instance.extra.w)), **rounded)


def double(value: Any) -> Any:
    """The nearest double as a rational, of every number in a tuple."""
    return tuple(map(double, value)) if isinstance(value, tuple) else Q(float(value))


def rounding_bounds(c: Context) -> Iterable[tuple[SPDCState, list[float], list[float]]]:
    """(exact state, bounds of the errors of w and of alpha) after each step, for dense and lazy floats.

    Error propagation: the dual step is 1/(q + gamma)-Lipschitz in z and nonexpansive in alpha (so is its clip), the
    primal step 1/(1 + mu tau)-Lipschitz in w and tau/(1 + mu tau)-Lipschitz in its direction. Local errors: each new
    number is made by at most nnz(x_k) + 8 operations of relative error 2^-53 (log1p and 1 - e^-x in (1 + mu tau)^-S: 7
    units) on terms whose sizes are added up below. What the lazy form has left alone for S steps it sums up in 16
    operations on E_S u, which the dense form adds up as well, and on (1 - e) w_0 with e = 1 - (1 + mu tau)^-S: their
    errors are units of |w_0|, ``asleep`` below, and do not shrink with (1 + mu tau)^-S. So local errors count in full,
    after the contraction. PER_STEP = 64 roundings for every number and step cover both forms, and the second order in
    2^-53.
    """
    c = begun(c)
    method: Any = c.method
    problem, n = c.problem, c.n
    p, m, mu = method.parameters(problem), c.instance.options.get("m", 1), float(c.mu)
    tau, sigma, theta, gamma, l1 = map(float, (p.tau, p.sigma, p.theta, c.gamma, problem.regularizer.l1))
    rows = [[(j, abs(float(x))) for j, x in row] for row in problem.rows]
    state = c.start
    w, w_bar, alpha = [0.0] * problem.d, [0.0] * problem.d, [0.0] * n
    asleep = [size(v) for v in state.w]  # |w_j| when a row with column j was drawn last
    sizes = [sum(size(a) * dict(row).get(j, 0.0) for a, row in zip(state.alpha, rows)) for j in range(problem.d)]
    u = [PER_STEP * UNIT * v for v in sizes]
    for choice in c.instance.path:
        K, after = choice if isinstance(choice, tuple) else (choice,), method.step(problem, state, choice)
        direction, kicks = [*u], [0.0] * problem.d
        for k in K:
            z = sum(x * (w_bar[j] + PER_STEP * UNIT * size(state.w_bar[j])) for j, x in rows[k])
            terms = sum(x * size(state.w_bar[j]) for j, x in rows[k])
            terms += size(problem.y[k]) + size(state.alpha[k]) / sigma
            rounding = PER_STEP * UNIT * (terms / (1 / sigma + gamma) + size(after.alpha[k]))
            new = alpha[k] + z / (1 / sigma + gamma) + rounding
            delta = alpha[k] + new + PER_STEP * UNIT * (size(after.alpha[k]) + size(state.alpha[k]))
            alpha[k] = new
            for j, x in rows[k]:
                kicks[j] += x * (delta + PER_STEP * UNIT * size(after.alpha[k] - state.alpha[k]))
        before = list(w)
        for j in range(problem.d):
            direction[j] += kicks[j] / m
            moved = tau * (size(state.u[j]) + size(after.u[j]) * n / m + size(state.u[j]) * n / m + l1)
            local = PER_STEP * UNIT * (asleep[j] + size(state.w[j]) + moved)
            w[j] = (w[j] + tau * direction[j]) / (1 + mu * tau) + local
            w_bar[j] = (1 + theta) * w[j] + theta * before[j] + PER_STEP * UNIT * (size(after.w[j]) + size(state.w[j]))
            u[j] += kicks[j] / n + PER_STEP * UNIT * (size(state.u[j]) + size(after.u[j]))
            asleep[j] = size(after.w[j]) if any(j == i for k in K for i, _ in rows[k]) else asleep[j]
        state = after
        yield state, list(w), list(alpha)


def size(value: Number) -> float:
    """|value| as a float."""
    return abs(float(value))


def in_floats(claim: Claim, run: Run) -> Evidence:
    """NUMERICAL: float runs against the exact run on the same doubles, within ``rounding_bounds``."""
    found = examine(claim, run.contexts(doubles, run.count(0.5)), None, run)
    found.level, found.detail = "NUMERICAL", "up to 12 steps"
    found.counterexample = None
    return found


FLOAT_RUN = THREE_SPARSE.but(
    rows=(Qs(1, 0, 0), Qs(0, 1, 0), Qs(0, "5/8", "3/4")),
    lam=Q(1, 4),
    l1=Q(1, 8),
    options={"tau": Q(1, 2), "sigma": Q(1, 2), "theta": Q(7, 8)},
)


@implemented(
    "spdc.code.dense-floats",
    "The code: in floats the dense and the lazy form stay within a derived bound of the exact run, and so of each"
    " other, at every step",
    hypotheses="squared loss, smoothed hinge; L2, elastic net; data, steps and theta that are doubles",
    evidence=[in_floats],
    control=false_with("tau off by a relative 1e-9", FLOAT_RUN, tampered=1e-9),
    proof=(
        "Running error analysis: each new number carries its own few roundings, and those of the numbers it is made of"
        " times the Lipschitz constant of its formula."
    ),
)
def float_relations(c: Context, tampered: float = 0.0) -> Iterable[Relation]:
    """Dense and lazy floats against the exact run; ``tampered`` changes the floats' tau by this relative amount."""
    options = {name: float(v) if isinstance(v, Q) else v for name, v in c.instance.options.items()}
    options["tau"] *= 1 + tampered
    problem = c.instance.problem(float)
    start = [float(a) for a in c.instance.alpha], [float(v) for v in c.instance.extra.w]
    runs: list[tuple[str, Any]] = [
        ("dense", c.instance.but(options=options).reference_method()),
        ("lazy", as_compiled(c.instance.method, **options)),
    ]
    states = [method.init(problem, *start) for _, method in runs]
    for t, (choice, (expected, w_bound, alpha_bound)) in enumerate(zip(c.instance.path, rounding_bounds(c)), 1):
        for r, (form, method) in enumerate(runs):
            states[r] = method.step(problem, states[r], choice)
            w, alpha = method.view(problem, states[r])
            for value, right, bound in zip((*w, *alpha), (*expected.w, *expected.alpha), (*w_bound, *alpha_bound)):
                label = f"step {t}, {form}: distance from the exact run <= its rounding bound"
                yield Le(abs(Q(value) - right), Q(bound), label)
