"""What ``method="auto"`` chooses, and what a run that has not converged advises."""

import itertools
import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import ROOT, by_day, refuses

from dualgap.extras.baselines.newton import reference
from dualgap.extras.baselines.newton.reference import LARGEST
from dualgap.fast import Certificate, solve
from dualgap.fast.data.dataset import unit_rows
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.solver import auto, causes
from dualgap.fast.solver.auto import ILL_CONDITIONED, WELL_CONDITIONED, choose, plan
from dualgap.fast.solver.causes import cause
from dualgap.fast.solver.result import Result
from dualgap.reference import (
    L2,
    LOSSES,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    Loss,
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
PASS |= {"newton": 1.5, "sdca-newton": 1.5}  # with their matrices, at most
FACTOR = 2.0  # auto is never slower than the best by more


@pytest.fixture(autouse=True)
def many_numbers(monkeypatch, request):
    """These small problems stand for larger ones, whose method is chosen by estimates."""
    if "few_numbers" not in request.node.name:
        monkeypatch.setattr(reference, "FEW", 0)


def test_newton_is_chosen_for_few_numbers_of_dense_rows_if_the_loss_is_smooth():
    rng = np.random.default_rng(0)
    for n, d, least in ((400, 64, 0), (400, 65, math.inf), (20_000, 5, 0), (40_000, 5, 1), (4, 9, 0)):
        X, y = rng.standard_normal((n, d)), np.where(rng.random(n) < 0.5, 1.0, -1.0)
        for loss, rows in ((Logistic(), X), (Squared(), X), (Hinge(), X), (Squared(), csr_array(X))):
            told = choose(Problem(rows, y, loss, L2(1.0))).reason
            small = (loss.name == "squared") >= least  # one matrix is enough
            assert ("in one call" in told) == (small and rows is X and loss.gamma > 0)


@pytest.mark.parametrize("loss", ["logistic", "squared", "smoothed-hinge"])
@pytest.mark.parametrize("rows", [csr_array(np.eye(30, 40)), np.eye(30, 40)], ids=["sparse", "dense"])
def test_newton_is_chosen_for_sparse_rows_that_need_few_gradients(loss, rows):
    """K = 1/(30 lam gamma) is on both sides of the limit."""
    for share in (0.9, 1.1):
        gamma = float(LOSSES[loss]().gamma)
        problem = Problem(rows, np.ones(30), LOSSES[loss](), L2(1 / (30 * gamma * share * WELL_CONDITIONED)))
        few = share < 1 and loss != "smoothed-hinge" and not isinstance(rows, np.ndarray)
        assert (choose(problem).method == "newton") == few


def problem_with(loss, K, l1=0.0):
    """R = 1 and n = 120: lam for K = R^2/(lam n gamma)."""
    gamma = LOSSES[loss]().gamma or 1
    return Problem(DATA.X, DATA.y, LOSSES[loss](), ElasticNet(float(1 / (N * gamma * K)), l1))


METHODS = [
    ("smoothed-hinge", 1, "sdca-newton"),
    ("smoothed-hinge", 100, "asdca"),
    ("smoothed-hinge", 1e6, "spdc"),
    ("squared-hinge", 1, "sdca-newton"),
    ("logistic", 0.1, "sdca"),
    ("logistic", 1, "sdca"),
    ("logistic", 100, "asdca"),
    ("squared", 1, "sdca"),
    ("squared", 100, "asdca"),
    ("squared", 1e6, "spdc"),
    ("hinge", 1, "sdca-newton"),
    ("hinge", 1e6, "sdca-newton"),
    ("absolute", 1e5, "sdca-newton"),
]


@pytest.mark.parametrize(("loss", "K", "method"), METHODS)
@pytest.mark.parametrize(("l1", "newton"), [(0.0, True), (0.01, True), (0.01, False)])
def test_the_method_follows_from_the_loss_and_from_the_condition(loss, K, method, l1, newton, monkeypatch):
    if not newton:
        monkeypatch.setattr(auto, "newton_of", lambda problem: None)
    elif loss not in ("hinge", "absolute"):
        method = "l1-newton" if l1 else "newton"  # smooth, d < n: a direction costs about 0.3 passes
    if l1 == 0 and loss == "absolute" and K >= 1e5:
        method = "proximal-newton"
    chosen = choose(problem_with(loss, K, l1))
    assert chosen.method == method
    assert chosen.order == ("permuted" if method in ("sdca", "asdca", "spdc") else "uniform")
    square = "R^2" if method.endswith("newton") and method != "sdca-newton" else "mean ||x_i||^2"
    ratio = f"{square}/(mu n{'' if method == 'proximal-newton' else ' gamma'}) = {K:.3g} "
    assert ("not smooth" if method == "sdca-newton" and loss in ("hinge", "absolute") else ratio) in chosen.reason


@pytest.mark.parametrize(
    ("loss", "K", "method"),
    [
        ("smoothed-hinge", 1e4, "sdca-newton"),
        ("logistic", 1e4, "sdca-newton"),
        ("squared", 2, "sdca-newton"),
        ("squared", 1e4, "newton"),
    ],
)
def test_with_as_many_columns_as_rows_sdca_is_kept_for_longer(loss, K, method):
    problem = Problem(np.eye(4), [1, -1, 1, 1], LOSSES[loss](), L2(1 / (4 * float(LOSSES[loss]().gamma) * K)))
    assert choose(problem).method == method


@pytest.mark.parametrize(
    ("loss", "n", "method"),
    [("hinge", 999, "sdca-newton"), ("hinge", 1000, "proximal-newton"), ("absolute", 999, "proximal-newton")],
)
def test_with_the_hinge_and_few_rows_sdca_newton_is_first_whatever_the_condition(loss, n, method):
    rows = np.random.default_rng(0).standard_normal((n, 3))
    first, *others = plan(Problem(rows, np.where(np.arange(n) % 2, 1.0, -1.0), LOSSES[loss](), L2(1e-9)))
    assert first[0].method == method
    assert not others or (others[0][0].method, first[1]) == ("proximal-newton", 40)
    [(wide, passes), _] = plan(Problem(rows[:3], [1.0, -1.0, 1.0], LOSSES[loss](), L2(1e-9)))
    assert (wide.method, passes) == ("sdca-newton", 80)


def test_each_row_of_the_table_names_the_paragraph_with_its_measurements():
    paragraphs = re.findall(r"^### (.*)$", (ROOT / "docs" / "speed.md").read_text(encoding="utf-8"), re.MULTILINE)
    several = [row for row in auto.TABLE if row.measured]
    assert {row.measured for row in several} <= set(paragraphs) and {row.kind for row in several} == {Problem}
    assert {row.method for row in several} >= set(PASS) - {"aspdc"}, "each method that is compared with others"


def test_newton_is_not_chosen_where_its_matrix_is_no_hessian_or_the_problem_is_outside():
    X, y = np.tile(np.eye(2), (2000, 1)), np.tile([1.0, -1.0, -1.0, 1.0], 1000)
    assert choose(Problem(X, y, Squared(), L2(0.1))).method == "newton"
    assert choose(Problem(X, y, Squared(), ElasticNet(0.1, 0.1))).method != "newton"
    assert choose(Problem(X, y, Squared(), L2(0.1)).centred(0.1, [1.0, 0.0])).method != "newton"
    assert choose(Problem(X, y, Hinge(), L2(0.1))).method != "newton"
    assert choose(Problem(X, y, SmoothedHinge(1), L2(1e-6))).method == "newton"
    assert choose(Problem(X, y, SmoothedHinge("1/2"), L2(2e-6))).method == "newton", "flat at w = 0"
    assert choose(Problem(X.T @ X, [1.0, -1.0], Logistic(), L2(1e-9))).method != "newton"  # as many columns as rows


@pytest.mark.parametrize(
    ("n", "d", "sparse", "loss", "K", "method"),
    [
        (9, 4, True, "logistic", 11, "newton"),
        (9, 4, True, "squared-hinge", 9, "sdca-newton"),
        (8, 4, True, "logistic", 2, "newton"),
        (8, 4, True, "squared-hinge", 1000, "sdca-newton"),
        (4, 4, True, "squared", 11, "newton"),
        (4, 4, True, "squared", 9, "sdca-newton"),
        (3, 4, True, "squared", 4, "sdca-newton"),
        (5, 4, False, "squared-hinge", 1e-3, "newton"),
        (3, 4, False, "squared-hinge", 4, "sdca-newton"),
        (3, 4, False, "logistic", 2, "newton"),
        (3, 2, False, "logistic", 2, "sdca"),
    ],
)
def test_where_there_is_no_matrix_the_shape_and_the_storage_decide(n, d, sparse, loss, K, method, monkeypatch):
    monkeypatch.setattr(reference, "has_metric", lambda problem: False)
    monkeypatch.setattr(auto, "LARGE", 7)
    X = np.tile(np.eye(d), (n, 1))[:n]
    problem = Problem(
        csr_array(X) if sparse else X, np.ones(n), LOSSES[loss](), L2(1 / (n * float(LOSSES[loss]().gamma) * K))
    )
    chosen = choose(problem)
    assert chosen.method == method and (method != "newton" or f"R^2/(mu n gamma) = {K:.3g}" in chosen.reason)


def test_newton_s_matrix_has_at_most_so_many_columns():
    for d, first, columns in ((LARGEST, "newton", "expected"), (LARGEST + 1, "sdca-newton", "")):
        X = csr_array((np.ones(2 * d), (np.arange(2 * d), np.arange(2 * d) % d)), shape=(2 * d, d))
        chosen = plan(Problem(X, np.where(np.arange(2 * d) % 3, 1.0, -1.0), SmoothedHinge(1), L2(1e-6)))
        assert chosen[0][0].method == first and chosen[-1][0].method == "newton" and columns in chosen[0][0].reason


def test_the_condition_counts_the_largest_row_and_the_proximal_centre_which_asdca_does_not_take(monkeypatch):
    monkeypatch.setattr(auto, "newton_of", lambda problem: None)
    problem = Problem(2 * DATA.X, DATA.y, Squared(), ElasticNet(4 / (N * 3 * ILL_CONDITIONED), 0.001))
    assert choose(problem).method == "asdca"  # K = 3 ILL_CONDITIONED
    for factor, method in ((3, "sdca"), (1, "spdc")):  # K = 3 ILL_CONDITIONED/4 and 3 ILL_CONDITIONED/2
        centred = problem.centred(problem.regularizer.lam * factor, [0.0] * problem.d)
        assert choose(centred).method == method
        assert solve(centred, "auto", rtol=1e-3).status == "converged"


def test_a_regularizer_that_is_not_quadratic_gets_the_method_for_it():
    problem = Problem(DATA.X, DATA.y, Hinge(), PNorm(0.5, 1.5))
    assert choose(problem).method == "pgs"
    refuses(HypothesisViolated, "quadratic", solve, problem, "sdca", max_epochs=1)
    assert solve(problem, "auto", max_epochs=1).method == "pgs"


def test_the_result_says_what_was_chosen_and_one_s_own_options_come_first():
    problem = problem_with("logistic", 1.0, l1=0.01)
    result = solve(problem, "auto", rtol=1e-3)
    assert (result.method, result.order, result.reason) == ("l1-newton", "uniform", choose(problem).reason)
    assert solve(problem.centred(0.1, [0.0] * problem.d), "auto", rtol=1e-3, order="uniform").order == "uniform"
    assert solve(problem, rtol=1e-3, order="permuted").order == "uniform", "l1-newton draws nothing"
    assert solve(problem, "sdca", rtol=1e-3).reason == ""


def cost(problem, method, order):
    """Passes to a relative gap of 1e-5, in the time of SDCA's; infinite where the method is not for this problem."""
    try:
        result = solve(problem, method, order=order, rtol=1e-5, max_epochs=6000)
    except HypothesisViolated:
        return np.inf
    # that SDCA takes, and an evaluation does not
    steps_of_roots = 1.5 if method == "newton" and problem.loss.name == "logistic" else 1
    return result.epochs * PASS[method] / steps_of_roots if result.status == "converged" else np.inf


CONDITIONS = list(itertools.product([0.2, 2.0, 50.0, 2000.0], losses(smooth=True)))


@pytest.mark.parametrize("condition", by_day(CONDITIONS, *CONDITIONS[::3]), ids=str)  # each K and loss once
def test_auto_is_never_slower_than_the_best_by_more_than_a_factor_of_two(condition):
    K, loss = condition
    problem = problem_with(loss, K)
    chosen = choose(problem)
    ways = itertools.product(PASS, ("uniform", "permuted"))
    costs = {way: cost(problem, *way) for way in ways if way[1] in all_methods()[way[0]].orders}
    assert costs[chosen.method, chosen.order] <= FACTOR * min(costs.values()), costs
    others = [price for way, price in costs.items() if way[0] != chosen.method]
    assert max(others) > FACTOR * min(costs.values()), "every choice would do, so that nothing was tested"


RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
SCORES = X @ [1.0, -2.0, 0.5, 1.0]
Y, SEPARABLE = np.where(SCORES + RNG.normal(size=200) > 0, 1.0, -1.0), np.where(SCORES > 0, 1.0, -1.0)
TWICE, BOTH = np.vstack([X[:100], X[:100]]) * 30, np.append(Y[:100], -Y[:100])


def run(rows: np.ndarray | csr_array, y: np.ndarray, loss: Loss, lam: float, l1: float = 0.0) -> Result:
    """By coordinate methods: Newton's methods, which auto may take, are fast on most."""
    problem, method = Problem(rows, y, loss, ElasticNet(lam, l1)), "sdca" if loss.gamma > 0 else "sdca-shrinking"
    return solve(problem, method, tol=1e-9 if loss.gamma > 0 else 1e-6, max_epochs=300)


CASES: dict[str, tuple[Callable[[], Result], Callable[[], Result], str]] = {
    "columns": (
        lambda: run(X * [1, 1, 1, 1e4], Y, Hinge(), 1e-2),
        lambda: run(X, Y, Hinge(), 1e-2),
        "The sizes of the columns differ by a factor of 1e+04: column 3 is the largest, column 1 the smallest,",
    ),
    "a column of scale 1e100": (
        lambda: run(X * [1, 1, 1e100, 1], Y, Hinge(), 1e-2),
        lambda: run(X, Y, Hinge(), 1e-2),
        "The sizes of the columns differ by a factor of 1e+100: column 2 is the largest, column 1 the smallest,",
    ),
    "sparse columns": (
        lambda: run(csr_array(X * [1, 1e90, 1, 1]), Y, Hinge(), 1e-2),
        lambda: run(csr_array(X / np.abs(X).max(axis=0)), Y, Hinge(), 1e-2),
        "The sizes of the columns differ by a factor of 1e+90: column 1 is the largest, column 0 the smallest, counted"
        " from 0. Scale the columns (divide each column by its largest entry",
    ),
    "separable": (
        lambda: run(X, SEPARABLE, Logistic(), 1e-10, 1e-9),
        lambda: run(X, SEPARABLE, Logistic(), 1e-2, 1e-9),
        "The data are separable: ",
    ),
    "a small lam": (
        lambda: run(X, Y, Hinge(), 1e-9),
        lambda: run(X, Y, Hinge(), 1e-2),
        "lam = 1e-09 is small against the rows: R^2/(lam n) is 8.2e+07,",
    ),
    "long rows": (
        lambda: run(X * 1e3, Y, Hinge(), 1e-3),
        lambda: run(unit_rows(X * 1e3), Y, Hinge(), 1e-3),
        "lam = 0.001 is small against the rows: R^2/(lam n) is 8.2e+07,",
    ),
    "equal rows of both labels": (
        lambda: run(TWICE, BOTH, Hinge(), 0.1),
        lambda: run(unit_rows(TWICE), BOTH, Hinge(), 0.1),
        "200 of 200 rows have an equal row of the other label, for example rows 0 and 100, counted from 0:",
    ),
    "the same, sparse, left out": (
        lambda: run(csr_array(TWICE), BOTH, Hinge(), 0.1),
        lambda: run(csr_array(X[:100]), Y[:100], Hinge(), 0.1),
        "200 of 200 rows have an equal row of the other label, for example rows 0 and 100, counted from 0:",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_first_sentence_names_the_cause_and_its_advice_helps(case: str) -> None:
    slow, followed, words = CASES[case]
    result = slow()
    assert result.status == "max_epochs" and result.advice.startswith(words), result.advice
    assert "passes were not enough" in result.advice.split(". ", 2)[-1]
    assert followed().status == "converged"


def test_the_column_that_makes_a_run_grow_without_bound_is_named() -> None:
    result = solve(Problem(X * [1, 1, 1e100, 1], Y, Hinge(), L2(1e-2)), tol=1e-6)
    assert (result.method, result.status) == ("proximal-newton", "diverged")
    assert result.advice.startswith(CASES["a column of scale 1e100"][2])
    assert "The iterates grow without bound; use method='sdca'. The best earlier pair is returned." in result.advice


@pytest.mark.parametrize(
    ("rows", "y", "loss", "lam"), [(X, Y, Hinge(), 1e-2), (csr_array(X), SEPARABLE, Logistic(), 1e-2)]
)
def test_without_a_cause_none_is_named(rows: np.ndarray | csr_array, y: np.ndarray, loss: Loss, lam: float) -> None:
    few = solve(Problem(rows, y, loss, L2(lam)), tol=1e-12, max_epochs=1)
    assert few.status == "max_epochs" and few.advice.startswith("1 passes were not enough")


def test_the_order_decides_and_each_test_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data with three of the causes at once (equal rows of both labels cannot be separated): when the tests are
    left out one by one, the next sentence begins the advice.
    """
    rows = np.vstack([X, X[:20]]) * [1e-3, 1e3, 1, 1]
    problem = Problem(rows, np.append(SEPARABLE, -SEPARABLE[:20]), Hinge(), L2(1e-9))
    best = Certificate(problem, np.zeros(4), np.zeros(220))
    begins = []
    for k in range(len(causes.CAUSES)):
        monkeypatch.setattr(causes, "CAUSES", causes.CAUSES[1 if k else 0 :])
        begins.append(cause(problem, best, "max_epochs").split()[0:2])
    assert begins == [["The", "sizes"], ["lam", "="], ["lam", "="], ["40", "of"]]
    assert cause(problem, best, "rounding").startswith("40 of")
