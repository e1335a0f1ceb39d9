"""Estimators for scikit-learn: ``DualGapClassifier`` and ``DualGapRegressor``, each with a certificate of what it
returns. scikit-learn is imported here, and by nothing that an estimator is not asked of. No method and no certificate
is computed here.

May import: fast, reference.

>>> from dualgap.extras.estimators import DualGapClassifier
>>> model = DualGapClassifier(loss="logistic", lam=0.1).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
>>> model.predict([[0.5], [3.5]]).tolist(), model.dual_gap_ <= 1e-20
([0, 1], True)
"""

try:
    import sklearn  # noqa: F401
except ImportError:
    raise ImportError(
        'dualgap.extras.estimators needs scikit-learn, which is not installed: pip install "dualgap[cli]"'
    ) from None

from dualgap.extras.estimators.classifier import DualGapClassifier
from dualgap.extras.estimators.regressor import DualGapRegressor

__all__ = ["DualGapClassifier", "DualGapRegressor"]
