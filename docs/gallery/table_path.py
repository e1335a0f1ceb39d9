"""
Choose λ
========

``cross_validate`` scores every λ by rows that its runs have not seen. The left plot has the coefficients that are
fitted to all rows. The right one has the held-out loss with its standard error over five folds; the dashed line is
the best λ.
"""

import matplotlib.pyplot as plt
import numpy as np

from dualgap.fast import cross_validate, sweep
from dualgap.fast.data.load import load, prepare
from dualgap.reference import Logistic

raw, lams = load("breast_cancer"), np.geomspace(1e-5, 10, 12)
cells = sweep(prepare(raw, standardize=True), Logistic(), lams, intercept=True, tol=1e-6)
found = cross_validate(raw, Logistic(), lams, intercept=True, standardize=True, tol=1e-6)
assert all(cell.status == "converged" for cell in cells) and all(score.converged == 5 for score in found.scores)

# Alternative text: Left, the coefficients against λ. Right, the held-out loss with error bars; a dashed line marks
# the best λ.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
left.semilogx([cell.lam for cell in cells], [cell.w for cell in cells])
left.set(xlabel="λ", ylabel="coefficients")
right.errorbar(*zip(*[(score.lam, score.loss, score.loss_error) for score in found.scores]), marker=".")
right.axvline(found.best, color="C1", linestyle="--")
right.set(xscale="log", xlabel="λ", ylabel="held-out loss")
