"""CoCoA+ compiled: threads change nothing, empty parts are legal, and a sigma that is too small diverges."""

import numpy as np
import pytest
from support import refuses

from dualgap.extras.cocoa.compiled import FastCoCoA
from dualgap.fast import solve
from dualgap.fast.data.load import load, prepare
from dualgap.reference import L2, Problem, SmoothedHinge, Squared


@pytest.fixture(scope="module")
def data() -> tuple:
    found = prepare(load("rcv1-like:n=300,d=200"), unit_rows=True)
    return found.X, found.y


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


def test_a_sigma_that_is_too_small_ends_as_diverged() -> None:
    X = np.ones((64, 1))
    result = solve(
        Problem(X, np.ones(64), Squared(), L2(1e-3)), "cocoa", parts=64, sigma=1, mode="unchecked", max_epochs=400
    )
    assert result.status == "diverged"


def test_what_a_thread_count_cannot_be_is_said() -> None:
    refuses(ValueError, "threads must be an integer >= 1", FastCoCoA, threads=0)
