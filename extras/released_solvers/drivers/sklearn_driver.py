"""scikit-learn. LinearSVC and LogisticRegression solve P/lam with C = 1/(lam n), Ridge 2 n P with alpha = lam n,
ElasticNet and SGDRegressor P with alpha = lam + l1, l1_ratio = l1/(lam + l1), SGDClassifier P with alpha = lam; gamma =
1.
"""

import warnings
from typing import Any

import sklearn
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.svm import LinearSVC

VERSION = sklearn.__version__


def fitted(model: Any, task: Any) -> "dict[str, Any]":
    """w, and whether no warning of convergence came."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(task.X, task.y)
    silent = not any("Convergence" in one.category.__name__ or "LineSearch" in one.category.__name__ for one in said)
    found = {"w": model.coef_, "converged": silent}
    return found | ({"says": {"dual_gap_": model.dual_gap_}} if hasattr(model, "dual_gap_") else {})


def svc(loss: str) -> Any:
    return lambda task: fitted(
        LinearSVC(C=task.C, loss=loss, dual=True, fit_intercept=False, random_state=task.seed, **task.options()), task
    )


def logistic(solver: str) -> Any:
    return lambda task: fitted(
        LogisticRegression(C=task.C, solver=solver, fit_intercept=False, random_state=task.seed, **task.options()), task
    )


def ridge(solver: str) -> Any:
    return lambda task: fitted(
        Ridge(
            alpha=task.lam * len(task.y), solver=solver, fit_intercept=False, random_state=task.seed, **task.options()
        ),
        task,
    )


def net(kind: Any, **more: Any) -> Any:
    def fit(task: Any) -> "dict[str, Any]":
        ratio = task.l1 / (task.lam + task.l1)
        seed = {"random_state": task.seed} if "penalty" in more else {}
        return fitted(
            kind(alpha=task.lam + task.l1, l1_ratio=ratio, fit_intercept=False, **seed, **more, **task.options()), task
        )

    return fit


def sgd(loss: str) -> Any:
    return lambda task: fitted(
        SGDClassifier(loss=loss, alpha=task.lam, fit_intercept=False, random_state=task.seed, **task.options()), task
    )


FITS = {
    **{f"LinearSVC-{loss}": svc(loss) for loss in ("hinge", "squared_hinge")},
    **{
        f"LogisticRegression-{solver}": logistic(solver)
        for solver in ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
    },
    **{f"Ridge-{solver}": ridge(solver) for solver in ("auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga")},
    "ElasticNet": net(ElasticNet),
    "SGDRegressor": net(SGDRegressor, penalty="elasticnet"),
    "SGDClassifier-hinge": sgd("hinge"),
    "SGDClassifier-log_loss": sgd("log_loss"),
}
