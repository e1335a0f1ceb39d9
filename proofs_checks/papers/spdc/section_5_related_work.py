"""SPDC, section 5: the batch method of Chambolle and Pock, which is the case m = n, and matrices A_i instead of rows.

(30), (34)   min_w max_alpha alpha^T K w + G(w) - F*(alpha), K = X/n, G = g, F* = (1/n) sum phi_i*
(31)-(33)    alpha+ = argmax <K w_bar, a> - F*(a) - ||a - alpha||^2/(2 sigma_CP); w+ = argmin <K^T alpha+, w> + G(w)
             + ||w - w^t||^2/(2 tau); w_bar+ = w+ + theta (w+ - w);  sigma_CP = n sigma
Table 2      mu = 2 sqrt(n lam gamma)/||X||_2, tau = mu/(2 lam), sigma = mu/(2 gamma), theta = 1/(1 + mu)
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, cast

import numpy as np
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    FIXED_GAMMA,
    THREE_HINGES,
    THREE_ROWS,
    batch_instances,
    batches,
    column,
    root_above,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import (
    NODES,
    saddle_of_squared,
    semidefinite_pivots,
    small_tree,
)
from dualgap.proofs_checks.papers.spdc.setting import ANYWHERE, ASSUMED, Setting, bugs
from dualgap.proofs_checks.papers.vocabulary import minus, square
from dualgap.reference import Squared
from dualgap.reference.methods.spdc import SPDC, SPDCState
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem

# -- m = n -------------------------------------------------------------------------------------------------------------


# m = n.
full_batches = Pool("spdc.full_batches", lambda: batch_instances(max_n=3).map(whole))


def whole(instance: Instance) -> Instance:
    """The instance with m = n and the same rho."""
    n, old = len(instance.rows), instance.options.get("m", 1)
    steps = tuple(tuple(range(n)) for _ in instance.path)
    options = {**instance.options, "m": n, "sampling": "subset"}
    return instance.but(method="spdc-minibatch", lam=instance.lam * n / old, options=options, path=steps)


def below(rows: tuple[tuple[Fraction, ...], ...], N2: Number) -> bool:
    """Whether N2 >= ||X||_2^2, exactly: N2 I - X^T X is semidefinite."""
    X = np.array(rows, dtype=object)
    d: int = X.shape[1]
    return semidefinite_pivots(N2 * np.eye(d, dtype=int).astype(object) - X.T @ X) == d


def chambolle_pock(instance: Instance, mu: Fraction, N: Fraction) -> Instance:
    """The instance with m = n and Chambolle and Pock's steps, mu = 2 sqrt(n lam gamma)/N, N for ||X||_2."""
    n, gamma = len(instance.rows), FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    lam = (mu * N) ** 2 / (4 * n * gamma)
    options = {"m": n, "tau": mu / (2 * lam), "sigma": mu / (2 * gamma), "theta": 1 / (1 + mu)}
    return instance.but(method="spdc-minibatch", lam=lam, options=options, path=(), extra=instance.extra | further(N=N))


@st.composite
def smooth_full_batches(draw: DrawFn, /) -> Instance:
    """m = n with the steps of Chambolle and Pock; N within 1/8 of the Frobenius norm above ||X||_2, or twice that."""
    instance = draw(batch_instances(max_n=3, max_d=2, max_path=0, free=False, anywhere=True))
    frobenius = root_above(sum((x * x for row in instance.rows for x in row), Q(0)))
    N = next(frobenius * k / 8 for k in range(1, 9) if below(instance.rows, (frobenius * k / 8) ** 2))
    mu = draw(st.sampled_from(Qs(2, "1/2", "1/5", "1/20")))
    return chambolle_pock(instance, mu, N * draw(st.sampled_from((1, 1, 2))))


CP = tuple(
    chambolle_pock(base.but(extra=further(w=w, horizon=60)), mu, N)
    for base, w, mu, N in (
        (THREE_ROWS.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0))), Qs(1, 1), Q(1, 5), Q(5)),  # X^T X = diag(25, 16)
        (THREE_ROWS.but(rows=(Qs(1),) * 4, y=Qs(1, -1, 2, 0), alpha=Qs(0, 0, 0, 0)), Qs(1), Q(1, 10), Q(2)),
        (THREE_HINGES.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0)), alpha=Qs(3, -3, 0)), Qs(1, 1), Q(1, 5), Q(5)),
    )
)
SHORT = CP[0].options | {"tau": 4 * CP[0].options["tau"]}


