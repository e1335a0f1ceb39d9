"""The advice of a run that has not converged begins with a cause, and a run that follows it converges."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import Certificate, solve
from dualgap.fast.data.dataset import unit_rows
from dualgap.fast.solver import causes
from dualgap.fast.solver.causes import cause
from dualgap.fast.solver.result import Result
from dualgap.reference import L2, ElasticNet, Hinge, Logistic, Loss, Problem

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4))
SCORES = X @ [1.0, -2.0, 0.5, 1.0]
Y, SEPARABLE = np.where(SCORES + RNG.normal(size=200) > 0, 1.0, -1.0), np.where(SCORES > 0, 1.0, -1.0)
TWICE, BOTH = np.vstack([X[:100], X[:100]]) * 30, np.append(Y[:100], -Y[:100])


def run(rows: Any, y: Any, loss: Loss, lam: float, l1: float = 0.0) -> Result:
    return solve(Problem(rows, y, loss, ElasticNet(lam, l1)), tol=1e-9 if loss.gamma > 0 else 1e-6, max_epochs=300)


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


@pytest.mark.parametrize(
    ("rows", "y", "loss", "lam"), [(X, Y, Hinge(), 1e-2), (csr_array(X), SEPARABLE, Logistic(), 1e-2)]
)
def test_without_a_cause_none_is_named(rows: Any, y: Any, loss: Loss, lam: float) -> None:
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
