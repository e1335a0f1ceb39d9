"""
A linear support vector machine and its dual point
==================================================

The hinge loss has one dual number α for each row. Rows with α = 0 can be removed without changing the solution. The
area of a point is proportional to the size of its α.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.fast import solve
from dualgap.reference import L2, Hinge, Problem

generator = np.random.default_rng(1)
y = np.repeat([1, -1], 40)
X = generator.standard_normal((80, 2)) + 1.1 * y[:, None]
result = solve(Problem(X, y, Hinge(), L2(0.05)), tol=1e-8)

# Alternative text: Two clouds of points, the separating line between them and the two margins. Points near the
# margins are large.
figure, axes = plt.subplots(figsize=(4.6, 4.2))
for label, colour in (1, "#1f5f9e"), (-1, "#d0643f"):
    rows = y == label
    axes.scatter(*X[rows].T, s=4 + 50 * abs(result.alpha[rows]), color=colour, alpha=0.7, label=f"label {label}")
edge = np.array(axes.get_xlim())
for margin, style in (-1, ":"), (0, "-"), (1, ":"):
    axes.plot(edge, (margin - result.w[0] * edge) / result.w[1], style, color="#7a7f85")
axes.set(xlim=edge, ylim=(-4, 4), xlabel="first feature", ylabel="second feature")
axes.set_title(f"{result.status}: P(w) - min P is at most {result.gap_bound:.1g}")
axes.legend()
