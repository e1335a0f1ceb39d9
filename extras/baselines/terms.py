"""A term of the claims on full-gradient methods."""

from dualgap.proofs_checks.claims.context import Context
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector


def gradient(c: Context, w: Vector, lam: Number = 0) -> Vector:
    """(1/n) sum_i phi_i'(x_i^T w) x_i + lam w, by its definition."""
    total = [lam * w_j + c.problem.zero for w_j in w]
    for row, y in zip(c.problem.rows, c.problem.y):
        slope = c.problem.loss.derivative(c.problem.dot(row, w), y) / c.n
        for j, x in row:
            total[j] = total[j] + slope * x
    return total
