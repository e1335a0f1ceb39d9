"""A certificate can be made in one way only, and says what the definitions say."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest
from support import refuses

from dualgap.fast import Certificate, Result
from dualgap.fast.problem.objective import Objective
from dualgap.reference import L2, LOSSES, ElasticNet, Hinge, Logistic, Problem, SmoothedHinge, Squared


def problem_of(seed, loss, scale=1.0):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 8))
    y = rng.choice([-1.0, 1.0], n) if loss.margin else scale * rng.standard_normal(n)
    regularizer = L2(10.0 ** rng.uniform(-3, 0)) if seed % 2 else ElasticNet(10.0 ** rng.uniform(-3, 0), 0.05)
    X = scale * rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.7)
    return rng, Problem(X, y, loss, regularizer)


def pair_of(rng, problem, scale=1.0):
    z = scale * rng.standard_normal(problem.n)
    alpha = [problem.loss.derivative(float(z_i), y_i) for z_i, y_i in zip(z, problem.y)]
    return [float(w_j) for w_j in rng.standard_normal(problem.d)], alpha


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4])
def test_the_gap_and_primal_minus_dual_agree_within_the_rounding_allowed(scale):
    for name, seed in itertools.product(LOSSES, range(20)):
        rng, problem = problem_of(seed, LOSSES[name](), scale)
        found = Certificate(problem, *pair_of(rng, problem, scale))  # raises ArithmeticError where they do not
        assert found.rounding <= 1e-10 * (1 + abs(found.primal) + abs(found.dual))  # the allowance is no blank cheque


@pytest.mark.parametrize("wrong", [1 + 1e-9, 0.5, -1.0])
def test_a_wrong_dual_objective_is_noticed_when_a_certificate_is_made(monkeypatch, wrong):
    rng, problem = problem_of(3, SmoothedHinge())
    pair = pair_of(rng, problem)
    right = Objective.D_from
    monkeypatch.setattr(Objective, "D_from", lambda self, sums, s: wrong * right(self, sums, s))
    refuses(ArithmeticError, "mistake in dualgap", Certificate, problem, *pair)


def test_a_negative_gap_is_raised_as_a_mistake(monkeypatch):
    problem = Problem([[1.0]], [1.0], Squared(), L2(1))
    monkeypatch.setattr(Objective, "gap_from", lambda self, sums, part: -1e-300)
    refuses(ArithmeticError, "mistake in dualgap", Certificate, problem, [0.5], [-0.5])


def test_a_certificate_cannot_be_changed_subclassed_or_filled_by_hand():
    rng, problem = problem_of(5, Logistic())
    found = Certificate(problem, *pair_of(rng, problem))
    for name in ("gap", "primal", "w"):
        refuses(AttributeError, "cannot be changed", setattr, found, name, 0.0)
        refuses(AttributeError, "cannot be changed", delattr, found, name)
    with pytest.raises(ValueError, match="read-only"):
        found.alpha[0] = 0.0
    refuses(TypeError, "subclassed", type, "Forged", (Certificate,), {"gap": 0.0})
    assert not hasattr(Certificate.__new__(Certificate), "gap")


def test_copies_and_pickles_are_computed_anew():
    rng, problem = problem_of(6, Squared())
    w, alpha = pair_of(rng, problem)
    found = Certificate(problem, w, alpha)
    rebuild, arguments = found.__reduce__()
    # the problem, the pair, which sums, and the free intercept if there is one: no number of the certificate travels
    assert rebuild is Certificate and arguments[3:] == (False, None)
    for copied in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (copied.gap, copied.primal, copied.w.tolist()) == (found.gap, found.primal, w)


def test_no_result_is_converged_without_a_certificate_that_meets_the_tolerance():
    found = Certificate(Problem([[1.0]], [1.0], Squared(), L2(1)), [0.0], [0.0])
    settings = dict(
        advice="",
        history=(),
        epochs=1,
        seconds=0.0,
        method="sdca",
        backend="fast",
        mode="paper",
        order="uniform",
        seed=0,
        rtol=0.0,
    )
    refuses(ValueError, "converged", Result, certificate=found, status="converged", tol=found.gap, **settings)
    assert (
        Result(certificate=found, status="converged", tol=found.gap_bound, **settings).gap_bound
        == found.gap_bound
        > found.gap
    )
    refuses(ValueError, "status", Result, certificate=found, status="fine", tol=1.0, **settings)


@pytest.mark.parametrize(
    "w, alpha, message",
    [
        ([0.0], [-2.0, 0.0], r"alpha\[0\] = -2.0 is outside the domain"),
        ([0.0], [0.0, -0.5], r"alpha\[1\] = -0.5 is outside the domain"),
        ([0.0], [0.0, math.nan], r"alpha\[1\] must be a finite number"),
        ([0.0], [0.0], "one entry for each of the 2 rows"),
        ([0.0, 1.0], [0.0, 0.0], r"w must have shape \(1,\)"),
        ([math.inf], [0.0, 0.0], r"w\[0\] must be a finite number"),
    ],
)
def test_a_pair_that_cannot_be_certified_is_refused_by_name(w, alpha, message):
    refuses(ValueError, message, Certificate, Problem([[1.0], [2.0]], [1, -1], Hinge(), L2(1)), w, alpha)


def test_overflow_of_the_objectives_is_an_error_of_its_own():
    refuses(OverflowError, "overflow", lambda: Certificate(Problem([[1.0]], [1.0], Squared(), L2(1)), [1e200], [0.0]))