@claim(
    "spdc.chambolle-pock",
    "Section 5, Chambolle and Pock's rate at m = n: mu = 2 sqrt(n lam gamma)/||X||_2, tau = mu/(2 lam), sigma = mu/(2"
    " gamma) (theirs is n sigma), theta = 1/(1 + mu): lam ||w^t - w*||^2 + (1 - theta) (gamma/n) ||alpha^t - alpha*||^2"
    " <= theta^t (lam ||w^0 - w*||^2 + (gamma/n) ||alpha^0 - alpha*||^2)",
    hypotheses=rf"{ASSUMED}; $N \ge \Vert X\Vert_2$ may take its place; {ANYWHERE}",
    origin=PAPER.reading(
        "Table 2",
        "(31)-(33)",
        note="Their Theorem 3 is restated, not compared with the print; Table 2's numbers are missing in our copy.",
    ),
    evidence=[Enumerated(smooth_full_batches, 0.2), golden(*CP, level="ENUMERATED", detail="N = ||X||_2, t <= 60")],
    control=fails_on(CP[0].but(options=SHORT), text="4 tau"),
)
def chambolle_pock_rate(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    yield Eq(int(below(c.instance.rows, c.given.N**2)), 1, "N >= ||X||_2")
    yield from t.in_distance(c.mu, [(1 - t.theta) * c.gamma / c.n] * c.n, [c.gamma / c.n] * c.n)


@claim(
    "spdc.table-2.norms",
    r"Section 5, Table 2: $\Vert A\Vert_2 \le \Vert A\Vert_F \le \sqrt{n} R$, the second an equality exactly where the"
    r" $a_i$ are normalized, so that Chambolle and Pock's $1 + \Vert A\Vert_2/(2 \sqrt{n \lambda \gamma})$ is in the"
    r" worst case $1 + \sqrt{\kappa}/2$",
    hypotheses=r"any rows; any $R \ge \max\, \Vert a_i\Vert$, normalized being of norm $R$",
    origin=PAPER.printed(
        "spectral and Frobenius norm",
        "equality for normalized rows",
        note=f"The formulas are missing {origins.RESTORED}: the columns that it names are the a_i.",
    ),
    evidence=[exact(batches)],
    kills=bugs("half-radius"),
    control=false_with("an equality for the norms 1 and 3", column((1, 3), "1/50", R=Q(3)), equal=True),
    proof="The largest eigenvalue of A^T A is at most their sum, which is sum ||a_i||^2.",
)
def spectral(c: Context, equal: bool | None = None) -> Iterable[Relation]:
    """||X||_2 <= ||X||_F <= sqrt(n) R; whether the second is an equality, or what ``equal`` says of it."""
    method = cast(SPDC, c.method)
    R2 = method.radius(c.problem, c.problem.norms2) ** 2
    frobenius2 = sum(c.problem.norms2, Q(0))
    yield Eq(int(below(c.instance.rows, frobenius2)), 1, "||X||_F^2 I - X^T X: pivots >= 0")
    yield Le(frobenius2, c.n * R2, "||X||_F^2 <= n R^2")
    normalized = set(c.problem.norms2) == {R2} if equal is None else equal
    yield Eq(int(frobenius2 == c.n * R2), int(normalized), "an equality exactly where every row has norm R")
    theirs, kappa = frobenius2 / (4 * c.n * c.mu * c.gamma), R2 / (c.mu * c.gamma)
    yield Le(theirs, kappa / 4, "(||X||_F/(2 sqrt(n lam gamma)))^2 <= kappa/4")


# -- matrices A_i ------------------------------------------------------------------------------------------------------
# The method is ``adaspdc-r`` with one R for all R_i, ||A_i||_2 instead of ||a_i||. The blocks are pairs of an
# instance's rows.


FOUR_ROWS = column((1,) * 4, "1/50", m=1, R=Q(2)).but(
    rows=(Qs(1, 0), Qs(0, 1), Qs("3/5", "4/5"), Qs(1, 0)), y=Qs(1, -1, 2, 0), alpha=Qs(1, 0, -1, 3), extra=Extras()
)


def pairs() -> SearchStrategy[Instance]:
    """Squared loss, L2, one or two blocks of two rows, well-conditioned, so that the bound is soon below the start."""
    limits = {"max_n": 2, "max_d": 2, "max_path": 0, "free": False, "ratios": Qs(1, 2, "1/2")}
    return batch_instances(losses=("squared",), l1=Qs(0), **limits).map(lambda i: in_blocks(doubled(i)))


def doubled(instance: Instance) -> Instance:
    """Each row followed by its reversed, negated half: blocks of two columns."""
    halves = tuple(tuple(-x / 2 for x in reversed(row)) for row in instance.rows)
    rows = tuple(row for pair in zip(instance.rows, halves) for row in pair)
    y, alpha = (tuple(v for v in values for _ in range(2)) for values in (instance.y, instance.alpha))
    return instance.but(rows=rows, y=y, alpha=alpha, path=())


def in_blocks(instance: Instance) -> Instance:
    """The instance for the method that takes blocks; its R is made there."""
    return instance.but(method="adaspdc-r", options={"m": instance.options.get("m", 1)})


def block_problem(c: Context) -> BlockProblem:
    """Rows 2i and 2i + 1 as the columns of A_i, phi_i the sum of both losses."""
    rows, y = c.instance.rows, c.problem.y
    A = [[[first, second] for first, second in zip(*rows[i : i + 2])] for i in range(0, c.n, 2)]
    targets, loss = [y[i : i + 2] for i in range(0, c.n, 2)], Separable(Squared(c.gamma))
    return BlockProblem(A, targets, loss, c.instance.regularizer(), number=c.arithmetic)


LINE = doubled(column((1,), "1/16", m=1).but(y=Qs(1), alpha=Qs(1), extra=Extras()))


@claim(
    "spdc.matrices",
    "Section 5, matrices A_i: with R >= ||A_i||_2 and theta of R, (1/(2 tau) + lam) E||w^t - w*||^2 + (1/(4 sigma) +"
    " gamma) E||alpha^t - alpha*||^2/m <= theta^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + (1/(2 sigma) + gamma) ||alpha^0 -"
    " alpha*||^2/m], alpha_i in R^2",
    hypotheses="squared loss, L2; one or two blocks of two columns, w^0 = w(alpha^0); R the Frobenius norm rounded up",
    origin=PAPER.ours(
        "matrices A_i", note="The paper says that its algorithms and theory carry over, but not which theorem."
    ),
    evidence=[Enumerated(pairs, 0.3), golden(in_blocks(FOUR_ROWS), in_blocks(LINE), level="ENUMERATED")],
    kills=bugs("blocks-root-inverted"),
    control=false_with("half of the second term of theta in the rate", in_blocks(LINE), share=Q(1, 2)),
    proof="That of Theorem 1: of the rows it uses ||A_i delta|| <= R ||delta|| and ||X||^2 <= sum ||A_i||_2^2.",
)
def rate_of_matrices(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    """The distances of the block run over all paths, t <= 12; ``share`` of the second term of theta."""
    if c.n % 2:
        return
    problem, m = block_problem(c), c.instance.options.get("m", 1)
    R = root_above(max(a + b for a, b in zip(c.problem.norms2[::2], c.problem.norms2[1::2])))  # Frobenius
    method = cast(Any, type(c.method))(m=m, norms=[R] * problem.n)
    root = sqrt(problem.n * c.mu / (m * c.gamma))
    tau, sigma = 1 / (2 * R * root), root / (2 * R)
    theta = 1 - 1 / (Q(problem.n, m) + share * R * problem.n / (m * c.gamma * root))
    # twice the problem of the rows, whose g is half as large
    flat_star = saddle_of_squared(c.instance.but(lam=c.mu / 2).problem())
    w_star = problem.w(list(zip(flat_star[::2], flat_star[1::2])))
    start = method.init(problem, [tuple(c.instance.alpha[i : i + 2]) for i in range(0, c.n, 2)])

    def measured(state: SPDCState, weight: Number) -> Number:
        flat = [a for block in state.alpha for a in block]
        alpha_part = (weight / sigma + c.gamma) * square(minus(flat, flat_star)) / m
        return (1 / (2 * tau) + c.mu) * square(minus(state.w, w_star)) + alpha_part

    bound, at_start = measured(start, Q(1, 2)), measured(start, Q(1, 4))
    for t, layer in zip(range(13), small_tree(method, problem, start, NODES)):
        if t:
            bound = theta * bound
            mean = sum((p * measured(state, Q(1, 4)) for p, state in layer), Q(0))
            yield Le(mean, bound, f"t = {t}: E distances <= theta^t C", trivial=at_start)
