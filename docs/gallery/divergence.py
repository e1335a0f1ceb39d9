"""
A published theorem that is false
=================================

AdaSPDC's Theorem 1 states that the method converges linearly. Here are its expected squared error and that of the
repaired method on two orthogonal rows of norm 16 and 1. The minimum is at w = 0.

No run is random: with y = 0 a step with choice S multiplies the state by a matrix A_S, so the second moments of the
state follow exactly from the matrices and their probabilities.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.reference import L2, Problem, Squared, method

problem = Problem([[16.0, 0.0], [0.0, 1.0]], [0, 0], Squared(), L2(0.5))
FIELDS = ("w", "w_bar", "u", "alpha")  # the fields of a state, two numbers each


def flat(state):
    """A state as a vector of eight numbers."""
    return np.concatenate([getattr(state, name) for name in FIELDS])


def expected_distances(name, steps):
    """E ||w||^2 after 0, 1, ..., steps steps from alpha = (1, 1)."""
    adaptive = method(name)
    start = adaptive.init(problem, [1.0, 1.0])
    unit = [start.with_fields(dict(zip(FIELDS, row.reshape(4, 2).tolist()))) for row in np.eye(8)]
    matrices = [
        (float(p), np.transpose([flat(adaptive.step(problem, e, S)) for e in unit]))
        for S, p in adaptive.choices(problem, start)
    ]
    moments, found = np.outer(flat(start), flat(start)), []
    for _ in range(steps + 1):
        found.append(moments[0, 0] + moments[1, 1])
        moments = sum(p * A @ moments @ A.T for p, A in matrices)
    return found


published, repaired = expected_distances("adaspdc", 80), expected_distances("adaspdc-r", 80)
assert published[-1] > 1e6 * published[0] and repaired[-1] < 0.1 * repaired[0]

# Alternative text: On a logarithmic axis the error of the published method grows from 257 to 1e19, and that of the
# repaired method falls to 0.02.
figure, axes = plt.subplots(figsize=(4.4, 3.3))
axes.semilogy(published, color="#d0643f", label="as published")
axes.semilogy(repaired, color="#1f5f9e", label="repaired: one step size for all rows")
axes.set(xlabel="steps", ylabel="expected squared error", title="AdaSPDC's convergence theorem is false")
axes.legend()
