"""ASDCA and AFG: the traps that published code has fallen into, their costs, and their validation."""

import math
from fractions import Fraction

import numpy as np
import pytest
from support import first_difference

from dualgap.extras.baselines.afg.claims import ILL_CONDITIONED, LINEAR, certificate
from dualgap.extras.baselines.asdca.claims import TRACE, UNSEEN
from dualgap.fast import kernels, solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.evidence.mutants import mutant
from dualgap.reference import ElasticNet, Logistic, Problem, SmoothedHinge, Squared, method

DATA = aspdc_synthetic(n=40, d=8, seed=1)


def problem_of(loss=None, lam=0.002, l1=0.0):
    """Unit rows, n = 40."""
    return Problem(DATA.X, DATA.y, loss or Logistic(), ElasticNet(lam, l1))


def same(one, other):
    """Whether two states are bit-identical."""
    return first_difference(one, other) is None


# -- traps -------------------------------------------------------------------------------------------------------------


def ys(name):
    """y^(2) and y^(3) on one row, every inner problem solved exactly."""
    problem, found = TRACE.problem(), []
    asdca = method("asdca") if name is None else mutant(name, TRACE)
    state = asdca.init(problem)
    for _ in range(2):
        asdca.advance(problem, state, 0)
        found += state.y_t
    return found


def test_momentum_taken_from_y_in_the_place_of_w_is_seen_in_the_third_iterate():
    assert ys(None) == [Fraction(7, 8), Fraction(247, 200)]
    assert ys("baselines.asdca-momentum-from-y") == [Fraction(7, 8), Fraction(763, 800)]


def suboptimality_and_bound(name):
    """P(w^(2)) - P* and the second rule's bound on it, after indices of which one row is missing."""
    context = Context(UNSEEN)
    asdca = method("asdca") if name is None else mutant(name, UNSEEN)
    state = asdca.init(context.problem)
    for index in (0, 0, 1, 0, 1, 0, 1) if name is None else (0, 0):
        asdca.advance(context.problem, state, index)
    assert state.t > 1
    return context.problem.P(state.w_t) - context.D_star, state.bound


def test_an_inner_loop_that_is_capped_and_counted_as_solved_voids_the_certificate():
    excess, bound = suboptimality_and_bound(None)
    assert 0 < excess <= bound
    excess, bound = suboptimality_and_bound("baselines.asdca-inner-cap")
    assert excess > 100 * bound


def test_an_absolute_value_hides_a_gap_that_has_become_negative():
    problem = UNSEEN.problem()
    inner = problem.centred(Fraction(3, 10), [Fraction(1)])
    alpha = [Fraction(1, 2), Fraction(-1, 2)]
    wrong = mutant("baselines.asdca-absolute-gap", UNSEEN)
    w = inner.w(alpha)
    true, difference = inner.gap(w, alpha), inner.P(w) - inner.D(alpha) - Fraction(3, 20)
    assert difference < 0 < true == method("asdca").gap(inner, w, alpha)
    assert wrong.gap(inner, w, alpha) == -difference


@pytest.mark.parametrize(("name", "instance"), [("twice-the-weight", LINEAR), ("low-cap", ILL_CONDITIONED)])
def test_a_weight_or_a_cap_of_the_line_search_that_is_wrong_voids_the_certificate(name, instance):
    assert all(relation.holds() for relation in certificate(Context(instance)))
    wrong = mutant(f"baselines.afg-{name}", instance)
    assert not all(relation.holds() for relation in certificate(Context(instance, wrong)))


def test_a_long_run_of_afg_neither_overflows_nor_loses_its_smoothness_estimate():
    problem = problem_of(Squared(), lam=1.0)
    afg = kernels()["afg"]()
    state = afg.run(problem, np.zeros(3000, dtype=np.int64))
    assert 1e100 < state.A < math.inf and state.trials < 3000
    assert (
        state.L <= 1.0 + 2.0**-40 and np.isfinite(state.x).all()
    )  # R^2/gamma = 1 except for the rounding of unit rows
    assert problem.gap(*afg.view(problem, state)) < 1e-25


# -- what is counted ---------------------------------------------------------------------------------------------------


def test_every_gap_gradient_and_evaluation_that_a_method_needs_is_counted():
    problem = problem_of(SmoothedHinge())
    for name, expected in {
        "asdca": lambda state: 7 + state.gaps,
        "afg": lambda state: 14,
        "lbfgs": lambda state: 7,
    }.items():
        compiled = kernels()[name]()
        state = compiled.init(problem)
        for epoch in range(7):
            compiled.advance(problem, state, compiled.draw(problem, "uniform", 0, epoch))
        assert compiled.reference.passes(problem, state, 7) == expected(state)
    assert kernels()["asdca"]().run(problem, np.zeros(80, dtype=np.int64)).gaps == 3  # the first, and two looks


def test_a_rule_that_has_fired_ends_the_run_of_asdca_in_both_backends():
    problem = problem_of(SmoothedHinge())
    choices = np.random.default_rng(0).integers(40, size=40 * 200)
    fast, reference = kernels()["asdca"](epsilon=1e-4), method("asdca", epsilon=1e-4)
    state = fast.run(problem, choices)
    assert state.rule == 2 and state.bound <= 1e-4
    assert same(state, reference.run(problem, choices))
    optimum = solve(problem, "sdca", tol=1e-13, max_epochs=5000)
    assert problem.P(state.w_t.tolist()) - optimum.dual <= 1e-4 + optimum.gap
    assert same(fast.run(problem, choices, state), state)
