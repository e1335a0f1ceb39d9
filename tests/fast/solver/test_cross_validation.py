"""Cross-validation against normal equations of every fold, its folds, its choice, and what the command says of it."""

import json
import math

import numpy as np
import pytest
from support import answer, command, refusal

from dualgap.fast import cross_validate
from dualgap.fast.data.dataset import Dataset
from dualgap.fast.data.folds import folds_of
from dualgap.fast.solver import cross_validation as validating
from dualgap.fast.solver.cross_validation import Score, choice
from dualgap.reference import Logistic, Squared

RNG = np.random.default_rng(3)
X = RNG.normal(size=(43, 3)) * [1, 10, 0.1] + [5, 0, 1]
Y = X @ [1.0, -0.2, 3.0] + RNG.normal(size=43) + 20
LAMS, FOLDS = [10.0, 0.1, 0.001], 4


def ridge_scores(seed=0):
    """(loss, its standard error, R^2, its standard error) of every lam, by centred normal equations in each fold."""
    fold, found = folds_of(Y, FOLDS, seed, False), []
    for lam in LAMS:
        losses, shares = [], []
        for k in range(FOLDS):
            train, held = fold != k, fold == k
            mean, deviation = X[train].mean(axis=0), X[train].std(axis=0)
            Z, V, y = (X[train] - mean) / deviation, (X[held] - mean) / deviation, Y[train]
            w = np.linalg.solve(Z.T @ Z / len(Z) + lam * np.eye(3), Z.T @ (y - y.mean()) / len(Z))
            error = V @ w + y.mean() - Y[held]
            losses.append(np.mean(error**2) / 2)
            shares.append(1 - np.sum(error**2) / np.sum((Y[held] - Y[held].mean()) ** 2))
        both = [(np.mean(v), np.sqrt(sum((v - np.mean(v)) ** 2) / (FOLDS - 1) / FOLDS)) for v in (losses, shares)]
        found.append([*both[0], *both[1]])
    return np.array(found)


def scores(**given):
    found = cross_validate(
        Dataset("d", X, Y), Squared(), LAMS, folds=FOLDS, standardize=True, tol=1e-11, **{"intercept": True, **given}
    )
    return np.array([[row.loss, row.loss_error, row.share, row.share_error] for row in found.scores]), found


def test_scores_are_those_of_the_normal_equations():
    """Two w of gap g are sqrt(2 g/lam) apart, 1.5e-4 at the least lam. The losses move by less than 10 times that."""
    ours, found = scores()
    assert np.abs(ours - ridge_scores()).max() <= 2e-3
    assert np.abs(ours - ridge_scores(seed=1)).max() > 2e-2, "control: other folds"
    assert [row.converged for row in found.scores] == [FOLDS] * 3 and found.best == 0.001
    assert [np.mean(row.losses) for row in found.scores] == pytest.approx(ours[:, 0].tolist(), rel=1e-14)
    assert repr(scores()[1]) == repr(found), "the same seed, the same numbers"


BUGS = {
    "no intercept": lambda patch: {"intercept": False},
    "columns standardized by the rows that are held out": lambda patch: patch.setattr(
        validating, "standardized", lambda rows, standard: (rows - rows.mean(axis=0)) / rows.std(axis=0)
    ),
    "runs see the rows that are held out": lambda patch: patch.setattr(
        validating, "folds_of", lambda y, folds, seed, stratified: ridge_leak(folds_of(y, folds, seed, stratified))
    ),
}


