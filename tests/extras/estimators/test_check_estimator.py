"""scikit-learn's own checks, all of them, no failure expected.

The checks on sample weights compare scores to 1e-9. ``tol`` reaches that: two fits of gap g are at most 2 ||x|| sqrt(2
g/lam) apart in x^T w + b, and with ||x||^2 <= 31 there, lam = 1e-2 and g = 1e-23, the default of smooth losses, that is
5e-10. No tolerance would do for hinge and absolute: doubles certify about 1e-16, and sqrt(2e-16/lam) is 1.4e-7. Their
weights are compared, at what was certified, in ``test_estimators``.
"""

import warnings

import pytest

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402

MULTINOMIAL = DualGapClassifier("logistic", multi_class="multinomial")


@parametrize_with_checks([DualGapClassifier(), DualGapClassifier("logistic"), MULTINOMIAL, DualGapRegressor()])
def test_the_checks_of_scikit_learn(estimator, check):
    """Those on weights with the tolerance reached: what is not reached is a warning, which fails them."""
    with warnings.catch_warnings():
        if "sample_weight_equivalence" in str(check):
            warnings.simplefilter("error", ConvergenceWarning)
        check(estimator)
