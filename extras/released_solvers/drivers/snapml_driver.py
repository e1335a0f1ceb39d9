"""snapml: sum of losses + (regularizer/2)||w||^2 = n P with regularizer = lam n; its squared loss is (y - z)^2/2, its
squared hinge max(0, 1 - m)^2.
"""

from importlib.metadata import version
from typing import Any

from snapml import LinearRegression, LogisticRegression, SupportVectorMachine

VERSION = version("snapml")


def fitted(model: Any, task: Any) -> "dict[str, Any]":
    model.fit(task.X, task.y)
    passes = model.n_iter_
    return {"w": model.coef_, "converged": passes < model.max_iter, "iterations": passes}


def options(task: Any) -> "dict[str, Any]":
    return {"regularizer": task.lam * len(task.y), "fit_intercept": False, "random_state": task.seed, **task.options()}


FITS = {
    "LogisticRegression": lambda task: fitted(LogisticRegression(dual=True, **options(task)), task),
    "LinearRegression": lambda task: fitted(LinearRegression(dual=True, **options(task)), task),
    "SVM-hinge": lambda task: fitted(SupportVectorMachine(loss="hinge", **options(task)), task),
    "SVM-squared_hinge": lambda task: fitted(SupportVectorMachine(loss="squared_hinge", **options(task)), task),
}