class ridge_leak(np.ndarray):
    """Folds whose other rows are all rows."""

    def __new__(cls, fold):
        return fold.view(cls)

    def __ne__(self, k):
        return np.ones(self.shape, dtype=bool)


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs_change_the_scores(bug, monkeypatch):
    assert np.abs(scores(**BUGS[bug](monkeypatch) or {})[0] - ridge_scores()).max() > 2e-2


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize(("n", "folds"), [(4, 2), (23, 5), (24, 5), (100, 3)])
def test_folds_are_of_one_size_also_for_each_label_and_drawn_by_the_seed(stratified, n, folds):
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    fold = folds_of(y, folds, 7, stratified)
    sizes = [np.bincount(fold[rows], minlength=folds) for rows in (y == y, *((y == 1, y == -1) if stratified else ()))]
    assert all(size.max() - size.min() <= 1 for size in sizes)
    assert fold.tolist() == folds_of(y, folds, 7, stratified).tolist()
    assert any(folds_of(y, folds, seed, stratified).tolist() != fold.tolist() for seed in range(5))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(4, 1.0, 0.5), (2, 1.0, 0.5)], (4, (2, 4))),  # of equal losses the largest lam
        ([(4, 1.26, 9.0), (2, 1.25, 0.0), (1, 1.0, 0.25)], (1, (1, 2))),  # at most, not less; the error is the best's
        ([(4, math.nan, 0.1), (2, math.inf, 0.1), (1, 3.0, 0.1)], (1, (1, 1))),
        ([(4, math.nan, math.nan)], (None, None)),
    ],
)
def test_the_rule_of_one_standard_error(rows, expected):
    assert choice([Score(*row, 0.0, 0.0, (), 2) for row in rows]) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"folds": 1}, "folds must be an integer >= 2"),
        ({"folds": 44}, "d: 44 folds need as many rows .got 43.: give fewer folds"),
        ({"lams": "ab"}, "lams must be"),
        ({"lams": [0]}, "lams must be > 0"),
        ({"loss": Logistic(), "folds": 3}, "3 folds need as many rows of one label .got 2."),
    ],
)
def test_what_is_refused(given, words):
    y = np.where(np.arange(43) < 2, 1.0, -1.0) if "loss" in given else Y
    with pytest.raises(ValueError, match=words):
        cross_validate(Dataset("d", X, y), given.pop("loss", Squared()), given.pop("lams", LAMS), **given)


SWEEP = ["sweep", "breast_cancer", "--standardize", "--intercept", "free", "--loss", "logistic", "--lam", "1,1e-2"]
SWEEP += ["--tol", "1e-4"]


@pytest.mark.needs("sklearn")
def test_the_command_says_which_lam_is_best_and_overwrites_nothing(capsys, tmp_path):
    out = str(tmp_path / "out")
    told = answer(capsys, *SWEEP, "--json", "--cv", "3", "--out", out)
    (scores,), (path,) = told["cross_validation"], told["paths"]
    assert scores["best"] == 0.01 and scores["share"] == "accuracy" and scores["scores"][1]["share"] > 0.95
    assert path["lams"] == [0.01, 1.0] and path["coefficients"][-1]["name"] == "intercept"
    assert path["coefficients"][-1]["values"] == [cell["intercept"] for cell in told["cells"][::-1]]
    assert len(path["coefficients"]) == 13 and path["left_out"] == 18
    status, text, _ = command(capsys, *SWEEP, "--cv", "3", "--out", out)
    assert status == 0 and "breast_cancer, auto: the best lam is 0.01, with a held-out loss of 0.0" in text
    assert (
        "No other lam is within one standard error of it. The best lam is the smallest, so also give smaller ones."
        in text
    )
    assert answer(capsys, *SWEEP, "--json", "--cv", "2", "--out", out)["cross_validation"][0]["folds"] == 2
    assert {f"sweep{end}.json" for end in ("", "-2")} == {file.name for file in (tmp_path / "out").glob("*.json")}
    assert json.loads((tmp_path / "out" / "sweep.json").read_text())["cross_validation"][0]["folds"] == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cv", "1"], "folds must be an integer >= 2 (got 1)"),
        (["--cv", "3", "--seeds", "0,1"], "--cv requires a single seed, which draws the folds (got 2 seeds)"),
        (["--cv", "999"], "breast_cancer: 999 folds need as many rows of one label (got 212): give fewer folds"),
        (["--bias"], "--intercept free cannot be combined with --bias"),
    ],
)
@pytest.mark.needs("sklearn")
def test_bad_input_of_the_command_is_one_line(words, said, capsys):
    assert said in refusal(capsys, *SWEEP, *words)
