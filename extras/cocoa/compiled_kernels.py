"""The compiled parts of a round of CoCoA+ that one machine and a cluster share."""

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, step_numbers
from dualgap.fast.methods.sdca import sdca_steps
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.compensated import two_sum
from dualgap.fast.problem.objective import Objective


@kernel
def add(total, v_k):
    """total += v_k."""
    for j in range(total.size):
        total[j] = total[j] + v_k[j]


@kernel
def add_pair(high, low, other, other_low):
    """(high, low) += (other, other_low), the rounding error of the first kept in low."""
    for j in range(high.size):
        high[j], error = two_sum(high[j], other[j])
        low[j] = low[j] + (error + other_low[j])


@kernel
def combine_workers(v, total, rest, divisor):
    """v <- total/divisor + rest v (reference: CoCoA.combined)."""
    for j in range(v.size):
        v[j] = 0.0 + total[j] / divisor + rest * v[j]


@kernel
def aggregate(alpha, moved, weight):
    """alpha <- alpha + weight (moved - alpha) (reference: CoCoA.aggregated)."""
    for i in range(alpha.size):
        alpha[i] = moved[i] if weight == 1.0 else alpha[i] + weight * (moved[i] - alpha[i])


def local_solution(objective: Objective, spread: float, v: Array, alpha: Array, choices: Array, scale: float) -> Array:
    """Steps from v, shape (d,), on these rows; they change alpha; scale = mu n of all rows. Returns v_k, shape (d,)."""
    v_k = v.copy()
    sdca_steps(
        objective.arrays.matrix,
        step_numbers(objective)._replace(scale=scale / spread),
        DualVectors(v_k, alpha),
        choices,
    )
    return v_k
