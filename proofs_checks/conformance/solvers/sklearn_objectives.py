"""Other people's estimators, each as the problem that it says it solves and the accuracy that it says it reached.

All are fitted without intercept on tiny problems whose numbers are dyadic, so that the problem handed over is exactly
the problem judged. With s the ``strength``, a power of two, and P of ``dualgap.reference.problem.problem``:

=========================== ================================================== =====================================
estimator                   its objective                                      is
=========================== ================================================== =====================================
LinearSVC, C = 1/s          ||w||^2/2 + C sum_i loss_i                         P/lam with lam = s/n
LogisticRegression, C = 1/s ||w||^2/2 + C sum_i log(1 + e^-m_i)                P/lam with lam = s/n
Ridge, alpha = s            ||y - Xw||^2 + s ||w||^2                           2n P with lam = s/n, gamma = 1
ElasticNet, alpha = s,      ||y - Xw||^2/(2n) + (s/2)||w||_1 + (s/4)||w||^2    P with lam = l1 = s/2, gamma = 1
l1_ratio = 1/2
SDCAClassifier, alpha = s   mean loss_i + (s/2)||w||^2                         P with lam = s
=========================== ================================================== =====================================

What convergence claims. ElasticNet and SDCAClassifier stop at a duality gap, so theirs is a claim about P(w) - min P, in
their own words. The others' tolerances have other units; held against them is "P(w) - min P <= tol P(0)", the
objective at zero being what a tolerance on an objective is naturally relative to. That yardstick is ours.
"""

import contextlib
import importlib
import importlib.util
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem

Rows = tuple[tuple[Fraction, ...], ...]
Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Fit:
    """A fitted estimator: w, whether it claims to have converged, the gap that it reports, if it does; or why it refused."""

    w: Vector
    converged: bool
    reported: Fraction | None = None
    refused: str = ""


@dataclass(frozen=True)
class Estimator:
    """One estimator with one setting.

    Attributes
    ----------
    name : as in reports, e.g. "LinearSVC(loss=hinge)".
    module : what must be importable; the estimator is optional.
    loss : a name of ``dualgap.reference.LOSSES``.
    fit : (rows, y, strength) to Fit.
    tol : its default tolerance, the one that it is run with.
    claim : what convergence is taken to claim, in words; ``allowed`` is the number.
    """

    name: str
    module: str
    loss: str
    fit: Callable[[Rows, Vector, Fraction], Fit]
    tol: float
    claim: str
    allowed: Callable[["Estimator", Problem, Fit], Number]
    penalty: Callable[[Fraction, int], tuple[Fraction, Fraction]] = field(default=lambda s, n: (s / n, Q(0)))

    @property
    def missing(self) -> str:
        """Why it cannot be run here, or nothing."""
        return "" if importlib.util.find_spec(self.module.partition(".")[0]) else f"{self.module.partition('.')[0]} is not installed"

    def attempt(self, rows: Rows, y: Vector, strength: Fraction) -> Fit:
        """``fit``; an exception of arithmetic or of the input is a refusal, which claims nothing."""
        try:
            return self.fit(rows, y, strength)
        except (ArithmeticError, ValueError) as error:
            return Fit((), False, refused=f"{type(error).__name__}: {error}")

    def instance(self, rows: Rows, y: Vector, strength: Fraction) -> Instance:
        """The problem that it is given."""
        lam, l1 = self.penalty(strength, len(rows))
        gamma = Q(1) if self.loss == "squared" else None
        return Instance(rows=rows, y=y, alpha=(Q(0),) * len(y), lam=lam, l1=l1, loss=self.loss, gamma=gamma)


# -- what convergence is taken to claim -------------------------------------------------------------------------------

OURS = "P(w) - min P <= tol P(0)"


