"""ASPDC-i, Algorithm 3 with few inner steps: where it diverges, exactly, and what is not known.

Each inner problem satisfies ASPDC's own condition (K = R^2/((lam+kappa) n gamma) <= 1/4), and still the outer loop can
diverge in mean square when an inner call is too short: the centre is moved to a point that is not near prox(v).
The extremal family is n orthonormal rows with squared loss, whose second moments are known in closed form.
"""

from random import Random

import numpy as np

from dualgap.proofs_checks.claims.registry import OPEN
from dualgap.proofs_checks.engines.quadratic_forms import nonnegative_pivots, positive_pivots
from dualgap.proofs_checks.papers.aspdc_i.growth import Growth, growth
from dualgap.proofs_checks.papers.aspdc_i.lyapunov import Epoch, fixed
from dualgap.proofs_checks.papers.aspdc_i.second_moments import characteristic, factors, is_stable, moments_matrix
from dualgap.proofs_checks.papers.aspdc_i.words import *
from dualgap.reference.methods.aspdc_i import failure_criterion as Pi

# -- m = 1 -------------------------------------------------------------------------------------------------------------


def witnessed(n: int, m: int, form: tuple[Fraction, ...], lam: Fraction = HUNDREDTH) -> Instance:
    """Orthonormal rows with a form (v^2, v alpha, alpha^2), the same for every coordinate."""
    return orthonormal(n, m, lam).but(extra=further(form=form))


def every_coordinate(form: Sequence[Fraction], n: int) -> Matrix:
    """sum_i form(v_i, alpha_i) as a matrix in (v, alpha)."""
    vv, va, aa = form
    return np.kron(np.array([[vv, va / 2], [va / 2, aa]], dtype=object), np.identity(n, dtype=object))


def guaranteed_growth(epoch: Epoch, G: Matrix) -> Fraction:
    """The largest r = k/100 < 2 with E q(z+) >= r q(z) for all z, decided exactly."""
    after, low, high = epoch.pull_back(G), 0, 200
    while high - low > 1:
        middle = (low + high) // 2
        if nonnegative_pivots((after - Q(middle, 100) * G).tolist()) == len(G):
            low = middle
        else:
            high = middle
    return Q(low, 100)


SIX, FIVE = witnessed(6, 1, Qs(1, "-5/2", "14/5")), witnessed(5, 1, Qs(1, "-19/8", "5/2"))


def expected_errors(n: int, m: int, lam: Fraction, epochs: int) -> list[float]:
    """E||w~_s - w*||^2 for s = 0, 1, ... on orthonormal rows, y = (1, ..., 1), from Algorithm 3's own start."""
    mu = Q(4, n)
    T = moments_matrix(n, m, Q(1, 4), 1 - lam / mu)
    w_star = Q(1, n) / (lam + Q(1, n))  # per coordinate; alpha* = w* - 1
    nu, b = -w_star, (1 - w_star) / (n * mu)
    moments, found = [nu * nu, nu * b, b * b], []
    for _ in range(epochs + 1):
        found.append(n * float(moments[0]))
        moments = [sum((t * x for t, x in zip(row, moments)), Q(0)) for row in T]
    return found


def with_curves(source: Source) -> Source:
    """The same evidence, with the exact mean squares over the epochs for the figure."""

    def drawn(claim: Claim, run: Run) -> Evidence:
        evidence = source(claim, run)
        evidence.series["Algorithm 3, n = 6 orthonormal rows: E||w~_s - w*||^2"] = {
            f"m = {m}": expected_errors(6, m, Q(1, 100), 40) for m in (1, 2, 12)
        }
        return evidence

    return drawn


@refuted(
    "aspdc.algorithm-3.m-1",
    "Algorithm 3 with m = 1 inner step (N9): it converges in mean square, as each of its inner problems satisfies"
    " ASPDC's own condition",
    hypotheses="squared loss, L2, lam + kappa = 4R^2/(n gamma)",
    evidence=[
        with_curves(
            golden(
                SIX,
                FIVE,
                detail=(
                    "n = 6 and n = 5 orthonormal rows, lam = 1/100: a positive definite form of the errors grows by at"
                    " least 26/25 and 51/50 per epoch from EVERY state"
                ),
            )
        )
    ],
    control=holds_on(
        witnessed(2, 4, Qs(1, 0, 1)),
        witnessed(4, 1, Qs(1, "-5/2", "14/5")),
        text="m = 2n, and m = 1 with n = 4: no such growth",
    ),
    origin=PAPER.inference(
        "Algorithm 3",
        "(12)",
        note=(
            "the paper lets m be a constant, gives m = 2n as its example, which converges"
            " (aspdc.algorithm-3.theorem-a), and says nothing of m = 1"
        ),
    ),
    proof=(
        "q is a form of (w~ - w*, alpha~ - alpha*), read exactly off the method's own steps; E q(z_{s+1}) - r q(z_s) is"
        " positive semidefinite as a form, so E q(z_s) >= r^s q(z_0) with r > 1, from every start but the optimum."
    ),
)
def m_1(c: Context) -> Iterable[Relation]:
    epoch = Epoch(fixed(c), c.problem)
    G = every_coordinate(c.given.form, c.n)
    yield Eq(positive_pivots(G.tolist()), 2 * c.n, "q is positive definite")
    yield Lt(guaranteed_growth(epoch, G), Q(1), "E q(z_{s+1}) >= r q(z_s) for every state, with r < 1")


