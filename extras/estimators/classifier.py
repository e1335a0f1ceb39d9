"""The classifier: a linear score for each class against the rest, one for two classes."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

import numpy as np
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from dualgap.extras.estimators.base import DualGapEstimator
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.multinomial import MultinomialProblem
from dualgap.fast.solver.multinomial import solve_multinomial
from dualgap.fast.solver.parameters import NOT_NEGATIVE, require
from dualgap.fast.solver.settings import Settings
from dualgap.reference.numbers.own_context import in_own_context

SHARED = set(signature(DualGapEstimator).parameters)  # with the regressor


class DualGapClassifier(ClassifierMixin, DualGapEstimator):  # type: ignore[misc]
    """A linear classifier with a proof of how far it is from the best one.

    Two classes: coef w and intercept b minimise, up to ``dual_gap_``,

        P(w, b) = (1/S) sum_i s_i phi(y_i (x_i^T w + b)) + (lam/2) ||w||^2 + l1 ||w||_1

    with y_i = +1 for the second class and -1 for the first, S = sum_i s_i; with c = intercept_scaling a number, plus
    (lam/2) (b/c)^2 + l1 |b/c|. More classes: one such problem for each, this class against the rest, or the multinomial
    problem with a vector and an intercept for each of the K classes, W and b:

        P(W, b) = (1/S) sum_i s_i [ln sum_k e^(x_i^T w_k + b_k) - x_i^T w_(y_i) - b_(y_i)] + (lam/2) ||W||^2

    s_i is the sample weight times the class weight; a row of weight 0 is no row, one of weight 2 is two rows.

    Parameters
    ----------
    loss : a margin loss: "smoothed-hinge", "squared-hinge", "hinge", "logistic", or one that is registered
    lam : > 0; l1 : >= 0
    positive : whether all coefficients must be >= 0; b may be negative. Methods "sdca", "sdca-shrinking",
        "afg", "l1-newton", "auto"
    gamma : > 0, of smoothed-hinge (default 1)
    fit_intercept : whether there is a b
    intercept_scaling : None: b has no penalty. c > 0: it is penalised like any coefficient of a column of c: less, the
        larger c is
    method : a method of ``solve``; "auto" chooses. Rows of different weights, or a b without a penalty: "newton",
        "l1-newton", "proximal-newton", "lbfgs", "afg", "sdca" or "auto"; "l1-newton" with a penalised b or none
    tol : >= 0, what dual_gap_ may be, in the units of the loss. None: 1e-23 max(1, n/1000)^2 P(0), or what doubles can
        certify, for smooth losses, and 1e-6 P(0) for hinge; a warning comes where 1e-6 P(0) is not reached. P(0) is the
        mean loss without a model, and so the same in all units
    rtol : >= 0, what dual_gap_ may be, as a share of |P|; whichever of the two is met first. With rtol > 0, tol=None is
        0
    max_iter : >= 0 passes over the data, for each class
    random_state : seed >= 0 of the order of the rows; None or a RandomState draws one
    class_weight : None, "balanced" or a dictionary from class to weight; a class left out has weight 1. "balanced": S
        over the number of classes over the class's sum of sample weights
    multi_class : for three or more classes "ovr" or "multinomial", which is for loss "logistic" without l1 and
        positive, by methods "newton" and "auto". Two classes have one problem in any case
    warm_start : start at the dual point of the fit before, where its rows are as many; methods afg and pgs always
        start at 0

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,), or (K, d) and (K,) for K > 2 classes
    dual_gap_ : >= P(coef_, intercept_) - min P, roundings included: a float, or (K,), one for each class, a float again
        for a multinomial fit
    certificate_ : ``Certificate``, or a list of K. Its w is coef, or (b/c, coef); one of a multinomial fit has the
        transposed of that, row by row. It holds a copy of the rows: it is pickled with them. ``save`` writes a file
        that can be checked without dualgap, but not of a multinomial fit
    results_ : a tuple of ``Result``: method, reason, status, history
    n_iter_ : passes, the most of all problems; dual_coef_ : (1, n) or (K, n), alpha, 0 for rows of weight 0
    classes_ : of the rows of weight > 0; n_features_in_, feature_names_in_ : as everywhere

    Notes
    -----
    With intercept_scaling a number c, b = c w_0 is rounded once unless c is a power of two.

    Examples
    --------
    >>> model = DualGapClassifier("hinge", lam=0.5, fit_intercept=False).fit([[2.0], [-2.0]], ["good", "bad"])
    >>> model.coef_.round(6).tolist(), model.predict([[0.5]]).tolist(), model.dual_gap_ <= 1e-6
    ([[0.5]], ['good'], True)
    """

    margin = True

    def __init__(
        self,
        loss: str = "smoothed-hinge",
        *,
        lam: float = 1e-2,
        l1: float = 0.0,
        positive: bool = False,
        gamma: float | None = None,
        fit_intercept: bool = True,
        intercept_scaling: float | None = None,
        method: str = "auto",
        tol: float | None = None,
        rtol: float = 0.0,
        max_iter: int = 10_000,
        random_state: int | np.random.RandomState | None = 0,
        class_weight: str | Mapping[object, float] | None = None,
        warm_start: bool = False,
        multi_class: str = "ovr",
    ) -> None:
        super().__init__(**{name: value for name, value in locals().items() if name in SHARED})
        self.class_weight, self.multi_class = class_weight, multi_class

    @in_own_context
    def fit(self, X: object, y: Any, sample_weight: object = None) -> "DualGapClassifier":
        """Fit.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR; y : (n,) classes, two or more; sample_weight : (n,) >= 0

        Raises
        ------
        ValueError
            What ``check_array`` or ``Problem`` refuses, one class, weights that are negative or all zero.
        """
        X, y, weights, kept = self._given(X, y, sample_weight, check_classification_targets)
        classes, codes = np.unique(y, return_inverse=True)
        if classes.size < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more: the rows of weight > 0 have one class,"
                f" {classes.tolist()[0]!r}"
            )
        factors = class_weights(self.class_weight, classes, codes, weights)
        if not (factors > 0).all():
            raise ValueError(
                f"all class weights must be > 0 (got {self.class_weight!r}); leave a class out by leaving out its rows"
            )
        weights = weights * factors[codes]
        if not ((weights > 0) & np.isfinite(weights)).all():
            raise ValueError(
                "a sample weight times its class weight is beyond the range of a float: give closer weights"
            )
        self.classes_ = classes
        if self.multi_class == "multinomial" and classes.size > 2:
            self._solve_multinomial(self._rows(X), codes, weights, kept)
            return self
        positive = [1] if classes.size == 2 else range(classes.size)
        targets = [np.where(codes == k, 1.0, -1.0) for k in positive]
        self._solve(self._rows(X), targets, [weights] * len(targets), kept)
        return self

    def _solve_multinomial(self, rows: object, codes: Array, weights: Array, kept: Array) -> None:
        """Solve the multinomial problem and set the attributes of a fit; codes in 0..K-1.

        Raises
        ------
        ValueError
            Another loss, l1 > 0, positive, a method other than auto and newton.
        KeyboardInterrupt
            As ``_solve``.
        """
        if self.loss != "logistic":
            raise ValueError(f"multi_class='multinomial' needs loss='logistic' (got {self.loss!r})")
        self._loss()
        regularizer, K = self._regularizer(), len(self.classes_)
        given = None if (weights == weights[0]).all() else weights
        free = self.fit_intercept and self.intercept_scaling is None
        problem = MultinomialProblem(rows, codes, K, regularizer, given, free)
        seed, tol = self._seed(), self._tol(problem)
        settings = Settings(self.method, tol=tol, rtol=self.rtol, max_epochs=self.max_iter, seed=seed)
        start, before = None, self.__dict__.get("results_", ())
        if self.warm_start and len(before) == 1 and before[0].w.size == problem.d * K:
            start = before[0].w, before[0].intercept
        result = solve_multinomial(problem, settings, start)
        w, b = np.transpose(result.w.reshape(-1, K)), result.intercept if free else np.zeros(K)
        self._keep([result], np.transpose(result.alpha), kept, w, b, result.status == "interrupted")

    @in_own_context
    def decision_function(self, X: object) -> Array:
        """The scores: (rows,) for two classes, > 0 for the second, else (rows, K)."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @in_own_context
    def predict(self, X: object) -> Array:
        """The class with the largest score, shape (rows,)."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)])

    @available_if(lambda self: self.loss == "logistic")
    @in_own_context
    def predict_proba(self, X: object) -> Array:
        """1/(1 + e^-score), of the logistic loss alone, shape (rows, K); more than two classes: divided by their sum,
        or the softmax of the scores if the fit is multinomial.
        """
        scores = self._scores(X)
        if scores.shape[1] == 1:
            return np.asarray(expit(np.hstack((-scores, scores))))
        return np.asarray(softmax(self._logits(scores), axis=1))

    @available_if(lambda self: self.loss == "logistic")
    @in_own_context
    def predict_log_proba(self, X: object) -> Array:
        """The logarithm of ``predict_proba``, from the scores: finite also where the probability is 0 as a float."""
        scores = self._scores(X)
        if scores.shape[1] == 1:
            return np.asarray(log_expit(np.hstack((-scores, scores))))
        return np.asarray(log_softmax(self._logits(scores), axis=1))

    def _logits(self, scores: Array) -> Array:
        """Numbers whose softmax are the probabilities of more than two classes, shape (rows, K)."""
        return scores if self.multi_class == "multinomial" else np.asarray(log_expit(scores))


def class_weights(asked: str | Mapping[object, float] | None, classes: Array, codes: Array, weights: Array) -> Array:
    """The factor of each class, shape (K,); asked: None, "balanced" or a dictionary.

    Raises
    ------
    ValueError
        A key is no class while a class has no weight, as after a misspelling; a weight that is no number.

    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 1]), np.array([1.0, 1.0, 6.0])).tolist()
    [2.0, 0.6666666666666666]
    """
    if asked is None:
        return np.ones(classes.size)
    if not isinstance(asked, dict):
        sums = np.bincount(codes, weights)
        return np.asarray(weights.sum() / (classes.size * sums))
    found = classes.tolist()
    missing, unused = [label for label in found if label not in asked], [key for key in asked if key not in found]
    if missing and unused:  # as scikit-learn: extra keys are fine where every class has a weight
        raise ValueError(
            f"class_weight names {unused}, which are no classes of y, and has no weight for the classes {missing}: "
            "correct the names, or give every class a weight"
        )
    for key, weight in asked.items():
        require({f"class_weight[{key!r}]": NOT_NEGATIVE}, {f"class_weight[{key!r}]": weight})
    return np.array([float(asked.get(label, 1.0)) for label in found])
