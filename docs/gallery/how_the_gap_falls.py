"""
How the certified gap falls
===========================

``result.history`` has every certificate of a run. Each point is a bound on P(w) - min P that includes all rounding
errors, so the curves can be compared without knowing the minimum.
"""

import matplotlib.pyplot as plt

from dualgap.fast import solve
from dualgap.fast.data.load import load, prepare
from dualgap.reference import L2, Logistic, Problem

data = prepare(load("breast_cancer"), bias=True, unit_rows=True)
problem = Problem(data.X, data.y, Logistic(), L2(2e-3))

# Alternative text: The certified gaps of ASPDC, SDCA, SPDC and SVRG against passes over the data, on a logarithmic
# axis. All fall.
figure, axes = plt.subplots()
for name, mark in [("aspdc", "o"), ("sdca", "s"), ("spdc", "^"), ("svrg", "D")]:
    history = solve(problem, name, tol=1e-10).history
    axes.semilogy(
        [one.epochs for one in history], [one.gap_bound for one in history], mark + "-", label=name, markersize=4
    )
axes.set(xlabel="passes over the data", ylabel="certified bound on P(w) - min P")
axes.legend()
