"""The estimators: their objective, compared with exact arithmetic and other solvers, and their interface."""

import base64
import datetime
import decimal
import json
import pickle
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_matrix
from support import printed, refuses

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402
from dualgap.fast import Certificate, MultinomialProblem, check_compiled_loss, cross_validate, kernels, solve, sweep  # noqa: E402
from dualgap.fast.data.load import Dataset, describe, prepare  # noqa: E402
from dualgap.fast.solver.groups import Stop  # noqa: E402
from dualgap.fast.solver.single_run import SingleRun  # noqa: E402
from dualgap.proofs_checks import certificate  # noqa: E402
from dualgap.reference import (  # noqa: E402
    L2,
    LOSSES,
    InterceptProblem,
    Interval,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    WeightedProblem,
    check_loss,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(24, 3)).round(3)
Z = X @ [1.0, -2.0, 0.5] + 0.7 + RNG.normal(size=24)
TWO, THREE = np.where(Z > 0, "yes", "no"), np.digitize(Z, [-1, 1.5])
WEIGHTS = RNG.choice([0.0, 0.5, 1 / 3, 2.0, 5.0], 24)
C1 = {"intercept_scaling": 1.0}
MARGIN = [name for name in LOSSES if LOSSES[name].margin]


def estimator_of(loss, **given):
    return (DualGapClassifier if loss in MARGIN else DualGapRegressor)(
        loss, **{"lam": 0.05, "tol": 1e-10, "max_iter": 20000, **given}
    )


def fitted(loss, sample_weight=None, **given):
    return estimator_of(loss, **given).fit(X, TWO if loss in MARGIN else Z, sample_weight)


def exact_primal(model, coef, intercept, weights, y):
    """The objective of the docstring, in rationals."""
    phi = LOSSES[model.loss](model.gamma)
    coef, b = [Fraction(float(w)) for w in coef], Fraction(float(intercept))
    penalised = [] if model.intercept_scaling is None else [b / Fraction(model.intercept_scaling)]
    lam, l1, total, mass = Fraction(model.lam), Fraction(model.l1), Fraction(0), Fraction(0)
    for row, y_i, s in zip(X.tolist(), y, weights.tolist()):
        score = sum(Fraction(x) * w for x, w in zip(row, coef)) + b
        total, mass = total + Fraction(s) * phi.value(score, Fraction(y_i)), mass + Fraction(s)
    w = coef + penalised
    return total / mass + lam / 2 * sum(w_j * w_j for w_j in w) + l1 * sum(map(abs, w))


def exact_dual(model, weights, y, b):
    """D at dual_coef_, in rationals: at most the minimum of the objective, by weak duality. With a free intercept, for
    which sum_i s_i alpha_i is 0 up to roundings: D of the problem at that b.
    """
    phi, alpha = LOSSES[model.loss](model.gamma), [Fraction(a) for a in model.dual_coef_[0].tolist()]
    s, c = [Fraction(w) for w in weights.tolist()], model.intercept_scaling
    rows = [[*([] if c is None else [Fraction(c)]), *map(Fraction, row)] for row in X.tolist()]
    u = [sum(s_i * a * row[j] for s_i, a, row in zip(s, alpha, rows)) / sum(s) for j in range(len(rows[0]))]
    conjugates = sum(s_i * phi.conjugate(a, Fraction(y_i)) for s_i, a, y_i in zip(s, alpha, y) if s_i) / sum(s)
    conjugates -= Fraction(b) * sum(s_i * a for s_i, a in zip(s, alpha)) / sum(s) if c is None else 0
    u = [max(-u_j, 0) for u_j in u] if model.positive else u  # coefficients >= 0: a u_j > 0 does not count
    return -conjugates - sum(max(abs(u_j) - Fraction(model.l1), 0) ** 2 for u_j in u) / (2 * Fraction(model.lam))


POSITIVE = [{"positive": True}, {"positive": True, "l1": 0.02}]


