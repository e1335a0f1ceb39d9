"""Other people's solvers, on one thread, and the least effort with which one of them is accurate: for ``grid.py``.

Every solver starts from the same matrix and labels in memory. It is run with growing effort (iterations, or a smaller
tolerance) until its own w is verified to have P(w) - D <= 1e-6 |P|, where D is a certified lower bound of the minimum.
Only that last run is timed, so that a peer's time includes neither the checks nor the search for a stopping point.

What they minimise, without an intercept, is made P(w) = (1/n) sum phi(x_i^T w) + (lam/2)||w||^2 by

==================================== =============================== =================================================
package                              parameter                       their objective
==================================== =============================== =================================================
scikit-learn (liblinear, lbfgs, ...) C = 1/(lam n)                   C sum phi + ||w||^2/2, P/lam
cyanure                              lambda_1 = lam                  P
glum, skglm, celer                   alpha = lam + l1, l1_ratio      P
ReHLine                              C = 1/(lam n)                   P/lam
scipy L-BFGS                         the objective itself            P
==================================== =============================== =================================================

and the suboptimality is computed here from their w. A wrong mapping would therefore show.

A peer that cannot be imported is left out.
"""

import contextlib
import importlib
import io
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from common import cpu_seconds, fix_threads

fix_threads()

import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402
from scipy.special import expit  # noqa: E402

from dualgap.fast.compiler.first_calls import compile_at_once  # noqa: E402
from dualgap.fast.problem.arrays import Array  # noqa: E402
from dualgap.reference import LOSSES  # noqa: E402

compile_at_once()  # what is measured is compiled code

ACCURACY = 1e-6  # of P, relative
MOST_SECONDS = 6.0  # of one run; a peer that needs longer is out
# a peer is out, too, when a run that is not accurate enough took as many times the time of the best so far
MOST_TIMES = 3.0
FEWER = (1e-1, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8)  # tolerances
EFFORTS = "1 2 3 4 5 6 8 10 12 15 18 22 27 33 40 50 60 75 90 110 135 165 200 250 300 400 500 700 1000"
MORE = tuple(map(int, EFFORTS.split()))  # passes


class Task(NamedTuple):
    """What is to be minimised."""

    X: Any  # an array or a csr_matrix, which all of them take
    y: Array
    loss: str
    lam: float
    l1: float = 0.0


class Peer(NamedTuple):
    """A solver: ``run(task, effort)`` returns w, for efforts that grow along ``efforts``."""

    package: str
    name: str
    losses: tuple[str, ...]
    efforts: tuple[float, ...]
    run: Callable[[Task, Any], Array]


def fitted(estimator: Any, task: Task) -> Array:
    """w of an estimator after ``fit``; what it prints is swallowed."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the tolerance was not met: w is verified here
        estimator.fit(task.X, task.y)
    return np.ravel(estimator.coef_)


def strength(task: Task) -> float:
    """C of those that minimise P/lam."""
    return 1 / (task.lam * task.X.shape[0])


def shares(task: Task) -> dict[str, float]:
    """alpha and l1_ratio of those that have both norms in one number."""
    return {"alpha": task.lam + task.l1, "l1_ratio": task.l1 / (task.lam + task.l1)}


def svc(task: Task, tol: float, **options: Any) -> Array:
    from sklearn.svm import LinearSVC

    options = options | {"loss": task.loss.replace("-", "_"), "C": strength(task), "tol": tol}
    return fitted(LinearSVC(fit_intercept=False, max_iter=20000, **options), task)


def logistic(task: Task, tol: float, **options: Any) -> Array:
    from sklearn.linear_model import LogisticRegression

    return fitted(LogisticRegression(C=strength(task), fit_intercept=False, tol=tol, max_iter=2000, **options), task)


def ridge(task: Task, tol: float, **options: Any) -> Array:
    from sklearn.linear_model import Ridge

    return fitted(Ridge(alpha=task.lam * task.X.shape[0], fit_intercept=False, tol=tol, **options), task)


def net(task: Task, tol: float, kind: str) -> Array:
    kind_of_net = importlib.import_module(kind).ElasticNet
    return fitted(kind_of_net(**shares(task), fit_intercept=False, tol=tol, max_iter=10_000), task)


def cyanure(task: Task, tol: float) -> Array:
    from cyanure.estimators import Classifier, Regression

    options: dict[str, object] = {"penalty": "l2", "lambda_1": task.lam, "fit_intercept": False}
    if task.l1:
        options = options | {"penalty": "elastic-net", "lambda_1": task.l1, "lambda_2": task.lam}
    kind = Regression if task.loss == "squared" else partial(Classifier, loss="logistic")
    return fitted(kind(**options, tol=tol, max_iter=1000, n_threads=1, verbose=False), task)


def rehline(task: Task, tol: float) -> Array:
    from rehline import plqERM_Ridge

    loss = {"name": {"hinge": "svm", "smoothed-hinge": "sSVM", "squared-hinge": "squared svm"}[task.loss]}
    return fitted(plqERM_Ridge(loss=loss, C=strength(task), max_iter=20_000, tol=tol), task)


def glum(task: Task, tol: float) -> Array:
    from glum import GeneralizedLinearRegressor as Glum

    squared = task.loss == "squared"
    options = {**shares(task), "fit_intercept": False, "gradient_tol": tol, "max_iter": 1000}
    model = Glum(family="normal" if squared else "binomial", **options)
    return fitted(model, task if squared else task._replace(y=(task.y + 1) / 2))


def values(loss: str, y: Array, z: Array) -> tuple[Array, Array]:
    """phi(z) and phi'(z) of all rows, by numpy alone: a second implementation, which certificates are compared with."""
    m = y * z
    if loss == "logistic":
        return np.logaddexp(0, -m), -y * expit(-m)
    if loss == "squared":
        return (z - y) ** 2 / 2, z - y
    rest = np.maximum(0, 1 - m)
    if loss in ("hinge", "squared-hinge"):
        return (rest, -y * (rest > 0)) if loss == "hinge" else (rest * rest, -2 * y * rest)
    b = np.minimum(rest, 1)  # smoothed hinge with gamma = 1
    return b * rest - b * b / 2, -y * b