def _of_zero(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    return Fraction(estimator.tol) * problem.P([problem.zero] * problem.d)


def _of_targets(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    total = problem.zero
    for y in problem.y:
        total = total + y * y
    return Fraction(estimator.tol) * total / problem.n


def _reported(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    assert fit.reported is not None
    return fit.reported


def _reported_but_for_rounding(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    return _reported(estimator, problem, fit) + problem.P([problem.zero] * problem.d) / 2**40


def _tol(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    return Fraction(estimator.tol)


def _twice_tol(estimator: Estimator, problem: Problem, fit: Fit) -> Number:
    return 2 * Fraction(estimator.tol)


# -- scikit-learn -----------------------------------------------------------------------------------------------------


def _fitted(model: Any, rows: Rows, y: Vector) -> tuple[Any, bool]:
    """The model after fit, and whether it kept silent: every warning of scikit-learn's here is one of convergence."""
    X, targets = np.array([[float(x) for x in row] for row in rows]), np.array([float(t) for t in y])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(X, targets)
    return model, not any("Convergence" in w.category.__name__ or "LineSearch" in w.category.__name__ for w in said)


def _weights(model: Any) -> Vector:
    return tuple(Fraction(float(w_j)) for w_j in np.ravel(model.coef_))


def _linear_svc(loss: str) -> Callable[[Rows, Vector, Fraction], Fit]:
    def fit(rows: Rows, y: Vector, strength: Fraction) -> Fit:
        svm = importlib.import_module("sklearn.svm")
        model = svm.LinearSVC(C=float(1 / strength), loss=loss, dual=True, fit_intercept=False, random_state=0)
        model, silent = _fitted(model, rows, y)
        return Fit(_weights(model), silent)

    return fit


def _logistic_regression(solver: str) -> Callable[[Rows, Vector, Fraction], Fit]:
    def fit(rows: Rows, y: Vector, strength: Fraction) -> Fit:
        linear = importlib.import_module("sklearn.linear_model")
        model = linear.LogisticRegression(C=float(1 / strength), solver=solver, fit_intercept=False, random_state=0)
        model, silent = _fitted(model, rows, y)
        return Fit(_weights(model), silent)

    return fit


def _ridge(solver: str) -> Callable[[Rows, Vector, Fraction], Fit]:
    def fit(rows: Rows, y: Vector, strength: Fraction) -> Fit:
        linear = importlib.import_module("sklearn.linear_model")
        model = linear.Ridge(alpha=float(strength), solver=solver, fit_intercept=False, random_state=0)
        model, silent = _fitted(model, rows, y)
        return Fit(_weights(model), silent)

    return fit


def _elastic_net(rows: Rows, y: Vector, strength: Fraction) -> Fit:
    linear = importlib.import_module("sklearn.linear_model")
    model, silent = _fitted(linear.ElasticNet(alpha=float(strength), l1_ratio=0.5, fit_intercept=False), rows, y)
    return Fit(_weights(model), silent, Fraction(float(model.dual_gap_)))


# -- lightning --------------------------------------------------------------------------------------------------------


def _lightning(loss: str) -> Callable[[Rows, Vector, Fraction], Fit]:
    def fit(rows: Rows, y: Vector, strength: Fraction) -> Fit:
        """Whether it stopped at its tolerance is said nowhere but in what it prints."""
        classification = importlib.import_module("lightning.classification")
        model = classification.SDCAClassifier(alpha=float(strength), loss=loss, random_state=0, verbose=1)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            model, _ = _fitted(model, rows, y)
        lines = printed.getvalue().split("\n")
        gaps = [line.split()[-1] for line in lines if line.startswith("iter")]
        return Fit(_weights(model), "Converged" in lines, Fraction(float(gaps[-1])))

    return fit


SKLEARN, LIGHTNING = "sklearn.linear_model", "lightning.classification"

ESTIMATORS: dict[str, Estimator] = {
    estimator.name: estimator
    for estimator in (
        Estimator("LinearSVC(loss=hinge)", "sklearn.svm", "hinge", _linear_svc("hinge"), 1e-4, OURS, _of_zero),
        Estimator("LinearSVC(loss=squared_hinge)", "sklearn.svm", "squared-hinge", _linear_svc("squared_hinge"), 1e-4, OURS, _of_zero),
        *(
            Estimator(f"LogisticRegression(solver={solver})", SKLEARN, "logistic", _logistic_regression(solver), 1e-4, OURS, _of_zero)
            for solver in ("lbfgs", "liblinear", "sag", "saga")
        ),
        *(
            Estimator(f"Ridge(solver={solver})", SKLEARN, "squared", _ridge(solver), 1e-4, OURS, _of_zero)
            for solver in ("auto", "lsqr", "sparse_cg", "sag", "saga")
        ),
        Estimator(
            "ElasticNet", SKLEARN, "squared", _elastic_net, 1e-4, "P(w) - min P <= tol ||y||^2/n", _of_targets,
            penalty=lambda s, n: (s / 2, s / 2),
        ),
        Estimator(
            "ElasticNet, its dual_gap_", SKLEARN, "squared", _elastic_net, 1e-4, "P(w) - min P <= dual_gap_", _reported,
            penalty=lambda s, n: (s / 2, s / 2),
        ),
        Estimator(
            "ElasticNet, its dual_gap_, but for rounding", SKLEARN, "squared", _elastic_net, 1e-4,
            "P(w) - min P <= dual_gap_ + 2^-40 P(0)", _reported_but_for_rounding, penalty=lambda s, n: (s / 2, s / 2),
        ),
        Estimator(
            "SDCAClassifier(loss=hinge)", LIGHTNING, "hinge", _lightning("hinge"), 1e-3, "P(w) - min P <= tol", _tol,
            penalty=lambda s, n: (s, Q(0)),
        ),
        Estimator(
            "SDCAClassifier(loss=hinge), its printed gap", LIGHTNING, "hinge", _lightning("hinge"), 1e-3,
            "P(w) - min P <= the last gap printed + 2^-40 P(0)", _reported_but_for_rounding, penalty=lambda s, n: (s, Q(0)),
        ),
        Estimator(
            "SDCAClassifier(loss=squared_hinge)", LIGHTNING, "squared-hinge", _lightning("squared_hinge"), 1e-3,
            "P(w) - min P <= 2 tol (it solves P/2)", _twice_tol, penalty=lambda s, n: (s, Q(0)),
        ),
    )
}
