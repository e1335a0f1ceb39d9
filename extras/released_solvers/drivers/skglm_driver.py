"""skglm: ElasticNet is P with alpha = lam + l1, l1_ratio = l1/(lam + l1); LinearSVC is P/lam with C = 1/(lam n);
SparseLogisticRegression is P with alpha and l1_ratio as ElasticNet has them."""

import warnings
from importlib.metadata import version
from typing import Any

import numpy as np
from skglm import ElasticNet, LinearSVC, SparseLogisticRegression

VERSION = version("skglm")


def fitted(model: Any, task: Any) -> "dict[str, Any]":
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(np.asfortranarray(task.X), task.y)
    silent = not any("Convergence" in one.category.__name__ or "converge" in str(one.message) for one in said)
    return {"w": model.coef_, "converged": silent, "says": {"stop_crit_": np.max(model.stop_crit_)}}


def net(kind: Any) -> Any:
    return lambda task: fitted(
        kind(alpha=task.lam + task.l1, l1_ratio=task.l1 / (task.lam + task.l1), fit_intercept=False, **task.options()),
        task,
    )


FITS = {
    "ElasticNet": net(ElasticNet),
    "SparseLogisticRegression": net(SparseLogisticRegression),
    "LinearSVC": lambda task: fitted(LinearSVC(C=task.C, fit_intercept=False, **task.options()), task),
}
