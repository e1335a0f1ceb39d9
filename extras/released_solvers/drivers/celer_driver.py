"""celer.ElasticNet: ||y - Xw||^2/(2n) + alpha l1_ratio ||w||_1 + (alpha (1 - l1_ratio)/2)||w||^2, which is P."""

from importlib.metadata import version

import numpy as np
from celer import ElasticNet
from serve import Answer, Task, fitted

VERSION = version("celer")


def fit(task: Task) -> Answer:
    model = ElasticNet(**task.net, fit_intercept=False, **task.options())
    found = fitted(model, np.asfortranarray(task.X), task.y, r"^\w*Convergence")
    return {**found, "says": {"dual_gap_": np.ravel(model.dual_gap_)[-1]}}


FITS = {"ElasticNet": fit}
