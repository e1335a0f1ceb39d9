"""skglm: ElasticNet and SparseLogisticRegression are P with alpha = lam + l1, l1_ratio = l1/(lam + l1); LinearSVC is
P/lam with C = 1/(lam n).
"""

from importlib.metadata import version

import numpy as np
from serve import Answer, Fit, Task, fitted
from skglm import ElasticNet, LinearSVC, SparseLogisticRegression

VERSION = version("skglm")


def fit(kind: type, net: bool) -> Fit:
    def of(task: Task) -> Answer:
        model = kind(**(task.net if net else {"C": task.C}), fit_intercept=False, **task.options())
        found = fitted(model, np.asfortranarray(task.X), task.y, r"^\w*Convergence|converge")
        return {**found, "says": {"stop_crit_": np.max(model.stop_crit_)}}

    return of


FITS = {
    "ElasticNet": fit(ElasticNet, net=True),
    "SparseLogisticRegression": fit(SparseLogisticRegression, net=True),
    "LinearSVC": fit(LinearSVC, net=False),
}
