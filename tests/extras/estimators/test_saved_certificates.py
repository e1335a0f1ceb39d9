"""``certificate_.save(FILE)``: both checkers accept the file of a fitted estimator, or the refusal is one line."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from certificate_judges import judged
from support import refuses

pytest.importorskip("sklearn", reason="scikit-learn is an extra")

from collections.abc import Callable
from typing import Any

from dualgap.extras.estimators import DualGapClassifier, DualGapRegressor  # noqa: E402
from dualgap.fast import Certificate  # noqa: E402
from dualgap.proofs_checks.certificate_file.check import LOSSES, read_certificate  # noqa: E402
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode  # noqa: E402
from dualgap.reference import L2, Problem, Squared  # noqa: E402
from dualgap.reference import LOSSES as ALL  # noqa: E402

RNG = np.random.default_rng(43)
X = RNG.normal(size=(30, 3)) * (RNG.random((30, 3)) < 0.8)
Z = X @ [1.0, -2.0, 0.5] + 0.7 + RNG.normal(size=30)
WEIGHTS = RNG.choice([0.0, 1.0, 2.0, 5.0], 30)
INTERCEPTS: dict[str, dict[str, object]] = {
    "none": {"fit_intercept": False},
    "penalised": {"intercept_scaling": 3.0},
    "free": {"intercept_scaling": None},
}


def fitted(loss: str, y: object = None, weights: object = None, **given: Any) -> Any:
    kind = DualGapClassifier if ALL[loss].margin else DualGapRegressor
    y = (np.where(Z > 0, "yes", "no") if ALL[loss].margin else Z) if y is None else y
    return kind(loss, **{"lam": 0.05, "tol": 1e-3, **given}).fit(X, y, weights)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weights"])
@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("l1", [0.0, 0.01])
@pytest.mark.parametrize("loss", LOSSES)
def test_both_checkers_accept_the_file_of_a_model(
    loss: str, l1: float, intercept: str, weights: np.ndarray | None, tmp_path: Path
) -> None:
    model = fitted(loss, weights=weights, l1=l1, **INTERCEPTS[intercept])
    model.certificate_.save(tmp_path / "c", tmp_path / "d")
    text, data = (tmp_path / "c").read_text(), (tmp_path / "d").read_text()
    assert judged(tmp_path, text, data) == 0
    field = read_certificate(text)
    assert (len(field["weights"]) > 1, field["intercept"] != ["none"]) == (weights is not None, intercept == "free")
    w = [decode(word) for word in field["w"]]
    coef = w[1:] if intercept == "penalised" else w
    b = 3 * w[0] if intercept == "penalised" else 0.0 if intercept == "none" else decode(field["intercept"][0])
    assert (coef, b) == (np.ravel(model.coef_).tolist(), float(np.ravel(model.intercept_)[0]))
    assert len(data.splitlines()) == (30 if weights is None else np.count_nonzero(WEIGHTS))
    # gap_bound covers the alpha of the run; a free intercept moves it by a few roundings.
    assert Fraction(field["bound"][0]) <= Fraction(model.dual_gap_) * (1 + Fraction(1, 10**6))


def test_each_class_has_a_file(tmp_path: Path) -> None:
    model = fitted("hinge", np.digitize(Z, [-1, 1.5]))
    texts = []
    for k, certificate in enumerate(model.certificate_):
        certificate.save(str(tmp_path / f"c{k}"), str(tmp_path / f"d{k}"))
        texts.append(((tmp_path / f"c{k}").read_text(), (tmp_path / f"d{k}").read_text()))
    assert len(texts) == 3
    for j, (text, _) in enumerate(texts):
        assert [judged(tmp_path, text, data) for _, data in texts] == [int(k != j) for k in range(3)]


def free_with_fractions() -> Any:
    return fitted("hinge", weights=np.linspace(0.1, 1.7, 30), intercept_scaling=None, tol=1e-2).certificate_


class Own(Squared):
    name = "own"


def own() -> Certificate:
    return Certificate(Problem([[1.0]], [1.0], Own(), L2(0.5)), [0.5], [-0.5])


def centred() -> Certificate:
    return Certificate(Problem([[1.0]], [1.0], Squared(), L2(0.5)).centred(0.25, [1.0]), [0.5], [-0.5])


def changed() -> Certificate:
    rows = np.array([[1.0], [2.0]])
    found = Certificate(Problem(rows, [1.0, 2.0], Squared(), L2(0.5)), [0.5], [-0.5, 0.0])
    rows[0, 0] = 3.0
    return found


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (own, "covers the losses"),
        (free_with_fractions, "multiples of a common unit"),
        (centred, "covers L2 and the elastic net"),
        (changed, "changed"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(
    made: Callable[[], Certificate], words: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=words) as error:
        made().save(tmp_path / "c", tmp_path / "d")
    assert "\n" not in str(error.value) and list(tmp_path.iterdir()) == []


def test_the_certificate_and_its_data_are_different_files(tmp_path: Path) -> None:
    found = fitted("squared").certificate_
    refuses(ValueError, "need different files", lambda: found.save(tmp_path / "c", tmp_path / "." / "c"))
    refuses(OSError, "absent", lambda: found.save(tmp_path / "absent" / "c"))
    assert list(tmp_path.iterdir()) == []
    found.save(tmp_path / "c")
    assert [path.name for path in tmp_path.iterdir()] == ["c"]
    assert encode(found.w[0]) in (tmp_path / "c").read_text()
