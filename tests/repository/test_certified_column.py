"""The column ``certified_suboptimality`` of benchmarks is a bound of F(w) - min F in the units of each objective."""

import runpy
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from support import ROOT

from dualgap.fast import solve
from dualgap.reference import L2, LOSSES, Problem

column = runpy.run_path(str(ROOT / "benchmarks" / "benchopt" / "certified.py"))
RNG = np.random.default_rng(2)
X = RNG.standard_normal((40, 12))
Y = X[:, :3] @ [1.0, 2.0, -1.0] + RNG.standard_normal(40)
S = np.sign(Y)


def losses(w, y, loss):
    z = X @ w
    return {"squared": (z - y) ** 2 / 2, "logistic": np.logaddexp(0, -y * z), "hinge": np.maximum(1 - y * z, 0)}[loss]


def svm(C):
    return solve(Problem(X, S, LOSSES["hinge"](), L2(1 / (40 * C))), tol=1e-9).w


# name, labels, what is handed to solvers, the loss, F without its losses, factor of the losses, lam and l1 of n P
BENCHMARKS = {
    "logreg_l2": ("L2 Logistic Regression", S, {"lmbd": 0.5}, "logistic", 1.0, 0.5, 0.0),
    "logreg_l1": ("Sparse Logistic Regression", S, {"lmbd": 2.0}, "logistic", 1.0, 0.0, 2.0),
    "ridge": ("Ridge Regression", Y, {"lmbd": 0.5, "fit_intercept": False}, "squared", 1.0, 0.5, 0.0),
    "lasso": ("Lasso Regression", Y, {"lmbd": 8.0, "fit_intercept": False}, "squared", 1.0, 0.0, 8.0),
    "elastic_net": ("Enet", Y, {"l1_ratio": 0.5, "lmbda": 0.25}, "squared", 1 / 40, 0.125, 0.125),
    "linear_svm": ("SVM Binary Classification (no intercept)", S, {"C": 0.5}, "hinge", 0.5, 1.0, 0.0),
}


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_the_column_is_a_bound_in_the_units_of_the_objective(benchmark):
    """Against the end of a long run. The time for dual points is limited, so the bound may be some times the error."""
    name, y, given, loss, factor, lam, l1 = BENCHMARKS[benchmark]

    def F(w):
        return factor * losses(w, y, loss).sum() + lam / 2 * w @ w + l1 * np.abs(w).sum()

    class Objective:
        def evaluate_result(self, beta):
            return F(beta)

        def get_objective(self):
            return {"X": X, "y": y, **given}

    Objective.name = name
    best = svm(0.5) if loss == "hinge" else np.zeros(12)
    step = 1 / (factor * np.linalg.norm(X, 2) ** 2 + lam)
    for _ in range(0 if loss == "hinge" else 4000):
        slope = X @ best - y if loss == "squared" else -y / (1 + np.exp(y * (X @ best)))
        best = best - step * (factor * X.T @ slope + lam * best)
        best = np.sign(best) * np.maximum(np.abs(best) - step * l1, 0)
    made = column["certified"](Objective)()
    for w in (best + 0.01, np.zeros(12)):
        found, error = made.evaluate_result(w), F(w) - F(best)
        assert found["value"] == F(w) and error - 1e-6 <= found["certified_suboptimality"] <= 4 * error + 1e-6
    assert made.evaluate_result(best)["certified_suboptimality"] < 1e-5 * F(np.zeros(12)), "and next to the best"


def test_a_support_vector_machine_is_known_among_quadratic_programs():
    n, C = 40, 0.5
    P, q = np.diag([1.0] * 12 + [0.0] * n), np.r_[np.zeros(12), np.full(n, C)]
    margins, signs = np.hstack([-S[:, None] * X, -np.eye(n)]), np.hstack([np.zeros((n, 12)), -np.eye(n)])
    best = svm(C)
    w = best + 0.01
    x = np.r_[w, np.maximum(0, 1 - S * (X @ w))]
    error = q @ x + x @ P @ x / 2 - C * losses(best, S, "hinge").sum() - best @ best / 2
    low = np.r_[np.full(12, -np.inf), np.zeros(n)]
    row = SimpleNamespace(P=csc_matrix(P), q=q, G=np.vstack([margins, signs]), h=np.r_[-np.ones(n), np.zeros(n)], x=x)
    for given in (vars(row), {**vars(row), "G": margins, "h": -np.ones(n), "lb": low}):
        found, why = column["of_qp"](**given)
        assert why == "" and error <= found <= 1.1 * error
    others = {"P": P + 1, "q": q + 1, "G": 2 * row.G, "A": np.eye(1)}
    reasons = [column["of_qp"](**{**vars(row), name: value}) for name, value in others.items()]
    assert all(found is None and why for found, why in reasons) and len({why for _, why in reasons}) == len(others)
