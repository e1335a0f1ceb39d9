"""skglm: ElasticNet and SparseLogisticRegression are P with alpha = lam + l1, l1_ratio = l1/(lam + l1); LinearSVC is
P/lam with C = 1/(lam n).
"""

from importlib.metadata import version
from typing import Any

import numpy as np
from serve import fitted
from skglm import ElasticNet, LinearSVC, SparseLogisticRegression

VERSION = version("skglm")


def fit(kind: Any, net: bool) -> Any:
    def of(task: Any) -> "dict[str, Any]":
        model = kind(**(task.net if net else {"C": task.C}), fit_intercept=False, **task.options())
        found = fitted(model, np.asfortranarray(task.X), task.y, r"^\w*Convergence|converge")
        return {**found, "says": {"stop_crit_": np.max(model.stop_crit_)}}

    return of


FITS = {
    "ElasticNet": fit(ElasticNet, net=True),
    "SparseLogisticRegression": fit(SparseLogisticRegression, net=True),
    "LinearSVC": fit(LinearSVC, net=False),
}
