"""Certified optima: a bracket of min P that holds the minimum, and is as narrow as a figure needs."""

import numpy as np
import pytest

from dualgap.proofs_checks.experiments import optima
from dualgap.proofs_checks.experiments.optima import Setting, optimum


@pytest.mark.parametrize("loss", ["squared", "smoothed-hinge", "logistic"])
def test_the_bracket_holds_the_minimum_and_is_as_narrow_as_a_figure_needs(loss):
    # Two equal rows with opposite labels: by symmetry (or by P'(0) = 0) w = 0 is the minimizer, and min P is phi(0).
    one = optimum(Setting("equal-rows:n=2", 0.1, loss))
    phi = {"squared": 0.5, "smoothed-hinge": 0.5, "logistic": float(np.log(2))}[loss]
    assert one["dual"] <= phi + one["rounding"] and phi <= one["primal"] + one["rounding"]
    assert one["gap"] / one["primal"] == one["relative"] <= optima.WIDTH


def test_ridge_regression_has_the_minimum_of_the_normal_equations():
    ridge = Setting("spdc-synthetic:n=30,d=5", 0.01, "squared")
    one, problem = optimum(ridge), ridge.problem()
    X, y = problem.X, np.array(problem.y)
    best = np.linalg.solve(X.T @ X / len(y) + 0.01 * np.eye(X.shape[1]), X.T @ y / len(y))
    P = ((X @ best - y) ** 2).mean() / 2 + 0.005 * best @ best
    # P has no slope at its minimizer, so that the error of the solution, of size eps * condition, enters squared.
    assert abs(P - one["dual"]) <= one["gap"] + 1e-14 * P


def test_another_setting_has_an_optimum_of_its_own():
    data = "aspdc-synthetic:n=30,d=4"
    settings = [
        Setting(data, 1e-3),
        Setting(data, 1e-2),
        Setting(f"{data},seed=1", 1e-3),
        Setting(data, 1e-3, gamma=0.5),
        Setting(data, 1e-3, bias=False),
    ]
    lowers = [optimum(setting)["dual"] for setting in settings]
    assert len(set(lowers)) == 5 and optimum(settings[0]) is optimum(Setting(data, 1e-3)), "computed once"
