"""DualGapClassifier(multi_class="multinomial"): the minimum of LogisticRegression, weights, intercepts, warm starts.

Distances are compared as in ``test_against_others``: ||W - W'|| <= sqrt(2 g/lam) + sqrt(2 g'/lam).
"""

import math
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from scipy.sparse import csr_matrix  # noqa: E402
from scipy.special import softmax  # noqa: E402
from sklearn.datasets import load_digits, load_iris  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from support import refuses  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier  # noqa: E402
from dualgap.fast import Certificate, MultinomialProblem, solve  # noqa: E402
from dualgap.reference import L2  # noqa: E402

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
WEIGHTS = np.random.default_rng(0).choice([0.0, 0.5, 1.0, 4.0], 150)
TIGHT = {"tol": 1e-9, "max_iter": 100000}


def fitted(sample_weight=None, rows=X, labels=NAMES, **given):
    model = DualGapClassifier("logistic", multi_class="multinomial", **{"lam": 1e-2, **given})
    return model.fit(rows, labels, sample_weight)


def apart(one, other):
    """How far the coefficients of two fits may be apart."""
    return (math.sqrt(2 * one.dual_gap_ / one.lam) + math.sqrt(2 * other.dual_gap_ / other.lam)) * (1 + 1e-12)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_the_minimum_of_logistic_regression(intercept, weights):
    """P(theirs) - min P <= gap_bound of their coefficients with our alpha; the control has another lam."""
    C, S = 0.7, 150 if weights is None else float(weights.sum())
    theirs = LogisticRegression(C=C, fit_intercept=intercept, **TIGHT).fit(X, NAMES, weights)
    for factor in (1, 2):
        ours = fitted(weights, lam=factor / (S * C), fit_intercept=intercept)
        assert ours.coef_.shape == (3, 4) and ours.intercept_.shape == (3,)
        assert ours.classes_.tolist() == theirs.classes_.tolist()
        b = theirs.intercept_ if intercept else None
        found = ours.certificate_
        excess = Certificate(found.problem, theirs.coef_.T.reshape(-1), found.alpha, intercept=b).gap_bound
        assert (excess <= 1e-6 * math.log(3)) == (factor == 1), "control: another lam has another minimum"
        if factor == 1:
            allowed = math.sqrt(2 * excess / ours.lam) + math.sqrt(2 * ours.dual_gap_ / ours.lam)
            assert np.linalg.norm(ours.coef_ - theirs.coef_) <= allowed * (1 + 1e-12)


def test_probabilities_are_the_softmax_of_the_scores():
    model = fitted()
    scores = X @ model.coef_.T + model.intercept_
    assert np.array_equal(model.decision_function(X), scores)
    assert np.array_equal(model.predict_proba(X), softmax(scores, axis=1)) and model.score(X, NAMES) > 0.95
    assert np.array_equal(model.predict(X), model.classes_[scores.argmax(axis=1)])
    assert model.predict_log_proba(X) == pytest.approx(np.log(model.predict_proba(X)), abs=1e-13)


@pytest.mark.parametrize("given", [{}, {"fit_intercept": False}, {"intercept_scaling": 4.0}], ids=str)
def test_weights_are_repetitions_and_zero_is_no_row(given):
    counts = np.arange(150) % 4
    one = fitted(counts, **given)
    other = fitted(rows=X.repeat(counts, axis=0), labels=NAMES.repeat(counts), **given)
    assert np.linalg.norm(one.coef_ - other.coef_) <= apart(one, other)
    assert np.linalg.norm(fitted(counts[::-1].copy(), **given).coef_ - other.coef_) > apart(one, other), "control"
    assert one.dual_coef_.shape == (3, 150) and not one.dual_coef_[:, counts == 0].any()
    removed = fitted(counts[counts > 0], X[counts > 0], NAMES[counts > 0], **given)
    assert np.array_equal(removed.coef_, one.coef_) and removed.dual_gap_ == one.dual_gap_


def test_class_weights_are_sample_weights():
    given = {"setosa": 2.0, "versicolor": 1.0, "virginica": 0.25}
    one, other = fitted(class_weight=given), fitted(np.array([given[name] for name in NAMES]))
    assert np.array_equal(one.coef_, other.coef_) and not np.array_equal(one.coef_, fitted().coef_)
    assert np.array_equal(fitted(class_weight="balanced").coef_, fitted().coef_), "the classes have equal sizes"


def test_sparse_rows_pickles_and_warm_starts():
    model, sparse = fitted(), fitted(rows=csr_matrix(X))
    assert np.linalg.norm(model.coef_ - sparse.coef_) <= apart(model, sparse)
    copied = pickle.loads(pickle.dumps(model))
    assert copied.certificate_.gap_bound == model.dual_gap_ and np.array_equal(copied.predict(X), model.predict(X))
    assert np.array_equal(copied.certificate_.intercept, model.intercept_)
    warm = fitted(warm_start=True, tol=1e-9)
    steps = warm.n_iter_
    assert steps > 2 and warm.fit(X, NAMES).n_iter_ == 0 and warm.set_params(lam=9e-3).fit(X, NAMES).n_iter_ < steps


def test_digits_are_certified():
    rows, labels = load_digits(n_class=4, return_X_y=True)
    model = fitted(rows=rows, labels=labels, lam=1e-1, tol=1e-10)
    assert model.dual_gap_ <= 1e-10 and model.score(rows, labels) > 0.95


def test_two_classes_have_one_problem():
    one = fitted(rows=X[:100], labels=NAMES[:100])
    assert np.array_equal(one.coef_, DualGapClassifier("logistic", lam=1e-2).fit(X[:100], NAMES[:100]).coef_)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"loss": "hinge"}, "multi_class='multinomial' needs loss='logistic'"),
        ({"l1": 0.1}, "needs a smooth penalty: L2, without l1"),
        ({"positive": True}, "needs a smooth penalty: L2, without l1"),
        ({"method": "sdca"}, "requires method auto or newton"),
        ({"gamma": 2.0}, "fixed gamma"),
        ({"multi_class": "ovo"}, 'multi_class must be "ovr" or "multinomial"'),
    ],
)
def test_what_is_not_offered_is_refused(given, words):
    model = DualGapClassifier(**{"loss": "logistic", "multi_class": "multinomial", **given})
    refuses(ValueError, words, model.fit, X, NAMES)


@pytest.mark.parametrize("size", [1.0, 1e-170, 1e10])
@pytest.mark.parametrize("free", [True, False])
def test_a_gradient_that_is_0_at_the_start_ends_the_run(free, size):
    """W = 0 is the minimum: equal rows, one of each class. Rows of 1e-170 have a gradient whose norm underflows."""
    rows = np.full((3, 1), size)
    result = solve(MultinomialProblem(rows, [0, 1, 2], 3, L2(1.0), None, free), tol=0.0)
    assert result.status in ("rounding", "converged") and not result.w.any()
    assert result.primal == pytest.approx(np.log(3.0))
    control = solve(MultinomialProblem(np.ones((3, 1)), [0, 1, 2], 3, L2(1.0), [1, 2, 4], free), tol=1e-9)
    assert control.status == "converged" and control.primal < np.log(3.0) - 0.01


def test_an_objective_beyond_floats_at_the_start_is_refused_in_a_sentence():
    problem = MultinomialProblem(1e100 * X, np.arange(len(X)) % 3, 3, L2(1e-145))
    refuses(ValueError, "nothing can be certified at the start .*: give a larger lam", lambda: solve(problem))
