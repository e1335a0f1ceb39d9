"""celer.ElasticNet: ||y - Xw||^2/(2n) + alpha l1_ratio ||w||_1 + (alpha (1 - l1_ratio)/2)||w||^2, which is P."""

import warnings
from importlib.metadata import version
from typing import Any

import numpy as np
from celer import ElasticNet

VERSION = version("celer")


def fit(task: Any) -> "dict[str, Any]":
    ratio = task.l1 / (task.lam + task.l1)
    model = ElasticNet(alpha=task.lam + task.l1, l1_ratio=ratio, fit_intercept=False, **task.options())
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(np.asfortranarray(task.X), task.y)
    silent = not any("Convergence" in one.category.__name__ for one in said)
    return {"w": model.coef_, "converged": silent, "says": {"dual_gap_": np.ravel(model.dual_gap_)[-1]}}


FITS = {"ElasticNet": fit}