@pytest.mark.parametrize("given", [{}, {"l1": 0.02}, {"intercept_scaling": 4.0}, *POSITIVE], ids=str)
@pytest.mark.parametrize("weights", [np.ones(24), WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("loss", [name for name in LOSSES if LOSSES[name].rational])
def test_dual_gap_bounds_what_is_missing_of_the_documented_objective(loss, weights, given):
    model = fitted(loss, weights, **given)
    y = np.where(TWO == "yes", 1, -1).tolist() if loss in MARGIN else Z.tolist()
    coef, intercept = model.coef_.reshape(-1), np.ravel(model.intercept_)[0]
    dual = exact_dual(model, weights, y, intercept)
    assert 0 <= exact_primal(model, coef, intercept, weights, y) - dual <= Fraction(model.dual_gap_)
    assert model.dual_gap_ <= 1e-10
    wrong = coef + np.array([1e-2, 0, 0])
    assert exact_primal(model, wrong, intercept, weights, y) - dual > Fraction(model.dual_gap_), (
        "control: another coef_ is no minimum"
    )
    assert exact_primal(model, coef, intercept + 1e-2, weights, y) - dual > Fraction(model.dual_gap_), (
        "control: another intercept_"
    )


@pytest.mark.parametrize(
    ("loss", "given"), [(loss, given) for loss in LOSSES for given in ({}, C1)] + [("squared", {"positive": True})]
)
def test_weights_are_repetitions_and_zero_is_no_row(loss, given):
    counts, y = np.arange(24) % 4, TWO if loss in MARGIN else Z
    repeated = [array.repeat(counts, axis=0) for array in (X, y)]
    one, other = fitted(loss, counts, **given), estimator_of(loss, **given).fit(*repeated)
    allowed = apart(one, other)
    assert coefs_apart(one, other) <= allowed
    assert coefs_apart(fitted(loss, counts[::-1].copy(), **given), other) > allowed, "control: other repetitions"
    certificate, kept = one.certificate_, counts > 0
    moved = {} if given == C1 else {"intercept": np.ravel(one.intercept_)[0]}
    alpha = certificate.alpha.repeat(counts[kept])
    same = Certificate(other.certificate_.problem, certificate.w, alpha, certificate.compensated, **moved)
    off = certificate.rounding + same.rounding
    assert abs(same.primal - certificate.primal) <= off and abs(same.dual - certificate.dual) <= off
    roots = [(np.sqrt(c.gap_bound), np.sqrt(c.resolution)) for c in (same, certificate)]  # roots of gaps are distances
    assert abs(roots[0][0] - roots[1][0]) <= roots[0][1] + roots[1][1], "one gap, and no more than roundings above it"
    removed = estimator_of(loss, **given).fit(X[kept], y[kept], counts[kept])
    assert distance(one, removed) == 0 and one.dual_gap_ == removed.dual_gap_


def distance(one, other):
    return np.linalg.norm(np.append(np.ravel(one.coef_ - other.coef_), np.ravel(one.intercept_ - other.intercept_)))


def coefs_apart(one, other):
    return np.linalg.norm(one.coef_ - other.coef_)


def apart(one, other):
    """Two fits of gaps g, h have ||coef - coef'|| <= sqrt(2 g/lam) + sqrt(2 h/lam), whatever their intercepts."""
    return (np.sqrt(2 * one.dual_gap_ / one.lam) + np.sqrt(2 * other.dual_gap_ / other.lam)) * (1 + 1e-12)


def test_class_weights_are_sample_weights():
    y = THREE
    by_class = estimator_of("squared-hinge", class_weight={0: 3.0, 2: 0.5}).fit(X, y)
    assert distance(by_class, estimator_of("squared-hinge").fit(X, y, np.array([3.0, 1.0, 0.5])[y])) == 0
    counts = np.arange(24) % 3 + 1
    weighted = estimator_of("squared-hinge", class_weight="balanced").fit(X, y, counts)
    repeated = estimator_of("squared-hinge", class_weight="balanced").fit(X.repeat(counts, axis=0), y.repeat(counts))
    assert coefs_apart(weighted, repeated) <= np.linalg.norm(apart(weighted, repeated))


def test_more_classes_are_one_problem_each():
    model = estimator_of("logistic").fit(X, THREE)
    assert model.coef_.shape == (3, 3) and model.intercept_.shape == model.dual_gap_.shape == (3,)
    for k in range(3):
        single = estimator_of("logistic").fit(X, THREE == k)
        assert single.coef_[0].tolist() == model.coef_[k].tolist() and single.dual_gap_ == model.dual_gap_[k]
        assert model.certificate_[k].gap_bound == model.dual_gap_[k]
    p = model.predict_proba(X)
    assert p.shape == (24, 3) and np.abs(p.sum(axis=1) - 1).max() <= 1e-15
    assert (p.argmax(axis=1) == model.predict(X)).all()


def test_sparse_rows_have_the_fit_of_dense_ones():
    hole = np.where(np.abs(X) < 0.3, 0.0, X)
    dense, sparse = (estimator_of("smoothed-hinge").fit(given, TWO) for given in (hole, csr_matrix(hole)))
    assert coefs_apart(dense, sparse) <= apart(dense, sparse)
    parts = csr_matrix(
        (np.repeat(hole.ravel() / 2, 2), np.repeat(np.tile(np.arange(3), 24), 2), np.arange(0, 145, 6)), shape=(24, 3)
    )
    summed = estimator_of("smoothed-hinge").fit(parts, TWO)
    assert coefs_apart(summed, dense) <= apart(summed, dense)
    assert parts.nnz == 144


def test_probabilities_are_of_the_logistic_loss_alone():
    model = fitted("logistic")
    score, p = model.decision_function(X), model.predict_proba(X)
    assert np.allclose(np.log(p[:, 1]) - np.log(p[:, 0]), score, rtol=1e-9)
    assert np.allclose(np.exp(model.predict_log_proba(X)), p)
    assert not hasattr(fitted("hinge"), "predict_proba")


def test_a_second_warm_fit_starts_where_the_first_ended():
    """At tol 2e-10: w(alpha), where the second starts, is the w of the first except for roundings, which are far below
    1e-10.
    """
    model = estimator_of("squared-hinge", method="sdca", warm_start=True).fit(X, THREE)
    assert model.n_iter_ > 0 and model.set_params(tol=2e-10).fit(X, THREE).n_iter_ == 0
    assert clone(model).fit(X, THREE).n_iter_ > 0, "control: without a fit before"
    flipped = model.fit(X, 2 - THREE)  # alpha of the old labels lies outside the new domain: these rows start at 0
    assert flipped.dual_gap_.max() <= 2e-10 and (flipped.predict(X) == 2 - clone(model).fit(X, THREE).predict(X)).all()
    assert model.fit(X[:20], THREE[:20]).dual_coef_.shape == (3, 20)


def test_names_of_columns_come_through_a_pipeline():
    pandas = pytest.importorskip("pandas", reason="set_output needs pandas")
    frame = pandas.DataFrame(X, columns=["a", "b", "c"])
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), DualGapRegressor()).fit(frame, Z)
    assert pipeline[-1].feature_names_in_.tolist() == ["a", "b", "c"]
    refuses(ValueError, "feature names", lambda: DualGapRegressor().fit(frame, Z).predict(frame[["b", "a", "c"]]))


