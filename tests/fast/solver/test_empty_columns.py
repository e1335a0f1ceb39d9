"""Empty columns of wide sparse rows: the answer has 0 there, and the bits of the problem without them elsewhere."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import Certificate, solve
from dualgap.fast.solver import columns
from dualgap.reference import (
    L2,
    ElasticNet,
    Hinge,
    InterceptProblem,
    Logistic,
    NonNegative,
    Problem,
    SmoothedHinge,
    Squared,
    WeightedProblem,
)

USED = np.array([3, 4, 11, 40, 77, 78])
KINDS = {
    "plain": Problem,
    "weighted": lambda *given: WeightedProblem(*given, np.linspace(0.5, 2.0, 12)),
    "intercept": InterceptProblem,
}


def rows(d):
    """12 rows with entries in the columns ``USED`` of d, or in as many columns."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((12, USED.size)) < 0.6, rng.standard_normal((12, USED.size)), 0.0)
    X[0] = 1.0
    places = USED if d > USED.size else np.arange(d)
    whole = np.zeros((12, d))
    whole[:, places] = X
    return csr_array(whole), np.where(X.sum(axis=1) > 0, 1.0, -1.0)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(columns, "WIDE", 100)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("g", [L2(1e-2), ElasticNet(1e-2, 1e-3), NonNegative(1e-2)], ids=lambda g: g.family + str(g.l1))
@pytest.mark.parametrize("loss", [Hinge(), Logistic(), SmoothedHinge(), Squared()], ids=lambda loss: loss.name)
def test_the_answer_has_the_bits_of_the_problem_without_them(loss, g, kind):
    (X, y), (narrow, _) = rows(150), rows(USED.size)
    problem = KINDS[kind](X, y, loss, g)
    found, due = solve(problem, rtol=1e-4), solve(KINDS[kind](narrow, y, loss, g), rtol=1e-4)
    assert found.w[USED].tobytes() == due.w.tobytes() and np.count_nonzero(found.w) <= USED.size
    assert found.alpha.tobytes() == due.alpha.tobytes() and found.intercept == due.intercept
    again = Certificate(problem, found.w, found.alpha, found.certificate.compensated, found.intercept)
    assert found.certificate.problem is problem and (found.primal, found.gap) == (due.primal, due.gap)
    assert found.gap_bound == again.gap_bound == found.history[-1].gap_bound and "144 empty columns" in found.reason


def test_a_column_with_one_entry_is_not_left_out():
    X, y = rows(150)
    X = X.tolil()
    X[5, 149] = 2.0
    assert solve(Problem(X.tocsr(), y, Squared(), L2(1e-2)), rtol=1e-4).w[149] != 0


def test_the_whole_problem_is_solved_where_its_certificate_is_worse(monkeypatch):
    X, y = rows(150)
    problem = Problem(X, y, Squared(), L2(1e-2))
    monkeypatch.setattr(columns, "Certificate", lambda p, w, *rest: Certificate(p, w + 1e-2, *rest))
    found = solve(problem, rtol=1e-4)
    assert found.status == "converged" and "empty columns" not in found.reason


def test_a_change_of_the_rows_is_noticed():
    X, y = rows(150)
    problem = Problem(X, y, Squared(), L2(1e-2))
    solve(problem, rtol=1e-4)
    X.indices[0] = 0
    with pytest.raises(ValueError, match="changed"):
        solve(problem, rtol=1e-4)
