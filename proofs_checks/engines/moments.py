"""E gap_t and E D_t for any t, exactly, by second moments: squared loss with L2, where a step is affine in alpha.

With z = (alpha, 1), step i replaces row i of z by r_i^T z. So E[z z^T] obeys a linear recursion, and
gap = (gamma/2n) sum_i (phi'(x_i^T w) - alpha_i)^2 and D are linear functions of it. The rows r_i are read off the
method's own ``step`` (its value at 0 and at the unit vectors), not from a formula: a wrong step gives wrong
moments, and one further point checks that the step is affine at all.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from dualgap.reference import Method, Problem

Row = list[Fraction]


def affine_rows(method: Method[Any], problem: Problem) -> list[Row]:
    """r_i with alpha_i+ = r_i^T (alpha, 1), shape (n, n+1), from n+1 evaluations of ``step`` for each i.

    Raises ValueError when the step is not affine in alpha at a further point (other losses, or l1 > 0).
    """
    n, zero, one = problem.n, Fraction(0), Fraction(1)

    def value(i: int, alpha: Row) -> Fraction:
        state = method.init(problem, alpha)
        result: Fraction = method.view(problem, method.step(problem, state, i))[1][i]
        return result

    rows = []
    for i in range(n):
        constant = value(i, [zero] * n)
        row = [value(i, [one if k == j else zero for k in range(n)]) - constant for j in range(n)] + [constant]
        probe = [Fraction(k + 2, 2 * k + 3) for k in range(n)]
        if value(i, probe) != sum((r * a for r, a in zip(row, [*probe, one])), zero):
            raise ValueError(f"step {i} is not affine in alpha; second moments need squared loss with L2")
        rows.append(row)
    return rows


def second_moments(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[list[Row]]:
    """M = E[z z^T], shape (n+1, n+1), for t = 0, 1, 2, ... from a start alpha, shape (n,)."""
    rows = affine_rows(method, problem)
    z = [*alpha, Fraction(1)]
    M = [[a * b for b in z] for a in z]
    while True:
        yield M
        M = _average(M, rows, problem.n)


def expected_gaps(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[Fraction]:
    """E gap_t for t = 0, 1, 2, ... from a start alpha, shape (n,)."""
    n, gamma = problem.n, problem.gamma
    best = affine_rows_of_best_response(problem)
    for M in second_moments(method, problem, alpha):
        total = Fraction(0)
        for i in range(n):
            v = [b - (1 if k == i else 0) for k, b in enumerate(best[i])]
            total += _form(v, M)
        yield gamma * total / (2 * n)


def expected_duals(method: Method[Any], problem: Problem, alpha: Sequence[Fraction]) -> Iterator[Fraction]:
    """E D_t for t = 0, 1, 2, ... from a start alpha, shape (n,).

    n D(alpha) = -sum_i (y_i alpha_i + gamma alpha_i^2/2) - alpha^T X X^T alpha/(2 lam n).
    """
    n, gamma = problem.n, problem.gamma
    dense = [dict(row) for row in problem.rows]
    gram = [[sum((x * dense[k].get(j, 0) for j, x in row), Fraction(0)) for k in range(n)] for row in problem.rows]
    for M in second_moments(method, problem, alpha):
        total = Fraction(0)
        for i in range(n):
            total -= problem.y[i] * M[i][n] + gamma * M[i][i] / 2
            total -= _dot(gram[i], M[i][:n]) / (2 * problem.scale)
        yield total / n


def affine_rows_of_best_response(problem: Problem) -> list[Row]:
    """phi_i'(x_i^T w(alpha)) = b_i^T (alpha, 1) for squared loss with L2: b_i from the data alone."""
    n, divisor = problem.n, problem.scale * problem.gamma
    dense = [dict(row) for row in problem.rows]
    rows = []
    for i in range(n):
        inner = [sum((x * dense[k].get(j, 0) for j, x in problem.rows[i]), Fraction(0)) for k in range(n)]
        rows.append([-g / divisor for g in inner] + [-problem.y[i] / problem.gamma])
    return rows


def _average(M: list[Row], rows: list[Row], n: int) -> list[Row]:
    """(1/n) sum_i T_i M T_i^T, T_i the identity with row i replaced by rows[i]."""
    images = [[_dot(r, column) for column in M] for r in rows]  # r_i^T M (M is symmetric)
    size = n + 1
    average = [[Fraction(0)] * size for _ in range(size)]
    for j in range(size):
        for k in range(size):
            touched = (j < n) + (k < n and k != j)
            total = (n - touched) * M[j][k]
            if j == k and j < n:
                total += _dot(images[j], rows[j])
            else:
                total += images[j][k] if j < n else 0
                total += images[k][j] if k < n else 0
            average[j][k] = total / n
    return average


def _dot(a: Row, b: Row) -> Fraction:
    return sum((x * y for x, y in zip(a, b) if x and y), Fraction(0))


def _form(v: Row, M: list[Row]) -> Fraction:
    return _dot(v, [_dot(v, row) for row in M])