def test_an_interrupted_fit_leaves_an_estimator(monkeypatch):
    passes, advance = [], SingleRun.advance

    def interrupted(run, uninterrupted):
        passes.append(run)
        if len(passes) == 6:
            raise KeyboardInterrupt
        advance(run, uninterrupted)

    monkeypatch.setattr(SingleRun, "advance", interrupted)
    model = estimator_of("squared-hinge", tol=1e-20, method="sdca")
    refuses(KeyboardInterrupt, "best coefficients so far", model.fit, X, THREE)
    statuses = [result.status for result in model.results_]
    assert "interrupted" in statuses and len(statuses) == 3
    assert model.predict(X).shape == (24,) and (model.dual_gap_ > 1e-20).any()
    monkeypatch.setattr(SingleRun, "advance", advance)
    best = estimator_of("squared-hinge").fit(X, THREE)
    for k, result in enumerate(model.results_):
        assert result.primal - best.results_[k].dual <= model.dual_gap_[k] + best.results_[k].certificate.rounding


def test_what_is_not_reached_is_a_warning_and_the_gap_is_true():
    with pytest.warns(ConvergenceWarning, match="1 passes were not enough .* raise max_iter") as caught:
        model = fitted("logistic", max_iter=1)
    assert caught[0].filename == __file__ and 1e-10 < model.dual_gap_ < np.inf and model.n_iter_ == 1
    with pytest.warns(ConvergenceWarning, match="level of rounding"):
        fitted("logistic", tol=1e-40)
    fitted("logistic", tol=None)  # no warning: warnings are errors


