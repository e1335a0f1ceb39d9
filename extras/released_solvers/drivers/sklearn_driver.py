"""scikit-learn. LinearSVC and LogisticRegression solve P/lam with C = 1/(lam n), Ridge 2 n P with alpha = lam n,
ElasticNet and SGDRegressor P with alpha = lam + l1, l1_ratio = l1/(lam + l1), SGDClassifier P with alpha = lam; gamma =
1.
"""

from collections.abc import Callable

import sklearn
from serve import Answer, Fit, Task, fitted
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.svm import LinearSVC

VERSION = sklearn.__version__


def fit(kind: type, strength: "Callable[[Task], dict[str, float]]", **more: object) -> Fit:
    """strength : of a task, as keywords of the model."""

    def of(task: Task) -> Answer:
        seed = {} if kind is ElasticNet else {"random_state": task.seed}
        model = kind(**strength(task), **more, fit_intercept=False, **seed, **task.options())
        found = fitted(model, task.X, task.y, r"^\w*(Convergence|LineSearch)")
        return found | ({"says": {"dual_gap_": model.dual_gap_}} if hasattr(model, "dual_gap_") else {})

    return of


def c(task: Task) -> "dict[str, float]":
    return {"C": task.C}


def net(task: Task) -> "dict[str, float]":
    return task.net


FITS = {
    **{f"LinearSVC-{loss}": fit(LinearSVC, c, loss=loss, dual=True) for loss in ("hinge", "squared_hinge")},
    **{
        f"LogisticRegression-{solver}": fit(LogisticRegression, c, solver=solver)
        for solver in ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
    },
    **{
        f"Ridge-{solver}": fit(Ridge, lambda task: {"alpha": task.lam * len(task.y)}, solver=solver)
        for solver in ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga")
    },
    "ElasticNet": fit(ElasticNet, net),
    "SGDRegressor": fit(SGDRegressor, net, penalty="elasticnet"),
    **{
        f"SGDClassifier-{loss}": fit(SGDClassifier, lambda task: {"alpha": task.lam}, loss=loss)
        for loss in ("hinge", "log_loss")
    },
}
