"""glum.GeneralizedLinearRegressor: mean half deviance + alpha (l1_ratio ||w||_1 + (1 - l1_ratio)/2 ||w||^2); half the
deviance is (y - z)^2/2 for the normal distribution and log(1 + e^-m) for the binomial one with labels 0 and 1.
"""

from importlib.metadata import version

from glum import GeneralizedLinearRegressor
from serve import Answer, Fit, Task, fitted

VERSION = version("glum")


def fit(solver: str) -> Fit:
    def of(task: Task) -> Answer:
        family, y = ("binomial", (task.y + 1) / 2) if task.loss == "logistic" else ("normal", task.y)
        options = {**task.net, **task.options("gradient_tol"), "fit_intercept": False}
        model = GeneralizedLinearRegressor(family=family, solver=solver, **options)
        return {**fitted(model, task.X, y, "onverge"), "iterations": model.n_iter_}

    return of


FITS = {solver: fit(solver) for solver in ("irls-ls", "irls-cd", "lbfgs")}
