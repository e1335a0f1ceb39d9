"""The default tolerance, tolerances that zero meets, and warm starts that end where they start."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 3)).round(3)
Z = X @ [1.0, -2.0, 0.5] + 0.7 + RNG.normal(size=24)
C1 = {"intercept_scaling": 1.0}


@pytest.mark.parametrize("unit", [1.0, 1e-9, 1e-13, 1e-17, 1e12])
def test_the_default_does_not_depend_on_the_units(unit):
    target = X @ [2.0, -1.0, 0.5]
    right = np.linalg.solve(X.T @ X / 24 + 1e-2 * np.eye(3), X.T @ target / 24)
    model = DualGapRegressor(lam=1e-2, fit_intercept=False).fit(X, target * unit)  # no warning: warnings are errors
    assert np.abs(model.coef_ / unit - right).max() <= 1e-12
    if unit < 1e-9:
        return  # what is certified there has a part that does not shrink with y
    by_rtol = DualGapRegressor(lam=1e-2, fit_intercept=False, rtol=1e-6).fit(X, target * unit)
    assert by_rtol.results_[0].status == "converged" and 0 < by_rtol.dual_gap_ <= 1e-6 * by_rtol.certificate_.primal
    assert by_rtol.results_[0].tol == 0 and clone(by_rtol).rtol == 1e-6


def test_a_tolerance_that_zero_meets_is_a_warning_and_the_best_zero_is_none():
    with pytest.warns(ConvergenceWarning, match="all coefficients are 0: tol = 1e-06 is met there"):
        DualGapRegressor(lam=1e-2, tol=1e-6).fit(X, Z * 1e-6)
    DualGapRegressor(lam=1e-2, tol=1e-6).fit(X, 0 * Z)
    assert not DualGapRegressor(lam=1e-2, l1=100.0).fit(X, Z).coef_.any(), "no warning: 0 is the minimum"


def test_the_default_warns_where_a_millionth_of_the_loss_at_zero_is_not_reached():
    with pytest.warns(ConvergenceWarning, match="passes were not enough"):
        DualGapRegressor(lam=1e-6, l1=1e-3, max_iter=2).fit(X, Z)
    few = DualGapRegressor(lam=0.5, l1=1e-3, method="sdca", max_iter=40).fit(X, Z)  # no warning
    assert few.results_[0].status == "max_epochs" and few.dual_gap_ <= 1e-6 * np.mean(Z**2) / 2


@pytest.mark.parametrize("model", [*map(DualGapClassifier, ("hinge", "logistic")), DualGapRegressor()], ids=str)
def test_a_column_that_leaves_nothing_certified_is_named(model):
    """The gap is at the level of rounding, which is far above P(0). With the column in ordinary units there is no
    warning: warnings are errors.
    """
    target = Z if isinstance(model, DualGapRegressor) else Z > 0
    assert model.fit(X, target).dual_gap_ < 1e-6
    with pytest.warns(ConvergenceWarning, match="^The sizes of the columns .*: column 1 is the largest"):
        model.fit(X * [1, 1e100, 1], target)
    assert model.dual_gap_ > 1 and model.results_[0].status == "rounding"


@pytest.mark.parametrize("gamma", [1e-8, 1e-3, 1.0, 1e8])
def test_the_part_of_the_bound_that_does_not_depend_on_the_target_is_no_warning(gamma):
    model = DualGapRegressor(gamma=gamma).fit(X, 0 * Z)  # no warning
    assert model.results_[0].status == "rounding" and model.dual_gap_ > 2.0**-100 * (1 + gamma) ** 2 / gamma


@pytest.mark.parametrize("given", [{"l1": 1e-2}, {"method": "spdc", **C1}, {"method": "asdca", **C1}, C1, {}], ids=str)
def test_a_warm_fit_of_the_solved_problem_makes_no_pass_and_loses_nothing(given):
    model = DualGapRegressor(lam=1e-2, tol=1e-8, warm_start=True, **given).fit(X, Z)
    gap, coef = model.dual_gap_, model.coef_.tolist()
    assert model.n_iter_ > 0 and model.fit(X, Z).n_iter_ == 0 and model.coef_.tolist() == coef
    # The search for the intercept begins where the last one ended, so the gap may move by less than a unit of P(0).
    assert model.dual_gap_ - gap <= 2.0**-52 * np.mean(Z**2) / 2


@pytest.mark.parametrize("loss", ["smoothed-hinge", "squared-hinge", "logistic", "squared"])
@pytest.mark.parametrize("storage", [np.asarray, csr_array])
def test_columns_with_a_large_mean_have_the_answer_of_centred_ones_and_soon(loss, storage):
    """The gap of such columns need not fall to the default tolerance, which is below the unit of P."""
    draws = np.random.default_rng(1).normal(size=4800)[1200:]
    rows, noise = draws[:900].reshape(300, 3), draws[900:1200]
    scores = rows @ [1.0, -2.0, 0.5] + 0.3 * noise
    model = (DualGapRegressor if loss == "squared" else DualGapClassifier)(loss, lam=1e-2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        far = clone(model).fit(storage(rows + 1e6), scores if loss == "squared" else scores > 0)
    near = model.fit(storage(rows), scores if loss == "squared" else scores > 0)
    assert far.results_[0].status in ("rounding", "converged") and far.n_iter_ <= 500
    assert np.abs(far.coef_ - near.coef_).max() <= 1e-6, "the answer of the rows without the mean"
