"""CoCoA+ compiled: one part is SDCA to the last bit, threads change nothing, empty parts are legal, certified like any
other method.
"""

import numpy as np
import pytest
from support import refuses

from dualgap.extras.cocoa.compiled import FastCoCoA
from dualgap.fast import solve
from dualgap.fast.data.load import load, prepare
from dualgap.reference import L2, ElasticNet, Hinge, Loss, Problem, Regularizer, SmoothedHinge, Squared


@pytest.fixture(scope="module")
def data() -> tuple:
    found = prepare(load("rcv1-like:n=300,d=200"), unit_rows=True)
    return found.X, found.y


@pytest.mark.parametrize("order", ["uniform", "permuted"])
@pytest.mark.parametrize(
    ("loss", "regularizer"), [(SmoothedHinge(), L2(1e-2)), (Hinge(), L2(1e-2)), (Squared(), ElasticNet(1e-2, 1e-3))]
)
def test_one_part_is_sdca_to_the_last_bit(data: tuple, loss: Loss, regularizer: Regularizer, order: str) -> None:
    problem = Problem(*data, loss, regularizer)
    one, other = (
        solve(problem, name, order=order, max_epochs=7, tol=1e-12, **given)
        for name, given in (("sdca", {}), ("cocoa", {"parts": 1}))
    )
    assert one.w.tobytes() == other.w.tobytes()
    assert one.alpha.tobytes() == other.alpha.tobytes()
    assert one.history[-1].gap == other.history[-1].gap


@pytest.mark.parametrize(
    "options",
    [
        {"parts": 4},
        {"parts": 3, "aggregation": "averaging"},
        {"parts": 5, "H": 7},
        {"parts": [0, 10, 10, 300], "sigma": 9},
    ],
)
def test_threads_change_no_bit(data: tuple, options: dict) -> None:
    problem = Problem(*data, SmoothedHinge(), L2(1e-2))
    runs = [solve(problem, "cocoa", threads=threads, max_epochs=5, tol=1e-12, **options) for threads in (1, 3)]
    assert runs[0].w.tobytes() == runs[1].w.tobytes() and runs[0].alpha.tobytes() == runs[1].alpha.tobytes()


@pytest.mark.parametrize("K", [2, 8])
def test_the_answer_is_that_of_one_machine_within_both_gaps(data: tuple, K: int) -> None:
    problem = Problem(*data, SmoothedHinge(), L2(1e-2))
    alone, parted = solve(problem, "sdca", tol=1e-8), solve(problem, "cocoa", parts=K, tol=1e-8)
    assert alone.status == parted.status == "converged"
    apart = np.linalg.norm(alone.w - parted.w)  # (lam/2)||w - w*||^2 <= P(w) - P* for each of them
    assert apart <= np.sqrt(2 * alone.gap_bound / 1e-2) + np.sqrt(2 * parted.gap_bound / 1e-2)


def test_a_sigma_that_is_too_small_ends_as_diverged() -> None:
    X = np.ones((64, 1))
    result = solve(
        Problem(X, np.ones(64), Squared(), L2(1e-3)), "cocoa", parts=64, sigma=1, mode="unchecked", max_epochs=400
    )
    assert result.status == "diverged"


def test_what_a_thread_count_cannot_be_is_said() -> None:
    refuses(ValueError, "threads must be an integer >= 1", FastCoCoA, threads=0)
