"""
Why a gap computed in doubles is not enough
===========================================

Close to the minimum, P(w) - D(α) computed from rounded sums is mostly rounding error, and it can be smaller than the
exact gap or negative. ``gap_bound`` adds all rounding errors, so it is never too small. The exact gaps are computed in
fractions.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.fast import solve
from dualgap.proofs_checks import certificate
from dualgap.reference import L2, Problem, Squared

generator = np.random.default_rng(0)
X, lam = generator.standard_normal((40, 5)), 4.0
y = X @ [1, -2, 0, 3, 1] + generator.standard_normal(40)
problem = Problem(X, y, Squared(), L2(lam))


def gap_in_doubles(w, alpha):
    """P(w) - D(alpha) as the formulas say, in doubles."""
    P = np.mean((X @ w - y) ** 2) / 2 + lam / 2 * w @ w
    v = X.T @ alpha / len(y)
    return P + np.mean(alpha * y + alpha**2 / 2) + v @ v / (2 * lam)


passes, computed, exact, bound = range(4, 26), [], [], []
for count in passes:
    result = solve(problem, "sdca", tol=1e-30, max_epochs=count)  # a tolerance that doubles cannot certify
    computed.append(gap_in_doubles(result.w, result.alpha))
    bound.append(result.gap_bound)
    exact.append(float(certificate(problem, result.alpha.tolist(), result.w.tolist()).gap))
assert all(true <= b for true, b in zip(exact, bound))

# Alternative text: The gap computed in doubles jumps around 0. The exact gap is positive, and gap_bound lies above
# it.
figure, axes = plt.subplots()
axes.plot(passes, bound, color="#1f5f9e", label="gap_bound")
axes.plot(passes, exact, "o", color="#3d8a64", markersize=4, label="exact gap")
axes.plot(passes, computed, "x", color="#d0643f", label="computed in doubles")
axes.set_yscale("symlog", linthresh=1e-17)
axes.set(xlabel="passes over the data", ylabel="duality gap")
axes.legend()