@pytest.mark.parametrize(
    "given, words",
    [
        ({"loss": "squared"}, "loss of DualGapClassifier must be one of smoothed-hinge, .*got 'squared'"),
        ({"lam": 0.0}, "lam must be > 0"),
        ({"l1": -1.0}, "l1 must be a finite number >= 0"),
        ({"gamma": 2.0, "loss": "hinge"}, "fixed gamma"),
        ({"positive": 1}, "positive must be True or False"),
        ({"positive": True, "intercept_scaling": 1.0}, "positive=True cannot be combined with intercept_scaling"),
        ({"positive": True, "method": "newton"}, "newton is defined for quadratic.*Use method auto, sdca"),
        ({"intercept_scaling": 0.0}, "intercept_scaling must be > 0"),
        ({"method": "adam"}, "unknown method"),
        ({"method": "spdc"}, "method spdc has no free intercept: use afg, .*intercept_scaling=1.0"),
        ({"tol": -1.0}, "tol must be"),
        ({"max_iter": 1.5}, "max_iter must be an integer"),
        ({"class_weight": "heavy"}, "class_weight must be None"),
        ({"class_weight": {"yes": 0.0}}, "class weights must be > 0"),
        ({"random_state": -1}, "random_state must be an integer >= 0"),
        ({"fit_intercept": "no"}, "fit_intercept must be True or False .*'no'"),
        ({"lam": "1/3"}, "lam must be > 0.*'1/3'"),
        ({"lam": True}, "lam must be"),
        (
            {"class_weight": {"yeah": 50, "no": 1}},
            r"class_weight names \['yeah'\].*no weight for the classes \['yes'\]",
        ),
        ({"class_weight": {"yes": "2"}}, r"class_weight\['yes'\] must be a finite number"),
        ({"class_weight": {"yes": np.inf}}, "class_weight"),
        ({"lam": np.ones((9, 99))}, r"lam must be > 0, a finite number .got array.*[.]{3}\);"),
    ],
)
def test_parameters_out_of_range_are_refused(given, words):
    refuses(ValueError, words, lambda: DualGapClassifier(**given).fit(X, TWO))


@pytest.mark.parametrize("method", ["newton", "sdca", "lbfgs"])
def test_a_fitted_estimator_is_pickled_by_every_protocol(method):
    model = fitted("logistic", method=method)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(model, protocol))
        assert distance(copy, model) == 0
        assert copy.certificate_.gap_bound == model.certificate_.gap_bound == copy.dual_gap_


@pytest.mark.parametrize("rows", [X.copy(), np.asfortranarray(X), csr_matrix(X)], ids=["dense", "Fortran", "CSR"])
@pytest.mark.parametrize("intercept", [True, False])
def test_what_is_done_to_X_after_a_fit_does_not_reach_the_certificate(rows, intercept):
    rows = rows.copy()
    model = estimator_of("logistic", fit_intercept=intercept).fit(rows, TWO)
    rows *= 3
    again = pickle.loads(pickle.dumps(model)).certificate_
    assert (again.gap_bound, again.primal) == (model.certificate_.gap_bound, model.certificate_.primal)


def test_a_method_that_is_fitted_once_is_fitted_again_from_where_it_was():
    again = []
    for name in sorted(set(kernels()) - {"passcode-wild"}):
        given = {"method": name, "max_iter": 40, "tol": 1e-3, "warm_start": True, "intercept_scaling": 1.0}
        model = DualGapClassifier("smoothed-hinge", lam=1.0, **given)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            try:
                model.fit(X, TWO)
            except ValueError:
                continue  # refused at the first fit
            assert model.fit(X, TWO).results_[0].method == name
        again.append(name)
    assert {"afg", "lbfgs", "pgs", "sdca", "newton", "spdc"} <= set(again)


class Nothing:
    """What no parameter can be."""


