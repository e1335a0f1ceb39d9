"""Coefficients >= 0: the bound of the certificate in exact arithmetic, the formulas by their definitions, refusals."""

import contextlib
import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from support import bits, refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem import gap_bound
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.strategies.hostile_pairs import RATIONAL, floats, hostile
from dualgap.reference import (
    Absolute,
    HypothesisViolated,
    InterceptProblem,
    Logistic,
    NonNegative,
    Problem,
    Squared,
    WeightedProblem,
    all_methods,
)
from dualgap.reference.problem.nonnegative import GeneralRegularizer

F = Fraction
RNG = np.random.default_rng(5)
X = RNG.normal(size=(30, 5))
Y = X @ [1.0, -2.0, 0.5, 0.0, 0.3] + RNG.normal(size=30)


def pairs(count):
    """Hostile pairs with w >= 0: their own, or w(alpha) as floats compute it; in floats and in rationals."""
    rng = random.Random(3)
    for _ in range(count):
        instance = hostile(rng.choice, RATIONAL)
        g = NonNegative(instance.lam, instance.l1)
        with contextlib.suppress(OverflowError, ValueError):  # the problem is refused
            problem, w, alpha = floats(instance)
            problem = problem.with_regularizer(g)
            w = np.abs(w) if rng.random() < 0.5 else Objective(problem).w(np.array(alpha))
            yield problem, instance.problem(F).with_regularizer(g), w, np.array(alpha)


def false_bounds(count=1500):
    """How many bounds are below the exact gap, and how many pairs were certified."""
    found = certified = 0
    for problem, exact, w, alpha in pairs(count):
        for compensated in (False, True):
            with contextlib.suppress(OverflowError, ValueError):  # the pair is refused
                bound = Certificate(problem, w, alpha, compensated).gap_bound
                gap = exact.P([*map(F, w)]) - exact.D([*map(F, alpha)])
                found, certified = found + (bound < math.inf and F(bound) < gap), certified + 1
    return found, certified


def test_no_bound_is_false_and_without_the_terms_of_the_formulas_some_are(monkeypatch):
    found, certified = false_bounds()
    assert found == 0 and certified > 1500
    monkeypatch.setattr(gap_bound, "UNIT", 0.0)
    assert false_bounds(300)[0] > 0, "control"


def test_the_formulas_are_those_of_the_definitions():
    values = [F(-2), F(-1, 2), F(0), F(1, 8), F(1, 2), F(3)]
    for l1, u, w in product((F(0), F(1, 2)), values, (F(0), F(1, 4), F(2))):
        g = NonNegative(F(2), l1).over(F)
        grid = [F(k, 16) for k in range(65)]
        best = max(-u * x - g.value([x]) for x in grid)  # the maximiser (-u - l1)/2 is on the grid
        assert g.conjugate([-u]) == best == GeneralRegularizer.conjugate(g, [-u])
        assert g.residual([w], [-u]) == GeneralRegularizer.residual(g, [w], [-u]) >= 0
        tau = F(1, 2)
        prox = min(grid, key=lambda x: g.value([x]) + (x + u) ** 2 / (2 * tau))
        assert abs(g.prox([-u], tau)[0] - prox) <= F(1, 32), "the grid has steps of 1/16"
    refuses(ValueError, r"w\[1\] = -1 is negative", lambda: NonNegative(1).over(F).value([F(1), F(-1)]))
    with pytest.raises(ValueError, match="is negative, where g is infinite"):
        Certificate(Problem(X, Y, Squared(), NonNegative(1)), -np.ones(5), np.zeros(30))


def test_the_compiled_formulas_have_the_bits_of_the_reference():
    for problem, _, w, alpha in pairs(300):
        objective = Objective(problem)
        minus_u = objective.minus_u(alpha)
        assert bits(objective.w(alpha)) == bits(problem.w(alpha.tolist()))
        both = objective.regularizer_residual(w, minus_u), problem.regularizer.residual(w.tolist(), minus_u.tolist())
        with contextlib.suppress(OverflowError):
            assert bits(both[:1]) == bits(both[1:])


@pytest.mark.parametrize("loss", [Squared(), Logistic(), Absolute()])
def test_minima_by_every_method_and_kind_of_problem_agree(loss):
    """||w - w'|| <= sqrt(2 g/lam) + sqrt(2 g'/lam), for the gaps g of two certificates."""
    y, g, found = np.sign(Y) if loss.margin else Y, NonNegative(0.1, 0.02), []
    for kind, weights in ((Problem, []), (WeightedProblem, [np.ones(30)])):
        problem = kind(X, y, loss, g, *weights)
        for method in {"auto", "sdca", "sdca-shrinking", "afg"} & {"auto", *kernels()}:
            if method == "afg" and problem.gamma == 0 or method == "sdca-shrinking" and weights:
                continue
            result = solve(problem, method, rtol=1e-5, max_epochs=5000)
            assert result.status == "converged" and (result.w >= 0).all()
            found.append(result)
    for one, other in product(found, found):
        apart = math.sqrt(2 * one.gap_bound / 0.1) + math.sqrt(2 * other.gap_bound / 0.1)
        assert np.linalg.norm(one.w - other.w) <= apart * (1 + 1e-12)
    free = solve(InterceptProblem(X, y, loss, g), rtol=1e-4, max_epochs=20000)
    assert free.status == "converged" and (free.w >= 0).all() and free.primal <= found[0].primal


def test_every_other_method_refuses_in_one_line():
    problem, refused = Problem(X, Y, Squared(), NonNegative(0.1)), set()
    for name, kind in all_methods().items():
        try:
            kind().require(problem, "unchecked")
        except HypothesisViolated as error:
            assert "NonNegative(lam=0.1). Use method auto, sdca or sdca-shrinking" in str(error)
            refused.add(name)
    assert refused == {name for name, kind in all_methods().items() if "non-negative" not in kind.families}
