"""statsmodels' fit_regularized(method="elastic_net"): RSS/(2n), or minus the mean log-likelihood, + alpha ((1 -
L1_wt)/2 ||w||^2 + L1_wt ||w||_1).
"""

from importlib.metadata import version
from typing import Any

import statsmodels.api as sm

VERSION = version("statsmodels")


def fitted(model: Any, task: Any) -> "dict[str, Any]":
    strength, ratio = task.net.values()
    found = model.fit_regularized(method="elastic_net", alpha=strength, L1_wt=ratio, **task.options("cnvrg_tol"))
    return {"w": found.params, "converged": getattr(found, "converged", True)}


FITS = {
    "OLS": lambda task: fitted(sm.OLS(task.y, task.X), task),
    "GLM-binomial": lambda task: fitted(sm.GLM((task.y + 1) / 2, task.X, family=sm.families.Binomial()), task),
}
