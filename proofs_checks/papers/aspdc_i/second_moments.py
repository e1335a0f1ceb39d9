"""Algorithm 3 of ASPDC-i on n orthonormal rows with squared loss: the exact second moments of one epoch.

Coordinates decouple in law. For one of them let nu be the error of the centre and b = alpha/(n mu) that of the
dual variable. A step that picks the row sends b to K (chi nu - b): its fixed point is b^ = K chi nu/(1 + K) and
the distance to it is multiplied by -K. After m steps the row was picked N times, N binomial(m, 1/n), so with
F = (-K)^N

    b+ = b^ + F (b - b^),   nu+ = chi nu - b+,   E F = D = (1 - (1+K)/n)^m,   E F^2 = E = (1 - (1-K^2)/n)^m,

and (E nu^2, E nu b, E b^2) obeys a 3x3 matrix T. As lam -> 0 (chi -> 1)

    det(I - T) = K Pi/(1 + K)^2,   Pi = (2+K) - (2-K) D - (2+5K) E + (2+3K) D E,

which is ``failure_criterion`` of the reference.
"""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.evidence.levels import altered, golden
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc_i.instances import orthonormal
from dualgap.proofs_checks.papers.aspdc_i.lyapunov import Epoch, fixed
from dualgap.reference.methods.aspdc_i import failure_criterion as Pi
from dualgap.reference.numbers.rational import to_fraction

Matrix3 = list[list[Fraction]]


def moments_matrix(n: int, m: int, K: Fraction, chi: Fraction) -> Matrix3:
    """T, shape (3, 3): (nu^2, nu b, b^2) before the epoch to their expectations after it."""
    D, E = factors(n, m, K)
    g = K * chi / (1 + K)  # b^ = g nu
    a = chi - g  # nu+ = (a + g F) nu - F b,  b+ = (g - g F) nu + F b
    return [
        [a * a + 2 * a * g * D + g * g * E, -2 * (a * D + g * E), E],
        [a * g * (1 - D) + g * g * (D - E), (a - g) * D + 2 * g * E, -E],
        [g * g * (1 - 2 * D + E), 2 * g * (D - E), E],
    ]


def factors(n: int, m: int, K: Fraction) -> tuple[Fraction, Fraction]:
    """(D, E) = (E F, E F^2)."""
    return (1 - (1 + K) / n) ** m, (1 - (1 - K * K) / n) ** m


def characteristic(M: Matrix3) -> tuple[Fraction, Fraction, Fraction]:
    """(a2, a1, a0) of det(zI - M) = z^3 + a2 z^2 + a1 z + a0."""
    a, b, c = M
    minors = sum((M[j][j] * M[k][k] - M[j][k] * M[k][j] for j, k in ((0, 1), (0, 2), (1, 2))), Fraction(0))
    determinant = (
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
    return -(a[0] + b[1] + c[2]), minors, -determinant


def is_stable(M: Matrix3) -> bool:
    """Whether M has spectral radius < 1, exactly: Jury's conditions on z^3 + a2 z^2 + a1 z + a0 = det(zI - M)."""
    a2, a1, a0 = characteristic(M)
    at_one, at_minus_one = 1 + a2 + a1 + a0, 1 - a2 + a1 - a0  # p(1) and -p(-1)
    return at_one > 0 and at_minus_one > 0 and abs(a0) < 1 and 1 - a0 * a0 > abs(a1 - a0 * a2)


def determinant_of_T(n: int, m: int, K: Fraction, slip: Fraction = Q(0)) -> Relation:
    """det(I - T) = K Pi/(1 + K)^2 at lam -> 0; ``slip`` K E is added to Pi."""
    T, wrong = moments_matrix(n, m, K, Q(1)), slip * K * factors(n, m, K)[1]
    return Eq(
        1 + sum(characteristic(T)), K * (Pi(n, m, K) + wrong) / (1 + K) ** 2, f"det(I - T) = K Pi/(1+K)^2, m = {m}"
    )


@claim(
    "aspdc.algorithm-3.failure-criterion",
    "Exact failure criterion of Algorithm 3 (ours): on n orthonormal rows with squared loss it diverges in mean square"
    " for all small enough lam when Pi = (2+K) - (2-K) D - (2+5K) E + (2+3K) D E < 0, D = (1 - (1+K)/n)^m, E = (1 -"
    " (1-K^2)/n)^m; det(I - T) = K Pi/(1+K)^2 at lam -> 0, and for every n, m tried T is stable there exactly when"
    " Pi > 0",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=r"orthonormal rows, squared loss, L2; $K = R^2/((\lambda+\kappa) n \gamma)$",
    evidence=[
        golden(
            *(orthonormal(n, 1).but(extra=further(K=K)) for n in range(2, 13) for K in Qs("1/2", "1/3", "1/4", "1/8")),
            detail="n <= 12, every m <= 2n, K = 1/2, 1/3, 1/4, 1/8",
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
        coefficients = (after[0][0], 2 * after[0][n] * scale, after[n][n] * scale**2)
        for expected, coefficient, name in zip(row, coefficients, ("nu^2", "nu b", "b^2")):
            yield Eq(1 + coefficient, 1 + expected, f"the method's own moments, m = {m}: coefficient of {name}")
