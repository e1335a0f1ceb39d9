"""A certificate takes the products of a method's last pass for that very pair alone, and is bit-identical to one that
reads the rows.
"""

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import Certificate
from dualgap.fast.problem import objective as objectives
from dualgap.fast.problem.last_pass import same
from dualgap.fast.problem.objective import Objective
from dualgap.fast.solver import backends
from dualgap.fast.solver.backends import backend_of
from dualgap.reference import L2, Logistic, Problem, SmoothedHinge, Squared, SquaredHinge

NUMBERS = ("primal", "dual", "gap", "gap_bound", "resolution", "regularizer_part", "rounding")


def problem_of(loss, sparse=False, lam=0.1):
    rng = np.random.default_rng(5)
    X = rng.standard_normal((30, 4)) * (rng.random((30, 4)) < 0.7)
    return Problem(csr_array(X) if sparse else X, rng.choice([-1.0, 1.0], 30), loss, L2(lam))


def numbers_of(certificate):
    return [getattr(certificate, name) for name in NUMBERS] + certificate.minus_u.tolist()


@pytest.fixture
def no_rows(monkeypatch):
    """Reading the rows for a certificate is an error."""

    def refuse(*arguments):
        raise AssertionError("the rows are read")

    monkeypatch.setattr(objectives, "evaluate", refuse)


@pytest.mark.parametrize("loss", [SmoothedHinge(), SquaredHinge(), Logistic(), Squared()], ids=repr)
@pytest.mark.parametrize("sparse", [False, True])
def test_the_certificate_after_a_pass_has_the_bits_of_one_that_reads_the_rows(loss, sparse, request):
    w = np.array([0.3, -1.0, 0.0, 2.0])
    problem = problem_of(loss, sparse)
    alpha, minus_u = Objective(problem).gradient_pass(w)
    expected = numbers_of(Certificate(problem_of(loss, sparse), w, alpha))  # of a problem on which no pass was made
    assert minus_u.tolist() == expected[len(NUMBERS) :]
    other = Certificate(problem_of(loss, sparse, 0.5), w, alpha)
    request.getfixturevalue("no_rows")
    assert numbers_of(Certificate(problem, w, alpha)) == expected
    assert numbers_of(Certificate(problem.with_regularizer(L2(0.5)), w, alpha)) == numbers_of(other), (
        "no product depends on lam"
    )


def test_another_pair_is_read_from_the_rows(no_rows):
    w, problem = np.array([0.3, -1.0, 0.0, 2.0]), problem_of(Logistic())
    alpha, minus_u = Objective(problem).gradient_pass(w)
    # the last: 0 for -0
    for changed_w, changed_alpha in ((w + 2.0**-50, alpha), (w, alpha * 0.5), (w * [1, 1, -1, 1], alpha)):
        with pytest.raises(AssertionError, match="rows are read"):
            Certificate(problem, changed_w, changed_alpha)
    minus_u[:] = 7.0  # what was handed out is not what was kept
    kept = Certificate(problem, w, alpha)
    assert kept.minus_u[0] != 7.0
    alpha[3] *= 0.5
    w[1] = 5.0
    with pytest.raises(AssertionError, match="rows are read"):
        Certificate(problem, w, alpha)


def test_bits_are_compared_not_values():
    assert same(np.array([0.0, 1.0]), np.array([0.0, 1.0])) and not same(np.array([0.0]), np.array([-0.0]))
    assert not same(np.zeros(2), np.zeros(3))


def test_a_second_pair_is_certified_only_where_the_first_does_not_suffice(monkeypatch):
    problem, made = problem_of(Logistic()), []
    certified = backends.certified
    monkeypatch.setattr(backends, "certified", lambda *given: made.append(given[1]) or certified(*given))
    driver = backend_of("fast", "newton", {})
    state = driver.init(problem, None)
    driver.certificate(problem, state)
    assert len(made) == 1, "w(alpha) is w at the start"
    driver.advance(problem, state, np.zeros(2, dtype=np.int64))
    reached = driver.certificate(problem, state)
    assert len(made) == 3 and made[1].tolist() != made[2].tolist()
    enough = driver.certificate(problem, state, 1.0)
    assert reached is not None and enough is not None and enough.meets(1.0, 0.0) and len(made) == 4
    assert driver.certificate(problem, state, 0.0, reached.gap_bound / 1e6) is not None and len(made) == 6
