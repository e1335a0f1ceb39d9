"""The vocabulary of the claims on baselines: the shared one, the items, and terms that several of them share."""

from dualgap.extras.baselines.items import PAPER as PAPER
from dualgap.extras.baselines.items import RESTATED as RESTATED
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies.instances import instances as instances


def gradient(c: Context, w: Vector, lam: Number = 0) -> Vector:
    """(1/n) sum_i phi_i'(x_i^T w) x_i + lam w, by its definition."""
    total = [lam * w_j + c.problem.zero for w_j in w]
    for row, y in zip(c.problem.rows, c.problem.y):
        slope = c.problem.loss.derivative(c.problem.dot(row, w), y) / c.n
        for j, x in row:
            total[j] = total[j] + slope * x
    return total
