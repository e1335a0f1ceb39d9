"""
What a duality gap is
=====================

Ridge regression on three points with one coefficient. Each orange line is a duality gap: it starts at P(w) and ends at
a lower bound D(α). The minimum of P lies between the two ends of every gap, so a short gap means a good fit.
"""

import matplotlib.pyplot as plt
import numpy as np

x, y, lam = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]), 0.1


def P(w):
    """Half the mean squared error plus the penalty."""
    return np.mean((x * w - y) ** 2) / 2 + lam / 2 * w**2


def D(alpha):
    """A lower bound on the minimum of P, for every alpha."""
    return -np.mean(alpha * y + alpha**2 / 2) - np.mean(alpha * x) ** 2 / (2 * lam)


best = P(10 / 13)
grid = np.linspace(0.62, 0.92, 200)
# Alternative text: P(w) is a parabola. From three points on it a vertical line reaches down to D(α), below the
# minimum of P.
figure, axes = plt.subplots(figsize=(6.4, 3.6))
axes.plot(grid, [P(w) for w in grid], color="#1f5f9e", label="P(w)")
axes.axhline(best, color="#7a7f85", linestyle=":", label="min P")
for w in 0.7, 0.73, 0.75:
    low = D(x * w - y)
    assert low <= best <= P(w)
    axes.plot([w, w], [low, P(w)], "o-", color="#d0643f", markersize=4, label="duality gap" if w == 0.7 else None)
axes.set(xlabel="w", ylabel="value")
axes.legend()