# -- the exact criterion -----------------------------------------------------------------------------------------------


def determinant_of_T(n: int, m: int, K: Fraction, slip: Fraction = ZERO) -> Relation:
    """det(I - T) = K Pi/(1 + K)^2 at lam -> 0; ``slip`` K E is added to Pi."""
    T, wrong = moments_matrix(n, m, K, Q(1)), slip * K * factors(n, m, K)[1]
    return Eq(
        1 + sum(characteristic(T)), K * (Pi(n, m, K) + wrong) / (1 + K) ** 2, f"det(I - T) = K Pi/(1+K)^2, m = {m}"
    )


@ours_on_algorithm_3(
    "aspdc.algorithm-3.failure-criterion",
    "Exact failure criterion of Algorithm 3 (ours): on n orthonormal rows with squared loss it diverges in mean square"
    " for all small enough lam when Pi = (2+K) - (2-K) D - (2+5K) E + (2+3K) D E < 0, D = (1 - (1+K)/n)^m, E = (1 -"
    " (1-K^2)/n)^m; det(I - T) = K Pi/(1+K)^2 at lam -> 0, and for every n, m tried T is stable there exactly when"
    " Pi > 0",
    hypotheses=r"orthonormal rows, squared loss, L2; $K = R^2/((\lambda+\kappa) n \gamma)$",
    evidence=[
        every_n(
            {"quick": 8, "default": 16, "full": 40},
            "every m <= 2n, K = 1/2, 1/3, 1/4, 1/8",
            lambda n: [orthonormal(n, 1).but(extra=further(K=K)) for K in Qs("1/2", "1/3", "1/4", "1/8")],
        )
    ],
    control=altered(
        "2 + 4K instead of 2 + 5K", lambda c: [determinant_of_T(c.n, 1, Q(1, 4), slip=Q(1))], orthonormal(6, 1)
    ),
    proof=(
        "T maps (E nu^2, E nu b, E b^2) over one epoch. det(I - T) is the value at 1 of the characteristic polynomial,"
        " which tends to +infinity: where it is negative T has a real eigenvalue above 1, and by continuity so it has"
        " for all small lam > 0."
    ),
)
def failure_criterion(c: Context) -> Iterable[Relation]:
    n, K = c.n, c.given.K
    for m in range(1, 2 * n + 1):
        stable = is_stable(moments_matrix(n, m, K, Q(1)))
        yield determinant_of_T(n, m, K)
        yield Eq(
            1 + int(Pi(n, m, K) > 0),
            1 + int(stable),
            f"Pi > 0 (2) or not (1) as the spectral radius of T says, m = {m}",
        )
        if n <= 3 and m <= 3:
            yield from moments_of_the_method(n, m, K)


def moments_of_the_method(n: int, m: int, K: Fraction) -> Iterable[Relation]:
    """T at lam > 0 against the method's own epoch, for the first coordinate: nu^2, nu b, b^2 pulled back."""
    lam, mu = Q(1, 10), 1 / (n * K)
    instance = orthonormal(n, m, lam).but(options={"kappa": to_fraction(mu - lam), "m": m})
    c, scale = Context(instance), n * mu  # b = alpha/(n mu)
    T, epoch = moments_matrix(n, m, K, 1 - lam / mu), Epoch(fixed(c), c.problem)
    for row, (j, k, factor) in zip(T, ((0, 0, Q(1)), (0, n, 1 / scale), (n, n, 1 / scale**2))):
        G = np.full((2 * n, 2 * n), Q(0))
        G[j, k] += factor / 2
        G[k, j] += factor / 2
        after = epoch.pull_back(G)
        found = (after[0][0], 2 * after[0][n] * scale, after[n][n] * scale**2)
        for expected, have, name in zip(row, found, ("nu^2", "nu b", "b^2")):
            yield Eq(1 + have, 1 + expected, f"the method's own moments, m = {m}: coefficient of {name}")


