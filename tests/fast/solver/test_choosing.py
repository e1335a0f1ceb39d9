"""``method="auto"``: what it chooses for which problem, that it says why, and that nothing else is much faster."""

import itertools

import numpy as np
import pytest

from dualgap.fast import solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.solver.auto import ILL_CONDITIONED, choose
from dualgap.reference import (
    L2,
    LOSSES,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    all_methods,
)
from dualgap.reference.problem.losses import losses
from dualgap.reference.problem.pnorm import PNorm

N = 120
DATA = aspdc_synthetic(n=N, d=20, seed=5)  # unit rows
PASS = {"sdca": 1.0, "sdca-shrinking": 1.0, "asdca": 1.0, "spdc": 2.0, "aspdc": 1.0}  # of SDCA's time
PASS["newton"] = 2.0  # with its matrix
FACTOR = 2.0  # auto is never slower than the best by more


def problem_with(loss, K, l1=0.0):
    """R = 1 and n = 120: lam for K = R^2/(lam n gamma)."""
    gamma = LOSSES[loss]().gamma or 1
    return Problem(DATA.X, DATA.y, LOSSES[loss](), ElasticNet(float(1 / (N * gamma * K)), l1))


# -- what and why -----------------------------------------------------------------------------------------------

METHODS = [
    ("smoothed-hinge", 1, "sdca-shrinking"),
    ("smoothed-hinge", 100, "asdca"),
    ("smoothed-hinge", 1e6, "spdc"),
    ("squared-hinge", 1, "sdca-shrinking"),
    ("logistic", 0.1, "sdca"),
    ("logistic", 1, "sdca"),
    ("logistic", 100, "asdca"),
    ("squared", 1, "sdca"),
    ("squared", 100, "asdca"),
    ("squared", 1e6, "spdc"),
    ("hinge", 1, "sdca-shrinking"),
    ("hinge", 1000, "sdca-shrinking"),
    ("absolute", 10, "sdca-shrinking"),
]


@pytest.mark.parametrize(("loss", "K", "method"), METHODS)
@pytest.mark.parametrize("l1", [0.0, 0.01])
def test_the_method_follows_from_the_loss_and_from_the_condition(loss, K, method, l1):
    if l1 == 0 and loss not in ("hinge", "absolute"):
        method = "newton"  # smooth, d < n: a direction costs about 0.3 passes
    if l1 == 0 and loss in ("hinge", "absolute") and K >= 10:
        method = "proximal-newton"
    chosen = choose(problem_with(loss, K, l1))
    assert chosen.method == method
    uniform = ("sdca-shrinking", "newton", "proximal-newton")
    assert chosen.order == ("uniform" if method in uniform else "permuted")
    ratio = f"R^2/(mu n) = {K:.3g} " if method == "proximal-newton" else f"R^2/(mu n gamma) = {K:.3g} "
    assert ("not smooth" if method == "sdca-shrinking" and loss in ("hinge", "absolute") else ratio) in chosen.reason


@pytest.mark.parametrize(
    ("loss", "K", "method"),
    [
        ("smoothed-hinge", 1e4, "sdca-shrinking"),
        ("logistic", 1e4, "sdca"),
        ("squared", 2, "sdca"),
        ("squared", 1e4, "newton"),
    ],
)
def test_with_as_many_columns_as_rows_sdca_is_kept_for_longer(loss, K, method):
    problem = Problem(np.eye(4), [1, -1, 1, 1], LOSSES[loss](), L2(1 / (4 * float(LOSSES[loss]().gamma) * K)))
    assert choose(problem).method == method


def test_newton_is_not_chosen_where_its_matrix_is_no_hessian_or_the_problem_is_outside():
    X, y = np.tile(np.eye(2), (2000, 1)), np.tile([1.0, -1.0, -1.0, 1.0], 1000)
    assert choose(Problem(X, y, Squared(), L2(0.1))).method == "newton"
    assert choose(Problem(X, y, Squared(), ElasticNet(0.1, 0.1))).method != "newton"
    assert choose(Problem(X, y, Squared(), L2(0.1)).centred(0.1, [1.0, 0.0])).method != "newton"
    assert choose(Problem(X, y, Hinge(), L2(0.1))).method != "newton"
    assert choose(Problem(X, y, SmoothedHinge(1), L2(1e-6))).method == "newton"
    assert choose(Problem(X, y, SmoothedHinge("1/2"), L2(2e-6))).method == "newton", "flat at w = 0"
    assert choose(Problem(X.T @ X, [1.0, -1.0], Logistic(), L2(1e-9))).method != "newton"  # as many columns as rows


