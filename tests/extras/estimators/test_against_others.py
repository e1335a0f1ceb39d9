"""The same minimum as SVC, LinearSVC, Ridge, ElasticNet and LogisticRegression, each with its strength turned into
lam and l1.

Theirs and ours are compared with one lower bound of min P, the D of our certificate: P(theirs) - D and P(ours) - D =
dual_gap_. lam-strong convexity turns each g = P - D into a distance, ||w - w*|| <= sqrt(2 g/lam), so that the two are
at most the sum of these apart, whatever their roundings. That P(theirs) - D is small, a millionth of P(0) at much
smaller tolerances, shows that the strengths are converted correctly. The control converts them wrongly.
"""

import math
from functools import partial

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge  # noqa: E402
from sklearn.svm import SVC, LinearSVC  # noqa: E402

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
LINEAR = {**TIGHT, "C": C, "random_state": 0}
C1 = {"intercept_scaling": 1.0}

OTHERS = {  # of n, the sum of the weights: theirs and ours
    "LinearSVC, hinge": lambda n: (
        LinearSVC(loss="hinge", **LINEAR),
        DualGapClassifier("hinge", lam=1 / (n * C), tol=1e-9, **C1),
    ),
    "LinearSVC": lambda n: (LinearSVC(**LINEAR), DualGapClassifier("squared-hinge", lam=1 / (n * C), **C1)),
    "LinearSVC, intercept_scaling": lambda n: (
        LinearSVC(intercept_scaling=4.0, **LINEAR),
        DualGapClassifier("squared-hinge", lam=1 / (n * C), intercept_scaling=4.0),
    ),
    "LogisticRegression, liblinear": lambda n: (
        LogisticRegression(solver="liblinear", **LINEAR),
        DualGapClassifier("logistic", lam=1 / (n * C), **C1),
    ),
    "SVC, free intercept": lambda n: (
        SVC(kernel="linear", C=C, tol=1e-10),
        DualGapClassifier("hinge", lam=1 / (n * C), tol=1e-9),
    ),
}
EITHER = {  # with a free intercept or none
    "LogisticRegression": lambda n, b: (
        LogisticRegression(C=C, fit_intercept=b, **TIGHT),
        DualGapClassifier("logistic", lam=1 / (n * C), fit_intercept=b),
    ),
    "Ridge": lambda n, b: (Ridge(alpha=A, fit_intercept=b), DualGapRegressor(lam=A / n, fit_intercept=b)),
    "Ridge, positive": lambda n, b: (
        Ridge(alpha=A, positive=True, tol=1e-10, fit_intercept=b),
        DualGapRegressor(lam=A / n, positive=True, fit_intercept=b),
    ),
    **{
        f"ElasticNet, positive = {positive}": lambda n, b, positive=positive: (
            ElasticNet(alpha=A, l1_ratio=R, positive=positive, fit_intercept=b, **TIGHT),
            DualGapRegressor(lam=A * (1 - R), l1=A * R, positive=positive, fit_intercept=b),
        )
        for positive in (False, True)
    },
}
PAIRS = OTHERS | {f"{name}, intercept = {b}": partial(EITHER[name], b=b) for name in EITHER for b in (False, True)}


def w_of(model, ours):
    """(b/c, coef), or coef where the intercept is free or absent, and the free intercept or None."""
    b, coef = np.ravel(model.intercept_), np.ravel(model.coef_)
    if ours.fit_intercept and ours.intercept_scaling is not None:
        return np.append(b / ours.intercept_scaling, coef), None
    return coef, float(b[0]) if ours.fit_intercept else None


def certified(ours, w, b=None):
    """The certificate of (w, b) for the problem of a fitted estimator: its gap_bound is at least P(w, b) - min P."""
    return Certificate(ours.certificate_.problem, w, ours.certificate_.alpha, intercept=b)


def excess(ours, w, b=None):
    return certified(ours, w, b).gap_bound


@pytest.mark.parametrize("weights", [None, S], ids=["equal", "weighted"])
@pytest.mark.parametrize("name", PAIRS)
def test_the_same_minimum(name, weights):
    theirs, ours = PAIRS[name](N if weights is None else float(S.sum()))
    y = Y if isinstance(ours, DualGapClassifier) else Z
    theirs.fit(X, y, weights)
    ours.set_params(max_iter=20000).fit(X, y, weights)
    w, b = w_of(theirs, ours)
    certificate, at_zero = certified(ours, w, b), certified(ours, 0 * w, b and 0.0).primal
    assert certificate.primal >= ours.certificate_.primal - ours.dual_gap_ - certificate.rounding
    assert excess(ours, w, b) <= 1e-6 * at_zero
    apart = np.linalg.norm(w - w_of(ours, ours)[0])
    assert apart <= (math.sqrt(2 * excess(ours, w, b) / ours.lam) + math.sqrt(2 * ours.dual_gap_ / ours.lam)) * (
        1 + 1e-12
    )
    ours.set_params(lam=2 * ours.lam).fit(X, y, weights)
    assert excess(ours, w, b) > 1e-6 * at_zero, "control: another lam has another minimum"


def test_ridge_with_an_intercept_solves_the_normal_equations_of_centred_data():
    """w = (X~^T X~ + A I)^-1 X~^T y~ for X~ = X - mean, y~ = y - mean, and b = mean y - w^T mean x."""
    far, y = X + 3.0, Z + 5.0
    centred = far - far.mean(axis=0)
    w = np.linalg.solve(centred.T @ centred + A * np.eye(4), centred.T @ (y - y.mean()))
    for method in ("auto", "newton", "lbfgs", "afg", "sdca"):
        ours = DualGapRegressor(lam=A / N, method=method, tol=1e-20).fit(far, y)
        assert np.abs(ours.coef_ - w).max() <= 1e-9 and abs(ours.intercept_ - (y.mean() - w @ far.mean(axis=0))) <= 1e-8
    assert np.abs(DualGapRegressor(lam=A / N, **C1).fit(far, y).coef_ - w).max() > 1e-3, (
        "control: a penalised intercept"
    )


def test_a_warm_start_may_come_from_coefficients_of_any_sign():
    model = DualGapRegressor(lam=0.05, warm_start=True, tol=1e-10).fit(X, Z)
    assert model.coef_.min() < 0
    assert model.set_params(positive=True).fit(X, Z).coef_.min() == 0 and model.dual_gap_ <= 1e-10