@pytest.mark.parametrize("model", [DualGapClassifier(), DualGapRegressor()], ids=repr)
def test_every_parameter_is_refused_by_its_name(model):
    for name in model.get_params():
        with pytest.raises(ValueError, match=rf"^{name} must be .*\(got <.*Nothing object"):
            clone(model).set_params(**{name: Nothing()}).fit(X, TWO)
    y, unknown = (
        (TWO, {"class_weight": {"yes": 2, "no": 1, "perhaps": 3}}) if hasattr(model, "class_weight") else (Z, {})
    )
    clone(model).set_params(
        lam=np.float32(0.5), max_iter=np.int64(500), fit_intercept=np.True_, random_state=np.int32(3), **unknown
    ).fit(X, y)


@pytest.mark.parametrize(
    "weights, words",
    [(-np.ones(24), "must be >= 0"), (np.zeros(24), "zero"), ((TWO == "yes") * 1.0, "have one class, 'yes'")],
)
def test_weights_that_make_no_sense_are_refused(weights, words):
    refuses(ValueError, words, lambda: DualGapClassifier().fit(X, TWO, weights))


def test_other_methods_do_not_take_weights():
    given = {"method": "spdc", "intercept_scaling": 1.0}
    refuses(ValueError, "method spdc .* WeightedProblem; use auto, sdca", fitted, "squared", WEIGHTS, **given)
    assert fitted("squared", **given).results_[0].method == "spdc"


def test_seeds_are_drawn_where_none_is_given():
    one, other = (
        fitted("logistic", random_state=np.random.RandomState(seed), tol=1e-3, method="sdca") for seed in (1, 2)
    )
    again = fitted("logistic", random_state=np.random.RandomState(1), tol=1e-3, method="sdca")
    assert distance(one, again) == 0 and distance(one, other) > 0
    assert fitted("logistic", random_state=None).dual_gap_ <= 1e-10


def test_without_scikit_learn_the_estimators_alone_are_missing():
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from dualgap.fast import solve\n"
        "try:\n    import dualgap.extras.estimators\n"
        "except ImportError as error:\n    print(error)"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
        == 'dualgap.extras.estimators needs scikit-learn, which is not installed: pip install "dualgap[cli]"\n'
    )


LOST, HELD = 2**53 + 1, 2**53 + 2  # a float64 holds the second


def doors(value):
    """Every place that takes data, by name, with one whole number among them; each with the name in the message."""
    column, row = np.array([[1], [value]]), [1, value]
    unsigned = column.astype(np.uint64)
    yield "X of a Problem", "X[1, 0]", lambda: Problem(column, [1.0, 2.0], Squared(), L2(1.0))
    yield "a list", "X[1, 0]", lambda: Problem(column.tolist(), [1.0, 2.0], Squared(), L2(1.0))
    yield "CSR", "X[1, 0]", lambda: Problem(csr_matrix(column), [1.0, 2.0], Squared(), L2(1.0))
    yield "y", "y[1]", lambda: Problem([[1.0], [2.0]], np.array(row), Squared(), L2(1.0))
    yield "weights", "weights[1]", lambda: WeightedProblem([[1.0], [2.0]], [1.0, 2.0], Squared(), L2(1.0), row)
    problem = Problem([[1.0]], [1.0], Squared(), L2(1.0))
    yield "w of a pair", "w[0]", lambda: Certificate(problem, np.array([value]), [0.0])
    for name, rows in (
        ("array", column),
        ("list", [[1], [value]]),
        ("mixed list", [[0.5], [value]]),
        ("CSC", csc_array(unsigned)),
        ("Decimals", [[decimal.Decimal(1)], [decimal.Decimal(value)]]),
        ("fractions", [[Fraction(1)], [Fraction(value)]]),
        ("text", np.array([["1"], [str(value)]])),
        ("rows of arrays", [np.array([1]), np.array([value])]),
    ):
        yield f"{name} to a regressor", "X[1, 0]", lambda rows=rows: DualGapRegressor().fit(rows, [1.0, 2.0])
        yield f"{name} to a classifier", "X[1, 0]", lambda rows=rows: DualGapClassifier().fit(rows, [0, 1])
    yield "y of a regressor", "y[1]", lambda: DualGapRegressor().fit([[1.0], [2.0]], row)
    yield "weights of a regressor", "sample_weight[1]", lambda: DualGapRegressor().fit([[1.0], [2.0]], [1.0, 2.0], row)
    fitted = DualGapRegressor().fit([[1.0], [2.0]], [1.0, 2.0])
    yield "rows to predict", "X[1, 0]", lambda: fitted.predict(column)
    for kind in ("int64", "Int64", "object"):
        frame = pytest.importorskip("pandas").DataFrame({"id": row}).astype(kind)
        yield f"a frame of {kind}", "column 'id'[1]", lambda frame=frame: DualGapRegressor().fit(frame, [1.0, 2.0])
    for given in ([Fraction(1), Fraction(value)], ["1", str(value)], list(map(decimal.Decimal, row))):
        yield "y of other types", "y[1]", lambda y=given: Problem([[1.0], [2.0]], y, Squared(), L2(1.0))


