"""Balance a dual point exactly: sum_i s_i alpha_i = 0 in the reals, for alpha in doubles, as a free intercept demands.

With U = 2^q the last place of the largest |alpha_i|, alpha is rounded to multiples a_i U, and the weights are multiples
m_i V of a common unit V. Then the sum is r U V with the integer r = sum_i m_i a_i, and integers round nothing:

1. A large r, of a run that has not converged, is shared: every a_i moves along a direction of the certificate
   (``InterceptObjective.directions``) by the same proportion, rounded towards 0.
2. What is left is a few units for each row. It is moved to the rows that are farthest from the ends of their domain.
3. If no single row can end it (weights 2 and 3, r = 1), two rows do, by Bezout's identity m_i k + m_j h = -r.

For equal weights this never fails: a_i of the sign of r can move towards 0, which is in every domain. In general k is
as large as the weights in units of V. Weights with no common unit (0.1 and 0.7 in binary) could move alpha as far as
its own size, so they are refused. The bound of the file is exact, however far alpha moves.
"""

import math
from collections.abc import Iterator

import numpy as np

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.reference.problem.intercept_problem import InterceptProblem

MOST = 2**53 - 1  # units of a number, so that it is a double
WIDEST = 2**26  # units of a weight: two rows of such weights move by about 2^-26 of alpha


def balanced(problem: InterceptProblem, alpha: Array) -> Array:
    """alpha, moved so that sum_i s_i alpha_i = 0 exactly.

    Raises
    ------
    ValueError
        The weights are not multiples of a common unit, up to 2^26 times it, or no rows can take what is left.

    >>> from dualgap.reference import L2, Squared
    >>> problem = InterceptProblem([[1.0], [2.0], [3.0]], [1, 2, 3], Squared(), L2(1))
    >>> balanced(problem, np.array([0.1, 0.2, -0.3])).tolist()
    [0.09999999999999998, 0.2, -0.3]
    """
    if not alpha.any():
        return alpha
    objective, m = InterceptObjective(problem), units(problem.weights)
    q = max(math.frexp(float(np.abs(alpha).max()))[1] - 53, -1074)
    low, high = ([int(max(-MOST, min(MOST, x))) for x in in_units(end, q)] for end in objective.ends())
    a = [min(max(round(x), one), other) for x, one, other in zip(in_units(alpha, q), low, high)]

    def rest() -> int:
        return sum(m_i * a_i for m_i, a_i in zip(m, a))

    def move(i: int, by: int) -> None:
        a[i] = min(max(a[i] + by, low[i]), high[i])

    r = rest()
    with np.errstate(over="ignore"):
        directions = list(objective.directions(alpha, -1.0 if r > 0 else 1.0)) if r else []
    for p in directions:
        steps = [round(x) for x in in_units(p, q)]
        size = sum(m_i * abs(step) for m_i, step in zip(m, steps))
        if size >= abs(r):
            for i, step in enumerate(steps):
                by = abs(r) * abs(step) // size
                move(i, by if step > 0 else -by)
            break
    r = rest()
    inside = sorted(range(len(a)), key=lambda i: min(high[i] - a[i], a[i] - low[i]), reverse=True)
    for i in inside:
        if r == 0:
            break
        before = a[i]
        move(i, -(abs(r) // m[i]) if r > 0 else abs(r) // m[i])
        r += m[i] * (a[i] - before)
    if r:
        for i, k, j, h in pairs(m, inside, r):
            if low[i] <= a[i] + k <= high[i] and low[j] <= a[j] + h <= high[j]:
                a[i], a[j], r = a[i] + k, a[j] + h, 0
                break
        else:
            raise ValueError("no certificate file: alpha cannot be balanced exactly with these weights of the rows")
    return np.array([math.ldexp(x, q) for x in a])


def in_units(x: Array, q: int) -> list[float]:
    """x / 2^q; beyond the range, infinite."""
    with np.errstate(over="ignore"):
        scaled: list[float] = np.ldexp(x, -q).tolist()
    return scaled


def units(weights: list[float]) -> list[int]:
    """The weights in their largest common unit.

    >>> units([1.5, 0.75, 2.25]), units([0.1, 0.1])
    ([2, 1, 3], [1, 1])
    """
    ratios = [weight.as_integer_ratio() for weight in weights]
    below = max(denominator for _, denominator in ratios)
    m = [numerator * (below // denominator) for numerator, denominator in ratios]
    unit = math.gcd(*m)
    if max(m) // unit >= WIDEST:
        raise ValueError(
            "no certificate file: with a free intercept the weights of the rows must be equal, or multiples of a common"
            " unit up to 2^26 times it, such as whole numbers"
        )
    return [m_i // unit for m_i in m]


def pairs(m: list[int], rows: list[int], r: int) -> Iterator[tuple[int, int, int, int]]:
    """Rows i and j with numbers k and h for which m_i k + m_j h = -r."""
    i = rows[0]
    for j in rows[1:]:
        g = math.gcd(m[i], m[j])
        if r % g == 0:
            modulus = m[j] // g
            k = -(r // g) * pow(m[i] // g, -1, modulus) % modulus
            k -= modulus if 2 * k > modulus else 0
            yield i, k, j, -(r + m[i] * k) // m[j]
