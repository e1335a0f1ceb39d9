"""SPDC on sum_i phi_i(A_i^T x)/n with matrices A_i, the generalization that section 5 calls ready: ||A_i||_2 in the
place of ||a_i||.

The method is ``adaspdc-r`` with one R for all R_i, which on rows is Algorithm 2 with theta of R; the blocks are pairs
of an instance's rows.
"""

from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import NODES, saddle_of_squared
from dualgap.proofs_checks.papers.spdc.rates import distance2
from dualgap.proofs_checks.papers.spdc.strategies import batch_instances, batches_sharp, begun, root_above
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Squared
from dualgap.reference.methods.adaspdc import AdaSPDCR


def same_steps(c: Context) -> Iterable[Relation]:
    """A step of Algorithm 2 and one of adaspdc-r with R for every R_i, from one state."""
    state, m, R = begun(c).state, c.instance.options.get("m", 1), c.instance.options["R"]
    theirs = AdaSPDCR(m=m, sampling=c.instance.options.get("sampling", "subset"), norms=[R] * c.n)
    table: list[tuple[Any, Any]] = c.method.choices(c.problem, state)
    yield Eq(
        int(
            [K if isinstance(K, tuple) else (K,) for K, _ in table] == [K for K, _ in theirs.choices(c.problem, state)]
        ),
        1,
        "the same batches",
    )
    for K, _ in table:
        here, there = (
            c.method.step(c.problem, state, K),
            theirs.step(c.problem, state, K if isinstance(K, tuple) else (K,)),
        )
        for name in ("w", "w_bar", "u", "alpha"):
            for j, (a, b) in enumerate(zip(getattr(here, name), getattr(there, name))):
                yield Eq(a, b, f"{name}_{j}, K = {K}")


ROWS = Instance(
    rows=(Qs(1, 0), Qs(0, 1), Qs("3/5", "4/5"), Qs(1, 0)),
    y=Qs(1, -1, 2, 0),
    alpha=Qs(1, 0, -1, 3),
    lam=Q(1, 50),
    gamma=Q(1),
    method="spdc-minibatch",
    options={"m": 1, "R": Q(2)},
)


@claim(
    "spdc.matrices.rows",
    "Section 5, A_i of one column: Algorithm 2 with theta of R is adaspdc-r with R for every R_i, step by step, whose"
    " code takes matrices",
    hypotheses="any smooth loss, L2 or elastic net",
    origin=PAPER.ours("matrices A_i"),
    evidence=[exact(batches_sharp, 0.5)],
    kills=[
        "spdc.no-extrapolation",
        "spdc.scaled-step",
        "spdc.steps-1/R",
        "spdc.shared-batch-order",
        "spdc.u-scaled-increment",
    ],
    control=altered("with theta of 2R", same_steps, ROWS.but(lam=Q(1, 100))),
)
def rows_as_blocks(c: Context) -> Iterable[Relation]:
    yield from same_steps(c)


def pairs() -> SearchStrategy[Instance]:
    """Squared loss, L2, four rows or two: two blocks or one; well-conditioned, so that the bound says something
    soon.
    """
    return (
        batch_instances(losses=("squared",), l1=Qs(0), max_n=2, max_d=2, max_path=0, free=False, ratios=Qs(1, 2, "1/2"))
        .map(doubled)
        .map(in_blocks)
    )


def doubled(instance: Instance) -> Instance:
    """Every row beside itself turned around and halved: blocks of two columns."""
    halves = tuple(tuple(-x / 2 for x in reversed(row)) for row in instance.rows)
    rows = tuple(row for pair in zip(instance.rows, halves) for row in pair)
    return instance.but(
        rows=rows,
        y=tuple(v for v in instance.y for _ in range(2)),
        alpha=tuple(v for v in instance.alpha for _ in range(2)),
        path=(),
    )


def in_blocks(instance: Instance) -> Instance:
    """The instance for the method that takes blocks; its R is made there."""
    return instance.but(method="adaspdc-r", options={"m": instance.options.get("m", 1)})