def test_a_whole_number_that_no_float_holds_is_refused_at_every_door():
    for name, said, call in doors(LOST):
        with warnings.catch_warnings(), pytest.raises(ValueError, match="no float64 holds") as raised:
            warnings.simplefilter("ignore")
            call()
        assert said in str(raised.value) and str(LOST) in str(raised.value), name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _, _, call in doors(HELD):
            call()
    exact = Problem(np.array([[LOST]]), [LOST], Squared(), L2(1), number=Fraction)
    assert (exact.rows, exact.y) == ([[(0, LOST)]], [LOST])
    # a class is a name, whatever its size; but scikit-learn makes floats of pandas' Int64, and two of them become one
    pandas = pytest.importorskip("pandas")
    for kind in ("int64", "uint64", "category", "Int64", "UInt64"):
        fit = lambda kind=kind: DualGapClassifier().fit(
            [[0.0], [9.0], [5.0]], pandas.Series([2**53, LOST, 1]).astype(kind)
        )  # noqa: E731
        if "I" in kind:
            refuses(ValueError, rf"y\[1\] is {LOST}, which no float64 holds", fit)
        else:
            assert fit().classes_.tolist() == [1, 2**53, LOST]


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="a long double is a float64 here")
def test_a_long_double_that_no_float_holds_is_refused():
    third = np.array([[1], [1]], np.longdouble) / 3
    refuses(ValueError, r"X\[0, 0\] is 0.3{18}.*no float64 holds", lambda: DualGapRegressor().fit(third, [1.0, 2.0]))
    refuses(ValueError, r"y\[0\] .*no float64 holds", lambda: DualGapRegressor().fit([[1.0], [2.0]], third[:, 0]))
    refuses(ValueError, "y must hold .*64 bits", lambda: Problem([[1.0], [2.0]], third[:, 0], Squared(), L2(1.0)))
    refuses(
        ValueError, r"y\[0\] .*no float64 holds", lambda: Problem([[1.0], [2.0]], list(third[:, 0]), Squared(), L2(1.0))
    )
    DualGapRegressor().fit(np.array([[1], [2]], np.longdouble), [1.0, 2.0])


def test_masked_arrays_and_dates_are_refused_as_Problem_refuses_them():
    masked, days = np.ma.masked_array(X, X > 1), X.astype("datetime64[D]")
    for model, y in ((DualGapRegressor(), Z), (DualGapClassifier(), TWO)):
        for rows, targets, weights in (
            (masked, y, None),
            (X, np.ma.masked_array(y, Z > 1), None),
            (X, y, masked[:, 0]),
        ):
            refuses(ValueError, "must not be a masked array", lambda: model.fit(rows, targets, weights))  # noqa: B023
        for unit in ("datetime64[D]", "timedelta64[s]"):
            refuses(ValueError, "X holds dates or times", lambda: model.fit(X.astype(unit), y))  # noqa: B023
        pandas = pytest.importorskip("pandas")
        refuses(ValueError, "X, column 'day' holds dates", lambda: model.fit(pandas.DataFrame({"day": days[:, 0]}), y))  # noqa: B023
    refuses(ValueError, "y holds dates or times", lambda: DualGapRegressor().fit(X, days[:, 0]))
    for day in (days[0, 0], days[0, 0].item(), datetime.timedelta(1), pandas.Period("2020-01"), pandas.Timestamp(1)):
        for rows in ([[1.0], [day]], pandas.DataFrame({"day": [1.0, day]})):
            refuses(ValueError, r"\[1.* not numbers: give numbers in a unit", DualGapRegressor().fit, rows, [1.0, 2.0])
    hidden = np.ma.masked_array([1.0, 2.0], [0, 1])
    for rows in ([[1.0, 2.0], hidden], [[1.0, 2.0], hidden.tolist(None)], [[1.0, 2.0], [1.0, np.ma.masked]]):
        for fit in (DualGapRegressor().fit, lambda X, y: Problem(X, y, Squared(), L2(1.0))):
            refuses(ValueError, "masked|NaN|finite", fit, rows, [1.0, 2.0])


