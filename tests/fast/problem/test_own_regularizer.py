"""A regularizer of one's own is solved and certified by the reference's methods; what the compiled code does not know
it refuses.
"""

from fractions import Fraction

import numpy as np
import pytest
from support import refuses
from toys.own_objective import WeightedL2

from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks import certificate
from dualgap.reference import L2, ElasticNet, Hinge, Logistic, Problem, SmoothedHinge, Squared, WeightedProblem

X = np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 1.0], [-1.0, 0.25, 3.0], [0.5, 0.5, -1.0]])
SIGNS = np.array([1.0, -1.0, 1.0, -1.0])


def problem(loss=None, kind=WeightedL2, **others):
    return Problem(X, SIGNS, loss or SmoothedHinge(), kind(0.1, [1.0, 2.0, 0.3]), **others)


def exact_gap(given, found):
    """In the reals, by P - D."""
    exact = Problem(X.tolist(), SIGNS.tolist(), given.loss, given.regularizer, number=Fraction)
    return exact.P([Fraction(x) for x in found.w]) - exact.D([Fraction(a) for a in found.alpha])


@pytest.mark.parametrize("loss", [SmoothedHinge(), Squared("1/2"), Hinge()])
@pytest.mark.parametrize("method", ["auto", "sdca", "sdca-random"])
def test_a_solved_problem_has_a_true_certificate(loss, method):
    given = problem(loss)
    found = solve(given, method, tol=1e-3 if isinstance(loss, Hinge) else 1e-8, backend="reference", max_epochs=4000)
    assert found.status == "converged" and found.method in (method, "sdca")
    assert 0 <= exact_gap(given, found) <= Fraction(found.gap_bound)
    assert certificate(given, found.alpha, found.w).gap == exact_gap(given, found)


def test_the_optimum_is_that_of_l2_on_columns_of_another_scale():
    root = np.sqrt([1.0, 2.0, 0.3])
    found = solve(problem(), tol=1e-12, backend="reference")
    other = solve(Problem(X / root, SIGNS, SmoothedHinge(), L2(0.1)), tol=1e-12)
    distance2 = 2 * (found.gap_bound + other.gap_bound) / 0.1  # g is lam-strongly convex for these norms
    assert np.sum((found.w * root - other.w) ** 2) <= 2 * distance2
    assert found.primal == pytest.approx(other.primal, abs=1e-11)


@pytest.mark.parametrize("scale", [1e-160, 1e-8, 1.0, 1e8, 1e100])
def test_the_bound_holds_at_any_pair(scale):
    rng = np.random.default_rng(1)
    for _ in range(5):
        w, alpha = scale * rng.standard_normal(3), -SIGNS * rng.random(4)
        found = Certificate(problem(), w, alpha)
        assert Fraction(found.gap_bound) >= exact_gap(problem(), found) >= 0


class Small(WeightedL2):
    """g* a hundredth too small: D would be too large."""

    def conjugate(self, minus_u):
        return 99 * super().conjugate(minus_u) / 100


class Steep(WeightedL2):
    @property
    def modulus(self):
        return self.lam * max(self.c)


@pytest.mark.parametrize(("kind", "formula"), [(Small, "conjugate"), (Steep, "modulus")])
def test_no_certificate_of_a_regularizer_that_contradicts_itself(kind, formula):
    with pytest.raises(
        ValueError, match=rf"regularizer {kind.__name__}\(.*, {formula}: .* No certificate of it would mean anything"
    ):
        Certificate(problem(kind=kind), np.zeros(3), np.zeros(4))


class Hidden(WeightedL2):
    """Right at every point of check_regularizer, wrong if an entry is 0.7."""

    def conjugate(self, minus_u):
        right = super().conjugate(minus_u)
        return right if all(x.denominator < 10**7 for x in map(Fraction, minus_u)) else right - 100


def test_a_negative_residual_is_refused_where_it_occurs():
    given = problem(kind=Hidden)
    with pytest.raises(ValueError, match=r"is not what it says: g\(w\) \+ g\*\(-u\) \+ u\^T w = .* < 0"):
        Certificate(given, np.array([0.7, 0.1, 0.1]), -SIGNS * 0.7)


def test_every_compiled_method_refuses_in_one_line():
    for name, kind in kernels().items():
        with pytest.raises(ValueError, match="compiled methods .* take L2, .* or PNorm") as refused:
            solve(problem(), name, mode="unchecked")
        assert "\n" not in str(refused.value)
        with pytest.raises(ValueError):  # and if require was not called
            state = kind().init(problem())
            kind().advance(problem(), state, np.zeros(1, np.int64))
    refuses(ValueError, "backend 'reference'", lambda: solve(problem()))


class Halved(ElasticNet):
    """A class that derives from a built-in one, whose family it inherits: nothing is believed of it."""

    def value(self, w):
        return super().value(w) / 2


@pytest.mark.parametrize("backend", ["fast", "reference"])
def test_a_subclass_of_a_built_in_regularizer_has_no_certificate(backend):
    given = Problem(X, SIGNS, SmoothedHinge(), Halved(0.1))
    refuses(ValueError, "take L2, ElasticNet, NonNegative or PNorm", solve, given, "sdca", backend=backend)
    refuses(ValueError, "take L2, .* or PNorm", lambda: Certificate(given, np.zeros(3), np.zeros(4)))
    assert Certificate(Problem(X, SIGNS, SmoothedHinge(), ElasticNet(0.1)), np.zeros(3), np.zeros(4)).gap > 0


def test_what_cannot_be_certified_is_refused():
    with pytest.raises(ValueError, match="is certified in rationals, and loss 'logistic' has none"):
        solve(problem(Logistic()), "sdca", backend="reference")
    weighted = WeightedProblem(X, SIGNS, SmoothedHinge(), WeightedL2(0.1, [1.0, 2.0, 0.3]), [1.0, 2.0, 1.0, 1.0])
    refuses(ValueError, "blocks or weights take L2", objective_of, weighted)
    refuses(ValueError, "take L2", lambda: Objective(problem()))