def lbfgs(task: Task, iterations: int) -> Array:
    X, n = task.X, task.X.shape[0]
    XT = X.T if isinstance(X, np.ndarray) else X.T.tocsr()

    def function(w: Array) -> tuple[float, Array]:
        phi, slopes = values(task.loss, task.y, X @ w)
        return float(phi.mean() + task.lam * (w @ w) / 2), XT @ slopes / n + task.lam * w

    options = {"maxiter": iterations, "ftol": 0, "gtol": 0, "maxcor": 10}
    return minimize(function, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", options=options).x


HINGES, NET = ("hinge", "smoothed-hinge", "squared-hinge"), ("elastic net",)
LIBLINEAR = {"liblinear primal": {"solver": "liblinear"}, "liblinear dual": {"solver": "liblinear", "dual": True}}
SKLEARN = {f"sklearn {solver}": {"solver": solver} for solver in "newton-cholesky lbfgs newton-cg sag saga".split()}
NETS = {"sklearn": "sklearn.linear_model", "skglm": "skglm", "celer": "celer"}
PEERS = [  # the quickest as a rule first
    *(Peer("sklearn", f"ridge {s}", ("squared",), FEWER, partial(ridge, solver=s)) for s in ("cholesky", "lsqr")),
    Peer("scipy", "scipy L-BFGS", tuple(name for name in LOSSES if name != "hinge"), MORE, lbfgs),
    Peer("sklearn", "liblinear", ("hinge",), FEWER, partial(svc, dual=True)),
    Peer("sklearn", "liblinear primal", ("squared-hinge",), FEWER, partial(svc, dual=False)),
    Peer("sklearn", "liblinear dual", ("squared-hinge",), FEWER, partial(svc, dual=True)),
    *(Peer("sklearn", n, ("logistic",), FEWER, partial(logistic, **how)) for n, how in (LIBLINEAR | SKLEARN).items()),
    Peer("cyanure", "cyanure", ("squared", "logistic"), FEWER, cyanure),
    Peer("glum", "glum", ("squared", "logistic"), FEWER, glum),
    Peer("rehline", "ReHLine", HINGES, FEWER, rehline),
    *(Peer(package, f"{package} net", NET, FEWER, partial(net, kind=kind)) for package, kind in NETS.items()),
]


def primal(task: Task, w: Array) -> float:
    """P(w), by numpy alone."""
    phi = values(task.loss, task.y, task.X @ w)[0]
    return float(phi.mean() + task.lam * (w @ w) / 2 + task.l1 * np.abs(w).sum())


def effort_of(peer: Peer, task: Task, bound: float, best: float) -> tuple[float, float] | None:
    """The least effort that gives P(w) - bound <= 1e-6 |P|, and its seconds, once; None: out of reach, or no rival of
    one that takes ``best`` seconds.
    """
    for effort in peer.efforts:
        answer: list[Array] = []
        spent = cpu_seconds(lambda effort=effort, answer=answer: answer.append(peer.run(task, effort)))  # type: ignore[misc]
        value = primal(task, answer[0])
        if (value - bound) / abs(value) <= ACCURACY:
            return effort, spent
        if spent > min(MOST_SECONDS, MOST_TIMES * best):
            return None
    return None
