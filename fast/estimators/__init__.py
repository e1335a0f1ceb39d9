"""Estimators for scikit-learn: ``DualGapClassifier`` and ``DualGapRegressor``, each with a certificate of what it
returns. scikit-learn is imported here and nowhere else in this column. No method and no certificate is computed here.

May import: data, problem, solver, reference.

>>> from dualgap.fast.estimators import DualGapClassifier
>>> model = DualGapClassifier(loss="logistic", lam=0.1).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
>>> model.predict([[0.5], [3.5]]).tolist(), model.dual_gap_ <= 1e-20
([0, 1], True)
"""

try:
    import sklearn  # noqa: F401
except ImportError:
    raise ImportError(
        'dualgap.fast.estimators needs scikit-learn, which is not installed: pip install "dualgap[cli]"'
    ) from None

from dualgap.fast.estimators.classifier import DualGapClassifier
from dualgap.fast.estimators.regressor import DualGapRegressor

__all__ = ["DualGapClassifier", "DualGapRegressor"]
