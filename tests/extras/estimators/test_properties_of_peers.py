"""Properties that other libraries test of their estimators, on drawn data: rank deficient, unequal columns, rows that
are nearly equal, rows and columns of zeros, lam/R^2 from 1e-5 to 10.
"""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from typing import Any

from sklearn.exceptions import ConvergenceWarning  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402

Model = DualGapClassifier | DualGapRegressor
LOSSES = ("squared", "logistic", "squared-hinge", "hinge")


def drawn(seed: int, loss: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """X, y, whole weights, lam. Three times X and nine times lam are exact."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(12, 40)), int(rng.integers(2, 9))
    X = np.round(rng.normal(size=(n, d)) * 2**20) / 2**20
    if seed % 5 == 0:
        X[:, -1] = 2 * X[:, 0]
    elif seed % 5 == 1:
        X *= 2.0 ** rng.integers(-7, 10, d)
    elif seed % 5 == 2:
        X[1::2] = X[: 2 * (n // 2) : 2] + 2.0**-30
    elif seed % 5 == 3:
        X[0], X[:, -1] = 0, 0
    z = X @ rng.normal(size=d) + rng.normal(size=n)
    y = z if loss == "squared" else np.where(z > np.median(z), "yes", "no")
    return X, y, rng.integers(1, 4, n), float(np.float32(np.square(X).sum(1).max() * 10.0 ** rng.uniform(-5, 1)))


def fitted(loss: str, lam: float, X: object, y: object, weights: object = None, **given: Any) -> Model:
    kind = DualGapRegressor if loss == "squared" else DualGapClassifier
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the certified gap is used, whatever it is
        return kind(loss, lam=lam, **given).fit(X, y, weights)


def excess(one: Model, other: Model) -> float:
    """The distance of the coefficients over what the gaps g, h allow, sqrt(2 g/lam) + sqrt(2 h/lam); 1e-12 is more than
    the roundings of the norms.
    """
    allowed = sum(np.sqrt(2 * model.dual_gap_ / model.lam) for model in (one, other)) * (1 + 1e-12)
    return float(np.linalg.norm(one.coef_ - other.coef_) / allowed)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(10))
def test_what_changes_no_problem_changes_no_answer(seed: int, loss: str) -> None:
    X, y, weights, lam = drawn(seed, loss)
    model, order = fitted(loss, lam, X, y, weights), np.random.default_rng(seed).permutation(len(y))
    same = {
        "the order of the rows": fitted(loss, lam, X[order], y[order], weights[order]),
        "1000 times the weights": fitted(loss, lam, X, y, 1000 * weights),
        "repeated rows": fitted(loss, lam, X.repeat(weights, axis=0), y.repeat(weights)),
        "sparse rows": fitted(loss, lam, csr_array(X), y, weights),
        "three times the rows": fitted(loss, 9 * lam, 3 * X, y, weights),
    }
    same["three times the rows"].coef_ *= 3
    same["three times the rows"].lam /= 9
    assert {name: excess(model, other) for name, other in same.items() if not excess(model, other) <= 1} == {}
    again = fitted(loss, lam, X, y, weights)
    assert again.coef_.tobytes() == model.coef_.tobytes() and again.dual_gap_ == model.dual_gap_
    wrong = fitted(loss, lam, X, y, weights, fit_intercept=False), fitted(loss, 2 * lam, X, y, weights)
    assert max(excess(model, other) for other in wrong) > 1, "control: another problem"


@pytest.mark.parametrize("seed", range(10))
def test_beyond_the_largest_useful_l1_all_coefficients_are_exactly_0(seed: int) -> None:
    X, y, _, lam = drawn(seed, "squared")
    # 1e-9 is more than the roundings of this maximum
    largest = float(np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()) / len(y)
    assert not fitted("squared", lam, X, y, l1=largest * (1 + 1e-9)).coef_.any()
    assert fitted("squared", lam, X, y, l1=largest / 2).coef_.any(), "control: a smaller l1"
