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

from fractions import Fraction

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
