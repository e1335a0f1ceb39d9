"""glum.GeneralizedLinearRegressor: mean half deviance + alpha (l1_ratio ||w||_1 + (1 - l1_ratio)/2 ||w||^2); half the
deviance is (y - z)^2/2 for the normal distribution and log(1 + e^-m) for the binomial one with labels 0 and 1.
"""

import warnings
from importlib.metadata import version
from typing import Any

from glum import GeneralizedLinearRegressor

VERSION = version("glum")


def fit(solver: str) -> Any:
    def fitted(task: Any) -> "dict[str, Any]":
        family, y = ("binomial", (task.y + 1) / 2) if task.loss == "logistic" else ("normal", task.y)
        ratio = task.l1 / (task.lam + task.l1)
        model = GeneralizedLinearRegressor(
            alpha=task.lam + task.l1,
            l1_ratio=ratio,
            family=family,
            solver=solver,
            fit_intercept=False,
            **task.options("gradient_tol"),
        )
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model.fit(task.X, y)
        silent = not any("onverge" in one.category.__name__ + str(one.message) for one in said)
        return {"w": model.coef_, "converged": silent, "iterations": model.n_iter_}

    return fitted


FITS = {solver: fit(solver) for solver in ("irls-ls", "irls-cd", "lbfgs")}
