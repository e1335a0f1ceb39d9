"""PASSCoDe's theorem on Atomic for tau > 0: its two conditions, and M.

condition 1  6 tau (tau+1)^2 e M/sqrt(n) <= 1
condition 2  q <= 1, q = (2 L_max/R_min^2)(1 + u) u^2, u = e tau M/sqrt(n)
"""

from collections.abc import Iterable, Iterator
from itertools import product

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import altered, exact, fails_on, golden
from dualgap.proofs_checks.papers.passcode.instances import duals, in_step, orthonormal
from dualgap.proofs_checks.papers.passcode.items import NO_ERROR, PAPER, UNDEFINED
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Interval

# -- condition 1 -------------------------------------------------------------------------------------------------------


LEAST_N = (4257, 86186, 612878, 2660061)  # for tau = 1, 2, 3, 4


def hypothesis_at(tau: int, n: int) -> Instance:
    """The delay tau and the least number of rows that condition 1 admits for M = 1."""
    return orthonormal(2).but(extra=further(tau=tau, least_n=n))


@claim(
    "passcode.hypothesis-size",
    "Theorem on Atomic, condition 1: 6 tau (tau+1)^2 e M/sqrt(n) <= 1 with M >= 1 always, so it needs n >= 4257, 86186,"
    " 612878, 2660061 for tau = 1, 2, 3, 4; a smaller test of the theorem tests tau = 0 only",
    hypotheses="rows not all zero; M = max_i max_S ||sum_{t in S} Xbar_{:,t} x_it||, Xbar with rows x_i/||x_i||^2",
    evidence=[
        golden(
            *(hypothesis_at(tau, n) for tau, n in enumerate(LEAST_N, start=1)),
            detail="e enclosed by 20 digits",
            level="ENCLOSED",
        ),
        exact(duals),
    ],
    control=fails_on(hypothesis_at(1, 4256), hypothesis_at(1, 4258), text="4256 and 4258 rows for tau = 1"),
    origin=PAPER.reading("condition 1", note=f"{UNDEFINED}; {NO_ERROR}"),
    proof="S = all features: component i of Xbar x_i is x_i.x_i/||x_i||^2 = 1, so M >= M_i >= 1.",
)
def hypothesis_size(c: Context) -> Iterable[Relation]:
    for i in range(c.n):
        if c.problem.norms2[i]:
            yield Le(1, next(images(c, i, [(1,) * c.problem.d])), f"M_{i} >= ||Xbar x_{i}|| >= 1")
    if c.instance.extra.has("tau", "least_n"):
        tau, n = c.given.tau, c.given.least_n
        root = 6 * tau * (tau + 1) ** 2 * Interval(1).exp()
        yield Lt(Interval(n - 1), root * root, f"tau = {tau}: {n - 1} rows are too few")
        yield Le(root * root, Interval(n), f"tau = {tau}: {n} rows are enough for M = 1")


def images(c: Context, i: int, subsets: Iterable[tuple[int, ...]], sign: bool = True) -> Iterator[Number]:
    """||sum_{t in S} Xbar_{:,t} x_it||^2 for each 0/1 vector S, no zero rows; of |Xbar| |x_i| without ``sign``."""
    dense = [[dict(row).get(j, Q(0)) for j in range(c.problem.d)] for row in c.problem.rows]
    for inside in subsets:
        total = Q(0)
        for row, norm2 in zip(dense, c.problem.norms2):
            if norm2:
                terms = [chosen * x * other for chosen, x, other in zip(inside, row, dense[i])]
                total += (sum(terms if sign else map(abs, terms)) / norm2) ** 2
        yield total


def M2(c: Context) -> Number:
    """M^2 by its definition: the largest over all rows i and all sets S of features."""
    return max(value for i in range(c.n) for value in images(c, i, product((0, 1), repeat=c.problem.d)))


def all_features(c: Context, sign: bool = True) -> Number:
    """The same with S = all features alone; an upper bound without ``sign``."""
    return max(value for i in range(c.n) for value in images(c, i, [(1,) * c.problem.d], sign))


# orthogonal; S = {1}: M^2 = 101/4
ORTHOGONAL_PAIR = orthonormal(2).but(rows=(Qs(10, 10), Qs(1, -1)), y=Qs(1, -1))
EQUAL = [in_step(n, Q(1)) for n in (1, 2, 5)]


@claim(
    "passcode.condition-1.M",
    "Theorem on Atomic, condition 1, its M: 1 <= M <= max_i || |Xbar| |x_i| ||; M = 1 on rows without a common feature;"
    " M = sqrt(n) on n equal rows, so that there the condition holds for no tau >= 1 and no n",
    hypotheses="rows not all zero",
    origin=PAPER.reading("condition 1", note=f"{UNDEFINED}; {NO_ERROR}"),
    evidence=[exact(duals), golden(ORTHOGONAL_PAIR, orthonormal(3), *EQUAL, detail="M^2 = 101/4; orthonormal; equal")],
    control=altered("S = all features alone", lambda c: [Le(M2(c), all_features(c), "")], ORTHOGONAL_PAIR),
    proof=(
        "S = all features makes component i equal to 1. Equal rows: every component is sum_{t in S} x_t^2/||x||^2 <= 1."
        " 6 tau (tau+1)^2 e > 1."
    ),
)
def size_of_M(c: Context) -> Iterable[Relation]:
    if not c.R2:
        return
    value = M2(c)
    yield Le(1, value, "1 <= M^2")
    yield Le(value, all_features(c, sign=False), "M^2 <= max_i || |Xbar| |x_i| ||^2")
    supports = [set(dict(row)) for row in c.problem.rows]
    if not any(supports[i] & supports[j] for i in range(c.n) for j in range(i)):
        yield Eq(value, 1, "M = 1 on rows without a common feature")
    if all(row == c.problem.rows[0] for row in c.problem.rows):
        yield Eq(value, c.n, "M^2 = n on equal rows")


def q_of(u: Number, ratio: Number) -> Number:
    """(2 L_max/R_min^2)(1 + u) u^2; ``ratio`` is L_max/R_min^2."""
    return 2 * ratio * (1 + u) * u * u