def test_the_condition_counts_the_largest_row_and_the_proximal_centre_which_asdca_does_not_take():
    # l1 > 0: not for Newton's method
    problem = Problem(2 * DATA.X, DATA.y, Squared(), ElasticNet(4 / (N * 3 * ILL_CONDITIONED), 0.001))
    assert choose(problem).method == "asdca"  # K = 3 ILL_CONDITIONED
    for factor, method in ((3, "sdca"), (1, "spdc")):  # K = 3 ILL_CONDITIONED/4 and 3 ILL_CONDITIONED/2
        centred = problem.centred(problem.regularizer.lam * factor, [0.0] * problem.d)
        assert choose(centred).method == method
        assert solve(centred, "auto", rtol=1e-3).status == "converged"


def test_a_regularizer_that_is_not_quadratic_gets_the_method_for_it():
    problem = Problem(DATA.X, DATA.y, Hinge(), PNorm(0.5, 1.5))
    assert choose(problem).method == "pgs"
    with pytest.raises(HypothesisViolated, match="quadratic"):
        solve(problem, "sdca", max_epochs=1)
    assert solve(problem, "auto", max_epochs=1).method == "pgs"


def test_the_result_says_what_was_chosen_and_one_s_own_options_come_first():
    problem = problem_with("logistic", 1.0, l1=0.01)
    result = solve(problem, "auto", rtol=1e-3)
    assert (result.method, result.order, result.reason) == ("sdca", "permuted", choose(problem).reason)
    assert solve(problem, "auto", rtol=1e-3, order="uniform").order == "uniform"
    assert solve(problem, "sdca", rtol=1e-3).reason == ""


# -- and nothing else is much faster ------------------------------------------------------------------------------


def cost(problem, method, order):
    """Passes to a relative gap of 1e-5, in the time of SDCA's; infinite where the method is not for this problem."""
    try:
        result = solve(problem, method, order=order, rtol=1e-5, max_epochs=6000)
    except HypothesisViolated:
        return np.inf
    # that SDCA takes, and an evaluation does not
    steps_of_roots = 1.5 if method == "newton" and problem.loss.name == "logistic" else 1
    return result.epochs * PASS[method] / steps_of_roots if result.status == "converged" else np.inf


@pytest.mark.parametrize("loss", losses(smooth=True))
@pytest.mark.parametrize("K", [0.2, 2.0, 50.0, 2000.0])
def test_auto_is_never_slower_than_the_best_by_more_than_a_factor_of_two(loss, K):
    problem = problem_with(loss, K)
    chosen = choose(problem)
    ways = itertools.product(PASS, ("uniform", "permuted"))
    costs = {
        way: cost(problem, *way) for way in ways if way not in (("sdca-shrinking", "permuted"), ("newton", "permuted"))
    }
    assert costs[chosen.method, chosen.order] <= FACTOR * min(costs.values()), costs
    others = [price for way, price in costs.items() if way[0] != chosen.method]
    assert max(others) > FACTOR * min(costs.values()), "every choice would do, so that nothing was tested"


def test_nothing_said_of_the_method_is_auto():
    """Where ASPDC, which was the default once, refuses: hinge, and a small lam."""
    for loss, lam in ((Hinge(), 0.5), (SmoothedHinge(), 1e-6)):
        result = solve(Problem([[1.0, 0.5], [0.0, 1.0], [2.0, 1.0]], [1, -1, 1], loss, L2(lam)), tol=1e-3)
        assert result.status == "converged" and result.method in all_methods() and result.reason
        with pytest.raises(HypothesisViolated):
            solve(Problem([[1.0, 0.5], [0.0, 1.0], [2.0, 1.0]], [1, -1, 1], loss, L2(lam)), "aspdc")
