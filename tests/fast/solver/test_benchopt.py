"""``benchmarks/benchopt/dualgap.py``: its problems are benchopt's objectives, as their ``objective.py`` states them.

benchopt is not needed: its two classes that the file uses are replaced.
"""

import importlib.util
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support import ROOT

N, D = 30, 8
U = 2.0**-53
GIVEN: dict[str, dict[str, Any]] = {
    "logreg_l2": {"lmbd": 0.3},
    "ridge": {"lmbd": 0.3, "fit_intercept": False},
    "ridge, intercept": {"lmbd": 0.3, "fit_intercept": True},
    "elastic_net": {"l1_ratio": 0.7, "lmbda": 0.05, "fit_intercept": False},
    "elastic_net, intercept": {"l1_ratio": 0.7, "lmbda": 0.05, "fit_intercept": True},
    "linear_svm": {"C": 0.2},
}
STRENGTH = {"logreg_l2": "lmbd", "ridge": "lmbd", "elastic_net": "lmbda", "linear_svm": "C"}


def benchmark(case: str) -> str:
    return case.split(",")[0]


def objective(case: str, X: np.ndarray, y: np.ndarray, beta: np.ndarray) -> tuple[float, float]:
    """The objective in doubles, and a bound on its rounding error.

    The bound is for the same formula with |x_ij b_j| and |y_i|, where 1 + |z_i| bounds a hinge or logistic loss. Each
    of its terms passes through fewer than 2 (n + d + 8) operations (Higham, Accuracy and Stability, Lemma 3.1).
    """
    given, name = GIVEN[case], benchmark(case)
    b, b_0 = (beta[:-1], beta[-1]) if given.get("fit_intercept") else (beta, 0.0)
    z, most = X @ b + b_0, abs(X) @ abs(b) + abs(b_0)
    if name == "logreg_l2":
        penalty = given["lmbd"] * 0.5 * b @ b
        value, size = np.log1p(np.exp(-y * z)).sum() + penalty, (1 + most).sum() + penalty
    elif name == "ridge":
        penalty = given["lmbd"] * 0.5 * b @ b
        value, size = 0.5 * (y - z) @ (y - z) + penalty, 0.5 * ((abs(y) + most) ** 2).sum() + penalty
    elif name == "elastic_net":
        l1, l2 = given["l1_ratio"] * given["lmbda"], (1 - given["l1_ratio"]) * given["lmbda"]
        penalty = l1 * abs(b).sum() + l2 * (b**2).sum() / 2
        value, size = (y - z) @ (y - z) / (2 * N) + penalty, ((abs(y) + most) ** 2).sum() / (2 * N) + penalty
    else:
        penalty = 0.5 * b @ b
        value, size = given["C"] * np.maximum(1 - y * z, 0).sum() + penalty, given["C"] * (1 + most).sum() + penalty
    return float(value), float(2 * (N + D + 8) * U * size)


def data(case: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    X, noise = rng.standard_normal((N, D)), rng.standard_normal(N)
    z = X @ rng.standard_normal(D) + noise
    return X, z + 2 if benchmark(case) in ("ridge", "elastic_net") else np.sign(z)


def loaded(monkeypatch: pytest.MonkeyPatch, **of_objective: object) -> ModuleType:
    """The solver file, with an empty BaseSolver and a BaseObjective that has these attributes."""
    benchopt, rules = ModuleType("benchopt"), ModuleType("benchopt.stopping_criterion")
    vars(benchopt).update(BaseSolver=object, BaseObjective=type("BaseObjective", (), of_objective))
    vars(rules).update(SufficientProgressCriterion=SimpleNamespace)
    for module in (benchopt, rules):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    spec = importlib.util.spec_from_file_location("benchopt_solver", ROOT / "benchmarks/benchopt/dualgap.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solver(module: ModuleType, case: str, method: str = "auto", **changed: object) -> Any:
    X, y = data(case)
    made = module.Solver()
    made.method = method
    given = {"X": X, "y": y, **GIVEN[case], **changed}
    assert made.skip(**given) == (False, None)
    made.set_objective(**given)
    return made


def within_the_certified_gap(module: ModuleType, case: str, made: Any) -> bool:
    """Whether s D is below the objective at our b and nearby, and the objective at our b is at most s gap_bound more.

    The nearby points are of several sizes. One of them is 0.
    """
    X, y = data(case)
    made.run(1e-6)
    s = module.problem_of(**made.objective)[1]
    lower, gap = s * (made.result.primal - made.result.gap_bound), s * made.result.gap_bound
    beta = made.get_result()["beta"]
    steps = np.random.default_rng(3).standard_normal((20, len(beta))) * np.logspace(-6, 0, 20)[:, None]
    others = [objective(case, X, y, b) for b in (beta, 0 * beta, *(beta + steps))]
    value, error = others[0]
    return value - error <= lower + gap and all(lower <= other + error for other, error in others)


@pytest.mark.parametrize("case", GIVEN)
def test_the_objective_at_our_solution_is_within_the_certified_gap_of_its_minimum(case, monkeypatch):
    module = loaded(monkeypatch, evaluate_result=None)
    assert within_the_certified_gap(module, case, solver(module, case))
    name = STRENGTH[benchmark(case)]
    for factor in (1 / N, 0.99, 1.01, N):  # 1/N and N: a lambda that was divided by n once too often, or not at all
        wrong = solver(module, case, **{name: factor * GIVEN[case][name]})
        assert not within_the_certified_gap(module, case, wrong), f"the control: {name} times {factor}"


def test_what_solve_refuses_is_skipped_with_its_reason(monkeypatch):
    module = loaded(monkeypatch)
    made = module.Solver()
    for case, method, changed, words in [
        ("elastic_net", "auto", {"l1_ratio": 1.0}, "lam must be > 0"),
        ("linear_svm", "lbfgs", {}, "hinge"),
        ("linear_svm", "auto", {"gamma": 1.0}, "no problem for an objective with C, gamma"),
    ]:
        X, y = data(case)
        made.method = method
        skipped, reason = made.skip(X=X, y=y, **(GIVEN[case] | changed))
        assert skipped and words in reason, reason