KEPT = json.loads((Path(__file__).parent / "kept_0.1.0.json").read_text())
PICKLES = [(version, name) for version, models in KEPT["pickles"].items() for name in models]


@pytest.mark.parametrize(("version", "name"), PICKLES, ids=str)
def test_a_pickle_of_an_earlier_version_loads_predicts_and_can_be_fitted_again(version, name):
    kept = KEPT["pickles"][version][name]
    model = pickle.loads(base64.b64decode(kept["pickle"]))
    assert set(model.get_params()) == set(type(model)().get_params())
    assert repr(clone(model)) == repr(model)
    assert version == "0.1.0" or model.intercept_scaling == 1.0, "the default of a version stays with its models"
    if kept["predict"] is None:
        assert not hasattr(model, "coef_")
        return
    assert model.predict(KEPT["X"]).tolist() == kept["predict"]
    for result in getattr(model, "results_", ()):
        assert result.status != "converged" or result.certificate.meets(result.tol, result.rtol), "computed again"
    again = clone(model).fit(KEPT["X"], kept["predict"] if model.margin else np.arange(12.0))
    assert pickle.loads(pickle.dumps(again)).predict(KEPT["X"]).tolist() == again.predict(KEPT["X"]).tolist()


@pytest.mark.parametrize("name", KEPT["models"])
def test_a_model_file_of_an_earlier_version_predicts_what_it_did(name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.npz").write_bytes(base64.b64decode(KEPT["models"][name]["file"]))
    Path("t.csv").write_text("x,colour,class\n1,red,M\n2,blue,B\n3,red,M\n2.5,blue,B\n")
    assert printed(capsys, "predict", "m.npz", "t.csv", "--what", "scores").split() == KEPT["models"][name]["scores"]


def test_a_pickle_holds_nothing_that_is_derived_from_the_data():
    problem = fitted("logistic").certificate_.problem
    assert "arrays" in problem._cached and pickle.loads(pickle.dumps(problem))._cached == {}
    assert problem.with_regularizer(L2(1.0))._cached is problem._cached, "copies still share it"


def test_the_logarithm_of_a_probability_is_finite_where_it_is_finite_in_truth():
    """ln p = -ln(1 + e^-s) of one score, and ln p_k - ln sum_j p_j of many."""
    far = np.array([[1.0, -2.0, 0.5]]) * np.array([[0.0], [1.0], [40.0], [-900.0], [1e5], [-1e150]])
    for given, y in (({}, TWO), ({}, THREE), ({"multi_class": "multinomial"}, THREE)):
        model = DualGapClassifier("logistic", lam=1e-3, **given).fit(X, y)
        scores = model.decision_function(far)
        with np.errstate(all="raise"), warnings.catch_warnings():
            warnings.simplefilter("error")
            found, shares = model.predict_log_proba(far), model.predict_proba(far)
        assert np.isfinite(found).all() and (shares >= 0).all() and shares.sum(axis=1) == pytest.approx(1.0, abs=1e-9)
        ones = scores if scores.ndim == 2 else np.column_stack([-scores, scores])
        logs = ones if given else -np.logaddexp(0.0, -ones)
        due = logs if scores.ndim == 1 else logs - np.logaddexp.reduce(logs, axis=1)[:, None]
        size = np.abs(due) if scores.ndim == 1 else 1.0 + np.abs(logs)
        assert (np.abs(found - due) <= 2.0**-48 * size).all(), given
        assert (found.min() < -1e3) and (shares.argmax(axis=1) == found.argmax(axis=1)).all(), "the control: far away"


def calls():
    """Public functions, by name, each with a result that is compared bit for bit."""
    y, sizes = np.where(Z > 0, 1.0, -1.0), [2, 1, 1, 3]
    problem = Problem(X, y, Logistic(), L2(0.1))
    small = Problem(X[:4], y[:4], SmoothedHinge(), L2(1.0))
    for name in ("auto", "newton", "sdca", "afg", "lbfgs", "pgs", "spdc"):
        yield f"solve {name}", lambda name=name: solve(small, name, tol=1e-6, max_epochs=300).advice
    yield "solve logistic", lambda: solve(problem, tol=1e-9).w.tolist()
    yield "reference", lambda: solve(small, "sdca", tol=1e-6, backend="reference").w.tolist()
    yield "sweep", lambda: [cell.gap_bound for cell in sweep(Dataset("X", X, y), Logistic(), [0.1, 0.01], tol=1e-6)]
    yield ("cross_validate", lambda: cross_validate(Dataset("X", X, y), Logistic(), [0.1], folds=2, tol=1e-6).facts())
    multinomial = MultinomialProblem(X * 300, THREE, 3, L2(0.1))
    yield "multinomial", lambda: solve(multinomial).advice
    yield "intercept", lambda: solve(InterceptProblem(X, Z, Squared(), L2(0.1), sizes * 6), tol=1e-9).intercept
    yield "certificate", lambda: str(Certificate(problem, X[0], -y / 3, compensated=True))
    yield "exact certificate", lambda: str(certificate(small, y[:4] * -0.25, X[0]).gap)
    yield "check_loss", lambda: str(check_loss(Logistic()))
    yield "check_compiled_loss", lambda: str(check_compiled_loss(Logistic()))
    yield "Interval", lambda: str(Interval(Fraction(1, 3)).exp().log() * Interval(7) / Interval(3))
    yield "reference objective", lambda: problem.P(X[0].tolist())
    tiny = Dataset("X", X * [1e-310, 1.0, 1e300], y)
    yield "describe", lambda: describe(tiny)
    for name in ("standardize", "unit_rows", "bias"):
        yield name, lambda name=name: prepare(tiny, **{name: True}).X.tolist()
    for loss in LOSSES:
        model, labels = estimator_of(loss), y if LOSSES[loss].margin else Z
        yield f"estimator {loss}", lambda model=model, labels=labels: model.fit(X, labels).predict(X * 1e150).tolist()
    many = DualGapClassifier("logistic", multi_class="multinomial").fit(X, THREE)
    yield "probabilities", lambda: (many.predict_proba(X * 1e9).tolist(), many.predict_log_proba(X * 1e9).tolist())


def test_no_public_function_depends_on_the_caller_s_arithmetic_or_changes_it():
    for name, call in calls():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            due = call()
            with decimal.localcontext() as context, np.errstate(all="raise"):
                context.prec, context.rounding = 1, decimal.ROUND_UP
                context.traps = dict.fromkeys(context.traps, True)
                before, settings = str(context), np.geterr()
                assert call() == due, name
                assert (str(decimal.getcontext()), np.geterr()) == (before, settings), name
    with np.errstate(all="raise"):  # the control: this context is hostile
        refuses(FloatingPointError, "underflow", lambda: np.exp(np.array([-1e4])))


@pytest.mark.parametrize("unit", [2.0**-1060, 2.0**-300, 2.0**700, 2.0**1020])
@pytest.mark.parametrize("given", [{}, {"class_weight": "balanced"}], ids=str)
def test_the_unit_of_the_weights_changes_no_bit(given, unit):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, other = (fitted("logistic", np.ldexp([1.0, 2.0, 3.0] * 8, k), **given) for k in (0, int(np.log2(unit))))
    assert np.array_equal(one.coef_, other.coef_) and one.dual_gap_ == other.dual_gap_
    far = np.ldexp([1.0, 2.0, 3.0] * 8, [-1000] + [1000] * 23)
    refuses(ValueError, "weights differ by a factor beyond the range", lambda: fitted("logistic", far, **given))


def test_a_message_names_what_was_given_wrong():
    refuses(ValueError, "scale y down", lambda: DualGapRegressor().fit(X, Z * 1e200))
    refuses(ValueError, "tol must be a finite number >= 0, or None .got -1.0", lambda: Stop(tol=-1.0))
