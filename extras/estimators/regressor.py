"""The regressor: one linear score."""

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from dualgap.extras.estimators.base import DualGapEstimator
from dualgap.fast.problem.arrays import Array
from dualgap.reference.numbers.own_context import in_own_context


class DualGapRegressor(RegressorMixin, DualGapEstimator):  # type: ignore[misc]
    """A linear regressor with a proof of how far it is from the best one.

    coef w and intercept b minimise, up to ``dual_gap_``,

        P(w, b) = (1/S) sum_i s_i phi(x_i^T w + b - y_i) + (lam/2) ||w||^2 + l1 ||w||_1

    with phi(e) = e^2/(2 gamma) or |e|, sample weights s_i, S = sum_i s_i; with c = intercept_scaling a number, plus
    (lam/2) (b/c)^2 + l1 |b/c|.

    Parameters
    ----------
    loss : "squared", "absolute", or one that is registered
    gamma : > 0, of the squared loss (default 1)
    others : as of ``DualGapClassifier``

    Attributes
    ----------
    coef_, intercept_ : (d,) and a float
    dual_gap_, certificate_ : a float and a ``Certificate``
    results_, n_iter_, dual_coef_, n_features_in_, feature_names_in_ : as of ``DualGapClassifier``

    Examples
    --------
    >>> model = DualGapRegressor(lam=0.5, fit_intercept=False).fit([[1.0], [1.0]], [1.0, 2.0])
    >>> model.coef_.round(9).tolist(), model.dual_gap_ <= 1e-20
    ([1.0], True)
    """

    @in_own_context
    def fit(self, X: Any, y: Any, sample_weight: object = None) -> "DualGapRegressor":
        """Fit.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR; y : (n,) targets; sample_weight : (n,) >= 0

        Raises
        ------
        ValueError
            What ``check_array`` or ``Problem`` refuses, weights that are negative or all zero.
        """
        X, y, weights, kept = self._given(X, y, sample_weight, y_numeric=True)
        self._solve(self._rows(X), [y.astype(np.float64)], [weights], kept)
        return self

    def _set_coefficients(self, coef: Array, intercept: Array) -> None:
        self.coef_, self.intercept_ = coef[0], float(intercept[0])

    @in_own_context
    def predict(self, X: object) -> Array:
        """x^T coef + intercept, shape (rows,)."""
        return self._scores(X)[:, 0]
