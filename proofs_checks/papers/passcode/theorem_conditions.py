"""PASSCoDe's theorem on Atomic for tau > 0: its two conditions, M and R_min, and the rate eta that they allow.

    condition 1  6 tau (tau+1)^2 e M/sqrt(n) <= 1
    condition 2  q <= 1, q = (2 L_max/R_min^2)(1 + u) u^2, u = e tau M/sqrt(n)

With k = 6 (tau + 1)^2 condition 1 is k u <= 1, and eta = 1 - (kappa/L_max)(1 - q).
"""

from dualgap.proofs_checks.papers.passcode.instances import *
from dualgap.proofs_checks.papers.passcode.items import NO_ERROR, PAPER, UNDEFINED

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


# -- condition 2 -------------------------------------------------------------------------------------------------------


def q_of(u: Number, ratio: Number) -> Number:
    """(2 L_max/R_min^2)(1 + u) u^2; ``ratio`` is L_max/R_min^2."""
    return 2 * ratio * (1 + u) * u * u


THIRD = Q(1, 3)


def largest_ratio(tau: int) -> Number:
    """k^3/(2 (k + 1)): for larger L_max/R_min^2 condition 1 no longer gives condition 2."""
    k = 6 * Q(tau + 1) ** 2
    return k**3 / (2 * (k + 1))


def constants(tau: int, u: Number, ratio: Number, contraction: Number = THIRD) -> Instance:
    """The numbers of the theorem: tau, u, L_max/R_min^2 and kappa/L_max."""
    return orthonormal(2).but(extra=further(tau=tau, u=u, ratio=ratio, contraction=contraction))


def theorems_constants() -> SearchStrategy[Instance]:
    """tau up to 4, u on either side of what condition 1 admits, L_max/R_min^2 on either side of ``largest_ratio``."""

    def scaled(tau: int, u: Number, ratio: Number, contraction: Number) -> Instance:
        return constants(tau, u / (6 * (tau + 1) ** 2), ratio * largest_ratio(tau), contraction)

    parts = st.sampled_from(Qs(1, "1/2", "9/10", "11/10", 2, "1/50"))
    return st.builds(scaled, st.integers(0, 4), parts, parts, st.sampled_from(Qs(1, "1/3", "1/100")))


AT_THE_EDGE = [constants(tau, Q(1, 6 * (tau + 1) ** 2), largest_ratio(tau)) for tau in (1, 2, 3, 4)]


@claim(
    "passcode.condition-2",
    "Theorem on Atomic, condition 2 and eta for tau > 0: condition 2 says that eta <= 1; eta is 1 - kappa/L_max at tau"
    " = 0 and grows with u = e tau M/sqrt(n); condition 1, u <= 1/k, k = 6 (tau+1)^2, gives condition 2 where"
    " L_max/R_min^2 <= k^3/(2 (k+1)), 6912/25 for tau = 1, with equality at u = 1/k",
    hypotheses="any numbers tau >= 0, u >= 0, L_max/R_min^2 > 0 and 0 < kappa/L_max <= 1",
    origin=PAPER.ours("condition 2", "condition 1", "Theorem"),
    evidence=[exact(theorems_constants), golden(*AT_THE_EDGE, detail="equality, tau = 1, 2, 3, 4")],
    control=false_with(
        "for twice that ratio",
        *(constants(tau, Q(1, 6 * (tau + 1) ** 2), 2 * largest_ratio(tau)) for tau in (1, 4)),
        factor=2,
    ),
    proof="eta - 1 = (kappa/L_max)(q - 1); q grows with u, and at u = 1/k it is 2 (L_max/R_min^2)(k+1)/k^3.",
)
def condition_2(c: Context, factor: int = 1) -> Iterable[Relation]:
    given, tau = c.given, c.given.tau
    u, ratio, contraction = given.u, given.ratio, given.contraction
    q = q_of(u, ratio)
    eta, later = 1 - contraction * (1 - q), 1 - contraction * (1 - q_of(2 * u, ratio))
    yield Eq(int(eta <= 1) + 1, int(q <= 1) + 1, "eta <= 1 where condition 2 holds, and nowhere else")
    yield Le(1 - contraction, eta, "eta is least at tau = 0")
    yield Le(eta, later, "eta grows with u")
    if 6 * (tau + 1) ** 2 * u <= 1 and ratio <= factor * largest_ratio(tau):
        yield Le(q, 1, "condition 1 gives condition 2")
    if u * 6 * (tau + 1) ** 2 == 1 and ratio == largest_ratio(tau):
        yield Eq(q, 1, "equality at u = 1/k")
