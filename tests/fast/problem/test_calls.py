"""A problem and its solution take as many Python calls for 10,000 rows as for 1,000: no statement runs once a row."""

import sys
from collections.abc import Callable

import numpy as np
import pytest

from dualgap.fast import solve
from dualgap.fast.compiler.first_calls import compile_at_once
from dualgap.reference import L2, ElasticNet, Hinge, Logistic, NonNegative, Problem, Squared
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.weighted_problem import WeightedProblem

PENALTIES = {
    "l2": L2(0.1),
    "net": ElasticNet(0.1, 0.01),
    "non-negative": NonNegative(0.1),
    "p-norm": PNorm(0.1, 1.5, ball=10),
}
KINDS = {
    "plain": lambda X, y, *about: Problem(X, y, *about),
    "lists": lambda X, y, *about: Problem(X.tolist(), y.tolist(), *about),
    "rows of numpy": lambda X, y, *about: Problem(list(X), list(y), *about),
    "numbers of numpy": lambda X, y, *about: Problem(list(map(list, X)), y.astype(int).tolist(), *about),
    "weighted": lambda X, y, *about: WeightedProblem(X, y, *about, np.linspace(1.0, 2.0, len(y))),
    "weights listed": lambda X, y, *about: WeightedProblem(X, y, *about, np.linspace(1.0, 2.0, len(y)).tolist()),
    "intercept": lambda X, y, *about: InterceptProblem(X, y, *about),
    "both": lambda X, y, *about: InterceptProblem(X, y, *about, np.linspace(1.0, 2.0, len(y))),
}
TAKEN = [
    (kind, penalty)
    for kind in KINDS
    for penalty in PENALTIES
    if penalty != "p-norm" or kind == "plain" or "numpy" in kind
]


def calls(work: Callable[[], object]) -> int:
    """Calls of Python functions during the work, and of functions in C from Python."""
    count = 0

    def notice(frame, event, argument) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def grows(work: Callable[[int], object]) -> bool:
    """Whether the calls grow with the rows; once before, so that nothing is compiled or imported while they are
    counted.
    """
    work(1000)
    few, many = (calls(lambda n=n: work(n)) for n in (1000, 10_000))
    return many > few + 1000


@pytest.mark.parametrize("kind, penalty", TAKEN)
@pytest.mark.parametrize("loss", [Squared(), Hinge(), Logistic()], ids=lambda loss: loss.name)
def test_no_call_for_each_row(kind, penalty, loss) -> None:
    compile_at_once()
    rng = np.random.default_rng(0)
    X = rng.standard_normal((10_000, 4)) / 4
    y = np.where(X[:, 0] + rng.standard_normal(10_000) / 9 > 0, 1.0, -1.0)

    def work(n: int) -> None:
        assert "converged" == solve(KINDS[kind](X[:n], y[:n], loss, PENALTIES[penalty]), rtol=0.5).status

    assert not grows(work)


def test_the_control_calls_a_function_for_each_row() -> None:
    assert grows(lambda n: [abs(x) for x in range(n)])