def block_problem(c: Context) -> BlockProblem:
    """Rows 2i and 2i + 1 as the columns of A_i, phi_i the sum of both losses."""
    rows, y = c.instance.rows, c.problem.y
    A = [[[first, second] for first, second in zip(*rows[i : i + 2])] for i in range(0, c.n, 2)]
    return BlockProblem(
        A,
        [y[i : i + 2] for i in range(0, c.n, 2)],
        Separable(Squared(c.gamma)),
        c.instance.regularizer(),
        number=c.arithmetic,
    )


def in_distance(c: Context, share: Number) -> Iterable[Relation]:
    """The distances of the block run over all paths, t <= 12; ``share`` of the second term of theta."""
    problem, m = block_problem(c), c.instance.options.get("m", 1)
    R = root_above(max(a + b for a, b in zip(c.problem.norms2[::2], c.problem.norms2[1::2])))  # Frobenius
    kind: Any = type(c.method)
    method = kind(m=m, norms=[R] * problem.n)
    scale = problem.n * c.mu / (m * c.gamma)
    root = sqrt(scale)
    tau, sigma, theta = (
        1 / (2 * R * root),
        root / (2 * R),
        1 - 1 / (Q(problem.n, m) + share * R * problem.n / (m * c.gamma * root)),
    )
    # twice the problem of the rows, whose g is half as large
    flat_star = saddle_of_squared(c.instance.but(lam=c.mu / 2).problem())
    w_star = problem.w(list(zip(flat_star[::2], flat_star[1::2])))
    start = method.init(problem, [tuple(c.instance.alpha[i : i + 2]) for i in range(0, c.n, 2)])

    def measured(state: Any, weight: Number) -> Number:
        flat = [a for block in state.alpha for a in block]
        return (1 / (2 * tau) + c.mu) * distance2(state.w, w_star) + (weight / sigma + c.gamma) * distance2(
            flat, flat_star
        ) / m

    bound, at_start, visited = measured(start, Q(1, 2)), measured(start, Q(1, 4)), 0
    for t, layer in enumerate(distributions(method, problem, start)):
        visited += len(layer)
        if t:
            bound = theta * bound
            yield Le(
                sum((p * measured(state, Q(1, 4)) for p, state in layer), Q(0)),
                bound,
                f"t = {t}: E distances <= theta^t C",
                trivial=at_start,
            )
        if t == 12 or visited + len(method.choices(problem, start)) * len(layer) > NODES:
            return


LINE = doubled(
    Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1, 16), gamma=Q(1), method="spdc-minibatch", options={"m": 1})
)


@claim(
    "spdc.matrices",
    "Section 5, matrices A_i: with R >= ||A_i||_2 and theta of R, (1/(2 tau) + lam) E||w^t - w*||^2 + (1/(4 sigma) +"
    " gamma) E||alpha^t - alpha*||^2/m <= theta^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + (1/(2 sigma) + gamma) ||alpha^0 -"
    " alpha*||^2/m], alpha_i in R^2",
    hypotheses="squared loss, L2; one or two blocks of two columns, w^0 = w(alpha^0); R the Frobenius norm rounded up",
    origin=PAPER.ours(
        "matrices A_i", note="The paper says that its algorithms and theory carry over; which theorem, it leaves open."
    ),
    evidence=[Enumerated(pairs, 0.3), golden(in_blocks(ROWS), in_blocks(LINE), level="ENUMERATED")],
    kills=["spdc.blocks-root-inverted"],
    control=altered("half of the second term of theta in the rate", lambda c: in_distance(c, Q(1, 2)), in_blocks(LINE)),
    proof="That of spdc.theorem-1d: of the rows it uses ||A_i delta|| <= R ||delta|| and ||X||^2 <= sum ||A_i||_2^2.",
)
def matrices(c: Context) -> Iterable[Relation]:
    if c.n % 2 == 0:
        yield from in_distance(c, Q(1))