# -- what is open ------------------------------------------------------------------------------------------------------

PAIRS = ((6, 2), (5, 2), (8, 3), (10, 3), (10, 5), (7, 10))  # (n, m) with 0.2675 n < m < 1.5 n
SHARE = Q(1, 20)  # lam/mu


def candidates(n: int, m: int, random: Random) -> Iterator[Instance]:
    """Designs and slopes without end: nearly quadratic losses on orthonormal rows first, then random ones."""
    near = (Q(9, 10), *[Q(1)] * (n - 1))
    yield homogeneous([[int(i == j) for j in range(n)] for i in range(n)], [1] * n, near, m, 0)
    while True:
        d = random.randint(1, n)
        kind = random.choice(("free", "orthonormal", "few directions"))
        rows = [[random.randint(-9, 9) for _ in range(d)] for _ in range(n)]
        if kind == "orthonormal":
            rows = [[int(i == j) for j in range(n)] for i in range(n)]
        if kind == "few directions":
            rows = [rows[random.randrange(2) % n] for _ in range(n)]
        if not any(map(any, rows)):  # no data, no question
            continue
        plus, minus = ([Q(random.choice((0, 1, 2, 5, 8, 10)), 10) for _ in range(n)] for _ in range(2))
        yield homogeneous(rows, plus, minus, m, random.randrange(2**31))


def homogeneous(
    rows: Iterable[Sequence[int]], plus: Sequence[Q | int], minus: Sequence[Q | int], m: int, seed: int
) -> Instance:
    """phi_i'(z) = plus_i z for z > 0, minus_i z for z < 0; rows are scaled to (nearly) unit length."""
    unit = []
    for row in rows:
        length = sum(x * x for x in row) ** 0.5 or 1
        unit.append(tuple(Q(round(1000 * x / length), 1000) for x in row))
    zeros = Qs(*[0] * len(unit))
    return Instance(
        rows=tuple(unit),
        y=zeros,
        alpha=zeros,
        lam=SHARE,
        extra=further(plus=Qs(*plus), minus=Qs(*minus), m=m, seed=seed),
    )


def estimate(c: Context) -> Growth:
    """The growth of the instance's design and slopes."""
    given = c.instance.extra
    rows = [[float(x) for x in row] for row in c.instance.rows]
    plus, minus = ([float(x) for x in side] for side in (given.plus, given.minus))
    return growth(rows, plus, minus, given.m, float(SHARE), given.seed)


def searched(pairs: tuple[tuple[int, int], ...], designs: float) -> Source:
    """SEARCHED: the largest growth over ``designs`` times the run's count of designs and slopes."""

    def source(claim: Claim, run: Run) -> Evidence:
        evidence, random, found = Evidence("SEARCHED"), run.random(claim.id), []
        streams = [candidates(n, m, random) for n, m in pairs]
        for k in range(max(2 * len(pairs), run.count(designs))):
            instance = next(streams[k % len(pairs)])
            growth_found = estimate(Context(instance))
            found.append(growth_found.factor)
            evidence.instances += 1
            if growth_found.surely >= 1:
                evidence.violations += 1
                evidence.counterexample = evidence.counterexample or instance
        evidence.detail = (
            f"largest mean-square growth per epoch {max(found):.3f}, (n, m) in {', '.join(map(str, pairs))}, lam/mu ="
            f" {SHARE}"
        )
        evidence.series["Algorithm 3, losses that are not quadratic: growth per epoch"] = {"growth": found}
        return evidence

    return source


UNSTABLE = searched(((10, 1),), 0)


@ours_on_algorithm_3(
    "aspdc.algorithm-3.between",
    "OPEN: whether a loss that is not quadratic makes Algorithm 3 diverge for some 0.2675 n < m < 1.5 n at K = 1/4"
    " (below it squared loss does, from 1.5 n on nothing does); no failure was found, and from n/3 on there is none on"
    " orthogonal rows, as far as aspdc.algorithm-3.orthogonal-rows goes",
    hypotheses="convex piecewise quadratic losses with phi'' in [0, 1/gamma], L2, lam/mu = 1/20",
    expected=OPEN,
    evidence=[searched(PAIRS, 0.1)],
    control=Control(
        "the same search at n = 10, m = 1 finds growth", lambda claim, run: UNSTABLE(claim, run).violations > 0
    ),
)
def between(c: Context) -> Iterable[Relation]:
    yield Lt(Q(estimate(c).surely), Q(1), "mean-square growth per epoch, less five standard errors")
