"""
A path of solutions
===================

``sweep`` solves one problem for many values of λ. Each run starts from the solution for the next larger λ, and each
has its own certificate. Here are the coefficients of the elastic net on the diabetes data.
"""

from functools import partial

import matplotlib.pyplot as plt
import numpy as np

from dualgap.fast import sweep
from dualgap.fast.data.load import load, prepare
from dualgap.reference import ElasticNet, Squared

data = prepare(load("diabetes"), standardize=True, unit_rows=True)
cells = sweep(data, Squared(), np.geomspace(1e-3, 30, 30), regularizer=partial(ElasticNet, l1=2.0), tol=1e-6)
assert all(cell.gap_bound <= 1e-6 for cell in cells)

# Alternative text: Ten curves, one for each coefficient, against λ on a logarithmic axis. They shrink to 0 as λ
# grows.
figure, axes = plt.subplots()
axes.semilogx([cell.lam for cell in cells], [cell.w for cell in cells])
axes.set(xlabel="λ", ylabel="coefficients", title="Every point is within 1e-6 of the minimum of P")
