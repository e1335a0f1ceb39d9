"""Data frames and units: what must not change an answer does not, and what is no number is refused by name."""

from typing import Any

import numpy as np
import pytest
from support import refuses

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from collections.abc import Callable

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3))
Z = X @ [1.0, -2.0, 0.5] + RNG.normal(size=60) + 1
B = Z > 0.5


def pandas(**columns: object) -> Any:
    return pytest.importorskip("pandas").DataFrame({**dict(zip("abc", X.T)), **columns})


def polars(**columns: object) -> Any:
    return pytest.importorskip("polars").DataFrame({**dict(zip("abc", X.T)), **columns}, strict=False)


def nullable(frame: Any, missing: int = 0) -> Any:
    frame = frame.convert_dtypes()
    frame.iloc[:missing, 1] = None
    return frame


WORDS = ["red", "blue"] * 30
REFUSED = {
    "pandas, text": (lambda: pandas(d=WORDS), "the column 'd' is text, not numbers: encode it"),
    "pandas, objects": (lambda: pandas(d=np.array(WORDS, dtype=object)), "the column 'd' is text"),
    "pandas, categories": (lambda: pandas(d=WORDS).astype({"d": "category"}), "the column 'd' is categorical"),
    "pandas, categories of numbers": (lambda: pandas(b=[1, 2] * 30).astype({"b": "category"}), "'b' is categorical"),
    "pandas, nullable": (lambda: nullable(pandas(), 2), "the column 'b' has 2 missing values .NaN.: fill them in"),
    "pandas, NaN": (lambda: pandas(c=[np.nan, *X[1:, 2]]), "the column 'c' has 1 missing value "),
    "polars, text": (lambda: polars(d=WORDS), "the column 'd' is text"),
    "polars, categories": (
        lambda: polars(d=WORDS).with_columns(
            pytest.importorskip("polars").col("d").cast(pytest.importorskip("polars").Categorical)
        ),
        "the column 'd' is categorical",
    ),
    "polars, null": (lambda: polars(b=[None, *X[1:, 1]]), "the column 'b' has 1 missing value "),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_column_that_holds_no_numbers_is_refused_by_its_name(case: str) -> None:
    make, words = REFUSED[case]
    frame = make()
    with pytest.raises(ValueError, match=words) as found:
        DualGapRegressor().fit(frame, Z)
    assert "\n" not in str(found.value)
    model = DualGapRegressor().fit(frame[["a", "b", "c"]] if "'d'" in words else pandas(), Z)
    if "'d'" not in words and case.startswith("pandas"):
        refuses(ValueError, words, model.predict, frame)


@pytest.mark.parametrize("make", [pandas, polars, lambda: nullable(pandas())], ids=["pandas", "polars", "nullable"])
def test_a_frame_is_its_numbers_and_its_names(make: Callable[[], object]) -> None:
    model, right = DualGapRegressor().fit(make(), Z), DualGapRegressor().fit(X, Z)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.coef_.tolist() == right.coef_.tolist() and model.predict(make()).tolist() == right.predict(X).tolist()


FREE, NONE = {"intercept_scaling": None}, {"fit_intercept": False}
# loss, parameters, then by which powers of two y, X, lam, l1 and the coefficients change: the objective is
# that of the other data times one number
SCALED = [
    ("squared", {"lam": 0.1}, {"y": 3, "coef": 3}),
    ("squared", {"lam": 0.1, "l1": 0.05}, {"y": -2, "l1": -2, "coef": -2}),
    ("absolute", {"lam": 0.1}, {"y": 2, "lam": -2, "coef": 2}),
    ("squared", {"lam": 0.1, **NONE}, {"X": 5, "lam": 10, "coef": -5}),
    ("squared", {"lam": 0.1, **FREE}, {"y": 3, "coef": 3}),
    ("logistic", {"lam": 0.1, **NONE}, {"X": -4, "lam": -8, "coef": 4}),
    ("hinge", {"lam": 0.1, "l1": 0.01, **NONE}, {"X": 6, "lam": 12, "l1": 6, "coef": -6}),
]


@pytest.mark.parametrize(("loss", "given", "powers"), SCALED, ids=str)
def test_powers_of_two_change_the_units_and_nothing_else(
    loss: str, given: dict[str, Any], powers: dict[str, int]
) -> None:
    """Bit for bit: every product and sum is multiplied by a power of two. The powers are small, because a certificate
    has a part that does not depend on y, about 2^-97 for the squared loss.
    """
    kind = DualGapRegressor if loss in ("squared", "absolute") else DualGapClassifier
    y = Z if kind is DualGapRegressor else B
    by = {name: 2.0 ** powers.get(name, 0) for name in ("y", "X", "lam", "l1", "coef")}
    one = kind(loss, **given).fit(X, y)
    changed = {**given, "lam": given["lam"] * by["lam"], "l1": given.get("l1", 0.0) * by["l1"]}
    scaled = Z * by["y"] if kind is DualGapRegressor else B
    other = kind(loss, **changed).fit(X * by["X"], scaled)
    assert other.coef_.tolist() == (one.coef_ * by["coef"]).tolist() and other.n_iter_ == one.n_iter_
    assert np.ravel(other.intercept_).tolist() == (np.ravel(one.intercept_) * by["coef"]).tolist()
    wrong = kind(loss, **{**changed, "lam": changed["lam"] * 2}).fit(X * by["X"], scaled)
    assert wrong.coef_.tolist() != other.coef_.tolist(), "control: another lam"


REFUSALS = {
    "no penalty": ({"lam": 0}, Z, r"lam must be > 0, a finite number .got 0.; .*LinearRegression"),
    "several targets": ({}, np.column_stack([Z, Z]), "y has 2 columns.*MultiOutputRegressor"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_other_libraries_offer_is_refused_with_what_to_use(case: str) -> None:
    given, y, words = REFUSALS[case]
    refuses(ValueError, words, lambda: DualGapRegressor(**given).fit(X, y))
    with pytest.raises(ValueError, match="lam must be > 0" if given else "MultiOutputClassifier"):
        DualGapClassifier(**given).fit(X, B if given else np.column_stack([B, B]))
