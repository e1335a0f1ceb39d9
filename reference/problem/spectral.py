"""The spectral norm ||A||_2 of a matrix given by its columns, never below the true one.

numpy.linalg.svd gives it up to p 2^-53 of itself, p a modest function of the sizes (LAPACK Users' Guide, "Error Bounds
for the Singular Value Decomposition"). It is raised by 2^-40 of itself, room for p = 8192. In Fractions that is proven
each time: R >= ||A||_2 if and only if R^2 I - A^T A is positive semidefinite, which symmetric elimination decides. So R
exceeds ||A||_2 by at most 2^-39 of it; where A^T A is diagonal or of rank one, and the root is rational, by nothing.
"""

from fractions import Fraction

from dualgap.reference.numbers.arithmetic import Number, NumberType, convert, maximum, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.validate import Row

RAISE = Fraction(1, 2**40)
LARGEST = 10**7  # entries of a dense copy

Matrix = list[list[Number]]


def spectral_norm(columns: list[Row], number: NumberType) -> Number:
    """R >= ||A||_2 for the matrix of those columns, each a list of pairs (j, a_j).

    Raises ValueError for intervals (no library encloses their singular values) and for matrices too large to copy.

    >>> spectral_norm([[(0, Fraction(3)), (1, Fraction(4))], [(0, Fraction(9, 4)), (1, Fraction(3))]], Fraction)
    Fraction(25, 4)
    """
    if number is Interval:
        raise ValueError(
            "the spectral norm of a matrix of intervals is not computed; give a rational upper bound (norms or norm)"
        )
    if not is_rational(number):
        return convert(_library_norm(columns) * float(1 + RAISE), number)
    G = gram(columns)
    exact = _known_eigenvalue(G)
    if exact is not None:
        try:
            return sqrt(convert(exact, number))
        except ValueError:
            pass  # irrational: a rational number above it
    R = convert(Fraction(_library_norm(columns)) * (1 + RAISE), number)
    if not dominated(G, R * R):
        raise ValueError(
            "numpy.linalg.svd missed the spectral norm by more than 2^-40 of it; give a rational upper bound (norms or"
            " norm)"
        )
    return R


def _library_norm(columns: list[Row]) -> float:
    """The largest singular value, by LAPACK."""
    import numpy as np

    index = {j: place for place, j in enumerate(sorted({j for column in columns for j, _ in column}))}
    if len(index) * len(columns) > LARGEST:
        raise ValueError(
            f"the spectral norm of a {len(index)} x {len(columns)} matrix is not computed here; give an upper bound"
            " (norms or norm): the square root of the sum of all squares always serves"
        )
    dense = np.zeros((len(index), len(columns)))
    for k, column in enumerate(columns):
        for j, x in column:
            dense[index[j], k] = float(x)
    return float(np.linalg.svd(dense, compute_uv=False)[0]) if index else 0.0


def gram(columns: list[Row]) -> Matrix:
    """The inner products of the columns or, where those are fewer, of the rows: the same largest eigenvalue."""
    rows: dict[int, dict[int, Number]] = {}
    for k, column in enumerate(columns):
        for j, x in column:
            rows.setdefault(j, {})[k] = x
    vectors = [dict(column) for column in columns] if len(columns) <= len(rows) else list(rows.values())
    return [[_inner(a, b) for b in vectors] for a in vectors]


def _inner(a: dict[int, Number], b: dict[int, Number]) -> Number:
    total: Number = 0
    for j, x in a.items():
        if j in b:
            total = total + x * b[j]
    return total


def _known_eigenvalue(G: Matrix) -> Number | None:
    """The largest eigenvalue of a Gram matrix that is diagonal or of rank one (all vectors parallel); else None."""
    size = range(len(G))
    largest: Number = Fraction(0)
    trace: Number = Fraction(0)
    for k in size:
        largest, trace = maximum(largest, G[k][k]), trace + G[k][k]
    if all(G[k][h] == 0 for k in size for h in range(k)):
        return largest
    return trace if all(G[k][h] * G[k][h] == G[k][k] * G[h][h] for k in size for h in range(k)) else None


def dominated(G: Matrix, bound: Number) -> bool:
    """Return whether bound I - G is positive semidefinite, G symmetric: symmetric elimination, exact in Fractions.

    >>> dominated([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]], Fraction(3))
    True
    """
    rest = [[(bound if k == h else 0) - value for h, value in enumerate(row)] for k, row in enumerate(G)]
    while rest:
        pivot, row = rest[0][0], rest[0][1:]
        if pivot < 0 or (pivot == 0 and any(value != 0 for value in row)):
            return False
        if pivot == 0:
            rest = [below[1:] for below in rest[1:]]
        else:
            rest = [[value - below[0] * row[h] / pivot for h, value in enumerate(below[1:])] for below in rest[1:]]
    return True
