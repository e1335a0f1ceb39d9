"""The same minimum as LinearSVC, Ridge, ElasticNet and LogisticRegression, each with its strength turned into lam and
l1.

Theirs and ours are compared with one lower bound of min P, the D of our certificate: P(theirs) - D and P(ours) - D =
dual_gap_. lam-strong convexity turns each g = P - D into a distance, ||w - w*|| <= sqrt(2 g/lam), so that the two are
at most the sum of these apart, whatever their roundings. That P(theirs) - D is small, a millionth of P(0) at much
smaller tolerances, shows that the strengths are converted correctly. The control converts them wrongly.
"""

import math

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge  # noqa: E402
from sklearn.svm import LinearSVC  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402
from dualgap.fast import Certificate  # noqa: E402

RNG = np.random.default_rng(0)
N = 40
X = RNG.normal(size=(N, 4))
Z = X @ [1.0, -2.0, 0.5, 0.0] + RNG.normal(size=N)
Y = np.where(Z > 0.3, 1.0, -1.0)
S = RNG.choice([0.5, 1.0, 4.0], N)
C, A, R = 0.7, 0.3, 0.4
TIGHT = {"tol": 1e-10, "max_iter": 100000}
SVC = {**TIGHT, "C": C, "random_state": 0}

PAIRS = {  # theirs, ours, weights: n is the sum of the weights
    "LinearSVC, hinge": lambda n: (
        LinearSVC(loss="hinge", **SVC),
        DualGapClassifier("hinge", lam=1 / (n * C), tol=1e-9, max_iter=20000),
    ),
    "LinearSVC": lambda n: (LinearSVC(**SVC), DualGapClassifier("squared-hinge", lam=1 / (n * C))),
    "LinearSVC, intercept_scaling": lambda n: (
        LinearSVC(intercept_scaling=4.0, **SVC),
        DualGapClassifier("squared-hinge", lam=1 / (n * C), intercept_scaling=4.0),
    ),
    "LogisticRegression, liblinear": lambda n: (
        LogisticRegression(solver="liblinear", **SVC),
        DualGapClassifier("logistic", lam=1 / (n * C)),
    ),
    "LogisticRegression": lambda n: (
        LogisticRegression(C=C, fit_intercept=False, **TIGHT),
        DualGapClassifier("logistic", lam=1 / (n * C), fit_intercept=False),
    ),
    "Ridge": lambda n: (Ridge(alpha=A, fit_intercept=False), DualGapRegressor(lam=A / n, fit_intercept=False)),
    "ElasticNet": lambda n: (
        ElasticNet(alpha=A, l1_ratio=R, fit_intercept=False, **TIGHT),
        DualGapRegressor(lam=A * (1 - R), l1=A * R, fit_intercept=False),
    ),
}


def w_of(model):
    """(b/c, coef), or coef."""
    intercept = np.ravel(model.intercept_) / getattr(model, "intercept_scaling", 1.0)
    return np.append(intercept, np.ravel(model.coef_)) if model.fit_intercept else np.ravel(model.coef_)


def excess(model, w):
    """At least P(w) - min P, for the problem of a fitted estimator of ours."""
    return Certificate(model.certificate_.problem, w, model.certificate_.alpha).gap_bound


@pytest.mark.parametrize("weights", [None, S], ids=["equal", "weighted"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_same_minimum(name, weights):
    theirs, ours = PAIRS[name](N if weights is None else float(S.sum()))
    y = Y if isinstance(ours, DualGapClassifier) else Z
    theirs.fit(X, y, weights)
    ours.set_params(max_iter=20000).fit(X, y, weights)
    w, at_zero = w_of(theirs), Certificate(ours.certificate_.problem, 0 * w_of(theirs), ours.certificate_.alpha).primal
    certificate = Certificate(ours.certificate_.problem, w, ours.certificate_.alpha)
    assert certificate.primal >= ours.certificate_.primal - ours.dual_gap_ - certificate.rounding
    assert excess(ours, w) <= 1e-6 * at_zero
    apart = np.linalg.norm(w - w_of(ours))
    assert apart <= (math.sqrt(2 * excess(ours, w) / ours.lam) + math.sqrt(2 * ours.dual_gap_ / ours.lam)) * (1 + 1e-12)
    ours.set_params(lam=2 * ours.lam).fit(X, y, weights)
    assert excess(ours, w) > 1e-6 * at_zero, "control: another lam has another minimum"


def test_ridge_with_an_intercept_is_ours_on_centred_data():
    theirs = Ridge(alpha=A).fit(X + 3.0, Z + 5.0)
    ours = DualGapRegressor(lam=A / N, fit_intercept=False).fit(X - X.mean(axis=0), Z - Z.mean())
    assert excess(ours, theirs.coef_) <= 1e-9 * np.mean((Z - Z.mean()) ** 2)
    wrong = DualGapRegressor(lam=A / N, fit_intercept=False).fit(X + 3.0, Z + 5.0)
    assert excess(wrong, theirs.coef_) > 1e-3, "control: without centring the minimum is another one"
