"""Estimators of other packages as solvers for ``solver_checks``. Each is optional.

An estimator returns only w, which is judged with the best dual point found, and it reports by a warning that it has not
converged. Its own tolerance has another unit, so it always gets the smallest tolerance that double precision allows,
whatever the gap of the check.

>>> from dualgap.proofs_checks.conformance.solvers.checks import parametrize_with_checks
>>> mark = parametrize_with_checks(ready())  # of those that are installed
"""

import importlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dualgap.reference import LOSSES, ElasticNet, Problem

Array = NDArray[np.float64]
ACCURATE = 1e-14  # the tolerance of iterative estimators
PASSES = 100_000


class Task(NamedTuple):
    """One problem with its constants."""

    X: Array
    y: Array
    loss: str
    lam: float
    l1: float
    gamma: float | None
    seed: int


@dataclass(frozen=True)
class EstimatorSolver:
    """An estimator with the interface of ``solver_checks``.

    Attributes
    ----------
    name, module : what a report calls it, and what must be importable.
    losses, l1 : what it supports.
    fit : the problem to the fitted estimator; (w, whether it kept silent) comes of it.
    two_labels : whether it refuses data with one label.
    """

    name: str
    module: str
    losses: tuple[str, ...]
    fit: Callable[[Task], tuple[Any, bool]]
    l1: bool = False
    two_labels: bool = False

    @property
    def installed(self) -> bool:
        """Whether it can be run here."""
        return importlib.util.find_spec(self.module.partition(".")[0]) is not None

    def __call__(
        self, X: Array, y: Array, *, loss: str, lam: float, l1: float, gamma: float | None, tol: float, seed: int
    ) -> tuple[Array, None, bool]:
        """(w, None, converged). Raises ValueError for what is no problem (estimators take labels 0 and 1, some NaN)."""
        Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1))
        model, silent = self.fit(Task(X, y, loss, lam, l1, gamma, seed))
        return np.ravel(model.coef_).astype(np.float64), None, silent


def fitted(model: Any, task: Task) -> tuple[object, bool]:
    """The model after fit, and whether it gave no warning about convergence."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(task.X, task.y)
    return model, not any("Convergence" in w.category.__name__ or "LineSearch" in w.category.__name__ for w in said)


def _linear_svc(task: Task) -> tuple[object, bool]:
    """(1/2)||w||^2 + C sum_i loss_i = P/lam with C = 1/(lam n)."""
    svm = importlib.import_module("sklearn.svm")
    model = svm.LinearSVC(
        C=1 / (task.lam * len(task.y)),
        loss=task.loss.replace("-", "_"),
        dual=True,
        fit_intercept=False,
        random_state=task.seed,
        tol=1e-10,
        max_iter=PASSES,  # at 1e-14 it never stops by itself
    )
    return fitted(model, task)


def _logistic_regression(task: Task) -> tuple[object, bool]:
    """(1/2)||w||^2 + C sum_i log(1 + e^-m_i) = P/lam with C = 1/(lam n)."""
    linear = importlib.import_module("sklearn.linear_model")
    return fitted(
        linear.LogisticRegression(C=1 / (task.lam * len(task.y)), fit_intercept=False, tol=1e-12, max_iter=PASSES), task
    )


def _ridge(task: Task) -> tuple[object, bool]:
    """||y - Xw||^2 + a ||w||^2 = 2 gamma n P with a = gamma lam n."""
    linear = importlib.import_module("sklearn.linear_model")
    assert task.gamma is not None
    return fitted(linear.Ridge(alpha=task.gamma * task.lam * len(task.y), fit_intercept=False), task)


def _elastic_net(task: Task) -> tuple[object, bool]:
    """||y - Xw||^2/(2n) + a r ||w||_1 + (a (1 - r)/2)||w||^2 = gamma P with a = gamma (lam + l1), r = l1/(lam + l1).

    With r = 0 it is Ridge, to which its guide sends: the gap by which it stops is then of no use before scikit-learn
    1.8.
    """
    if task.l1 == 0:
        return _ridge(task)
    linear = importlib.import_module("sklearn.linear_model")
    assert task.gamma is not None
    a, ratio = task.gamma * (task.lam + task.l1), task.l1 / (task.lam + task.l1)
    return fitted(linear.ElasticNet(alpha=a, l1_ratio=ratio, fit_intercept=False, tol=ACCURATE, max_iter=PASSES), task)


def _lightning(task: Task) -> tuple[object, bool]:
    """mean loss_i + (lam/2)||w||^2, and half of P for the squared hinge; only its output tells that it converged."""
    classification = importlib.import_module("lightning.classification")
    model = classification.SDCAClassifier(
        alpha=task.lam,
        loss=task.loss.replace("-", "_"),
        random_state=task.seed,
        tol=ACCURATE,
        max_iter=PASSES,
        verbose=1,
    )
    printed = io.StringIO()
    with redirect_stdout(printed):
        model, _ = fitted(model, task)
    return model, "Converged" in printed.getvalue().split("\n")


LINEAR_SVC = EstimatorSolver("LinearSVC", "sklearn.svm", ("hinge", "squared-hinge"), _linear_svc, two_labels=True)
LOGISTIC_REGRESSION = EstimatorSolver(
    "LogisticRegression", "sklearn.linear_model", ("logistic",), _logistic_regression, two_labels=True
)
RIDGE = EstimatorSolver("Ridge", "sklearn.linear_model", ("squared",), _ridge)
ELASTIC_NET = EstimatorSolver("ElasticNet", "sklearn.linear_model", ("squared",), _elastic_net, l1=True)
SDCA_CLASSIFIER = EstimatorSolver(
    "SDCAClassifier", "lightning.classification", ("hinge", "squared-hinge"), _lightning, two_labels=True
)
SOLVERS = (LINEAR_SVC, LOGISTIC_REGRESSION, RIDGE, ELASTIC_NET, SDCA_CLASSIFIER)


def ready() -> list[EstimatorSolver]:
    """Those that are installed."""
    return [solver for solver in SOLVERS if solver.installed]
